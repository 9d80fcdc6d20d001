"""Commands and their options, which are frozen dataclasses.

An option is declared once, as a field: its name, type, range, default and help text. `add_options`
turns the fields into arguments of an `argparse` parser, `from_arguments` turns what that has read
into the dataclass, so that a misspelt option is an error of mypy and none can change during a run.
`filled` does the same with a table of a preset.
"""

import argparse
import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, field, fields
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from train.checkpoint import INTERRUPTED, RunError, Stopped

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Default = TypeVar("Default")
Options = TypeVar("Options", bound="DataclassInstance")


def parser_of(command: str, text: str | None, **words: Any) -> argparse.ArgumentParser:
    """Returns the parser of a command; its help begins with `text`, a module's docstring."""
    return argparse.ArgumentParser(prog=f"python -m {command}", description=text,
                                   formatter_class=argparse.RawTextHelpFormatter, **words)


def reporting(main: Callable[..., int | None]) -> Callable[..., int]:
    """Makes a command that raises errors one that prints them and returns its exit status.

    That is 2 after an error, and `INTERRUPTED` after Ctrl-C.
    """

    @functools.wraps(main)
    def reported(*arguments: Any) -> int:
        try:
            return main(*arguments) or 0
        except (KeyboardInterrupt, Stopped):
            print("stopped; the same command goes on", file=sys.stderr)
            return INTERRUPTED
        except (OSError, ValueError, RunError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2

    return reported


# The least and the most of a number, both allowed.
Range = tuple[float, float]

SHARE: Range = (0, 1)
# Numbers of things: at least one, or none.
COUNT: Range = (1, 10**9)
COUNT_OR_NONE: Range = (0, 10**9)
# Numbers that are not zero, and weights, which may be.
POSITIVE: Range = (1e-9, 1e9)
WEIGHT: Range = (0, 1e9)


def option(default: Default, text: str, within: Range | None = None, **words: Any) -> Default:
    """Declares an option with a default; if it is a number, or a list of numbers, with their range.

    `text` is its help, in which `%` stands for itself, `words` go to
    `argparse.ArgumentParser.add_argument`. Unless `words` say otherwise the value has the default's
    type, and a bool is set by `--name` and `--no-name`.
    """
    return field(default=default, metadata={"help": text, "within": within, **words})


def required(text: str, within: Range | None = None, **words: Any) -> Any:
    """Declares an option that must be given; see `option`."""
    return field(metadata={"help": text, "within": within, **words})


def add_options(parser: argparse.ArgumentParser, options: type[Options]) -> None:
    """Adds an argument to the parser for each field of `options`."""
    hints = get_type_hints(options)
    for declared in fields(options):
        words = dict(declared.metadata)
        del words["within"]
        name = "--" + declared.name.replace("_", "-")
        if declared.default is MISSING:
            words["required"] = True
        elif bool in (hints[declared.name], *get_args(hints[declared.name])):
            words["action"], words["default"] = argparse.BooleanOptionalAction, declared.default
        else:
            kind = None if declared.default is None else type(declared.default)
            words = {"type": kind, "default": declared.default} | words
            within = declared.metadata["within"]
            words["type"] = fitting(words["type"] or str, hints[declared.name], within)
        text = words.pop("help")
        has_default = declared.default is not MISSING and bool(declared.default)
        if has_default and "default" not in text:
            text += f" (default: {declared.default})"
        parser.add_argument(name, dest=declared.name, help=text.replace("%", "%%"), **words)


def fitting(read: Callable[[str], Any], hint: Any, within: Range | None) -> Callable[[str], Any]:
    """Returns `read`, which makes a value of a text, with a check of the value for `argparse`."""

    def checked(text: str) -> Any:
        value = read(text)
        wanted = misfit(value, hint, within)
        if wanted:
            raise argparse.ArgumentTypeError(f"{text}: {wanted} is needed")
        return value

    checked.__name__ = getattr(read, "__name__", "text")
    return checked


WANTED = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def misfit(value: Any, hint: Any, within: Range | None) -> str | None:
    """Returns what is wanted in place of a value, `None` if it has this type and range."""
    if isinstance(hint, UnionType):
        (hint,) = (kind for kind in get_args(hint) if kind is not NoneType)
    if get_origin(hint) is tuple:
        item = get_args(hint)[0]
        if isinstance(value, tuple) and not any(misfit(one, item, within) for one in value):
            return None
        return f"a list, each of it {described(item, within)},"
    if hint not in WANTED:
        return None if isinstance(value, Mapping) else "a table"
    kinds = (int, float) if hint is float else hint
    is_right = isinstance(value, kinds) and isinstance(value, bool) == (hint is bool)
    if is_right and (within is None or within[0] <= value <= within[1]):
        return None
    return described(hint, within)


def described(kind: Any, within: Range | None) -> str:
    """Returns a type and a range in words."""
    return WANTED[kind] + (f" from {within[0]:,g} to {within[1]:,g}" if within else "")


def filled(kind: type[Options], given: Mapping[str, Any], where: str) -> Options:
    """Returns a dataclass with these values, those of a table of a preset.

    Raises `RunError` for an unknown or missing key and for a value of a wrong type or out of its
    range.
    """
    declared, hints = {one.name: one for one in fields(kind)}, get_type_hints(kind)
    for key, value in frozen(given).items():
        if key not in declared:
            raise RunError(f"{where}: no key {key!r}; known are {', '.join(sorted(declared))}")
        wanted = misfit(value, hints[key], declared[key].metadata.get("within"))
        if wanted:
            raise RunError(f"{where}: {key} = {value!r}: {wanted} is needed")
    try:
        return kind(**frozen(given))
    except TypeError as error:
        raise RunError(f"{where}: {error}") from error


def frozen(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns values with lists as tuples, as options have them."""
    return {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}


def from_arguments(options: type[Options], arguments: argparse.Namespace) -> Options:
    """Returns `options` filled with what a parser has read; lists become tuples."""
    read = {declared.name: getattr(arguments, declared.name) for declared in fields(options)}
    return options(**frozen(read))


def parse(
    options: type[Options], command: str, text: str | None, arguments: list[str] | None
) -> Options:
    """Returns the options of a command that has no others; see `parser_of`."""
    parser = parser_of(command, text)
    add_options(parser, options)
    return from_arguments(options, parser.parse_args(arguments))
