"""A run that is killed while it writes, or whose disk is full: nothing is lost or there twice.

HEX_KILLS says how often the tests kill, 10 times unless it is set.
"""

import os
import random
import resource
import select
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import torch

from train import checkpoint
from train.loop import Loop
from train.preset import read
from train.tests.support import Folder

KILLS = int(os.environ.get("HEX_KILLS", "10"))

# Numbers in a checkpoint, so many that writing them takes a while.
SIZE = 300_000

# The longest time from a child's first checkpoint to its end, in seconds.
LONGEST = 0.06

# Seconds in which the system ends what is to end.
PATIENCE = 20


def state(step: int) -> dict[str, Any]:
    """A checkpoint's contents, which can be told from any other's."""
    return {"step": step, "weights": torch.full((SIZE,), float(step))}


def learn(run: Path, step: int, told: int) -> None:
    """Writes checkpoints and lines of the log after `step` until it is killed.

    The number of each step goes to the file `told` once it is written.
    """
    while True:
        step += 1
        checkpoint.save(run, state(step))
        checkpoint.log(run, {"event": "progress", "step": step})
        os.write(told, step.to_bytes(8, "little"))


def child_of(work: Callable[[], None]) -> ForkProcess:
    """A process that does the work and ends with 0, or with 1 after an error."""
    child = get_context("fork").Process(target=work)
    child.start()
    return child


class Killed(Folder):
    def killed_while_learning(self, step: int, after: float) -> list[int]:
        """The steps that a child told of before it was killed."""
        reads, writes = os.pipe()
        child = child_of(lambda: learn(self.folder, step, writes))
        os.close(writes)
        with open(reads, "rb") as pipe:
            told = pipe.read(8)
            time.sleep(after)
            child.kill()
            child.join()
            told += pipe.read()
        return [int.from_bytes(told[at : at + 8], "little") for at in range(0, len(told), 8)]

    def test_the_next_start_goes_on_from_the_last_checkpoint(self) -> None:
        step, all_told, random_times = 0, set(), random.Random()
        for _ in range(KILLS):
            told = self.killed_while_learning(step, random_times.random() * LONGEST)
            all_told |= set(told)
            saved = checkpoint.load(self.folder)
            self.assertIn(saved["step"], (told[-1], told[-1] + 1))
            self.assertTrue(torch.equal(saved["weights"], state(saved["step"])["weights"]))
            step = saved["step"]
            checkpoint.truncate_log(self.folder, step)
            steps = [line["step"] for line in checkpoint.read_lines(self.folder / checkpoint.LOG)]
            self.assertEqual(steps, sorted(set(steps)))
            self.assertLessEqual(all_told, set(steps))

    def test_a_torn_line_of_the_log_and_what_comes_again_are_cut_off(self) -> None:
        for step in (1, 2, 3):
            checkpoint.log(self.folder, {"event": "progress", "step": step})
        path = self.folder / checkpoint.LOG
        with open(path, "ab") as file:
            file.write(b'{"event": "progr')
        self.assertEqual(len(checkpoint.read_lines(path)), 3)
        checkpoint.truncate_log(self.folder, 2)
        checkpoint.log(self.folder, {"event": "progress", "step": 3})
        self.assertEqual([line["step"] for line in checkpoint.read_lines(path)], [1, 2, 3])

    def test_a_full_disk_leaves_the_checkpoint_before(self) -> None:
        checkpoint.save(self.folder, state(1))

        def save_on_a_full_disk() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (SIZE, SIZE))
            with self.assertRaisesRegex(checkpoint.RunError, "checkpoint.pt.new cannot be written"):
                checkpoint.save(self.folder, state(2))

        child = child_of(save_on_a_full_disk)
        child.join()
        self.assertEqual(child.exitcode, 0)
        self.assertEqual(checkpoint.load(self.folder)["step"], 1)
        checkpoint.save(self.folder, state(3))
        self.assertEqual(checkpoint.load(self.folder)["step"], 3)


class KilledLoop(Folder):
    def test_its_command_ends_with_it(self) -> None:
        reads, writes = os.pipe()

        def work() -> None:
            os.dup2(writes, 1)  # What the command prints goes there, too.
            loop = Loop(read("5x5", []), self.folder, "sh", 1)
            # What the command prints goes to the loop; it writes to the pipe by its name.
            told = f"/proc/{os.getppid()}/fd/{writes}"
            loop.command("sh", "-c", f"echo > {told}; exec sleep {2 * PATIENCE} > {told}")

        child = child_of(work)
        os.close(writes)
        with open(reads, "rb", buffering=0) as pipe:
            pipe.read(1)
            child.kill()
            child.join()
            # The pipe's end is there when nobody is left who could write.
            self.assertTrue(select.select([pipe], [], [], PATIENCE)[0], "the command goes on")
            self.assertEqual(pipe.read(1), b"")
