"""The network in the whole numbers that the bot computes with: made from a trained one, and run.

This is the reference for the Rust code: the same numbers in, the same logits out, bit by bit.
Everything is int64 here; `Requantize.fit` sees to it that nothing leaves the 32 bits of the bot.
Only the sums of a convolution have 16 bits there, and nothing but their weights keeps them in: one
that would leave them is an error here.
"""

from dataclasses import dataclass

import numpy as np
import torch

from train.model import (
    ACTIVATION_MAX,
    ACTIVATION_STEP,
    INPUT_PLANES,
    TAP_OFFSETS,
    Network,
    Shape,
    is_residual,
    weight_scales,
)

# Logits are in units of 1 / LOGIT_UNITS nat.
LOGIT_UNITS = 256

# A stone as an input, in steps of an activation.
STONE_INPUT = round(1 / ACTIVATION_STEP)

# The sums of a convolution are multiplied by whole multiples of 2 ** -FRACTION_BITS.
FRACTION_BITS = 15
MIN_SCALE, MAX_SCALE = 2.0**-8, 1 - 2.0**-FRACTION_BITS

# A sum with its bias stays within these, and a bias alone within half of them.
INT16 = np.iinfo(np.int16)

# Shifts are tried from this one down; the bot takes 20 at most.
MAX_SHIFT = 20
MAX_MULTIPLIER = 2**16 - 1
MAX_SUM = 2**29 - 1

# An output that never gets this far from its bias, in its own units, loses its weights: they are
# noise without effect, but would take as many bytes as any others.
MIN_OUTPUT_RANGE = 0.1


def quantise(
    weight: torch.Tensor,
    weight_max: int,
    input_max: float = ACTIVATION_MAX,
    min_scale: np.ndarray | float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Returns weights [outputs, …] as whole numbers, and the scale of each output, [outputs].

    A scale is the value of a weight of 1: the smallest with which the largest weight is
    `weight_max`, but at least `min_scale`. Inputs are 0 to `input_max`.
    """
    scales = weight_scales(weight.detach().double(), weight_max)
    least = torch.as_tensor(min_scale).expand(len(scales)).reshape(scales.shape)
    scales = torch.maximum(scales, least)
    quantised = (weight.detach().double() / scales).round().long().numpy()
    scale = scales.flatten().numpy()
    quantised[max_abs_sum(quantised, input_max) * scale < MIN_OUTPUT_RANGE] = 0
    return quantised, scale


def max_abs_sum(weights: np.ndarray, input_max: float) -> np.ndarray:
    """Returns the largest absolute sum of each output, for inputs from 0 to `input_max`."""
    rows = weights.reshape(len(weights), -1)
    up, down = np.maximum(rows, 0).sum(1), np.maximum(-rows, 0).sum(1)
    return np.maximum(up, down) * input_max


@dataclass
class Requantize:
    """Turns sums into outputs: (sum * multiplier + bias) >> shift, rounded to the nearest."""

    shift: int
    multipliers: np.ndarray  # [outputs]
    biases: np.ndarray  # [outputs]

    @staticmethod
    def fit(factors: np.ndarray, biases: np.ndarray, max_sums: np.ndarray) -> "Requantize":
        """Returns the finest scale for output = sum * factor + bias that 32 bits allow.

        All arguments are [outputs], `max_sums` as of `max_abs_sum`. Raises `ValueError` if none
        fits.
        """
        for shift in range(MAX_SHIFT, -1, -1):
            multipliers, added = (
                np.rint(numbers * 2.0**shift).astype(np.int64) for numbers in (factors, biases)
            )
            largest = max_sums * multipliers + np.abs(added) + (1 << shift)
            if largest.max() <= MAX_SUM and multipliers.max() <= MAX_MULTIPLIER:
                return Requantize(shift, multipliers, added)
        raise ValueError(f"outputs up to {np.abs(biases).max()} do not fit 32 bits: train anew")

    def apply(self, sums: np.ndarray) -> np.ndarray:
        """Returns the outputs of sums [..., outputs]."""
        return (sums * self.multipliers + self.biases + ((1 << self.shift) >> 1)) >> self.shift


@dataclass
class Layer:
    """A convolution: (sum + bias) * multiplier >> FRACTION_BITS, rounded to the nearest."""

    weights: np.ndarray  # [outputs, taps, inputs]
    multipliers: np.ndarray  # [outputs]
    biases: np.ndarray  # [outputs]
    # With global pooling: a matrix [outputs, 2 * channels] that makes further biases.
    pool: np.ndarray | None = None
    pool_scale: Requantize | None = None

    def apply(self, x: np.ndarray, padded: np.ndarray, skip: np.ndarray | int) -> np.ndarray:
        """Returns the layer's activations, [batch, side, side, outputs].

        `x` are those of the layer before, `padded` the same as `pad` returns them, and `skip`
        those that a residual block adds, or 0. Raises `ValueError` if a sum leaves 16 bits.
        """
        biases = self.biases
        if self.pool is not None and self.pool_scale is not None:
            of_board = self.pool_scale.apply(global_pool(x) @ self.pool.T)
            biases = (biases + of_board).clip(INT16.min, INT16.max)[:, None, None, :]
        products = convolve(padded, self.weights)
        if (most := np.abs(products).max()) > INT16.max:
            raise ValueError(f"a sum of products is {most} and wraps around in the bot, which has "
                             "16 bits for it: train anew")
        sums = (products + biases).clip(INT16.min, INT16.max)
        scaled = (sums * self.multipliers + (1 << FRACTION_BITS >> 1)) >> FRACTION_BITS
        return (scaled + skip).clip(0, ACTIVATION_MAX)


@dataclass
class QuantisedNetwork:
    """The whole network."""

    shape: Shape
    layers: list[Layer]
    policy: np.ndarray  # [1, taps, channels]
    policy_scale: Requantize
    hidden: np.ndarray  # [hidden, 2 * channels]
    hidden_scale: Requantize
    value: np.ndarray  # [1, hidden]
    value_scale: Requantize

    @staticmethod
    def of(network: Network) -> "QuantisedNetwork":
        """Rounds a trained network; raises `ValueError` if its numbers do not fit the bot's."""
        top = network.shape.weight_max
        layers = [quantised_layer(network, layer) for layer in range(network.shape.layers)]
        nat = ACTIVATION_STEP * LOGIT_UNITS
        policy, policy_scale = quantise(network.heads.weight[:1], top)
        policy_sums = max_abs_sum(policy, ACTIVATION_MAX)
        hidden, hidden_scale = quantise(network.value_hidden.weight, top)
        hidden_bias = network.value_hidden_bias.detach().double().numpy() / ACTIVATION_STEP
        value, value_scale = quantise(network.value.weight, top)
        value_bias = network.value_bias.detach().double().numpy() * LOGIT_UNITS
        return QuantisedNetwork(
            network.shape,
            layers,
            policy,
            Requantize.fit(policy_scale * nat, np.zeros(1), policy_sums),
            hidden,
            Requantize.fit(hidden_scale, hidden_bias, max_abs_sum(hidden, ACTIVATION_MAX)),
            value,
            Requantize.fit(value_scale * nat, value_bias, max_abs_sum(value, ACTIVATION_MAX)),
        )

    def logits(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the value's logits [batch] and the policy's [batch, side, side].

        `planes` are those of `data.planes_of`. Logits are in 1 / LOGIT_UNITS nat, as the player to
        move sees the board.
        """
        x = self.activations(planes)[-1]
        policy = self.policy_scale.apply(convolve(pad(x), self.policy))[..., 0]
        hidden = self.hidden_scale.apply(global_pool(x) @ self.hidden.T).clip(0, ACTIVATION_MAX)
        value = self.value_scale.apply(hidden @ self.value.T)[:, 0]
        return value, policy

    def activations(self, planes: np.ndarray) -> list[np.ndarray]:
        """Returns the activations of each layer, [batch, side, side, channels]."""
        # The input brings its border of stones, later layers get a border of zeros.
        made = [self.layers[0].apply(planes, planes.astype(np.int64) * STONE_INPUT, 0)]
        for index, layer in enumerate(self.layers[1:], 1):
            x, skip = made[-1], made[index - 2] if is_residual(index) else 0
            made.append(layer.apply(x, pad(x), skip))
        return made


def quantised_layer(network: Network, layer: int) -> Layer:
    """Rounds one convolution with its bias and its pooling."""
    top = network.shape.weight_max
    bias = network.biases[layer].detach().double().numpy() / ACTIVATION_STEP
    min_scale = np.maximum(np.abs(bias) / (INT16.max // 2), MIN_SCALE)
    weight = network.convolutions[layer].weight
    input_max = STONE_INPUT if layer == 0 else ACTIVATION_MAX
    weights, scale = quantise(weight, top, input_max, min_scale)
    if scale.max() > MAX_SCALE:
        raise ValueError(
            f"a weight of 1 is worth {scale.max()} in layer {layer}, 1 is too much: train anew"
        )
    multipliers = np.rint(scale * 2**FRACTION_BITS).astype(np.int64)
    biases = np.rint(bias / scale).astype(np.int64)
    if layer not in network.shape.pool:
        return Layer(weights, multipliers, biases)
    matrix, pool_scale = quantise(network.pools[str(layer)].weight, top)
    max_sums = max_abs_sum(matrix, ACTIVATION_MAX)
    requantize = Requantize.fit(pool_scale / scale, np.zeros(len(scale)), max_sums)
    return Layer(weights, multipliers, biases, matrix, requantize)


def pad(x: np.ndarray) -> np.ndarray:
    """Returns activations [batch, side, side, channels] with a border of zeros.

    The result is [batch, channels, side + 2, side + 2].
    """
    return np.pad(x.transpose(0, 3, 1, 2), ((0, 0), (0, 0), (1, 1), (1, 1)))


def convolve(padded: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns sums [batch, side, side, outputs] over the taps of boards as `pad` returns them."""
    side = padded.shape[2] - 2
    sums = np.zeros((len(padded), side, side, len(weights)))
    for tap, (row, column) in enumerate(TAP_OFFSETS):
        part = padded[:, :, 1 + row : 1 + row + side, 1 + column : 1 + column + side]
        # In floating point for speed; exact, because the sums stay far below 2 to the 53.
        sums = sums + part.transpose(0, 2, 3, 1).astype(float) @ weights[:, tap].T.astype(float)
    return sums.astype(np.int64)


def global_pool(x: np.ndarray) -> np.ndarray:
    """Returns mean, rounded down, and maximum of every channel: [batch, 2 * channels]."""
    cells = x.shape[1] * x.shape[2]
    share = (2**16 + cells // 2) // cells
    return np.concatenate([(x.sum((1, 2)) * share) >> 16, x.max((1, 2))], 1)


assert INPUT_PLANES == 2  # the Rust code has the same
