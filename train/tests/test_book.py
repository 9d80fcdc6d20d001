"""The opening book is chosen by what the bot loses without it, and written as the bot reads it."""

import json
import struct
import sys
from collections.abc import Callable
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

# The same, but b8 is nearly as good as h7, which has 290.
CLOSE = STUDY.replace("b8:400:150", "b8:400:270")


def bot(**moves: str) -> mock.Mock:
    """A bot whose moves are known, after positions such as `c2_d8`."""
    return mock.Mock(move=lambda position: moves["_".join(position)])


def words(*nodes: tuple[str, str, int]) -> bytes:
    """The bytes of nodes: the move before the answer, the answer, and the marks."""
    numbers = [cell(theirs) << 9 | cell(answer) << 2 | marks for theirs, answer, marks in nodes]
    return struct.pack(f">{len(nodes)}H", *numbers)


class BookTest(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(book, "ROOTS", (("c2", True, 0.5), ("c2", False, 0.5))))
        self.enterContext(mock.patch.object(book, "ROOT", self.folder))

    def study(self, text: str = STUDY) -> book.Study:
        path = self.folder / "study.tsv"
        path.write_text(text, encoding="utf-8")
        return {position.moves: position for position in read_study(path)}

    def builder(self, engine: object, text: str = STUDY) -> Builder:
        return Builder(self.study(text), {}, engine)  # type: ignore[arg-type]

    def test_values_are_the_means_of_rates_and_of_what_follows(self) -> None:
        found = values(self.study())
        self.assertAlmostEqual(found["c2", "d8", "h7"], (0.3 + 0.28) / 2)
        self.assertAlmostEqual(found["c2", "d8"], (0.2 + 0.29) / 2)
        self.assertAlmostEqual(found[("c2",)], (0.2 + 0.245) / 2)

    def test_a_line_that_cannot_be_read_is_named(self) -> None:
        with self.assertRaisesRegex(StudyError, "line 2: "):
            self.study("c2\t200\td8:900:200\nc2 d8\tmany\t\n")

    def test_an_answer_is_worth_what_the_bots_own_move_loses(self) -> None:
        builder = self.builder(bot(c2="d8", c2_d8="b8", c2_e8="e7", c2_d8_h7="h8"))
        nodes = {node.moves: node for node in builder.nodes(2e-4)}
        replies = dict(builder.replies(("c2",)))
        self.assertAlmostEqual(sum(replies.values()), 1)
        self.assertGreater(replies["d8"], replies["e8"])
        self.assertEqual([nodes[()].answer, nodes["c2", "d8"].answer], ["c2", "h7"])
        self.assertAlmostEqual(nodes["c2", "d8"].gain, 0.5 * replies["d8"] * (0.29 - 0.15))
        self.assertEqual(nodes["c2", "e8"].gain, 0)

    def test_of_answers_that_are_as_good_the_bots_own_move_or_its_belief_counts(self) -> None:
        engine = bot(c2_d8="b8")
        node = self.builder(engine, CLOSE).node(("c2", "d8"), None, 1.0)
        self.assertEqual((node.answer, node.gain), ("b8", 0))
        engine = bot(c2_d8="g7")
        # Chances of Blue, who is to move then.
        engine.wins = {("c2", "d8", "h7"): 0.6, ("c2", "d8", "b8"): 0.55}.get
        node = self.builder(engine, CLOSE).node(("c2", "d8"), None, 1.0)
        self.assertEqual((node.answer, node.gain), ("b8", book.UNJUDGED_LOSS))

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
        with mock.patch("train.book.subprocess.Popen", return_value=process):
            engine = book.Gtp("hex")
        for moves, simulations in ((("c2",), 14000), (("c2", "d8", "h7"), 2458)):
            process.stdout = [*["= \n"] * (2 + len(moves)), "= e5\n"]
            self.assertEqual(engine.move(moves), "e5")
            asked = process.stdin.write.call_args[0][0]
            self.assertIn(f"param_hexbot simulations {simulations}\n", asked)

    def test_what_is_chosen_brings_what_leads_there_and_fits(self) -> None:
        top = Node((), "c2", None, 0.0)
        below = Node(("c2", "d8"), "h7", top, 0.3)
        beside = Node(("c2", "e8"), "e7", top, 0.1)
        self.assertAlmostEqual(choose([top, below, beside], 2), 0.3)
        self.assertEqual([top.chosen, below.chosen, beside.chosen], [True, True, False])
        self.assertAlmostEqual(choose([top, below, beside], 1), 0.1)
        worthless, last = (Node(("c2", name), "e7", top, 0.0) for name in ("f8", "g8"))
        self.assertEqual(choose([worthless], 5), 0)
        self.assertTrue(worthless.chosen)  # There is room.
        self.assertEqual(choose([worthless, last], 0), 0)
        self.assertFalse(last.chosen)

    def test_the_file_marks_what_follows_and_what_is_last(self) -> None:
        self.assertEqual([cell("a1"), cell("h11"), cell("k11")], [0, 117, 120])
        top = Node((), "c2", None, 0.0)
        top.children = [Node(("c2", "d8"), "h7", top, 0.3), Node(("c2", "e8"), "e7", top, 0.1)]
        self.assertEqual(encoded([top]),
                         words((book.NO_MOVE, "c2", 3), ("d8", "h7", 0), ("e8", "e7", 1)))

    def run_book(self, bot: Callable[..., object], *more: str, ship: str = "") -> int:
        """Runs the command with this bot; returns its status."""
        self.study()
        where = ["--ship", ship] if ship else ["-o", str(self.folder / "a.book")]
        words = [str(self.folder / "study.tsv"), *where, "--hex", sys.executable, *more]
        with mock.patch.object(book, "Gtp", bot):
            return book.main(words)

    def asked(self) -> list[dict[str, str]]:
        """What the bot has answered, a dictionary for each program."""
        return [json.loads(path.read_text()) for path in self.folder.glob("target/*.json")]

    def stopped_by(self, error: type[BaseException], *more: str) -> int:
        """As `run_book`, with a bot that answers `c2` and then raises an error."""
        def move(moves: tuple[str, ...]) -> str:
            if moves != ("c2",):
                raise error("no more")
            return "e8"

        return self.run_book(lambda *_: mock.Mock(move=move), *more)

    def test_the_command_writes_a_file_of_the_bot_and_goes_on_after_a_stop(self) -> None:
        self.assertEqual(self.stopped_by(KeyboardInterrupt), INTERRUPTED)
        self.assertEqual(self.asked(), [{"c2": "e8"}])
        # Another program has answers of its own.
        self.stopped_by(KeyboardInterrupt, "--hex", self.script("exit"))
        self.assertEqual(len(self.asked()), 2)
        # This one does not know it.
        engine = bot(c2_d8="b8", c2_e8="e7", c2_d8_h7="h8")
        self.assertEqual(self.run_book(lambda *_: engine, "--bytes", "6"), 0)
        self.assertEqual((self.folder / "a.book").read_bytes(),
                         words((book.NO_MOVE, "c2", 2), ("d8", "h7", 1), ("c2", "d8", 1)))
        self.assertEqual(len(self.asked()), 1)

    def test_the_bots_own_books_are_written_when_asked_alone(self) -> None:
        engine = bot(c2="d8", c2_d8="b8", c2_e8="e7", c2_d8_h7="h8")
        for name in ("small", "large"):
            self.assertEqual(self.run_book(lambda *_: engine, "--bytes", "6", ship=name), 0)
            self.assertEqual((self.folder / f"src/{name}.book").stat().st_size, 6)

    def test_errors_end_with_2(self) -> None:
        self.assertEqual(self.stopped_by(RunError), 2)
        source = str(checkpoint.ROOT / "src/a.book")
        for more in (["--hex", "no-hex"], ["-o", source]):
            self.assertEqual(self.run_book(mock.Mock(), *more), 2)
        self.assertEqual(book.main(["nothere.tsv", "-o", str(self.folder / "a.book")]), 2)
        for said in ("error: no more", "no-hex is no program", "a.book is in the bot's source",
                     "nothere.tsv"):
            self.assertIn(said, self.errors.getvalue())
        # It reads nothing and is gone at once.
        with self.assertRaisesRegex(RunError, "the engine has ended"):
            book.Gtp("false").move(("c2",))
