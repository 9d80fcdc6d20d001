"""Hex on many boards at once, in tensors: moves, and who has won.

Boards are [batch, side * side] of bytes as in the shards (`data.EMPTY`, `MOVER`, `OPPONENT`), each
seen by the player to move, who joins top and bottom. A move hands the board to the other player,
who sees it transposed and the colours exchanged.
"""

import math

import torch
from torch.nn import functional as F

from train.data import EMPTY, MOVER

# The flood fill goes so many cells between two looks whether it has come to an end: a look waits
# for the GPU, a cell does not.
CELLS_A_LOOK = 6


def side_of(stones: torch.Tensor) -> int:
    """The side of boards [batch, side * side]."""
    return math.isqrt(stones.shape[1])


def turned(stones: torch.Tensor) -> torch.Tensor:
    """The same boards as the opponents of their movers see them."""
    side = side_of(stones)
    across = stones.view(-1, side, side).transpose(1, 2)
    # 1 and 2 change places, 0 stays.
    return ((3 - across) * (across != EMPTY)).reshape(len(stones), -1)


def spread(rows: torch.Tensor) -> torch.Tensor:
    """Cells and their neighbours, of rows whose bit c is column c.

        . a b      The cell x touches a and b above it,
        c x d      c and d beside it,
        e f .      e and f below it.
    """
    above = F.pad(rows, (1, 0))[:, :-1]
    below = F.pad(rows, (0, 1))[:, 1:]
    return rows | rows << 1 | rows >> 1 | above | above >> 1 | below | below << 1


def joins(stones: torch.Tensor) -> torch.Tensor:
    """Whether the mover's stones join top and bottom, [batch]."""
    side = side_of(stones)
    powers = 2 ** torch.arange(side, device=stones.device, dtype=torch.int32)
    own = (stones.view(-1, side, side) == MOVER).int()
    own = (own * powers).sum(2, dtype=torch.int32)
    reached = F.pad(own[:, :1], (0, side - 1))
    while True:
        before = reached
        for _ in range(CELLS_A_LOOK):
            reached = spread(reached) & own
        if torch.equal(before, reached):
            return reached[:, -1] != 0


def play(stones: torch.Tensor, cells: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The boards after each mover's stone on a cell, as the next player sees them, and whether the
    stone has won."""
    after = stones.scatter(1, cells[:, None], MOVER)
    return turned(after), joins(after)


def openings(
    count: int, side: int, most: int, generator: torch.Generator, device: torch.device
) -> torch.Tensor:
    """Boards with 0 to `most` stones at random, laid in turn; small numbers are the likelier ones.

    Nobody has won: a board on which somebody has is emptied.
    """
    cells = side * side
    at_most = torch.randint(0, most + 1, (count,), generator=generator)
    wanted = (torch.rand(count, generator=generator) * (at_most + 1)).long()
    order = torch.rand(count, cells, generator=generator).argsort(1).to(device)
    stones = torch.zeros(count, cells, dtype=torch.uint8, device=device)
    for number in range(most):
        after, won = play(stones, first_empty(stones, order))
        after[won] = EMPTY
        more = (wanted > number).to(device)[:, None]
        stones = torch.where(more, after, stones)
    return stones


def first_empty(stones: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """The first empty cell of each board in an order of all cells."""
    free = stones.gather(1, order) == EMPTY
    return order.gather(1, free.int().argmax(1, keepdim=True))[:, 0]
