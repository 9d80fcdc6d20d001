"""Installs what the training needs into target/training, and builds `hex`.

    python3 -m train.install

By default it learns on a processor alone. LIST adds a locked list of packages: `cluster` for Ray,
`dev` for what checks the training, or `gpu`, which takes the place of the list for processors.
Needs Python 3.11 or later. Where there is no `hex`, cargo builds it, but not for `dev`.
"""

import platform
import struct
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from train.checkpoint import ROOT, RunError
from train.options import parser_of, reporting

LISTS = ("gpu", "cluster", "dev")

# The libraries that PyTorch's wheel for Linux loads, but that only work on a GPU is done by. On a
# processor empty ones will do; `requirements-cpu.txt` leaves out their packages, 1.9 GB.
GPU_LIBRARIES = (
    "libcublas.so.13", "libcublasLt.so.13", "libcudnn.so.9", "libcufft.so.12", "libcufile.so.0",
    "libcupti.so.13", "libcusparse.so.12", "libcusparseLt.so.0", "libnccl.so.2", "libnvrtc.so.13",
    "libnvshmem_host.so.3",
)
VERSIONS_OF = {"libnvshmem_host.so.3": "NVSHMEM"}
# The one variable of theirs that is looked up when PyTorch is loaded.
VARIABLE = b"nvshmem_selected_device_transport"

# Read at every start of this Python. PyTorch's references to the empty libraries are then looked up
# when they are used, that is never, and not when it is loaded.
LAZY = "import os, sys; sys.setdlopenflags(os.RTLD_LAZY)\n"

# Numbers of the format of programs, ELF, for the processors that there are wheels for.
MACHINES = {"x86_64": 62, "aarch64": 183}
LOAD, DYNAMIC, STACK, WRITABLE = 1, 2, 0x6474E551, 6
HASH, STRINGS, SYMBOLS, STRINGS_SIZE, SYMBOL_SIZE, SONAME = 4, 5, 6, 10, 11, 14
VERSIONS_OF_SYMBOLS, VERSIONS, VERSIONS_COUNT = 0x6FFFFFF0, 0x6FFFFFFC, 0x6FFFFFFD


def empty_library(name: str, machine: int) -> bytes:
    """Returns a shared library of Linux without a function and with one variable.

    NVIDIA's libraries have one version of their symbols each, mostly called as the library is.
    """
    words = [name.encode(), VERSIONS_OF.get(name, name).encode(), VARIABLE]
    strings = b"\0" + b"".join(word + b"\0" for word in words)
    name_at, version_at, variable_at = (strings.index(b"\0" + word + b"\0") + 1 for word in words)
    number = 0
    for byte in words[1]:
        number = (number << 4) + byte
        high = number & 0xF0000000
        number = (number ^ high >> 24) & ~high
    begin = 64 + 3 * 56
    parts = {
        HASH: struct.pack("<5I", 1, 2, 1, 0, 0).ljust(24, b"\0"),
        # None, as the format wants, and the variable, which lies where its own entry does.
        SYMBOLS: bytes(24) + struct.pack("<IBBHQQ", variable_at, 0x11, 0, 1, begin + 48, 8),
        VERSIONS_OF_SYMBOLS: struct.pack("<4H", 0, 2, 0, 0),
        VERSIONS: struct.pack("<4H5I", 1, 0, 2, 1, number, 20, 0, version_at, 0).ljust(32, b"\0"),
        STRINGS: strings.ljust(-(-len(strings) // 8) * 8, b"\0"),
    }
    table = {SONAME: name_at, SYMBOL_SIZE: 24, STRINGS_SIZE: len(strings), VERSIONS_COUNT: 1}
    body = b""
    for kind, part in parts.items():
        table[kind] = begin + len(body)
        body += part
    dynamic = b"".join(struct.pack("<QQ", *entry) for entry in [*table.items(), (0, 0)])
    dynamic_at = begin + len(body)

    def segment(kind: int, start: int, size: int, alignment: int) -> bytes:
        return struct.pack("<II6Q", kind, WRITABLE, start, start, start, size, size, alignment)

    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 3, machine, 1, 0, 64, 0, 0, 64,
                       56, 3, 0, 0, 0)
    head += segment(LOAD, 0, dynamic_at + len(dynamic), 0x10000)
    head += segment(DYNAMIC, dynamic_at, len(dynamic), 8) + segment(STACK, 0, 0, 16)
    return head + body + dynamic


def without_gpu(packages: Path) -> None:
    """Puts empty libraries beside PyTorch's in a folder of packages, or removes them with `gpu`."""
    for name in GPU_LIBRARIES:
        library = empty_library(name, MACHINES[platform.machine()])
        (packages / "torch/lib" / name).write_bytes(library)
    (packages / "lazy-libraries.pth").write_text(LAZY, encoding="utf-8")


def remove_empty_libraries(packages: Path) -> None:
    """Undoes `without_gpu`."""
    for path in (*(packages / "torch/lib" / name for name in GPU_LIBRARIES),
                 packages / "lazy-libraries.pth"):
        path.unlink(missing_ok=True)


def run(*words: object) -> None:
    """Runs a command to its end; raises `RunError` if it fails."""
    line = [str(word) for word in words]
    try:
        status = subprocess.call(line, cwd=ROOT)
    except OSError as error:
        raise RunError(f"{line[0]} cannot be started: {error.strerror}") from error
    if status:
        raise RunError(f"{' '.join(line)} ended with status {status}")


@reporting
def main(arguments: list[str] | None = None) -> None:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    parser = parser_of("train.install", __doc__)
    parser.add_argument("lists", nargs="*", metavar="LIST", help=f"of {', '.join(LISTS)}")
    lists = parser.parse_args(arguments).lists
    for name in lists:
        if name not in LISTS:
            raise RunError(f"no list {name!r}: give some of {', '.join(LISTS)}, or none")
    folder = ROOT / "target/training"
    python = folder / "bin/python"
    if not python.is_file():
        venv.create(folder, with_pip=True)
    main_list = "requirements.txt" if "gpu" in lists else "requirements-cpu.txt"
    files = [main_list, *(f"requirements-{name}.txt" for name in lists if name != "gpu")]
    # The lists are complete. PyTorch's own wishes are not: it wants all libraries for GPUs.
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes",
        *(word for name in files for word in ("-r", ROOT / "train" / name)))
    packages = Path(sysconfig.get_path("platlib", "venv", {"base": str(folder),
                                                           "platbase": str(folder)}))
    remove_empty_libraries(packages)
    if sys.platform == "linux" and "gpu" not in lists:
        without_gpu(packages)
    if "dev" not in lists and not (ROOT / "target/release/hex").is_file():
        run("cargo", "build", "--release", "-p", "hex-cli")
    print("target/training/bin/python -m train 5x5 trains a network for 5×5")


if __name__ == "__main__":
    sys.exit(main())
