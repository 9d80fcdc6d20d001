"""Boards in tensors against plain code; the search finds a win in one and the defence."""

import unittest

import numpy as np
import torch

from train.boards import mover_connects, openings, opponent_view, play
from train.data import EMPTY, LOST, MOVER, OPPONENT, WON
from train.games import Rules, self_play
from train.gumbel import Search, SearchOptions, sequential_halving
from train.tests.support import CPU, knows_nothing, seeded

NEIGHBOURS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))


def connects_plainly(stones: np.ndarray, side: int) -> bool:
    """Returns whether the mover connects top and bottom, by a walk from stone to stone."""
    mine = {(i // side, i % side) for i in np.flatnonzero(stones == MOVER)}
    todo = [cell for cell in mine if cell[0] == 0]
    seen = set(todo)
    while todo:
        row, column = todo.pop()
        near = {(row + down, column + right) for down, right in NEIGHBOURS}
        todo += (near & mine) - seen
        seen |= near & mine
    return any(row == side - 1 for row, _ in seen)


def board(*rows: str) -> torch.Tensor:
    """A board from rows of `.`, `m` (mover's) and `o` (opponent's)."""
    return torch.tensor([[".mo".index(mark) for mark in "".join(rows)]], dtype=torch.uint8)


class Boards(unittest.TestCase):
    def test_winners_are_those_of_a_plain_walk(self) -> None:
        for side in (1, 2, 3, 5, 11, 19):
            # From few stones to full boards.
            shares = torch.rand(300, 1, generator=seeded(side))
            draws = torch.rand(300, side * side, generator=seeded(side + 100))
            colours = torch.randint(1, 3, draws.shape, generator=seeded(side + 200))
            stones = torch.where(draws < 2 * shares, colours, 0).to(torch.uint8)
            expected = [connects_plainly(one.numpy(), side) for one in stones]
            self.assertEqual(mover_connects(stones).tolist(), expected)
            self.assertIn(True, expected)
            full = stones[(stones != EMPTY).all(1)]
            self.assertTrue(len(full) > 0)
            # On a full board exactly one player has won.
            self.assertTrue((mover_connects(full) != mover_connects(opponent_view(full))).all())

    def test_a_long_winding_chain_is_followed_to_its_end(self) -> None:
        winding = board("mmmmm", "....m", "mmmmm", "m....", "mmmmm")
        self.assertEqual(mover_connects(winding).tolist(), [True])
        winding[0, 2 * 5 + 2] = EMPTY
        self.assertEqual(mover_connects(winding).tolist(), [False])

    def test_the_opponent_sees_the_board_transposed(self) -> None:
        after, won = play(board("..o", "m..", "..."), torch.tensor([2 * 3 + 1]))
        self.assertEqual(after.tolist(), board(".o.", "..o", "m..").tolist())
        self.assertEqual(won.tolist(), [False])

    def test_openings_are_even_and_nobody_has_won(self) -> None:
        stones = openings(500, 3, 4, seeded(1), CPU)
        laid = (stones != EMPTY).sum(1)
        ahead = (stones == OPPONENT).sum(1) - (stones == MOVER).sum(1)
        self.assertEqual(set(laid.tolist()), {0, 1, 2, 3, 4})
        self.assertTrue(((ahead == 0) | (ahead == 1)).all())
        self.assertFalse((mover_connects(stones) | mover_connects(opponent_view(stones))).any())


class Searches(unittest.TestCase):
    def test_halving_gives_the_better_half_twice_as_much(self) -> None:
        self.assertEqual(sequential_halving(4, 8), [0, 0, 0, 0, 1, 1, 2, 2])
        self.assertEqual(sequential_halving(1, 3), [0, 1, 2])
        for considered in range(1, 17):
            self.assertEqual(len(sequential_halving(considered, 23)), 23)

    def test_a_win_in_one_is_found_without_knowledge_and_prevented_too(self) -> None:
        # The mover connects the two chains at the cell x, and only there: m above, m below.
        #   o . m .
        #    . . m .
        #     . x o .
        #      o m . .
        position, cell = board("o.m.", "..m.", "..o.", "om.."), 2 * 4 + 1
        options = SearchOptions(simulations=300, considered=16, value_scale=1.0)
        noise = torch.zeros(1, 16)
        search = Search(knows_nothing, position, options)
        found = search.run(noise)
        self.assertEqual(int(search.visits[0, 0].sum()), 300)
        self.assertEqual(found.cells.tolist(), [cell])
        self.assertGreater(float(found.value), 0.8)
        self.assertEqual(float(found.policy[0, position[0] != EMPTY].sum()), 0.0)
        self.assertAlmostEqual(float(found.policy.sum()), 1, places=5)
        mirrored = (cell % 4) * 4 + cell // 4
        defence = Search(knows_nothing, opponent_view(position), options).run(noise)
        self.assertEqual(defence.cells.tolist(), [mirrored])


class Games(unittest.TestCase):
    rules = Rules(side=4, random_stones=2, resign=0.0)
    options = SearchOptions(simulations=8, considered=4)

    def test_records_tell_the_winner_and_the_last_stones(self) -> None:
        records = self_play(knows_nothing, 12, self.rules, self.options, seeded(3), CPU)
        self.assertEqual(set(records["game"]), set(range(12)))
        for record in records:
            last = torch.from_numpy(record["owner"][None].copy())
            winner = WON if mover_connects(last).item() else LOST
            self.assertEqual(record["result"], winner)
            self.assertEqual(bool(mover_connects(opponent_view(last))), winner == LOST)
            # Stones of the position are still there at the end.
            there = record["stones"] != EMPTY
            self.assertTrue((record["owner"][there] == record["stones"][there]).all())
            self.assertAlmostEqual(record["policy"].sum() / 65535, 1, places=3)

    def test_a_seed_gives_the_same_games(self) -> None:
        one, other = (
            self_play(knows_nothing, 6, self.rules, self.options, seeded(seed), CPU)
            for seed in (5, 5)
        )
        self.assertEqual(one.tobytes(), other.tobytes())
        another = self_play(knows_nothing, 6, self.rules, self.options, seeded(6), CPU)
        self.assertNotEqual(one.tobytes(), another.tobytes())
