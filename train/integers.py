"""The network in the whole numbers that the bot computes with: made from a trained one, and run.

This is the reference for the Rust code: the same numbers in, the same logits out, bit by bit.
Everything is int64 here; `Scale.fit` sees to it that nothing leaves the 32 bits of the bot.
"""

from dataclasses import dataclass

import numpy as np
import torch

from train.model import INPUT_PLANES, STEP, TAPS, TOP, Network, Shape, is_residual, weight_scales

# Logits are whole multiples of 1 / NAT nat.
NAT = 256

# A stone as an input, in steps.
STONE = round(1 / STEP)

# The sums of a convolution are scaled by whole multiples of 2 ** -FRACTION.
FRACTION = 15
LEAST_UNIT, MOST_UNIT = 2.0**-8, 1 - 2.0**-FRACTION

# A sum with its bias stays within these, and a bias alone within half of them.
INT16 = np.iinfo(np.int16)

# Shifts are tried from this one down; the bot takes 20 at most.
MOST_SHIFT = 20
MOST_MULTIPLIER = 2**16 - 1
MOST_SUM = 2**29 - 1


# Outputs that never get this far from their bias, in units of an output, lose their weights: noise that has
# nothing left to say, but would take as many bytes as any other weights.
LEAST_SPAN = 0.1


def whole_weights(
    weight: torch.Tensor, top: int, input_top: float = TOP, least: np.ndarray | float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Weights as whole numbers, and what one unit is worth for each output; inputs are 0 to `input_top`.

    Units are the smallest with which the largest weight is `top`, but no smaller than `least`."""
    scale = weight_scales(weight.detach().double(), top)
    scale = torch.maximum(scale, torch.as_tensor(least).expand(len(scale)).reshape(scale.shape))
    whole = (weight.detach().double() / scale).round().long().numpy()
    unit = scale.flatten().numpy()
    whole[reach(whole, input_top) * unit < LEAST_SPAN] = 0
    return whole, unit


def reach(weights: np.ndarray, top: float) -> np.ndarray:
    """How far from 0 each output's sum can get, for inputs from 0 to `top`."""
    rows = weights.reshape(len(weights), -1)
    up, down = np.maximum(rows, 0).sum(1), np.maximum(-rows, 0).sum(1)
    return np.maximum(up, down) * top


@dataclass
class Scale:
    """What makes outputs of a matrix of its sums: (sum * multiplier + bias) >> shift, rounded to the nearest."""

    shift: int
    multipliers: np.ndarray
    biases: np.ndarray

    @staticmethod
    def fit(factors: np.ndarray, biases: np.ndarray, reaches: np.ndarray) -> "Scale":
        """The finest scale with output = sum * factor + bias that 32 bits allow."""
        for shift in range(MOST_SHIFT, -1, -1):
            multipliers, added = (
                np.rint(numbers * 2.0**shift).astype(np.int64) for numbers in (factors, biases)
            )
            spans = reaches * multipliers + np.abs(added) + (1 << shift)
            if spans.max() <= MOST_SUM and multipliers.max() <= MOST_MULTIPLIER:
                return Scale(shift, multipliers, added)
        raise ValueError(f"outputs up to {np.abs(biases).max()} do not fit 32 bits: train anew")

    def apply(self, sums: np.ndarray) -> np.ndarray:
        """Outputs of sums [..., outputs]."""
        return (sums * self.multipliers + self.biases + ((1 << self.shift) >> 1)) >> self.shift


@dataclass
class Layer:
    """A convolution: (sum + bias) * multiplier >> FRACTION, rounded to the nearest."""

    weights: np.ndarray  # [outputs, taps, inputs]
    multipliers: np.ndarray
    biases: np.ndarray
    # If it sees the whole board: a matrix [outputs, 2 * channels] that makes further biases.
    pool: np.ndarray | None = None
    pool_scale: Scale | None = None

    def apply(self, x: np.ndarray, ringed: np.ndarray, older: np.ndarray | int) -> np.ndarray:
        """Activations from those of the layer before, without and within their ring; `older` ones are added."""
        biases = self.biases
        if self.pool is not None and self.pool_scale is not None:
            further = self.pool_scale.apply(pool(x) @ self.pool.T)
            biases = (biases + further).clip(INT16.min, INT16.max)[:, None, None, :]
        sums = (convolve(ringed, self.weights) + biases).clip(INT16.min, INT16.max)
        scaled = (sums * self.multipliers + (1 << FRACTION >> 1)) >> FRACTION
        return (scaled + older).clip(0, TOP)


@dataclass
class Integers:
    """The whole network."""

    shape: Shape
    layers: list[Layer]
    policy: np.ndarray  # [1, taps, channels]
    policy_scale: Scale
    hidden: np.ndarray  # [hidden, 2 * channels]
    hidden_scale: Scale
    value: np.ndarray  # [1, hidden]
    value_scale: Scale

    @staticmethod
    def of(network: Network) -> "Integers":
        """Rounds a trained network."""
        top = network.shape.top_weight
        layers = [whole_layer(network, layer) for layer in range(network.shape.layers)]
        policy, policy_unit = whole_weights(network.heads.weight[:1], top)
        policy_scale = Scale.fit(policy_unit * STEP * NAT, np.zeros(1), reach(policy, TOP))
        hidden, hidden_unit = whole_weights(network.value_hidden.weight, top)
        hidden_bias = network.value_hidden_bias.detach().double().numpy() / STEP
        value, value_unit = whole_weights(network.value.weight, top)
        value_bias = network.value_bias.detach().double().numpy() * NAT
        return Integers(
            network.shape,
            layers,
            policy,
            policy_scale,
            hidden,
            Scale.fit(hidden_unit, hidden_bias, reach(hidden, TOP)),
            value,
            Scale.fit(value_unit * STEP * NAT, value_bias, reach(value, TOP)),
        )

    def logits(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Value logits [batch] and policy logits [batch, side, side] of planes as `data.planes_of`
        makes them, in 1 / NAT nat, as the player to move sees the board."""
        x = self.activations(planes)[-1]
        policy = self.policy_scale.apply(convolve(ring(x), self.policy))[..., 0]
        hidden = self.hidden_scale.apply(pool(x) @ self.hidden.T).clip(0, TOP)
        value = self.value_scale.apply(hidden @ self.value.T)[:, 0]
        return value, policy

    def activations(self, planes: np.ndarray) -> list[np.ndarray]:
        """What each layer makes of such planes, [batch, side, side, channels]."""
        # The input brings its ring of border stones, later layers a ring of zeros.
        made = [self.layers[0].apply(planes, planes.astype(np.int64) * STONE, 0)]
        for index, layer in enumerate(self.layers[1:], 1):
            x, older = made[-1], made[index - 2] if is_residual(index) else 0
            made.append(layer.apply(x, ring(x), older))
        return made


def whole_layer(network: Network, layer: int) -> Layer:
    """Rounds one convolution with its bias and its pooling."""
    top = network.shape.top_weight
    bias = network.biases[layer].detach().double().numpy() / STEP
    least = np.maximum(np.abs(bias) / (INT16.max // 2), LEAST_UNIT)
    weight = network.convolutions[layer].weight
    weights, unit = whole_weights(weight, top, STONE if layer == 0 else TOP, least)
    if unit.max() > MOST_UNIT:
        raise ValueError(f"a unit of a weight is worth {unit.max()} in layer {layer}, 1 is too much: train anew")
    multipliers = np.rint(unit * 2**FRACTION).astype(np.int64)
    biases = np.rint(bias / unit).astype(np.int64)
    if layer not in network.shape.pool:
        return Layer(weights, multipliers, biases)
    matrix, pool_unit = whole_weights(network.pools[str(layer)].weight, top)
    scale = Scale.fit(pool_unit / unit, np.zeros(len(unit)), reach(matrix, TOP))
    return Layer(weights, multipliers, biases, matrix, scale)


def ring(x: np.ndarray) -> np.ndarray:
    """Activations [batch, side, side, channels] in a ring of zeros, channels before the cells."""
    return np.pad(x.transpose(0, 3, 1, 2), ((0, 0), (0, 0), (1, 1), (1, 1)))


def convolve(ringed: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sums [batch, side, side, outputs] over the taps of a board [batch, inputs, side+2, side+2]."""
    side = ringed.shape[2] - 2
    sums = np.zeros((len(ringed), side, side, len(weights)))
    for tap, (row, column) in enumerate(TAPS):
        part = ringed[:, :, 1 + row : 1 + row + side, 1 + column : 1 + column + side]
        # In floating point for speed; exact, because the sums stay far below 2 to the 53.
        sums = sums + part.transpose(0, 2, 3, 1).astype(float) @ weights[:, tap].T.astype(float)
    return sums.astype(np.int64)


def pool(x: np.ndarray) -> np.ndarray:
    """Mean, rounded down, and maximum of every channel: [batch, 2 * channels]."""
    cells = x.shape[1] * x.shape[2]
    share = (2**16 + cells // 2) // cells
    return np.concatenate([(x.sum((1, 2)) * share) >> 16, x.max((1, 2))], 1)


assert INPUT_PLANES == 2  # the Rust code has the same
