"""The tests of the installed package: `python -m unittest discover -s python/tests`."""

import contextlib
import doctest
import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Callable

import hexbot


class TestAnalyses(unittest.TestCase):
    """What a search finds out."""

    def test_an_analysis_has_what_the_types_say(self) -> None:
        """The best move comes first, and values are those of the player to move."""
        found = hexbot.Engine(11).analyze(["a2", "f6", "e5"], simulations=1200)
        self.assertEqual((found.to_move, found.simulations), ("blue", 1200))
        best, second = found.candidates[:2]
        self.assertEqual((best.move, best.line[0]), (found.line[0], best.move))
        self.assertGreater(best.visits, second.visits)
        assert best.prior is not None and best.value is not None
        self.assertTrue(0 < best.prior <= 1)
        self.assertAlmostEqual(best.value, found.win_probability, delta=0.2)
        self.assertEqual(len(found.candidates), 121 - 3)

    def test_win_probabilities_change_sides_with_the_mover(self) -> None:
        """Who has all but won is said in whoever's view it is."""
        engine = hexbot.Engine(11)
        winning = "f3 a1 f5 b1 f7 c1 f9 d1"  # Blue's stones are of no use
        self.assertGreater(engine.analyze(winning, simulations=300).win_probability, 0.8)
        self.assertLess(engine.analyze(winning + " f8", simulations=300).win_probability, 0.2)

    def test_one_thread_is_reproducible(self) -> None:
        """The same seed gives the same result."""
        engines = [hexbot.Engine(9, seed=3) for _ in range(2)]
        one, other = (engine.analyze("a2 e5 d6", simulations=600) for engine in engines)
        self.assertEqual(replace(one, ms=0), replace(other, ms=0))

    def test_an_engine_goes_on_with_what_it_knows(self) -> None:
        """Visits add up from call to call, and the call's own simulations are counted alone."""
        engine = hexbot.Engine(7)
        for _ in range(2):
            found = engine.analyze("a3", simulations=400)
        self.assertEqual(found.simulations, 400)
        self.assertGreater(sum(candidate.visits for candidate in found.candidates), 700)

    def test_several_threads_think(self) -> None:
        """The count of simulations holds for all of them together."""
        found = hexbot.Engine(11, threads=3).analyze("a2 f6", simulations=1500)
        self.assertGreaterEqual(found.simulations, 1500)

    def test_time_is_kept(self) -> None:
        """A limit in milliseconds ends the search."""
        begin = time.monotonic()
        found = hexbot.Engine(11).analyze("a2 f6", ms=300)
        self.assertTrue(0.25 < time.monotonic() - begin < 5)
        self.assertTrue(250 <= found.ms < 5000)

    def test_other_threads_run_meanwhile(self) -> None:
        """The interpreter's lock is released."""
        ticks = 0
        search = threading.Thread(target=hexbot.Engine(11).analyze, kwargs={"ms": 1000})
        search.start()
        while search.is_alive():
            time.sleep(0.01)
            ticks += 1
        self.assertGreater(ticks, 20)

    def test_ctrl_c_ends_searches_and_proofs(self) -> None:
        """The signal arrives as KeyboardInterrupt, and the engine works on."""
        script = """
import hexbot, sys
engine = hexbot.Engine(11)
for call in (lambda: engine.analyze(ms=60_000), lambda: hexbot.Engine(9).solve("e5")):
    try:
        print("begins", flush=True)
        call()
    except KeyboardInterrupt:
        print("ended", flush=True)
print(engine.analyze("a2", simulations=50).simulations)
"""
        with subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            begin = time.monotonic()
            for _ in range(2):
                self.assertEqual(process.stdout.readline(), "begins\n")
                time.sleep(0.5)
                os.kill(process.pid, signal.SIGINT)
                self.assertEqual(process.stdout.readline(), "ended\n")
            self.assertEqual(process.stdout.read(), "50\n")
        self.assertLess(time.monotonic() - begin, 30)


class TestMoves(unittest.TestCase):
    """Moves to play, and proofs."""

    def test_every_side_is_played_at_every_level(self) -> None:
        """From 3 to 19."""
        for side, level in [(3, 1), (5, 3), (11, 7), (19, 10)]:
            move = hexbot.Engine(side).best_move("a1 b2", level=level, simulations=20)
            self.assertRegex(move, r"^[a-s]\d{1,2}$")

    def test_a_good_first_stone_is_swapped_if_the_game_allows_it(self) -> None:
        """After the swap the stone is Blue's, and Red moves."""
        engine = hexbot.Engine(11)
        self.assertEqual(engine.best_move("f6", ms=50), "swap")
        self.assertNotEqual(engine.best_move("f6", ms=50, swap=False), "swap")
        self.assertEqual(engine.analyze("f6 swap", simulations=50).to_move, "red")

    def test_the_solver_knows_who_wins(self) -> None:
        """All moves, and within a limit those that are found out."""
        found = hexbot.Engine(4).solve("a1 c3 b2")
        self.assertEqual((found.winner, found.unknown), ("blue", ()))
        self.assertEqual(len(found.winning) + len(found.losing), 13)
        self.assertTrue(found.winning and found.losing)
        self.assertEqual(hexbot.Engine(4).solve("b3").winner, "red")
        hard = hexbot.Engine(9).solve("e5", ms=100)
        self.assertTrue(hard.unknown)

    def test_records_are_converted(self) -> None:
        """There and back."""
        game = "a2 swap-pieces f6"
        for to in ("sgf", "hexworld", "moves"):
            written = hexbot.convert(game, to)
            self.assertEqual(hexbot.convert(written, "moves"), game)


class TestErrors(unittest.TestCase):
    """What is wrong is said, with the value and what is possible."""

    def test_errors_have_the_value_and_the_cure(self) -> None:
        """All of them are ValueErrors."""
        engine = hexbot.Engine(5)
        cases: list[tuple[Callable[[], object], str]] = [
            (lambda: hexbot.Engine(2), "side 2 is not offered, only sides 3 to 19"),
            (lambda: hexbot.Engine(-1), "side=-1 is not possible"),
            (lambda: hexbot.Engine(11, threads=17), "17 threads .* choose 1 to 16"),
            (lambda: hexbot.Engine(11, threads=0), "0 threads .* choose 1 to 16"),
            (lambda: engine.analyze(["z"]), 'move 1, "z"'),
            (lambda: engine.analyze("a1 a1"), 'move 2, "a1"'),
            (lambda: engine.analyze("a1 b2 swap"), 'move 3, "swap'),
            (lambda: engine.analyze("a1 swap", swap=False), 'move 2, "swap'),
            (lambda: engine.analyze(ms=5), "5 ms .* choose 10 to 60000"),
            (lambda: engine.analyze(ms=2.5), "ms=2.5 is not possible"),  # type: ignore[arg-type]
            (lambda: engine.analyze(simulations=0), "0 simulations .* choose 1 to"),
            (lambda: engine.analyze(ms=10, simulations=10), 'give "ms" or "simulations"'),
            (lambda: engine.best_move(level=0), '"0" is not a level from 1 to 10'),
            (lambda: hexbot.Engine(3).solve("b1 a1 b2 c1 b3"), "over, red has won"),
            (lambda: hexbot.Engine(19).solve(), "361 cells are empty"),
            (lambda: hexbot.convert("a1", "png"), '"png" is not a format'),  # type: ignore[arg-type]
        ]
        for call, words in cases:
            with self.assertRaisesRegex(ValueError, words):
                call()


class TestDocuments(unittest.TestCase):
    """The examples in the project's documents."""

    def test_examples_print_what_stands_beside_them(self) -> None:
        """A comment behind a ``print`` is what it prints; a document's blocks are one program."""
        project = Path(__file__).resolve().parents[2]
        for name in ["README.md", "docs/library.md", "python/README.md"]:
            text = (project / name).read_text(encoding="utf-8")
            code = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S))
            self.assertIn("import hexbot", code, name)
            shown = re.findall(r"^ *print\(.*\)  # (.*)$", code, re.M)
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, name, "exec"), {})
            if shown:
                self.assertEqual(printed.getvalue().splitlines(), shown, name)


def load_tests(
    _loader: unittest.TestLoader, tests: unittest.TestSuite, _pattern: object
) -> unittest.TestSuite:
    """Adds the examples of the docstrings."""
    tests.addTests(doctest.DocTestSuite(hexbot))
    return tests


if __name__ == "__main__":
    unittest.main()
