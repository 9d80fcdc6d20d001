"""The parts of `train.cluster` that need no running Ray."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from train import checkpoint
from train.shard_header import HEADER
from train.tests import test_cluster
from train.tests.support import Folder
from train.tests.test_cluster import MISSING

if not MISSING:
    import ray

    from train import children
    from train.cluster import job, noise, ray_cluster, selfplay
    from train.cluster.__main__ import main
    from train.cluster.players import travelling
    from train.cluster.progress import Progress

setUpModule = test_cluster.setUpModule


def sent(path: Path) -> str:
    """Stands for a file that travels."""
    return f"@{path.name}"


class Players(Folder):
    def test_files_travel_and_installed_programs_do_not(self) -> None:
        bot = self.folder / "my bot"
        bot.write_text("", encoding="utf-8")
        for text, expected in (
            (f"builtin:weights={bot},simulations=5", "builtin:weights=@my bot,simulations=5"),
            ("builtin:", "builtin:"),
            (f"A=1 '{bot}' --fast", "A=1 '@my bot' --fast"),
            (f"gtp:python3 '--file={bot}' ;; move-ms=5",
             "gtp:python3 '--file=@my bot' ;; move-ms=5"),
            ("/usr/bin/env x", "/usr/bin/env x"),
        ):
            self.assertEqual(travelling(text, "it", sent), f"{expected} ;; name=it")


class ClockNoise(unittest.TestCase):
    REPORT = ("x\nclock noise: before, gaps of at most 0.4 ms, 1.5 % of the time lost; during, "
              "sleepers woken 0.2 ms late (p99), 3.1 ms at most\n")

    def test_the_worst_of_a_node_is_reported_once_however_often_it_is_read(self) -> None:
        first = noise.read(self.REPORT, "a/1", 2)
        second = noise.read(self.REPORT.replace("0.4 ms", "0.9 ms"), "a/1", 1)
        assert first and second
        self.assertEqual([first[name] for name in noise.FIGURES], [0.4, 1.5, 0.2, 3.1])
        self.assertEqual(
            noise.text([first, second]),
            "clock noise of node a/1, 3 pairs: before, gaps of at most 0.9 ms, 1.5 % of the time "
            "lost; during, sleepers woken 0.2 ms late (p99), 3.1 ms at most\n")
        self.assertIsNone(noise.read("nothing", "a/1", 1))


class Shards(Folder):
    def test_a_shard_of_another_run_and_a_damaged_one_are_refused(self) -> None:
        further = ["--simulations", "50", "--fast-simulations", "20", "--playouts-only",
                   "--random-stones", "0"]
        words = ["--out", str(self.folder), "--side", "6", "--shards", "2", "--games", "2",
                 *further]
        test_cluster.hex_on_one_machine("lab", "selfplay", *words)
        options, more = selfplay.read_options(words)
        self.assertEqual(more, further)
        contents = (self.folder / "000001.bin").read_bytes()
        head, size = contents[: HEADER.size], len(contents)
        self.assertGreater(selfplay.positions_of(options, 1, head, size), 0)
        for number, its_head, its_size, why in (
            (0, head, size, "another run"), (1, head[:20], 20, "another run"),
            (1, head, size - 1, "is damaged, it has"),
        ):
            with self.assertRaisesRegex(checkpoint.RunError, why):
                selfplay.positions_of(options, number, its_head, its_size)

    def test_missing_numbers_become_spans(self) -> None:
        self.assertEqual(ray_cluster.spans([0, 1, 2, 4, 7, 8], 2),
                         [range(2), range(2, 3), range(4, 5), range(7, 9)])


class Terminal(Folder):
    def test_what_is_out_and_done_again_is_reported(self) -> None:
        progress = Progress(10, 2, "game")
        self.assertEqual(progress.state(1, 1), "1 node, 1 jobs out")
        progress.lost = 1
        progress.add(3, 60)
        self.assertRegex(progress.state(3, 4),
                         r"^60 positions, \d+ a second, 3 nodes, 4 jobs out, 1 done again$")
        self.assertIn("5/10 games", progress.finish())

    def test_wrong_arguments_end_with_2(self) -> None:
        self.assertEqual(main(["fly"]), 2)
        out = str(self.folder / "run")
        self.assertEqual(main(["selfplay", "--out", out, "--hex", "no-such-program"]), 2)
        self.assertIn("no-such-program is no program: cargo build", self.errors.getvalue())
        self.assertFalse((self.folder / "run").exists())


class Travel(Folder):
    def test_a_job_travels_to_a_python_without_this_project(self) -> None:
        for module in (job, children):
            ray.cloudpickle.register_pickle_by_value(module)
        packed = self.folder / "job"
        packed.write_bytes(ray.cloudpickle.dumps(job.run))
        script = ("import pickle, sys; run = pickle.load(open('job', 'rb'));"
                  "print(run.__name__, [name for name in sys.modules if name.startswith('train')])")
        told = subprocess.run([sys.executable, "-I", "-c", script], cwd=self.folder, check=True,
                              capture_output=True, text=True)
        self.assertEqual(told.stdout, "run []\n")

    def test_one_program_travels_under_two_names(self) -> None:
        keys = {ray_cluster.key_of(name, folder, runs, contents)
                for name, folder, runs, contents in (
                    ("hex", False, True, b"1"), ("old", False, True, b"1"),
                    ("hex", True, True, b"1"), ("hex", False, False, b"1"),
                    ("hex", False, True, b"2"), ("hex", False, True, b"1"))}
        self.assertEqual(len(keys), 5)

    def test_old_files_are_forgotten(self) -> None:
        for name, age in (("old", job.KEPT_SECONDS + 10), ("new", 10)):
            (self.folder / name).mkdir()
            then = (self.folder / name).stat().st_mtime - age
            os.utime(self.folder / name, (then, then))
        job.forget_old_files(self.folder)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["new"])

    def test_a_folder_travels_as_equal_bytes(self) -> None:
        for name in ("b", "a", "deep/c"):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(name, encoding="utf-8")
        first = ray_cluster.packed(self.folder)
        os.utime(self.folder / "a", (0, 0))
        self.assertEqual(ray_cluster.packed(self.folder), first)
