"""The network in the whole numbers that the bot computes with: made from a trained one, and run.

This is the reference for the Rust code: the same numbers in, the same logits out, bit by bit.
Everything is int64 here; `Scale.fit` sees to it that nothing leaves the 32 bits of the bot.
"""

from dataclasses import dataclass, field

import numpy as np
import torch

from train.model import INPUT_PLANES, STEP, TAPS, TOP, Network, Shape, is_residual, weight_scales

# Logits are whole multiples of 1 / NAT nat.
NAT = 256

# Shifts are tried from this one down; the bot takes 20 at most.
MOST_SHIFT = 20
MOST_MULTIPLIER = 2**16 - 1
MOST_SUM = 2**29 - 1


# Outputs that never get this far from their bias, in units of an output, lose their weights: noise that has
# nothing left to say, but would take as many bytes as any other weights.
LEAST_SPAN = 0.1


def whole_weights(
    weight: torch.Tensor, top: int, input_top: float = TOP
) -> tuple[np.ndarray, np.ndarray]:
    """Weights as whole numbers, and what one unit is worth for each output; inputs are 0 to `input_top`."""
    scale = weight_scales(weight.detach().double(), top)
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
    """What makes outputs of sums: (sum * multiplier + bias) >> shift."""

    shift: int
    multipliers: np.ndarray
    biases: np.ndarray
    # Multipliers of a pooling matrix, whose sums are added before the shift; else empty.
    pool_multipliers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    @staticmethod
    def fit(
        factors: np.ndarray,
        biases: np.ndarray,
        reaches: np.ndarray,
        pool_factors: np.ndarray | None = None,
        pool_reaches: np.ndarray | None = None,
    ) -> "Scale":
        """The finest scale with output = sum * factor + bias that 32 bits allow.

        The outputs of two layers before and half a unit of rounding are allowed for.
        """
        no_pool = np.zeros(0) if pool_factors is None else pool_factors
        for shift in range(MOST_SHIFT, -1, -1):
            multipliers, added, pool = (
                np.rint(numbers * 2.0**shift).astype(np.int64)
                for numbers in (factors, biases, no_pool)
            )
            spans = reaches * multipliers + np.abs(added) + (TOP << shift) + (1 << shift)
            if pool_reaches is not None:
                spans = spans + pool_reaches * pool
            largest = max(multipliers.max(), pool.max(initial=0))
            if spans.max() <= MOST_SUM and largest <= MOST_MULTIPLIER:
                return Scale(shift, multipliers, added, pool)
        raise ValueError(f"outputs up to {np.abs(biases).max()} do not fit 32 bits: train anew")

    def apply(self, sums: np.ndarray, added: np.ndarray | int = 0) -> np.ndarray:
        """Outputs of sums [..., outputs], rounded down; `added` counts in units of 1 << shift."""
        return (sums * self.multipliers + self.biases + added) >> self.shift

    @property
    def half(self) -> int:
        """What makes rounding down rounding to the nearest."""
        return (1 << self.shift) >> 1


@dataclass
class Layer:
    """A convolution; `pool` is the matrix [outputs, 2 * channels] of its pooling, if it has one."""

    weights: np.ndarray  # [outputs, taps, inputs]
    scale: Scale
    pool: np.ndarray | None


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
        older = x = np.zeros(0, np.int64)
        for index, layer in enumerate(self.layers):
            # The input brings its ring of border stones, later layers a ring of zeros.
            ringed = planes.astype(np.int64) if index == 0 else ring(x)
            sums = convolve(ringed, layer.weights)
            added: np.ndarray | int = layer.scale.half
            if is_residual(index):
                added = added + (older << layer.scale.shift)
            if layer.pool is not None:
                of_board = pool(x) @ layer.pool.T * layer.scale.pool_multipliers
                added = added + of_board[:, None, None, :]
            older, x = x, layer.scale.apply(sums, added).clip(0, TOP)
        policy = self.policy_scale.apply(convolve(ring(x), self.policy), self.policy_scale.half)[..., 0]
        hidden = self.hidden_scale.apply(pool(x) @ self.hidden.T, self.hidden_scale.half)
        value = self.value_scale.apply(hidden.clip(0, TOP) @ self.value.T, self.value_scale.half)[:, 0]
        return value, policy


def whole_layer(network: Network, layer: int) -> Layer:
    """Rounds one convolution with its bias and its pooling."""
    top = network.shape.top_weight
    # Stones count 1, not 1 step.
    input_top = 1 / STEP if layer == 0 else TOP
    weights, unit = whole_weights(network.convolutions[layer].weight, top, input_top)
    bias = network.biases[layer].detach().double().numpy() / STEP
    if layer == 0:
        return Layer(weights, Scale.fit(unit / STEP, bias, reach(weights, 1)), None)
    if layer not in network.shape.pool:
        return Layer(weights, Scale.fit(unit, bias, reach(weights, TOP)), None)
    matrix, pool_unit = whole_weights(network.pools[str(layer)].weight, top)
    scale = Scale.fit(unit, bias, reach(weights, TOP), pool_unit, reach(matrix, TOP))
    return Layer(weights, scale, matrix)


def ring(x: np.ndarray) -> np.ndarray:
    """Activations [batch, side, side, channels] in a ring of zeros, channels before the cells."""
    return np.pad(x.transpose(0, 3, 1, 2), ((0, 0), (0, 0), (1, 1), (1, 1)))


def convolve(ringed: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sums [batch, side, side, outputs] over the taps of a board [batch, inputs, side+2, side+2]."""
    side = ringed.shape[2] - 2
    sums = 0
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
