"""`hex lab selfplay` on a cluster: the same shards, byte for byte, as one machine makes.

A shard depends on the seed, its number and the other options alone. So a job is some shards of the
run, and its shards are the same wherever it runs.
"""

import subprocess
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from train.checkpoint import RunError, Stopped, run_lock, write
from train.cluster.job import Result
from train.cluster.progress import Progress
from train.cluster.ray_cluster import Cluster, ClusterOptions, StopRequest, Task, tasks_of
from train.options import add_options, from_arguments, option, parser_of, required
from train.shard_header import HEADER, MAGIC, VERSION, bytes_of_record


@dataclass(frozen=True, kw_only=True)
class SelfplayOptions(ClusterOptions):
    """The options of the command; further ones are those of `hex lab selfplay`."""

    out: str = required("the shards' folder; an existing run goes on")
    shards: int = option(100, "in all, those included that are there already")
    games: int = option(40, "in each shard")
    side: int = option(11, "of the board")
    seed: int = option(1, "of the first game")
    weights: str | None = option(None, "a weights file to play with; it travels to the nodes")
    starts: str | None = option(None, "a folder of games to begin from; it travels to the nodes")
    shards_per_job: int = option(1, "more, if shards take less than some seconds")


def words_of(options: SelfplayOptions, more: list[str], send: Callable[[Path], str]) -> list[str]:
    """Returns the arguments of `hex`; `send` says what stands for the path of a file."""
    words = ["lab", "selfplay", "--shards", options.shards, "--games", options.games,
             "--side", options.side, "--seed", options.seed, "--threads", 1]
    for name in ("weights", "starts"):
        path = getattr(options, name)
        words += [f"--{name}", send(Path(path))] if path else []
    return [*map(str, words), *more]


def check(cluster: Cluster, options: SelfplayOptions, more: list[str]) -> None:
    """Lets `hex` look at the options; raises `RunError` with what it says against them."""
    if options.shards_per_job < 1:
        raise RunError(f"--shards-per-job {options.shards_per_job}: at least 1")
    with tempfile.TemporaryDirectory() as folder:
        words = [*words_of(options, more, str), "--only-shards", "0..0", "--out", folder]
        command = [cluster.hex, *words]
        tried = subprocess.run(command, check=False, capture_output=True, text=True)
    if tried.returncode != 0:
        raise RunError(tried.stderr.strip().removeprefix("error: "))


def name_of(number: int) -> str:
    """Returns the file name of a shard."""
    return f"{number:06}.bin"


def positions_of(options: SelfplayOptions, number: int, head: bytes, size: int) -> int:
    """Returns how many positions a shard has, given its first bytes and its size in bytes.

    Raises `RunError` if it is not this run's shard of that number, or not whole.
    """
    expected = (MAGIC, VERSION, options.side, bytes_of_record(options.side))
    seed = (options.seed + number * options.games) % 2**64
    *kind, positions, its_seed = HEADER.unpack(head) if len(head) == HEADER.size else (0, 0, 0)
    place = f"{options.out}/{name_of(number)}"
    if (*kind, its_seed) != (*expected, seed):
        raise RunError(
            f"{place} is a shard of another run; continue that run with its own --seed, --games "
            "and --side, or choose another --out"
        )
    whole = HEADER.size + positions * bytes_of_record(options.side)
    if size != whole:
        raise RunError(
            f"{place} is damaged, it has {size} bytes instead of {whole}; delete it, and the same "
            "command plays it again"
        )
    return int(positions)


class Selfplay:
    """A run of self-play in a folder."""

    def __init__(
        self, cluster: Cluster, options: SelfplayOptions, more: list[str],
        stop: Callable[[], bool],
    ):
        self.cluster, self.options, self.more, self.stop = cluster, options, more, stop
        self.folder = Path(options.out)

    def play(self) -> bool:
        """Plays what is missing; returns false if it was stopped before the end."""
        with run_lock(self.folder):
            options = self.options
            check(self.cluster, options, self.more)
            missing = [number for number in range(options.shards) if not self._is_there(number)]
            words = words_of(options, self.more, self.cluster.send)
            tasks = tasks_of("shards", words, missing, options.shards_per_job)
            done = options.shards - len(missing)
            self.progress = Progress(options.shards * options.games, done * options.games, "game")
            try:
                return self.cluster.run(tasks, self._merge, self.progress, self.stop)
            finally:
                print(self.progress.finish(), flush=True)

    def _is_there(self, number: int) -> bool:
        path = self.folder / name_of(number)
        if not path.is_file():
            return False
        with open(path, "rb") as file:
            positions_of(self.options, number, file.read(HEADER.size), path.stat().st_size)
        return True

    def _merge(self, task: Task, result: Result) -> bool:
        """Writes a job's shards."""
        for number in task.numbers:
            packed = result["files"].get(name_of(number))
            if packed is None:
                raise RunError(f"{task.name} came without {name_of(number)}: is {self.options.hex} "
                               "of the same version as train/?")
            contents = zlib.decompress(packed)
            head = contents[: HEADER.size]
            positions = positions_of(self.options, number, head, len(contents))
            write(self.folder / name_of(number), contents)
            self.progress.add(self.options.games, positions)
        return True


def read_options(arguments: list[str]) -> tuple[SelfplayOptions, list[str]]:
    """Returns the options of a command line, and those that are of `hex lab selfplay` alone."""
    parser = parser_of(
        "train.cluster selfplay", __doc__, allow_abbrev=False,
        epilog="other options are those of hex lab selfplay: hex lab selfplay --help",
    )
    add_options(parser, SelfplayOptions)
    own, more = parser.parse_known_args(arguments)
    return from_arguments(SelfplayOptions, own), more


def main(arguments: list[str]) -> None:
    """Runs the command; raises `Stopped` after Ctrl-C."""
    options, more = read_options(arguments)
    with Cluster(options) as cluster:
        if not Selfplay(cluster, options, more, StopRequest()).play():
            raise Stopped
