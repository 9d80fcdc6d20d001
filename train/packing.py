"""Encodes a network as a file of weights, such as src/network/shipped.weights.

An adaptive binary range coder: every bit of a number, the highest first, is coded with the
probability learnt so far for its place in the tree of bits, so that small weights, which are
frequent, take few bits. The bot's src/network/packing.rs is the decoder; docs/network.md has the
format.
"""

import struct

from train.integers import Layer, Matrix, QuantisedNetwork

# Probabilities of a 0 are in units of 1 / PROBABILITY_ONE; every bit moves its own by
# 2 ** -ADAPTATION_SHIFT of the distance to 0 or 1.
PROBABILITY_ONE = 1 << 15
ADAPTATION_SHIFT = 7

# The taps of `model.TAP_OFFSETS` in the order in which the bot takes them.
TAP_ORDER = (4, 5, 3, 0, 6, 2, 1)

# Kinds of numbers, each with probabilities of its own; the bytes of longer numbers have the kinds
# that follow.
WEIGHT, SHIFT, MULTIPLIER, BIAS, KINDS = 0, 1, 2, 4, 8

# What a file begins with; the last letter is the version of its format.
MAGIC = b"HXW1"


class RangeEncoder:
    """Encodes numbers, one after the other, as bytes."""

    def __init__(self) -> None:
        self.low = 0
        self.range = 1 << 24
        self.bytes = bytearray()
        self.probabilities = [[PROBABILITY_ONE // 2] * 256 for _ in range(KINDS)]

    def number(self, kind: int, bits: int, value: int) -> None:
        """Encodes a number from 0 to 2 ** bits - 1."""
        if not 0 <= value < 1 << bits:
            raise ValueError(f"{value} does not fit {bits} bits")
        probabilities = self.probabilities[kind]
        node = 1
        for bit in range(bits - 1, -1, -1):
            probability = probabilities[node]
            bound = (self.range // PROBABILITY_ONE) * probability
            if value >> bit & 1:
                self.low += bound
                self.range -= bound
                probabilities[node] -= probability >> ADAPTATION_SHIFT
                node = 2 * node + 1
            else:
                self.range = bound
                probabilities[node] += (PROBABILITY_ONE - probability) >> ADAPTATION_SHIFT
                node = 2 * node
            while self.range < 1 << 24:
                self._shift()
                self.range <<= 8

    def bytes_of(self, kind: int, count: int, value: int) -> None:
        """Encodes a number of `count` bytes, the lowest first; a bias is signed."""
        for place, byte in enumerate(value.to_bytes(count, "little", signed=kind == BIAS)):
            self.number(kind + place, 8, byte)

    def matrix(self, matrix: Matrix, bits: int) -> None:
        """Encodes the shift and the rows of a matrix."""
        self.number(SHIFT, 8, matrix.shift)
        self.rows(matrix, bits)

    def rows(self, numbers: Matrix | Layer, bits: int) -> None:
        """Encodes multiplier, bias and weights of each output."""
        weights = numbers.weights[:, TAP_ORDER] if numbers.weights.ndim == 3 else numbers.weights
        for output, row in enumerate(weights.reshape(len(weights), -1)):
            self.bytes_of(MULTIPLIER, 2, int(numbers.multipliers[output]))
            self.bytes_of(BIAS, 4, int(numbers.biases[output]))
            for weight in row:
                self.number(WEIGHT, bits, int(weight) + (1 << (bits - 1)))

    def finish(self) -> bytes:
        """Returns all bytes but the first, which is always 0: the range began with 24 bits."""
        for _ in range(4):
            self._shift()
        return bytes(self.bytes[1:])

    def _shift(self) -> None:
        """Appends the highest of four bytes, after adding the carry to those before it."""
        if self.low >> 32:
            place = len(self.bytes) - 1
            while self.bytes[place] == 255:
                self.bytes[place] = 0
                place -= 1
            self.bytes[place] += 1
        self.bytes.append(self.low >> 24 & 255)
        self.low = (self.low & 0xFFFFFF) << 8


def pack(network: QuantisedNetwork) -> bytes:
    """Encodes all numbers in the order of docs/network.md."""
    coder, bits = RangeEncoder(), network.shape.bits
    for layer in network.layers:
        coder.rows(layer, bits)
        if layer.pool:
            coder.matrix(layer.pool, bits)
    for matrix in (network.policy, network.hidden, network.value):
        coder.matrix(matrix, bits)
    return coder.finish()


def weights_file(network: QuantisedNetwork, name: str, run: str) -> bytes:
    """Returns a file of weights with the network's name and the training run."""
    coded, shape = pack(network), network.shape
    pools = sum(1 << layer for layer in shape.pool)
    header = (checksum(coded), shape.channels, shape.layers, shape.hidden, shape.bits, pools,
              len(coded))
    return MAGIC + struct.pack("<7I", *header) + coded + f"{name}\n{run}".encode()


def checksum(packed: bytes) -> int:
    """Returns the FNV-1a hash of bytes, 32 bits."""
    value = 0x811C9DC5
    for byte in packed:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value
