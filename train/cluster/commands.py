"""Commands of `hex` on a cluster: the same files as one machine makes, each piece exactly once.

A piece, a shard of self-play or a pair of games, depends on its number and the command's options
alone. So a job makes one, and what it writes is the same wherever it runs; the driver puts it into
the command's folder, as if one machine had made it.
"""

import argparse
import json
import re
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from train import checkpoint
from train.checkpoint import RunError
from train.cluster.progress import Progress
from train.cluster.ray_cluster import Cluster, ClusterOptions, Result, Task
from train.options import add_options, parser_of

# The driver's lock. The folder's own is for the moments in which `hex` or the driver writes there.
LOCK = "driver.lock"

# Programs there are taken to be installed on the nodes, too.
INSTALLED = (Path("/usr"), Path("/bin"), Path("/opt"))

# Options of `hex` whose values are files, and what says so in a value.
FILES, FILE = ("weights", "starts", "lines"), "file:"

# Pairs of a match unless --games says otherwise, and of one whose length a test decides.
PAIRS, PAIRS_OF_TEST = 50, 20_000

# How often a match's test is looked at, in seconds.
LOOK_EVERY = 2.0

# The clock noise of a job, as `summary.json` has it.
NOISE = ("worst_gap_ms", "lost_share", "late_p99_ms", "late_max_ms")

LOG, SUMMARY, NODES, NOTE = "games.jsonl", "summary.json", "nodes.jsonl", "clock-noise.txt"


class Command(ABC):
    """A command of `hex` in a folder."""

    NAME: ClassVar[tuple[str, ...]]  # of the command, words of `hex`
    PIECES: ClassVar[str]  # as its option --only-… calls them
    KEYS: ClassVar[tuple[str, ...]]  # its options that the driver hands on or understands

    def __init__(
        self, cluster: Cluster, options: argparse.Namespace, stop: Callable[[], bool]
    ):
        """`options` are those that `read` returns."""
        self.cluster, self.options, self.stop = cluster, options, stop
        self.folder = Path(options.out)

    @classmethod
    def parser(cls) -> argparse.ArgumentParser:
        """Returns the parser of the command line."""
        name = "hex " + " ".join(cls.NAME)
        parser = parser_of(f"train.cluster {cls.NAME[-1]}", cls.__doc__, allow_abbrev=False,
                           epilog=f"{name} --help explains its options")
        add_options(parser, ClusterOptions)
        parser.add_argument("--out", required=True,
                            help="the folder to write into; what is there is not made again")
        for key in cls.KEYS:
            parser.add_argument(f"--{key}", help=f"as for {name}")
        return parser

    @classmethod
    def read(cls, arguments: list[str]) -> argparse.Namespace:
        """Returns the options of a command line."""
        return cls.parser().parse_intermixed_args(arguments)

    def handed_on(self, send: Callable[[Path], str]) -> list[str]:
        """Returns the options that are the same everywhere; `send` says what stands for a file."""
        words = []
        for key in self.KEYS:
            value = getattr(self.options, key.replace("-", "_"))
            if key in FILES and value:
                value = send(Path(value))
            elif str(value).startswith(FILE):
                value = FILE + send(Path(value.removeprefix(FILE)))
            words += [] if value is None else [f"--{key}={value}"]
        return words

    def hex(self, *words: str) -> str:
        """Runs the command here and makes nothing; returns what it prints.

        Raises `RunError` with what it says against the options or the folder.
        """
        command = [self.cluster.hex, *self.NAME, *words, f"--only-{self.PIECES}=0..0",
                   f"--out={self.folder}"]
        tried = subprocess.run(command, check=False, capture_output=True, text=True)
        if tried.returncode != 0:
            raise RunError(tried.stderr.strip().removeprefix("error: "))
        return tried.stdout

    @abstractmethod
    def begin(self) -> tuple[int, list[int]]:
        """Returns how many pieces there are to be, and the numbers of those that are missing."""

    @abstractmethod
    def words(self) -> list[str]:
        """Returns the arguments of the command on a node, but for the pieces."""

    @abstractmethod
    def merge(self, task: Task, result: Result) -> bool:
        """Puts what a job has made into the folder; returns false if no more is needed."""

    def play(self) -> bool:
        """Makes what is missing; returns false if it was stopped before the end."""
        with checkpoint.run_lock(self.folder, LOCK):
            return self.make(*self.begin())

    def make(self, count: int, missing: list[int]) -> bool:
        """Makes the missing ones of `count` pieces; returns false if it was stopped."""
        words = [*self.NAME, *self.words(), "--threads=1"] if missing else []
        spans = [f"{number}..{number + 1}" for number in missing]
        tasks = [Task(f"{self.PIECES} {span}", (*words, f"--only-{self.PIECES}={span}"), number)
                 for span, number in zip(spans, missing, strict=True)]
        progress = Progress(count, count - len(missing), self.PIECES)
        try:
            return self.cluster.run(tasks, self.merge, progress, self.stop)
        finally:
            progress.finish()

    def strange(self, task: Task, result: Result) -> RunError:
        """Returns the error of a job that has made something else than it should."""
        return RunError(f"{task.name} came with {', '.join(sorted(result.files))}: is "
                        f"{self.options.hex} of the same version as train/?")


class Selfplay(Command):
    """Shards, as `hex lab selfplay` makes them."""

    NAME, PIECES = ("lab", "selfplay"), "shards"
    KEYS = ("shards", *FILES)

    @classmethod
    def read(cls, arguments: list[str]) -> argparse.Namespace:
        options, more = cls.parser().parse_known_args(arguments)
        options.more = more
        return options

    def begin(self) -> tuple[int, list[int]]:
        self.hex(*self.handed_on(str), *self.options.more)
        stems = [path.stem for path in self.folder.glob("*.*")]
        there = {int(stem) for stem in stems if stem.isdigit()}
        count = int(self.options.shards or 100)
        return count, [number for number in range(count) if number not in there]

    def words(self) -> list[str]:
        return [*self.handed_on(self.cluster.send), *self.options.more]

    def merge(self, task: Task, result: Result) -> bool:
        if [int(Path(name).stem) for name in result.files] != [task.number]:
            raise self.strange(task, result)
        for name, contents in result.files.items():
            checkpoint.write(self.folder / name, contents)
        return True


class Match(Command):
    """Bot against bot, as `hex match` plays them; `hex match --resume` could go on with it."""

    NAME, PIECES = ("match",), "pairs"
    KEYS = ("games", "openings", "seed", "side", "first-ms", "turn-ms", "sprt", "alpha", "beta",
            "schedule")

    header: dict[str, Any]  # the first line of the log
    played: set[int]  # the numbers of games
    looked = 0.0

    @classmethod
    def parser(cls) -> argparse.ArgumentParser:
        parser = super().parser()
        parser.add_argument("player", nargs="*", help="two or more, as for hex match")
        parser.add_argument("--players", help="a TOML file of players")
        parser.add_argument("--logs", action="store_true",
                            help="keep what was said in every game, not only after faults")
        parser.add_argument("--changed-programs", action="store_true",
                            help="go on although a player's program has changed")
        return parser

    def report(self, *more: str) -> str:
        """Lets `hex match` look at the folder and report."""
        resume = ["--resume"] if (self.folder / LOG).is_file() else []
        roster = [f"--players={self.options.players}"] if self.options.players else []
        return self.hex(*self.options.player, *roster, *self.handed_on(str), *resume, *more)

    def is_decided(self) -> bool:
        """Returns true if the last report has the verdict of the match's test."""
        summary = json.loads((self.folder / SUMMARY).read_text(encoding="utf-8"))
        return bool(summary["test"] and summary["test"]["verdict"])

    def begin(self) -> tuple[int, list[int]]:
        # Later looks go without: a program that changes meanwhile is not the one that plays.
        self.report(*(["--changed-programs"] if self.options.changed_programs else []))
        self.header, *games = checkpoint.read_lines(self.folder / LOG)
        self.played = {game["id"] for game in games}
        count, options = len(self.header["players"]), self.options
        rounds = PAIRS_OF_TEST if options.sprt else PAIRS
        rounds = int(options.games) // 2 if options.games else rounds
        pairings = count - 1 if options.schedule == "gauntlet" else count * (count - 1) // 2
        pairs = [] if self.is_decided() else range(rounds * pairings)
        return rounds * pairings, [pair for pair in pairs
                                   if not {2 * pair, 2 * pair + 1} <= self.played]

    def make(self, count: int, missing: list[int]) -> bool:
        is_whole = super().make(count, missing)
        note = self.folder / NOTE
        note.write_text(noise_of_nodes(checkpoint.read_lines(self.folder / NODES)), "utf-8")
        print(self.report(f"--note={note}"), end="", flush=True)
        return is_whole

    def words(self) -> list[str]:
        players = [travelling(player, self.cluster.send) for player in self.header["players"]]
        return [*players, *self.handed_on(self.cluster.send),
                *(["--logs"] if self.options.logs else [])]

    def merge(self, task: Task, result: Result) -> bool:
        files = result.files
        lines = files[LOG].splitlines(keepends=True)
        games = {json.loads(line)["id"]: line for line in lines[1:]}
        if sorted(games) != [2 * task.number, 2 * task.number + 1]:
            raise self.strange(task, result)
        self._compare_programs(task, result.node, json.loads(lines[0]))
        new = games.keys() - self.played
        for name, contents in files.items():
            record = re.match(r"(?:sgf|logs)/(\d+)", name)
            if record and int(record[1]) in new:
                checkpoint.write(self.folder / name, contents)
        noise = json.loads(files[SUMMARY])["clock_noise"] or {}
        about = {"node": result.node, **noise}
        with checkpoint.run_lock(self.folder):
            with open(self.folder / NODES, "a", encoding="utf-8") as nodes:
                nodes.write(json.dumps(about) + "\n")
            with open(self.folder / LOG, "ab") as log:
                log.write(b"".join(games[number] for number in sorted(new)))
        self.played |= new
        return not self._has_ended()

    def _compare_programs(self, task: Task, node: str, header: dict[str, Any]) -> None:
        """Raises `RunError` if a job was played by other programs than the match began with.

        Paths and times differ from node to node; what counts is the content. What is installed on
        the nodes may be of another build on each.
        """
        expected, found = hashes(self.header), hashes(header)
        for player, name in expected.keys() & found.keys():
            was, now = expected[player, name], found[player, name]
            if was != now:
                raise RunError(
                    f"{task.name} on {node}: {name} of player {player!r} has changed since the "
                    f"match began (hash {was}, now {now}). Begin anew with another --out, or put "
                    "the old one back; --changed-programs mixes both"
                )

    def _has_ended(self) -> bool:
        """Looks at the test, if there is one and it is time to."""
        if not self.options.sprt or time.monotonic() - self.looked < LOOK_EVERY:
            return False
        self.report()
        self.looked = time.monotonic()
        return self.is_decided()


def hashes(header: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Returns the hashes of files that travel, by player and by their names without folders."""
    return {(player["name"], Path(file["path"]).name): file["fnv1a"]
            for player in header["players"] for file in player.get("programs", ())
            if not is_installed(file["path"])}


def is_installed(path: str) -> bool:
    """Returns true if a program is taken to be on every node."""
    return any(Path(path).absolute().is_relative_to(folder) for folder in INSTALLED)


def travelling(player: dict[str, Any], send: Callable[[Path], str]) -> str:
    """Returns a player of a log's header as a node is to start it, under the same name.

    The files that its command names travel, as far as `hex match` takes them to be of its program;
    `send` says what stands for the path of one.
    """
    text = player["text"]
    for file in player.get("programs", ()):
        path = file["path"]
        if Path(path).is_file() and not is_installed(path):
            around = re.split(rf"(?<![\w./-]){re.escape(path)}(?![\w./-])", text)
            text = send(Path(path)).join(around)
    # The last name counts.
    return f"{text} ;; name={player['name']}"


def noise_of_nodes(jobs: list[dict[str, Any]]) -> str:
    """Returns a line for each node, the worst clock noise of its jobs.

    Times that were measured on a busy node are worth little.
    """
    lines = []
    for node in sorted({job["node"] for job in jobs}):
        its = [job for job in jobs if job["node"] == node]
        gap, lost, late_p99, late = (max(job.get(name) or 0 for job in its) for name in NOISE)
        lines.append(
            f"clock noise of node {node}, {len(its)} pairs: before, gaps "
            f"of at most {gap:.1f} ms, {100 * lost:.1f} % of the time lost; during, sleepers woken "
            f"{late_p99:.1f} ms late (p99), {late:.1f} ms at most\n"
        )
    return "".join(lines)


COMMANDS: dict[str, type[Command]] = {"selfplay": Selfplay, "match": Match}
