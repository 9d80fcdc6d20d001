"""The network in the whole numbers that the bot computes with: made from a trained one, and run.

This is the reference for the Rust code: the same numbers in, the same logits out, bit by bit.
Everything is int64 here; `Matrix.of` sees to it that nothing leaves the 32 bits of the bot.
Only the sums of a convolution have 16 bits there, and nothing but their weights keeps them in:
`QuantisedNetwork.of` sees to it on sample positions, and a sum that would leave them is an error.
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

# Weights become coarser by this factor, again and again, until no sum leaves 16 bits.
COARSER = 1.25

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
class Matrix:
    """Weights whose sums become outputs: (sum * multiplier + bias) >> shift, to the nearest."""

    weights: np.ndarray  # [outputs, inputs], or of a convolution [outputs, taps, inputs]
    shift: int
    multipliers: np.ndarray  # [outputs]
    biases: np.ndarray  # [outputs]

    @staticmethod
    def of(
        weight: torch.Tensor, weight_max: int, unit: float | np.ndarray = 1.0,
        biases: np.ndarray | None = None,
    ) -> "Matrix":
        """Rounds weights in the finest scale for output = sum / unit + bias that 32 bits allow.

        `unit` is that of the outputs, one or [outputs]. Raises `ValueError` if no scale fits.
        """
        weights, scale = quantise(weight, weight_max)
        biases = np.zeros(len(scale)) if biases is None else biases
        max_sums = max_abs_sum(weights, ACTIVATION_MAX)
        for shift in range(MAX_SHIFT, -1, -1):
            multipliers, added = (np.rint(numbers * 2.0**shift).astype(np.int64)
                                  for numbers in (scale / unit, biases))
            largest = max_sums * multipliers + np.abs(added) + (1 << shift)
            if largest.max() <= MAX_SUM and multipliers.max() <= MAX_MULTIPLIER:
                return Matrix(weights, shift, multipliers, added)
        raise ValueError(f"outputs up to {np.abs(biases).max()} do not fit 32 bits: train anew")

    def outputs(self, sums: np.ndarray) -> np.ndarray:
        """Returns the outputs of sums [..., outputs]."""
        return (sums * self.multipliers + self.biases + ((1 << self.shift) >> 1)) >> self.shift

    def times(self, inputs: np.ndarray) -> np.ndarray:
        """Returns the outputs of inputs [batch, inputs], [batch, outputs]."""
        return self.outputs(inputs @ self.weights.T)


@dataclass
class Layer:
    """A convolution: (sum + bias) * multiplier >> FRACTION_BITS, rounded to the nearest."""

    weights: np.ndarray  # [outputs, taps, inputs]
    multipliers: np.ndarray  # [outputs]
    biases: np.ndarray  # [outputs]
    pool: Matrix | None = None  # with global pooling: [outputs, 2 * channels], further biases

    def apply(self, x: np.ndarray, padded: np.ndarray, skip: np.ndarray | int) -> np.ndarray:
        """Returns the layer's activations, [batch, side, side, outputs].

        `x` are those of the layer before, `padded` the same as `pad` returns them, and `skip`
        those that a residual block adds, or 0. Raises `ValueError` if a sum leaves 16 bits.
        """
        biases = self.biases
        if self.pool:
            biases = (biases + self.pool.times(global_pool(x))).clip(INT16.min, INT16.max)
            biases = biases[:, None, None, :]
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
    policy: Matrix  # [1, taps, channels]
    hidden: Matrix  # [hidden, 2 * channels]
    value: Matrix  # [1, hidden]

    @staticmethod
    def of(network: Network, planes: np.ndarray) -> "QuantisedNetwork":
        """Rounds a trained network; raises `ValueError` if its numbers do not fit the bot's.

        On positions like `planes`, those of `data.planes_of`, no sum of a convolution leaves 16
        bits: where one would, the weights of that output are coarser than they might be. Networks
        that have hardly learnt need this.
        """
        top = network.shape.weight_max
        layers: list[Layer] = []
        made: list[np.ndarray] = []
        for index in range(network.shape.layers):
            layers.append(fitting_layer(network, index, padded_inputs(planes, made)))
            made.append(next_activations(layers, planes, made))
        logit = 1 / (ACTIVATION_STEP * LOGIT_UNITS)
        hidden_bias = network.value_hidden_bias.detach().double().numpy() / ACTIVATION_STEP
        value_bias = network.value_bias.detach().double().numpy() * LOGIT_UNITS
        return QuantisedNetwork(
            network.shape,
            layers,
            policy=Matrix.of(network.heads.weight[:1], top, logit),
            hidden=Matrix.of(network.value_hidden.weight, top, biases=hidden_bias),
            value=Matrix.of(network.value.weight, top, logit, value_bias),
        )

    def logits(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the value's logits [batch] and the policy's [batch, side, side].

        `planes` are those of `data.planes_of`. Logits are in 1 / LOGIT_UNITS nat, as the player to
        move sees the board.
        """
        x = self.activations(planes)[-1]
        policy = self.policy.outputs(convolve(pad(x), self.policy.weights))[..., 0]
        hidden = self.hidden.times(global_pool(x)).clip(0, ACTIVATION_MAX)
        return self.value.times(hidden)[:, 0], policy

    def activations(self, planes: np.ndarray) -> list[np.ndarray]:
        """Returns the activations of each layer, [batch, side, side, channels]."""
        made: list[np.ndarray] = []
        for _ in self.layers:
            made.append(next_activations(self.layers, planes, made))
        return made


def padded_inputs(planes: np.ndarray, made: list[np.ndarray]) -> np.ndarray:
    """Returns the inputs of the layer after those of `made`, with their border.

    The planes bring their border of stones; later layers get a border of zeros.
    """
    return pad(made[-1]) if made else planes.astype(np.int64) * STONE_INPUT


def next_activations(
    layers: list[Layer], planes: np.ndarray, made: list[np.ndarray]
) -> np.ndarray:
    """Returns the activations of the layer after those of `made`."""
    index = len(made)
    skip = made[index - 2] if is_residual(index) else 0
    before = made[-1] if made else planes
    return layers[index].apply(before, padded_inputs(planes, made), skip)


def fitting_layer(network: Network, layer: int, padded: np.ndarray) -> Layer:
    """Rounds one convolution so that its sums over `padded` stay within 16 bits."""
    min_scale, most_allowed = np.full(network.shape.channels, MIN_SCALE), float(INT16.max)
    while True:
        rounded = quantised_layer(network, layer, min_scale)
        most = np.abs(convolve(padded, rounded.weights)).max((0, 1, 2))
        if most.max() <= most_allowed:
            return rounded
        # What is changed leaves room for other positions, too.
        most_allowed = INT16.max / COARSER
        scale = rounded.multipliers / 2**FRACTION_BITS
        min_scale = np.where(most > most_allowed, COARSER * scale, min_scale)


def quantised_layer(network: Network, layer: int, min_scale: np.ndarray) -> Layer:
    """Rounds one convolution with its bias and its pooling."""
    top = network.shape.weight_max
    bias = network.biases[layer].detach().double().numpy() / ACTIVATION_STEP
    min_scale = np.maximum(np.abs(bias) / (INT16.max // 2), min_scale)
    weight = network.convolutions[layer].weight
    input_max = STONE_INPUT if layer == 0 else ACTIVATION_MAX
    weights, scale = quantise(weight, top, input_max, min_scale)
    if scale.max() > MAX_SCALE:
        raise ValueError(
            f"a weight of 1 is worth {scale.max()} in layer {layer}, 1 is too much: train anew"
        )
    multipliers = np.rint(scale * 2**FRACTION_BITS).astype(np.int64)
    biases = np.rint(bias / scale).astype(np.int64)
    is_pooled = layer in network.shape.pool
    pool = Matrix.of(network.pools[str(layer)].weight, top, scale) if is_pooled else None
    return Layer(weights, multipliers, biases, pool)


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
