"""Players of `hex match` whose files travel."""

import shlex
from collections.abc import Callable
from pathlib import Path

# What separates a command from its settings, what begins GTP engines and our own bot.
SEPARATOR, GTP, BUILTIN = ";;", "gtp:", "builtin:"

# Programs there are taken to be installed on the nodes, too.
INSTALLED = (Path("/usr"), Path("/bin"), Path("/opt"))


def travelling(text: str, name: str, send: Callable[[Path], str]) -> str:
    """Returns a player as a node is to start it, under the same name.

    `text` is the command line's form. Every file that its command names travels: a program that is
    given by its path, arguments, values such as in `--weights=FILE`, the `weights` of `builtin:`.
    `send` says what stands for the path of one.
    """
    command, _, settings = (part.strip() for part in text.partition(SEPARATOR))
    if command.startswith(BUILTIN):
        knobs = command.removeprefix(BUILTIN).split(",")
        command = BUILTIN + ",".join(knob_of(knob, send) for knob in knobs)
    else:
        prefix = GTP if command.startswith(GTP) else ""
        words = shlex.split(command.removeprefix(GTP))
        command = prefix + shlex.join(word_of(word, send) for word in words)
    # The last one counts.
    return f" {SEPARATOR} ".join(part for part in (command, settings, f"name={name}") if part)


def knob_of(knob: str, send: Callable[[Path], str]) -> str:
    """Returns a knob of `builtin:`, its file in the form that travels."""
    key, _, value = knob.partition("=")
    return f"{key}={send(Path(value))}" if key.strip() == "weights" else knob


def word_of(word: str, send: Callable[[Path], str]) -> str:
    """Returns a word of a command, a file in the form that travels."""
    key, equals, value = word.rpartition("=")
    path = Path(value)
    is_installed = any(path.absolute().is_relative_to(folder) for folder in INSTALLED)
    return key + equals + send(path) if path.is_file() and not is_installed else word
