"""Whole games of the policy: the shards' format, the replay window over the newest, batches.

`hex lab selfplay --policy` writes them.

A shard holds columns of numbers, little-endian, behind a header of 44 bytes (`HEADER`);
train/shards.md has the table. A game is its moves in turn, Red's first, cells numbered row by row;
a position is a game and a ply. Some positions were searched. The network sees every position as its
player to move does: where that is Blue, the board is transposed.

The window holds the newest shards up to a number of games, in the memory of the device that learns:
some 100 bytes per game. Batches are drawn there, by a generator of that device.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import torch

from train.data import (
    EMPTY,
    MOVER,
    OPPONENT,
    VALIDATION_BATCH,
    VALIDATION_POSITIONS,
    Batch,
    ReplayWindow,
    ShardError,
    held_out_games,
    planes_of,
)
from train.study import StudyError, cell, read_study

MAGIC = b"HEXGAMES"
VERSION = 2
# magic, version, side, games, moves, searches, moves of variations, candidates, seed
HEADER = struct.Struct("<8sIIIIIIIQ")
EXTENSION = ".games"
SIDE = 11
CELLS = SIDE * SIDE

# Bits of a game's flags.
BLUE_WON, RESIGNED, MISJUDGED = 1, 2, 4

# The weight in the loss of a position beside the game.
VARIATION_WEIGHT = 0.6

# Instead of the ply at which a cell got its stone, for a cell without one.
NO_STONE = 255

Column = TypeVar("Column", torch.Tensor, np.ndarray)


@dataclass
class Games(Generic[Column]):
    """Columns of games and searches: numpy's arrays in a shard, tensors in a window."""

    length: Column  # [games] number of moves
    flags: Column  # [games] bits: BLUE_WON, RESIGNED, MISJUDGED
    cool_from: Column  # [games] first ply from which moves were drawn at a low temperature
    moves: Column  # [moves] cells
    # [moves] Red's win probability before the move, in 1/255: in a shard the network's value, in a
    # window the TD(λ) return (`td_returns`).
    red_wins: Column
    search_game: Column  # [searches] number of the game
    search_ply: Column  # [searches] stones on the board
    search_value: Column  # [searches] the mover's win probability in 1/65535
    search_visits: Column  # [searches] simulations
    variations: Column  # [searches] number of moves from the game to the position, 0 in the game
    candidates: Column  # [searches] number of moves with a share of the visits
    variation: Column  # [moves of variations] cells
    candidate: Column  # [candidates] cells
    share: Column  # [candidates] share of the visits, in 1/255

    def __len__(self) -> int:
        return len(self.length)


class Archive(Games[torch.Tensor]):
    """Games as tensors on one device, with the starts of their spans."""

    def __init__(
        self, parts: list[Games[np.ndarray]], device: torch.device,
        held_out: np.ndarray | None = None,
    ):
        """Joins the games of several shards; `held_out` are [games] true where not to learn."""
        before = np.cumsum([0] + [len(part) for part in parts[:-1]])
        numbers = [part.search_game + offset for part, offset in zip(parts, before, strict=True)]
        for name in COLUMNS:
            columns = numbers if name == "search_game" else [getattr(part, name) for part in parts]
            column = np.concatenate(columns).astype(WIDE.get(name, np.uint8))
            setattr(self, name, torch.from_numpy(column).to(device))
        self.device = device
        self.start = span_starts(self.length)
        self.variation_start = span_starts(self.variations)
        self.candidate_start = span_starts(self.candidates)
        is_held_out = torch.zeros(len(self), dtype=torch.bool, device=device)
        if held_out is not None:
            is_held_out = torch.from_numpy(held_out).to(device)
        # To learn from: games with a position from `cool_from` on, and searches.
        self.learning = torch.nonzero((self.length > self.cool_from) & ~is_held_out).flatten()
        self.searches = torch.nonzero(~is_held_out[self.search_game]).flatten()
        self.held_out_searches = torch.nonzero(is_held_out[self.search_game]).flatten()


COLUMNS = tuple(field.name for field in fields(Games))

# Types of the columns that are no bytes in a window: plies and counts are calculated with.
WIDE = {"search_game": np.int64, "search_value": np.int32, "search_visits": np.int32,
        "length": np.int64, "cool_from": np.int64, "search_ply": np.int64, "variations": np.int64,
        "candidates": np.int64}


def span_starts(lengths: torch.Tensor) -> torch.Tensor:
    """Returns the starts of spans of these lengths that lie one behind the other, [spans]."""
    return lengths.cumsum(0) - lengths


def read_games(path: Path) -> Games[np.ndarray]:
    """Returns the games of a shard; raises `ShardError` if it cannot be read."""
    data = path.read_bytes()
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        raise ShardError(f"{path}: not a shard of games: delete the file")
    _, version, side, games, moves, searches, further, candidates, _ = HEADER.unpack_from(data)
    if version != VERSION or side != SIDE:
        raise ShardError(
            f"{path}: version {version}, side {side}: only {VERSION} and {SIDE} are known"
        )
    columns = {}
    at = HEADER.size
    for name, count, code in (
        ("search_game", searches, "<u4"), ("search_value", searches, "<u2"),
        ("search_visits", searches, "<u2"), ("length", games, "u1"), ("flags", games, "u1"),
        ("cool_from", games, "u1"), ("moves", moves, "u1"), ("red_wins", moves, "u1"),
        ("search_ply", searches, "u1"), ("variations", searches, "u1"),
        ("candidates", searches, "u1"), ("variation", further, "u1"),
        ("candidate", candidates, "u1"), ("share", candidates, "u1"),
    ):
        kind = np.dtype(code)
        if at + count * kind.itemsize > len(data):
            raise ShardError(f"{path}: {len(data)} bytes are too few: delete the file")
        columns[name] = np.frombuffer(data, kind, count, at)
        at += count * kind.itemsize
    return Games(**columns)


def td_returns(games: Games[np.ndarray], decay: float) -> np.ndarray:
    """Returns the TD(λ) return before each move, as Red's win probability in 1/255, [moves].

    λ is `decay`, 0 to 1. The value one ply later has the weight 1 - λ, each further one λ times the
    weight of the one before it, and the result the rest; with 1 it is the result alone. Later
    values vary less from game to game than results do (docs/experiments/archive/mass-games.md).
    """
    ends = games.length.astype(np.int64).cumsum()
    later = (games.flags & BLUE_WON == 0) * 255.0
    returns = np.zeros_like(games.red_wins)
    for back in range(1, int(games.length.max(initial=0)) + 1):
        which = np.flatnonzero(games.length >= back)
        at = ends[which] - back
        returns[at] = later[which].round()
        later[which] = (1 - decay) * games.red_wins[at] + decay * later[which]
    return returns


def spans(starts: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Returns for every element of the spans: its span's number, its index in it and in all."""
    rows = torch.repeat_interleave(torch.arange(len(starts), device=starts.device), lengths)
    within = torch.arange(len(rows), device=starts.device) - span_starts(lengths)[rows]
    return rows, within, starts[rows] + within


@dataclass
class Positions:
    """Positions with targets, as their movers see them."""

    stones: torch.Tensor  # [positions, cells] EMPTY, MOVER or OPPONENT
    owner: torch.Tensor  # [positions, cells] the same at the end of the game
    won: torch.Tensor  # [positions] 1 if the mover won, 0 if not
    value: torch.Tensor  # [positions] the value's target: the mover's win probability
    # [positions] 1 if the rest of the game was played at a low temperature, so that it tells the
    # value, or 0.
    result_known: torch.Tensor
    policy: torch.Tensor  # [positions, cells] sums to 1, or to 0 without a target
    weight: torch.Tensor  # [positions] weight in the loss

    def rotated(self, which: torch.Tensor) -> "Positions":
        """Rotates the chosen ones by 180 degrees, in place, which keeps both players' goals."""
        for cells in (self.stones, self.owner, self.policy):
            cells[which] = cells[which].flip(1)
        return self


def joined(parts: list[Positions]) -> Positions:
    """Returns the positions of several parts as one."""
    names = [field.name for field in fields(Positions)]
    return Positions(**{n: torch.cat([getattr(part, n) for part in parts]) for n in names})


def seen_by_movers(cells: torch.Tensor, plies: torch.Tensor) -> torch.Tensor:
    """Returns boards [positions, cells] with those of Blue, who moves at odd plies, transposed."""
    boards = cells.view(-1, SIDE, SIDE)
    blue = (plies % 2 == 1)[:, None, None]
    return torch.where(blue, boards.transpose(1, 2), boards).reshape(-1, CELLS)


def positions_of(games: Archive, chosen: torch.Tensor, plies: torch.Tensor) -> Positions:
    """Returns the positions of the chosen games after `plies` moves; they have no policy."""
    when = placement_plies(games, chosen)
    is_blue = plies % 2 == 1
    won = ((games.flags[chosen] & BLUE_WON != 0) == is_blue).float()
    # Resigned games end with a position that nothing was played in: its return is the result.
    is_end = plies >= games.length[chosen]
    red_wins = games.red_wins[games.start[chosen] + plies - is_end.long()].float() / 255
    value = torch.where(is_blue, 1 - red_wins, red_wins)
    return Positions(
        stones=stones_of(when.masked_fill(when >= plies[:, None], NO_STONE), plies),
        owner=stones_of(when, plies),
        won=won,
        value=torch.where(is_end, won, value),
        # While moves are drawn at a high temperature, the result tells little of the position.
        result_known=(plies >= games.cool_from[chosen]).float(),
        policy=won.new_zeros(len(chosen), CELLS),
        weight=torch.ones_like(won),
    )


def placement_plies(games: Archive, chosen: torch.Tensor) -> torch.Tensor:
    """Returns the ply at which each cell got its stone, or NO_STONE, [games, cells]."""
    rows, plies, indices = spans(games.start[chosen], games.length[chosen])
    when = torch.full((len(chosen), CELLS), NO_STONE, dtype=torch.uint8, device=games.device)
    when[rows, games.moves[indices].long()] = plies.to(torch.uint8)
    return when


def stones_of(when: torch.Tensor, plies: torch.Tensor) -> torch.Tensor:
    """Returns the boards of all stones placed, as the players to move at `plies` see them."""
    is_own = when % 2 == (plies % 2).to(torch.uint8)[:, None]
    stones = torch.full_like(when, OPPONENT).masked_fill(is_own, MOVER)
    return seen_by_movers(stones.masked_fill(when == NO_STONE, EMPTY), plies)


def searched_positions(games: Archive, chosen: torch.Tensor, game_share: float) -> Positions:
    """Returns the positions of the chosen searches with their policies and values.

    Where it is known, the TD(λ) return of the game has a share of `game_share` in the value.
    """
    numbers, plies = games.search_game[chosen], games.search_ply[chosen]
    positions = positions_of(games, numbers, plies)
    further = games.variations[chosen]
    apply_variations(positions, games, chosen, plies, further)
    search = games.search_value[chosen].float() / 65535
    positions.value = search.lerp(positions.value, game_share * positions.result_known)
    rows, _, indices = spans(games.candidate_start[chosen], games.candidates[chosen])
    policy = positions.policy
    policy[rows, games.candidate[indices].long()] = games.share[indices].float()
    policy = policy / policy.sum(1, keepdim=True).clamp(min=1)
    positions.policy = seen_by_movers(policy, plies + further)
    return positions


def apply_variations(
    positions: Positions, games: Archive, chosen: torch.Tensor, plies: torch.Tensor,
    further: torch.Tensor,
) -> None:
    """Plays the moves of searches beside the game, `further` of them each, in place.

    Results and owners are unknown there.
    """
    which = torch.nonzero(further).flatten()
    plies, further, chosen = plies[which], further[which], chosen[which]
    when = placement_plies(games, games.search_game[chosen])
    when = when.masked_fill(when >= plies[:, None], NO_STONE)
    rows, at, indices = spans(games.variation_start[chosen], further)
    when[rows, games.variation[indices].long()] = (plies[rows] + at).to(torch.uint8)
    positions.stones[which] = stones_of(when, plies + further)
    positions.owner[which] = EMPTY
    positions.result_known[which] = 0
    positions.weight[which] = VARIATION_WEIGHT


class Study:
    """Positions of a study (`train.study`), to learn from.

    Those whose listed priors add up to less than `MIN_LISTED` give no policy.
    """

    MIN_LISTED = 0.7

    def __init__(self, path: Path, device: torch.device):
        lines = list(read_study(path))
        if not lines:
            raise StudyError(f"{path} has no positions")
        moves = [[cell(name) for name in line.moves] for line in lines]
        listed = [[(cell(name), prior) for name, prior in line.priors.items()]
                  if sum(line.priors.values()) >= self.MIN_LISTED else [] for line in lines]
        count = len(lines)
        length = np.array([len(m) for m in moves], np.uint8)
        red = np.array([line.rate for line in lines])
        # Games that end at the position, with an unknown result.
        games: Games[np.ndarray] = Games(
            length=length, flags=np.zeros(count, np.uint8),
            cool_from=np.full(count, NO_STONE, np.uint8),
            moves=np.array([cell for m in moves for cell in m], np.uint8),
            red_wins=np.zeros(int(length.sum()) + 1, np.uint8),
            search_game=np.arange(count), search_ply=length,
            search_value=(np.where(length % 2 == 0, red, 1 - red) * 65535).astype(np.uint16),
            search_visits=np.ones(count, np.uint16),
            variations=np.zeros(count, np.uint8), variation=np.zeros(0, np.uint8),
            candidates=np.array([len(c) for c in listed], np.uint8),
            candidate=np.array([cell for c in listed for cell, _ in c], np.uint8),
            share=np.array([int(p * 255) for c in listed for _, p in c], np.uint8),
        )
        self.games = Archive([games], device)
        # The positions by tenths of the teacher's win probability, those without any left out.
        tenths = np.minimum((red * 10).astype(int), 9)
        members = [np.flatnonzero(tenths == tenth) for tenth in np.unique(tenths)]
        self.by_tenth = torch.from_numpy(np.concatenate(members)).to(device)
        self.tenth_sizes = torch.tensor([len(m) for m in members], device=device)
        self.tenth_starts = self.tenth_sizes.cumsum(0) - self.tenth_sizes

    def sample(self, count: int, rng: torch.Generator) -> Positions:
        """Returns `count` positions: each tenth of win probabilities comes up equally often.

        Most positions of a study are as good as decided; drawn evenly they would teach little.
        """
        tenth = drawn_from(len(self.tenth_sizes), count, rng)
        sizes = self.tenth_sizes[tenth]
        within = (torch.rand(count, generator=rng, device=rng.device) * sizes).long()
        chosen = self.by_tenth[self.tenth_starts[tenth] + within.minimum(sizes - 1)]
        positions = searched_positions(self.games, chosen, 0)
        # The owners at the end of the game are unknown.
        positions.owner[:] = EMPTY
        return positions


def drawn_from(most: int, count: int, rng: torch.Generator) -> torch.Tensor:
    """Returns `count` numbers from 0 to `most` - 1, drawn evenly."""
    return torch.randint(most, (count,), generator=rng, device=rng.device)


@dataclass(frozen=True)
class Mixture:
    """The parts of a batch."""

    searched: float = 0.5  # share of positions with a search's policy and value, 0 to 1
    study: float = 0.05  # share of positions of the study, if there is one, 0 to 1
    game: float = 0.5  # share of the TD(λ) return in the value of searched positions, 0 to 1
    decay: float = 1.0  # λ of `td_returns`, 0 to 1
    # Positions without a search lie at a fraction u ** `early` of the plies from `cool_from` to the
    # end, u drawn evenly from 0 to 1; above 1 early ones are likelier.
    early: float = 1.4

    def __post_init__(self) -> None:
        if self.searched + self.study > 1:
            raise ValueError(f"--searched {self.searched} and --study-share {self.study} are more "
                             "than 1 together")


@dataclass
class GameShard:
    """A shard in memory, its values the TD(λ) returns."""

    path: str
    games: Games[np.ndarray]
    held_out: np.ndarray  # [games] true where not to learn

    def size(self) -> int:
        """Returns the number of games."""
        return len(self.games)

    count = size


class GameWindow(ReplayWindow[GameShard]):
    """The newest shards of whole games, and a study beside them."""

    ENDING = EXTENSION

    def __init__(
        self, folders: Sequence[str], games: int, mixture: Mixture, device: torch.device,
        study: Study | None = None,
    ):
        super().__init__(folders, games)
        self.mixture, self.study, self.device = mixture, study, device
        self.games: Archive | None = None

    def open(self, path: str) -> GameShard:
        games = read_games(Path(path))
        held_out = held_out_games(path, np.arange(len(games)))
        return GameShard(path, replace(games, red_wins=td_returns(games, self.mixture.decay)),
                         held_out)

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
                             np.concatenate(held_out)) if self.shards else None

    def sizes(self) -> dict[int, int]:
        return {SIDE: len(self.games)} if self.games is not None else {}

    def batch(self, count: int, rng: np.random.Generator) -> Batch:
        generator = torch.Generator(self.device)
        generator.manual_seed(int(rng.integers(2**62)))
        return batch_of_positions(self.sample(count, generator))

    def sample(self, count: int, rng: torch.Generator) -> Positions:
        """Returns `count` positions for learning; half of them are rotated."""
        games, mixture = self.games, self.mixture
        if games is None or len(games.learning) == 0:
            raise ShardError(f"no whole games in {', '.join(self.folders)}: let hex lab selfplay "
                             "--policy play some there first")
        parts = []
        searched = int(count * mixture.searched) if len(games.searches) else 0
        if searched:
            chosen = games.searches[drawn_from(len(games.searches), searched, rng)]
            parts.append(searched_positions(games, chosen, mixture.game))
        studied = int(count * mixture.study) if self.study else 0
        if self.study and studied:
            parts.append(self.study.sample(studied, rng))
        parts.append(self.unsearched(games, count - searched - studied, rng))
        turned = torch.rand(count, generator=rng, device=rng.device) < 0.5
        return joined(parts).rotated(turned)

    def unsearched(self, games: Archive, count: int, rng: torch.Generator) -> Positions:
        """Returns positions of games from `cool_from` on, without a policy."""
        chosen = games.learning[drawn_from(len(games.learning), count, rng)]
        first, last = games.cool_from[chosen], games.length[chosen]
        fraction = torch.rand(count, generator=rng, device=rng.device) ** self.mixture.early
        return positions_of(games, chosen, first + ((last - first) * fraction).long())

    def held_out(self) -> dict[int, Iterable[Batch]]:
        if self.games is None or len(self.games.held_out_searches) == 0:
            return {}
        return {SIDE: self._held_out_batches(self.games)}

    @staticmethod
    def _held_out_batches(games: Archive) -> Iterable[Batch]:
        """Yields searched positions of held-out games."""
        held = games.held_out_searches
        chosen = np.random.default_rng(0).permutation(len(held))[:VALIDATION_POSITIONS]
        chosen.sort()
        for part in held[torch.from_numpy(chosen).to(held.device)].split(VALIDATION_BATCH):
            yield batch_of_positions(searched_positions(games, part, 0))


def batch_of_positions(positions: Positions) -> Batch:
    """Returns positions as the network and the losses take them."""
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
        # The value's target has the result in it already.
        result_share=torch.zeros_like(positions.value),
    )
