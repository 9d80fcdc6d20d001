"""Self-play and learning without `hex`, in tensors: made for a GPU, and slow on a processor.

    python -m train.zero --out RUN --side 11 --iterations 500 --games 4096

An iteration plays a batch of games with the averaged network (`train.games`), writes them as a
shard, and learns from the window of the newest; shards that have left the window are deleted. What
an iteration does follows from the checkpoint before it alone. So a run that is stopped or killed
loses at most the iteration that it was in, and the same command plays it again move for move.

All options of `train.train` are understood, too, but for the length of the run.
"""

import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from train import train
from train.checkpoint import RunError
from train.data import write_shard
from train.games import Rules, evaluator_of, self_play
from train.gumbel import SearchOptions
from train.model import Network
from train.options import option, parse, reporting
from train.preset import SIDES
from train.train import Trainer, TrainingOptions


@dataclass(frozen=True, kw_only=True)
class ZeroOptions(SearchOptions, Rules, TrainingOptions):
    """The options of the command."""

    data: tuple[str, ...] = option((), "further folders with shards, also below", nargs="+")
    iterations: int = option(500, "length of the run")
    iteration_steps: int = option(1000, "of the learner, in an iteration")
    games: int = option(2048, "of an iteration, side by side")


def play(trainer: Trainer, options: ZeroOptions, iteration: int) -> None:
    """Plays an iteration's games with the averaged network, and writes them as a shard."""
    network = Network(trainer.shape).to(trainer.device)
    network.load_state_dict(trainer.averaged_weights())
    evaluate = evaluator_of(network, options.side, trainer.options.bf16)
    seeds = np.random.SeedSequence([trainer.options.seed, iteration])
    generator = torch.Generator().manual_seed(int(seeds.generate_state(1, np.uint64)[0] >> 1))
    started = time.monotonic()
    records = self_play(evaluate, options.games, options, options, generator, trainer.device)
    speed = len(records) / (time.monotonic() - started)
    print(f"iteration {iteration}: {len(records):,} positions played, {speed:,.0f}/s", flush=True)
    shard = Path(trainer.options.data[0]) / f"{iteration:06}.bin"
    write_shard(shard, options.side, records, trainer.options.seed)


def iterate(trainer: Trainer, options: ZeroOptions) -> None:
    """Runs iterations until the run or this slice of it is over."""
    started = time.monotonic()
    # At least one iteration, however short the slice: else a run would never end.
    while trainer.progress() < 1:
        iteration = trainer.step // options.iteration_steps
        begun = time.monotonic()
        play(trainer, options, iteration)
        trainer.window.refresh()
        trainer.network.train()
        learning, terms = time.monotonic(), []
        while trainer.step < (iteration + 1) * options.iteration_steps:
            terms.append(trainer.learn())
            if trainer.stop:
                return
        trainer.seconds += time.monotonic() - begun
        trainer.report(terms, time.monotonic() - learning)
        trainer.save()
        wanted = {shard.path for shard in trainer.window.shards}
        for path in Path(trainer.options.data[0]).glob("*.bin"):
            if str(path) not in wanted:
                path.unlink()
        if trainer.finished(started):
            break
    trainer.validate()


def check(options: ZeroOptions) -> None:
    """Raises `RunError` if a number is out of its range."""
    if options.side not in SIDES:
        raise RunError(f"--side {options.side}: 2 to 19 are possible")
    for name in ("iterations", "iteration_steps", "games", "simulations", "considered"):
        if getattr(options, name) < 1:
            raise RunError(f"--{name.replace('_', '-')} {getattr(options, name)}: at least 1")
    if not 0 <= options.random_stones <= options.side**2 // 2:
        raise RunError(f"--random-stones {options.random_stones}: 0 to half of the board")


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    options = parse(ZeroOptions, "train.zero", __doc__, arguments)
    check(options)
    options = replace(options, data=(str(Path(options.out) / "shards"), *options.data),
                      steps=options.iterations * options.iteration_steps, whole_games=False)
    return train.begin(options, lambda trainer: iterate(trainer, options))


if __name__ == "__main__":
    sys.exit(main())
