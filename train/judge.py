"""What the exact solver says of a network on a small board.

`hex lab blunders` counts won positions that the network keeps or throws away, by its policy alone
or with a search. `hex solve` knows who wins after each first move, `hex lab openings` what the
network thinks of it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from train.checkpoint import RunError
from train.preset import PRESETS, Judge

# What `hex lab blunders` prints of a network: blunders, positions.
BLUNDERS = re.compile(r"^blunders: (\d+) of (\d+)", re.MULTILINE)

# A line of `hex solve --openings --out`: a cell and who wins after it.
SOLVED = re.compile(r"^([a-z]\d+) (red|blue) ", re.MULTILINE)

# A line of `hex lab openings --out`: a cell, wins, games, Red's win probability.
VALUED = re.compile(r"^([a-z]\d+) \d+ \d+ ([\d.]+)$", re.MULTILINE)

# Runs a program with these arguments and returns what it prints.
Run = Callable[..., str]


@dataclass(frozen=True)
class FirstMove:
    """A first move, Red's, as it is and as the network sees it."""

    cell: str
    wins: bool  # Red wins after it, by exact proof
    value: float  # Red's win probability after it, 0 to 1, by the network's search

    @property
    def is_right(self) -> bool:
        """The network prefers the side that wins."""
        return self.wins == (self.value > 0.5)


@dataclass(frozen=True)
class Verdict:
    """A network judged."""

    # Blunders and positions, by who moved: the policy alone, or a search.
    blunders: dict[str, tuple[int, int]]
    first_moves: list[FirstMove]  # half of the board: the other half is the same by half a turn

    def kept(self) -> dict[str, float]:
        """Returns the share of won positions kept, 0 to 1, by who moved."""
        return {name: 1 - lost / max(1, tried) for name, (lost, tried) in self.blunders.items()}

    def __str__(self) -> str:
        # Counts, because a share of 99.996 % reads as a proof when it is rounded.
        parts = [f"{lost:,} mistakes of {name} in {tried:,} won positions"
                 for name, (lost, tried) in self.blunders.items()]
        if self.first_moves:
            right = sum(move.is_right for move in self.first_moves)
            parts.append(f"{right} of {len(self.first_moves)} first moves valued right")
        return ", ".join(parts)

    @property
    def is_perfect(self) -> bool:
        """With the most simulations the network threw no won position away."""
        return list(self.blunders.values())[-1][0] == 0


def judge(
    run: Run, hex_program: str, side: int, weights: Path, judge: Judge, is_last: bool
) -> Verdict:
    """Judges the network in a weights file on boards of one side.

    `is_last` says that a run is over: then every reply is tried, if it is to be.
    """
    blunders = {}
    kind: list[object] = ["--openings"]
    if judge.empty:
        kind = ["--empty", judge.empty, "--positions", judge.positions]
    elif judge.every_reply and is_last:
        kind += ["--every-reply"]
    for count in judge.simulations:
        player = ["--simulations", count] if count else ["--policy-alone"]
        report = run(hex_program, "lab", "blunders", "--side", side, "--weights", weights, *kind,
                     *player)
        found = BLUNDERS.search(report)
        if not found:
            raise RunError(f"hex lab blunders printed no count: {report!r}")
        name = f"{count} simulations" if count else "policy"
        blunders[name] = (int(found[1]), int(found[2]))
    first = first_moves(run, hex_program, side, weights, judge) if judge.first_moves else []
    return Verdict(blunders, first)


def first_moves(
    run: Run, hex_program: str, side: int, weights: Path, judge: Judge
) -> list[FirstMove]:
    """Returns every first move; what is right is solved once and kept beside the weights."""
    shipped, solved = PRESETS / f"openings-{side}.txt", weights.parent / f"openings-{side}.txt"
    if shipped.is_file():
        solved = shipped
    else:
        run(hex_program, "solve", "--side", side, "--openings", "--out", solved)
    truth = dict(SOLVED.findall(solved.read_text(encoding="utf-8")))
    valued = weights.parent / "first-moves.txt"
    valued.unlink(missing_ok=True)
    run(hex_program, "lab", "openings", "--side", side, "--weights", weights, "--games", 0,
        "--search", judge.first_moves, "--out", valued)
    values = dict(VALUED.findall(valued.read_text(encoding="utf-8")))
    unknown = values.keys() - truth.keys()
    if unknown:
        raise RunError(f"{solved} lacks {', '.join(sorted(unknown))}: delete it, and it is solved "
                       "anew")
    return [FirstMove(cell, truth[cell] == "red", float(value)) for cell, value in values.items()]
