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
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray

from train import children
from train.checkpoint import RunError, on_stop_signals, program
from train.cluster import job as on_the_node
from train.cluster.job import Job, Parcel, Result
from train.cluster.progress import Progress
from train.options import option

# A job that has failed so often is given up, and the run with it.
ATTEMPTS = 4

# Jobs that wait at Ray's beside those that run, as a share of the cores: no core is without work.
AHEAD = 0.25

# Before a job that has failed is given out again, in seconds; doubled each time.
PAUSE = 1.0

# How often the nodes are counted and the state is told, in seconds.
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
    numbers: range = range(0)  # of the shards or pairs that it makes
    cores: int = 1


class StopRequest:
    """Whether Ctrl-C has been pressed, or SIGTERM has come; a second one ends at once."""

    def __init__(self) -> None:
        self.asked = False
        on_stop_signals(self._ask)

    def _ask(self, kind: int, _: object) -> None:
        self.asked = True
        signal.signal(kind, signal.SIG_DFL)

    def __call__(self) -> bool:
        return self.asked


class Cluster:
    """A connection to Ray, for as long as its context is open."""

    def __init__(self, options: ClusterOptions):
        """Raises `RunError` if there is no such cluster or no program `hex`."""
        self.hex = program(options.hex)
        self.parcels: dict[str, Parcel] = {}
        # By path, size and time of change, so that a file is read once.
        self.known: dict[tuple[str, int, int], str] = {}
        self.owned = not ray.is_initialized()
        self.scratch = connect(options) if self.owned else None
        for module in (on_the_node, children):
            ray.cloudpickle.register_pickle_by_value(module)
        # A lost worker is Ray's to replace however often; what a job raises is the driver's.
        self.remote = ray.remote(max_retries=-1)(on_the_node.run)
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
            about = path.stat()
            mark = (str(path.absolute()), about.st_size, about.st_mtime_ns)
            if mark in self.known:
                return self.known[mark]
            contents = packed(path) if path.is_dir() else path.read_bytes()
        except OSError as error:
            raise RunError(f"{path} cannot be read: {error.strerror}") from error
        runs = bool(about.st_mode & 0o100)
        key = key_of(path.name, path.is_dir(), runs, contents)
        if not path.is_dir():
            self.known[mark] = key
        if key not in self.parcels:
            self.parcels[key] = {"name": path.name, "folder": path.is_dir(), "runs": runs,
                                 "contents": ray.put(contents)}
        return key

    def job(self, task: Task) -> Job:
        """Returns a task as it travels, with the files that its words name and no others."""
        words = [self.program, *task.words]
        needed = {key for key in self.parcels if any(key in word for word in words)}
        return {"words": words, "parcels": {key: self.parcels[key] for key in needed}}

    def run(
        self, tasks: Sequence[Task], merge: Callable[[Task, Result], bool], progress: Progress,
        stop: Callable[[], bool],
    ) -> bool:
        """Does all tasks, in any order; hands each one's result once to `merge`.

        Ends early when `merge` returns false. Returns false if it was stopped before the end.
        Raises `RunError` if a task fails again and again; jobs that are out are then abandoned.
        """
        work = Work(self, deque(tasks), progress)
        try:
            while work.tasks or work.out:
                if stop():
                    return False
                work.give_out()
                for task, result in work.finished():
                    if not merge(task, result):
                        return True
            return True
        finally:
            work.abandon()


class Work:
    """Tasks on their way through a cluster."""

    def __init__(self, cluster: Cluster, tasks: deque[Task], progress: Progress):
        self.cluster, self.tasks, self.progress = cluster, tasks, progress
        self.out: dict[Any, Task] = {}  # by Ray's reference
        self.failures: Counter[Task] = Counter()
        self.rests_until = 0.0  # nothing is given out before
        self.looked = -TICK
        self.nodes, self.cores = 0, 0.0

    def look(self) -> None:
        """Counts nodes and cores, which come and go, and tells of the state."""
        now = time.monotonic()
        if now - self.looked < TICK:
            return
        self.looked = now
        alive = [node for node in ray.nodes() if node["Alive"]]
        cores = [node["Resources"].get("CPU", 0.0) for node in alive]
        self.nodes, self.cores = sum(count > 0 for count in cores), sum(cores)
        self.progress.tell(self.nodes, len(self.out))

    def give_out(self) -> None:
        """Gives out as many tasks as the cluster has cores, and some more."""
        self.look()
        if time.monotonic() < self.rests_until:
            return
        taken = sum(task.cores for task in self.out.values())
        while self.tasks and taken < max(1.0, self.cores * (1 + AHEAD)):
            task = self.tasks.popleft()
            taken += task.cores
            remote = self.cluster.remote.options(
                num_cpus=task.cores, name=task.name, scheduling_strategy="SPREAD"
            )
            self.out[remote.remote(self.cluster.job(task))] = task

    def finished(self) -> list[tuple[Task, Result]]:
        """Waits a moment; returns what has come. What failed is given out again."""
        if not self.out:
            time.sleep(min(TICK, PAUSE))
            return []
        ready, _ = ray.wait(list(self.out), num_returns=1, timeout=TICK)
        results = []
        for reference in ready:
            task = self.out.pop(reference)
            result = self._result(task, reference)
            if result is None:
                # The first of all: what is wrong with every job is found out soon.
                self.tasks.appendleft(task)
                continue
            progress = self.progress
            progress.nodes[result["node"]] = progress.nodes.get(result["node"], 0) + 1
            progress.processor_seconds += result["processor_seconds"]
            results.append((task, result))
        return results

    def _result(self, task: Task, reference: Any) -> Result | None:
        """Returns what a job returned, or `None` if it has to be done again."""
        try:
            result: Result = ray.get(reference)
            failure = result["failure"] and f"on {result['node']} hex {result['failure']}"
        except ray.exceptions.RayError as error:
            # A full object store or disk, a lost object, a job that raised; Ray has long replaced
            # workers and nodes that died.
            failure = str(error)
        if not failure:
            return result
        self.failures[task] += 1
        self.progress.lost += 1
        if self.failures[task] >= ATTEMPTS:
            raise RunError(f"{task.name} failed {ATTEMPTS} times; at last {failure}")
        self.progress.say(f"{task.name} is done again: {failure.strip().splitlines()[-1]}")
        # What was full needs a moment.
        pause = PAUSE * 2 ** (self.failures[task] - 1)
        self.rests_until = max(self.rests_until, time.monotonic() + pause)
        return None

    def abandon(self) -> None:
        """Ends all jobs that are out, with their programs."""
        for reference in self.out:
            ray.cancel(reference, force=True)
        self.out = {}


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
        cure = "try again when the machine has less to do" if here else "ray status tells"
        raise RunError(f"there is no Ray at {address}: {error}; {cure}") from error
    # Paragraphs about each worker that died; what matters of them is in the state. Ray has no
    # public way to be silent about it.
    ray._private.worker._worker_logs_enabled = False
    if context.dashboard_url:
        print(f"Ray's dashboard: http://{context.dashboard_url}", flush=True)
    return scratch


def tasks_of(
    kind: str, words: Sequence[str], missing: Sequence[int], most: int, cores: int = 1
) -> list[Task]:
    """Returns tasks that make the missing `kind`, such as shards, a limited number in each."""
    return [Task(f"{kind} {span.start}..{span.stop}",
                 (*words, f"--only-{kind}", f"{span.start}..{span.stop}"), span, cores)
            for span in spans(missing, most)]


def spans(numbers: Sequence[int], most: int) -> list[range]:
    """Returns rising numbers as ranges of at most so many."""
    found: list[range] = []
    for number in numbers:
        if found and found[-1].stop == number and len(found[-1]) < most:
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found


def key_of(name: str, folder: bool, runs: bool, contents: bytes) -> str:
    """Returns what stands for a parcel: another one if anything of it is another."""
    about = hashlib.sha256(repr((name, folder, runs)).encode())
    about.update(contents)
    return "@" + about.hexdigest()


def packed(folder: Path) -> bytes:
    """Returns a tar of the files in a folder, equal for equal files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size = path.stat().st_size
                with open(path, "rb") as file:
                    tar.addfile(entry, file)
    return buffer.getvalue()
