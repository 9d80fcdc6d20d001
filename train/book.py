"""Chooses the opening book from a study, and writes it as a file of the bot.

    python -m train.book STUDY -o target/a.book
    python -m train.book STUDY --bytes 600 --ship small

The second form replaces one of the bot's own books. A study is a tree of openings with the win
rates and priors of a far stronger network (`train.study`). The book answers positions of the study
in which the bot, asked for its move by GTP, loses much, and which come up often. What has been
asked is kept in target/ until the book is written; after a stop the same command goes on, unless it
has another program, which plays other moves.

A book is a tree of answers in the order of a depth-first walk, two bytes each: `src/book.rs`
describes them.
"""

import argparse
import contextlib
import hashlib
import heapq
import itertools
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from train import study as studies
from train.checkpoint import ROOT, RunError, check_is_no_source, program, write
from train.options import parser_of, reporting
from train.study import StudiedPosition, read_study

# How likely a first stone is to be met, in each of the two roles: it is ours, or theirs. The bot
# opens with c2 itself; stones that it swaps are ours.
ROOTS = (("c2", True, 0.40), ("c2", False, 0.20), ("d2", False, 0.05), ("a3", False, 0.05),
         ("a9", False, 0.05), ("b4", True, 0.05), ("a4", True, 0.05), ("h3", True, 0.05),
         ("g3", True, 0.05), ("f3", True, 0.05))

# Half of the other players go by the study's priors. The others take a move that loses `x` of win
# rate with a probability in proportion to exp(-x / CARELESSNESS).
CARELESSNESS = 0.1

# A move that the study does not judge is taken to lose so much of win rate.
UNJUDGED_LOSS = 0.1

# What an answer may lose against the best one by the study's rates and yet be as good: those are of
# a network without a search. If the bot's own move is as good, the book says that or nothing; else
# it says the one that the bot believes in most, as it will know best how to go on there.
TOLERANCE = 0.03

# Who plays first, and who second, in GTP.
COLOURS = "bw"

# Simulations of a move, and of one after so few stones that a first answer's second is there.
SIMULATIONS, EARLY_SIMULATIONS, EARLY_STONES = 2458, 14_000, 2

# Bytes of an answer in the book.
ANSWER_BYTES = 2

NO_MOVE = "zz"

# The bot's own books, in the checkout: the uploads that have no room for the large one have the
# small one.
SHIPPED = {"small": "src/small.book", "large": "src/large.book"}

Study = dict[tuple[str, ...], StudiedPosition]


def values(study: Study) -> dict[tuple[str, ...], float]:
    """Returns each position's win probability for Red: the mean of its rate and of its best move's.

    So the rates of what follows count as far as the study looked, and one misjudged position alone
    does not decide.
    """
    found: dict[tuple[str, ...], float] = {}
    for moves in sorted(study, key=len, reverse=True):
        position = study[moves]
        best = max if len(moves) % 2 == 0 else min
        after = [found.get((*moves, name), rate) for name, rate in position.rates.items()]
        found[moves] = (position.rate + best(after)) / 2 if after else position.rate
    return found


class Gtp:
    """The bot as a GTP engine: its move in a position."""

    def __init__(self, hex_program: str):
        command = [hex_program, "gtp", "--swap", "off"]
        # A session of its own: at Ctrl-C it would answer early. It ends with its input.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, start_new_session=True)

    def move(self, moves: tuple[str, ...]) -> str:
        """Returns the engine's move after these moves."""
        return self.ask("reg_genmove", moves)

    def wins(self, moves: tuple[str, ...]) -> float:
        """Returns the win probability of who is to move after these moves, by a search."""
        said = self.ask("hexbot-search", moves)
        found = re.match(r"(black|white) wins(?: ([\d.]+) %)?", said)
        if not found:
            raise RunError(f"the engine says {said!r} of {' '.join(moves)}")
        wins = float(found[2]) / 100 if found[2] else 1.0
        return wins if found[1][0] == COLOURS[len(moves) % 2] else 1 - wins

    def ask(self, command: str, moves: tuple[str, ...]) -> str:
        """Returns what the engine says to a command about who is to move after these moves."""
        simulations = EARLY_SIMULATIONS if len(moves) <= EARLY_STONES else SIMULATIONS
        commands = ["clear_board", f"param_hexbot simulations {simulations}",
                    *(f"play {COLOURS[ply % 2]} {name}" for ply, name in enumerate(moves)),
                    f"{command} {COLOURS[len(moves) % 2]}"]
        assert self.process.stdin and self.process.stdout
        with contextlib.suppress(BrokenPipeError):  # It is told below that nobody reads.
            self.process.stdin.write("".join(command + "\n" for command in commands))
            self.process.stdin.flush()
        answers = []
        for line in self.process.stdout:
            if line[:1] in "=?":
                answers.append(line[1:].strip())
                if line[0] == "?":
                    raise RunError(f"the engine refuses {commands[len(answers) - 1]!r}: {line}")
                if len(answers) == len(commands):
                    return answers[-1]
        raise RunError("the engine has ended: see above for its reason")


@dataclass
class Node:
    """A position in which the bot is to move, and the book's answer."""

    moves: tuple[str, ...]
    answer: str
    parent: "Node | None"
    gain: float  # of win probability, times how often the position comes up
    chosen: bool = False
    children: list["Node"] = field(default_factory=list)

    def missing(self) -> list["Node"]:
        """Returns this node and those above it that are not chosen."""
        node: Node | None = self
        path = []
        while node is not None and not node.chosen:
            path.append(node)
            node = node.parent
        return path


class Builder:
    """Looks for the answers that are worth most."""

    def __init__(self, study: Study, asked: dict[str, str], engine: Gtp):
        self.study, self.asked, self.engine = study, asked, engine
        self.values = values(study)

    def after(self, moves: tuple[str, ...], name: str) -> float:
        """Returns the win probability after a judged move, for who plays it."""
        rate = self.values.get((*moves, name), self.study[moves].rates[name])
        return rate if len(moves) % 2 == 0 else 1 - rate

    def replies(self, moves: tuple[str, ...]) -> Iterator[tuple[str, float]]:
        """Yields the other player's moves with their probabilities, as far as they are judged."""
        if moves not in self.study:
            return
        position = self.study[moves]
        after = {name: self.after(moves, name) for name in position.rates}
        best = max(after.values(), default=0.0)
        careless = {name: math.exp((rate - best) / CARELESSNESS) for name, rate in after.items()}
        priors, sum_careless = sum(position.priors[n] for n in after), sum(careless.values())
        for name in after:
            by_prior = position.priors[name] / max(priors, 1e-9)
            yield name, (by_prior + careless[name] / sum_careless) / 2

    def ask(self, moves: tuple[str, ...], kind: str, ask: Callable[[], object]) -> str:
        """Returns what `ask` says of these moves, and keeps it for the next call of this `kind`."""
        key = " ".join(moves) + kind
        if key not in self.asked:
            self.asked[key] = str(ask())
        return self.asked[key]

    def belief(self, moves: tuple[str, ...]) -> float:
        """Returns the win probability, by the bot, of who has played the last of these moves."""
        return float(self.ask(moves, " ?", lambda: 1 - self.engine.wins(moves)))

    def node(self, moves: tuple[str, ...], parent: Node | None, reach: float) -> Node:
        """Returns a position's node: with the bot's own move if it is as good as any."""
        rates = {name: self.after(moves, name) for name in self.study[moves].rates}
        best = max(rates.values())
        good = [name for name, rate in rates.items() if best - rate <= TOLERANCE]
        played = self.ask(moves, "", lambda: self.engine.move(moves))
        if played in good:
            return Node(moves, played, parent, 0.0)
        answer = good[0] if len(good) == 1 else max(good, key=lambda n: self.belief((*moves, n)))
        loss = rates[answer] - rates[played] if played in rates else UNJUDGED_LOSS
        return Node(moves, answer, parent, reach * loss)

    def nodes(self, least_reach: float) -> Iterator[Node]:
        """Yields positions, the likeliest first; each comes after the one above it.

        Those that come up in fewer than `least_reach` games are left out, and those in which the
        study judges no move.
        """
        numbers = itertools.count()
        waiting: list[tuple[float, int, tuple[str, ...], Node | None]] = []

        def wait(reach: float, moves: tuple[str, ...], above: Node | None) -> None:
            if moves in self.study and self.study[moves].rates:
                heapq.heappush(waiting, (-reach, next(numbers), moves, above))

        for first, ours, reach in ROOTS:
            if ours:
                opening = Node((), first, None, 0.0)
                yield opening
                for name, share in self.replies((first,)):
                    wait(reach * share, (first, name), opening)
            else:
                wait(reach, (first,), None)
        while waiting:
            less, _, moves, above = heapq.heappop(waiting)
            if -less < least_reach:
                return
            node = self.node(moves, above, -less)
            yield node
            for name, share in self.replies((*moves, node.answer)):
                wait(-less * share, (*moves, node.answer, name), node)


def choose(nodes: list[Node], most: int) -> float:
    """Chooses nodes of at most so many answers, the greatest gain per answer first.

    Who is chosen brings those above along. Room that is left goes to the likeliest of the others:
    the book says there what the bot would play anyway. Returns the sum of the gains.
    """
    left, total = most, 0.0
    while left > 0:
        paths = [node.missing() for node in nodes if not node.chosen]
        paths = [path for path in paths if len(path) <= left]
        best = max(paths, key=lambda path: sum(n.gain for n in path) / len(path), default=[])
        gain = sum(node.gain for node in best)
        if gain <= 0:
            break
        for node in best:
            node.chosen = True
        left -= len(best)
        total += gain
    for node in [node for node in nodes if not node.chosen][:left]:
        node.chosen = True
    return total


def encoded(siblings: list[Node]) -> bytes:
    """Returns the bytes of nodes that follow one position, and of all that follows them."""
    parts = []
    for node in siblings:
        theirs = node.moves[-1] if node.moves else NO_MOVE
        word = cell(theirs) << 9 | cell(node.answer) << 2
        word |= 2 * bool(node.children) | (node is siblings[-1])
        parts += [word.to_bytes(2, "big"), encoded(node.children)]
    return b"".join(parts)


def cell(name: str) -> int:
    """Returns the number of a cell, row by row; of no move the largest one."""
    return 127 if name == NO_MOVE else studies.cell(name)


def make(options: argparse.Namespace) -> None:
    """Asks, chooses and writes the book."""
    out = ROOT / SHIPPED[options.ship] if options.ship else options.out
    if not options.ship:
        check_is_no_source(out)
    study = {position.moves: position for position in read_study(options.study)}
    # Another program plays other moves.
    key = hashlib.sha256(Path(program(options.hex)).read_bytes()).hexdigest()
    kept = ROOT / f"target/book-asked-{key[:16]}.json"
    asked: dict[str, str] = json.loads(kept.read_bytes()) if kept.exists() else {}
    nodes = []
    try:
        for node in Builder(study, asked, Gtp(options.hex)).nodes(options.least_reach):
            nodes.append(node)
            if len(nodes) % 100 == 0:
                write(kept, json.dumps(asked).encode())
                print(f"{len(nodes)} positions", flush=True)
    finally:
        write(kept, json.dumps(asked).encode())
    gain = choose(nodes, options.bytes // ANSWER_BYTES)
    chosen = [node for node in nodes if node.chosen]
    for node in chosen:
        if node.parent:
            node.parent.children.append(node)
    content = encoded([node for node in chosen if node.parent is None])
    write(out, content)
    kept.unlink()
    possible = sum(node.gain for node in nodes)
    print(f"{out}: {len(chosen)} answers, {len(content)} bytes, "
          f"{100 * gain:.2f} of {100 * possible:.2f} % of win rate a game")


@reporting
def main(arguments: list[str] | None = None) -> None:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    parser = parser_of("train.book", __doc__)
    parser.add_argument("study", type=Path, help="the study's file")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("-o", "--out", type=Path, help="the file to write")
    where.add_argument("--ship", choices=SHIPPED, help="write this book of the checkout's src/")
    parser.add_argument("--bytes", type=int, default=1000, help="of the book, at most")
    parser.add_argument("--least-reach", type=float, default=2e-4,
                        help="positions that come up in a smaller share of games are left out")
    parser.add_argument("--hex", default="target/release/hex", help="the program to ask by GTP")
    make(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
