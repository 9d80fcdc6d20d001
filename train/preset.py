"""Presets: small TOML files that say what a run plays, learns, gates and judges.

`train/presets` has one for each rung of the ladder, with a comment at every key.

A file has the sections `[play]` (options of `hex lab selfplay`, in its words with `_` for `-`),
`[learn]` (options of `train.train`), `[gate]` and `[judge]`, and one `[[stage]]` or several: a side
of the board with its number of generations and of learning steps in each. A stage may have `play`
and `learn` tables of its own, whose keys count instead of the file's while it lasts.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from train.checkpoint import RunError
from train.options import COUNT, COUNT_OR_NONE, SHARE, filled, frozen, option, required

PRESETS = Path(__file__).parent / "presets"

# The sides of boards.
SIDES = range(2, 20)

# A value of an option of `hex`.
Value = str | int | float | bool

# The sections of a file, and how they are read.
SECTIONS = {"play": dict, "learn": dict, "gate": dict, "judge": dict, "stage": list}

# What the loop itself says to `hex lab selfplay`, and to the learner.
OWN = {
    "play": ("out", "side", "seed", "weights", "threads", "only_shards", "help"),
    "learn": ("data", "out", "export", "id", "minutes", "steps", "slice_minutes"),
}


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The match that decides whether a candidate plays from now on."""

    games: int = option(40, "an even number", COUNT)
    simulations: int = option(100, "of both players, for a move", COUNT)
    score: float = option(0.5, "the candidate's share of the games that is needed", SHARE)
    openings: str = option("random:3", "as for `hex match`")


@dataclass(frozen=True, kw_only=True)
class Judge:
    """What the exact solver says of a candidate; see `train.judge`."""

    every: int = option(0, "generations between two judgements; 0: none", COUNT_OR_NONE)
    simulations: tuple[int, ...] = option(
        (0,), "for a move, in turn; 0: the policy alone", COUNT_OR_NONE)
    empty: int = option(
        0, "empty cells of random endgames; 0: games from every first move instead", (0, 361))
    positions: int = option(300, "of random endgames", COUNT)
    every_reply: bool = option(
        False, "at the end answer the network with every move, not random ones")
    first_moves: int = option(
        0, "simulations with which first moves are valued; 0: not at all", COUNT_OR_NONE)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Some generations on boards of one side."""

    side: int = required("of the board", (SIDES[0], SIDES[-1]))
    generations: int = required("of play, learning and gate", COUNT)
    steps: int = required("of learning, in each", COUNT)
    play: Mapping[str, Value] = field(default_factory=dict)
    learn: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A run's settings, those of the stages filled in."""

    name: str
    stages: tuple[Stage, ...]
    gate: Gate
    judge: Judge

    @property
    def generations(self) -> int:
        """The number of generations of all stages."""
        return sum(stage.generations for stage in self.stages)

    def at(self, generation: int) -> tuple[Stage, int]:
        """Returns the stage of a generation, and the generations of all stages before it."""
        before = 0
        for stage in self.stages:
            if generation < before + stage.generations:
                return stage, before
            before += stage.generations
        raise IndexError(f"generation {generation} of {self.generations}")


def place_of(name: str) -> Path:
    """Returns the file of a preset that is shipped, or `name` if it ends in .toml."""
    path = Path(name) if name.endswith(".toml") else PRESETS / f"{name}.toml"
    if not path.is_file():
        shipped = ", ".join(sorted(file.stem for file in PRESETS.glob("*.toml")))
        raise RunError(f"no preset {name!r}: give {shipped}, or a file that ends in .toml")
    return path


def set_key(table: dict[str, Any], setting: str) -> None:
    """Carries out `SECTION.KEY=VALUE`, its value as in TOML, or as text if it is none."""
    key, equals, text = setting.partition("=")
    section, _, name = key.partition(".")
    if not (equals and name and section in SECTIONS):
        raise RunError(f"--set {setting}: give SECTION.KEY=VALUE, such as learn.rate=0.002")
    try:
        value = tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        value = text
    for place in table["stage"] if section == "stage" else [table[section]]:
        place[name] = value


def read(name: str, settings: list[str]) -> Preset:
    """Returns a preset, with `settings` such as `learn.rate=0.002` in place of its own.

    Raises `RunError` if the file is not one, naming the key.
    """
    path = place_of(name)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RunError(f"{path}: {error}") from error
    for section in table:
        if section not in SECTIONS:
            raise RunError(f"{path}: no section [{section}]; known are {', '.join(SECTIONS)}")
    for section, kind in SECTIONS.items():
        given = table.setdefault(section, kind())
        stages = given if kind is list else []
        if not (isinstance(given, kind) and all(isinstance(stage, dict) for stage in stages)):
            written = "[[stage]]" if kind is list else f"[{section}]"
            raise RunError(f"{path}: {section} is a value: begin the section with {written}")
    for setting in settings:
        set_key(table, setting)
    stages = tuple(stage_of(stage, table["play"], table["learn"], str(path))
                   for stage in table["stage"])
    preset = Preset(name=path.stem, stages=stages,
                    gate=filled(Gate, table["gate"], f"{path}: [gate]"),
                    judge=filled(Judge, table["judge"], f"{path}: [judge]"))
    check(preset, path)
    return preset


def stage_of(
    given: dict[str, Any], play: dict[str, Any], learn: dict[str, Any], path: str
) -> Stage:
    """Returns a stage with the file's tables under its own."""
    stage = filled(Stage, given, f"{path}: [[stage]]")
    tables = {"play": frozen({**play, **stage.play}), "learn": frozen({**learn, **stage.learn})}
    for section, table in tables.items():
        for key in OWN[section]:
            if key in table:
                raise RunError(f"{path}: {section}.{key} is set by the run itself: leave it out")
    for key, value in tables["play"].items():
        if not isinstance(value, Value):
            raise RunError(f"{path}: play.{key} = {value!r}: a number, a text, true or false is "
                           "needed")
    return replace(stage, play=tables["play"], learn=tables["learn"])


def check(preset: Preset, path: Path) -> None:
    """Raises `RunError` if values do not go together."""
    if not preset.stages:
        raise RunError(f"{path}: no [[stage]]: give one with side, generations and steps")
    if preset.gate.games % 2:
        raise RunError(f"{path}: gate.games = {preset.gate.games}: an even number is needed")
    for stage in preset.stages:
        if preset.judge.every and preset.judge.empty > stage.side**2:
            raise RunError(f"{path}: judge.empty = {preset.judge.empty}: a board of side "
                           f"{stage.side} has {stage.side**2} cells")
        for key in ("shards", "games"):
            if key not in stage.play:
                raise RunError(f"{path}: play.{key} is missing")
