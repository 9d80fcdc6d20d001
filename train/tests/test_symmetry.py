"""Equivariant networks: what holds for them, also once they have learnt, and in their files."""

import unittest
from collections.abc import Iterable
from typing import cast

import numpy as np
import torch

from train import export
from train.integers import QuantisedNetwork
from train.model import Network, Shape
from train.packing import pack
from train.pairing import matching_of_twins, paired
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


class ExportedTwins(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(3)
        self.shape = Shape(16, 5, (2,), 5, 8, equivariant=True)
        self.quantised = QuantisedNetwork.of(Network(self.shape).eval())

    def twins_of(self, network: QuantisedNetwork) -> Iterable[tuple[np.ndarray, np.ndarray]]:
        """Yields weights as they are, and as the bot makes those of the second half."""
        for layer in network.layers[1:]:
            weights = layer.weights[:, (4, 5, 3, 0, 6, 2, 1)].reshape(16, -1)
            yield weights[8:], weights[:8][::-1, ::-1]
            if layer.pool is not None:
                yield layer.pool[8:], np.roll(layer.pool[:8][::-1, ::-1], 16, axis=1)

    def test_the_second_half_follows_from_the_first_also_in_another_order(self) -> None:
        ordered = paired(self.quantised, export.random_planes(5, 40, seed=4))
        for network in (self.quantised, ordered):
            for weights, expected in self.twins_of(network):
                np.testing.assert_array_equal(weights, expected)
        planes = export.random_planes(11, 8, seed=5)
        pairs = zip(self.quantised.logits(planes), ordered.logits(planes), strict=True)
        for one, other in pairs:
            np.testing.assert_array_equal(one, other)

    def test_a_file_has_half_of_the_weights(self) -> None:
        whole = QuantisedNetwork.of(Network(Shape(16, 5, (2,), 5, 8)).eval())
        shares = len(pack(self.quantised)) / len(pack(whole))
        weights = self.shape.weights() / Shape(16, 5, (2,), 5, 8).weights()
        self.assertAlmostEqual(shares, weights, delta=0.03)
        self.assertLess(weights, 0.6)

    def test_pairs_may_be_of_one_channel_and_the_twin_of_another(self) -> None:
        weights = np.zeros((8, 8))
        for one, other in ((0, 6), (2, 3)):
            for a, b in ((one, other), (7 - one, 7 - other)):
                weights[a, b] = weights[b, a] = 1
        order = matching_of_twins(weights)
        self.assertEqual(sorted(order), list(range(8)))
        np.testing.assert_array_equal(order[::-1], 7 - order)
        self.assertEqual(sum(weights[a, b] for a, b in order.reshape(-1, 2)), 4)


if __name__ == "__main__":
    unittest.main()
