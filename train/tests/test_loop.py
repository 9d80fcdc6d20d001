"""Presets and the loop, as small as can be; `hex` is played by a function here."""

import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from matplotlib.colors import to_hex

from train import __main__ as command
from train import checkpoint, judge, loop, page, plot, preset
from train.preset import read
from train.tests.support import Folder, records, write_shard


class ScriptedLoop(loop.Loop):
    """A loop whose `hex` runs inside this process, and writes what it is asked for."""

    stop_at = ""
    candidate_wins = True

    def command(self, *words: object) -> str:
        line = [str(word) for word in words]
        if self.stop_at in line:
            raise checkpoint.Stopped
        value = dict(pairwise(line))
        if "selfplay" in line:
            played = records(8, int(value["--seed"]))
            write_shard(Path(value["--out"]) / "000000.bin", played)
        elif "match" in line:
            wins = 2 * self.candidate_wins
            elo = {"elo": None, "low": 15, "high": None} if wins else {
                "elo": -40, "low": -65, "high": -15}
            folder = Path(value["--out"])
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "summary.json").write_text(json.dumps(
                {"pairings": [{"games": 2, "wins": wins, "elo": elo}]}))
        return ""


class Loop(Folder):
    def setUp(self) -> None:
        super().setUp()
        # Drawing takes longer than all else.
        self.drawing = mock.patch.object(page, "write")
        self.drawing.start()
        self.addCleanup(mock.patch.stopall)

    def loop(self, *settings: str, kind: type[ScriptedLoop] = ScriptedLoop) -> ScriptedLoop:
        return kind(read(self.preset(), list(settings)), self.folder / "run", sys.executable, 1)

    def curve(self) -> list[dict[str, Any]]:
        return checkpoint.read_lines(self.folder / "run" / checkpoint.CURVE)

    def step_of(self, name: str) -> int:
        return int(checkpoint.load(self.folder / "run" / name)["step"])

    def test_generations_go_on_where_they_stopped(self) -> None:
        first = self.loop()
        first.stop_at = "match"
        with self.assertRaises(checkpoint.Stopped):
            first.work()
        # A kill may leave more done than the state says: learning again changes nothing then.
        first.state.phase = "learn"
        first.save()
        again = self.loop()
        self.assertEqual(again.state.phase, "learn")
        self.drawing.stop()
        again.work()
        self.assertEqual((self.step_of("learner"), self.step_of("best")), (4, 4))
        self.assertEqual([line["kept"] for line in self.curve()], [True, True])
        # Of an infinite difference the finite end counts.
        self.assertEqual([line["elo"] for line in self.curve()], [15, 30])
        self.assertEqual([line["games"] for line in self.curve()], [8, 16])
        self.assertIn("2 of 2 generations", (self.folder / "run/index.html").read_text("utf-8"))

    def test_a_run_begins_where_another_one_ended(self) -> None:
        self.loop("stage.generations=1").work()
        run, further = self.folder / "run", self.folder / "further"
        settings = [f"learn.init={run}", "learn.layers=5"]
        with self.assertRaisesRegex(checkpoint.RunError, "no-run has no checkpoint.pt: train it"):
            ScriptedLoop(read(self.preset(), [f"learn.init={run}/no-run"]), further,
                         sys.executable, 1).begin()
        ScriptedLoop(read(self.preset(), settings), further, sys.executable, 1).begin()
        best, begun = (checkpoint.load(folder)["average"] for folder in (run, further))
        for name, weights in best.items():
            self.assertTrue(torch.equal(weights, begun[name]), name)

    def test_a_worse_network_replaces_no_better_one(self) -> None:
        worse = self.loop("stage.generations=1")
        worse.candidate_wins = False
        worse.work()
        (line,) = self.curve()
        self.assertEqual((line["kept"], line["elo"]), (False, 0))
        self.assertEqual((line["gain"], line["error"]), (-40, 25))
        self.assertEqual((self.step_of("learner"), self.step_of("best")), (2, 0))

    def test_the_next_games_are_played_by_the_best_network_while_it_learns(self) -> None:
        order: list[str] = []

        class Watched(ScriptedLoop):
            def selfplay(self, words: Sequence[object], threads: int) -> None:
                order.append(f"play {Path(str(words[1])).name}")
                super().selfplay(words, threads)

            def match(self, folder: Path, *words: object) -> None:
                order.append(f"match {folder.name}")
                super().match(folder, *words)

        self.loop(kind=Watched).work()
        g0, g1 = "g0000-side3", "g0001-side3"
        # What is played again is there already: `hex` leaves it out.
        self.assertEqual(order, [f"play {g0}", f"play {g1}", f"match {g0}", f"play {g1}",
                                 f"match {g1}"])

    def test_games_that_fail_beside_the_learning_end_the_run(self) -> None:
        failing = self.loop()
        play = failing.selfplay

        def selfplay(words: Sequence[object], threads: int) -> None:
            if "g0001" in str(words[1]):
                raise checkpoint.RunError("no such luck")
            play(words, threads)

        with (mock.patch.object(failing, "selfplay", selfplay),
              self.assertRaisesRegex(checkpoint.RunError, "no such luck")):
            failing.work()

    def test_old_games_leave_the_folder_with_the_window(self) -> None:
        self.loop("learn.window=1").work()
        shards = (self.folder / "run/shards").iterdir()
        self.assertEqual([path.name for path in shards], ["g0001-side3"])

    def test_at_its_end_a_run_says_what_the_solver_finds(self) -> None:
        proof = "no opponent can beat it with 50 simulations"
        judged = ["judge.every=1", "judge.simulations=[0, 50]", "judge.every_reply=true"]
        for settings, lost, is_proven in ((judged, "0", True), (judged, "1", False),
                                          (judged[:2], "0", False), ([], "0", False)):
            end = self.loop(*settings)
            said = f"blunders: {lost} of 2706, 0.0 %\n"
            with mock.patch.object(end, "command", return_value=said):
                conclusion = end.conclusion()
            self.assertEqual(proof in conclusion, is_proven, conclusion)
            counted = f"{lost} mistakes of 50 simulations in 2,706 won positions"
            self.assertEqual(counted in conclusion, settings != [], conclusion)

    def test_a_stopped_loop_says_so_by_its_status(self) -> None:
        words = [self.preset(), "--out", str(self.folder / "run"), "--hex", self.script("exit 0")]
        with mock.patch.object(loop.Loop, "work", side_effect=checkpoint.Stopped):
            self.assertEqual(command.main(words), checkpoint.INTERRUPTED)

    def test_a_missing_program_is_told(self) -> None:
        run = str(self.folder / "run")
        self.assertEqual(command.main(["5x5", "--out", run, "--hex", "no-such-hex"]), 2)
        self.assertIn("cargo build", self.errors.getvalue())


class Judged(Folder):
    def test_a_network_is_judged_by_what_hex_prints(self) -> None:
        said = []

        def run(*words: object) -> str:
            said.append([str(word) for word in words])
            if "solve" in words:
                (self.folder / "openings-3.txt").write_text("head\na1 blue 1 0.0\nb2 red 1 0.0\n")
            if "openings" in words:
                (self.folder / "first-moves.txt").write_text("head\na1 0 0 0.2\nb2 0 0 0.4\n")
            return "head\nblunders: 3 of 200, 1.50 %\n"

        settings = preset.Judge(every=1, simulations=(0, 50), every_reply=True, first_moves=9)
        weights = self.folder / "x.weights"
        verdict = judge.judge(run, "hex", 3, weights, settings, is_last=True)
        self.assertEqual(verdict.blunders, {"policy": (3, 200), "50 simulations": (3, 200)})
        self.assertEqual([move.is_right for move in verdict.first_moves], [True, False])
        self.assertIn("--policy-alone", said[0])
        self.assertIn("--every-reply", said[0])
        self.assertIn("1 of 2 first moves", str(verdict))
        self.assertIn("3 mistakes of 50 simulations in 200 won positions", str(verdict))
        judge.judge(run, "hex", 3, weights, settings, is_last=False)
        self.assertNotIn("--every-reply", said[-3])

    def test_every_first_move_is_drawn_in_the_colour_of_the_truth(self) -> None:
        moves = [{"cell": cell, "wins": cell == "b2", "value": 0.7}
                 for cell in ("a1", "b1", "c1", "a2", "b2")]
        axis = plot.painter().figure().add_subplot()
        plot.draw_first_moves(axis, {"side": 3, "first_moves": moves})
        colours = [to_hex(patch.get_facecolor()) for patch in axis.patches]
        self.assertEqual((len(colours), colours.count(plot.WINS)), (9, 1))
        self.assertEqual(sum(patch.get_linewidth() > 1 for patch in axis.patches), 8)
        self.assertEqual([text.get_text() for text in axis.texts], 9 * ["70"])
