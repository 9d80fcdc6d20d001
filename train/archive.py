"""Whole games of the policy: the shards' format, the replay window over the newest, batches.

`hex lab selfplay --policy` writes them.

A shard holds columns of numbers, little-endian, behind a header of 44 bytes (`HEADER`); `Games` has
them in the order of the file, and train/shards.md explains them. A game is its moves in turn, Red's
first, cells numbered row by row; a position is a game and a ply. Some positions were searched. The
network sees every position as its player to move does: where that is Blue, the board is transposed.

The window holds the newest shards up to a number of games, in the memory of the device that learns:
some 100 bytes per game. Batches are drawn there, by a generator of that device.
"""

import itertools
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np
import torch
from torch import Tensor

from train.data import (
    EMPTY,
    MOVER,
    OPPONENT,
    VALIDATION_BATCH,
    Batch,
    ReplayWindow,
    SampleOptions,
    ShardError,
    ShardFile,
    held_out_games,
    validation_choice,
)
from train.study import StudyError, cell, read_study

MAGIC = b"HEXGAMES"
VERSION = 2
# magic, version, side, the lengths of `LENGTHS`, seed
HEADER = struct.Struct("<8sIIIIIIIQ")
# What columns have a number for each of.
LENGTHS = ("game", "move", "search", "further move", "candidate")
SIDE = 11
CELLS = SIDE * SIDE

# A bit of a game's flags; nobody needs the others.
BLUE_WON = 1

# The weight in the loss of a position beside the game.
VARIATION_WEIGHT = 0.6

# Positions without a search lie at a fraction u ** EARLY of the plies from `cool_from` to the end,
# u drawn evenly from 0 to 1: early ones are likelier.
EARLY = 1.4

# Instead of the ply at which a cell got its stone, for a cell without one.
NO_STONE = 255
assert NO_STONE > CELLS


class Column(NamedTuple):
    """What a column has numbers of, and their types: plies and counts are calculated with."""

    of: str  # one of LENGTHS
    in_file: str
    in_memory: type[np.integer[Any]] = np.uint8


@dataclass
class Games:
    """Games and searches, in columns; moves of a game, a variation, a search lie side by side."""

    search_game: Annotated[Tensor, Column("search", "<u4", np.int64)]  # number of the game
    # The mover's win probability in 1/65535.
    search_value: Annotated[Tensor, Column("search", "<u2", np.int32)]
    search_visits: Annotated[Tensor, Column("search", "<u2", np.int32)]  # simulations
    length: Annotated[Tensor, Column("game", "u1", np.int64)]  # number of moves
    flags: Annotated[Tensor, Column("game", "u1")]
    # The first ply from which moves were drawn at a low temperature.
    cool_from: Annotated[Tensor, Column("game", "u1", np.int64)]
    moves: Annotated[Tensor, Column("move", "u1")]  # cells
    # Red's win probability before the move, in 1/255, as the network saw it.
    red_wins: Annotated[Tensor, Column("move", "u1")]
    search_ply: Annotated[Tensor, Column("search", "u1", np.int64)]  # stones on the board
    # Number of moves from the game to the position, 0 in the game.
    variations: Annotated[Tensor, Column("search", "u1", np.int64)]
    # Number of moves with a share of the visits.
    candidates: Annotated[Tensor, Column("search", "u1", np.int64)]
    variation: Annotated[Tensor, Column("further move", "u1")]  # cells
    candidate: Annotated[Tensor, Column("candidate", "u1")]  # cells
    share: Annotated[Tensor, Column("candidate", "u1")]  # of the visits, in 1/255

    def __len__(self) -> int:
        return len(self.length)


COLUMNS: dict[str, Column] = {
    name: kind.__metadata__[0] for name, kind in get_type_hints(Games, include_extras=True).items()
}


class Archive(Games):
    """The games of several shards on one device, with the starts of their spans."""

    def __init__(
        self, parts: Sequence[Games], device: torch.device, held_out: Tensor | None = None
    ):
        """Joins the games; `held_out` are [games] true where not to learn."""
        before = itertools.accumulate(map(len, parts), initial=0)
        parts = [replace(part, search_game=part.search_game + offset)
                 for part, offset in zip(parts, before, strict=False)]
        joined = (torch.cat([getattr(part, name) for part in parts]) for name in COLUMNS)
        super().__init__(*(values.to(device) for values in joined))
        self.device = device
        self.start = span_starts(self.length)
        self.variation_start = span_starts(self.variations)
        self.candidate_start = span_starts(self.candidates)
        held = torch.zeros(len(self), dtype=torch.bool) if held_out is None else held_out
        held = held.to(device)
        # To learn from: games with a position from `cool_from` on, and searches.
        self.learning = torch.nonzero((self.length > self.cool_from) & ~held).flatten()
        self.searches = torch.nonzero(~held[self.search_game]).flatten()
        self.held_out_searches = torch.nonzero(held[self.search_game]).flatten()


def span_starts(lengths: Tensor) -> Tensor:
    """Returns the starts of spans of these lengths that lie one behind the other, [spans]."""
    return lengths.cumsum(0) - lengths


def read_games(path: Path) -> Games:
    """Returns the games of a shard; raises `ShardError` if it cannot be read."""
    data = path.read_bytes()
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        raise ShardError(f"{path}: not a shard of games: delete the file")
    _, version, side, *lengths, _ = HEADER.unpack_from(data)
    if version != VERSION or side != SIDE:
        raise ShardError(
            f"{path}: version {version}, side {side}: only {VERSION} and {SIDE} are known"
        )
    count = dict(zip(LENGTHS, lengths, strict=True))
    layout = np.dtype([(name, kind.in_file, (count[kind.of],)) for name, kind in COLUMNS.items()])
    if len(data) < HEADER.size + layout.itemsize:
        raise ShardError(f"{path}: {len(data)} bytes are too few: delete the file")
    read = np.ndarray((), layout, data, HEADER.size)
    return Games(*(torch.from_numpy(read[name].astype(kind.in_memory))
                   for name, kind in COLUMNS.items()))


def spans(starts: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
    """Returns for every element of the spans: its span's number, its index in it and in all."""
    rows = torch.repeat_interleave(torch.arange(len(starts), device=starts.device), lengths)
    within = torch.arange(len(rows), device=starts.device) - span_starts(lengths)[rows]
    return rows, within, starts[rows] + within


def joined(parts: list[Batch]) -> Batch:
    """Returns the positions of several parts as one."""
    names = [declared.name for declared in fields(Batch)]
    return Batch(*(torch.cat([getattr(part, name) for part in parts]) for name in names))


def seen_by_movers(cells: Tensor, is_blue: Tensor) -> Tensor:
    """Returns boards [positions, cells], transposed where Blue is to move."""
    boards = cells.view(-1, SIDE, SIDE)
    return torch.where(is_blue[:, None, None], boards.mT, boards).reshape(-1, CELLS)


def positions_of(
    games: Archive, chosen: Tensor, plies: Tensor, searches: Tensor | None = None
) -> Batch:
    """Returns the positions of the chosen games after `plies` moves, valued by the results alone.

    With `searches` they are those of the searches; some lie further moves beside the game:
    results and owners are unknown there.
    """
    final = placement_plies(games, chosen)
    when = final.masked_fill(final >= plies[:, None], NO_STONE)
    further = torch.zeros_like(plies) if searches is None else games.variations[searches]
    if searches is not None:
        rows, at, indices = spans(games.variation_start[searches], further)
        when[rows, games.variation[indices].long()] = (plies[rows] + at).to(torch.uint8)
    is_beside = further > 0
    is_blue = (plies + further) % 2 == 1
    won = ((games.flags[chosen] & BLUE_WON != 0) == is_blue).float()
    return Batch(
        stones=stones_of(when, is_blue),
        owner=stones_of(final, is_blue).masked_fill(is_beside[:, None], EMPTY),
        value=won,
        result=won,
        result_share=torch.zeros_like(won),
        # While moves are drawn at a high temperature, the result tells little of the position.
        result_known=(~is_beside & (plies >= games.cool_from[chosen])).float(),
        policy=won.new_zeros(len(chosen), CELLS),
        weight=torch.where(is_beside, VARIATION_WEIGHT, torch.ones_like(won)),
        trust=torch.ones_like(won),
    )


def placement_plies(games: Archive, chosen: Tensor) -> Tensor:
    """Returns the ply at which each cell got its stone, or NO_STONE, [games, cells]."""
    rows, plies, indices = spans(games.start[chosen], games.length[chosen])
    when = torch.full((len(chosen), CELLS), NO_STONE, dtype=torch.uint8, device=games.device)
    when[rows, games.moves[indices].long()] = plies.to(torch.uint8)
    return when


def stones_of(when: Tensor, is_blue: Tensor) -> Tensor:
    """Returns the boards of all stones placed, as the players to move see them."""
    is_own = when % 2 == is_blue[:, None]
    stones = torch.full_like(when, OPPONENT).masked_fill(is_own, MOVER)
    return seen_by_movers(stones.masked_fill(when == NO_STONE, EMPTY), is_blue)


def searched_positions(games: Archive, chosen: Tensor, result_share: float) -> Batch:
    """Returns the positions of the chosen searches with their policies and values.

    `result_share` is the share of a known result in the value's target.
    """
    numbers, plies = games.search_game[chosen], games.search_ply[chosen]
    positions = positions_of(games, numbers, plies, chosen)
    positions.value = games.search_value[chosen].float() / 65535
    positions.result_share[:] = result_share
    rows, _, indices = spans(games.candidate_start[chosen], games.candidates[chosen])
    policy = positions.policy
    policy[rows, games.candidate[indices].long()] = games.share[indices].float()
    policy = policy / policy.sum(1, keepdim=True).clamp(min=1)
    positions.policy = seen_by_movers(policy, (plies + games.variations[chosen]) % 2 == 1)
    return positions


class Study:
    """Positions of a study (`train.study`), to learn from.

    Those whose listed priors add up to less than `MIN_LISTED` give no policy.
    """

    MIN_LISTED = 0.7

    def __init__(self, path: Path, device: torch.device):
        lines = list(read_study(path))
        if not lines:
            raise StudyError(f"{path} has no positions")
        listed = [line.priors if sum(line.priors.values()) >= self.MIN_LISTED else {}
                  for line in lines]
        length = torch.tensor([len(line.moves) for line in lines])
        red = torch.tensor([line.rate for line in lines], dtype=torch.double)
        none = torch.zeros_like(length)
        # Games that end at the position, with an unknown result.
        games = Games(
            length=length, flags=none.byte(), cool_from=none + NO_STONE,
            moves=torch.tensor([cell(name) for line in lines for name in line.moves]).byte(),
            red_wins=torch.zeros(int(length.sum()), dtype=torch.uint8),
            search_game=torch.arange(len(lines)), search_ply=length,
            search_value=(torch.where(length % 2 == 0, red, 1 - red) * 65535).int(),
            search_visits=none.int() + 1, variations=none, variation=none[:0].byte(),
            candidates=torch.tensor([len(priors) for priors in listed]),
            candidate=torch.tensor([cell(name) for priors in listed for name in priors]).byte(),
            share=torch.tensor([255 * p for priors in listed for p in priors.values()]).byte(),
        )
        self.games = Archive([games], device)
        # Each tenth of win probabilities that is there at all comes up equally often: most
        # positions of a study are as good as decided; drawn evenly they would teach little.
        tenths = (red * 10).long().clamp(max=9)
        self.chances = (1 / tenths.bincount()[tenths]).to(device)

    def sample(self, count: int, rng: torch.Generator) -> Batch:
        """Returns `count` positions, in time proportional to the size of the study."""
        chosen = self.chances.multinomial(count, replacement=True, generator=rng)
        positions = searched_positions(self.games, chosen, 0)
        # The owners at the end of the game are unknown.
        positions.owner[:] = EMPTY
        return positions


def drawn_from(most: int, count: int, rng: torch.Generator) -> Tensor:
    """Returns `count` numbers from 0 to `most` - 1, drawn evenly."""
    return torch.randint(most, (count,), generator=rng, device=rng.device)


@dataclass
class GameShard(ShardFile):
    """A shard in memory."""

    games: Games
    held_out: Tensor  # [games] true where not to learn


class GameWindow(ReplayWindow[GameShard]):
    """The newest shards of whole games, and a study beside them."""

    ENDING = ".games"

    def __init__(
        self, folders: Sequence[str], limit: int, options: SampleOptions, device: torch.device
    ):
        super().__init__(folders, limit, options, device)
        self.study = Study(Path(options.study), device) if options.study else None
        self.study_share = options.study_share if self.study else 0.0
        if options.searched + self.study_share > 1:
            raise ShardError(f"--searched {options.searched} and --study-share {self.study_share} "
                             "are more than 1 together")
        self.games: Archive | None = None

    def open(self, path: str) -> GameShard:
        games = read_games(Path(path))
        held_out = torch.from_numpy(held_out_games(path, np.arange(len(games))))
        return GameShard(path, len(games), len(games), games, held_out)

    def refresh(self) -> None:
        before = self.state()
        super().refresh()
        if self.state() != before:
            self._join()

    def restore(self, state: list[tuple[str, int]]) -> None:
        super().restore(state)
        self._join()

    def _join(self) -> None:
        held_out = [shard.held_out for shard in self.shards]
        self.games = Archive([shard.games for shard in self.shards], self.device,
                             torch.cat(held_out)) if self.shards else None

    def sizes(self) -> dict[int, int]:
        return {SIDE: len(self.games)} if self.games is not None else {}

    def batch(self, count: int, rng: np.random.Generator) -> Batch:
        generator = torch.Generator(self.device)
        generator.manual_seed(int(rng.integers(2**62)))
        games, options = self.games, self.options
        if games is None or len(games.learning) == 0:
            raise ShardError(f"no whole games in {', '.join(self.folders)}: let hex lab selfplay "
                             "--policy play some there first")
        parts = []
        searched = int(count * options.searched) if len(games.searches) else 0
        if searched:
            chosen = games.searches[drawn_from(len(games.searches), searched, generator)]
            parts.append(searched_positions(games, chosen, options.result_share))
        studied = int(count * self.study_share)
        if self.study and studied:
            parts.append(self.study.sample(studied, generator))
        parts.append(self.unsearched(games, count - searched - studied, generator))
        turned = torch.rand(count, generator=generator, device=self.device) < 0.5
        return joined(parts).rotated(turned)

    def unsearched(self, games: Archive, count: int, rng: torch.Generator) -> Batch:
        """Returns positions of games from `cool_from` on, without a policy."""
        chosen = games.learning[drawn_from(len(games.learning), count, rng)]
        first, last = games.cool_from[chosen], games.length[chosen]
        fraction = torch.rand(count, generator=rng, device=rng.device) ** EARLY
        return positions_of(games, chosen, first + ((last - first) * fraction).long())

    def held_out(self) -> dict[int, Iterable[Batch]]:
        games = self.games
        if games is None or len(games.held_out_searches) == 0:
            return {}
        held = games.held_out_searches
        chosen = held[torch.from_numpy(validation_choice(len(held))).to(held.device)]
        return {SIDE: (searched_positions(games, part, 0)
                       for part in chosen.split(VALIDATION_BATCH))}
