"""Checkpoints of earlier versions go on without loss.

tests/data/resumed is a tiny run of the version before PyTorch's own schedule and average: its
checkpoint after 6 of 12 steps, its shard, and in expected.pt what that version made of four more
steps, its weights flattened into one vector.
"""

import shutil
import unittest
from pathlib import Path
from unittest import mock

import torch
from torch.utils._pytree import tree_flatten

from train import checkpoint, train
from train.data import ShardError, write_shard
from train.model import Network, Shape
from train.tests.support import SMALL, Folder, parsed
from train.train import Trainer, moving_average

HERE = Path(__file__).parent
RESUMED = HERE / "data" / "resumed"

# The runs that are kept in the repository.
KEPT_RUNS = sorted(path.parent for path in (HERE.parent / "nets").glob("*/checkpoint.pt"))
KEPT_RUN = HERE.parent / "nets" / "p"

OPTIONS = ["--steps", "12", "--rate", "0.3", "--cool-down", "0.6", "--batch", "16", "--no-bf16",
           "--device", "cpu", "--l1-weight", "0.05", "--activity-weight", "0.02"]


def flat(weights: dict[str, torch.Tensor]) -> torch.Tensor:
    """Returns all weights as one vector."""
    return torch.cat([values.flatten() for values in weights.values()])


class Resumed(Folder):
    def setUp(self) -> None:
        super().setUp()
        # That version's rate rose over 300 steps in a run of any length.
        self.enterContext(mock.patch.object(train, "WARM_UP_SHARE", 1e9))
        self.shard = self.folder / "000000.bin"
        shutil.copy(RESUMED / "000000.bin", self.shard)
        saved = checkpoint.load(RESUMED)
        saved["window"] = [(str(self.shard), 139)]
        checkpoint.save(self.folder / "run", saved)

    def trainer(self, *more: str) -> Trainer:
        """Returns the run of the earlier version, resumed."""
        words = ["--data", self.folder, "--out", self.folder / "run", *OPTIONS, *more]
        return Trainer(parsed(*words))

    def test_a_run_of_the_earlier_version_goes_on_as_it_would_have(self) -> None:
        trainer, expected = self.trainer(), torch.load(RESUMED / "expected.pt", weights_only=True)
        self.assertEqual(trainer.step, 6)
        for _ in range(4):
            rate = trainer.learning_rate()
            trainer.learn()
        self.assertAlmostEqual(rate, expected["rate"], places=12)
        weights = {"network": trainer.network.state_dict(), "average": trainer.averaged_weights()}
        for name, state in weights.items():
            before = flat(checkpoint.load(RESUMED)[name])
            self.assertGreater(float((expected[name] - before).abs().max()), 1e-3)
            torch.testing.assert_close(flat(state), expected[name], rtol=1e-4, atol=1e-5)

    def test_another_shard_in_the_place_of_one_is_told(self) -> None:
        shard = self.trainer().window.shards[0]
        write_shard(self.shard, shard.side, shard.records[:100], seed=1)
        with self.assertRaisesRegex(ShardError, "000000.bin: 100 records, 139 at the last stop"):
            self.trainer()

    def test_the_rate_asked_for_today_counts(self) -> None:
        rates = []
        for trainer in (self.trainer(), self.trainer("--rate", "0.03")):
            trainer.learn()
            rates += [group["lr"] for group in trainer.optimiser.param_groups]
        self.assertAlmostEqual(rates[0] / rates[1], 10, places=6)


class Kept(Folder):
    def test_every_kept_run_can_be_begun_with(self) -> None:
        self.assertIn(KEPT_RUN, KEPT_RUNS)
        for run in KEPT_RUNS:
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
