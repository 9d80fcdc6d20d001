"""Gumbel search on many boards at once: a tree a board, one simulation for all of them a step.

After Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel"
(ICLR 2022). At the root so many moves are considered, drawn without replacement by adding Gumbel
noise to the network's logits; sequential halving shares the simulations among them and drops the
worse half again and again. Below the root a move is chosen so that visits follow the improved
policy, `softmax(logits + sigma(q))`, where q is a move's value, or for a move not yet tried the value
that the tried ones and the network together suggest (`completed`). The improved policy of the root
is what the network learns: it is better than the network's own however few the simulations are.

Here values are probabilities to win, 0 to 1, of the player to move at the node they belong to; the
paper's are in -1 to 1, and it scales q by its extremes in the tree, which probabilities do not need.

The tensors live on one device, CPU or GPU. Nothing is ever copied but what is asked for at the end.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch

from train.boards import play
from train.data import EMPTY
from train.model import NEVER

# Judges boards [batch, cells]: logits of their cells in nats, [batch, cells], and the
# probability that the mover wins, [batch].
Judge = Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]


@dataclass(frozen=True)
class Options:
    """How to search."""

    simulations: int = 32  # positions judged beside the root
    considered: int = 16  # moves at the root that are tried at all
    # sigma(q) = (visit_offset + visits of the most visited move) * value_scale * q
    visit_offset: float = 50.0
    value_scale: float = 0.25


@dataclass
class Found:
    """What a search found for each board."""

    cells: torch.Tensor  # [batch] the move to play
    policy: torch.Tensor  # [batch, cells] the improved policy
    value: torch.Tensor  # [batch] the mover's probability to win under that policy


def halving(considered: int, simulations: int) -> list[int]:
    """For each simulation, how many visits the root's move that gets it has had before.

    The considered moves get a visit each, in turn, round after round; when a phase has used its
    share of the simulations, the half of them with the lower scores gets no more.
    """
    phases = max(1, math.ceil(math.log2(max(considered, 1))))
    sequence: list[int] = []
    left, visits = max(considered, 1), 0
    while len(sequence) < simulations:
        rounds = max(1, simulations // (phases * left))
        for _ in range(rounds):
            sequence += [visits] * left
            visits += 1
        left = max(2, left // 2) if considered > 1 else 1
    return sequence[:simulations]


class Search:
    """The trees of a batch of boards. Nodes are numbered as they are made; 0 is the root."""

    def __init__(self, judge: Judge, stones: torch.Tensor, options: Options):
        self.judge, self.options = judge, options
        (count, cells), nodes, device = stones.shape, options.simulations + 1, stones.device
        self.batch = torch.arange(count, device=device)
        self.stones = torch.empty(count, nodes, cells, dtype=torch.uint8, device=device)
        # NEVER at cells that are not empty.
        self.logits = torch.empty(count, nodes, cells, device=device)
        # What the network says of a node, or 0 if its mover has lost.
        self.value = torch.empty(count, nodes, device=device)
        self.lost = torch.zeros(count, nodes, dtype=torch.bool, device=device)
        # The move that made a node, and the node that it was made from.
        self.parent = torch.zeros(count, nodes, dtype=torch.long, device=device)
        self.cell = torch.zeros(count, nodes, dtype=torch.long, device=device)
        # Of each node's moves: the node that it leads to or -1, visits, and sum of the values they
        # brought to the node's mover.
        self.child = torch.full((count, nodes, cells), -1, dtype=torch.int32, device=device)
        self.visits = torch.zeros(count, nodes, cells, device=device)
        self.wins = torch.zeros(count, nodes, cells, device=device)
        self._add(0, stones, torch.zeros(count, dtype=torch.bool, device=device))

    def run(self, noise: torch.Tensor) -> Found:
        """Searches; `noise` [batch, cells] is Gumbel noise, or 0 for the best move as known."""
        options, root = self.options, torch.zeros_like(self.batch)
        noisy = noise + self.logits[:, 0]
        moves = (self.logits[:, 0] > NEVER / 2).sum(1).clamp(max=options.considered)
        plans = [halving(n, options.simulations) for n in range(options.considered + 1)]
        plan = torch.tensor(plans, device=noise.device)[moves]
        for number in range(options.simulations):
            self._simulate(number + 1, self._best_visited(noisy, plan[:, number]))
        q = self.completed(root)
        policy = (self.logits[:, 0] + self.sigma(root, q)).softmax(1)
        most = self.visits[:, 0].amax(1)
        return Found(self._best_visited(noisy, most), policy, (policy * q).sum(1))

    def _add(self, node: int, stones: torch.Tensor, lost: torch.Tensor) -> None:
        """Makes the nodes with this number."""
        logits, wins = self.judge(stones)
        self.stones[:, node] = stones
        self.logits[:, node] = logits.float().masked_fill(stones != EMPTY, NEVER)
        self.value[:, node] = wins.float().masked_fill(lost, 0)
        self.lost[:, node] = lost

    def completed(self, node: torch.Tensor) -> torch.Tensor:
        """The value of each move of these nodes, [batch, cells], for their movers."""
        visits, logits = self.visits[self.batch, node], self.logits[self.batch, node]
        known, total = visits > 0, visits.sum(1)
        q = self.wins[self.batch, node] / visits.clamp(min=1)
        weight = logits.softmax(1).clamp(min=1e-12) * known
        of_known = (weight * q).sum(1) / weight.sum(1).clamp(min=1e-12)
        mixed = (self.value[self.batch, node] + total * of_known) / (1 + total)
        return torch.where(known, q, mixed[:, None])

    def sigma(self, node: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
        """What values count beside logits, the more the longer the search."""
        most = self.visits[self.batch, node].amax(1, keepdim=True)
        return (self.options.visit_offset + most) * self.options.value_scale * q

    def _best_visited(self, noisy: torch.Tensor, visits: torch.Tensor) -> torch.Tensor:
        """The root's best move among those with so many visits."""
        root = torch.zeros_like(self.batch)
        score = noisy + self.sigma(root, self.completed(root))
        # Below any score of an empty cell, and still above cells that are not empty.
        others = self.visits[:, 0] != visits[:, None]
        return (score + others * NEVER / 2).argmax(1)

    def _below_root(self, node: torch.Tensor) -> torch.Tensor:
        """The move whose share of the visits is furthest below its share in the improved policy."""
        logits, visits = self.logits[self.batch, node], self.visits[self.batch, node]
        policy = (logits + self.sigma(node, self.completed(node))).softmax(1)
        behind = policy - visits / (1 + visits.sum(1, keepdim=True))
        return behind.masked_fill(logits <= NEVER / 2, -2).argmax(1)

    def _simulate(self, number: int, cells: torch.Tensor) -> None:
        """Adds the nodes with this number, the root's move given, and tells all above them."""
        node = torch.zeros_like(self.batch)
        while True:
            below = self.child[self.batch, node, cells].long()
            goes_on = (below >= 0) & ~self.lost[self.batch, below.clamp(min=0)]
            if not goes_on.any():
                break
            node = torch.where(goes_on, below, node)
            cells = torch.where(goes_on, self._below_root(node), cells)
        after, won = play(self.stones[self.batch, node], cells)
        self._add(number, after, won)
        self.parent[:, number], self.cell[:, number] = node, cells
        # Where the game was over there already, the new node is left unused.
        leaf = torch.where(below >= 0, below, number)
        self.child[self.batch, node, cells] = leaf.int()
        self._back_up(node, cells, 1 - self.value[self.batch, leaf])

    def _back_up(self, node: torch.Tensor, cells: torch.Tensor, value: torch.Tensor) -> None:
        """Adds a value, a probability of the node's mover, to a move and to those that led to it."""
        counts = torch.ones_like(value)
        while True:
            self.visits[self.batch, node, cells] += counts
            self.wins[self.batch, node, cells] += counts * value
            counts = counts * (node > 0)
            if not counts.any():
                return
            cells = self.cell[self.batch, node]
            node = self.parent[self.batch, node]
            value = 1 - value


def gumbel_noise(
    shape: tuple[int, ...], generator: torch.Generator, device: torch.device
) -> torch.Tensor:
    """Noise that makes an argmax of logits a draw from their softmax."""
    uniform = torch.rand(shape, generator=generator).clamp(1e-9, 1 - 1e-7)
    return -(-uniform.log()).log().to(device)
