"""Weights of a network whose answers turn with the board.

Half a turn of a Hex board changes nothing for its players. An equivariant network says the same of
both views of a position: the channels of a layer are twins, c and C − 1 − c, and what one of them
finds in a position, the other one finds in the turned position (Cohen, Welling, *Group equivariant
convolutional networks*, ICML 2016, arXiv 1602.07576). So half of the weights follow from the
others: a twin's weights are the same ones for opposite taps and for the inputs' twins.
"""

from collections.abc import Callable
from functools import partial

import torch

Turn = Callable[[torch.Tensor], torch.Tensor]


def turned_convolution(
    weight: torch.Tensor, opposite: list[int], outputs: bool, inputs: bool
) -> torch.Tensor:
    """Returns weights [outputs, taps, inputs] half a turn on.

    `opposite` has the opposite of each tap; `outputs` and `inputs` tell whether these are twins, or
    each its own, as planes and heads are.
    """
    twins = [dimension for dimension, are in ((0, outputs), (2, inputs)) if are]
    return weight[:, opposite].flip(twins)


def turned_pooling(weight: torch.Tensor, outputs: bool) -> torch.Tensor:
    """Returns weights [outputs, means and maxima of all channels] half a turn on."""
    twins = (0, 2) if outputs else (2,)
    halves = torch.stack(weight.chunk(2, 1), 1)
    return halves.flip(twins).flatten(1)


def turned_bias(bias: torch.Tensor) -> torch.Tensor:
    """Returns biases [outputs] half a turn on."""
    return bias.flip(0)


def mean_with_turned(weight: torch.Tensor, turn: Turn) -> torch.Tensor:
    """Returns the weights next to `weight` that half a turn does not change."""
    return (weight + turn(weight)) / 2


def tie(weight: torch.nn.Parameter, turn: Turn) -> None:
    """Makes weights that were drawn independently equivariant, and keeps them so as they learn.

    Their spread stays the same. Gradients become equivariant too, so that an optimiser that treats
    all weights alike takes equal steps with those that are tied.
    """
    with torch.no_grad():
        weight.copy_(mean_with_turned(weight, turn) * 2**0.5)
    weight.register_hook(partial(mean_with_turned, turn=turn))
