"""The Elo difference that pairs of games tell, as `hex lab elo` computes it.

A pair is one opening played twice with the colours exchanged. The formulas are in
common/src/stats/elo.rs alone; this module counts the pairs, asks and reads the answer.
"""

import json
import subprocess
from collections.abc import Sequence

from train.checkpoint import RunError


def counts(wins: Sequence[int]) -> tuple[int, int, int]:
    """Returns how many pairs were lost, split and won, given the wins in each pair, 0 to 2."""
    return wins.count(0), wins.count(1), wins.count(2)


def elo_difference(hex_program: str, wins: Sequence[int]) -> tuple[float, float | None]:
    """Returns the first player's Elo above the second's, given its wins in each pair, 0 to 2.

    The second number is half the width of the 95 % interval. Where all games went the same way the
    estimate is infinite: then it is `None`, and the first one the finite end of the interval, "at
    least" or "at most" so much. Both have one decimal. Raises `RunError` if `hex_program` cannot
    tell, for example because there are no pairs.
    """
    command = [hex_program, "lab", "elo", *map(str, counts(wins))]
    try:
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        answer = json.loads(output)
        elo, low, high = (answer[name] for name in ("elo", "low", "high"))
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError) as error:
        told = getattr(error, "stderr", None) or str(error)
        raise RunError(
            f"{' '.join(command)} tells no Elo: {told.strip()}; if it is older than this code, "
            "cargo build --release -p hex-cli"
        ) from error
    if low is None or high is None:
        return round(high if low is None else low, 1), None
    return round(elo, 1), round((high - low) / 2, 1)
