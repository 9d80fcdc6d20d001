"""Self-play and learning in one process, on a GPU if there is one.

    python -m train.zero --out RUN --side 11 --iterations 500 --games 4096 --minutes 10

An iteration plays a batch of games with the averaged network (`train.games`), writes them as
shards and learns from the window of the newest. What an iteration does follows from the checkpoint
and the iteration's number alone. So a run can be stopped or killed at any time and loses at most
the iteration it was in, which is then repeated move for move; --minutes ends a slice before an
iteration that would not fit. Every few iterations the network plays the one of the rating before;
without the program `hex` the result is told in games, not in Elo.

All options of `train.train` about the network and learning are understood too; the length of the
run is in iterations, not in --steps.
"""

import argparse
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from train import checkpoint, train
from train.checkpoint import RunError
from train.data import ShardError, write_shard
from train.elo import counts, elo_difference
from train.games import Rules, evaluator_of, self_play, wins_against
from train.gumbel import Evaluator, SearchOptions
from train.model import Network
from train.options import add_options, from_arguments, option, required

# Positions in a shard, so that files stay below 16 MB on 11x11.
SHARD_RECORDS = 30_000
CURVE = "curve.jsonl"

# Games for ratings begin with this many random stones at most, few enough to stay even.
RATING_STONES = 3


@dataclass(frozen=True, kw_only=True)
class ZeroOptions:
    """The options that are not `train.train`'s."""

    out: str = required("the run's folder; an existing run goes on")
    side: int = option(11, "of the board, 2 to 19")
    iterations: int = option(500, "length of the run")
    minutes: float | None = option(
        None, "stop this start after so long, to go on later", type=float
    )
    games: int = option(2048, "of an iteration, side by side")
    simulations: int = option(32, "evaluations for a move")
    considered: int = option(16, "moves tried at the root")
    value_scale: float = option(0.25, "of values beside logits")
    random_stones: int = option(6, "at most, before a game")
    resign: float = option(0.03, "resign below this win probability")
    reuse: float = option(4.0, "how often a position is learnt from")
    keep_shards: bool = option(False, "also those that left the --window")
    rating_every: int = option(10, "iterations between ratings")
    rating_pairs: int = option(100, "pairs of games of a rating")
    hex: str = option("target/release/hex", "the program hex, which turns ratings into Elo")


class Zero(train.Trainer):
    """A run: the learner, and where it is in its iterations."""

    def __init__(self, options: ZeroOptions, learning: train.TrainingOptions):
        self.zero = options
        self.iteration = self.games = 0
        # Of the averaged network above the initial one; None after a rating without `hex`.
        self.elo: float | None = 0.0
        self.rules = Rules(options.side, options.random_stones, options.resign)
        self.search = SearchOptions(
            options.simulations, options.considered, value_scale=options.value_scale
        )
        # The weights of the averaged network at the last rating.
        self.rival: dict[str, torch.Tensor] = {}
        super().__init__(learning)
        self.rival = self.rival or self._copy_of_average()

    def restore(self, saved: dict[str, Any]) -> None:
        """Takes the state of the run from its checkpoint."""
        if "iteration" not in saved:
            raise RunError(f"{self.run} is a run of train.train: choose another --out")
        super().restore(saved)
        self.iteration, self.games, self.elo = saved["iteration"], saved["games"], saved["elo"]
        self.rival = {name: weights.to(self.device) for name, weights in saved["rival"].items()}

    def _copy_of_average(self) -> dict[str, torch.Tensor]:
        return {name: weights.clone() for name, weights in self.averaged_weights().items()}

    def resume_window(self, saved: dict[str, Any]) -> None:
        """Warns of shards that are gone; every iteration refreshes the window anyway."""
        gone = [path for path, _ in saved["window"] if not Path(path).is_file()]
        if gone:
            print(f"{len(gone)} shards, {gone[0]} the first, are gone: learning from the others")

    def further_state(self) -> dict[str, Any]:
        """Returns where the run is, and the network of the last rating."""
        return {
            "iteration": self.iteration,
            "games": self.games,
            "elo": self.elo,
            "rival": self.rival,
        }

    def progress(self) -> float:
        """Returns the share of the run that is done, 0 to 1."""
        return min(1.0, self.iteration / self.zero.iterations)

    def evaluator(self, weights: dict[str, torch.Tensor]) -> Evaluator:
        """Returns a network with these weights as an evaluator."""
        network = Network(self.shape).to(self.device)
        network.load_state_dict(weights)
        return evaluator_of(network, self.rules.side, self.options.bf16)

    def generator(self, purpose: int) -> torch.Generator:
        """Returns the random numbers of this iteration for one purpose."""
        seeds = np.random.SeedSequence([self.options.seed, self.iteration, purpose])
        return torch.Generator().manual_seed(int(seeds.generate_state(1, np.uint64)[0] >> 1))

    def play(self) -> int:
        """Plays this iteration's games and writes them; returns the number of positions."""
        count = self.zero.games
        evaluate = self.evaluator(self.averaged_weights())
        records = self_play(
            evaluate, count, self.rules, self.search, self.generator(0), self.device
        )
        folder = self.run / "shards"
        for start in range(0, len(records), SHARD_RECORDS):
            name = f"{self.iteration:06}-{start // SHARD_RECORDS:03}.bin"
            part = records[start : start + SHARD_RECORDS]
            write_shard(folder / name, self.rules.side, part, self.options.seed)
        self.games += count
        return len(records)

    def iterate(self) -> None:
        """Runs one iteration: plays, learns, saves."""
        started = time.monotonic()
        positions = self.play()
        played = time.monotonic()
        self.window.refresh()
        self.network.train()
        steps = max(1, round(positions * self.zero.reuse / self.options.batch))
        terms = [self.learn() for _ in range(steps)]
        learnt = time.monotonic()
        self.seconds += learnt - started
        self.iteration += 1
        self.report(terms, learnt - played)
        # The learning rate depends on the iteration.
        self.scheduler = self.make_scheduler()
        speed = positions / (played - started)
        print(
            f"iteration {self.iteration}: {positions:,} positions played, {speed:,.0f}/s",
            flush=True,
        )
        if self.iteration % self.zero.rating_every == 0:
            self.rate(positions / self.zero.games)
        self.save()
        if not self.zero.keep_shards:
            self._drop_old_shards()

    def _drop_old_shards(self) -> None:
        """Deletes shards that have left the window; to be called after the checkpoint."""
        wanted = {shard.path for shard in self.window.shards}
        for path in (self.run / "shards").glob("*.bin"):
            if str(path) not in wanted:
                path.unlink()

    def rate(self, length: float) -> None:
        """Plays the network of the rating before, and adds a line to the curve.

        `length` is the mean length of this iteration's games, in moves.
        """
        rules = Rules(self.rules.side, min(RATING_STONES, self.rules.random_stones))
        pairs = wins_against(
            self.evaluator(self.averaged_weights()), self.evaluator(self.rival),
            self.zero.rating_pairs, rules, self.search, self.generator(1), self.device,
        )
        has_hex = shutil.which(self.zero.hex) is not None
        difference = elo_difference(self.zero.hex, pairs) if has_hex else None
        gain, error = difference.rounded() if difference else (None, None)
        if difference is None or self.elo is None:
            self.elo = None
        else:
            self.elo += difference.elo
        self.rival = self._copy_of_average()
        wins, games = sum(pairs), 2 * len(pairs)
        line = {
            "generation": self.iteration,
            "side": self.rules.side,
            "games": self.games,
            "positions": self.step * self.options.batch,
            "minutes": round(self.seconds / 60, 2),
            "wins": wins,
            "of": games,
            "pairs": counts(pairs),
            "gain": gain,
            "error": error,
            "elo": None if self.elo is None else round(self.elo, 1),
            "kept": True,
        }
        checkpoint.replace_from(self.run / CURVE, "generation", line)
        told = f"{difference}" if difference else f"no Elo without {self.zero.hex}"
        if self.elo is not None:
            told += f", {self.elo:+.0f} since the beginning"
        print(
            f"against the network of {self.zero.rating_every} iterations before: "
            f"{wins} of {games}, {told}; {length:.1f} moves per game",
            flush=True,
        )
        self.validate()

    def work(self) -> None:
        """Runs iterations until the run or this slice of it is over."""
        started, longest = time.monotonic(), 0.0
        while self.iteration < self.zero.iterations and not self.stop:
            now = time.monotonic()
            # At least one iteration, however short the slice: else a run would never end.
            if self.zero.minutes and longest and now + longest > started + 60 * self.zero.minutes:
                break
            self.iterate()
            longest = max(longest, time.monotonic() - now)
        print(f"{self.iteration} of {self.zero.iterations} iterations are done")


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the options that are not `train.train`'s."""
    p = argparse.ArgumentParser(
        prog="python -m train.zero", description=__doc__, allow_abbrev=False,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    add_options(p, ZeroOptions)
    return p


def check(options: ZeroOptions) -> None:
    """Raises `RunError` if a number is out of its range."""
    if not 2 <= options.side <= 19:
        raise RunError(f"--side {options.side}: 2 to 19 are possible")
    for name in (
        "iterations", "games", "simulations", "considered", "rating_every", "rating_pairs",
    ):
        if getattr(options, name) < 1:
            raise RunError(f"--{name.replace('_', '-')} {getattr(options, name)}: at least 1")
    if not 0 <= options.random_stones <= options.side**2 // 2:
        raise RunError(f"--random-stones {options.random_stones}: 0 to half of the board")


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    own, rest = parser().parse_known_args(arguments)
    options = from_arguments(ZeroOptions, own)
    shards = str(Path(options.out) / "shards")
    words = ["--data", shards, "--out", options.out, *rest]
    learning = from_arguments(train.TrainingOptions, train.parser().parse_args(words))
    if learning.threads:
        torch.set_num_threads(learning.threads)
    try:
        check(options)
        with checkpoint.run_lock(Path(options.out)):
            return train.work(Zero(options, learning))
    except (RunError, ShardError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
