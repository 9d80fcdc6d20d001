"""Generation after generation with the bot's own search: play, learn, export, gate, keep.

    python -m train.loop --out RUN --curriculum 5:3,7:4,9:6,11

A generation: `hex lab selfplay` plays with the best network so far; the learner goes on learning
from the newest shards; its averaged network, as a weights file, plays `hex match` against the best
one and takes its place if it scores enough. The learner goes on either way: the gate only decides
who plays. `--start nothing` begins with an untrained network, `--start shipped` with the shipped
one; either has to be beaten by the first candidate. A curriculum's stage is a side and its number
of generations; the last goes on until --generations are done. The network takes boards of every
side.

Ctrl-C or a kill at any time: the same command goes on where it was. `RUN` holds state.json (where
the loop is), learner/ (the learner's checkpoint, optimiser included), best/ (the checkpoint of the
best network), best.weights and candidate.weights (weights files), curve.jsonl (a line per
generation), shards/ and matches/.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from train import checkpoint
from train.checkpoint import RunError
from train.children import dies_with_parent
from train.data import SIDES, ShardError, natural_order, read_header
from train.elo import counts, elo_difference
from train.options import add_options, from_arguments, option, required

STATE = "state.json"
CURVE = "curve.jsonl"
PHASES = ("play", "learn", "export", "gate", "keep")

# A game of self-play begins with at most one random stone per so many cells, and as many of its
# first moves are drawn: 8 on 11×11.
CELLS_PER_STONE = 15

# Where a run begins: from an untrained network, or from the one that is shipped with `hex`.
START_NOTHING, START_SHIPPED = "nothing", "shipped"
SHIPPED = Path(__file__).parent / "nets" / "v"

# The distance of two generations' seeds of self-play: more than a generation has games.
SEED_STRIDE = 1_000_000


@dataclass(frozen=True)
class Stage:
    """Some generations on boards of one side; `generations` is None for all that follow."""

    side: int
    generations: int | None


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


def curriculum(text: str) -> tuple[Stage, ...]:
    """Returns `5:3,7:4,11` as stages; raises `ArgumentTypeError` if it is none."""
    stages = []
    for part in text.split(","):
        side, _, generations = part.partition(":")
        if not side.isdigit() or int(side) not in SIDES or not (generations or "1").isdigit():
            raise argparse.ArgumentTypeError(
                f"{part!r} is not SIDE:GENERATIONS with a side of 2 to 19"
            )
        stages.append(Stage(int(side), int(generations) if generations else None))
    endless = [stage for stage in stages[:-1] if stage.generations is None]
    if endless:
        raise argparse.ArgumentTypeError(
            f"only the last stage goes on for ever: write {endless[0].side}:GENERATIONS"
        )
    return tuple(stages)


@dataclass(frozen=True, kw_only=True)
class LoopOptions:
    """The options of the command that are not the learner's."""

    out: str = required("the run's folder; an existing run goes on")
    hex: str = option("target/release/hex", "the program hex")
    start: str = option(
        START_NOTHING, "the first network: an untrained one, or the shipped one",
        choices=(START_NOTHING, START_SHIPPED),
    )
    generations: int = option(100, "in all")
    curriculum: tuple[Stage, ...] = option(
        (Stage(5, 3), Stage(7, 4), Stage(9, 6), Stage(11, None)), "default 5:3,7:4,9:6,11",
        type=curriculum, metavar="SIDE:GENERATIONS,...",
    )
    shards: int = option(20, "of a generation")
    games: int = option(40, "in a shard")
    simulations: int = option(800, "of a search that is learnt from")
    fast_simulations: int = option(160, "of other searches")
    tree_visits: int = option(200, "learn from nodes of the tree with so many visits")
    steps: int = option(2000, "of the learner, per generation")
    cool_down: float = option(0.5, "share of them with a falling learning rate")
    gate_games: int = option(100, "an even number")
    gate_simulations: int = option(300, "for a move")
    gate: float = option(0.52, "score at which a candidate is kept")
    openings: str = option("random:3", "of the gate, as for hex match")
    keep_shards: int = option(30, "of so many generations; 0: of all")
    threads: int = option(os.cpu_count() or 1, "of self-play, learning and matches")
    seed: int = option(1, "of random numbers")


def side_at(stages: Sequence[Stage], generation: int) -> int:
    """Returns the side of a generation's boards; beyond the end it is the last stage's."""
    for stage in stages:
        if stage.generations is None or generation < stage.generations:
            return stage.side
        generation -= stage.generations
    return stages[-1].side


def pairs_of_match(log: Path) -> list[int]:
    """Returns the first player's wins, 0 to 2, in each finished pair of a log of `hex match`."""
    wins: dict[int, list[bool]] = {}
    for line in checkpoint.read_lines(log)[1:]:
        wins.setdefault(line["id"] // 2, []).append(line[line["winner"]] == 0)
    return [sum(pair) for pair in wins.values() if len(pair) == 2]


class Stopped(Exception):
    """The loop has been asked to stop."""


class Loop:
    """A run of the loop."""

    def __init__(self, options: LoopOptions, learning: list[str]):
        self.options = options
        self.learning = learning
        self.run = Path(options.out)
        self.child: subprocess.Popen[bytes] | None = None
        self.stop = False
        self.state = self._read_state()
        self.begun = time.monotonic()

    def _read_state(self) -> State:
        path = self.run / STATE
        if not path.is_file():
            return State()
        saved = json.loads(path.read_text(encoding="utf-8"))
        missing = {field.name for field in fields(State)} - set(saved)
        if missing:
            raise RunError(
                f"{path}: {', '.join(sorted(missing))} missing: not a state of this loop"
            )
        return State(**saved)

    def save(self) -> None:
        """Replaces the file of the state."""
        now = time.monotonic()
        self.state.minutes, self.begun = self.state.minutes + (now - self.begun) / 60, now
        unfinished = self.run / (STATE + ".new")
        unfinished.write_text(json.dumps(asdict(self.state), indent=1) + "\n", encoding="utf-8")
        os.replace(unfinished, self.run / STATE)

    def on_signal(self, *_: object) -> None:
        """Stops the running command; the next start of the loop runs it again."""
        self.stop = True
        if self.child and self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)

    def command(self, *words: object) -> None:
        """Runs a command to its end; raises `RunError` if it fails, `Stopped` if it was stopped."""
        if self.stop:
            raise Stopped
        line = [str(word) for word in words]
        # A session of its own: Ctrl-C reaches it through `on_signal` alone, and once. After a kill
        # of the loop its folder must be free for the next start.
        self.child = subprocess.Popen(
            line, start_new_session=True, preexec_fn=dies_with_parent,  # noqa: PLW1509
        )
        status = self.child.wait()
        if self.stop:
            raise Stopped
        if status != 0:
            raise RunError(f"{' '.join(line)} ended with status {status}: see above for its reason")

    @property
    def side(self) -> int:
        """The side of this generation's boards."""
        return side_at(self.options.curriculum, self.state.generation)

    @property
    def name(self) -> str:
        """The name of this generation's folders."""
        return f"g{self.state.generation:04}-side{self.side}"

    def begin(self) -> None:
        """Makes the untrained network that a run from nothing begins with, unless there is one."""
        first = self.state.generation == 0 and self.state.phase == PHASES[0]
        is_there = (self.run / "best.weights").is_file()
        if self.options.start != START_NOTHING or not first or is_there:
            return
        # PyTorch is imported only by who needs it.
        from train.train import Trainer, TrainingOptions
        from train.train import parser as learner_parser

        words = ["--data", str(self.run / "shards"), "--out", str(self.run / "best"),
                 "--seed", str(self.options.seed), *self.learning]
        Trainer(from_arguments(TrainingOptions, learner_parser().parse_args(words))).save()
        self.command(
            sys.executable, "-m", "train.export", self.run / "best",
            "-o", self.run / "best.weights", "--id", f"{self.run.name}-untrained",
        )

    def play(self) -> None:
        """Plays games with the best network: that of `hex` in a run that has kept none yet."""
        options, best = self.options, self.run / "best.weights"
        weights = ["--weights", best] if best.is_file() else []
        stones = max(1, self.side**2 // CELLS_PER_STONE)
        self.selfplay(
            "--out", self.run / "shards" / self.name,
            "--side", self.side, "--shards", options.shards, "--games", options.games,
            "--simulations", options.simulations, "--fast-simulations", options.fast_simulations,
            "--tree-visits", options.tree_visits, "--random-stones", stones,
            "--drawn-moves", stones, "--seed", options.seed + SEED_STRIDE * self.state.generation,
            *weights,
        )

    def selfplay(self, *words: object) -> None:
        """Runs `hex lab selfplay` with these options to its end."""
        options = self.options
        self.command(options.hex, "lab", "selfplay", *words, "--threads", options.threads)

    def learn(self) -> None:
        """Learns for the steps of a generation; the learning rate falls towards their end."""
        generations = self.state.generation + 1
        shipped = self.options.start == START_SHIPPED and "--init" not in self.learning
        init = ["--init", SHIPPED] if shipped else []
        self.command(
            sys.executable, "-m", "train.train", "--data", self.run / "shards",
            "--out", self.run / "learner", "--steps", generations * self.options.steps,
            "--cool-down", self.options.cool_down / generations,
            "--seed", self.options.seed, "--threads", self.options.threads, *init,
            *self.learning,
        )

    def export(self) -> None:
        """Exports the learner's averaged network."""
        self.command(
            sys.executable, "-m", "train.export", self.run / "learner",
            "-o", self.run / "candidate.weights", "--id", f"{self.run.name}-{self.name}",
        )

    def gate(self) -> None:
        """Plays the candidate against the best network, at equal simulations."""
        folder, best = self.run / "matches" / self.name, self.run / "best.weights"
        simulations = f"simulations={self.options.gate_simulations}"
        # Without `weights` the bot plays with the network of `hex`.
        theirs = f",weights={best}" if best.is_file() else ""
        self.match(
            folder,
            f"builtin:{simulations},weights={self.run / 'candidate.weights'} ;; name=candidate",
            f"builtin:{simulations}{theirs} ;; name=best",
            "--games", self.options.gate_games, "--side", self.side,
            "--openings", self.options.openings, "--seed", self.state.generation + 1,
            # Simulations decide, not the clock.
            "--first-ms", 60_000, "--turn-ms", 60_000,
        )

    def match(self, folder: Path, *words: object) -> None:
        """Runs `hex match` with these players and options to its end."""
        options = self.options
        resume = ["--resume"] if (folder / "games.jsonl").is_file() else []
        self.command(options.hex, "match", *words, "--out", folder, "--threads", options.threads,
                     *resume)

    def keep(self) -> None:
        """Makes the candidate the best if it has scored enough, and adds a line to the curve.

        Run again after a kill it has the same effect.
        """
        state = self.state
        log = self.run / "matches" / self.name / "games.jsonl"
        pairs = pairs_of_match(log)
        if not pairs:
            raise RunError(
                f"{log} has no pair of games: delete the folder, and the gate is played again"
            )
        share = sum(pairs) / (2 * len(pairs))
        kept = share >= self.options.gate
        difference = elo_difference(self.options.hex, pairs)
        gain, error = difference.rounded()
        before = state.elo if state.side == self.side else 0.0
        rating = round(before + (gain if kept else 0), 1)
        games, positions = self._played()
        line = {
            "generation": state.generation,
            "side": self.side,
            "games": games,
            "positions": positions,
            "minutes": round(state.minutes + (time.monotonic() - self.begun) / 60, 2),
            "wins": sum(pairs),
            "of": 2 * len(pairs),
            "pairs": counts(pairs),
            "gain": gain,
            "error": error,
            "elo": rating,
            "kept": kept,
        }
        checkpoint.replace_from(self.run / CURVE, "generation", line)
        if kept:
            replace_file(self.run / "learner" / checkpoint.CHECKPOINT,
                         self.run / "best" / checkpoint.CHECKPOINT)
            replace_file(self.run / "candidate.weights", self.run / "best.weights")
        self._drop_old_shards()
        verdict = "kept" if kept else "not kept"
        print(
            f"generation {state.generation} on side {self.side}: {line['wins']} of {line['of']}, "
            f"{difference}, {verdict}; best at {rating:+.0f}", flush=True,
        )
        state.games, state.positions, state.elo = games, positions, rating
        state.side = self.side

    def _played(self) -> tuple[int, int]:
        """Returns games and positions of self-play so far, this generation's included."""
        shards = (self.run / "shards" / self.name).glob("*.bin")
        positions = sum(read_header(str(path))[1] for path in shards)
        games = self.options.shards * self.options.games
        return self.state.games + games, self.state.positions + positions

    def _drop_old_shards(self) -> None:
        folders = sorted((self.run / "shards").iterdir(), key=lambda path: natural_order(path.name))
        if self.options.keep_shards:
            for folder in folders[: -self.options.keep_shards]:
                shutil.rmtree(folder)

    def work(self) -> None:
        """Runs generations until all are done or the loop is stopped."""
        state = self.state
        self.begin()
        while state.generation < self.options.generations:
            print(f"== generation {state.generation}, side {self.side}: {state.phase}", flush=True)
            getattr(self, state.phase)()
            following = PHASES.index(state.phase) + 1
            if following == len(PHASES):
                state.generation += 1
            state.phase = PHASES[following % len(PHASES)]
            self.save()


def replace_file(source: Path, target: Path) -> None:
    """Replaces `target` by a copy of `source` as a whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(target.name + ".new")
    shutil.copyfile(source, unfinished)
    os.replace(unfinished, target)


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the loop's options; those it does not know go to the learner."""
    p = argparse.ArgumentParser(
        prog="python -m train.loop", description=__doc__, allow_abbrev=False,
        formatter_class=argparse.RawTextHelpFormatter,
        epilog="other options are the learner's: python -m train.train --help",
    )
    add_options(p, LoopOptions)
    return p


def check(options: LoopOptions) -> None:
    """Raises `RunError` if an option is out of its range."""
    if not shutil.which(options.hex):
        raise RunError(
            f"{options.hex} is no program: cargo build --release -p hex-cli, or give --hex"
        )
    if options.gate_games < 2 or options.gate_games % 2 == 1:
        raise RunError(f"--gate-games {options.gate_games}: an even number is needed")
    if not 0.5 <= options.gate <= 1:
        raise RunError(f"--gate {options.gate}: give 0.5 to 1, so that no worse network is kept")
    for name in ("generations", "shards", "games", "steps", "threads"):
        if getattr(options, name) < 1:
            raise RunError(f"--{name} {getattr(options, name)}: at least 1")
    if options.shards * options.games > SEED_STRIDE:
        raise RunError(f"--shards x --games: at most {SEED_STRIDE:,} games a generation")


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    own, learning = parser().parse_known_args(arguments)
    options = from_arguments(LoopOptions, own)
    try:
        check(options)
        with checkpoint.run_lock(Path(options.out)):
            loop = Loop(options, learning)
            for kind in (signal.SIGINT, signal.SIGTERM):
                signal.signal(kind, loop.on_signal)
            loop.work()
    except Stopped:
        print("stopped; the same command goes on")
        return checkpoint.INTERRUPTED
    except (RunError, ShardError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
