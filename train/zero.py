"""Self-play and learning in one process, on a GPU if there is one: no program but this.

    python -m train.zero --out RUN --side 11 --iterations 500 --games 4096 --minutes 10

An iteration plays a batch of games with the averaged network (`train.games`), writes them as
shards and learns from the window of the newest. What an iteration does follows from the checkpoint
and the iteration's number alone. So a run can be stopped or killed at any time and loses at most the
iteration it was in, which is then repeated move for move; --minutes ends a slice before an
iteration that would not fit. Every few iterations the network plays the one of the rating before.

All options of `train.train` about the network and learning are understood too; the length of the run is in
iterations, not in --steps.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from train import checkpoint, train
from train.checkpoint import RunError
from train.data import ShardError, write_shard
from train.elo import elo
from train.games import Rules, judge_of, self_play, wins_against
from train.gumbel import Judge, Options
from train.model import Network

# Positions in a shard, so that files stay below 16 MB on 11x11.
SHARD_RECORDS = 30_000
CURVE = "curve.jsonl"

# Games for ratings begin with this many random stones at most, few enough to stay even.
RATING_STONES = 3


class Zero(train.Trainer):
    """A run: the learner, and where it is in its iterations."""

    def __init__(self, options: argparse.Namespace, learning: argparse.Namespace):
        self.zero = options
        self.iteration = self.games = 0
        self.elo = 0.0
        super().__init__(learning)
        saved = checkpoint.load(self.run, self.device) if checkpoint.exists(self.run) else None
        if saved and "iteration" not in saved:
            raise RunError(f"{self.run} is a run of train.train: choose another --out")
        if saved:
            self.iteration, self.games, self.elo = saved["iteration"], saved["games"], saved["elo"]
            self.rival = saved["rival"]
        else:
            self.rival = {name: values.clone() for name, values in self.average.items()}
        self.rules = Rules(options.side, options.random_stones, options.resign)
        self.search = Options(
            options.simulations, options.considered, value_scale=options.value_scale
        )

    def resume_window(self, saved: dict[str, Any]) -> None:
        """Every iteration begins with a look at what shards there are."""
        gone = [path for path, _ in saved["window"] if not Path(path).is_file()]
        if gone:
            print(f"{len(gone)} shards, {gone[0]} the first, are gone: learning from the others")

    def further_state(self) -> dict[str, Any]:
        """Where the run is, and the network of the last rating."""
        return {
            "iteration": self.iteration,
            "games": self.games,
            "elo": self.elo,
            "rival": self.rival,
        }

    def progress(self) -> float:
        """How much of the run is done, 0 to 1."""
        return min(1.0, self.iteration / int(self.zero.iterations))

    def judge(self, weights: dict[str, Any]) -> Judge:
        """A network with these weights, as a search asks it."""
        network = Network(self.shape).to(self.device)
        network.load_state_dict(weights)
        return judge_of(network, self.rules.side, self.options.bf16)

    def generator(self, purpose: int) -> torch.Generator:
        """Random numbers of this iteration."""
        seeds = np.random.SeedSequence([self.options.seed, self.iteration, purpose])
        return torch.Generator().manual_seed(int(seeds.generate_state(1, np.uint64)[0] >> 1))

    def play(self) -> int:
        """Plays this iteration's games and writes them; the number of positions."""
        judge, count = self.judge(self.average), self.zero.games
        records = self_play(
            judge, count, self.rules, self.search, self.generator(0), self.device
        )
        folder = self.run / "shards"
        for start in range(0, len(records), SHARD_RECORDS):
            name = f"{self.iteration:06}-{start // SHARD_RECORDS:03}.bin"
            part = records[start : start + SHARD_RECORDS]
            write_shard(folder / name, self.rules.side, part, self.options.seed)
        self.games += count
        return len(records)

    def iterate(self) -> None:
        """Plays, learns, saves."""
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
        speed = positions / (played - started)
        print(f"iteration {self.iteration}: {positions:,} positions played, {speed:,.0f}/s", flush=True)
        if self.iteration % self.zero.rating_every == 0:
            self.rate(positions / self.zero.games)
        self.save()
        if not self.zero.keep_shards:
            self._drop_old_shards()

    def _drop_old_shards(self) -> None:
        """Deletes what has left the window; after the checkpoint, whose window is this one."""
        wanted = {shard.path for shard in self.window.shards}
        for path in (self.run / "shards").glob("*.bin"):
            if str(path) not in wanted:
                path.unlink()

    def rate(self, length: float) -> None:
        """Plays the network of the rating before, and adds a line to the curve."""
        rules = Rules(self.rules.side, min(RATING_STONES, self.rules.random_stones))
        pairs = wins_against(
            self.judge(self.average), self.judge(self.rival), self.zero.rating_pairs, rules,
            self.search, self.generator(1), self.device,
        )
        gain, error = elo(pairs)
        self.elo += gain
        self.rival = {name: values.clone() for name, values in self.average.items()}
        wins, games = sum(pairs), 2 * len(pairs)
        line = {
            "generation": self.iteration,
            "side": self.rules.side,
            "games": self.games,
            "positions": self.step * self.options.batch,
            "minutes": round(self.seconds / 60, 2),
            "wins": wins,
            "of": games,
            "gain": round(gain, 1),
            "error": round(error, 1),
            "elo": round(self.elo, 1),
            "kept": True,
        }
        checkpoint.replace_lines(self.run / CURVE, "generation", line)
        print(
            f"against the network of {self.zero.rating_every} iterations before: {wins} of {games}, "
            f"{gain:+.0f} ± {error:.0f} Elo; {self.elo:+.0f} since the beginning; "
            f"{length:.1f} moves a game",
            flush=True,
        )
        self.validate()

    def work(self) -> None:
        """Iterates until the run or this slice of it is over."""
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
    """The options that are not `train.train`'s."""
    p = argparse.ArgumentParser(
        prog="python -m train.zero", description=__doc__, allow_abbrev=False,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    p.add_argument("--out", required=True, help="the run's folder; an existing run goes on")
    p.add_argument("--side", type=int, default=11, help="of the board, 2 to 19")
    p.add_argument("--iterations", type=int, default=500, help="length of the run")
    p.add_argument("--minutes", type=float, help="stop this start after so long, to go on later")
    p.add_argument("--games", type=int, default=2048, help="of an iteration, side by side")
    p.add_argument("--simulations", type=int, default=32, help="positions judged for a move")
    p.add_argument("--considered", type=int, default=16, help="moves tried at the root")
    p.add_argument("--value-scale", type=float, default=0.25, help="of values beside logits")
    p.add_argument("--random-stones", type=int, default=6, help="at most, before a game")
    p.add_argument("--resign", type=float, default=0.03, help="below this probability to win")
    p.add_argument("--reuse", type=float, default=4.0, help="how often a position is learnt from")
    p.add_argument("--keep-shards", action="store_true", help="also those that left the --window")
    p.add_argument("--rating-every", type=int, default=10, help="iterations between ratings")
    p.add_argument("--rating-pairs", type=int, default=100, help="pairs of games of a rating")
    return p


def check(options: argparse.Namespace) -> None:
    """Complains of numbers that make no sense."""
    if not 2 <= options.side <= 19:
        raise RunError(f"--side {options.side}: 2 to 19 are possible")
    for name in ("iterations", "games", "simulations", "considered", "rating_every", "rating_pairs"):
        if getattr(options, name) < 1:
            raise RunError(f"--{name.replace('_', '-')} {getattr(options, name)}: at least 1")
    if not 0 <= options.random_stones <= options.side**2 // 2:
        raise RunError(f"--random-stones {options.random_stones}: 0 to half of the board")


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, with the arguments of the command line if none are given; its exit status."""
    options, rest = parser().parse_known_args(arguments)
    shards = str(Path(options.out) / "shards")
    learning = train.parser().parse_args(["--data", shards, "--out", options.out, *rest])
    if learning.threads:
        torch.set_num_threads(learning.threads)
    try:
        check(options)
        with checkpoint.held(Path(options.out)):
            return train.work(Zero(options, learning))
    except (RunError, ShardError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
