"""How commands and their children start: with what packages, and with which signals."""

import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

from train import PACKAGES, checkpoint, install
from train.tests.support import Folder

# Prints the signals that the processes ignore which tests start, as a mask.
IGNORED = ("import train.tests, subprocess as s; "
           "print(s.run(['grep', 'SigIgn', '/proc/self/status'], stdout=-1).stdout.decode())")

# The packages that each command needs, at its beginning or later.
COMMANDS = {
    "train": ("torch", "numpy", "matplotlib", "networkx"),
    "train.train": ("torch",),
    "train.export": ("numpy",),
    # The first of them that is missing here, if Ray is not installed.
    "train.cluster": ("tqdm",),
}


class Packages(Folder):
    def test_a_missing_package_is_a_sentence(self) -> None:
        for name, needed in COMMANDS.items():
            words = ["selfplay"] if name == "train.cluster" else ["5x5"]
            for package in needed:
                code = (f"import sys, runpy; sys.modules['{package}'] = None; "
                        f"sys.argv[1:] = {[*words, '--out', str(self.folder / 'run')]}; "
                        f"runpy.run_module('{name}', run_name='__main__')")
                ended = subprocess.run([sys.executable, "-c", code], cwd=checkpoint.ROOT,
                                       capture_output=True, text=True, check=False)
                self.assertEqual(ended.returncode, 2, ended.stderr)
                self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
                self.assertRegex(ended.stderr, f"{package}: python3 -m train.install")
                self.assertFalse((self.folder / "run").exists())

    def test_every_package_of_the_lists_is_known(self) -> None:
        project = (checkpoint.ROOT / "train/pyproject.toml").read_text(encoding="utf-8")
        for package in PACKAGES:
            self.assertIn(f'"{package}', project)


class Installing(Folder):
    def test_lists_are_installed_without_what_they_wish_for(self) -> None:
        for words, wanted in (
            ([], ["requirements-cpu.txt"]),
            (["gpu"], ["requirements.txt"]),
            (["dev", "cluster"], ["requirements-cpu.txt", "requirements-dev.txt",
                                  "requirements-cluster.txt"]),
        ):
            with (mock.patch.object(install, "run") as run, mock.patch("venv.create"),
                  mock.patch.object(install, "without_gpu") as without,
                  mock.patch.object(install, "remove_empty_libraries")):
                self.assertEqual(install.main(words), 0)
            told = [str(word) for word in run.call_args_list[0].args]
            self.assertEqual([Path(word).name for word in told if word.endswith(".txt")], wanted)
            self.assertIn("--no-deps", told)
            self.assertIn("--require-hashes", told)
            self.assertEqual(without.called, "gpu" not in words and sys.platform == "linux")
        self.assertEqual(install.main(["no-such-list"]), 2)

    @unittest.skipUnless(sys.platform == "linux", "libraries of Linux")
    def test_empty_libraries_can_be_loaded_and_removed(self) -> None:
        (self.folder / "torch/lib").mkdir(parents=True)
        install.without_gpu(self.folder)
        for name in install.GPU_LIBRARIES:
            code = f"import ctypes; ctypes.CDLL({str(self.folder / 'torch/lib' / name)!r})"
            subprocess.run([sys.executable, "-c", code], check=True)
        install.remove_empty_libraries(self.folder)
        self.assertEqual(list((self.folder / "torch/lib").iterdir()), [])
        self.assertEqual(len(list(self.folder.iterdir())), 1)


@unittest.skipUnless(sys.platform == "linux", "/proc")
class Signals(unittest.TestCase):
    def test_tests_start_programs_that_ignore_no_signal_of_the_terminal(self) -> None:
        for shell in ("", "trap '' INT HUP; "):
            words = ["sh", "-c", f'{shell}exec "$0" -c "$1"', sys.executable, IGNORED]
            said = subprocess.run(words, cwd=checkpoint.ROOT, capture_output=True, text=True,
                                  check=True).stdout
            self.assertEqual(int(said.split()[1], 16) & 3, 0, said)
