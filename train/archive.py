"""Whole games of `hex massplay`: the shards' format, the newest of them as a window, batches.

A shard holds columns of numbers, little-endian, behind a header of 44 bytes (`HEADER`); docs/network.md
has the table. A game is its moves in turn, Red's first, cells numbered row by row; a position is a game
and a ply. Some positions were searched. Every position is given to the network as its player to move
sees it: where that is Blue, the board is transposed.

The window holds the newest shards up to a number of games, in the memory of the device that learns:
some 100 bytes a game. Batches are drawn there, by a generator of that device. Every `HOLD_OUT`th shard
is never learnt from.
"""

import gzip
import io
import struct
import sys
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch

from train.data import EMPTY, MOVER, OPPONENT, Batch, ShardError, planes_of

MAGIC = b"HEXGAMES"
VERSION = 2
# magic, version, side, games, moves, searches, moves of variations, candidates, seed
HEADER = struct.Struct("<8sIIIIIIIQ")
EXTENSION = ".games"
SIDE = 11
CELLS = SIDE * SIDE

# Bits of a game's flags.
BLUE_WON, RESIGNED, MISJUDGED = 1, 2, 4

# One shard in this many is held out for validation.
HOLD_OUT = 40

# How much a position beside the game counts.
VARIATION_WEIGHT = 0.6

# The ply of a cell without a stone.
NEVER = 255

Column = TypeVar("Column", torch.Tensor, np.ndarray)


@dataclass
class Games(Generic[Column]):
    """Columns of games and searches: of a shard as arrays of numpy, of a window as tensors."""

    length: Column  # [games] moves
    flags: Column  # [games]
    cool_from: Column  # [games] the first ply whose value the result tells
    moves: Column  # [moves] cells
    # [moves] Red's win probability before the move, in 1/255: in a shard as the network told it, in a
    # window what later moves and the result say of it (`returns`).
    red_wins: Column
    search_game: Column  # [searches] which game
    search_ply: Column  # [searches] stones on the board
    search_value: Column  # [searches] the mover's win probability in 1/65535
    search_visits: Column  # [searches]
    variations: Column  # [searches] how many further moves lead to the position: 0 in the game
    candidates: Column  # [searches] how many moves have a share of the visits
    variation: Column  # [moves of variations] cells
    candidate: Column  # [candidates] cells
    share: Column  # [candidates] of the visits, in 1/255

    def __len__(self) -> int:
        return len(self.length)


class Archive(Games[torch.Tensor]):
    """Games as tensors on one device, with places for looking them up."""

    def __init__(self, parts: list[Games[np.ndarray]], device: torch.device):
        """The games of several shards, as if they were one."""
        before = np.cumsum([0] + [len(part) for part in parts[:-1]])
        numbers = [part.search_game + offset for part, offset in zip(parts, before, strict=True)]
        for name in COLUMNS:
            columns = numbers if name == "search_game" else [getattr(part, name) for part in parts]
            column = np.concatenate(columns).astype(WIDE.get(name, np.uint8))
            setattr(self, name, torch.from_numpy(column).to(device))
        self.device = device
        self.start = firsts(self.length)
        self.variation_start, self.candidate_start = firsts(self.variations), firsts(self.candidates)
        # Games with a position whose value the result tells.
        self.taught = torch.nonzero(self.length > self.cool_from).flatten()


COLUMNS = tuple(field.name for field in fields(Games))

# Kinds of the columns that are no bytes: plies and counts are calculated with.
WIDE = {"search_game": np.int64, "search_value": np.int32, "search_visits": np.int32, "length": np.int64,
        "cool_from": np.int64, "search_ply": np.int64, "variations": np.int64, "candidates": np.int64}


def firsts(lengths: torch.Tensor) -> torch.Tensor:
    """Where each of several spans begins that lie one behind the other."""
    return lengths.cumsum(0) - lengths


def read_games(path: Path) -> Games[np.ndarray]:
    """The games of a shard."""
    data = path.read_bytes()
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        raise ShardError(f"{path}: not a shard of games: delete the file")
    _, version, side, games, moves, searches, further, candidates, _ = HEADER.unpack_from(data)
    if version != VERSION or side != SIDE:
        raise ShardError(f"{path}: version {version}, side {side}: only {VERSION} and {SIDE} are known")
    columns = {}
    at = HEADER.size
    for name, count, code in (
        ("search_game", searches, "<u4"), ("search_value", searches, "<u2"),
        ("search_visits", searches, "<u2"), ("length", games, "u1"), ("flags", games, "u1"),
        ("cool_from", games, "u1"), ("moves", moves, "u1"), ("red_wins", moves, "u1"),
        ("search_ply", searches, "u1"), ("variations", searches, "u1"), ("candidates", searches, "u1"),
        ("variation", further, "u1"), ("candidate", candidates, "u1"), ("share", candidates, "u1"),
    ):
        kind = np.dtype(code)
        if at + count * kind.itemsize > len(data):
            raise ShardError(f"{path}: {len(data)} bytes are too few: delete the file")
        columns[name] = np.frombuffer(data, kind, count, at)
        at += count * kind.itemsize
    return Games(**columns)


def returns(games: Games[np.ndarray], decay: float) -> np.ndarray:
    """Red's win probability before each move as the rest of the game tells it, in 1/255; arrays of numpy.

    TD(lambda), lambda being `decay`: one ply later counts 1 - decay, each further one `decay` times as much
    as the one before it, and the result the rest. With 1 it is the result alone. Later probabilities
    vary less from game to game than results do, and know the opening no worse
    (docs/experiments/mass-games.md).
    """
    ends = games.length.astype(np.int64).cumsum()
    later = (games.flags & BLUE_WON == 0) * 255.0
    told = np.zeros_like(games.red_wins)
    for back in range(1, int(games.length.max(initial=0)) + 1):
        which = np.flatnonzero(games.length >= back)
        at = ends[which] - back
        told[at] = later[which].round()
        later[which] = (1 - decay) * games.red_wins[at] + decay * later[which]
    return told


def spans(starts: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """For every element of the spans: its span's number, its place in the span, its place in all."""
    rows = torch.repeat_interleave(torch.arange(len(starts), device=starts.device), lengths)
    places = torch.arange(len(rows), device=starts.device) - firsts(lengths)[rows]
    return rows, places, starts[rows] + places


@dataclass
class Positions:
    """Positions with targets, as their movers see them; tensors of the same length."""

    stones: torch.Tensor  # [positions, cells] EMPTY, MOVER or OPPONENT
    owner: torch.Tensor  # [positions, cells] the same at the end of the game
    won: torch.Tensor  # [positions] 1 if the mover won, 0 if not
    value: torch.Tensor  # [positions] the probability that the mover wins which is to be learnt
    result_known: torch.Tensor  # [positions] 1 if the game went on from here as well as it could, or 0
    policy: torch.Tensor  # [positions, cells] sums to 1, or to 0 without a target
    weight: torch.Tensor  # [positions] of the value and of the policy

    def rotated(self, which: torch.Tensor) -> "Positions":
        """With the chosen ones turned by 180 degrees, which keeps both players' goals."""
        for cells in (self.stones, self.owner, self.policy):
            cells[which] = cells[which].flip(1)
        return self


def joined(parts: list[Positions]) -> Positions:
    """All positions of several parts."""
    names = [field.name for field in fields(Positions)]
    return Positions(**{n: torch.cat([getattr(part, n) for part in parts]) for n in names})


def seen_by_movers(cells: torch.Tensor, plies: torch.Tensor) -> torch.Tensor:
    """Boards [positions, cells] with those of Blue, who moves at odd plies, transposed."""
    boards = cells.view(-1, SIDE, SIDE)
    blue = (plies % 2 == 1)[:, None, None]
    return torch.where(blue, boards.transpose(1, 2), boards).reshape(-1, CELLS)


def positions_of(games: Archive, chosen: torch.Tensor, plies: torch.Tensor) -> Positions:
    """The positions of the chosen games after so many moves; how these went on is their only target."""
    when = times(games, chosen)
    is_blue = plies % 2 == 1
    won = ((games.flags[chosen] & BLUE_WON != 0) == is_blue).float()
    red_wins = games.red_wins[games.start[chosen] + plies].float() / 255
    return Positions(
        stones=stones_of(when.masked_fill(when >= plies[:, None], NEVER), plies),
        owner=stones_of(when, plies),
        won=won,
        value=torch.where(is_blue, 1 - red_wins, red_wins),
        # While moves are drawn hot the rest of the game tells little of the position.
        result_known=(plies >= games.cool_from[chosen]).float(),
        policy=won.new_zeros(len(chosen), CELLS),
        weight=torch.ones_like(won),
    )


def times(games: Archive, chosen: torch.Tensor) -> torch.Tensor:
    """When each cell of the chosen games got its stone, [games, cells]: the ply, or NEVER."""
    rows, plies, places = spans(games.start[chosen], games.length[chosen])
    when = torch.full((len(chosen), CELLS), NEVER, dtype=torch.uint8, device=games.device)
    when[rows, games.moves[places].long()] = plies.to(torch.uint8)
    return when


def stones_of(when: torch.Tensor, plies: torch.Tensor) -> torch.Tensor:
    """All stones that were ever placed, as who moves at these plies sees them."""
    is_own = when % 2 == (plies % 2).to(torch.uint8)[:, None]
    stones = torch.full_like(when, OPPONENT).masked_fill(is_own, MOVER)
    return seen_by_movers(stones.masked_fill(when == NEVER, EMPTY), plies)


def searched_positions(games: Archive, chosen: torch.Tensor, game_share: float) -> Positions:
    """The positions of the chosen searches, with what those found; where it is known, the value that the
    rest of the game tells has a share in it."""
    numbers, plies = games.search_game[chosen], games.search_ply[chosen]
    positions = positions_of(games, numbers, plies)
    further = games.variations[chosen]
    vary(positions, games, chosen, plies, further)
    search = games.search_value[chosen].float() / 65535
    positions.value = search.lerp(positions.value, game_share * positions.result_known)
    rows, _, places = spans(games.candidate_start[chosen], games.candidates[chosen])
    policy = positions.policy
    policy[rows, games.candidate[places].long()] = games.share[places].float()
    policy = policy / policy.sum(1, keepdim=True).clamp(min=1)
    positions.policy = seen_by_movers(policy, plies + further)
    return positions


def vary(
    positions: Positions, games: Archive, chosen: torch.Tensor, plies: torch.Tensor, further: torch.Tensor
) -> None:
    """Plays the variations of searches that tell of a position beside the game: results are unknown there."""
    which = torch.nonzero(further).flatten()
    plies, further, chosen = plies[which], further[which], chosen[which]
    when = times(games, games.search_game[chosen])
    when = when.masked_fill(when >= plies[:, None], NEVER)
    rows, at, places = spans(games.variation_start[chosen], further)
    when[rows, games.variation[places].long()] = (plies[rows] + at).to(torch.uint8)
    positions.stones[which] = stones_of(when, plies + further)
    positions.owner[which] = EMPTY
    positions.result_known[which] = 0
    positions.weight[which] = VARIATION_WEIGHT


class Study:
    """Positions with the win rates of a far stronger network: `moves TAB rate TAB cell:prior:rate …`.

    Rates are Red's, priors the mover's; both in thousandths. A policy is learnt where the listed
    priors are nearly all there is.
    """

    LEAST_LISTED = 700

    def __init__(self, path: Path, device: torch.device):
        lines: list[tuple[list[int], float, list[tuple[int, int]]]] = []
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(io.TextIOWrapper(file, encoding="utf-8"), 1):
                try:
                    lines.append(self._parse(line.rstrip("\n")))
                except (ValueError, IndexError) as error:
                    raise ShardError(f"{path}, line {number}: {error}") from error
        moves = [line[0] for line in lines]
        listed = [line[2] if sum(p for _, p in line[2]) >= self.LEAST_LISTED else [] for line in lines]
        count = len(lines)
        length = np.array([len(m) for m in moves], np.uint8)
        red = np.array([line[1] for line in lines])
        # A game that stops at the position; nobody knows how it goes on.
        games: Games[np.ndarray] = Games(
            length=length, flags=np.zeros(count, np.uint8), cool_from=np.full(count, NEVER, np.uint8),
            moves=np.array([cell for m in moves for cell in m], np.uint8),
            red_wins=np.zeros(int(length.sum()) + 1, np.uint8),
            search_game=np.arange(count), search_ply=length,
            search_value=(np.where(length % 2 == 0, red, 1 - red) * 65535).astype(np.uint16),
            search_visits=np.ones(count, np.uint16),
            variations=np.zeros(count, np.uint8), variation=np.zeros(0, np.uint8),
            candidates=np.array([len(c) for c in listed], np.uint8),
            candidate=np.array([cell for c in listed for cell, _ in c], np.uint8),
            share=np.array([p * 255 // 1000 for c in listed for _, p in c], np.uint8),
        )
        self.games = Archive([games], device)

    @staticmethod
    def _cell(name: str) -> int:
        column, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
        if not (0 <= column < SIDE and 0 <= row < SIDE):
            raise ValueError(f"{name!r} is not a cell from a1 to k11")
        return row * SIDE + column

    @classmethod
    def _parse(cls, line: str) -> tuple[list[int], float, list[tuple[int, int]]]:
        moves, rate, judged = line.split("\t")
        items = [item.split(":") for item in judged.split()]
        listed = [(cls._cell(item[0]), int(item[1])) for item in items]
        return [cls._cell(name) for name in moves.split()], int(rate) / 1000, listed

    def sample(self, count: int, rng: torch.Generator) -> Positions:
        """Positions drawn evenly."""
        positions = searched_positions(self.games, drawn_from(len(self.games), count, rng), 0)
        # Nobody's stones are known for the end of a game.
        positions.owner[:] = EMPTY
        return positions


def drawn_from(most: int, count: int, rng: torch.Generator) -> torch.Tensor:
    """Numbers below `most`, drawn evenly."""
    return torch.randint(most, (count,), generator=rng, device=rng.device)


@dataclass(frozen=True)
class Mixture:
    """Of what a batch is made."""

    searched: float = 0.6  # the share of positions with a search's policy and value
    study: float = 0.03  # the share of positions of the study, if there is one
    game: float = 0.5  # the share of what the rest of the game tells in the value of searched positions
    decay: float = 0.93  # how far ahead the rest of the game is looked at: see `returns`
    # Plies of positions without a search: u ** this of the way from the first cool one to the end,
    # u drawn evenly from 0 to 1; above 1 early ones come more often.
    early: float = 1.4


class GameWindow:
    """The newest shards of games in a folder, and a study beside them."""

    def __init__(
        self, folder: Path, games: int, mixture: Mixture, device: torch.device, study: Study | None = None
    ):
        self.folder, self.limit, self.device = folder, games, device
        self.mixture, self.study = mixture, study
        self.shards: dict[str, Games[np.ndarray]] = {}
        self.games: Archive | None = None
        self.held_out: Archive | None = None
        self.played = 0
        self.unreadable: set[str] = set()

    def refresh(self) -> None:
        """Takes in shards that have appeared, and drops and deletes the oldest beyond the limit."""
        paths = sorted(self.folder.glob("*" + EXTENSION))
        known = {path.name for path in paths} - self.unreadable
        fresh = [path for path in paths if path.name in known and path.name not in self.shards]
        if not fresh and known == set(self.shards):
            return
        for path in fresh:
            try:
                games = read_games(path)
                self.shards[path.name] = replace(games, red_wins=returns(games, self.mixture.decay))
            except ShardError as error:
                print(f"left out: {error}", file=sys.stderr)
                self.unreadable.add(path.name)
        self.shards = {name: games for name, games in sorted(self.shards.items()) if name in known}
        total = sum(len(games) for games in self.shards.values())
        for name in list(self.shards):
            if total - len(self.shards[name]) < self.limit:
                break
            total -= len(self.shards.pop(name))
            (self.folder / name).unlink(missing_ok=True)
        self._join()

    def _join(self) -> None:
        held = [g for name, g in self.shards.items() if self._is_held_out(name)]
        learnt = [g for name, g in self.shards.items() if not self._is_held_out(name)]
        self.games = Archive(learnt, self.device) if learnt else None
        self.held_out = Archive(held, self.device) if held else None
        if self.shards:
            last = max(self.shards)
            self.played = (int(Path(last).stem) + 1) * len(self.shards[last])

    @staticmethod
    def _is_held_out(name: str) -> bool:
        return int(Path(name).stem) % HOLD_OUT == HOLD_OUT - 1

    def state(self) -> list[Any]:
        """For checkpoints: nothing, since the folder tells what there is."""
        return []

    def sizes(self) -> dict[int, int]:
        """The number of games for learning, by side."""
        return {SIDE: len(self.games)} if self.games is not None else {}

    def ready(self, games: int) -> bool:
        """Whether there are so many games to learn from."""
        return self.games is not None and len(self.games) >= games

    def sample(self, count: int, rng: torch.Generator) -> Positions:
        """Positions for learning; half of them are rotated."""
        games, mixture = self.games, self.mixture
        if games is None:
            raise ShardError(f"no games in {self.folder}: play some first")
        parts = []
        searched = int(count * mixture.searched) if len(games.search_ply) else 0
        if searched:
            chosen = drawn_from(len(games.search_ply), searched, rng)
            parts.append(searched_positions(games, chosen, mixture.game))
        studied = int(count * mixture.study) if self.study else 0
        if self.study and studied:
            parts.append(self.study.sample(studied, rng))
        parts.append(self.drawn(games, count - searched - studied, rng))
        turned = torch.rand(count, generator=rng, device=rng.device) < 0.5
        return joined(parts).rotated(turned)

    def drawn(self, games: Archive, count: int, rng: torch.Generator) -> Positions:
        """Positions of the cool part of games, with no policy."""
        chosen = games.taught[drawn_from(len(games.taught), count, rng)]
        first, last = games.cool_from[chosen], games.length[chosen]
        way = torch.rand(count, generator=rng, device=rng.device) ** self.mixture.early
        return positions_of(games, chosen, first + ((last - first) * way).long())

    def validation(self, count: int) -> Positions | None:
        """At most `count` searched positions of held-out games; the same for the same window."""
        held = self.held_out
        if held is None or len(held.search_ply) == 0:
            return None
        chosen = np.sort(np.random.default_rng(0).permutation(len(held.search_ply))[:count])
        return searched_positions(held, torch.from_numpy(chosen).to(self.device), 0)


def batch_of_positions(positions: Positions) -> Batch:
    """Positions as the network and the losses take them."""
    stones, owner, policy = positions.stones, positions.owner, positions.policy
    return Batch(
        planes=planes_of(stones, SIDE),
        legal=stones == EMPTY,
        policy=policy,
        value=positions.value,
        result=positions.won,
        result_known=positions.result_known,
        owner=(owner == MOVER).float(),
        owner_known=(owner != EMPTY).float(),
        weight=positions.weight,
        policy_weight=positions.weight * (policy.sum(1) > 0),
        # What the value is to be is settled.
        result_share=torch.zeros_like(positions.value),
    )
