"""Presets: what is in those that are shipped, and what is refused in any, before any work.

The options of `hex` are tried with the program that HEXBOT_HEX names, or that of a release build.
Without it these tests are skipped, or fail with HEX_IF_MISSING=fail.
"""

import re
import subprocess
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from train import __main__ as command
from train import checkpoint, loop
from train.options import filled
from train.preset import OWN, PRESETS, Gate, Judge, Stage, read
from train.tests.support import SMALL_RUN, Folder, program
from train.train import TrainingOptions

# Keys that say themselves what they are.
PLAIN = {"side", "generations", "channels", "layers", "games", "simulations", "play", "learn"}

# Values of all kinds, as TOML, each with the types that it may have. No number is below 0, above a
# billion or unknown.
WRONG: dict[str, tuple[Any, ...]] = {
    '"abc"': (str, str | None), "true": (bool, bool | None), "-1": (), "1e300": (), "nan": (),
    "[]": (tuple[int, ...], tuple[int, ...] | None), '["abc"]': (), "[true]": (), "{}": (Mapping,),
    "1979-05-27": (),
}


def types_of(kind: type[Any]) -> dict[str, Any]:
    """The keys of a section with their types; tables of a stage count as tables."""
    hints = get_type_hints(kind)
    return {one.name: Mapping if one.name in OWN else hints[one.name] for one in fields(kind)}


class Presets(Folder):
    def refused(self, text: str, why: str, settings: list[str] | None = None) -> None:
        with self.assertRaisesRegex(checkpoint.RunError, why):
            read(self.preset(text), settings or [])

    def test_those_that_are_shipped_can_be_read(self) -> None:
        names = {file.stem for file in PRESETS.glob("*.toml")}
        self.assertEqual(names, {"5x5", "7x7", "9x9", "11x11"})
        for name in names:
            for stage in read(name, []).stages:
                filled(TrainingOptions, {"data": (), "out": "", **stage.learn}, name)

    def test_every_key_of_those_is_explained_where_it_stands(self) -> None:
        for file in PRESETS.glob("*.toml"):
            explained: set[str] = set()
            for line in file.read_text(encoding="utf-8").splitlines():
                key = re.match(r"(\w+) = ", line)
                if key and "#" in line:
                    explained.add(key[1])
                elif key:
                    self.assertIn(key[1], explained | PLAIN, f"{file.name}: {line}")

    def test_a_stage_has_keys_of_its_own(self) -> None:
        more = "[[stage]]\nside = 5\ngenerations = 1\nsteps = 3\nlearn = {rate = 0.5}\n"
        both = read(self.preset(SMALL_RUN + more), ["play.games=9", "learn.seed=7"])
        self.assertEqual([both.at(number)[0].side for number in range(3)], [3, 3, 5])
        self.assertEqual([both.at(number)[1] for number in range(3)], [0, 0, 2])
        self.assertEqual([stage.learn.get("rate") for stage in both.stages], [None, 0.5])
        self.assertEqual([stage.play["games"] for stage in both.stages], [9, 9])
        self.assertEqual(both.stages[1].learn["seed"], 7)

    def test_what_is_wrong_is_named(self) -> None:
        good = SMALL_RUN
        self.refused("x", "small.toml: ")
        self.refused("[ply]\nx = 1", r"no section \[ply\]; known are play")
        self.refused(good + "scor = 1\n", r"\[gate\]: no key 'scor'; known are")
        self.refused(good.replace("steps = 2\n", ""), "stage.*steps")
        self.refused(good.replace("side = 3", "side = 30"), "30: a whole number from 2 to 19")
        self.refused(good.replace("shards = 1", "x = 1"), "play.shards is missing")
        self.refused(good, "learn.steps is set by the run", ["learn.steps=9"])
        self.refused(good, "a board of side 3 has 9 cells", ["judge.every=1", "judge.empty=10"])
        self.refused("gate = 1\n" + good.partition("[gate]")[0], "begin the section with .gate.")
        self.refused("stage = [1]", "begin the section with ..stage")
        self.refused(good.replace("shards = 1", 'weights = "x"'), "play.weights is set by the run")
        self.refused(good, "gate.games = 3: an even number", ["gate.games=3"])
        self.refused(good, "--set x: give SECTION.KEY=VALUE", ["x"])
        with self.assertRaisesRegex(checkpoint.RunError, "no preset 'nine'.*5x5"):
            read("nine", [])


class Refused(Folder):
    """Nothing is played, learnt or written for what is wrong, and a sentence says what it is."""

    def refused(self, setting: str, why: str, *more: str) -> None:
        self.errors.seek(0)
        self.errors.truncate()
        run = self.folder / "run"
        words = [self.preset(), "--out", str(run), "--hex", program(self), "--set", setting, *more]
        self.assertEqual(command.main(words), 2, setting)
        said = self.errors.getvalue()
        self.assertRegex(said, why, setting)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertFalse(run.exists(), setting)

    def test_every_key_of_the_loop_has_a_type_and_a_range(self) -> None:
        sections = {"stage": Stage, "gate": Gate, "judge": Judge, "learn": TrainingOptions}
        for section, kind in sections.items():
            for key, hint in types_of(kind).items():
                for value, types in WRONG.items():
                    if hint in types:
                        continue
                    own = key in OWN.get(section, ())
                    why = f"{section}.{key} is set by" if own else f"{key} = .* is needed"
                    self.refused(f"{section}.{key}={value}", why)

    def test_every_option_of_self_play_is_tried_on_hex(self) -> None:
        help_text = subprocess.run([program(self), "lab", "selfplay", "--help"], check=True,
                                   capture_output=True, text=True).stdout
        options = re.findall(r"^ +(?:-\w, )?--([a-z-]+)", help_text, flags=re.M)
        self.assertGreater(len(options), 20, help_text)
        for name in options:
            key = name.replace("-", "_")
            is_own = key in OWN["play"]
            why = f"play.{key} is set by the run" if is_own else r"\[play\]: hex lab refuses it: "
            # Neither a number, nor a file, nor what a switch may be. Games by search read no lines.
            more = ["--set", "play.policy=true"] if name == "lines" else []
            self.refused(f"play.{key}=-1", why, *more)

    def test_what_hex_and_the_learner_refuse_is_told(self) -> None:
        for setting, why in (
            ("play.unknown=1", r"\[play\]: hex lab refuses it: .*--unknown"),
            ("play.play_on=3", r"\[play\].*--play-on"),
            ("play.noise_share=true", r"\[play\].*--noise-share"),
            ("play.games=[1]", r"play.games = \(1,\): a number, a text"),
            ("gate.openings=nowhere", r"\[gate\]: hex match refuses it: .*nowhere"),
            ("gate.openings=file:nowhere", r"\[gate\].*nowhere"),
            ("learn.unknown=1", r"\[learn\]: no key 'unknown'"),
            ("learn.device=abc", "device abc: .*cpu is always there"),
            ("learn.device=cuda", "device cuda|packages for GPUs are missing"),
            ("learn.pool=[5]", "pooling at layers"),
            ("learn.init=nowhere", "nowhere has no checkpoint"),
            ("learn.study=nowhere", "--study is learnt from beside --whole-games alone"),
        ):
            self.refused(setting, why)

    def test_a_later_stage_is_looked_at_before_the_first(self) -> None:
        more = "[[stage]]\nside = 3\ngenerations = 1\nsteps = 3\n"
        for table, why in (("learn = {rate = 'x'}", "rate = 'x'"),
                           ("learn = {layers = 9}", "layers"), ("play = {x = 1}", "--x")):
            preset = read(self.preset(SMALL_RUN + more + table), [])
            tried = loop.Loop(preset, self.folder / "run", program(self), 1)
            with self.assertRaisesRegex(checkpoint.RunError, why):
                tried.check()
