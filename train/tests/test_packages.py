"""The smaller list of packages has those of the whole one, but for what no processor loads."""

import re
import unittest
from pathlib import Path

TRAIN = Path(__file__).resolve().parents[1]

# The one library for GPUs that PyTorch calls when it is loaded.
CALLED = "nvidia-cuda-runtime"


def is_for_gpus(name: str) -> bool:
    return name.startswith(("cuda-", "nvidia-", "triton")) and name != CALLED


def packages(name: str) -> list[str]:
    """The packages of a list, each with its hashes."""
    text = (TRAIN / name).read_text(encoding="utf-8")
    return re.split(r"^(?=[a-z])", text, flags=re.M)[1:]


class Packages(unittest.TestCase):
    def test_versions_and_hashes_are_the_same(self) -> None:
        kept = [p for p in packages("requirements.txt") if not is_for_gpus(p.partition("==")[0])]
        self.assertEqual(packages("requirements-cpu.txt"), kept)
