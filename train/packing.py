"""Codes the numbers of a network into the text of src/weights.rs.

An adaptive binary range coder: every bit of a number, the highest first, is coded with the chance that
was learnt for its place in the tree of bits, so that small weights, which are frequent, take few
bits. The bot's src/packing.rs is the other end; docs/network.md has the format.
"""

import numpy as np

from train.integers import Integers, Layer, Scale

# Chances of a 0 are in units of 1 / ONE; with every bit they move by 2 ** -PACE of the way.
ONE = 1 << 15
PACE = 7

# The taps of `model.TAPS` in the order in which the bot takes them.
ORDER = (4, 5, 3, 0, 6, 2, 1)

# Kinds of numbers, each with chances of its own; the bytes of longer numbers have the kinds that
# follow.
WEIGHT, SHIFT, MULTIPLIER, BIAS, KINDS = 0, 1, 2, 4, 8

# Base 94: the characters from the space to ~ without the quotation mark. Eleven digits are nine bytes.
DIGITS = "".join(chr(code) for code in range(ord(" "), ord("~") + 1) if chr(code) != '"')
GROUP_DIGITS, GROUP_BYTES = 11, 9


class Coder:
    """Takes numbers, gives bytes."""

    def __init__(self) -> None:
        self.low = 0
        self.range = 1 << 24
        self.bytes = bytearray()
        self.chances = [[ONE // 2] * 256 for _ in range(KINDS)]

    def number(self, kind: int, bits: int, value: int) -> None:
        """Codes a number of so many bits."""
        if not 0 <= value < 1 << bits:
            raise ValueError(f"{value} does not fit {bits} bits")
        chances = self.chances[kind]
        node = 1
        for bit in range(bits - 1, -1, -1):
            chance = chances[node]
            bound = (self.range // ONE) * chance
            if value >> bit & 1:
                self.low += bound
                self.range -= bound
                chances[node] -= chance >> PACE
                node = 2 * node + 1
            else:
                self.range = bound
                chances[node] += (ONE - chance) >> PACE
                node = 2 * node
            while self.range < 1 << 24:
                self._shift()
                self.range <<= 8

    def number_of_bytes(self, kind: int, count: int, value: int) -> None:
        """Codes a number of so many bytes, the lowest first."""
        for place, byte in enumerate(value.to_bytes(count, "little", signed=kind == BIAS)):
            self.number(kind + place, 8, byte)

    def matrix(self, weights: np.ndarray, scale: Scale, bits: int) -> None:
        """Codes the shift and the rows of a matrix."""
        self.number(SHIFT, 8, scale.shift)
        self.rows(weights, scale, bits)

    def rows(self, weights: np.ndarray, numbers: Scale | Layer, bits: int) -> None:
        """Codes for each output multiplier, bias and weights, the latter [outputs, inputs] or, if there are
        taps, [outputs, taps, inputs]."""
        if weights.ndim == 3:
            weights = weights[:, ORDER]
        for output, row in enumerate(weights.reshape(len(weights), -1)):
            self.number_of_bytes(MULTIPLIER, 2, int(numbers.multipliers[output]))
            self.number_of_bytes(BIAS, 4, int(numbers.biases[output]))
            for weight in row:
                self.number(WEIGHT, bits, int(weight) + (1 << (bits - 1)))

    def finish(self) -> bytes:
        """All bytes. The range had 24 bits in the beginning, so that the first one is always 0."""
        for _ in range(4):
            self._shift()
        return bytes(self.bytes[1:])

    def _shift(self) -> None:
        """Writes the highest of four bytes, after carrying what lies above it."""
        if self.low >> 32:
            place = len(self.bytes) - 1
            while self.bytes[place] == 255:
                self.bytes[place] = 0
                place -= 1
            self.bytes[place] += 1
        self.bytes.append(self.low >> 24 & 255)
        self.low = (self.low & 0xFFFFFF) << 8


def pack(network: Integers) -> bytes:
    """All numbers in the order of docs/network.md, filled up to whole groups of digits."""
    coder, bits = Coder(), network.shape.bits
    for layer in network.layers:
        coder.rows(layer.weights, layer, bits)
        if layer.pool is not None and layer.pool_scale is not None:
            coder.matrix(layer.pool, layer.pool_scale, bits)
    coder.matrix(network.policy, network.policy_scale, bits)
    coder.matrix(network.hidden, network.hidden_scale, bits)
    coder.matrix(network.value, network.value_scale, bits)
    packed = coder.finish()
    return packed + bytes(-len(packed) % GROUP_BYTES)


def base94(packed: bytes) -> str:
    """Nine bytes, the first weighing most, as eleven digits; `packed` has whole groups of them."""
    text = []
    for start in range(0, len(packed), GROUP_BYTES):
        word = int.from_bytes(packed[start : start + GROUP_BYTES], "big")
        text += [DIGITS[word // 94**place % 94] for place in range(GROUP_DIGITS - 1, -1, -1)]
    return "".join(text)


def checksum(packed: bytes) -> int:
    """FNV-1a, 32 bits."""
    value = 0x811C9DC5
    for byte in packed:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value
