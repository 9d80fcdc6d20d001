"""The files of a run: its checkpoint, its log, and the lock that keeps both to one process.

A checkpoint is replaced as a whole, so that a kill leaves the old one or the new one. PyTorch is
imported where a checkpoint is read or written: who only keeps a folder needs none.
"""

import contextlib
import fcntl
import io
import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

# The checkout.
ROOT = Path(__file__).resolve().parents[1]

CHECKPOINT = "checkpoint.pt"
# The folder of the best network in a run of `python -m train`.
BEST = "best"
LOG = "log.jsonl"
CURVE = "curve.jsonl"
LOCK = "lock"

# The exit status of a run that Ctrl-C has stopped before its end.
INTERRUPTED = 130


class RunError(Exception):
    """A run cannot begin or go on; the message tells what is wrong and the cure."""


def program(name: str) -> str:
    """Returns the path of the program `hex`; raises `RunError` if there is none of this name."""
    path = shutil.which(name)
    if path is None:
        raise RunError(f"{name} is no program: cargo build --release -p hex-cli, or give --hex")
    return path


def on_stop_signals(handler: Callable[..., None]) -> None:
    """Calls the handler at Ctrl-C and at the system's request to end.

    What is ignored from the start stays so: Ctrl-C is not for the background of a script.
    """
    for kind in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(kind) is not signal.SIG_IGN:
            signal.signal(kind, handler)


class Stopped(Exception):
    """A run has been asked to stop; the same command goes on."""


@contextlib.contextmanager
def run_lock(run: Path, name: str = LOCK) -> Iterator[None]:
    """Locks a run's folder, by the file `name` in it, while the context is open; makes it first.

    Two processes that write one checkpoint would spoil it; the second one may be a learner that
    still ends, after its loop was killed. The system frees the lock when its process ends, however
    that happens. Raises `RunError` if another process holds the lock.
    """
    with contextlib.ExitStack() as at_the_end:
        try:
            run.mkdir(parents=True, exist_ok=True)
            file = at_the_end.enter_context(open(run / name, "w", encoding="utf-8"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RunError(
                f"{run} is in use by another process: wait for its end, or choose another --out"
            ) from error
        except OSError as error:
            raise RunError(f"cannot write into the folder {run}: {error.strerror}; choose another "
                           "--out") from error
        yield


def check_is_no_source(out: Path) -> None:
    """Raises `RunError` if a file lies in the bot's source: only `--ship` writes there."""
    if out.resolve().is_relative_to(ROOT / "src"):
        raise RunError(f"{out} is in the bot's source: choose another file; python -m train.export "
                       "RUN --ship writes there")


def write(path: Path, contents: "bytes | memoryview") -> None:
    """Replaces a file as a whole; raises `RunError` if that fails, as on a full disk."""
    unfinished = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(unfinished, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError as error:
        raise RunError(
            f"{unfinished} cannot be written: {error.strerror}; what was there before stands, and "
            "the same command goes on from it"
        ) from error


def save(run: Path, state: dict[str, Any]) -> None:
    """Writes a run's checkpoint in place of its last one, as `write` does."""
    import torch

    # In memory first: a full disk is then an error of the system's, and not of the pickler's.
    packed = io.BytesIO()
    torch.save(state, packed)
    write(run / CHECKPOINT, packed.getbuffer())


def load(run: Path, device: "torch.device | str" = "cpu") -> dict[str, Any]:
    """Returns a run's checkpoint, its tensors on `device`; raises `RunError` if there is none.

    That of a run of `python -m train` is the checkpoint of its best network.
    """
    import torch

    found = [folder for folder in (run, run / BEST) if exists(folder)]
    if not found:
        raise RunError(f"{run} has no {CHECKPOINT}: train it first, by python -m train or "
                       f"python -m train.train --out {run}")
    path = found[0] / CHECKPOINT
    state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    return state


def exists(run: Path) -> bool:
    """Returns true if the folder has a checkpoint."""
    return (run / CHECKPOINT).is_file()


def log(run: Path, event: dict[str, Any]) -> None:
    """Appends an event to the run's log, as one line of JSON."""
    run.mkdir(parents=True, exist_ok=True)
    with open(run / LOG, "a", encoding="utf-8") as file:
        file.write(json.dumps(event) + "\n")


def truncate_log(run: Path, step: int) -> None:
    """Removes all events after training step `step` from the log: the run will log them again.

    A last line that a kill has torn is removed too, so that the next one begins a line.
    """
    path = run / LOG
    if path.is_file():
        _write_lines(path, [line for line in read_lines(path) if line.get("step", 0) <= step])


def replace_from(path: Path, key: str, line: dict[str, Any]) -> None:
    """Appends a line to a file of JSON lines, without those whose `key` is not below its own.

    What is done again after a kill is thus in the file once.
    """
    _write_lines(path, [known for known in read_lines(path) if known[key] < line[key]] + [line])


def _write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    write(path, "".join(json.dumps(line) + "\n" for line in lines).encode())


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Returns the objects in a file of JSON lines, none if there is no file.

    A last line without a line break was torn by a kill and is left out.
    """
    if not path.is_file():
        return []
    whole = path.read_bytes().rpartition(b"\n")[0]
    return [json.loads(line) for line in whole.splitlines() if line]
