"""Games of the network against itself or against another one, many side by side.

All games of a batch begin together and each has a move every time round; those that have ended
drop out, so the batch shrinks until the last one is over. Nothing outlives the call: a batch of
games is a function of the networks and the generator's seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from train.boards import openings, play, turned
from train.data import EMPTY, FROM_GAME, FULL, LOST, WON, planes_of, record_type
from train.gumbel import Judge, Options, Search, gumbel_noise
from train.model import Network


@dataclass(frozen=True)
class Rules:
    """How games are played."""

    side: int = 11
    random_stones: int = 6  # the most that are laid before a game begins
    resign: float = 0.03  # a side whose probability to win falls below this resigns
    control: float = 0.1  # the share of games that nobody resigns


def judge_of(network: Network, side: int, bf16: bool) -> Judge:
    """The network as the search asks it."""
    network.eval()
    device = next(network.parameters()).device

    def judge(stones: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        planes = planes_of(stones, side).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=bf16):
            output = network(planes)
        return output.policy, output.value.sigmoid()

    return judge


@dataclass
class Moves:
    """One move of every game that is still played."""

    games: torch.Tensor  # [batch] the games' numbers
    stones: torch.Tensor  # [batch, cells] before the move
    policy: torch.Tensor  # [batch, cells]
    value: torch.Tensor  # [batch]
    over: torch.Tensor  # [batch] whether the game ends here: by the move, or by resigning instead
    mover_won: torch.Tensor  # [batch] and if so, who has won
    final: torch.Tensor  # [batch, cells] the last stones then, as the mover of this move sees them


@torch.no_grad()
def moves_of_games(
    judge: Judge, count: int, rules: Rules, options: Options, generator: torch.Generator,
    device: torch.device,
) -> Iterator[Moves]:
    """Plays so many games with the search's noise, from random openings."""
    stones = openings(count, rules.side, rules.random_stones, generator, device)
    games = torch.arange(count, device=device)
    resigning = (torch.rand(count, generator=generator) >= rules.control).to(device)
    while len(games) > 0:
        noise = gumbel_noise(tuple(stones.shape), generator, device)
        found = Search(judge, stones, options).run(noise)
        after, won = play(stones, found.cells)
        resigns = resigning & ~won & (found.value < rules.resign)
        over = won | resigns
        final = torch.where(resigns[:, None], stones, turned(after))
        yield Moves(games, stones, found.policy, found.value, over, won, final)
        goes_on = ~over
        stones, games, resigning = after[goes_on], games[goes_on], resigning[goes_on]


def self_play(
    judge: Judge, count: int, rules: Rules, options: Options, generator: torch.Generator,
    device: torch.device,
) -> np.ndarray:
    """Plays so many games and returns their positions as records of a shard."""
    parts = []
    # Of each game: the round it ended in, whether that round's mover won, its last stones.
    last = np.zeros(count, np.int64)
    last_mover_won = np.zeros(count, bool)
    final = np.zeros((count, rules.side**2), np.uint8)
    final_turned = np.zeros_like(final)
    rounds = moves_of_games(judge, count, rules, options, generator, device)
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
        final_turned[games[over]] = turned(moves.final).cpu().numpy()[over]
    for number, records in enumerate(parts):
        games = records["game"]
        is_last_mover = (last[games] - number) % 2 == 0
        has_won = last_mover_won[games] == is_last_mover
        records["result"] = np.where(has_won, WON, LOST)
        records["owner"] = np.where(is_last_mover[:, None], final[games], final_turned[games])
    return np.concatenate(parts)


@torch.no_grad()
def wins_against(
    first: Judge, second: Judge, pairs: int, rules: Rules, options: Options,
    generator: torch.Generator, device: torch.device,
) -> list[int]:
    """Two games an opening, each player beginning one; the first's wins in each pair, 0 to 2.

    Both search without noise: the openings alone make games differ.
    """
    stones = openings(pairs, rules.side, rules.random_stones, generator, device).repeat(2, 1)
    games = torch.arange(2 * pairs, device=device)
    wins = torch.zeros(2 * pairs, dtype=torch.bool, device=device)
    firsts_turn = games < pairs
    while len(games) > 0:
        cells = torch.zeros(len(games), dtype=torch.long, device=device)
        for judge, theirs in ((first, firsts_turn), (second, ~firsts_turn)):
            if theirs.any():
                search = Search(judge, stones[theirs], options)
                noise = torch.zeros_like(stones[theirs], dtype=torch.float32)
                cells[theirs] = search.run(noise).cells
        after, won = play(stones, cells)
        wins[games[won]] = firsts_turn[won]
        stones, games, firsts_turn = after[~won], games[~won], ~firsts_turn[~won]
    return (wins[:pairs].int() + wins[pairs:].int()).tolist()
