"""The opening book is chosen by what the bot loses without it, and written as the bot reads it."""

import contextlib
import io
import json
import struct
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from train import book, checkpoint
from train.book import Builder, Node, cell, choose, encoded, values
from train.checkpoint import INTERRUPTED, RunError
from train.study import StudyError, read_study
from train.tests.support import Folder

# After c2, d8 is good and e8 poor for Blue; after c2 d8, Red has h7, and b8 is worse.
STUDY = """\
c2\t200\td8:900:200 e8:100:800
c2 d8\t200\tb8:400:150 h7:500:300 g7:0:
c2 e8\t800\te7:1000:800
c2 d8 h7\t300\th8:1000:280
"""


class Bot:
    """In place of the program: its moves are known."""

    def __init__(self, moves: dict[tuple[str, ...], str]):
        self.moves = moves

    def move(self, moves: tuple[str, ...]) -> str:
        return self.moves[moves]


class BookTest(Folder):
    def study(self, text: str = STUDY) -> book.Study:
        path = Path(self.folder) / "study.tsv"
        path.write_text(text, encoding="utf-8")
        return {position.moves: position for position in read_study(path)}

    def test_values_are_the_means_of_rates_and_of_what_follows(self) -> None:
        found = values(self.study())
        self.assertAlmostEqual(found["c2", "d8", "h7"], (0.3 + 0.28) / 2)
        self.assertAlmostEqual(found["c2", "d8"], (0.2 + 0.29) / 2)
        self.assertAlmostEqual(found[("c2",)], (0.2 + 0.245) / 2)

    def test_a_line_that_cannot_be_read_is_named(self) -> None:
        with self.assertRaisesRegex(StudyError, "line 2: "):
            self.study("c2\t200\td8:900:200\nc2 d8\tmany\t\n")

    def nodes(self, ours: bool, bot: dict[tuple[str, ...], str]) -> list[Node]:
        engine: book.Gtp = Bot(bot)  # type: ignore[assignment]
        with mock.patch.object(book, "ROOTS", (("c2", ours, 1.0),)):
            return list(Builder(self.study(), {}, engine).nodes(2e-4))

    def test_an_answer_is_worth_what_the_bots_own_move_loses(self) -> None:
        nodes = self.nodes(True, {("c2", "d8"): "b8", ("c2", "e8"): "e7"})
        by_moves = {node.moves: node for node in nodes}
        self.assertEqual(by_moves[()].answer, "c2")
        self.assertEqual(by_moves["c2", "d8"].answer, "h7")
        reach = dict(Builder(self.study(), {}, mock.Mock()).replies(("c2",)))["d8"]
        self.assertAlmostEqual(by_moves["c2", "d8"].gain, reach * (0.29 - 0.15))
        self.assertEqual(by_moves["c2", "e8"].gain, 0)

    def test_the_bots_own_move_stays_where_it_is_as_good(self) -> None:
        study = STUDY.replace("b8:400:150", "b8:400:270")  # h7 has 290.
        engine: book.Gtp = Bot({("c2", "d8"): "b8"})  # type: ignore[assignment]
        node = Builder(self.study(study), {}, engine).node(("c2", "d8"), "d8", None, 1.0)
        self.assertEqual((node.answer, node.gain), ("b8", 0))

    def test_of_answers_that_are_as_good_the_bot_believes_in_one(self) -> None:
        study = self.study(STUDY.replace("b8:400:150", "b8:400:270"))
        engine = mock.Mock()
        engine.move.return_value = "g7"
        # Chances of Blue, who is to move then.
        engine.wins.side_effect = {("c2", "d8", "h7"): 0.6, ("c2", "d8", "b8"): 0.55}.get
        node = Builder(study, {}, engine).node(("c2", "d8"), "d8", None, 1.0)
        self.assertEqual(node.answer, "b8")
        self.assertAlmostEqual(node.gain, book.UNJUDGED_LOSS)

    def test_what_the_engine_says_of_a_position_is_read(self) -> None:
        engine = book.Gtp.__new__(book.Gtp)
        for said, wins in (("black wins 38.0 %, 30 simulations", 0.62), ("white wins in 9", 1.0)):
            with mock.patch.object(engine, "ask", return_value=said):
                self.assertAlmostEqual(engine.wins(("c2",)), wins)
        with (mock.patch.object(engine, "ask", return_value="nobody"),
              self.assertRaisesRegex(RunError, "'nobody' of c2")):
            engine.wins(("c2",))

    def test_early_positions_are_searched_longer(self) -> None:
        process = mock.Mock()
        process.stdout = ["= \n", "= \n", "= \n", "= e5\n"] + 4 * ["= \n"] + 2 * ["= e6\n"]
        with mock.patch("train.book.subprocess.Popen", return_value=process):
            engine = book.Gtp("hex", 30, 500)
        asked = process.stdin.write
        self.assertEqual(engine.move(("c2",)), "e5")
        self.assertIn("param_hexbot simulations 500\n", asked.call_args[0][0])
        process.stdout = 5 * ["= \n"] + ["= e6\n"]
        self.assertEqual(engine.move(("c2", "d8", "h7")), "e6")
        self.assertIn("param_hexbot simulations 30\n", asked.call_args[0][0])

    def test_replies_are_certain_together(self) -> None:
        replies = dict(Builder(self.study(), {}, mock.Mock()).replies(("c2",)))
        self.assertAlmostEqual(sum(replies.values()), 1)
        self.assertGreater(replies["d8"], replies["e8"])

    def test_what_is_chosen_brings_what_leads_there_and_fits(self) -> None:
        top = Node((), book.NO_MOVE, "c2", None, 0.0)
        below = Node(("c2", "d8"), "d8", "h7", top, 0.3)
        beside = Node(("c2", "e8"), "e8", "e7", top, 0.1)
        self.assertAlmostEqual(choose([top, below, beside], 2), 0.3)
        self.assertEqual([top.chosen, below.chosen, beside.chosen], [True, True, False])
        self.assertAlmostEqual(choose([top, below, beside], 1), 0.1)
        worthless = Node(("c2", "f8"), "f8", "e7", top, 0.0)
        self.assertEqual(choose([worthless], 5), 0)
        self.assertTrue(worthless.chosen)  # There is room.
        last = Node(("c2", "g8"), "g8", "e7", top, 0.0)
        self.assertEqual(choose([worthless, last], 0), 0)
        self.assertFalse(last.chosen)

    def test_the_file_marks_what_follows_and_what_is_last(self) -> None:
        self.assertEqual([cell("a1"), cell("h11"), cell("k11")], [0, 117, 120])
        top = Node((), book.NO_MOVE, "c2", None, 0.0)
        top.children = [Node(("c2", "d8"), "d8", "h7", top, 0.3),
                        Node(("c2", "e8"), "e8", "e7", top, 0.1)]
        words = [cell(theirs) << 9 | cell(answer) << 2 | marks for theirs, answer, marks in
                 ((book.NO_MOVE, "c2", 3), ("d8", "h7", 0), ("e8", "e7", 1))]
        self.assertEqual(encoded([top]), struct.pack(">3H", *words))

    def run_book(self, bot: Callable[..., object], *more: str, ship: str = "") -> tuple[int, str]:
        """Runs the command with this bot; returns its status and what it says."""
        self.study()
        roots = (("c2", True, 0.5), ("c2", False, 0.5))
        said = io.StringIO()
        where = ["--ship", ship] if ship else ["-o", str(self.folder / "a.book")]
        words = [str(self.folder / "study.tsv"), *where, "--asked",
                 str(self.folder), "--hex", sys.executable, *more]
        with (mock.patch.object(book, "ROOTS", roots), mock.patch.object(book, "Gtp", bot),
              contextlib.redirect_stdout(said), contextlib.redirect_stderr(said)):
            status = book.main(words)
        return status, said.getvalue()

    def asked(self) -> dict[str, dict[str, str]]:
        """What the bot has answered, by the file in which it is kept."""
        return {path.name: json.loads(path.read_text()) for path in self.folder.glob("*.json")}

    def stopped_by(self, error: type[BaseException], *more: str) -> tuple[int, str]:
        """As `run_book`, with a bot that answers `c2` and then raises an error."""
        def move(moves: tuple[str, ...]) -> str:
            if moves != ("c2",):
                raise error("no more")
            return "e8"

        return self.run_book(lambda *_: mock.Mock(move=move), *more)

    def test_the_command_writes_a_file_of_the_bot_and_goes_on_after_a_stop(self) -> None:
        status, said = self.stopped_by(KeyboardInterrupt)
        self.assertEqual((status, said), (INTERRUPTED, "stopped; the same command goes on\n"))
        self.assertEqual(list(self.asked().values()), [{"c2": "e8"}])
        # This one does not know it.
        bot = Bot({("c2", "d8"): "b8", ("c2", "e8"): "e7", ("c2", "d8", "h7"): "h8"})
        status, said = self.run_book(lambda *_: bot, "--bytes", "6")
        self.assertEqual(status, 0, said)
        words = [cell(theirs) << 9 | cell(answer) << 2 | marks for theirs, answer, marks in
                 ((book.NO_MOVE, "c2", 2), ("d8", "h7", 1), ("c2", "d8", 1))]
        self.assertEqual((self.folder / "a.book").read_bytes(), struct.pack(">3H", *words))
        self.assertIn("3 answers, 6 bytes", said)
        self.assertEqual(self.asked(), {})

    def test_the_bots_own_books_are_written_when_asked_alone(self) -> None:
        bot = Bot({("c2",): "d8", ("c2", "d8"): "b8", ("c2", "e8"): "e7", ("c2", "d8", "h7"): "h8"})
        for name in ("small", "large"):
            with mock.patch.object(book, "ROOT", self.folder):
                status, said = self.run_book(lambda *_: bot, "--bytes", "6", ship=name)
            self.assertEqual(status, 0, said)
            self.assertEqual((self.folder / f"src/{name}.book").stat().st_size, 6)

    def test_answers_of_another_search_or_program_are_kept_apart(self) -> None:
        other = self.folder / "hex"
        other.write_text("#!/bin/sh")
        other.chmod(0o755)
        for words in ([], ["--simulations", "9"], ["--hex", str(other)]):
            self.stopped_by(KeyboardInterrupt, *words)
        self.assertEqual(len(self.asked()), 3)

    def test_errors_end_with_2(self) -> None:
        self.assertEqual(self.stopped_by(RunError), (2, "error: no more\n"))
        source = str(checkpoint.ROOT / "src/a.book")
        for words, told in ((["--hex", "no-hex"], "no-hex is no program"),
                            (["-o", source], "a.book is in the bot's source")):
            status, said = self.run_book(mock.Mock(), *words)
            self.assertEqual(status, 2)
            self.assertIn(told, said)
        self.assertEqual(book.main(["nothere.tsv", "-o", str(self.folder / "a.book")]), 2)
        self.assertIn("nothere.tsv", self.errors.getvalue())
        # It reads nothing and is gone at once.
        with self.assertRaisesRegex(RunError, "the engine has ended"):
            book.Gtp("false", 30, 500).move(("c2",))


if __name__ == "__main__":
    unittest.main()
