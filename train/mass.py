"""Learns from millions of games of the bare policy: plays, learns, exports, gates, measures.

    python -m train.mass --out RUN --init train/nets/p

One command keeps all cores busy until it is stopped: `hex lab selfplay --policy` plays with the
best network so far (the actor) on some of them, the learner learns from the newest games on the
others. Every quarter of an hour the learner's averaged network is written as a weights file, plays
`hex match` against the actor and takes its place unless it scores too little, and `curve.jsonl`
gets a line. Ctrl-C or a kill at any time: the same command goes on, minutes are lost at most.

RUN holds checkpoint.pt and log.jsonl (as of `train.train`), games/ (the shards of the window),
actor.weights and candidate.weights (weights files), curve.jsonl, matches/ and selfplay.log.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from train import checkpoint
from train.archive import GameWindow, Mixture, Study, batch_of_positions
from train.checkpoint import RunError
from train.children import dies_with_parent
from train.data import Batch, ShardError
from train.elo import elo_difference
from train.loop import pairs_of_match
from train.losses import VALIDATION_BATCH
from train.options import add_options, from_arguments, option
from train.train import VALIDATION_POSITIONS, Trainer, TrainingOptions, on_stop_signals

CURVE = "curve.jsonl"
GAMES = "games"

# A candidate takes the actor's place unless its score against it is below this.
GATE = 0.42

# The figures in what the yardstick prints.
VALUES_LINE = re.compile(r"correlation (-?[\d.]+), same side preferred ([\d.]+)")
MOVES_LINE = re.compile(r"mean loss (-?[\d.]+).*not judged by the reference ([\d.]+)")

# Seconds between lines of progress.
PROGRESS_SECONDS = 60

# Seconds between two looks for new games.
WAIT_SECONDS = 1


@dataclass(frozen=True, kw_only=True)
class MassOptions(TrainingOptions):
    """The options of the command: those of `train.train` with other defaults, and some more."""

    data: tuple[str, ...] = option((), argparse.SUPPRESS, nargs="*")
    minutes: float = option(1e9, "length of the run over all starts")
    rate: float = option(1e-3, "learning rate of the plateau")
    cool_down: float = option(1e-9, "share of the run in which the learning rate falls")
    window: int = option(2_000_000, "games of the replay window")
    activity_weight: float = option(
        0.02, "weight in the loss of activations that are not 0, for a faster network"
    )
    l1_weight: float = option(
        0.013, "weight in the loss of the weights' L1 norm, for a smaller file"
    )
    threads: int | None = option(1, "of the learner")
    hex: str = option("target/release/hex", "the command of the tools")
    players: int = option(
        1, "threads that play; 0: learns from the games there are, without --reuse"
    )
    play: str = option("", "further options of hex lab selfplay --policy, in one word")
    lines: str | None = option(
        None, "lines of moves that some games begin with: see hex lab selfplay --policy"
    )
    study: str | None = option(
        None, "positions with win rates of a stronger network, learnt from as a small share"
    )
    study_share: float = option(0.03, "their share of a batch")
    searched: float = option(0.6, "share of a batch that was searched")
    td_lambda: float = option(
        0.93, "λ of the value's TD(λ) target; 1: the game's result alone"
    )
    least_games: int = option(30_000, "learning begins with so many")
    reuse: float = option(
        8.0, "the most times that a position with a search is learnt from, on average; learning "
        "waits for new games beyond"
    )
    checkpoint_minutes: float = option(3.0, "between two checkpoints")
    measure_minutes: float = option(15.0, "between two lines of the curve")
    rounds: float = option(float("inf"), "stop this start after so many lines of the curve")
    gate_games: int = option(80, "against the actor, and against the first network")
    gate_simulations: int = option(200, "per move in these games")
    policy_games: int = option(400, "of the bare policy against the first network's")
    yardstick: tuple[str, ...] | None = option(
        None, "a script that holds a GTP engine against positions, and those",
        nargs=2, metavar=("SCRIPT", "POSITIONS"),
    )
    nice: int = option(15, "added to the niceness of all processes of the run")


class MassTrainer(Trainer):
    """A trainer that learns from whole games."""

    options: MassOptions
    window: GameWindow

    def __init__(self, options: MassOptions):
        # Games of the run whose shards are not in the folder, since it was emptied.
        self.played_before = 0
        # Of the folder's games: positions with a search that have been learnt from, each time
        # counted, and those that are no longer in the window.
        self.drawn, self.searched_before = 0, 0
        super().__init__(options)

    @property
    def played(self) -> int:
        """The games that the run has played, over all starts."""
        return self.played_before + self.window.played

    @property
    def searched(self) -> int:
        """The positions with a search that the folder's games have brought for learning."""
        return self.searched_before + self.window.searched

    def may_learn(self) -> bool:
        """Returns false while the games there are have been learnt from often enough.

        Without players nothing new would come, and the length of the run is the limit.
        """
        return self.options.players == 0 or self.drawn < self.options.reuse * self.searched

    def further_state(self) -> dict[str, Any]:
        return {"played_before": self.played_before, "played_in_folder": self.window.played,
                "drawn": self.drawn, "searched": self.searched}

    def make_window(self) -> GameWindow:
        options = self.options
        if options.searched + options.study_share > 1:
            raise ValueError(f"--searched {options.searched} and --study-share "
                             f"{options.study_share} are more than 1 together")
        study = Study(Path(options.study), self.device) if options.study else None
        mixture = Mixture(searched=options.searched, study=options.study_share,
                          game=options.result_share, decay=options.td_lambda)
        return GameWindow(self.run / GAMES, options.window, mixture, self.device, study)

    def resume_window(self, saved: dict[str, Any]) -> None:
        """Fills the window with the games there are; batches need not be the same ones again.

        A folder without them, such as a copy of the checkpoint alone, makes a new beginning: its
        games count beside those that were played before.
        """
        self.window.refresh()
        self.played_before = saved.get("played_before", 0)
        in_folder = saved.get("played_in_folder", 0)
        if self.window.played < in_folder:
            self.played_before += in_folder
        else:
            self.drawn = saved.get("drawn", 0)
            self.searched_before = max(0, saved.get("searched", 0) - self.window.searched)

    def draw(self, rng: np.random.Generator) -> Batch:
        generator = torch.Generator(self.device)
        generator.manual_seed(int(rng.integers(2**62)))
        self.drawn += int(self.options.batch * self.options.searched)
        return batch_of_positions(self.window.sample(self.options.batch, generator))

    def held_out(self) -> dict[int, Iterable[Batch]]:
        positions = self.window.validation(VALIDATION_POSITIONS)
        if positions is None:
            return {}
        parts = range(0, len(positions.won), VALIDATION_BATCH)
        batch = batch_of_positions(positions)
        fields = {name: value for name, value in vars(batch).items() if value is not None}
        return {11: [replace(batch, **{name: value[at : at + VALIDATION_BATCH]
                                       for name, value in fields.items()}) for at in parts]}


class Actor:
    """The process that plays."""

    def __init__(self, options: MassOptions, run: Path):
        self.options, self.run = options, run
        self.process: subprocess.Popen[bytes] | None = None

    def keep_playing(self) -> None:
        """Starts the process if it should run and does not; raises `RunError` if it has failed."""
        if self.options.players == 0 or (self.process and self.process.poll() is None):
            return
        if self.process and self.process.returncode not in (0, -signal.SIGTERM):
            raise RunError(f"self-play ended with status {self.process.returncode}: "
                           f"{self.run / 'selfplay.log'} has its reason")
        options = self.options
        words = [options.hex, "lab", "selfplay", "--policy", "--out", self.run / GAMES,
                 "--weights", self.run / "actor.weights", "--threads", options.players,
                 "--seed", options.seed, *options.play.split()]
        if options.lines:
            words += ["--lines", options.lines]
        with open(self.run / "selfplay.log", "a", encoding="utf-8") as log:
            # A session of its own: Ctrl-C reaches it through `stop` alone.
            self.process = subprocess.Popen(
                [str(word) for word in words], stderr=log, start_new_session=True,
                preexec_fn=dies_with_parent,  # noqa: PLW1509
            )

    def stop(self) -> None:
        """Ends the process; unfinished shards are lost."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()


class Measurer:
    """Exports, gates and measures beside the learning, one round at a time."""

    def __init__(self, options: MassOptions, run: Path):
        self.options, self.run = options, run
        self.thread: threading.Thread | None = None
        self.child: subprocess.Popen[str] | None = None
        self.stopped = False
        self.rounds = 0

    def begin(self, figures: dict[str, Any]) -> bool:
        """Starts a round on the checkpoint just saved; returns false if one is still running."""
        if self.thread and self.thread.is_alive():
            return False
        self.thread = threading.Thread(target=self._round, args=(figures,), daemon=True)
        self.thread.start()
        return True

    def stop(self) -> None:
        """Ends the running round; the next one does its work again."""
        self.stopped = True
        if self.child and self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)
        if self.thread:
            self.thread.join(timeout=20)

    def _command(self, *words: object) -> str:
        """Runs a command and returns what it prints."""
        if self.stopped:
            raise RunError("stopped")
        line = [str(word) for word in words]
        self.child = subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, preexec_fn=dies_with_parent,  # noqa: PLW1509
        )
        output, errors = self.child.communicate()
        if self.child.returncode != 0:
            status = self.child.returncode
            raise RunError(f"{' '.join(line)} ended with status {status}: {errors[-500:]}")
        return output

    def _round(self, figures: dict[str, Any]) -> None:
        try:
            export(self._command, self.run, self.run / "candidate.weights", figures["step"])
            step = figures["step"]
            figures |= self._gate(step) | self._policy(step) | self._yardstick()
        except (RunError, OSError, ValueError) as error:
            if not self.stopped:
                print(f"not measured: {error}", file=sys.stderr, flush=True)
            return
        checkpoint.replace_from(self.run / CURVE, "step", figures)
        self.rounds += 1
        print("  ".join(f"{name} {value}" for name, value in figures.items()), flush=True)

    def _match(
        self, name: str, games: int, simulations: int, theirs: Path, seed: int
    ) -> list[int]:
        """Returns the candidate's wins, 0 to 2, in each pair against another network."""
        folder, ours = self.run / "matches" / name, self.run / "candidate.weights"
        shutil.rmtree(folder, ignore_errors=True)
        self._command(
            self.options.hex, "match",
            f"builtin:simulations={simulations},weights={ours} ;; name=candidate",
            f"builtin:simulations={simulations},weights={theirs} ;; name=other",
            "--games", games, "--out", folder, "--openings", "random:3", "--seed", seed,
            "--first-ms", 60_000, "--turn-ms", 60_000, "--threads", 1,
        )
        return pairs_of_match(folder / "games.jsonl")

    def _gate(self, step: int) -> dict[str, Any]:
        options = self.options
        pairs = self._match("gate", options.gate_games, options.gate_simulations,
                            self.run / "actor.weights", step + 1)
        share = sum(pairs) / (2 * len(pairs))
        if share >= GATE:
            unfinished = self.run / "actor.weights.new"
            shutil.copyfile(self.run / "candidate.weights", unfinished)
            os.replace(unfinished, self.run / "actor.weights")
        return {"gate": round(share, 3)}

    def _policy(self, step: int) -> dict[str, Any]:
        """Measures the candidate against the run's first network: bare policy, and with search."""
        figures: dict[str, Any] = {}
        options = self.options
        for name, games, simulations in (("policy", options.policy_games, 1),
                                         ("search", options.gate_games, options.gate_simulations)):
            pairs = self._match(name, games, simulations, self.run / "first.weights", step + 2)
            gain, error = elo_difference(options.hex, pairs).rounded()
            figures |= {f"{name}_elo": gain, f"{name}_error": error}
        return figures

    def _yardstick(self) -> dict[str, Any]:
        """Returns the yardstick's figures of the candidate, none without a yardstick."""
        if not self.options.yardstick:
            return {}
        script, positions = self.options.yardstick
        output = self._command(
            sys.executable, script, positions, "--values", 600, "--moves", 200, "--",
            self.options.hex, "gtp", "--simulations", 400, "--swap", "off",
            "--weights", self.run / "candidate.weights",
        )
        values, moves = VALUES_LINE.search(output), MOVES_LINE.search(output)
        if not values or not moves:
            raise ValueError(f"the yardstick printed {output!r}")
        return {"correlation": float(values[1]), "same_side": float(values[2]),
                "loss": float(moves[1]), "unjudged": float(moves[2])}


def export(command: Callable[..., str], run: Path, out: Path, step: int) -> None:
    """Exports the averaged network of a run."""
    command(sys.executable, "-m", "train.export", run, "-o", out, "--id", f"{run.name}-{step}")


class Mass:
    """The learner, the actor beside it, and the measurer."""

    def __init__(self, options: MassOptions):
        self.options = options
        self.run = Path(options.out)
        # A program too old to tell an Elo is an error now, not at the end of the first round.
        elo_difference(options.hex, [1])
        (self.run / GAMES).mkdir(parents=True, exist_ok=True)
        self.trainer = MassTrainer(options)
        self.actor = Actor(options, self.run)
        self.measurer = Measurer(options, self.run)

    def work(self) -> None:
        """Runs until it is over or stopped."""
        try:
            self._begin()
            self._learn()
        finally:
            self.measurer.stop()
            self.actor.stop()
        self.trainer.save()

    def _begin(self) -> None:
        """Starts the actor, and waits for enough games."""
        if not checkpoint.exists(self.run):
            self.trainer.save()
        for name in ("first.weights", "actor.weights"):
            if not (self.run / name).is_file():
                export(self.measurer._command, self.run, self.run / name, self.trainer.step)
        self.actor.keep_playing()
        self.trainer.window.refresh()
        least, games = self.options.least_games, self.run / GAMES
        if self.options.players == 0 and not self.trainer.window.ready(least):
            raise RunError(f"{games} has fewer than {least} games and --players 0 adds none: "
                           "copy shards there, or lower --least-games")
        while not self.trainer.window.ready(least) and not self.trainer.stop:
            time.sleep(WAIT_SECONDS)
            self.actor.keep_playing()
            self.trainer.window.refresh()

    def _learn(self) -> None:
        trainer, started = self.trainer, time.monotonic()
        now = reported = saved = started
        measured = -float("inf")
        terms: list[dict[str, Any]] = []
        while not trainer.finished(started) and self.measurer.rounds < self.options.rounds:
            if trainer.may_learn():
                terms.append(trainer.learn())
                before, now = now, time.monotonic()
                trainer.seconds += now - before
            else:
                time.sleep(WAIT_SECONDS)
                trainer.window.refresh()
                now = time.monotonic()
            if now - reported >= PROGRESS_SECONDS:
                if terms:
                    trainer.report(terms, now - reported)
                terms, reported = [], now
                self.actor.keep_playing()
            if now - saved >= 60 * self.options.checkpoint_minutes:
                trainer.save()
                trainer.window.refresh()
                saved = now = time.monotonic()
                is_due = now - measured >= 60 * self.options.measure_minutes
                if is_due and self.measurer.begin(self.figures()):
                    trainer.validate()
                    measured = now = time.monotonic()

    def figures(self) -> dict[str, Any]:
        """Returns where the run is, for the curve."""
        trainer = self.trainer
        searches = len(trainer.window.games.search_ply) if trainer.window.games else 0
        return {
            "step": trainer.step,
            "minutes": round(trainer.seconds / 60, 1),
            "games": trainer.played,
            "positions": trainer.step * self.options.batch,
            "searches_in_window": searches,
        }


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    p = argparse.ArgumentParser(
        prog="python -m train.mass", description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    add_options(p, MassOptions)
    return p


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    options = from_arguments(MassOptions, parser().parse_args(arguments))
    os.nice(options.nice)
    torch.set_num_threads(options.threads or 1)
    try:
        with checkpoint.run_lock(Path(options.out)):
            mass = Mass(options)
            on_stop_signals(lambda *_: setattr(mass.trainer, "stop", True))
            mass.work()
    except (RunError, ShardError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return checkpoint.INTERRUPTED if mass.trainer.stop else 0


if __name__ == "__main__":
    sys.exit(main())
