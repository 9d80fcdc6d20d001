"""What several tests need: a folder, small networks and games, and `hex` as a script."""

import contextlib
import io
import os
import shutil
import signal
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from train import checkpoint, data
from train.options import parse
from train.train import TrainingOptions

CPU = torch.device("cpu")

ROOT = checkpoint.ROOT
HEX = os.environ.get("HEXBOT_HEX", str(ROOT / "target/release/hex"))


def program(test: unittest.TestCase) -> str:
    """Returns the program `hex`; without it the test is skipped, or fails with HEX_IF_MISSING."""
    if not shutil.which(HEX):
        if os.environ.get("HEX_IF_MISSING") == "fail":
            raise AssertionError(f"missing: {HEX}; or set HEX_IF_MISSING=skip")
        test.skipTest(f"{HEX} is missing: cargo build --release -p hex-cli")
    return HEX


# The options of a small network that learns.
SMALL = ["--channels", "16", "--layers", "3", "--pool", "1", "--hidden", "4", "--batch", "16",
         "--threads", "1", "--device", "cpu"]

# A preset of a small network's two generations.
SMALL_RUN = """
[[stage]]
side = 3
generations = 2
steps = 2
[play]
shards = 1
games = 8
[learn]
channels = 16
layers = 3
pool = [1]
hidden = 4
batch = 16
threads = 1
device = "cpu"
[gate]
games = 2
"""


class Folder(unittest.TestCase):
    """A test with a folder of its own, in which nothing is printed."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        self.errors = self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        # Commands change what Ctrl-C and SIGTERM do.
        for kind in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signal.signal, kind, signal.getsignal(kind))

    def preset(self, text: str = SMALL_RUN) -> str:
        """Writes a preset in the folder; returns its path."""
        path = self.folder / "small.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def script(self, text: str) -> str:
        """Writes a program in the folder; returns its path."""
        path = self.folder / "a-program"
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)


def parsed(*words: object) -> TrainingOptions:
    """Returns the options of `train.train`."""
    return parse(TrainingOptions, "train.train", None, [str(word) for word in words])


def seeded(seed: int) -> torch.Generator:
    """Returns a generator of random numbers."""
    return torch.Generator().manual_seed(seed)


def records(games: int, seed: int) -> np.ndarray:
    """Positions of random games on 3×3, with random targets."""
    rng = np.random.default_rng(seed)
    return np.concatenate([game_of(number, rng) for number in range(games)])


def game_of(number: int, rng: np.random.Generator) -> np.ndarray:
    """The positions of one game, each as its mover sees it."""
    cells, is_won = rng.permutation(9)[: rng.integers(6, 9)], bool(rng.integers(2))
    game = np.zeros(len(cells), data.record_type(3))
    for ply, record in enumerate(game):
        colours = np.where(np.arange(len(cells)) % 2 == ply % 2, data.MOVER, data.OPPONENT)
        boards = np.zeros((2, 3, 3), np.uint8)  # now, and at the end
        for board, count in zip(boards, (ply, len(cells)), strict=True):
            board.reshape(9)[cells[:count]] = colours[:count]
        if ply % 2:
            boards = boards.transpose(0, 2, 1)
        record["stones"], record["owner"] = boards.reshape(2, 9)
        shares = rng.random(9) * (record["stones"] == data.EMPTY)
        record["policy"] = np.rint(shares / shares.sum() * data.FULL)
        record["value"] = rng.integers(data.FULL)
        record["result"] = data.WON if is_won == (ply % 2 == 0) else data.LOST
        record["kind"], record["visits"] = data.FROM_GAME, 4
        record["game"], record["ply"] = number, ply
    return game


def write_shard(path: Path, positions: np.ndarray) -> None:
    """Writes a shard of 3×3 as `hex lab selfplay` does."""
    header = data.HEADER.pack(data.MAGIC, data.VERSION, 3, positions.itemsize, len(positions), 7)
    checkpoint.write(path, header + positions.tobytes())
