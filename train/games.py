"""Games of a network against itself, many side by side.

All games of a batch begin together, and each round plays one move in each of them. Games that have
ended drop out, so the batch shrinks until the last one is over. Nothing outlives the call: a batch
of games is a function of the networks and the generator's seed.
"""

from dataclasses import dataclass

import numpy as np
import torch

from train.boards import openings, opponent_view, play, side_of
from train.data import EMPTY, FROM_GAME, FULL, LOST, WON, planes_of, record_type
from train.gumbel import Evaluator, Search, SearchOptions, SearchResult, gumbel_noise
from train.model import Network
from train.options import option

# Share of games in which nobody resigns.
CONTROL = 0.1


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The conditions of games."""

    side: int = option(11, "of the board, 2 to 19")
    random_stones: int = option(6, "at most, before a game")
    resign: float = option(0.03, "a side resigns below this win probability, 0 to 0.5")


def evaluator_of(network: Network, side: int, bf16: bool) -> Evaluator:
    """Returns the network as an evaluator of boards of this side, in bfloat16 if asked to."""
    network.eval()
    device = next(network.parameters()).device

    def evaluate(stones: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        planes = planes_of(stones, side).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=bf16):
            output = network(planes)
        return output.policy, output.value.sigmoid()

    return evaluate


@torch.no_grad()
def self_play(
    evaluate: Evaluator, count: int, rules: Rules, options: SearchOptions,
    generator: torch.Generator, device: torch.device,
) -> np.ndarray:
    """Plays `count` games from random openings; returns their positions as records of a shard.

    The root's moves are drawn with Gumbel noise.
    """
    stones = openings(count, rules.side, rules.random_stones, generator, device)
    games = torch.arange(count, device=device)
    resigning = (torch.rand(count, generator=generator) >= CONTROL).to(device)
    rounds: list[np.ndarray] = []
    # Of each game: the round it ended in, whether that round's mover won, and the last board as the
    # mover and as the opponent see it.
    last, mover_won = np.zeros(count, np.int64), np.zeros(count, bool)
    final = np.zeros((2, count, rules.side**2), np.uint8)
    while len(games) > 0:
        noise = gumbel_noise(tuple(stones.shape), generator, device)
        found = Search(evaluate, stones, options).run(noise)
        after, won = play(stones, found.cells)
        rounds.append(records_of(games, stones, found, options.simulations))
        over = won | (resigning & (found.value < rules.resign))
        ended = games[over].cpu().numpy()
        last[ended], mover_won[ended] = len(rounds) - 1, won[over].cpu().numpy()
        board = torch.where(won[:, None], opponent_view(after), stones)[over]
        final[:, ended] = torch.stack([board, opponent_view(board)]).cpu().numpy()
        stones, games, resigning = after[~over], games[~over], resigning[~over]
    for number, records in enumerate(rounds):
        games_then = records["game"]
        is_opponent = (last[games_then] - number) % 2
        records["result"] = np.where(mover_won[games_then] != is_opponent, WON, LOST)
        records["owner"] = final[is_opponent, games_then]
    return np.concatenate(rounds)


def records_of(
    games: torch.Tensor, stones: torch.Tensor, found: SearchResult, simulations: int
) -> np.ndarray:
    """Returns the positions of one round, still without the ends of their games."""
    records = np.zeros(len(games), record_type(side_of(stones)))
    records["stones"] = stones.cpu().numpy()
    records["policy"] = np.rint(found.policy.cpu().numpy() * FULL)
    records["value"] = np.rint(found.value.cpu().numpy() * FULL)
    records["kind"] = FROM_GAME
    records["visits"] = simulations
    records["game"] = games.cpu().numpy()
    records["ply"] = (records["stones"] != EMPTY).sum(1)
    return records
