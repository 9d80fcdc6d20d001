"""A study: openings with the evaluations of a far stronger network, to learn from.

A file has a line a position: `moves TAB rate TAB cell:prior:rate …`, possibly gzipped. Rates are
Red's win probabilities, priors that network's policy, both in thousandths. The rates behind the
moves, which may be empty, are for `hex lab book`.
"""

import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from train.checkpoint import RunError


class StudyError(RunError):
    """A study cannot be read; the message names the line."""


@dataclass(frozen=True)
class StudiedPosition:
    """A line of a study."""

    moves: tuple[str, ...]  # cells, Red's first
    rate: float  # Red's win probability, 0 to 1
    priors: dict[str, float]  # of moves, 0 to 1


def read_study(path: Path) -> Iterator[StudiedPosition]:
    """Yields the positions of a study; raises `StudyError`."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(io.TextIOWrapper(file, encoding="utf-8"), 1):
            try:
                moves, rate, candidates = line.rstrip("\n").split("\t")
                items = [item.split(":") for item in candidates.split()]
                for name in (*moves.split(), *(name for name, _, _ in items)):
                    cell(name)
                priors = {name: int(prior) / 1000 for name, prior, _ in items}
                yield StudiedPosition(tuple(moves.split()), int(rate) / 1000, priors)
            except ValueError as error:
                raise StudyError(f"{path}, line {number}: {error}") from error


def cell(name: str) -> int:
    """Returns the number of a cell on 11×11, row by row; raises `ValueError` if it is none."""
    column, row = ord(name[0]) - ord("a"), name[1:]
    if not (0 <= column < 11 and row.isdigit() and 1 <= int(row) <= 11):
        raise ValueError(f"{name!r} is not a cell from a1 to k11")
    return 11 * (int(row) - 1) + column
