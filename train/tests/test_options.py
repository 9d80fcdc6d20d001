"""The help of every command, and how options become arguments."""

import argparse
import contextlib
import importlib.util
import io
import re
import unittest
from dataclasses import dataclass, fields
from pathlib import Path

from train.options import add_options, option
from train.train import TrainingOptions

TRAIN = Path(__file__).resolve().parents[1]

# The modules with a command line, and the words before its --help.
COMMANDS = [("train.cluster.__main__", word) for word in ((), ("selfplay",), ("match",))] + [
    (".".join(path.relative_to(TRAIN.parent).with_suffix("").parts), ())
    for path in sorted(TRAIN.glob("*.py"))
    if "\ndef main(" in path.read_text(encoding="utf-8")
]


@dataclass(frozen=True)
class Some:
    """Options with all that a parser might misread."""

    share: float = option(0.5, "above 97 % (of all), %s")
    chosen: bool = option(True, "a bool")
    name: str | None = option(None, "default: none", type=str)


class Documents(unittest.TestCase):
    def test_numbers_of_the_learner_are_its_defaults(self) -> None:
        page = (TRAIN.parent / "docs/training.md").read_text(encoding="utf-8")
        # "`tree_weight` (0.6)", and "--owner-weight 0.15" behind a term of the loss.
        told = re.findall(r"`(\w+)` \(([\d.,]+)\)", page)
        told += re.findall(r" {2}--([a-z0-9-]+) ([\d.]+)$", page, flags=re.M)
        defaults = {one.name: one.default for one in fields(TrainingOptions)}
        numbers = {name.replace("-", "_"): float(text.replace(",", "")) for name, text in told}
        self.assertGreater(len(numbers), 6, told)
        self.assertEqual(numbers, {name: defaults[name] for name in numbers})
        # The other order is not found.
        self.assertEqual(re.findall(r"\d \(`\w+`\)", page), [])


class Help(unittest.TestCase):
    def test_every_command_prints_its_help(self) -> None:
        self.assertIn(("train.train", ()), COMMANDS)
        for name, words in COMMANDS:
            if words and not importlib.util.find_spec("ray"):
                continue
            with self.subTest(name), contextlib.redirect_stdout(io.StringIO()) as said:
                try:
                    status = importlib.import_module(name).main([*words, "--help"])
                except SystemExit as ended:
                    status = ended.code
                self.assertEqual(status, 0)
                self.assertIn("usage: python -m train", said.getvalue())

    def test_texts_are_plain_and_tell_the_default_once(self) -> None:
        parser = argparse.ArgumentParser()
        add_options(parser, Some)
        text = " ".join(parser.format_help().split())
        self.assertIn("above 97 % (of all), %s (default: 0.5)", text)
        self.assertIn("a bool (default: True)", text)
        self.assertEqual(text.count("default: none"), 1)
