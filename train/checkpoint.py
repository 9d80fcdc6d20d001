"""A run's folder: its checkpoint, written so that a kill leaves the old one or the new, and its log."""

import json
import os
from pathlib import Path

import torch

CHECKPOINT = "checkpoint.pt"
LOG = "log.jsonl"


class RunError(Exception):
    """A run that cannot begin or go on, with what is wrong and what to do about it."""


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
