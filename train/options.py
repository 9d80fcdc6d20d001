"""Commands and their options, which are frozen dataclasses.

An option is declared once, as a field: its name, type, default and help text. `add_options` turns
the fields into arguments of an `argparse` parser, `from_arguments` turns what that has read into
the dataclass, so that a misspelt option is an error of mypy and none can change during a run.
"""

import argparse
import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

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


def option(default: Default, text: str, **words: Any) -> Default:
    """Declares an option with a default.

    `text` is its help, in which `%` stands for itself, `words` go to
    `argparse.ArgumentParser.add_argument`. Unless `words` say otherwise the value has the default's
    type, and a bool is set by `--name` and `--no-name`.
    """
    return field(default=default, metadata={"help": text, **words})


def required(text: str, **words: Any) -> Any:
    """Declares an option that must be given; see `option`."""
    return field(metadata={"help": text, **words})


def add_options(parser: argparse.ArgumentParser, options: type[Options]) -> None:
    """Adds an argument to the parser for each field of `options`."""
    for declared in fields(options):
        words = dict(declared.metadata)
        name = "--" + declared.name.replace("_", "-")
        if declared.default is MISSING:
            words["required"] = True
        elif isinstance(declared.default, bool):
            words["action"], words["default"] = argparse.BooleanOptionalAction, declared.default
        else:
            kind = None if declared.default is None else type(declared.default)
            words = {"type": kind, "default": declared.default} | words
        text = words.pop("help")
        has_default = declared.default is not MISSING and bool(declared.default)
        if has_default and "default" not in text:
            text += f" (default: {declared.default})"
        parser.add_argument(name, dest=declared.name, help=text.replace("%", "%%"), **words)


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
