"""A job, as a node of the cluster does it: `hex` with some arguments, in a folder of its own.

This module travels to the nodes by value, so it imports the standard library, Ray and
`train.children`, which travels with it, and nothing else. A node needs Python and Ray.

Files travel through Ray's object store, as archives of `tar`, and are kept on each node in a folder
of temporary files, by the hash of the archive: a node fetches a program or a network once.
"""

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
from typing import Any

import ray

from train.children import dies_with_parent

# What a job leaves behind that nobody needs: a lock, and what the driver makes anew.
LEFT_OUT = ("lock", "report.html", "report.txt")

# Files that a node has not used for so long are deleted, in seconds.
KEPT_SECONDS = 7 * 24 * 3600

# How much of what a failed program said is reported.
MOST_LETTERS = 1000


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


def fetch(place: Path, archive: Any) -> None:
    """Unpacks an archive of the object store into a folder, unless it is there."""
    if place.is_dir():
        os.utime(place)
        return
    forget_old_files(place.parent)
    unfinished = Path(tempfile.mkdtemp(dir=place.parent, prefix="unfinished-"))
    with tarfile.open(fileobj=io.BytesIO(ray.get(archive))) as tar:
        tar.extractall(unfinished, filter="data")
    try:
        unfinished.rename(place)
    except OSError:
        # Another job was faster.
        shutil.rmtree(unfinished)


def run(words: list[str], parcels: dict[str, Any]) -> tuple[str, dict[str, bytes]]:
    """Runs a program with these arguments and `--out`.

    `parcels` are archives in the object store; in `words` a parcel's key stands for the folder in
    which its file or folder is. Returns the node's name, that of the host and the beginning of
    Ray's, and the files that the program has written, by their paths below `--out`, compressed by
    zlib. Raises `RuntimeError` if the program fails.
    """
    node = f"{socket.gethostname()}/{ray.get_runtime_context().get_node_id()[:8]}"
    for key, archive in parcels.items():
        place = cache() / key.removeprefix("@")
        fetch(place, archive)
        words = [word.replace(key, str(place)) for word in words]
    with tempfile.TemporaryDirectory(dir=cache(), prefix="job-") as scratch:
        out, said = Path(scratch) / "out", Path(scratch) / "said"
        with open(said, "wb") as file:
            status = subprocess.run(
                [*words, "--out", str(out)], cwd=scratch, stdin=subprocess.DEVNULL, stdout=file,
                stderr=file, preexec_fn=dies_with_parent, check=False,
            ).returncode
        if status != 0:
            last = said.read_text(encoding="utf-8", errors="replace")[-MOST_LETTERS:].strip()
            raise RuntimeError(f"on {node} hex ended with status {status}: {last}")
        paths = [path for path in out.rglob("*") if path.is_file() and path.name not in LEFT_OUT]
        return node, {path.relative_to(out).as_posix(): zlib.compress(path.read_bytes())
                      for path in paths}
