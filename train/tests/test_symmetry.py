"""Equivariant networks: what holds for them, also once they have learnt."""

import unittest
from typing import cast

import torch

from train import export
from train.model import Network, Shape
from train.train import moving_average

SHAPE = Shape(8, 5, (2,), 5, 4, equivariant=True)


def turned(planes: torch.Tensor) -> torch.Tensor:
    """Returns boards half a turn on."""
    return planes.flip(2, 3)


def planes_of(count: int) -> torch.Tensor:
    """Returns planes of random positions of 5×5."""
    return torch.from_numpy(export.random_planes(5, count, seed=4))


class Equivariant(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(5)
        self.network = Network(SHAPE)

    def assert_turns(self, network: Network, planes: torch.Tensor) -> None:
        """Asserts that turned planes get the same value and turned policies."""
        output, of_turned = network(planes), network(turned(planes))
        torch.testing.assert_close(of_turned.value, output.value)
        for ours, theirs in ((of_turned.policy, output.policy), (of_turned.owner, output.owner)):
            torch.testing.assert_close(ours, theirs.flip(1))
        difference = (output.policy - output.policy.flip(1)).detach().abs()
        self.assertGreater(float(difference.max()), 0.01)

    def test_half_a_turn_turns_the_answers_before_and_after_learning(self) -> None:
        average = moving_average(self.network, 0.9, 0)
        optimiser = torch.optim.AdamW(self.network.parameters(), lr=1e-2)
        planes = planes_of(6)
        before = self.network.convolutions[3].weight.detach().clone()
        self.assert_turns(self.network, planes)
        for _ in range(3):
            output = self.network(planes)
            optimiser.zero_grad()
            # What no equivariant network can learn: another value for each view.
            (output.value[:3].sum() + output.policy[:, :7].sum()).backward()
            optimiser.step()
            average.update_parameters(self.network)
        self.assert_turns(self.network, planes)
        self.assert_turns(cast(Network, average.module), planes)
        self.assertFalse(torch.equal(before, self.network.convolutions[3].weight))

    def test_added_blocks_and_channels_are_twins_too(self) -> None:
        for shape in (Shape(8, 7, (2,), 5, 4, True), Shape(16, 5, (2,), 5, 4, True)):
            grown = Network(shape)
            grown.warm_start(self.network.state_dict())
            self.assert_turns(grown, planes_of(6))

    def test_weights_that_are_no_twins_are_refused(self) -> None:
        other = Network(Shape(8, 5, (2,), 5, 4))
        with self.assertRaisesRegex(ValueError, "not equivariant"):
            self.network.warm_start(other.state_dict())
        with self.assertRaisesRegex(ValueError, "9 channels cannot be twins"):
            Shape(9, 5, (2,), 5, 4, equivariant=True)


if __name__ == "__main__":
    unittest.main()
