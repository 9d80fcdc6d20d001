"""`hex match` on a cluster: the same records and the same report, every pair exactly once.

The number of a pair tells its opening and its players, so a job is some pairs of the match. What
the jobs write goes into the match's folder, as if one machine had played: `hex match --resume`
reports it, and could go on with it.
"""

import contextlib
import json
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from train import checkpoint
from train.checkpoint import RunError, Stopped
from train.cluster import noise
from train.cluster.job import Result
from train.cluster.players import INSTALLED, travelling
from train.cluster.progress import Progress
from train.cluster.ray_cluster import Cluster, ClusterOptions, StopRequest, Task, tasks_of
from train.options import add_options, from_arguments, option, parser_of, required

LOG, NODES, REPORT, NOTE = "games.jsonl", "nodes.jsonl", "report.txt", "clock-noise.txt"

# The driver's lock. The folder's own is for the moments in which the log is written.
LOCK = "driver.lock"

# Pairs of a match unless --games says otherwise, and of one whose length a test decides.
PAIRS, PAIRS_OF_TEST = 50, 20_000

# What a report says when a test has come to its end.
DECIDED = (", H0 accepted", ", H1 accepted")

# How often a test is looked at, in seconds.
LOOK_EVERY = 2.0


@dataclass(frozen=True, kw_only=True)
class MatchOptions(ClusterOptions):
    """The options of the command; those below `out` are of `hex match`."""

    out: str = required("the match's folder; an existing match goes on")
    pairs_per_job: int = option(1, "of games, one after the other")
    cores_per_job: int = option(1, "that are kept for a pair")
    games: int | None = option(
        None, "of each pairing, an even number (default: 100, or as many as --sprt needs)", type=int
    )
    openings: str | None = option(None, "balanced, all, own, random:PLIES or file:PATH")
    seed: int | None = option(None, "of the openings", type=int)
    side: int | None = option(None, "of the board", type=int)
    first_ms: int | None = option(None, "limit of a player's first answer", type=int)
    turn_ms: int | None = option(None, "limit of later answers", type=int)
    sprt: str | None = option(None, "ELO0,ELO1: stop when it is known which")
    alpha: float | None = option(None, "how often the test may find what is not there", type=float)
    beta: float | None = option(None, "how often the test may miss what is there", type=float)
    schedule: str | None = option(None, "round-robin or gauntlet")
    players: str | None = option(None, "a TOML file of players")
    logs: bool = option(False, "keep what was said in every game, not only in those lost by faults")
    changed_programs: bool = option(
        False, "go on, and say so in the report, although a player's program has changed"
    )


# The options that are handed on as they are.
HANDED_ON = ("games", "openings", "seed", "side", "first_ms", "turn_ms", "sprt", "alpha", "beta",
             "schedule")


class Match:
    """A match in a folder."""

    def __init__(
        self, cluster: Cluster, options: MatchOptions, players: list[str],
        stop: Callable[[], bool], folder: Path,
    ):
        self.cluster, self.options, self.players, self.stop = cluster, options, players, stop
        self.folder = folder
        self.played: set[int] = set()  # the numbers of games
        self.players_of_log: list[dict[str, Any]] = []  # as the log's first line has them
        self.looked = 0.0

    def play(self) -> bool:
        """Plays what is missing and reports; returns false if it was stopped before the end."""
        # Later looks go without: a program that changes meanwhile is not the one that plays.
        changed = ["--changed-programs"] if self.options.changed_programs else []
        begun = self._report(*changed)
        is_decided = any(words in begun for words in DECIDED)
        whole = is_decided or self._play_missing()
        note = self.folder / NOTE
        note.write_text(noise.text(checkpoint.read_lines(self.folder / NODES)), encoding="utf-8")
        print(self._report("--note", str(note)), end="", flush=True)
        return whole

    def _play_missing(self) -> bool:
        header, *games = checkpoint.read_lines(self.folder / LOG)
        self.played = {game["id"] for game in games}
        self.players_of_log = header["players"]
        names = [player["name"] for player in header["players"]]
        texts = [player["text"] for player in header["players"]]
        tasks, pairs = self._tasks(texts, names)
        self.progress = Progress(2 * pairs, len(self.played), "game")
        try:
            return self.cluster.run(tasks, self._merge, self.progress, self.stop)
        finally:
            print(self.progress.finish(), file=sys.stderr, flush=True)

    def _options(self, send: Callable[[Path], str]) -> list[str]:
        """Returns the options of `hex match`; `send` says what stands for the path of a file."""
        words = []
        for name in HANDED_ON:
            value = getattr(self.options, name)
            if name == "openings" and str(value).startswith("file:"):
                value = "file:" + send(Path(value.removeprefix("file:")))
            words += [] if value is None else [f"--{name.replace('_', '-')}={value}"]
        return words

    def _report(self, *more: str) -> str:
        """Begins the match, or looks whether this is the one in the folder; returns the report.

        Raises `RunError` with what `hex match` says against it.
        """
        roster = [f"--players={self.options.players}"] if self.options.players else []
        resume = ["--resume"] if (self.folder / LOG).is_file() else []
        command = [self.cluster.hex, "match", *self.players, *roster, *self._options(str),
                   "--only-pairs", "0..0", "--out", str(self.folder), *resume, *more]
        told = subprocess.run(command, check=False, capture_output=True, text=True)
        if told.returncode != 0:
            raise RunError(told.stderr.strip().removeprefix("error: "))
        return told.stdout

    def _tasks(self, texts: list[str], names: list[str]) -> tuple[list[Task], int]:
        """Returns the tasks to do, and how many pairs the match has."""
        options, count = self.options, len(names)
        if options.pairs_per_job < 1 or options.cores_per_job < 1:
            raise RunError("--pairs-per-job and --cores-per-job: at least 1")
        rounds = PAIRS_OF_TEST if options.sprt else PAIRS
        rounds = rounds if options.games is None else options.games // 2
        pairings = count - 1 if options.schedule == "gauntlet" else count * (count - 1) // 2
        players = [travelling(text, name, self.cluster.send)
                   for text, name in zip(texts, names, strict=True)]
        logs = ["--logs"] if options.logs else []
        words = ("match", *players, *self._options(self.cluster.send), "--threads=1", *logs)
        missing = [pair for pair in range(rounds * pairings)
                   if not {2 * pair, 2 * pair + 1} <= self.played]
        tasks = tasks_of("pairs", words, missing, options.pairs_per_job, options.cores_per_job)
        return tasks, rounds * pairings

    def _merge(self, task: Task, result: Result) -> bool:
        """Writes a job's games that are missing; returns false if the match's test has ended."""
        files = {name: zlib.decompress(packed) for name, packed in result["files"].items()}
        games = {2 * pair + half for pair in task.numbers for half in (0, 1)}
        lines = {game["id"]: line for game, line in games_of(files[LOG])}
        if set(lines) != games:
            raise RunError(f"{task.name} came with games {sorted(lines)}: is {self.options.hex} "
                           "of the same version as train/?")
        self._compare_programs(task, result["node"], files[LOG])
        new = sorted(games - self.played)
        (self.folder / "logs").mkdir(exist_ok=True)
        begins = tuple(f"{kind}/{number:06}{end}" for number in new
                       for kind, end in (("sgf", ".sgf"), ("logs", "-")))
        for record in files:
            if record.startswith(begins):
                (self.folder / record).write_bytes(files[record])
        measured = noise.read(files[REPORT].decode(), result["node"], len(task.numbers))
        with checkpoint.run_lock(self.folder):
            if measured:
                with open(self.folder / NODES, "a", encoding="utf-8") as file:
                    file.write(json.dumps(measured) + "\n")
            with open(self.folder / LOG, "ab") as log:
                log.write(b"".join(lines[number] for number in new))
        self.played |= set(new)
        self.progress.add(len(new), 0)
        return not self._has_ended()

    def _compare_programs(self, task: Task, node: str, log: bytes) -> None:
        """Raises `RunError` if a job was played by other programs than the match began with.

        Paths and times differ from node to node; what counts is the content. What is installed on
        the nodes may be of another build on each.
        """
        players = json.loads(log.splitlines()[0])["players"]
        for ours, theirs in zip(self.players_of_log, players, strict=True):
            expected, found = hashes(ours), hashes(theirs)
            for name in expected.keys() & found.keys():
                if expected[name] != found[name]:
                    raise RunError(
                        f"{task.name} on {node}: {name} of player {ours['name']!r} has changed "
                        f"since the match began (hash {expected[name]}, now {found[name]}). Begin "
                        "anew with another --out, or put the old one back; --changed-programs "
                        "mixes both"
                    )

    def _has_ended(self) -> bool:
        """Looks at the test, if there is one and it is time to."""
        if not self.options.sprt or time.monotonic() - self.looked < LOOK_EVERY:
            return False
        report = self._report()
        self.looked = time.monotonic()
        return any(words in report for words in DECIDED)


def games_of(log: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yields the games of a log, read and as the lines they are."""
    for line in log.splitlines(keepends=True)[1:]:
        yield json.loads(line), line


def hashes(player: dict[str, Any]) -> dict[str, str]:
    """Returns the hashes of a player's files that travel, by their names without folders."""
    files = [(Path(file["path"]), file["fnv1a"]) for file in player.get("programs", ())]
    return {
        path.name: value for path, value in files
        if not any(path.is_relative_to(folder) for folder in INSTALLED)
    }


@contextlib.contextmanager
def folder_of(out: str) -> Iterator[Path]:
    """Keeps the folder of a match to this process."""
    with checkpoint.run_lock(Path(out), LOCK):
        yield Path(out)


def read_options(arguments: list[str]) -> tuple[MatchOptions, list[str]]:
    """Returns the options and the players of a command line."""
    parser = parser_of(
        "train.cluster match", __doc__, allow_abbrev=False,
        epilog="docs/arena.md tells what players are, and what the numbers mean",
    )
    parser.add_argument("player", nargs="*", help="two or more, as for hex match")
    add_options(parser, MatchOptions)
    own = parser.parse_intermixed_args(arguments)
    return from_arguments(MatchOptions, own), own.player


def main(arguments: list[str]) -> None:
    """Runs the command; raises `Stopped` after Ctrl-C."""
    options, players = read_options(arguments)
    with Cluster(options) as cluster, folder_of(options.out) as folder:
        if not Match(cluster, options, players, StopRequest(), folder).play():
            raise Stopped
