"""The Elo difference that pairs of games tell, as `hex lab elo` computes it.

A pair is one opening played twice with the colours exchanged. The formulas are in
common/src/stats/elo.rs alone; this module counts the pairs, asks and reads the answer.
"""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from train.checkpoint import RunError


@dataclass(frozen=True)
class EloDifference:
    """By how much the first player is stronger than the second, in Elo."""

    # The estimate; where all games went the same way it is infinite, and this is the finite end
    # of its interval instead: "at least" or "at most" so much.
    elo: float
    # Half the width of the 95 % interval, or None if that is infinite.
    error: float | None

    def rounded(self) -> tuple[float, float | None]:
        """The estimate and its error to one decimal, for the curve of a run."""
        return round(self.elo, 1), None if self.error is None else round(self.error, 1)


def counts(wins: Sequence[int]) -> tuple[int, int, int]:
    """Returns how many pairs were lost, split and won, given the wins in each pair, 0 to 2."""
    return wins.count(0), wins.count(1), wins.count(2)


def elo_difference(hex_program: str, wins: Sequence[int]) -> EloDifference:
    """Returns the first player's Elo above the second's, given its wins in each pair, 0 to 2.

    Raises `RunError` if `hex_program` cannot tell, for example because there are no pairs.
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
        return EloDifference(high if low is None else low, None)
    return EloDifference(elo, (high - low) / 2)
