"""Shards of positions: their format, the replay window over the newest, and batches.

A shard is a file of fixed-size records, little-endian and packed, behind a header of 32 bytes
(`HEADER`). Every record is seen by the player to move, whose goal is to connect top and bottom:
where that is Blue, the board was transposed before it was written.

A window holds the newest shards, newest by name, up to a limit; it only reads them. `Window` has
positions, `archive.GameWindow` whole games, and the learner takes either. Games are held out for
validation by a hash of the shard's name and the game's number: a position is either for learning
or for validation whenever and wherever it is read.
"""

import math
import re
import struct
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

import numpy as np
import torch

from train.checkpoint import RunError
from train.options import POSITIVE, SHARE, WEIGHT, option
from train.preset import SIDES

MAGIC, VERSION = b"HEXSHARD", 1
# magic, version, side, bytes a record, records, seed
HEADER = struct.Struct("<8sIIIIQ")

# Values of a record's fields.
EMPTY, MOVER, OPPONENT = 0, 1, 2
LOST, WON, UNKNOWN = 0, 1, 2
FROM_GAME, FROM_TREE = 0, 1
# `policy` and `value` are stored in units of 1 / FULL.
FULL = 65535

# From this win probability of either side on, a position is decided.
DECIDED = 0.97

# One game in this many is held out for validation.
HOLD_OUT = 50

# At most this many held-out positions per side are validated, this many at a time.
VALIDATION_POSITIONS = 6000
VALIDATION_BATCH = 512


class ShardError(RunError):
    """A shard cannot be read."""


def record_type(side: int) -> np.dtype:
    """Returns the fields of a record on boards of this side: 4 * side * side + 14 bytes."""
    cells = side * side
    return np.dtype(
        [
            ("stones", "u1", cells),  # EMPTY, MOVER or OPPONENT
            ("policy", "<u2", cells),  # shares of the visits of the root's children
            ("owner", "u1", cells),  # whose stone at the end of the game; EMPTY: unknown
            ("value", "<u2"),  # the search's probability that the mover wins
            ("result", "u1"),  # LOST, WON or UNKNOWN
            ("kind", "u1"),  # FROM_GAME or FROM_TREE
            ("visits", "<u4"),  # simulations of the search that gave the targets
            ("game", "<u4"),
            ("ply", "<u2"),  # stones on the board
        ]
    )


@dataclass(frozen=True, kw_only=True)
class SampleOptions:
    """What positions count for in the loss, and how often they come up."""

    result_share: float = option(0.5, "share of results in the value's target", SHARE)
    tree_weight: float = option(
        0.6, "weight of a position of the search tree in the loss", WEIGHT
    )
    decided_weight: float = option(
        0.25, "weight of a position in which one side's win probability is above 97 %", WEIGHT
    )
    # A policy from few simulations follows the priors, which the network knows already.
    half_visits: float = option(
        400.0, "simulations at which a policy's weight is halved", POSITIVE
    )
    policy_power: float = option(
        1.0, "the policy's target is the visits to this power: above 1 it is sharper; not of whole "
        "games", POSITIVE,
    )
    searched: float = option(
        0.5, "share of a batch that was searched; of whole games alone", SHARE
    )
    study: str | None = option(
        None, "positions with win rates of a stronger network; beside whole games alone"
    )
    study_share: float = option(0.05, "their share of a batch", SHARE)


@dataclass
class ShardFile:
    """A shard that a window holds."""

    path: str
    count: int  # of its records, held-out ones included
    size: int  # of what is for learning, in units of the window's limit


@dataclass
class Shard(ShardFile):
    """A shard of positions, mapped into memory."""

    side: int
    records: np.ndarray  # of `record_type(side)`
    learning: np.ndarray  # indices of the records to learn from
    held_out: np.ndarray  # indices of the records for validation


def read_header(path: str) -> tuple[int, int]:
    """Returns the side and the number of records of a shard."""
    size = Path(path).stat().st_size
    with open(path, "rb") as file:
        start = file.read(HEADER.size)
    if len(start) < HEADER.size:
        raise ShardError(f"{path}: {len(start)} bytes, less than a header: delete the file")
    magic, version, side, record_bytes, records, _ = HEADER.unpack(start)
    if magic != MAGIC:
        raise ShardError(f"{path}: not a shard of positions: move it out of the folder")
    if version != VERSION:
        raise ShardError(f"{path}: version {version} instead of {VERSION}: write the shard anew")
    if side not in SIDES or record_bytes != record_type(side).itemsize:
        raise ShardError(f"{path}: records of {record_bytes} bytes on side {side} make no sense")
    whole = (size - HEADER.size) // record_bytes
    if whole < records:
        raise ShardError(f"{path}: {whole} records of {records}: delete the file or write it anew")
    return side, records


def open_shard(path: str) -> Shard:
    """Maps the records of a shard."""
    side, records = read_header(path)
    kind = record_type(side)
    array = np.memmap(path, kind, "r", HEADER.size, (records,)) if records else np.empty(0, kind)
    is_held_out = held_out_games(path, array["game"])
    learning, held_out = np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)
    return Shard(path, records, len(learning), side, array, learning, held_out)


def held_out_games(path: str, numbers: np.ndarray) -> np.ndarray:
    """Returns which games of a shard are held out for validation."""
    salt = zlib.crc32(Path(path).name.encode())
    # Multiplicative hashing, its high bits: game numbers are small and dense.
    mixed = (numbers.astype(np.uint64) + np.uint64(salt)) * np.uint64(0x9E3779B97F4A7C15)
    held_out: np.ndarray = (mixed >> np.uint64(33)) % np.uint64(HOLD_OUT) == 0
    return held_out


def validation_choice(count: int) -> np.ndarray:
    """Returns which of `count` held-out positions are validated: always the same, in order."""
    return np.sort(np.random.default_rng(0).permutation(count)[:VALIDATION_POSITIONS])


def natural_order(path: str) -> list[int | str]:
    """Returns a sort key that puts 9 before 10 in names."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path)]


Kind = TypeVar("Kind", bound=ShardFile)


class ReplayWindow(ABC, Generic[Kind]):
    """The newest shards of some folders, up to a limit, and batches of what is in them."""

    ENDING: ClassVar[str]

    def __init__(
        self, folders: Sequence[str], limit: int, options: SampleOptions, device: torch.device
    ):
        """The limit is in units of the shards' sizes."""
        self.folders, self.limit, self.options, self.device = folders, limit, options, device
        self.shards: list[Kind] = []
        self.reported: set[str] = set()

    @abstractmethod
    def open(self, path: str) -> Kind:
        """Opens a shard; raises `ShardError` if it cannot be read."""

    @abstractmethod
    def batch(self, count: int, rng: np.random.Generator) -> "Batch":
        """Returns `count` positions of one side to learn from, half of them rotated."""

    @abstractmethod
    def held_out(self) -> dict[int, Iterable["Batch"]]:
        """Returns batches of held-out positions by side, the same for the same window."""

    @abstractmethod
    def sizes(self) -> dict[int, int]:
        """Returns how much there is for learning, by side, in units of the limit."""

    def refresh(self) -> None:
        """Adds shards that have appeared, and drops the oldest that no longer fit."""
        known = {shard.path: shard for shard in self.shards}
        chosen: list[Kind] = []
        total = 0
        for path in sorted(self._paths(self.ENDING), key=natural_order, reverse=True):
            shard = known.get(path) or self._open_or_report(path)
            if shard is None:
                continue
            chosen.append(shard)
            total += shard.size
            if total >= self.limit:
                break
        self.shards = chosen[::-1]

    def _paths(self, ending: str) -> list[str]:
        return [str(path) for folder in self.folders for path in Path(folder).rglob("*" + ending)]

    def _open_or_report(self, path: str) -> Kind | None:
        try:
            return self.open(path)
        except ShardError as error:
            if path not in self.reported:
                print(f"left out: {error}", file=sys.stderr)
                self.reported.add(path)
            return None

    def state(self) -> list[tuple[str, int]]:
        """Returns the paths and the numbers of records of the window's shards, for `restore`."""
        return [(shard.path, shard.count) for shard in self.shards]

    def restore(self, state: list[tuple[str, int]]) -> None:
        """Fills the window as it was; raises `ShardError` if a shard is gone or another one."""
        gone = [path for path, _ in state if not Path(path).is_file()]
        if gone:
            raise ShardError(f"{gone[0]} and {len(gone) - 1} more are gone since the last stop")
        self.shards = [self.open(path) for path, _ in state]
        for shard, (path, records) in zip(self.shards, state, strict=True):
            if shard.count != records:
                raise ShardError(f"{path}: {shard.count} records, {records} at the last stop: put "
                                 "the shard of then back, or choose another --out")


class Window(ReplayWindow[Shard]):
    """The newest shards of positions.

    Files are mapped into memory, not read, so a window may be larger than the memory.
    """

    ENDING = ".bin"

    def open(self, path: str) -> Shard:
        return open_shard(path)

    def batch(self, count: int, rng: np.random.Generator) -> "Batch":
        batch = batch_of(self.sample(count, rng), self.options, self.device)
        return batch.rotated(torch.from_numpy(rng.random(count) < 0.5).to(self.device))

    def held_out(self) -> dict[int, Iterable["Batch"]]:
        found: dict[int, Iterable[Batch]] = {}
        for side in self.sizes():
            parts = [shard.records[shard.held_out] for shard in self.shards if shard.side == side]
            records = np.concatenate(parts)
            if len(records):
                chosen = records[validation_choice(len(records))]
                found[side] = [
                    batch_of(chosen[at : at + VALIDATION_BATCH], SampleOptions(), self.device)
                    for at in range(0, len(chosen), VALIDATION_BATCH)
                ]
        return found

    def sizes(self) -> dict[int, int]:
        sizes: dict[int, int] = {}
        for shard in self.shards:
            sizes[shard.side] = sizes.get(shard.side, 0) + len(shard.learning)
        return {side: size for side, size in sorted(sizes.items()) if size > 0}

    def sample(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Returns `count` records drawn evenly from the positions for learning, all of one side.

        The side is drawn first, in proportion to its positions.
        """
        sizes = self.sizes()
        if not sizes:
            there = ", ".join(self.folders)
            cure = "add --whole-games" if self._paths(".games") else "write shards there first"
            raise ShardError(f"no positions in {there}: {cure}")
        shares = np.array(list(sizes.values()), float)
        side = int(rng.choice(list(sizes), p=shares / shares.sum()))
        shards = [shard for shard in self.shards if shard.side == side]
        ends = np.cumsum([len(shard.learning) for shard in shards])
        picks = np.sort(rng.integers(0, ends[-1], count))
        records = np.empty(count, record_type(side))
        starts = np.searchsorted(picks, np.concatenate([[0], ends]))
        for shard, first, last, end in zip(shards, starts[:-1], starts[1:], ends, strict=True):
            if last > first:
                within = picks[first:last] - (end - len(shard.learning))
                records[first:last] = shard.records[shard.learning[within]]
        return records


@dataclass
class Batch:
    """Positions of one side with their targets, as their movers see them; cells = side * side."""

    stones: torch.Tensor  # [batch, cells] EMPTY, MOVER or OPPONENT
    owner: torch.Tensor  # [batch, cells] the same at the end of the game; EMPTY: unknown
    policy: torch.Tensor  # [batch, cells] sums to 1, or to 0 where there is no target
    value: torch.Tensor  # [batch] the search's probability that the mover wins
    result: torch.Tensor  # [batch] 1 won, 0 lost
    result_known: torch.Tensor  # [batch] 1 if the result says something of the position, or 0
    result_share: torch.Tensor  # [batch] share of a known result in the value's target, 0 to 1
    weight: torch.Tensor  # [batch] in the loss
    trust: torch.Tensor  # [batch] factor of the weight for the policy, 0 to 1

    @property
    def planes(self) -> torch.Tensor:
        """The network's input: see `planes_of`."""
        return planes_of(self.stones, math.isqrt(self.stones.shape[1]))

    @property
    def legal(self) -> torch.Tensor:
        """True where a cell is empty, [batch, cells]."""
        return self.stones == EMPTY

    @property
    def policy_weight(self) -> torch.Tensor:
        """The weight of the policy in the loss, [batch]; 0 where there is no target."""
        return self.weight * self.trust * (self.policy.sum(1) > 0)

    def rotated(self, which: torch.Tensor) -> "Batch":
        """Rotates the chosen ones by 180 degrees, in place, which keeps both players' goals."""
        for cells in (self.stones, self.owner, self.policy):
            cells[which] = cells[which].flip(1)
        return self


def planes_of(stones: torch.Tensor, side: int) -> torch.Tensor:
    """Returns the network's input [batch, 2, side + 2, side + 2] for boards [batch, cells].

    Plane 0 has 1 at the mover's stones, plane 1 at the opponent's. Around the board is a border of
    stones: the mover's above and below, the opponent's left and right, no stones in the corners.
    """
    grid = stones.view(-1, side, side)
    planes = torch.zeros(len(grid), 2, side + 2, side + 2, device=stones.device)
    planes[:, 0, 1:-1, 1:-1] = (grid == MOVER).float()
    planes[:, 1, 1:-1, 1:-1] = (grid == OPPONENT).float()
    planes[:, 0, 0, 1:-1] = 1
    planes[:, 0, -1, 1:-1] = 1
    planes[:, 1, 1:-1, 0] = 1
    planes[:, 1, 1:-1, -1] = 1
    return planes


def batch_of(records: np.ndarray, options: SampleOptions, device: torch.device) -> Batch:
    """Returns records of one side as tensors on a device."""

    def tensor(field: str, kind: torch.dtype) -> torch.Tensor:
        array = np.ascontiguousarray(records[field])
        if array.dtype != np.uint8:
            array = array.astype(np.float32)
        return torch.from_numpy(array).to(device, kind)

    policy = (tensor("policy", torch.float32) / FULL) ** options.policy_power
    result = tensor("result", torch.uint8)
    value = tensor("value", torch.float32) / FULL
    weight = torch.ones_like(value)
    weight[tensor("kind", torch.uint8) == FROM_TREE] = options.tree_weight
    weight[torch.maximum(value, 1 - value) > DECIDED] *= options.decided_weight
    visits = tensor("visits", torch.float32)
    return Batch(
        stones=tensor("stones", torch.uint8),
        owner=tensor("owner", torch.uint8),
        policy=policy / policy.sum(1, keepdim=True).clamp(min=1e-9),
        value=value,
        result=(result == WON).float(),
        result_known=(result != UNKNOWN).float(),
        result_share=torch.full_like(value, options.result_share),
        weight=weight,
        trust=visits / (visits + options.half_visits),
    )
