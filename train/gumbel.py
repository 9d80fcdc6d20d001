"""Gumbel search on many boards at once: one tree per board, one simulation of all trees per step.

After Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel"
(ICLR 2022). At the root, some moves are considered, drawn without replacement by adding Gumbel
noise to the network's logits; sequential halving divides the simulations among them and drops the
worse half again and again. Below the root, moves are chosen so that the visits follow the improved
policy `softmax(logits + sigma(q))`, where q is the value of a move, or for an unvisited move the
value that the visited ones and the network together suggest (`completed_q`). The improved policy of
the root is what the network learns: it is better than the network's own, however few the
simulations are.

Values here are win probabilities, 0 to 1, of the player to move at the node they belong to. The
paper's are in -1 to 1, and it rescales q by the extremes in the tree, which probabilities do not
need.

All tensors live on one device, CPU or GPU; nothing is copied to the host but what callers ask for.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch

from train.boards import play
from train.data import EMPTY
from train.model import MASKED_LOGIT
from train.options import option

# Evaluates boards [batch, cells]: returns the policy's logits in nats, [batch, cells], and the
# mover's win probabilities, [batch].
Evaluator = Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]


# sigma(q) = (VISIT_OFFSET + visits of the most visited move) * value_scale * q
VISIT_OFFSET = 50.0


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """The parameters of a search."""

    simulations: int = option(32, "evaluations for a move besides the root's, at least 1")
    considered: int = option(16, "moves tried at the root, at least 1")
    value_scale: float = option(0.25, "of values beside logits")


@dataclass
class SearchResult:
    """The result of a search for each board."""

    cells: torch.Tensor  # [batch] the move to play
    policy: torch.Tensor  # [batch, cells] the improved policy, sums to 1
    value: torch.Tensor  # [batch] the mover's win probability under that policy


def sequential_halving(considered: int, simulations: int) -> list[int]:
    """Returns for each simulation how many visits the root move has that it goes to.

    All considered moves get a visit each, in turn, round after round. When a phase has used its
    share of the simulations, the half with the lower scores gets no more.
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
    """The trees of a batch of boards. Nodes are numbered in the order they are made, 0 the root."""

    def __init__(self, evaluate: Evaluator, stones: torch.Tensor, options: SearchOptions):
        self.evaluate, self.options = evaluate, options
        (count, cells), nodes, device = stones.shape, options.simulations + 1, stones.device
        self.batch = torch.arange(count, device=device)
        # Of each node: the board, and the network's logits, MASKED_LOGIT where a stone is.
        self.stones = torch.empty(count, nodes, cells, dtype=torch.uint8, device=device)
        self.logits = torch.empty(count, nodes, cells, device=device)
        # The network's value of each node, or 0 where its mover has lost.
        self.raw_value = torch.empty(count, nodes, device=device)
        self.is_lost = torch.zeros(count, nodes, dtype=torch.bool, device=device)
        # The node that each node was made from, and the move that made it.
        self.parent = torch.zeros(count, nodes, dtype=torch.long, device=device)
        self.cell = torch.zeros(count, nodes, dtype=torch.long, device=device)
        # Of each node's moves: the node that it leads to or -1, the visits, and the sum of the
        # values that they brought to the node's mover.
        self.child = torch.full((count, nodes, cells), -1, dtype=torch.int32, device=device)
        self.visits = torch.zeros(count, nodes, cells, device=device)
        self.value_sum = torch.zeros(count, nodes, cells, device=device)
        self._expand(0, stones, torch.zeros(count, dtype=torch.bool, device=device))

    def run(self, noise: torch.Tensor) -> SearchResult:
        """Runs all simulations; `noise` [batch, cells] is Gumbel noise, or 0 for the best move."""
        options, root = self.options, torch.zeros_like(self.batch)
        noisy = noise + self.logits[:, 0]
        moves = (self.logits[:, 0] > MASKED_LOGIT / 2).sum(1).clamp(max=options.considered)
        plans = [sequential_halving(n, options.simulations) for n in range(options.considered + 1)]
        plan = torch.tensor(plans, device=noise.device)[moves]
        for number in range(options.simulations):
            self._simulate(number + 1, self._best_visited(noisy, plan[:, number]))
        q = self.completed_q(root)
        policy = (self.logits[:, 0] + self.sigma(root, q)).softmax(1)
        most = self.visits[:, 0].amax(1)
        return SearchResult(self._best_visited(noisy, most), policy, (policy * q).sum(1))

    def completed_q(self, node: torch.Tensor) -> torch.Tensor:
        """Returns the value of each move of these nodes [batch] for their movers, [batch, cells].

        An unvisited move has the mean of the network's value and those of the visited moves.
        """
        visits, logits = self.visits[self.batch, node], self.logits[self.batch, node]
        is_visited, total = visits > 0, visits.sum(1)
        q = self.value_sum[self.batch, node] / visits.clamp(min=1)
        weight = logits.softmax(1).clamp(min=1e-12) * is_visited
        of_visited = (weight * q).sum(1) / weight.sum(1).clamp(min=1e-12)
        mixed = (self.raw_value[self.batch, node] + total * of_visited) / (1 + total)
        return torch.where(is_visited, q, mixed[:, None])

    def sigma(self, node: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
        """Returns q scaled to logits, in nats; the scale grows with the visits of the nodes."""
        most = self.visits[self.batch, node].amax(1, keepdim=True)
        return (VISIT_OFFSET + most) * self.options.value_scale * q

    def _expand(self, number: int, stones: torch.Tensor, is_lost: torch.Tensor) -> None:
        """Makes and evaluates node `number` of each tree."""
        logits, value = self.evaluate(stones)
        self.stones[:, number] = stones
        self.logits[:, number] = logits.float().masked_fill(stones != EMPTY, MASKED_LOGIT)
        self.raw_value[:, number] = value.float().masked_fill(is_lost, 0)
        self.is_lost[:, number] = is_lost

    def _best_visited(self, noisy: torch.Tensor, visits: torch.Tensor) -> torch.Tensor:
        """Returns the root's best move among those with so many visits, [batch]."""
        root = torch.zeros_like(self.batch)
        score = noisy + self.sigma(root, self.completed_q(root))
        # Below any score of an empty cell, and still above cells with a stone.
        others = self.visits[:, 0] != visits[:, None]
        return (score + others * MASKED_LOGIT / 2).argmax(1)

    def _best_below_root(self, node: torch.Tensor) -> torch.Tensor:
        """Returns the moves whose visits lag furthest behind the improved policy, [batch]."""
        logits, visits = self.logits[self.batch, node], self.visits[self.batch, node]
        policy = (logits + self.sigma(node, self.completed_q(node))).softmax(1)
        lag = policy - visits / (1 + visits.sum(1, keepdim=True))
        return lag.masked_fill(logits <= MASKED_LOGIT / 2, -2).argmax(1)

    def _simulate(self, number: int, cells: torch.Tensor) -> None:
        """Runs one simulation, the root's move given, which makes node `number` of each tree."""
        node = torch.zeros_like(self.batch)
        while True:
            below = self.child[self.batch, node, cells].long()
            goes_on = (below >= 0) & ~self.is_lost[self.batch, below.clamp(min=0)]
            if not goes_on.any():
                break
            node = torch.where(goes_on, below, node)
            cells = torch.where(goes_on, self._best_below_root(node), cells)
        after, won = play(self.stones[self.batch, node], cells)
        self._expand(number, after, won)
        self.parent[:, number], self.cell[:, number] = node, cells
        # Where the game was over there already, the new node is left unused.
        leaf = torch.where(below >= 0, below, number)
        self.child[self.batch, node, cells] = leaf.int()
        self._back_up(node, cells, 1 - self.raw_value[self.batch, leaf])

    def _back_up(self, node: torch.Tensor, cells: torch.Tensor, value: torch.Tensor) -> None:
        """Adds a value, for the node's mover, to a move of each tree and to all above it."""
        counts = torch.ones_like(value)
        while True:
            self.visits[self.batch, node, cells] += counts
            self.value_sum[self.batch, node, cells] += counts * value
            counts = counts * (node > 0)
            if not counts.any():
                return
            cells = self.cell[self.batch, node]
            node = self.parent[self.batch, node]
            value = 1 - value


def gumbel_noise(
    shape: tuple[int, ...], generator: torch.Generator, device: torch.device
) -> torch.Tensor:
    """Returns noise that makes an argmax of noisy logits a draw from their softmax."""
    uniform = torch.rand(shape, generator=generator).clamp(1e-9, 1 - 1e-7)
    return -(-uniform.log()).log().to(device)
