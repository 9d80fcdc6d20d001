"""Trains the network on shards of self-play.

    python -m train.train --data SHARDS --out RUN --minutes 60 --export RUN/network.weights

Learns from shards of positions (*.bin), or with --whole-games from those that `hex lab selfplay
--policy` writes (*.games). Started again with the same --out it goes on where it was: weights,
optimiser, averages, step and random numbers; the window is as it was at the last checkpoint. Ctrl-C
stops it after a checkpoint. A run that is over goes on if it is made longer.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from train import checkpoint, export
from train.archive import GameWindow
from train.checkpoint import RunError
from train.data import ReplayWindow, SampleOptions, Window
from train.losses import LossOptions, losses, validate
from train.model import Network, Output, Shape
from train.options import (
    COUNT,
    COUNT_OR_NONE,
    POSITIVE,
    SHARE,
    WEIGHT,
    option,
    parse,
    reporting,
    required,
)

# Seconds between lines of progress and between checkpoints; steps between looks for new shards.
PROGRESS_SECONDS = 10
CHECKPOINT_SECONDS = 180
REFRESH_STEPS = 500

# Gradients are scaled down to this norm.
CLIP_NORM = 1.0

# The learning rate rises in at most this share of a run.
WARM_UP_SHARE = 0.05

# PyTorch's names of the instructions for bfloat16; one is enough. x86-64 has the first two, ARM the
# third.
BFLOAT16_INSTRUCTIONS = ("avx512_bf16", "amx_bf16", "bf16")

# It falls to this share of the plateau's.
FINAL_RATE = 0.05


def layer_list(text: str) -> tuple[int, ...]:
    """Returns `3,6` as (3, 6) and `none` as ()."""
    return () if text == "none" else tuple(int(part) for part in text.split(","))


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The options of a run."""

    data: tuple[str, ...] = required("folders with shards, also below", nargs="+")
    out: str = required("the run's folder; an existing run goes on")
    export: str | None = option(
        None, "when the run or this slice of it is over, write its network into this weights file"
    )
    id: str | None = option(None, "the exported network's name; default: shape and step")
    init: str | None = option(
        None, "warm start from the averaged weights of this run, in its shape; --layers may add "
        "blocks"
    )
    channels: int | None = option(None, "default 32, or as in --init", (1, 1024), type=int)
    layers: int | None = option(None, "default 9, or as in --init", (1, 64), type=int)
    pool: tuple[int, ...] | None = option(
        None, "layers with global pooling, or none; default 3,6", (1, 63), type=layer_list
    )
    bits: int | None = option(None, "of a weight, 3 to 6; default 5", (3, 6), type=int)
    hidden: int | None = option(
        None, "neurons of the value head; default 32", (1, 1024), type=int
    )
    minutes: float = option(60.0, "length of the run over all starts", POSITIVE)
    steps: int | None = option(
        None, "length of the run in steps, instead of --minutes", COUNT, type=int
    )
    slice_minutes: float | None = option(
        None, "stop this start after so long, to go on later", POSITIVE, type=float
    )
    batch: int = option(512, "positions per step", (1, 1_000_000))
    rate: float = option(3e-3, "learning rate of the plateau", SHARE)
    warm_up: int = option(
        300, "steps in which the rate rises, but at most a twentieth of the run", COUNT_OR_NONE
    )
    cool_down: float = option(0.4, "share of the run in which the learning rate falls", SHARE)
    decay: float = option(1e-2, "weight decay, times the learning rate", WEIGHT)
    average: float = option(0.999, "decay of the weights' moving average, per step", SHARE)
    window: int = option(4_000_000, "positions, or whole games, of the replay window", COUNT)
    whole_games: bool = option(False, "learn from whole games (*.games), not from positions")
    seed: int = option(1, "of random numbers", COUNT_OR_NONE)
    threads: int | None = option(None, "of the processor; default all", (1, 1024), type=int)
    device: str = option("cpu", "cpu, or cuda for a GPU")
    bf16: bool | None = option(
        None, "compute convolutions in bfloat16; default: on a GPU, and on a processor with "
        "instructions for it"
    )
    compile: bool = option(
        False, "compile the network as it learns, in some 15 seconds; docs/training.md says how "
        "much faster it learns; needs a C++ compiler"
    )


@dataclass(frozen=True, kw_only=True)
class TrainingOptions(SampleOptions, LossOptions, RunOptions):
    """The options of the command."""


def moving_average(network: Network, decay: float, steps: int) -> AveragedModel:
    """Returns the exponential moving average of a network's weights, after `steps` of training.

    `decay` is the share of the average that a step keeps. In the first steps it is smaller,
    (1 + step) / (10 + step), so that the average soon forgets the initial weights.
    """

    def update(averages: Any, weights: Any, count: Any) -> None:
        # This counter, unlike `count`, is in the processor's memory: no step waits for the GPU.
        step = int(average.n_averaged)
        keep = min(decay, (1 + step) / (10 + step))
        get_ema_multi_avg_fn(keep)(averages, weights, count)

    average = AveragedModel(network, multi_avg_fn=update)
    average.n_averaged.fill_(steps)
    return average


def check_compiler() -> None:
    """Raises `RunError` without a C++ compiler."""
    compiler = os.environ.get("CXX", "g++")
    if shutil.which(compiler) is None:
        raise RunError(f"--compile needs the C++ compiler {compiler}: install it, or name another "
                       "in CXX, or leave the option out")


def computes_bfloat16(device: torch.device) -> bool:
    """Returns true if a device has instructions for bfloat16.

    A processor without them converts each number: learning is then ten times slower than in
    float32.
    """
    known = torch.cpu.get_capabilities()
    return device.type != "cpu" or any(known.get(name) for name in BFLOAT16_INSTRUCTIONS)


def compiled(network: Network) -> Callable[[torch.Tensor], Output]:
    """Returns the network as machine code, compiled when it is first used, with its gradient.

    Learning on a processor spends most of its time in passes over the activations, which the
    compiler joins. Raises `RunError` without a C++ compiler.
    """
    check_compiler()
    return cast(Callable[[torch.Tensor], Output], torch.compile(network))


class Trainer:
    """A run: the network, its optimiser, its averaged weights, and the data it learns from."""

    def __init__(self, options: TrainingOptions):
        self.options = options
        self.run = Path(options.out)
        self.device = torch.device(options.device)
        self.bf16 = computes_bfloat16(self.device) if options.bf16 is None else options.bf16
        self.window = window_of(options, self.device)
        self.step = 0
        self.seconds = 0.0  # of training, over all starts
        self.stop = False
        saved = checkpoint.load(self.run) if checkpoint.exists(self.run) else None
        start = checkpoint.load(Path(options.init)) if options.init and saved is None else None
        self.shape = agreed_shape(options, saved, start)
        torch.manual_seed(options.seed)
        self.network = Network(self.shape).to(self.device)
        self.evaluate = compiled(self.network) if options.compile else self.network
        if start is not None:
            try:
                self.network.warm_start(start["average"])
            except ValueError as error:
                raise RunError(f"--init {options.init}: {error}; leave --channels, --layers, "
                               "--pool, --bits and --hidden out to take its shape") from error
        self.average = moving_average(self.network, options.average, 0)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=options.rate, betas=(0.9, 0.99),
            weight_decay=options.decay,
        )
        if saved is None:
            self.window.refresh()
        else:
            self.restore(saved)
        checkpoint.truncate_log(self.run, self.step)

    def restore(self, saved: dict[str, Any]) -> None:
        """Takes the state of the run from its checkpoint: it goes on as if it had never stopped."""
        self.network.load_state_dict(saved["network"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.step, self.seconds = saved["step"], saved["seconds"]
        self.average = moving_average(self.network, self.options.average, self.step)
        self.average.module.load_state_dict(saved["average"])
        # A run that was over and is made longer looks for what has been written meanwhile. Earlier
        # versions kept no record of whole games.
        if saved.get("over", False) or not saved["window"]:
            self.window.refresh()
        else:
            self.window.restore(saved["window"])

    def learning_rate(self) -> float:
        """Returns the learning rate of the next step.

        It rises over the steps of `warm_up` or WARM_UP_SHARE of the run, whichever ends first, and
        falls to FINAL_RATE of its height in the last share `cool_down` of the run.
        """
        done = self.progress()
        rising = max((self.step + 1) / max(self.options.warm_up, 1), done / WARM_UP_SHARE)
        left = min(1.0, (1 - done) / max(self.options.cool_down, 1e-9))
        return self.options.rate * min(1.0, rising) * (FINAL_RATE + (1 - FINAL_RATE) * left)

    def averaged_weights(self) -> dict[str, torch.Tensor]:
        """Returns the averaged weights by name; they change with every step."""
        weights: dict[str, torch.Tensor] = self.average.module.state_dict()
        return weights

    def save(self) -> None:
        """Writes the checkpoint."""
        state = {
            "shape": self.shape.as_dict(),
            "network": self.network.state_dict(),
            "average": self.averaged_weights(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
            "positions": self.step * self.options.batch,
            "window": self.window.state(),
            "over": self.progress() >= 1,
            "seed": self.options.seed,
        }
        checkpoint.save(self.run, state)

    def progress(self) -> float:
        """Returns the share of the run that is done, 0 to 1."""
        if self.options.steps:
            return min(1.0, self.step / self.options.steps)
        return min(1.0, self.seconds / (60 * self.options.minutes))

    def learn(self) -> dict[str, torch.Tensor]:
        """Takes one step on one batch, drawn by the seed and the step's number alone.

        Returns the terms of the loss and the norm of the gradient.
        """
        if self.step % REFRESH_STEPS == 0 and self.step > 0:
            self.window.refresh()
        options = self.options
        batch = self.window.batch(options.batch, np.random.default_rng([options.seed, self.step]))
        self.network.activity = options.activity_weight
        for group in self.optimiser.param_groups:
            group["lr"] = self.learning_rate()
        self.optimiser.zero_grad(set_to_none=True)
        planes = batch.planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.bf16):
            output = self.evaluate(planes)
        terms = losses(output, batch, options) | {"l1": self.network.weight_l1()}
        (terms["loss"] + options.l1_weight * terms["l1"]).backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP_NORM)
        self.optimiser.step()
        self.average.update_parameters(self.network)
        self.step += 1
        return {name: term.detach() for name, term in terms.items()} | {"norm": norm.detach()}

    def validate(self) -> None:
        """Logs and prints the figures of the averaged, quantised network on held-out games."""
        network = cast(Network, self.average.module)
        for side, batches in self.window.held_out().items():
            figures = validate(network, batches)
            self.log("validation", {"side": side} | figures)
            line = "  ".join(f"{name} {figure:.4g}" for name, figure in figures.items())
            print(f"held out {side}x{side}: {line}", flush=True)

    def log(self, event: str, figures: dict[str, Any]) -> None:
        """Appends an event to the log, with the step and the minutes so far."""
        where = {"event": event, "step": self.step, "minutes": round(self.seconds / 60, 3)}
        rounded = {k: round(v, 6) if isinstance(v, float) else v for k, v in figures.items()}
        checkpoint.log(self.run, where | rounded)

    def finished(self, started: float) -> bool:
        """Returns true if the run or this slice of it is over, or a signal came.

        `started` is the start of this slice, as of `time.monotonic`.
        """
        most = self.options.slice_minutes
        is_slice_over = most and time.monotonic() - started > 60 * most
        return bool(self.stop or is_slice_over or self.progress() >= 1)

    def report(self, terms: list[dict[str, Any]], seconds: float) -> None:
        """Logs and prints the means of `terms`, one of `learn` per step, over so many seconds."""
        means = {name: float(torch.stack([t[name] for t in terms]).mean()) for name in terms[0]}
        speed = len(terms) * self.options.batch / seconds
        rate = self.optimiser.param_groups[0]["lr"]
        window = sum(self.window.sizes().values())
        further = {"rate": rate, "positions_per_second": speed, "window": window}
        self.log("progress", means | further)
        print(
            f"{100 * self.progress():5.1f} %  step {self.step}  {self.seconds / 60:.1f} min"
            f"  {speed:,.0f} positions/s  policy {means['policy']:.4f}  value {means['value']:.4f}"
            f"  owner {means['owner']:.4f}  L1 {means['l1']:.2f}  norm {means['norm']:.2f}"
            f"  rate {rate:.2g}  window {window:,}",
            flush=True,
        )

    def work(self) -> None:
        """Trains until the run or this slice of it is over."""
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


def window_of(options: TrainingOptions, device: torch.device) -> ReplayWindow[Any]:
    """Returns the replay window that the options ask for, still empty."""
    if options.study and not options.whole_games:
        raise RunError("--study is learnt from beside --whole-games alone")
    kind = GameWindow if options.whole_games else Window
    return kind(options.data, options.window, options, device)


def check_device(name: str) -> None:
    """Raises `RunError` if this PyTorch cannot compute on a device."""
    try:
        device = torch.device(name)
        if device.type == "cuda" and not find_spec("nvidia.cublas"):
            raise RunError("the packages for GPUs are missing: python3 -m train.install gpu")
        torch.zeros(1, device=device).item()
    except (AssertionError, RuntimeError, NotImplementedError) as error:
        why = str(error).splitlines()[0]
        raise RunError(f"device {name}: {why}: cpu is always there") from error


def check(options: TrainingOptions, shape: Shape | None = None) -> Shape:
    """Returns the shape of the network of a run that begins or goes on.

    It is `shape` if that is given. Raises `RunError` or `ValueError` if options contradict each
    other or what is there.
    """
    check_device(options.device)
    window_of(options, torch.device("cpu"))
    if options.compile:
        check_compiler()
    run, init = Path(options.out), options.init
    saved = checkpoint.load(run) if checkpoint.exists(run) else None
    if shape and not saved:
        saved = {"shape": shape.as_dict()}
    return agreed_shape(options, saved, checkpoint.load(Path(init)) if init and not saved else None)


def agreed_shape(
    options: TrainingOptions, saved: dict[str, Any] | None, start: dict[str, Any] | None = None
) -> Shape:
    """Returns the shape asked for, or that of the run that goes on.

    `start` is the checkpoint that a new run begins with: what is not asked for is as there. Raises
    `RunError` if the options ask for another shape than that of the run.
    """
    names = ("channels", "layers", "pool", "bits", "hidden")
    asked = {name: getattr(options, name) for name in names}
    asked["soft_policy"] = options.soft_policy_weight > 0 or None
    given = {name: value for name, value in asked.items() if value is not None}
    if saved is None:
        begun_with = Shape.from_dict(start["shape"]) if start else Shape()
        return replace(begun_with, **given)
    shape = Shape.from_dict(saved["shape"])
    for name, value in given.items():
        if value != getattr(shape, name):
            raise RunError(f"{options.out} was begun with {name} {getattr(shape, name)}, not "
                           f"{value}: leave the option out, or choose another --out")
    return shape


def begin(options: TrainingOptions, work: Callable[[Trainer], None]) -> int:
    """Runs the command that `work` is the middle of; returns its exit status.

    What is to be exported is so at the end, but not after a signal. Raises `RunError` or
    `ValueError`.
    """
    if options.threads:
        torch.set_num_threads(options.threads)
    check_device(options.device)
    out = Path(options.export) if options.export else None
    if out:
        checkpoint.check_is_no_source(out)
    with checkpoint.run_lock(Path(options.out)):
        trainer = Trainer(options)
        checkpoint.on_stop_signals(lambda *_: setattr(trainer, "stop", True))
        shape = trainer.shape
        print(f"{shape}: {shape.weights():,} weights, {shape.weights() * shape.bits // 8:,} bytes")
        work(trainer)
        if trainer.stop:
            return checkpoint.INTERRUPTED
        if out:
            export.export(trainer.run, out, options.id)
    return 0


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    return begin(parse(TrainingOptions, "train.train", __doc__, arguments), Trainer.work)


if __name__ == "__main__":
    sys.exit(main())
