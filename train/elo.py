"""Elo from pairs of games: two games an opening, each player beginning one."""

import math

# A win of every game is told as if half a pair more had been played and lost: else it is infinite.
PRIOR_PAIRS = 0.5

# Standard deviations to either side that hold 95 %.
WIDTH = 1.96


def elo_of_share(share: float) -> float:
    """The difference in Elo at which this share of the games is won."""
    return -400 * math.log10(1 / share - 1)


def elo(pairs: list[int]) -> tuple[float, float]:
    """The first player's Elo above the second, and its error (95 %), from its wins in each pair.

    The interval is that of the share of games won, with the variance of the pairs, not of the games.
    """
    if not pairs:
        raise ValueError("no pairs of games to tell an Elo from")
    shares = [wins / 2 for wins in pairs]
    count = len(shares)
    mean = sum(shares) / count
    variance = sum((share - mean) ** 2 for share in shares) / count
    # Half a won and half a lost pair more: keeps both ends finite.
    total = count + 2 * PRIOR_PAIRS
    mean = (mean * count + PRIOR_PAIRS) / total
    variance = (variance * count + 2 * PRIOR_PAIRS * 0.25) / total
    error = WIDTH * math.sqrt(variance / total)
    low, high = max(mean - error, 1e-3), min(mean + error, 1 - 1e-3)
    return elo_of_share(mean), (elo_of_share(high) - elo_of_share(low)) / 2
