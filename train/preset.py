"""Presets: small TOML files that say what a run plays, learns, gates and judges.

`train/presets` has one for each rung of the ladder, with a comment at every key.

A file has the sections `[play]` (options of `hex lab selfplay`, in its words with `_` for `-`),
`[learn]` (options of `train.train`), `[gate]` and `[judge]`, and one `[[stage]]` or several: a side
of the board with its number of generations and of learning steps in each. A stage may have `play`
and `learn` tables of its own, whose keys count instead of the file's while it lasts.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from train.checkpoint import RunError
from train.options import frozen

PRESETS = Path(__file__).parent / "presets"

# The sides of boards.
SIDES = range(2, 20)

# A value of an option of `hex`.
Value = str | int | float | bool

SECTIONS = ("play", "learn", "gate", "judge", "stage")

# What the loop itself says to `hex lab selfplay`.
OWN_PLAY = ("out", "side", "seed", "weights", "threads", "only_shards")


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The match that decides whether a candidate plays from now on."""

    games: int = 40  # an even number
    simulations: int = 100  # of both players, for a move
    score: float = 0.5  # the candidate's share of the games that is needed, 0 to 1
    openings: str = "random:3"  # as for `hex match`


@dataclass(frozen=True, kw_only=True)
class Judge:
    """What the exact solver says of a candidate; see `train.judge`."""

    every: int = 0  # generations between two judgements; 0: none
    simulations: tuple[int, ...] = (0,)  # for a move, in turn; 0: the policy alone
    empty: int = 0  # empty cells of random endgames; 0: games from every first move instead
    positions: int = 300  # of random endgames
    every_reply: bool = False  # at the end answer the network with every move, not random ones
    first_moves: int = 0  # simulations with which first moves are valued; 0: not at all


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Some generations on boards of one side."""

    side: int
    generations: int
    steps: int  # of learning, in each
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


def filled(kind: type[Any], given: Mapping[str, Any], where: str) -> Any:
    """Returns a dataclass with these values; raises `RunError` for an unknown or missing key."""
    known = {declared.name for declared in fields(kind)}
    for key in given:
        if key not in known:
            raise RunError(f"{where}: no key {key!r}; known are {', '.join(sorted(known))}")
    try:
        return kind(**frozen(given))
    except TypeError as error:
        raise RunError(f"{where}: {error}") from error


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
    places = table.get("stage", []) if section == "stage" else [table.setdefault(section, {})]
    for place in places:
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
    for setting in settings:
        set_key(table, setting)
    for section in table:
        if section not in SECTIONS:
            raise RunError(f"{path}: no section [{section}]; known are {', '.join(SECTIONS)}")
    play, learn = table.get("play", {}), table.get("learn", {})
    stages = tuple(stage_of(stage, play, learn, str(path)) for stage in table.get("stage", []))
    preset = Preset(name=path.stem, stages=stages,
                    gate=filled(Gate, table.get("gate", {}), f"{path}: [gate]"),
                    judge=filled(Judge, table.get("judge", {}), f"{path}: [judge]"))
    check(preset, path)
    return preset


def stage_of(
    given: dict[str, Any], play: dict[str, Any], learn: dict[str, Any], path: str
) -> Stage:
    """Returns a stage with the file's tables under its own."""
    tables = {"play": play | given.get("play", {}),
              "learn": frozen(learn | given.get("learn", {}))}
    stage: Stage = filled(Stage, given | tables, f"{path}: [[stage]]")
    for key in stage.play:
        if key in OWN_PLAY:
            raise RunError(f"{path}: play.{key} is set by the run itself: leave it out")
    return stage


def check(preset: Preset, path: Path) -> None:
    """Raises `RunError` if a number is out of its range."""
    if not preset.stages:
        raise RunError(f"{path}: no [[stage]]: give one with side, generations and steps")
    games, score = preset.gate.games, preset.gate.score
    checks: list[tuple[str, Any, bool, str]] = [
        ("gate.games", games, games >= 2 and games % 2 == 0, "an even number is needed"),
        ("gate.score", score, 0 <= score <= 1, "0 to 1"),
    ]
    for stage in preset.stages:
        checks.append(("side", stage.side, stage.side in SIDES, f"{SIDES[0]} to {SIDES[-1]}"))
        counts = {"generations": stage.generations, "steps": stage.steps,
                  "play.shards": stage.play.get("shards", 0),
                  "play.games": stage.play.get("games", 0)}
        checks += [(key, count, isinstance(count, int) and count >= 1, "at least 1")
                   for key, count in counts.items()]
    for key, value, is_right, wanted in checks:
        if not is_right:
            raise RunError(f"{path}: {key} = {value!r}: {wanted}")
