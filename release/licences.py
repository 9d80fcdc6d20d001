#!/usr/bin/env python3
"""Prints the licences of others' crates in a package: `licences.py PACKAGE TARGET [MANIFEST]`.

Texts that are the same are printed once, after the crates that have them.
"""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

NAMES = ("LICENSE*", "LICENCE*", "COPYING*", "NOTICE*", "UNLICENSE*")


def linked(package: str, target: str, manifest: str) -> set[tuple[str, str]]:
    """Name and version of each crate that is compiled into the package."""
    command = ["cargo", "tree", "--locked", "--package", package, "--target", target]
    command += ["--manifest-path", manifest]
    command += ["--edges", "normal", "--prefix", "none", "--format", "{p}"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    words = [line.split() for line in lines if line]
    return {(name, version.removeprefix("v")) for name, version, *_ in words}


def main() -> None:
    """Prints them."""
    package, target, *manifests = sys.argv[1:]
    manifest = manifests[0] if manifests else "Cargo.toml"
    wanted = linked(package, target, manifest)
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    command += ["--manifest-path", manifest]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    crates_of_text: dict[str, list[str]] = defaultdict(list)
    for crate in metadata["packages"]:
        is_ours = crate["source"] is None
        if is_ours or (crate["name"], crate["version"]) not in wanted:
            continue
        folder = Path(crate["manifest_path"]).parent
        title = f"{crate['name']} {crate['version']} ({crate['license']})"
        files = sorted({file for name in NAMES for file in folder.glob(name) if file.is_file()})
        for file in files:
            crates_of_text[file.read_text(encoding="utf-8", errors="replace").strip()].append(title)
        if not files:
            crates_of_text[f"No text in the crate; see {crate['repository']}"].append(title)
    for text, crates in sorted(crates_of_text.items(), key=lambda item: (item[1], item[0])):
        print("=" * 80, *sorted(crates), "-" * 80, text, "", sep="\n")


if __name__ == "__main__":
    main()
