"""The folder of a run: the one place of truth, on the driver or at any URL that fsspec knows.

A file is there as a whole or not at all. A folder on this machine is locked against a second
driver; behind a URL there is no lock.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import fsspec  # type: ignore[import-untyped]

from train import checkpoint
from train.checkpoint import RunError


class Store:
    """A folder or a URL."""

    def __init__(self, place: str):
        self.place = place
        self.is_local = "://" not in place
        try:
            self.files, root = fsspec.core.url_to_fs(place)
        except (ImportError, ValueError) as error:
            raise RunError(f"{place}: {error}") from error
        self.root = str(root).rstrip("/")

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps a folder of this machine to this process; raises `RunError` if another has it."""
        if not self.is_local:
            yield
            return
        with checkpoint.run_lock(Path(self.place)):
            yield

    def names(self, ending: str) -> list[str]:
        """Returns the names of the files right in the folder that end so, in order."""
        if not self.files.exists(self.root):
            return []
        paths = (str(path) for path in self.files.ls(self.root, detail=False))
        return sorted(path.rpartition("/")[2] for path in paths if path.endswith(ending))

    def size(self, name: str) -> int:
        """Returns the bytes of a file."""
        return int(self.files.size(f"{self.root}/{name}"))

    def read(self, name: str, most: int | None = None) -> bytes:
        """Returns a file's contents, or its first `most` bytes."""
        return bytes(self.files.cat_file(f"{self.root}/{name}", start=0, end=most))

    def write(self, name: str, contents: bytes) -> None:
        """Writes a file, which is there as a whole or not at all; raises `RunError` if it is not.

        On a disk that is full the file is not there, and the same command goes on later.
        """
        path = f"{self.root}/{name}"
        try:
            self.files.makedirs(path.rpartition("/")[0], exist_ok=True)
            self.files.pipe_file(path + ".part", contents)
            self.files.mv(path + ".part", path)
        except OSError as error:
            raise RunError(
                f"{self.place}/{name} cannot be written: {error}; the same command goes on"
            ) from error
