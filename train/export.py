"""Exports a trained network as a weights file, to be played with or to be shipped.

    python -m train.export RUN -o RUN/network.weights
    python -m train.export RUN --ship

The second form replaces the bot's own network, and the positions that test it.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from train import checkpoint
from train.checkpoint import check_is_no_source
from train.data import planes_of
from train.integers import LOGIT_UNITS, QuantisedNetwork
from train.model import Network, Shape
from train.options import parser_of, reporting
from train.packing import checksum, pack, weights_file
from train.pairing import paired

# The bot's network and the positions that test it, in the checkout.
SHIPPED, VECTORS = "src/network/shipped.weights", "tests/data/network.txt"

# The number of random positions on which sums must fit 16 bits, and which decide which channels
# become pairs; positions of games are no better for that.
SAMPLE_POSITIONS = 256

# The number of positions of the test vectors, by side of the board.
VECTOR_SIDES = {11: 20, 5: 3, 14: 2}


def load(run: Path) -> tuple[Network, dict[str, Any]]:
    """Returns the averaged network of a run, and its checkpoint."""
    saved = checkpoint.load(run)
    network = Network(Shape.from_dict(saved["shape"]))
    network.load_state_dict(saved["average"])
    return network.eval(), saved


def random_position(side: int, rng: np.random.Generator) -> np.ndarray:
    """Returns a board [side, side] of 0 none, 1 red, 2 blue, at most half full, red to begin."""
    stones = np.zeros(side * side, np.uint8)
    count = int(rng.integers(0, side * side // 2))
    cells = rng.permutation(side * side)[:count]
    stones[cells[::2]], stones[cells[1::2]] = 1, 2
    return stones.reshape(side, side)


def random_planes(side: int, count: int, seed: int) -> np.ndarray:
    """Returns planes of `count` random positions, as `data.planes_of` makes them."""
    rng = np.random.default_rng(seed)
    boards = np.stack([random_position(side, rng).ravel() for _ in range(count)])
    return planes_of(torch.from_numpy(boards), side).numpy()


def vectors(network: QuantisedNetwork, seed: int) -> str:
    """Returns random positions with the logits that the bot must compute for them, as text."""
    rng = np.random.default_rng(seed)
    lines = [
        "# What the network with this checksum says of positions; "
        "`python -m train.export` writes it.",
        "# Each: the board, the player to move, the value's logit in 1/256 nat for that player,",
        "# and the policy's logits in 1/256 nat for all cells, row by row as on the board.",
        f"# checksum {checksum(pack(network)):#010x}",
    ]
    for side, count in VECTOR_SIDES.items():
        for _ in range(count):
            board = random_position(side, rng)
            is_red = np.count_nonzero(board) % 2 == 0
            # Blue sees the board transposed and turned by half a turn, which mirrors it at the
            # other diagonal, and her own stones as the mover's.
            seen = board if is_red else np.array([0, 2, 1], np.uint8)[board[::-1, ::-1].T]
            planes = planes_of(torch.from_numpy(seen.reshape(1, -1).copy()), side).numpy()
            value, policy = network.logits(planes)
            logits = policy[0] if is_red else policy[0][::-1, ::-1].T
            lines += ["", *(" ".join(".rb"[stone] for stone in row) for row in board)]
            lines += ["red" if is_red else "blue", str(value[0])]
            lines += [" ".join(map(str, row)) for row in logits]
    return "\n".join(lines) + "\n"


def largest_difference(
    network: Network, quantised: QuantisedNetwork, seed: int
) -> tuple[float, float]:
    """Returns the largest errors of quantised value and policy logits, in nats.

    They are those on 64 random positions of 11×11, against the network in floating point.
    """
    planes = random_planes(11, 64, seed)
    with torch.no_grad():
        output = network(torch.from_numpy(planes))
    value, policy = quantised.logits(planes)
    policy = policy.reshape(len(planes), -1)
    value_errors = np.abs(value / LOGIT_UNITS - output.value.numpy())
    policy_errors = np.abs(policy / LOGIT_UNITS - output.policy.numpy())
    return value_errors.max(), policy_errors.max()


def export(run: Path, out: Path, name: str | None = None, vectors_to: Path | None = None) -> None:
    """Writes the averaged network of a run's checkpoint as a weights file, and says so.

    `name` is the network's; without one it is shape and step. `vectors_to` gets positions to test
    the bot with. Raises `RunError` without a checkpoint, `ValueError` if the network's numbers do
    not fit the bot's.
    """
    network, saved = load(run)
    planes = random_planes(11, SAMPLE_POSITIONS, seed=2)
    quantised = paired(QuantisedNetwork.of(network, planes), planes)
    shape = network.shape
    name = name or f"{shape.channels}x{shape.layers}q{shape.bits}-{saved['step']}"
    origin = f"{run.name}, step {saved['step']}, {saved['positions']} positions"
    content = weights_file(quantised, name, origin)
    checkpoint.write(out, content)
    value, policy = largest_difference(network, quantised, seed=1)
    print(f"{out}: {name}, {len(content):,} bytes")
    print(f"largest difference from floating point: value {value:.3f}, policy {policy:.3f} nats")
    if vectors_to:
        checkpoint.write(vectors_to, vectors(quantised, seed=1).encode())
        print(f"{vectors_to}: what the bot must compute with it")


@reporting
def main(arguments: list[str] | None = None) -> None:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    parser = parser_of("train.export", __doc__)
    parser.add_argument("run", type=Path, help="the folder of a training run")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("-o", "--out", type=Path, help="the weights file to write")
    where.add_argument("--ship", action="store_true",
                       help=f"write {SHIPPED} and {VECTORS} of this checkout")
    parser.add_argument("--id", help="the network's name; default: shape and step")
    options = parser.parse_args(arguments)
    if options.ship:
        export(options.run, checkpoint.ROOT / SHIPPED, options.id, checkpoint.ROOT / VECTORS)
    else:
        check_is_no_source(options.out)
        export(options.run, options.out, options.id)


if __name__ == "__main__":
    sys.exit(main())
