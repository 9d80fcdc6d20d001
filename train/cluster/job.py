"""A job, as a node of the cluster does it: `hex` with some arguments, in a folder of its own.

This module travels to the nodes by value, so it imports the standard library, Ray and
`train.children`, which travels with it, and nothing else. A node needs Python and Ray.

Files travel through Ray's object store and are kept on each node in a folder of temporary files,
by the hash of name and contents: a node fetches a program or a network once.
"""

# Annotations stay text: the classes below do not travel.
from __future__ import annotations

import contextlib
import io
import os
import shutil
import socket
import subprocess
import tarfile
import tempfile
import time
import zlib
from pathlib import Path
from typing import TypedDict

import ray

from train.children import dies_with_parent

# What a job leaves behind that nobody needs: a lock, and what the driver makes anew.
LEFT_OUT = ("lock", "report.html", "summary.json")

# Files that a node has not used for so long are deleted, in seconds.
KEPT_SECONDS = 7 * 24 * 3600

# How much of what a failed program said is told.
TOLD_LETTERS = 1000


class Parcel(TypedDict):
    """A file or a folder that travels."""

    name: str  # its own name, without folders
    folder: bool  # it is a folder, and `contents` is a tar of it
    runs: bool  # it is a program
    contents: ray.ObjectRef[bytes]


class Job(TypedDict):
    """What is to be done."""

    words: list[str]  # program and arguments; a parcel's hash stands where its path belongs
    parcels: dict[str, Parcel]  # by their hashes, `@` and hexadecimal digits


class Result(TypedDict):
    """What has come of a job."""

    files: dict[str, bytes]  # by their path below `--out`; compressed by zlib
    failure: str  # empty if all went well
    node: str  # the host's name and the beginning of Ray's name of the node
    seconds: float  # that the program ran
    processor_seconds: float  # that it and its children used


def cache() -> Path:
    """Returns the folder of this user's travelled files on this node, made if need be."""
    folder = Path(tempfile.gettempdir()) / f"hexbot-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} is another user's: remove it, or set TMPDIR on this node")
    return folder


def forget_old_files(folder: Path) -> None:
    """Deletes what has not been used for a week: jobs of killed nodes among it."""
    for entry in folder.iterdir():
        # Another job may delete it at the same time.
        with contextlib.suppress(OSError):
            if time.time() - entry.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(entry)


def fetched(key: str, parcel: Parcel) -> Path:
    """Returns the path of a parcel's file or folder on this node, fetched if it is not there."""
    place = cache() / key.removeprefix("@")
    path = place / parcel["name"]
    if place.is_dir():
        os.utime(place)
        return path
    forget_old_files(cache())
    contents = ray.get(parcel["contents"])
    unfinished = Path(tempfile.mkdtemp(dir=cache(), prefix="unfinished-"))
    inside = unfinished / parcel["name"]
    if parcel["folder"]:
        with tarfile.open(fileobj=io.BytesIO(contents)) as tar:
            tar.extractall(inside, filter="data")
    else:
        inside.write_bytes(contents)
        inside.chmod(0o700 if parcel["runs"] else 0o600)
    try:
        unfinished.rename(place)
    except OSError:
        # Another job was faster.
        shutil.rmtree(unfinished)
    return path


def files_below(folder: Path) -> dict[str, bytes]:
    """Returns all files below a folder by their relative paths, compressed."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in LEFT_OUT]
    return {
        path.relative_to(folder).as_posix(): zlib.compress(path.read_bytes()) for path in paths
    }


def ended(child: subprocess.Popen[bytes]) -> tuple[int, float]:
    """Waits for a process; returns its status and the seconds of processor time that it used."""
    _, status, used = os.wait4(child.pid, 0)
    # `Popen` shall not wait for it any more.
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, used.ru_utime + used.ru_stime


def run(job: Job) -> Result:
    """Does the job; a program that fails is told of in the result and raises nothing."""
    paths = {key: str(fetched(key, parcel)) for key, parcel in job["parcels"].items()}
    words = job["words"]
    for key, path in paths.items():
        words = [word.replace(key, path) for word in words]
    node = f"{socket.gethostname()}/{ray.get_runtime_context().get_node_id()[:8]}"
    with tempfile.TemporaryDirectory(dir=cache(), prefix="job-") as scratch:
        out, said = Path(scratch) / "out", Path(scratch) / "said"
        started = time.monotonic()
        with open(said, "wb") as file:
            child = subprocess.Popen(
                [*words, "--out", str(out)], cwd=scratch, stdin=subprocess.DEVNULL, stdout=file,
                stderr=file, preexec_fn=dies_with_parent,  # noqa: PLW1509
            )
            status, processor_seconds = ended(child)
        failure = ""
        if status != 0:
            last = said.read_text(encoding="utf-8", errors="replace")[-TOLD_LETTERS:].strip()
            failure = f"ended with status {status}: {last}"
        return {
            "files": {} if failure else files_below(out), "failure": failure, "node": node,
            "seconds": time.monotonic() - started, "processor_seconds": processor_seconds,
        }
