"""Runs that are kept in the repository, the schedule of the rate, the average of the weights."""

import shutil
import unittest
from pathlib import Path

import torch
from torch.utils._pytree import tree_flatten

from train import checkpoint
from train.model import Network, Shape
from train.tests.support import SMALL, Folder, parsed
from train.train import Trainer, moving_average

# The runs that are kept in the repository.
NETS = Path(__file__).parents[1] / "nets"
KEPT_RUN = NETS / "p"


class Kept(Folder):
    def test_every_kept_run_can_be_begun_with(self) -> None:
        kept = sorted(path.parent for path in NETS.glob("*/checkpoint.pt"))
        self.assertIn(KEPT_RUN, kept)
        for run in kept:
            saved = checkpoint.load(run)
            Network(Shape.from_dict(saved["shape"])).warm_start(saved["average"])

    def test_the_kept_run_is_loaded_and_saved_without_loss(self) -> None:
        shutil.copytree(KEPT_RUN, self.folder / "p")
        before = checkpoint.load(KEPT_RUN)
        trainer = Trainer(parsed("--data", self.folder, "--out", self.folder / "p",
                                 "--whole-games", "--layers", "13", "--pool", "4,8"))
        # The only news in the file: fields of the shape that are younger than it.
        before["shape"] = Shape.from_dict(before["shape"]).as_dict()
        trainer.save()
        after = checkpoint.load(self.folder / "p")
        # The version that wrote it counted games, too.
        expected = {name: before[name] for name in after} | {"over": True}
        leaves, tree = tree_flatten(after)
        expected_leaves, expected_tree = tree_flatten(expected)
        self.assertEqual(tree, expected_tree)
        for one, other in zip(leaves, expected_leaves, strict=True):
            is_same = torch.equal(one, other) if isinstance(one, torch.Tensor) else one == other
            self.assertTrue(is_same, (one, other))


class Schedule(Folder):
    def trainer(self, *more: str) -> Trainer:
        return Trainer(parsed("--data", self.folder, "--out", self.folder / "run", *SMALL,
                              "--rate", "1", *more))

    def test_the_rate_rises_stays_and_falls(self) -> None:
        trainer = self.trainer("--steps", "1000", "--cool-down", "0.5", "--warm-up", "40")
        wanted = {0: 1 / 40, 19: 0.5, 39: 1, 500: 1, 750: 0.525, 999: 0.0519}
        for trainer.step, rate in wanted.items():
            self.assertAlmostEqual(trainer.learning_rate(), rate, places=6)

    def test_a_short_run_reaches_its_rate(self) -> None:
        for length in (["--steps", "100"], ["--minutes", "1"]):
            trainer = self.trainer(*length)
            trainer.step, trainer.seconds = 3, 0.03 * 60
            self.assertAlmostEqual(trainer.learning_rate(), 0.6, msg=f"{length}")


class MovingAverage(unittest.TestCase):
    def test_it_soon_forgets_the_beginning_and_then_keeps_what_it_is_told_to(self) -> None:
        shape = Shape(2, 1, (), 5, 1)
        network, wanted = Network(shape), Network(shape)
        average = moving_average(network, 0.3, 0)
        for step in range(6):
            with torch.no_grad():
                for parameter in network.parameters():
                    parameter.normal_()
                # The first average is the first network.
                keep = min(0.3, (1 + step) / (10 + step)) if step else 0.0
                pairs = zip(wanted.parameters(), network.parameters(), strict=True)
                for mine, theirs in pairs:
                    mine.lerp_(theirs, 1 - keep)
            average.update_parameters(network)
            torch.testing.assert_close(average.module.state_dict(), wanted.state_dict())
