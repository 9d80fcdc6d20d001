"""Trains the network on shards of self-play.

    python -m train.train --data SHARDS --out RUN --minutes 60

Started again with the same --out it goes on where it was: weights, optimiser, averages, step and
random numbers; the window is as it was at the last checkpoint. Ctrl-C stops it after a checkpoint.
A run that is over goes on if it is made longer.
"""

import argparse
import signal
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from train import checkpoint
from train.checkpoint import RunError
from train.data import Batch, SampleWeights, ShardError, Window, batch_of
from train.losses import LossWeights, batches_of, losses, validate
from train.model import Network, Shape

# Seconds between lines of progress, checkpoints, and steps between looks for new shards.
PROGRESS_SECONDS = 10
CHECKPOINT_SECONDS = 180
REFRESH_STEPS = 500

# Held-out positions a side that a validation looks at.
VALIDATION_POSITIONS = 6000

# Gradients are scaled down to this norm.
CLIP_NORM = 1.0


@dataclass
class Schedule:
    """The learning rate over a run: a warm-up, a plateau, a fall to a twentieth at the end."""

    rate: float
    warm_up: int = 300  # steps
    cool_down: float = 0.4  # the last share of the run
    floor: float = 0.05

    def at(self, step: int, progress: float) -> float:
        """The rate at a step; `progress` is 0 at the run's beginning, 1 at its end."""
        rising = min(1.0, (step + 1) / self.warm_up)
        left = min(1.0, max(0.0, 1 - progress) / max(self.cool_down, 1e-9))
        return self.rate * rising * (self.floor + (1 - self.floor) * left)


class Trainer:
    """A run: the network, its optimiser, its averaged weights, and the data it learns from."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.run = Path(options.out)
        self.device = torch.device(options.device)
        self.window = self.make_window()
        self.schedule = Schedule(options.rate, cool_down=options.cool_down)
        self.step = 0
        self.seconds = 0.0  # of training, over all starts
        self.stop = False
        saved = checkpoint.load(self.run) if checkpoint.exists(self.run) else None
        self.shape = agreed_shape(options, saved)
        torch.manual_seed(options.seed)
        self.network = Network(self.shape).to(self.device)
        if saved is None and options.init:
            start = checkpoint.load(Path(options.init))
            self.network.grow_from(start["average"])
        self.average = {k: v.detach().clone() for k, v in self.network.state_dict().items()}
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=options.rate, betas=(0.9, 0.99), weight_decay=options.decay
        )
        if saved is None:
            self.window.refresh()
        else:
            self._restore(saved)
        checkpoint.cut_log(self.run, self.step)

    def make_window(self) -> Any:
        """What is learnt from: here a `Window`, in `train.mass` another kind."""
        return Window(self.options.data, self.options.window)

    def _restore(self, saved: dict[str, Any]) -> None:
        self.network.load_state_dict(saved["network"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.average = {k: v.to(self.device) for k, v in saved["average"].items()}
        self.step, self.seconds = saved["step"], saved["seconds"]
        self.resume_window(saved)

    def resume_window(self, saved: dict[str, Any]) -> None:
        """Fills the window as it was, so that the run goes on as if it had never stopped.

        A run that was over and is made longer looks for what has been written meanwhile.
        """
        if saved.get("over", False):
            self.window.refresh()
        else:
            self.window.restore(saved["window"])

    def save(self) -> None:
        """Writes the checkpoint."""
        state = {
            "shape": self.shape.as_dict(),
            "network": self.network.state_dict(),
            "average": self.average,
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
            "positions": self.step * self.options.batch,
            "window": self.window.state(),
            "over": self.progress() >= 1,
            "seed": self.options.seed,
        }
        checkpoint.save(self.run, state | self.further_state())

    def further_state(self) -> dict[str, Any]:
        """What else belongs into the checkpoint."""
        return {}

    def progress(self) -> float:
        """How much of the run is done, 0 to 1."""
        if self.options.steps:
            return min(1.0, self.step / int(self.options.steps))
        return min(1.0, self.seconds / (60 * float(self.options.minutes)))

    def _losses(self, batch: Batch) -> dict[str, torch.Tensor]:
        weights = LossWeights(
            self.options.value_weight,
            self.options.owner_weight,
            self.options.result_share,
            self.options.value_slope,
        )
        mixed = self.options.bf16
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=mixed):
            output = self.network(batch.planes)
        return losses(output, batch, weights)

    def draw(self, rng: np.random.Generator) -> Batch:
        """Positions for one step."""
        records = self.window.sample(self.options.batch, rng)
        weights = SampleWeights(self.options.tree_weight, half_visits=self.options.half_visits)
        return batch_of(records, weights, self.device)

    def learn(self) -> dict[str, torch.Tensor]:
        """One step on one batch, drawn by the seed and the step's number alone."""
        if self.step % REFRESH_STEPS == 0 and self.step > 0:
            self.window.refresh()
        batch = self.draw(np.random.default_rng([self.options.seed, self.step]))
        batch.planes = batch.planes.contiguous(memory_format=torch.channels_last)
        for group in self.optimiser.param_groups:
            group["lr"] = self.schedule.at(self.step, self.progress())
        self.network.quantised = self.progress() >= self.options.quantise_from
        self.network.activity = self.options.activity_weight
        self.optimiser.zero_grad(set_to_none=True)
        terms = self._losses(batch)
        terms["spread"] = self.network.spread()
        (terms["loss"] + self.options.spread_weight * terms["spread"]).backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP_NORM)
        self.optimiser.step()
        self._update_average()
        self.step += 1
        return {name: term.detach() for name, term in terms.items()} | {"norm": norm.detach()}

    @torch.no_grad()
    def _update_average(self) -> None:
        keep = min(self.options.average, (1 + self.step) / (10 + self.step))
        ours = list(self.average.values())
        theirs = [self.network.state_dict()[name] for name in self.average]
        torch._foreach_lerp_(ours, theirs, 1 - keep)

    def held_out(self) -> dict[int, Iterable[Batch]]:
        """Held-out positions by side."""
        held = self.window.validation(VALIDATION_POSITIONS)
        return {side: batches_of(records, self.device) for side, records in held.items()}

    def validate(self) -> None:
        """Logs how well the averaged, quantised network does on held-out games."""
        network = Network(self.shape).to(self.device)
        network.load_state_dict(self.average)
        for side, batches in self.held_out().items():
            figures = validate(network, batches)
            self.log("validation", {"side": side} | figures)
            shown = ("policy", "excess", "top1", "top1_well", "result", "search", "positions")
            line = "  ".join(f"{name} {figures[name]:.4g}" for name in shown if name in figures)
            print(f"held out {side}x{side}: {line}", flush=True)

    def log(self, event: str, figures: dict[str, Any]) -> None:
        """Adds a line to the log, with where the run is."""
        where = {"event": event, "step": self.step, "minutes": round(self.seconds / 60, 3)}
        rounded = {k: round(v, 6) if isinstance(v, float) else v for k, v in figures.items()}
        checkpoint.log(self.run, where | rounded)

    def finished(self, started: float) -> bool:
        """Whether it is time to stop: the run or this slice of it is over, or a signal came."""
        slice_over = self.options.slice_minutes and (
            time.monotonic() - started > 60 * self.options.slice_minutes
        )
        return bool(self.stop or slice_over or self.progress() >= 1)

    def report(self, terms: list[dict[str, Any]], seconds: float) -> None:
        """A line of progress about the steps since the last one."""
        means = {name: float(torch.stack([t[name] for t in terms]).mean()) for name in terms[0]}
        rate = len(terms) * self.options.batch / seconds
        learning_rate = self.optimiser.param_groups[0]["lr"]
        sizes = self.window.sizes()
        means |= {"rate": learning_rate, "positions_per_second": rate, "window": sum(sizes.values())}
        self.log("progress", means)
        print(
            f"{100 * self.progress():5.1f} %  step {self.step}  {self.seconds / 60:.1f} min"
            f"  {rate:,.0f} positions/s  policy {means['policy']:.4f}  value {means['value']:.4f}"
            f"  owner {means['owner']:.4f}  spread {means['spread']:.2f}  norm {means['norm']:.2f}"
            f"  rate {learning_rate:.2g}  window {means['window']:,}",
            flush=True,
        )

    def work(self) -> None:
        """Trains until it is time to stop."""
        started = reported = saved = now = time.monotonic()
        terms: list[dict[str, Any]] = []
        while not self.finished(started):
            terms.append(self.learn())
            before, now = now, time.monotonic()
            self.seconds += now - before
            if now - reported >= PROGRESS_SECONDS:
                self.report(terms, now - reported)
                terms, reported = [], now
            if now - saved >= CHECKPOINT_SECONDS:
                self.save()
                self.validate()
                saved = reported = now = time.monotonic()
                terms = []
        self.save()
        self.validate()


def agreed_shape(options: argparse.Namespace, saved: dict[str, Any] | None) -> Shape:
    """The shape asked for; of a run that goes on, its own, and an error if another is asked for."""
    asked = {
        "channels": options.channels,
        "layers": options.layers,
        "pool": options.pool,
        "bits": options.bits,
        "hidden": options.hidden,
    }
    asked = {name: value for name, value in asked.items() if value is not None}
    if saved is None:
        return Shape(**asked)
    shape = saved["shape"] | {"pool": tuple(saved["shape"]["pool"])}
    for name, value in asked.items():
        if value != shape[name]:
            raise RunError(
                f"{options.out} was begun with {name} {shape[name]}, not {value}: "
                "leave the option out, or choose another --out"
            )
    return Shape(**shape)


def layer_list(text: str) -> tuple[int, ...]:
    """`3,6` as (3, 6); `none` as ()."""
    return () if text == "none" else tuple(int(part) for part in text.split(","))


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    p = argparse.ArgumentParser(
        prog="python -m train.train", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    p.add_argument("--data", nargs="+", required=True, help="folders with shards (*.bin), also below")
    p.add_argument("--out", required=True, help="the run's folder; an existing run goes on")
    p.add_argument("--init", help="begin with the averaged weights of this run; more layers may follow its last one")
    p.add_argument("--channels", type=int, help="default 32")
    p.add_argument("--layers", type=int, help="default 9")
    p.add_argument("--pool", type=layer_list, help="layers with pooling, or none; default 3,6")
    p.add_argument("--bits", type=int, help="of a weight, 3 to 6; default 5")
    p.add_argument("--hidden", type=int, help="neurons of the value head; default 32")
    p.add_argument("--minutes", type=float, default=60, help="length of the run over all starts")
    p.add_argument("--steps", type=int, help="length of the run in steps, instead of --minutes")
    p.add_argument("--slice-minutes", type=float, help="stop this start after so long, to go on later")
    p.add_argument("--batch", type=int, default=512, help="positions a step")
    p.add_argument("--rate", type=float, default=3e-3, help="learning rate of the plateau")
    p.add_argument("--cool-down", type=float, default=0.4, help="share of the run in which it falls")
    p.add_argument("--decay", type=float, default=1e-2, help="weight decay, times the learning rate")
    p.add_argument("--average", type=float, default=0.999, help="how much of the average a step keeps")
    p.add_argument("--quantise-from", type=float, default=0.0, help="round from this share of the run")
    p.add_argument("--window", type=int, default=4_000_000, help="positions of the replay window")
    p.add_argument("--value-weight", type=float, default=1.0, help="of the value in the loss")
    p.add_argument("--owner-weight", type=float, default=0.15, help="of the cells' owners in the loss")
    p.add_argument("--activity-weight", type=float, default=0.0,
                   help="what the loss counts of activations that are not 0, for a faster network (default: 0)")
    p.add_argument("--spread-weight", type=float, default=0.0,
                   help="of the size of quantised weights in the loss: some 0.05 for a smaller file")
    p.add_argument("--result-share", type=float, default=0.5, help="of results in the value's target")
    p.add_argument("--value-slope", type=float, default=1.0,
                   help="the logit of the search's value is multiplied by this; 3.3 for searches with playouts")
    p.add_argument("--tree-weight", type=float, default=0.6, help="of a position of the search tree")
    p.add_argument("--half-visits", type=float, default=400,
                   help="simulations behind a policy that counts half")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, help="of the processor; default all")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--bf16", action=argparse.BooleanOptionalAction, default=True,
                   help="compute convolutions in bfloat16")
    return p


def work(trainer: Trainer) -> int:
    """Trains until it is time to stop, or until a signal says so; the exit status."""
    for kind in (signal.SIGINT, signal.SIGTERM):
        signal.signal(kind, lambda *_: setattr(trainer, "stop", True))
    shape = trainer.shape
    print(f"{shape}: {shape.weights():,} weights, {shape.weights() * shape.bits // 8:,} bytes")
    trainer.work()
    return checkpoint.INTERRUPTED if trainer.stop else 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, with the arguments of the command line if none are given; its exit status."""
    options = parser().parse_args(arguments)
    if options.threads:
        torch.set_num_threads(options.threads)
    try:
        with checkpoint.held(Path(options.out)):
            return work(Trainer(options))
    except (RunError, ShardError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
