"""A run's folder: its checkpoint, written so that a kill leaves the old one or the new, and its log."""

import contextlib
import fcntl
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    with contextlib.ExitStack() as at_the_end:
        try:
            run.mkdir(parents=True, exist_ok=True)
            file = at_the_end.enter_context(open(run / LOCK, "w", encoding="utf-8"))
        except OSError as error:
            raise RunError(f"cannot write into the folder {run}: {error.strerror}") from error
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


def save(run: Path, state: dict[str, Any]) -> None:
    """Writes a run's checkpoint in place of its last one, which stays if that fails."""
    # In memory first: a full disk is then an error of the system's, and not of the pickler's.
    packed = io.BytesIO()
    torch.save(state, packed)
    unfinished = run / (CHECKPOINT + ".new")
    try:
        run.mkdir(parents=True, exist_ok=True)
        with open(unfinished, "wb") as file:
            file.write(packed.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, run / CHECKPOINT)
    except OSError as error:
        raise RunError(
            f"{unfinished} cannot be written: {error.strerror}; the checkpoint before it stands, "
            "and the same command goes on from it"
        ) from error


def load(run: Path, device: torch.device | str = "cpu") -> dict[str, Any]:
    """A run's checkpoint; an error that says so if there is none."""
    path = run / CHECKPOINT
    if not path.is_file():
        raise RunError(f"{path} is missing: train first, python -m train.train --out {run}")
    state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    return state


def exists(run: Path) -> bool:
    """Whether a run has been begun in this folder."""
    return (run / CHECKPOINT).is_file()


def log(run: Path, event: dict[str, Any]) -> None:
    """Adds a line to the run's log."""
    run.mkdir(parents=True, exist_ok=True)
    with open(run / LOG, "a", encoding="utf-8") as file:
        file.write(json.dumps(event) + "\n")


def cut_log(run: Path, step: int) -> None:
    """Takes out of the log what a run that goes on after `step` will log again.

    With it goes a line that a kill has torn, so that the next one does not end up behind it.
    """
    path = run / LOG
    if path.is_file():
        _write_lines(path, [line for line in read_lines(path) if line.get("step", 0) <= step])


def replace_lines(path: Path, key: str, line: dict[str, Any]) -> None:
    """Adds a line to a file of JSON lines in place of those with the same `key` or a later one.

    So what is done again after a kill stands there once.
    """
    _write_lines(path, [known for known in read_lines(path) if known[key] < line[key]] + [line])


def _write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    """Writes a file of JSON lines in place of the one that is there."""
    unfinished = path.with_name(path.name + ".new")
    unfinished.write_text("".join(json.dumps(known) + "\n" for known in lines), encoding="utf-8")
    os.replace(unfinished, path)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects in a file of JSON lines; none if there is no file.

    A last line without its end was torn by a kill and does not count.
    """
    if not path.is_file():
        return []
    whole = path.read_bytes().rpartition(b"\n")[0]
    return [json.loads(line) for line in whole.splitlines() if line]
