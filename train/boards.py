"""Hex on many boards at once, in tensors: moves, and who has won.

Boards are bytes [batch, side * side] as in the shards (`data.EMPTY`, `MOVER`, `OPPONENT`), row by
row. Each is seen by its player to move, whose goal is to connect top and bottom. After a move the
next player gets the board transposed, with the colours exchanged.
"""

import math

import torch
from torch.nn import functional as F

from train.data import EMPTY, MOVER

# The flood fill of `mover_connects` goes this many cells between two checks for its end: a check
# waits for the GPU, a step of the fill does not.
FLOOD_STEPS_PER_CHECK = 6


def side_of(stones: torch.Tensor) -> int:
    """Returns the side of boards [batch, side * side]."""
    return math.isqrt(stones.shape[1])


def opponent_view(stones: torch.Tensor) -> torch.Tensor:
    """Returns the boards as the opponents of their movers see them, [batch, cells]."""
    side = side_of(stones)
    transposed = stones.view(-1, side, side).transpose(1, 2)
    # 1 and 2 change places, 0 stays.
    return ((3 - transposed) * (transposed != EMPTY)).reshape(stones.shape)


def with_neighbours(rows: torch.Tensor) -> torch.Tensor:
    """Returns cells together with their neighbours; bit c of a row [batch, side] is column c.

        . a b      The cell x touches a and b above it,
        c x d      c and d beside it,
        e f .      e and f below it.
    """
    above = F.pad(rows, (1, 0))[:, :-1]
    below = F.pad(rows, (0, 1))[:, 1:]
    return rows | rows << 1 | rows >> 1 | above | above >> 1 | below | below << 1


def mover_connects(stones: torch.Tensor) -> torch.Tensor:
    """Returns for each board whether the mover's stones connect top and bottom, [batch]."""
    side = side_of(stones)
    powers = 2 ** torch.arange(side, device=stones.device, dtype=torch.int32)
    own = (stones.view(-1, side, side) == MOVER).int()
    own = (own * powers).sum(2, dtype=torch.int32)
    reached = F.pad(own[:, :1], (0, side - 1))
    while True:
        before = reached
        for _ in range(FLOOD_STEPS_PER_CHECK):
            reached = with_neighbours(reached) & own
        if torch.equal(before, reached):
            return reached[:, -1] != 0


def play(stones: torch.Tensor, cells: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Plays a move on each board, on the cells [batch].

    Returns the boards as the next players see them, and whether the move has won, [batch].
    """
    after = stones.scatter(1, cells[:, None], MOVER)
    return opponent_view(after), mover_connects(after)


def openings(
    count: int, side: int, most: int, generator: torch.Generator, device: torch.device
) -> torch.Tensor:
    """Returns `count` boards with 0 to `most` random stones, placed in turn; few are likelier.

    No game is over: a board on which a player has won is emptied.
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
    """Returns each board's first empty cell in an order of all its cells, [batch, cells]."""
    is_empty = stones.gather(1, order) == EMPTY
    return order.gather(1, is_empty.int().argmax(1, keepdim=True))[:, 0]
