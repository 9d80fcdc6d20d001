#!/usr/bin/env python3
"""Packs a folder: `archive.py FOLDER OUT`, where OUT ends in .tar.gz or .zip.

The same files give the same bytes: names are sorted, times are SOURCE_DATE_EPOCH, owners are left
out, and of the rights of a file only whether it may be run is kept.
"""

import gzip
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path


def rights(file: Path) -> int:
    """The rights that a file gets."""
    return 0o755 if file.stat().st_mode & 0o100 else 0o644


def pack_tar(folder: Path, files: list[Path], out: Path, moment: int) -> None:
    """Writes a .tar.gz."""
    with (
        out.open("wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=moment) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for file in files:
            entry = tarfile.TarInfo(file.relative_to(folder.parent).as_posix())
            entry.size, entry.mtime, entry.mode = file.stat().st_size, moment, rights(file)
            with file.open("rb") as content:
                tar.addfile(entry, content)


def pack_zip(folder: Path, files: list[Path], out: Path, moment: int) -> None:
    """Writes a .zip."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in files:
            name = file.relative_to(folder.parent).as_posix()
            entry = zipfile.ZipInfo(name, time.gmtime(moment)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose rights follow.
            entry.external_attr = (0o100000 | rights(file)) << 16
            packed.writestr(entry, file.read_bytes(), compresslevel=9)


def main() -> None:
    """Packs."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    moment = int(os.environ["SOURCE_DATE_EPOCH"])
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    if not files:
        sys.exit(f"{folder}: there is nothing to pack")
    pack = pack_zip if out.suffix == ".zip" else pack_tar
    pack(folder, files, out, moment)


if __name__ == "__main__":
    main()
