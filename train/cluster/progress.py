"""How far the work on a cluster is: a bar on a terminal, plain lines in a pipe; standard error."""

import sys
import time
from collections import Counter

from tqdm import tqdm

# How often a line is printed where there is no terminal, in seconds.
LINE_EVERY = 10.0


class Progress:
    """Counts what is done, and reports it."""

    def __init__(self, total: int, done: int, units: str):
        """`total` units are to be done, `done` of them are already."""
        self.total, self.done, self.units = total, done, units
        self.lost = 0  # jobs that had to be done again
        self.nodes: Counter[str] = Counter()  # finished jobs
        self.begun = self.printed = time.monotonic()
        terminal = sys.stderr.isatty()
        self.bar = tqdm(total=total, initial=done, unit=f" {units}", disable=not terminal)

    def add(self, node: str) -> None:
        """Counts a unit that a node has done."""
        self.done += 1
        self.nodes[node] += 1
        self.bar.update()

    def show(self, nodes: int, jobs: int) -> None:
        """Reports the state: nodes that live, jobs that are out."""
        text = self.state(nodes, jobs)
        self.bar.set_postfix_str(text)
        if self.bar.disable and time.monotonic() - self.printed >= LINE_EVERY:
            self.printed = time.monotonic()
            self.say(f"{self.done}/{self.total} {self.units}: {text}")

    def state(self, nodes: int, jobs: int) -> str:
        """Returns who does the work."""
        again = f", {self.lost} done again" if self.lost else ""
        return f"{nodes} node{'' if nodes == 1 else 's'}, {jobs} jobs out{again}"

    def say(self, line: str) -> None:
        """Prints a line, above the bar if there is one."""
        self.bar.write(line, file=sys.stderr)
        sys.stderr.flush()

    def finish(self) -> None:
        """Takes the bar away, and says what the work took."""
        self.bar.close()
        nodes = ", ".join(f"{node} {jobs}" for node, jobs in sorted(self.nodes.items()))
        self.say(f"{self.done}/{self.total} {self.units} in {time.monotonic() - self.begun:.1f} s, "
                 f"{self.lost} jobs done again; jobs of nodes: {nodes or 'none'}")
