"""What several tests need: a folder, small networks and games, and `hex` as a script."""

import contextlib
import io
import signal
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from train.games import Rules, self_play
from train.gumbel import SearchOptions
from train.options import parse
from train.train import TrainingOptions

CPU = torch.device("cpu")

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


def knows_nothing(stones: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Evaluates all moves and players as equal."""
    return torch.zeros(stones.shape), torch.full((len(stones),), 0.5)


def records(games: int, seed: int) -> np.ndarray:
    """Positions of games on 3×3."""
    rules, search = Rules(side=3, random_stones=1), SearchOptions(simulations=4, considered=2)
    return self_play(knows_nothing, games, rules, search, seeded(seed), CPU)
