"""The driver's side of Ray: what travels, which jobs are out, and what is done when one is lost.

Ray does a job again whose worker or node is lost, and tells the driver of a result that cannot be
had; the driver then gives the job out once more. So nothing is lost; and nothing is there twice,
because the driver alone writes to the run's folder, each job's result once.
"""

import hashlib
import io
import logging
import os
import secrets
import signal
import sys
import tarfile
import tempfile
import time
import zlib
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray

from train import children
from train.checkpoint import RunError, on_stop_signals, program
from train.cluster import job
from train.cluster.progress import Progress
from train.options import option

# A job that has failed so often is given up, and the run with it.
ATTEMPTS = 4

# Jobs that wait at Ray's beside those that run, as a share of the cores: no core is without work.
AHEAD = 0.25

# Nothing is given out for so long after a job has failed, in seconds; doubled each time: what was
# full needs a moment.
PAUSE = 1.0

# How often the nodes are counted and the state is reported at least, in seconds.
TICK = 0.5


@dataclass(frozen=True, kw_only=True)
class ClusterOptions:
    """The options of all commands."""

    hex: str = option("target/release/hex", "the program hex; it travels to the nodes")
    address: str | None = option(
        None, "of a Ray cluster, such as auto or HOST:6379; default: the variable RAY_ADDRESS, or "
        "a Ray of its own on this machine's cores",
    )
    cores: int = option(os.cpu_count() or 1, "of this machine, for a Ray of its own")
    dashboard: bool = option(False, "Ray's dashboard, for a Ray of its own")


@dataclass(frozen=True)
class Task:
    """A job before it travels."""

    name: str  # as messages call it
    words: tuple[str, ...]  # arguments of `hex`; files in them as `Cluster.send` names them
    number: int  # of the piece that it makes


@dataclass(frozen=True)
class Result:
    """What has come of a job."""

    node: str
    files: dict[str, bytes]  # by their path below `--out`


class StopRequest:
    """Whether Ctrl-C has been pressed, or SIGTERM has come; a second one ends at once."""

    def __init__(self) -> None:
        self.is_there = False
        on_stop_signals(self._ask)

    def _ask(self, kind: int, _: object) -> None:
        self.is_there = True
        signal.signal(kind, signal.SIG_DFL)

    def __call__(self) -> bool:
        return self.is_there


class Cluster:
    """A connection to Ray, for as long as its context is open."""

    def __init__(self, options: ClusterOptions):
        """Raises `RunError` if there is no such cluster or no program `hex`."""
        self.hex = program(options.hex)
        self.parcels: dict[str, Any] = {}  # archives in the object store, by what stands for them
        self.owned = not ray.is_initialized()
        self.scratch = connect(options) if self.owned else None
        for module in (job, children):
            ray.cloudpickle.register_pickle_by_value(module)
        # A lost worker is Ray's to replace however often; what a job raises is the driver's.
        self.remote = ray.remote(max_retries=-1, scheduling_strategy="SPREAD")(job.run)
        self.program = self.send(Path(self.hex))

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        if self.owned:
            ray.shutdown()
        if self.scratch:
            self.scratch.cleanup()

    def send(self, path: Path) -> str:
        """Makes a file or a folder travel; returns what stands for its path in a task's words.

        Raises `RunError` if it cannot be read.
        """
        try:
            contents = packed(path)
        except OSError as error:
            raise RunError(f"{path} cannot be read: {error.strerror}") from error
        key = "@" + hashlib.sha256(contents).hexdigest()
        if key not in self.parcels:
            self.parcels[key] = ray.put(contents)
        return f"{key}/{path.absolute().name}"

    def start(self, task: Task) -> Any:
        """Gives a job out, with the files that its words name; returns Ray's reference."""
        words = [self.program, *task.words]
        needed = {key: archive for key, archive in self.parcels.items()
                  if any(key in word for word in words)}
        return self.remote.options(name=task.name).remote(words, needed)

    def run(
        self, tasks: Sequence[Task], merge: Callable[[Task, Result], bool], progress: Progress,
        stop: Callable[[], bool],
    ) -> bool:
        """Does all tasks, in any order; hands each one's result once to `merge`.

        Ends early when `merge` returns false. Returns false if it was stopped before the end.
        Raises `RunError` if a task fails again and again; jobs that are out are then abandoned.
        """
        left, out, failures = deque(tasks), dict[Any, Task](), Counter[Task]()
        rests_until = 0.0
        try:
            while left or out:
                if stop():
                    return False
                cores = cores_of_nodes()
                progress.show(len(cores), len(out))
                most = sum(cores) * (1 + AHEAD) if time.monotonic() >= rests_until else 0
                while left and len(out) < most:
                    task = left.popleft()
                    out[self.start(task)] = task
                if not out:
                    time.sleep(min(TICK, PAUSE))
                    continue
                for reference in ray.wait(list(out), num_returns=1, timeout=TICK)[0]:
                    task = out.pop(reference)
                    result = result_of(reference)
                    if isinstance(result, Result):
                        progress.add(result.node)
                        if not merge(task, result):
                            return True
                        continue
                    failures[task] += 1
                    progress.lost += 1
                    if failures[task] >= ATTEMPTS:
                        raise RunError(f"{task.name} failed {ATTEMPTS} times; at last {result}")
                    progress.say(f"{task.name} is done again: {result.splitlines()[-1]}")
                    # The first of all: what is wrong with every job is found out soon.
                    left.appendleft(task)
                    rests_until = time.monotonic() + PAUSE * 2 ** (failures[task] - 1)
            return True
        finally:
            for reference in out:
                ray.cancel(reference, force=True)


def cores_of_nodes() -> list[float]:
    """Returns how many cores each node has that lives; nodes come and go."""
    cores = [node["Resources"].get("CPU", 0.0) for node in ray.nodes() if node["Alive"]]
    return [count for count in cores if count > 0]


def result_of(reference: Any) -> Result | str:
    """Returns what a job returned, or why it has to be done again.

    That is a full object store or disk, a lost object, a program that failed; Ray has long replaced
    workers and nodes that died.
    """
    try:
        node, files = ray.get(reference)
    except ray.exceptions.RayError as error:
        return str(getattr(error, "cause", None) or error).strip()
    return Result(node, {name: zlib.decompress(contents) for name, contents in files.items()})


def connect(options: ClusterOptions) -> "tempfile.TemporaryDirectory[str] | None":
    """Connects to a cluster, or starts Ray here; raises `RunError` if there is no such cluster.

    Returns the folder of a Ray of its own, which is to be deleted after it.
    """
    address = options.address or os.environ.get("RAY_ADDRESS") or "local"
    here: dict[str, Any] = {}
    scratch = None
    if address == "local":
        # All that Ray and its jobs write is there. Its sockets need a short path.
        scratch = tempfile.TemporaryDirectory(prefix="hexbot-", ignore_cleanup_errors=True)
        print(f"Ray's files are in {scratch.name} until the end", file=sys.stderr, flush=True)
        os.environ["TMPDIR"] = scratch.name
        # Ray would write a token into the user's home, and warn that there is one.
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        logging.getLogger("ray._private.authentication").setLevel(logging.ERROR)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # Ray's workers would be nicer than the driver by 15: games stood still beside compilers.
        os.environ.setdefault("RAY_worker_niceness", "0")
        here = {"num_cpus": options.cores, "include_dashboard": options.dashboard,
                "_temp_dir": scratch.name}
    try:
        context = ray.init(
            address=address, log_to_driver=False, logging_level=logging.WARNING, **here
        )
    # Ray raises bare exceptions, too, such as when a busy machine does not start it in time.
    except Exception as error:
        cure = "try again when the machine has less to do" if here else "ray status says more"
        raise RunError(f"there is no Ray at {address}: {error}; {cure}") from error
    # Paragraphs about each worker that died; what matters of them is in the state. Ray has no
    # public way to be silent about it.
    ray._private.worker._worker_logs_enabled = False
    if context.dashboard_url:
        print(f"Ray's dashboard: http://{context.dashboard_url}", flush=True)
    return scratch


def packed(path: Path) -> bytes:
    """Returns a tar of a file or a folder, equal for equal names, contents and rights."""

    def without_circumstances(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        return entry

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        tar.add(path, path.absolute().name, filter=without_circumstances)
    return buffer.getvalue()
