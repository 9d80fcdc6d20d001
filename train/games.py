"""Games of a network against itself or against another one, many side by side.

All games of a batch begin together, and each round plays one move in each of them. Games that have
ended drop out, so the batch shrinks until the last one is over. Nothing outlives the call: a batch
of games is a function of the networks and the generator's seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from train.boards import openings, opponent_view, play
from train.data import EMPTY, FROM_GAME, FULL, LOST, WON, planes_of, record_type
from train.gumbel import Evaluator, Search, SearchOptions, gumbel_noise
from train.model import Network


@dataclass(frozen=True)
class Rules:
    """The conditions of games."""

    side: int = 11
    random_stones: int = 6  # at most so many are placed before a game begins
    resign: float = 0.03  # a side resigns below this win probability, 0 to 0.5
    control: float = 0.1  # share of games in which nobody resigns, 0 to 1


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


@dataclass
class Moves:
    """One move of every game that is still going on."""

    games: torch.Tensor  # [batch] the games' numbers
    stones: torch.Tensor  # [batch, cells] the boards before the move
    policy: torch.Tensor  # [batch, cells] the search's improved policy
    value: torch.Tensor  # [batch] the search's win probability of the mover
    over: torch.Tensor  # [batch] true if the game ends with this move or is resigned instead of it
    mover_won: torch.Tensor  # [batch] true if the game is over and its mover has won
    final: torch.Tensor  # [batch, cells] the last board if it is over, as this move's mover sees it


@torch.no_grad()
def moves_of_games(
    evaluate: Evaluator, count: int, rules: Rules, options: SearchOptions,
    generator: torch.Generator, device: torch.device,
) -> Iterator[Moves]:
    """Plays `count` games from random openings, the root's moves drawn with Gumbel noise."""
    stones = openings(count, rules.side, rules.random_stones, generator, device)
    games = torch.arange(count, device=device)
    resigning = (torch.rand(count, generator=generator) >= rules.control).to(device)
    while len(games) > 0:
        noise = gumbel_noise(tuple(stones.shape), generator, device)
        found = Search(evaluate, stones, options).run(noise)
        after, won = play(stones, found.cells)
        resigns = resigning & ~won & (found.value < rules.resign)
        over = won | resigns
        final = torch.where(resigns[:, None], stones, opponent_view(after))
        yield Moves(games, stones, found.policy, found.value, over, won, final)
        goes_on = ~over
        stones, games, resigning = after[goes_on], games[goes_on], resigning[goes_on]


def self_play(
    evaluate: Evaluator, count: int, rules: Rules, options: SearchOptions,
    generator: torch.Generator, device: torch.device,
) -> np.ndarray:
    """Plays `count` games and returns their positions as records of a shard."""
    parts = []
    # Of each game: the round it ended in, whether that round's mover won, the last board.
    last = np.zeros(count, np.int64)
    last_mover_won = np.zeros(count, bool)
    final = np.zeros((count, rules.side**2), np.uint8)
    final_for_opponent = np.zeros_like(final)
    rounds = moves_of_games(evaluate, count, rules, options, generator, device)
    for number, moves in enumerate(rounds):
        games = moves.games.cpu().numpy()
        records = np.zeros(len(games), record_type(rules.side))
        records["stones"] = moves.stones.cpu().numpy()
        records["policy"] = np.rint(moves.policy.cpu().numpy() * FULL)
        records["value"] = np.rint(moves.value.cpu().numpy() * FULL)
        records["kind"] = FROM_GAME
        records["visits"] = options.simulations
        records["game"] = games
        records["ply"] = (records["stones"] != EMPTY).sum(1)
        parts.append(records)
        over = moves.over.cpu().numpy()
        last[games[over]] = number
        last_mover_won[games[over]] = moves.mover_won.cpu().numpy()[over]
        final[games[over]] = moves.final.cpu().numpy()[over]
        final_for_opponent[games[over]] = opponent_view(moves.final).cpu().numpy()[over]
    for number, records in enumerate(parts):
        games = records["game"]
        is_last_mover = (last[games] - number) % 2 == 0
        has_won = last_mover_won[games] == is_last_mover
        records["result"] = np.where(has_won, WON, LOST)
        records["owner"] = np.where(is_last_mover[:, None], final[games], final_for_opponent[games])
    return np.concatenate(parts)


@torch.no_grad()
def wins_against(
    first: Evaluator, second: Evaluator, pairs: int, rules: Rules, options: SearchOptions,
    generator: torch.Generator, device: torch.device,
) -> list[int]:
    """Plays two games per opening with the colours exchanged; returns the first's wins, 0 to 2.

    Both search without noise: the openings alone make games differ.
    """
    stones = openings(pairs, rules.side, rules.random_stones, generator, device).repeat(2, 1)
    games = torch.arange(2 * pairs, device=device)
    wins = torch.zeros(2 * pairs, dtype=torch.bool, device=device)
    firsts_turn = games < pairs
    while len(games) > 0:
        cells = torch.zeros(len(games), dtype=torch.long, device=device)
        for evaluate, theirs in ((first, firsts_turn), (second, ~firsts_turn)):
            if theirs.any():
                search = Search(evaluate, stones[theirs], options)
                noise = torch.zeros_like(stones[theirs], dtype=torch.float32)
                cells[theirs] = search.run(noise).cells
        after, won = play(stones, cells)
        wins[games[won]] = firsts_turn[won]
        stones, games, firsts_turn = after[~won], games[~won], ~firsts_turn[~won]
    return (wins[:pairs].int() + wins[pairs:].int()).tolist()
