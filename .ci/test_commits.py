"""Tests of commits.py on repositories of their own: python3 -m unittest discover -s .ci"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("commits.py")

# Commits are to be the same on every machine.
ENVIRONMENT = os.environ | {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
}


class Repository(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name, "one")
        self.folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("begin", src="0", bench=1)
        self.begin = self.git("rev-parse", "HEAD")

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
            check=True,
        )
        return done.stdout.strip()

    def commit(self, message: str, src: str | None = None, bench: int | None = None) -> None:
        """Commits a file of src/ and a signature, where they are given."""
        if src is not None:
            (self.folder / "src").mkdir(exist_ok=True)
            (self.folder / "src" / src[0]).write_text(src)
        if bench is not None:
            (self.folder / "bench.txt").write_text(f"Bench: {bench}\n")
        self.git("add", ".")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def outcome(self, *words: str, folder: Path | None = None) -> tuple[int, str]:
        """The exit status and all that is printed."""
        done = subprocess.run(
            [sys.executable, SCRIPT, *(words or [self.begin])], cwd=folder or self.folder,
            env=ENVIRONMENT, capture_output=True, text=True, check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def assert_refused(self, words: str) -> None:
        status, text = self.outcome()
        self.assertEqual(status, 1, text)
        self.assertIn(words, text)
        self.assertIn("1 of them", text)


class Rule(Repository):
    def test_what_keeps_the_rule_passes(self) -> None:
        self.commit("docs: nothing of the bot")
        self.commit("search: faster\n\nTwice as fast.\n\nNo functional change", src="1")
        self.commit("search: better\n\nBench: 2\n+10 Elo [+2, +18] in 800 games", src="2", bench=2)
        self.commit("search: a case that the bench does not have\n\nBench: 2, 400 games", src="3")
        self.commit("bench: recorded anew\n\nBench: 3", bench=3)
        self.assertEqual(self.outcome(), (0, f"5 commits since {self.begin[:12]}, 0 of them break "
                                             "CONTRIBUTING's rule\n"))

    def test_a_merge_changes_what_no_parent_has(self) -> None:
        self.git("switch", "--quiet", "--create", "other")
        self.commit("search: better\n\nBench: 2", src="1", bench=2)
        self.git("switch", "--quiet", "main")
        self.commit("docs: beside it")
        self.git("merge", "--quiet", "--no-edit", "other")
        self.assertEqual(self.outcome()[0], 0)
        self.git("switch", "--quiet", "other")
        self.commit("search: better still\n\nBench: 3", src="3", bench=3)
        self.git("switch", "--quiet", "main")
        self.commit("search: shorter\n\nNo functional change", src="2")
        self.git("merge", "--quiet", "--no-edit", "other")
        self.assert_refused("Merge branch 'other'\n  → its message does not end with `Bench: 3`")

    def test_a_change_without_its_line_is_refused(self) -> None:
        message = "search: better\n\nBench: 1 comes too early here.\n\nThe end is another one."
        self.commit(message, src="1")
        self.assert_refused(
            "search: better\n  → its message does not end with `Bench: 1` or `No functional"
        )

    def test_another_signature_than_the_recorded_one_is_refused(self) -> None:
        self.commit("search: better\n\nBench: 12", src="1", bench=2)
        self.assert_refused("it says `Bench: 12`, but its bench.txt has 2")

    def test_no_functional_change_keeps_the_signature(self) -> None:
        self.commit("search: faster\n\nNo functional change", src="1", bench=2)
        self.assert_refused("must end with `Bench: 2`")
        self.assertIn("it says `No functional change`, but changes bench.txt", self.outcome()[1])

    def test_a_signature_does_not_change_in_silence(self) -> None:
        self.commit("bench: recorded anew", bench=2)
        self.assert_refused("does not end with `Bench: 2`")

    def test_every_commit_is_looked_at_and_not_the_last_one_alone(self) -> None:
        self.commit("search: better", src="1", bench=2)
        self.commit("search: as before\n\nBench: 1", src="0", bench=1)
        self.assert_refused("search: better\n")
        self.assertEqual(self.outcome("HEAD~1")[0], 0)

    def test_a_missing_signature_is_told(self) -> None:
        (self.folder / "bench.txt").unlink()
        self.commit("search: shorter\n\nNo functional change", src="1")
        self.assert_refused("bench.txt has no line `Bench: N`")


class Clones(Repository):
    def test_an_unknown_revision_is_told(self) -> None:
        for words in (["0" * 40], ["nobody"], ["--all"], []):
            status, text = self.outcome(*(words or ["164f2a1231b3883d4fb302cd178167c86a0e7ca2"]))
            self.assertEqual(status, 2, text)
            self.assertIn("is no commit of this clone", text)

    def test_what_a_shallow_clone_lacks_is_told(self) -> None:
        for number in range(4):
            self.commit(f"search: {number}\n\nNo functional change", src=f"{number}0")
        shallow = self.folder.with_name("shallow")
        self.git("clone", "--quiet", "--depth", "3", self.folder.as_uri(), str(shallow))
        status, text = self.outcome(folder=shallow)
        self.assertEqual(status, 2, text)
        self.assertIn("git fetch --unshallow", text)
        # What is asked for is there; then it does not matter what is not.
        self.assertEqual(self.outcome("HEAD~2", folder=shallow)[0], 0)
        # A branch that begins before what is there.
        (shallow / ".git" / "shallow").write_text(self.git("rev-parse", "HEAD~1") + "\n")
        status, text = self.outcome(self.git("rev-parse", "HEAD~2"), folder=shallow)
        self.assertEqual(status, 2, text)
        self.assertIn("lacks what came before", text)


if __name__ == "__main__":
    unittest.main()
