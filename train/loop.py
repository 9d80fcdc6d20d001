"""Generation after generation: play, learn, gate, keep. `python -m train` runs it from a preset.

docs/training.md explains the four phases; on small boards the exact solver judges the candidate,
too (`train.judge`). A run begins with an untrained network, which the first candidate has to beat,
or with `learn.init`.

Ctrl-C or a kill at any time: the same command goes on where it was. RUN holds state.json (where the
loop is), learner/ (the learner's checkpoint, optimiser included), best/ (the checkpoint of the best
network), best.weights and candidate.weights (weights files), curve.jsonl (a line a generation),
index.html and its pictures, shards/ and matches/.
"""

import json
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

from train import checkpoint, export, judge, page
from train.checkpoint import CURVE, RunError, Stopped
from train.children import dies_with_parent
from train.data import read_header
from train.options import filled
from train.preset import Preset, Stage
from train.train import Trainer, TrainingOptions
from train.train import check as check_learning

STATE = "state.json"
PHASES = ("play", "learn", "gate", "keep")

# The distance of two generations' seeds of self-play: more than a generation has games.
SEED_STRIDE = 1_000_000


@dataclass
class State:
    """Where the loop is; everything else follows from this and the files."""

    generation: int = 0
    phase: str = PHASES[0]
    minutes: float = 0.0  # over all starts
    games: int = 0
    positions: int = 0
    elo: float = 0.0  # of the best network above the first one on this side
    side: int = 0  # of the last generation, 0 before the first


def gain_of(elo: dict[str, Any]) -> tuple[float, float | None]:
    """Returns an Elo difference of `hex match`, and half the width of its 95 % interval.

    Where all games went the same way the difference is infinite: then it is the finite end of the
    interval, "at least" or "at most" so much, and `None`.
    """
    low, high = elo["low"], elo["high"]
    if low is None or high is None:
        return round(high if low is None else low, 1), None
    return round(elo["elo"], 1), round((high - low) / 2, 1)


class CommandError(RunError):
    """A command has failed; `errors` is what it said."""

    def __init__(self, message: str, errors: str):
        super().__init__(message)
        self.errors = errors


class StageTrainer(Trainer):
    """The learner in one stage of a run: it learns until a step, and its rate follows the stage."""

    def __init__(self, options: TrainingOptions, first: int, last: int):
        """The stage has the steps from `first` to `last`."""
        self.first, self.last, self.until = first, last, first
        super().__init__(options)

    def progress(self) -> float:
        return min(1.0, max(0.0, (self.step - self.first) / (self.last - self.first)))

    def finished(self, started: float) -> bool:
        return self.stop or self.step >= self.until


class Loop:
    """A run of the loop."""

    def __init__(self, preset: Preset, run: Path, hex_program: str, threads: int):
        checkpoint.program(hex_program)
        self.preset, self.run, self.hex, self.threads = preset, run, hex_program, threads
        self.children: set[subprocess.Popen[str]] = set()
        self.stop = False
        self.trainer: StageTrainer | None = None
        self.state = self._read_state()
        self.begun = time.monotonic()

    def _read_state(self) -> State:
        path = self.run / STATE
        if not path.is_file():
            return State()
        saved = json.loads(path.read_text(encoding="utf-8"))
        missing = {field.name for field in fields(State)} - set(saved)
        if missing or saved["phase"] not in PHASES:
            raise RunError(f"{path}: not a state of this loop: choose another --out")
        return State(**saved)

    def minutes(self) -> float:
        """Returns how long the run has taken, over all starts."""
        return self.state.minutes + (time.monotonic() - self.begun) / 60

    def save(self) -> None:
        """Replaces the file of the state."""
        self.state.minutes, self.begun = self.minutes(), time.monotonic()
        text = json.dumps(asdict(self.state), indent=1) + "\n"
        checkpoint.write(self.run / STATE, text.encode())

    def on_signal(self, *_: object) -> None:
        """Stops the running commands and the learner; the next start of the loop goes on there."""
        self.stop = True
        if self.trainer:
            self.trainer.stop = True
        for child in list(self.children):
            if child.poll() is None:
                # Not SIGINT, which a run in the background hands on as ignored.
                child.send_signal(signal.SIGTERM)

    def command(self, *words: object) -> str:
        """Runs a command to its end and returns what it prints.

        Raises `RunError` with its standard error if it fails, `Stopped` if it was stopped.
        """
        if self.stop:
            raise Stopped
        line = [str(word) for word in words]
        # A session of its own: Ctrl-C reaches it through `on_signal` alone, and once. After a kill
        # of the loop its folder must be free for the next start.
        child = subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, preexec_fn=dies_with_parent,  # noqa: PLW1509
        )
        self.children.add(child)
        output, errors = child.communicate()
        self.children.discard(child)
        if self.stop:
            raise Stopped
        if child.returncode != 0:
            raise CommandError(f"{' '.join(line)} ended with status {child.returncode}: "
                               f"{errors.strip()[-600:]}", errors)
        return output

    @property
    def stage(self) -> Stage:
        """The stage of this generation."""
        return self.preset.at(self.state.generation)[0]

    @property
    def name(self) -> str:
        """The name of this generation's folders."""
        return f"g{self.state.generation:04}-side{self.stage.side}"

    def learner(self) -> StageTrainer:
        """Returns the learner of this generation's stage."""
        stage, before = self.preset.at(self.state.generation)
        first = sum(self.preset.at(number)[0].steps for number in range(before))
        last = first + stage.generations * stage.steps
        if self.trainer is None or self.trainer.first != first:
            self.trainer = StageTrainer(self.learning(stage), first, last)
        self.trainer.until = first + (self.state.generation - before + 1) * stage.steps
        return self.trainer

    def learning(self, stage: Stage) -> TrainingOptions:
        """Returns the learner's options in a stage; raises `RunError` if one is wrong."""
        where = {"data": (str(self.run / "shards"),), "out": str(self.run / "learner")}
        return filled(TrainingOptions, {**stage.learn, **where},
                      f"preset {self.preset.name}: [learn]")

    def check(self) -> None:
        """Raises `RunError` if the preset asks for what the learner or `hex` refuses.

        Nothing is learnt or played for it, and nothing written into the run's folder.
        """
        shape = None
        for stage in self.preset.stages:
            shape = check_learning(self.learning(stage), shape)
        with tempfile.TemporaryDirectory() as folder:
            for number, stage in enumerate(self.preset.stages):
                self.refused("play", "lab", "selfplay", *self.play_words(stage),
                             "--out", f"{folder}/play{number}", "--only-shards", "0..0")
                self.refused("gate", "match", *self.match_words(stage, "", ""),
                             "--out", f"{folder}/gate{number}", "--only-pairs", "0..0")

    def refused(self, section: str, *words: object) -> None:
        """Runs `hex` with words that let it play nothing; raises `RunError` if it refuses them."""
        try:
            self.command(self.hex, *words)
        except CommandError as error:
            why = error.errors.strip().removeprefix("error: ").removeprefix("hex: ")
            raise RunError(f"preset {self.preset.name}: [{section}]: hex {words[0]} refuses it: "
                           f"{why.splitlines()[0] if why else error}") from error

    def begin(self) -> None:
        """Makes the network that a new run begins with."""
        if (self.run / "best.weights").is_file():
            return
        trainer = self.learner()
        trainer.save()
        self._copy_to_best()
        export.export(self.run / checkpoint.BEST, self.run / "best.weights",
                      f"{self.run.name}-begin")

    def _copy_to_best(self) -> None:
        replace_file(self.run / "learner" / checkpoint.CHECKPOINT,
                     self.run / checkpoint.BEST / checkpoint.CHECKPOINT)

    def play(self) -> None:
        """Plays this generation's games with the best network, as far as they are missing."""
        self.play_generation(self.state.generation, self.threads)

    def play_generation(self, generation: int, threads: int) -> None:
        """Plays a generation's games; the number of threads changes nothing about them."""
        stage, _ = self.preset.at(generation)
        seed = stage.learn.get("seed", 1) + SEED_STRIDE * generation
        folder = self.run / f"shards/g{generation:04}-side{stage.side}"
        self.selfplay(["--out", folder, "--weights", self.run / "best.weights", "--seed", seed,
                       *self.play_words(stage)], threads)

    def play_words(self, stage: Stage) -> list[object]:
        """Returns what a stage says to `hex lab selfplay`."""
        words: list[object] = []
        for key, value in stage.play.items():
            flag = "--" + key.replace("_", "-")
            # Joined, so that no value is taken for an option.
            words += [flag] if value is True else [] if value is False else [f"{flag}={value}"]
        return words + ([] if stage.play.get("policy") else ["--side", stage.side])

    def selfplay(self, words: Sequence[object], threads: int) -> None:
        """Runs `hex lab selfplay` with these options to its end."""
        self.command(self.hex, "lab", "selfplay", *words, "--threads", threads)

    def learn(self) -> None:
        """Learns for a generation's steps while the next one's games are played, and exports."""
        trainer = self.learner()
        trainer.window.refresh()
        following = self.state.generation + 1
        trainer.stop = self.stop
        # After an error of the learner nobody waits for the games.
        with ThreadPool(1) as beside:
            free = max(1, self.threads - (trainer.options.threads or self.threads))
            numbers = [following] if following < self.preset.generations else []
            games = beside.map_async(lambda number: self.play_generation(number, free), numbers)
            trainer.work()
            if self.stop:
                raise Stopped
            export.export(self.run / "learner", self.run / "candidate.weights",
                          f"{self.run.name}-{self.name}")
            games.get()

    def gate(self) -> None:
        """Plays the candidate against the best network, at equal simulations."""
        best, candidate = self.run / "best.weights", self.run / "candidate.weights"
        self.match(self.run / "matches" / self.name, "--seed", self.state.generation + 1,
                   *self.match_words(self.stage, f",weights={candidate}", f",weights={best}"))

    def match_words(self, stage: Stage, candidate: str, best: str) -> list[object]:
        """Returns what a stage says to `hex match`, with more words for both players."""
        gate = self.preset.gate
        thinking = f"builtin:simulations={gate.simulations}"
        return [
            f"{thinking}{candidate} ;; name=candidate", f"{thinking}{best} ;; name=best",
            f"--games={gate.games}", "--side", stage.side, f"--openings={gate.openings}",
            # Simulations decide, not the clock.
            "--first-ms", 60_000, "--turn-ms", 60_000,
        ]

    def match(self, folder: Path, *words: object) -> None:
        """Runs `hex match` with these players and options to its end."""
        resume = ["--resume"] if (folder / "games.jsonl").is_file() else []
        self.command(self.hex, "match", *words, "--out", folder, "--threads", self.threads,
                     *resume)

    def keep(self) -> None:
        """Makes the candidate the best if it has scored enough, and adds a line to the curve.

        Run again after a kill it has the same effect.
        """
        state, side = self.state, self.stage.side
        summary = self.run / "matches" / self.name / "summary.json"
        (pairing,) = json.loads(summary.read_text(encoding="utf-8"))["pairings"]
        if not pairing["elo"]:
            raise RunError(f"{summary} has no pair of games: delete the folder, and the gate is "
                           "played again")
        wins, games = pairing["wins"], pairing["games"]
        kept = wins / games >= self.preset.gate.score
        gain, error = gain_of(pairing["elo"])
        before = state.elo if state.side == side else 0.0
        rating = round(before + (gain if kept else 0), 1)
        verdict = self.judged()
        played, positions = self._played()
        line: dict[str, Any] = {
            "generation": state.generation, "side": side, "games": played, "positions": positions,
            "minutes": round(self.minutes(), 2), "wins": wins, "of": games, "gain": gain,
            "error": error, "elo": rating, "kept": kept,
        }
        if verdict:
            line["judged"] = verdict.kept()
            line["first_moves"] = [asdict(move) for move in verdict.first_moves]
        checkpoint.replace_from(self.run / CURVE, "generation", line)
        if kept:
            self._copy_to_best()
            replace_file(self.run / "candidate.weights", self.run / "best.weights")
        self._drop_old_shards()
        print(f"generation {state.generation + 1} of {self.preset.generations}, {side}×{side}, "
              f"{self.minutes():.1f} min: {wins} of {games} games, "
              f"{'kept' if kept else 'not kept'}{f'; {verdict}' if verdict else ''}", flush=True)
        state.games, state.positions, state.elo, state.side = played, positions, rating, side
        page.write(self.run, self.preset)

    def judged(self) -> judge.Verdict | None:
        """Returns what the solver says of the candidate, if it is to be judged now."""
        settings, done = self.preset.judge, self.state.generation + 1
        is_last = done == self.preset.generations
        if not settings.every or not (is_last or done % settings.every == 0):
            return None
        return judge.judge(self.command, self.hex, self.stage.side,
                           self.run / "candidate.weights", settings, is_last)

    def conclusion(self) -> str:
        """Returns what the solver says of the best network at the end, as a line; or nothing."""
        settings = self.preset.judge
        if not settings.every:
            return ""
        verdict = judge.judge(self.command, self.hex, self.preset.stages[-1].side,
                              self.run / "best.weights", settings, is_last=True)
        is_proof = settings.every_reply and not settings.empty
        name = list(verdict.blunders)[-1]
        proven = (f"no opponent can beat it with {name}, where a move decides: it was tried with "
                  "every reply\n" if is_proof and verdict.is_perfect else "")
        return f"the solver: {verdict}\n{proven}"

    def _played(self) -> tuple[int, int]:
        """Returns games and positions of self-play so far, this generation's included."""
        shards = (self.run / "shards" / self.name).glob("*.bin")
        positions = sum(read_header(str(path))[1] for path in shards)
        play = self.stage.play
        games = int(play["shards"]) * int(play["games"])
        return self.state.games + games, self.state.positions + positions

    def _drop_old_shards(self) -> None:
        """Deletes the games of this and earlier generations that have left the window."""
        if self.trainer is None:
            return
        wanted = {Path(path).parent.name for path, _ in self.trainer.window.state()}
        for folder in (self.run / "shards").iterdir():
            if folder.name <= self.name and folder.name not in wanted:
                shutil.rmtree(folder)

    def work(self) -> None:
        """Runs generations until all are done; raises `Stopped` after Ctrl-C."""
        checkpoint.on_stop_signals(self.on_signal)
        state = self.state
        self.begin()
        while state.generation < self.preset.generations:
            getattr(self, state.phase)()
            following = PHASES.index(state.phase) + 1
            if following == len(PHASES):
                state.generation += 1
            state.phase = PHASES[following % len(PHASES)]
            self.save()


def replace_file(source: Path, target: Path) -> None:
    """Replaces `target` by a copy of `source` as a whole."""
    checkpoint.write(target, source.read_bytes())
