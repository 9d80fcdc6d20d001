"""How far the work on a cluster is: a bar on a terminal, plain lines in a pipe; standard error."""

import sys
import time

from tqdm import tqdm

# How often a line is printed where there is no terminal, in seconds.
LINE_EVERY = 10.0


class Progress:
    """Counts what is done, and reports it."""

    def __init__(self, total: int, done: int, unit: str):
        """`total` units are to be done, `done` of them are already."""
        self.total, self.done, self.unit = total, done, unit
        self.positions = 0
        self.processor_seconds = 0.0
        self.lost = 0  # jobs that had to be done again
        self.nodes: dict[str, int] = {}  # finished jobs
        self.begun = self.printed = time.monotonic()
        terminal = sys.stderr.isatty()
        self.bar = tqdm(total=total, initial=done, unit=unit, disable=not terminal)

    def add(self, units: int, positions: int) -> None:
        """Counts units that have been done."""
        self.done += units
        self.positions += positions
        self.bar.update(units)

    def tell(self, nodes: int, jobs: int) -> None:
        """Reports the state: nodes that live, jobs that are out."""
        text = self.state(nodes, jobs)
        self.bar.set_postfix_str(text)
        if self.bar.disable and time.monotonic() - self.printed >= LINE_EVERY:
            self.printed = time.monotonic()
            self.say(f"{self.done}/{self.total} {self.unit}s: {text}")

    def state(self, nodes: int, jobs: int) -> str:
        """Returns how fast the work goes, and who does it."""
        speed = self.positions / max(time.monotonic() - self.begun, 1e-9)
        positions = f"{self.positions} positions, {speed:.0f} a second, " if self.positions else ""
        again = f", {self.lost} done again" if self.lost else ""
        return f"{positions}{nodes} node{'' if nodes == 1 else 's'}, {jobs} jobs out{again}"

    def say(self, line: str) -> None:
        """Prints a line, above the bar if there is one."""
        self.bar.write(line, file=sys.stderr)
        sys.stderr.flush()

    def finish(self) -> str:
        """Takes the bar away; returns what the work took."""
        self.bar.close()
        nodes = ", ".join(f"{node} {jobs}" for node, jobs in sorted(self.nodes.items()))
        return (
            f"{self.done}/{self.total} {self.unit}s in {time.monotonic() - self.begun:.1f} s, "
            f"{self.lost} jobs done again, {self.processor_seconds:.1f} s of processor time; "
            f"jobs of nodes: {nodes or 'none'}"
        )
