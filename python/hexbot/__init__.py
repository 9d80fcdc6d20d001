"""A strong engine for the board game Hex: tree search with a neural network, and an exact solver.

>>> import hexbot
>>> engine = hexbot.Engine(side=11)
>>> analysis = engine.analyze("a2 f6 e5", simulations=200)
>>> analysis.to_move, analysis.simulations
('blue', 200)
>>> analysis.candidates[0].move == analysis.line[0]
True

Cells are named as on CodinGame and HexWorld: ``a1`` is at the top left, the letter is the column.
Red joins top and bottom and moves first; Blue joins left and right. A game is a text or a list of
its moves from the empty board on: cells, ``"swap"`` (Blue's first move: the stone changes colour
and is mirrored) and ``"pass"``.

Calls run without the interpreter's lock, and Ctrl-C ends them. What cannot be done is a
``ValueError`` that says what is wrong and what is possible.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Union, cast

from . import _hexbot

__all__ = ["Analysis", "Candidate", "Color", "Engine", "Moves", "Solution", "convert"]
__version__ = _hexbot.__version__

Color = Literal["red", "blue"]
Moves = Union[str, Iterable[str]]

_DEFAULT_MS = 1000
_STRONGEST = 10


@dataclass(frozen=True)
class Candidate:
    """A move that was looked at."""

    #: Where.
    move: str
    #: Simulations that went through it, those of earlier calls included.
    visits: int
    #: How likely it looked before any search, 0 to 1; None if it is proven to lose.
    prior: float | None
    #: The win probability of the player to move after it, 0 to 1; None without visits.
    value: float | None
    #: The moves expected from it on, itself first; empty if too little is known.
    line: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """What a search has found out."""

    to_move: Color
    #: That of the player to move, 0 to 1.
    win_probability: float
    #: Who wins for certain, if that is proven.
    proof: Color | None
    #: Simulations of this call.
    simulations: int
    #: How long it took, in milliseconds.
    ms: int
    #: The moves expected, the best first.
    line: tuple[str, ...]
    #: The best first, then in the order of visits, most first.
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Solution:
    """What the exact solver has found out."""

    #: Who wins with perfect play, if that is known.
    winner: Color | None
    #: The moves of the player to move that win for certain.
    winning: tuple[str, ...]
    #: Those that lose for certain.
    losing: tuple[str, ...]
    #: Those that the time did not suffice for.
    unknown: tuple[str, ...]


def _whole(name: str, value: object, most: int = 2**63 - 1) -> int:
    """The value of an argument; an error that names it unless it is a whole number from 0 on."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{name}={value!r} is not possible, give a whole number from 0 to {most}")
    return value


def _limit(ms: int | None, simulations: int | None) -> tuple[int | None, int | None]:
    """At most one of both limits; the default time if there is none."""
    if ms is None and simulations is None:
        return _DEFAULT_MS, None
    if ms is not None:
        ms = _whole("ms", ms)
    if simulations is not None:
        simulations = _whole("simulations", simulations)
    return ms, simulations


class Engine:
    """An engine for boards of one side, 3 to 19.

    It thinks with up to 16 ``threads``. With one, the same calls in the same order and the same
    ``seed`` give the same results for limits in simulations. It keeps its tree from call to call
    and uses what it knows of a position that follows; make another engine to begin from nothing.
    Calls from several threads of Python wait for each other; engines work side by side.

    >>> Engine(20)
    Traceback (most recent call last):
    ValueError: a board of side 20 is not offered, only sides 3 to 19
    """

    def __init__(self, side: int = 11, *, threads: int = 1, seed: int = 0) -> None:
        self._side = _whole("side", side)
        threads = _whole("threads", threads)
        self._searcher = _hexbot.Searcher(self._side, threads, _whole("seed", seed))

    @property
    def side(self) -> int:
        """Rows and columns of its boards."""
        return self._side

    def analyze(
        self,
        moves: Moves = "",
        *,
        ms: int | None = None,
        simulations: int | None = None,
        swap: bool = True,
    ) -> Analysis:
        """Analyses the position after ``moves``, a game that is not over.

        The limit is ``ms``, 10 to 60,000, or ``simulations``, 1 to 1,000,000,000; a second if
        neither is given. It ends sooner if the result is proven. ``swap`` says whether Blue may
        swap after the first move. The values are those of the stones as they are: whether a swap
        pays says :meth:`best_move`.

        >>> found = Engine(5).analyze("a1 c3 b2", simulations=1000)
        >>> found.proof, found.win_probability
        ('blue', 1.0)
        >>> Engine(5).analyze("a1 a1")
        Traceback (most recent call last):
        ValueError: move 2, "a1": a1 holds a red stone already
        """
        game = self._game(moves, swap)
        to_move, reply = self._searcher.analyse(game, *_limit(ms, simulations))
        return _analysis(json.loads(reply)["analysis"], cast(Color, to_move))

    def best_move(
        self,
        moves: Moves = "",
        *,
        level: int = _STRONGEST,
        ms: int | None = None,
        simulations: int | None = None,
        swap: bool = True,
    ) -> str:
        """The move to play after ``moves``: a cell, or ``"swap"`` if that is better.

        Levels go from 1 to 10. Those below 10 have at most 500 simulations, and the lowest make
        mistakes. The limits are those of :meth:`analyze`. First moves, swaps and answers of the
        opening book take no time.

        >>> Engine(11).best_move("f6", ms=100)
        'swap'
        >>> Engine(11).best_move(level=11)
        Traceback (most recent call last):
        ValueError: "11" is not a level from 1 to 10
        """
        game = self._game(moves, swap)
        level = _whole("level", level, 255)
        _, reply = self._searcher.best_move(game, level, *_limit(ms, simulations))
        answer = cast(str, json.loads(reply)["answer"])
        return "swap" if answer == ":s" else answer

    def solve(self, moves: Moves = "", *, ms: int | None = None) -> Solution:
        """Who wins after ``moves`` with perfect play, and by which of the next moves.

        The next stone is the next move: swaps do not count. At most 128 cells may be empty. The
        first move on 6×6 takes a second, on 7×7 minutes, and endgames of larger boards seconds;
        after ``ms`` milliseconds the rest is left unknown.

        >>> found = Engine(4).solve("b2 c3")
        >>> found.winner, found.winning, found.unknown
        ('red', ('d2', 'b3', 'd3', 'a4'), ())
        """
        limit = None if ms is None else _whole("ms", ms)
        winner, lists = _hexbot.solve(self._game(moves, True), limit)
        winning, losing, unknown = map(tuple, lists)
        return Solution(cast("Color | None", winner), winning, losing, unknown)

    def _game(self, moves: Moves, swap: bool) -> str:
        return _hexbot.game_text(self._side, _text(moves), swap)


def _text(moves: Moves) -> str:
    return moves if isinstance(moves, str) else " ".join(moves)


def _analysis(found: dict[str, Any], to_move: Color) -> Analysis:
    """The analysis as the player to move sees it; the engine has Red's win probabilities."""

    def seen(red_wins: float | None) -> float | None:
        return red_wins if red_wins is None or to_move == "red" else 1 - red_wins

    def candidate(known: dict[str, Any]) -> Candidate:
        value = seen(known["redWins"])
        line = tuple(known["line"])
        return Candidate(known["cell"], known["visits"], known["prior"], value, line)

    return Analysis(
        to_move=to_move,
        win_probability=cast(float, seen(found["redWins"])),
        proof=found["proven"],
        simulations=found["simulations"],
        ms=found["time"],
        line=tuple(found["line"]),
        candidates=tuple(map(candidate, found["moves"])),
    )


def convert(text: str, to: Literal["sgf", "hexworld", "moves"], *, side: int = 11) -> str:
    """A record in another format; what that one cannot hold is left out.

    Reads SGF, links to HexWorld, JSON and turns of CodinGame, drawings of ``.``, ``r`` and ``b``,
    and lists of moves, for which ``side`` is the board's.

    >>> convert("a2 f6", "hexworld")
    'https://hexworld.org/board/#11c1,a2f6'
    >>> convert("https://hexworld.org/board/#5,a1c3", "moves")
    'a1 c3'
    >>> convert("a2 f6", "png")
    Traceback (most recent call last):
    ValueError: "png" is not a format; use "sgf", "hexworld" or "moves"
    """
    written, _ = _hexbot.convert(text, to, _whole("side", side))
    return written.removesuffix("\n")
