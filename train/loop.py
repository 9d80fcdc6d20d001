"""Generation after generation with the bot's own search: play, learn, export, gate, keep.

    python -m train.loop --out RUN --curriculum 5:3,7:4,9:6,11

A generation: `hex selfplay` plays with the best network so far; the learner goes on learning from
the newest shards; its averaged network, as a weights file, plays `hex match` against the best one,
and takes its place if it scores enough. The learner goes on either way: the gate only decides who
plays. A curriculum's stage is a side and its number of generations; the last goes on until
--generations are done. The network takes boards of every side.

Ctrl-C or a kill at any time: the same command goes on where it was. `RUN` holds state.json (where
the loop is), learner/ (the learner's checkpoint, optimiser included), best/ (the same at the best
network's time), best.rs and candidate.rs (weights files), curve.jsonl (a line a generation), shards/
and matches/.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from train import checkpoint
from train.checkpoint import RunError
from train.data import SIDES, ShardError, natural_order, read_header
from train.elo import elo

STATE = "state.json"
CURVE = "curve.jsonl"
PHASES = ("play", "learn", "export", "gate", "keep")

# A game of self-play begins with a random stone at most for so many cells, and as many of its first
# moves are drawn: 8 on 11x11.
CELLS_A_STONE = 15

# Seeds of self-play are this far apart from generation to generation: more than its games.
SEEDS_APART = 1_000_000


@dataclass(frozen=True)
class Stage:
    """Some generations on boards of one side; `generations` is None for all that come."""

    side: int
    generations: int | None


@dataclass
class State:
    """Where the loop is; everything else follows from it and the files."""

    generation: int = 0
    phase: str = PHASES[0]
    minutes: float = 0.0  # over all starts
    games: int = 0
    positions: int = 0
    elo: float = 0.0  # of the best network, since the first generation on this side
    side: int = 0  # of the generation before, 0 before the first


def curriculum(text: str) -> list[Stage]:
    """`5:3,7:4,11` as stages."""
    stages = []
    for part in text.split(","):
        side, _, generations = part.partition(":")
        if not side.isdigit() or int(side) not in SIDES or not (generations or "1").isdigit():
            raise argparse.ArgumentTypeError(f"{part!r} is not SIDE:GENERATIONS with a side of 2 to 19")
        stages.append(Stage(int(side), int(generations) if generations else None))
    endless = [stage for stage in stages[:-1] if stage.generations is None]
    if endless:
        raise argparse.ArgumentTypeError(
            f"only the last stage goes on for ever: write {endless[0].side}:GENERATIONS"
        )
    return stages


def side_of(stages: list[Stage], generation: int) -> int:
    """The side of a generation's boards; the last stage's beyond the end."""
    for stage in stages:
        if stage.generations is None or generation < stage.generations:
            return stage.side
        generation -= stage.generations
    return stages[-1].side


def pairs_of_match(log: Path) -> list[int]:
    """The first player's wins in each finished pair of a log of `hex match`."""
    wins: dict[int, list[bool]] = {}
    for line in checkpoint.read_lines(log)[1:]:
        wins.setdefault(line["id"] // 2, []).append(line[line["winner"]] == 0)
    return [sum(pair) for pair in wins.values() if len(pair) == 2]


class Stopped(Exception):
    """Somebody wants the loop to stop."""


class Loop:
    """A run of the loop."""

    def __init__(self, options: argparse.Namespace, learning: list[str]):
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
            raise RunError(f"{path}: {', '.join(sorted(missing))} missing: not a state of this loop")
        return State(**saved)

    def save(self) -> None:
        """Writes the state in place of the last one."""
        now = time.monotonic()
        self.state.minutes, self.begun = self.state.minutes + (now - self.begun) / 60, now
        unfinished = self.run / (STATE + ".new")
        unfinished.write_text(json.dumps(asdict(self.state), indent=1) + "\n", encoding="utf-8")
        os.replace(unfinished, self.run / STATE)

    def on_signal(self, *_: object) -> None:
        """Stops the command that runs, which goes on by itself the next time."""
        self.stop = True
        if self.child and self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)

    def command(self, *words: object) -> None:
        """Runs a command to its end."""
        if self.stop:
            raise Stopped
        line = [str(word) for word in words]
        # A session of its own: Ctrl-C reaches it through `on_signal` alone, and once.
        self.child = subprocess.Popen(line, start_new_session=True)
        status = self.child.wait()
        if self.stop:
            raise Stopped
        if status != 0:
            raise RunError(f"{' '.join(line)} ended with status {status}: see above for its reason")

    @property
    def side(self) -> int:
        """The side of this generation's boards."""
        return side_of(self.options.curriculum, self.state.generation)

    @property
    def name(self) -> str:
        """The name of this generation's folders."""
        return f"g{self.state.generation:04}-side{self.side}"

    def play(self) -> None:
        """Self-play with the best network; with the one that `hex` brings before there is any."""
        options, best = self.options, self.run / "best.rs"
        weights = ["--weights", best] if best.is_file() else []
        stones = max(1, self.side**2 // CELLS_A_STONE)
        self.command(
            options.hex, "selfplay", "--out", self.run / "shards" / self.name,
            "--side", self.side, "--shards", options.shards, "--games", options.games,
            "--simulations", options.simulations, "--fast-simulations", options.fast_simulations,
            "--tree-visits", options.tree_visits, "--threads", options.threads,
            "--random-stones", stones, "--drawn-moves", stones,
            "--seed", options.seed + SEEDS_APART * self.state.generation, *weights,
        )

    def learn(self) -> None:
        """Goes on learning, so many steps a generation, with the rate falling towards its end."""
        generations = self.state.generation + 1
        self.command(
            sys.executable, "-m", "train.train", "--data", self.run / "shards",
            "--out", self.run / "learner", "--steps", generations * self.options.steps,
            "--cool-down", self.options.cool_down / generations,
            "--seed", self.options.seed, "--threads", self.options.threads, *self.learning,
        )

    def export(self) -> None:
        """The learner's averaged network as a weights file."""
        self.command(
            sys.executable, "-m", "train.export", self.run / "learner",
            "-o", self.run / "candidate.rs", "--id", f"{self.run.name}-{self.name}",
        )

    def gate(self) -> None:
        """The candidate against the best, at equal simulations."""
        folder, best = self.run / "matches" / self.name, self.run / "best.rs"
        simulations = f"simulations={self.options.gate_simulations}"
        # Without a network of its own the bot plays with the one that `hex` brings.
        theirs = f",weights={best}" if best.is_file() else ""
        resume = ["--resume"] if (folder / "games.jsonl").is_file() else []
        self.command(
            self.options.hex, "match",
            f"builtin:{simulations},weights={self.run / 'candidate.rs'} ;; name=candidate",
            f"builtin:{simulations}{theirs} ;; name=best",
            "--games", self.options.gate_games, "--side", self.side, "--out", folder,
            "--openings", self.options.openings, "--seed", self.state.generation + 1,
            # Simulations decide, not the clock.
            "--first-ms", 60_000, "--turn-ms", 60_000, "--threads", self.options.threads, *resume,
        )

    def keep(self) -> None:
        """Makes the candidate the best if it deserves it, and adds a line to the curve.

        Done again after a kill it does the same.
        """
        state = self.state
        log = self.run / "matches" / self.name / "games.jsonl"
        pairs = pairs_of_match(log)
        if not pairs:
            raise RunError(f"{log} has no pair of games: delete the folder, and the gate is played again")
        share = sum(pairs) / (2 * len(pairs))
        kept = share >= self.options.gate or not (self.run / "best.rs").is_file()
        gain, error = elo(pairs)
        if state.side != self.side:
            state.elo = 0.0
        games, positions = self._played()
        line = {
            "generation": state.generation,
            "side": self.side,
            "games": games,
            "positions": positions,
            "minutes": round(state.minutes + (time.monotonic() - self.begun) / 60, 2),
            "wins": sum(pairs),
            "of": 2 * len(pairs),
            "gain": round(gain, 1),
            "error": round(error, 1),
            "elo": round(state.elo + (gain if kept else 0), 1),
            "kept": kept,
        }
        checkpoint.replace_lines(self.run / CURVE, "generation", line)
        if kept:
            replace_file(self.run / "learner" / checkpoint.CHECKPOINT,
                         self.run / "best" / checkpoint.CHECKPOINT)
            replace_file(self.run / "candidate.rs", self.run / "best.rs")
        self._drop_old_shards()
        verdict = "kept" if kept else "not kept"
        print(
            f"generation {state.generation} on side {self.side}: {line['wins']} of {line['of']}, "
            f"{gain:+.0f} ± {error:.0f} Elo, {verdict}; best at {line['elo']:+.0f}", flush=True,
        )
        state.games, state.positions, state.elo = games, positions, line["elo"]
        state.side = self.side

    def _played(self) -> tuple[int, int]:
        """Games and positions of self-play so far, this generation's included."""
        shards = (self.run / "shards" / self.name).glob("*.bin")
        positions = sum(read_header(str(path))[2] for path in shards)
        games = self.options.shards * self.options.games
        return self.state.games + games, self.state.positions + positions

    def _drop_old_shards(self) -> None:
        folders = sorted((self.run / "shards").iterdir(), key=lambda path: natural_order(path.name))
        if self.options.keep_shards:
            for folder in folders[: -self.options.keep_shards]:
                shutil.rmtree(folder)

    def work(self) -> None:
        """Runs generations until they are all done or somebody stops it."""
        state = self.state
        while state.generation < self.options.generations:
            print(f"== generation {state.generation}, side {self.side}: {state.phase}", flush=True)
            getattr(self, state.phase)()
            following = PHASES.index(state.phase) + 1
            if following == len(PHASES):
                state.generation += 1
            state.phase = PHASES[following % len(PHASES)]
            self.save()


def replace_file(source: Path, target: Path) -> None:
    """Copies a file in place of an old one, so that there is always a whole one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(target.name + ".new")
    shutil.copyfile(source, unfinished)
    os.replace(unfinished, target)


def parser() -> argparse.ArgumentParser:
    """The options of the loop; what it does not know goes to the learner."""
    p = argparse.ArgumentParser(
        prog="python -m train.loop", description=__doc__, allow_abbrev=False,
        formatter_class=argparse.RawTextHelpFormatter,
        epilog="other options are the learner's: python -m train.train --help",
    )
    p.add_argument("--out", required=True, help="the run's folder; an existing run goes on")
    p.add_argument("--hex", default="target/release/hex", help="the program hex")
    p.add_argument("--generations", type=int, default=100, help="in all")
    p.add_argument("--curriculum", type=curriculum, default=curriculum("5:3,7:4,9:6,11"),
                   metavar="SIDE:GENERATIONS,...", help="default 5:3,7:4,9:6,11")
    p.add_argument("--shards", type=int, default=20, help="of a generation")
    p.add_argument("--games", type=int, default=40, help="in a shard")
    p.add_argument("--simulations", type=int, default=800, help="of a search that is learnt from")
    p.add_argument("--fast-simulations", type=int, default=160, help="of other searches")
    p.add_argument("--tree-visits", type=int, default=200, help="learn from the tree from here on")
    p.add_argument("--steps", type=int, default=2000, help="of the learner, a generation")
    p.add_argument("--cool-down", type=float, default=0.5, help="share of them with a falling rate")
    p.add_argument("--gate-games", type=int, default=100, help="an even number")
    p.add_argument("--gate-simulations", type=int, default=300, help="for a move")
    p.add_argument("--gate", type=float, default=0.52, help="score at which a candidate is kept")
    p.add_argument("--openings", default="random:3", help="of the gate, as for hex match")
    p.add_argument("--keep-shards", type=int, default=30, help="of so many generations; 0: of all")
    p.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of self-play, learning and matches")
    p.add_argument("--seed", type=int, default=1)
    return p


def check(options: argparse.Namespace) -> None:
    """Complains of options that make no sense."""
    if not shutil.which(options.hex):
        raise RunError(
            f"{options.hex} is no program: cargo build --release -p hex-tools, or give --hex"
        )
    if options.gate_games < 2 or options.gate_games % 2 == 1:
        raise RunError(f"--gate-games {options.gate_games}: an even number is needed")
    for name in ("generations", "shards", "games", "steps", "threads"):
        if getattr(options, name) < 1:
            raise RunError(f"--{name} {getattr(options, name)}: at least 1")
    if options.shards * options.games > SEEDS_APART:
        raise RunError(f"--shards x --games: at most {SEEDS_APART:,} games a generation")


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, with the arguments of the command line if none are given; its exit status."""
    options, learning = parser().parse_known_args(arguments)
    try:
        check(options)
        with checkpoint.held(Path(options.out)):
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
