"""A run's folder: its checkpoint, written so that a kill leaves the old one or the new, and its log."""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path

import torch

CHECKPOINT = "checkpoint.pt"
LOG = "log.jsonl"
LOCK = "lock"

# The exit status after Ctrl-C, of a run that is not done.
INTERRUPTED = 130


class RunError(Exception):
    """A run that cannot begin or go on, with what is wrong and what to do about it."""


@contextlib.contextmanager
def held(run: Path) -> Iterator[None]:
    """Keeps a run's folder to this process: two that write one checkpoint would spoil it.

    The second one may be a learner that outlived the loop that was killed.
    """
    try:
        run.mkdir(parents=True, exist_ok=True)
        file = open(run / LOCK, "w", encoding="utf-8")
    except OSError as error:
        raise RunError(f"cannot write into the folder {run}: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RunError(
                f"{run} is in use by another process: wait for its end, or choose another --out"
            ) from error
        except OSError as error:
            raise RunError(
                f"{run} cannot be kept to this process: {error.strerror}; choose another disk with --out"
            ) from error
        yield


def save(run: Path, state: dict) -> None:
    """Writes a run's checkpoint in place of its last one."""
    run.mkdir(parents=True, exist_ok=True)
    unfinished = run / (CHECKPOINT + ".new")
    with open(unfinished, "wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, run / CHECKPOINT)


def load(run: Path, device: torch.device | str = "cpu") -> dict:
    """A run's checkpoint; an error that says so if there is none."""
    path = run / CHECKPOINT
    if not path.is_file():
        raise RunError(f"{path} is missing: train first, python -m train.train --out {run}")
    return torch.load(path, map_location=device, weights_only=True)


def exists(run: Path) -> bool:
    """Whether a run has been begun in this folder."""
    return (run / CHECKPOINT).is_file()


def log(run: Path, event: dict) -> None:
    """Adds a line to the run's log."""
    run.mkdir(parents=True, exist_ok=True)
    with open(run / LOG, "a", encoding="utf-8") as file:
        file.write(json.dumps(event) + "\n")


def replace_lines(path: Path, key: str, line: dict) -> None:
    """Adds a line to a file of JSON lines in place of those with the same `key` or a later one.

    So what is done again after a kill stands there once.
    """
    lines = [known for known in read_lines(path) if known[key] < line[key]] + [line]
    unfinished = path.with_name(path.name + ".new")
    unfinished.write_text("".join(json.dumps(known) + "\n" for known in lines), encoding="utf-8")
    os.replace(unfinished, path)


def read_lines(path: Path) -> list[dict]:
    """The objects in a file of JSON lines; none if there is no file."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
