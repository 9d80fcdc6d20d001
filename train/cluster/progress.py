"""How far the work on a cluster is: a bar on a terminal, plain lines in a pipe; standard error."""

import statistics
import sys
import time

from tqdm import tqdm

# How often a line is printed where there is no terminal, in seconds.
LINE_EVERY = 10.0

# A job is late if it has been out for so many times the median, and for so many seconds more.
LATE_TIMES, LATE_SECONDS = 3.0, 10.0


class Progress:
    """Counts what is done, and tells of it."""

    def __init__(self, total: int, done: int, unit: str):
        """`total` units are to be done, `done` of them are already."""
        self.total, self.done, self.unit = total, done, unit
        self.positions = 0
        self.took: list[float] = []  # seconds that each finished job was out
        self.wire = 0  # bytes of results
        self.processor_seconds = 0.0
        self.lost = 0  # jobs that had to be done again
        self.nodes: dict[str, int] = {}  # finished jobs
        self.begun = self.told = time.monotonic()
        terminal = sys.stderr.isatty()
        self.bar = tqdm(total=total, initial=done, unit=unit, disable=not terminal)

    def add(self, units: int, positions: int) -> None:
        """So many more are done."""
        self.done += units
        self.positions += positions
        self.bar.update(units)

    def tell(self, nodes: int, out: list[float]) -> None:
        """Tells of the state: nodes that live, and for how many seconds each job has been out."""
        text = self.state(nodes, out)
        self.bar.set_postfix_str(text, refresh=False)
        self.bar.refresh()
        if self.bar.disable and time.monotonic() - self.told >= LINE_EVERY:
            self.told = time.monotonic()
            self.say(f"{self.done}/{self.total} {self.unit}s: {text}")

    def state(self, nodes: int, out: list[float]) -> str:
        """Returns how fast the work goes, who does it, and what is late."""
        parts = [f"{nodes} node{'' if nodes == 1 else 's'}", f"{len(out)} jobs out"]
        if self.positions:
            seconds = time.monotonic() - self.begun
            parts.insert(0, f"{self.positions} positions, {self.positions / seconds:.0f} a second")
        late = self.late(out)
        if late:
            parts.append(f"{late} late")
        if self.lost:
            parts.append(f"{self.lost} done again")
        return ", ".join(parts)

    def late(self, out: list[float]) -> int:
        """Returns how many of the jobs that are out have been so for unusually long."""
        if not self.took:
            return 0
        limit = LATE_TIMES * statistics.median(self.took) + LATE_SECONDS
        return sum(seconds > limit for seconds in out)

    def say(self, line: str) -> None:
        """Prints a line, above the bar if there is one."""
        self.bar.write(line, file=sys.stderr)
        sys.stderr.flush()

    def finish(self) -> str:
        """Takes the bar away; returns what the work took."""
        self.bar.close()
        seconds = time.monotonic() - self.begun
        share = f", {self.wire / self.positions:.0f} bytes a position" if self.positions else ""
        nodes = ", ".join(f"{node} {jobs}" for node, jobs in sorted(self.nodes.items()))
        return (
            f"{self.done}/{self.total} {self.unit}s; in {seconds:.1f} s {len(self.took)} jobs, "
            f"{self.lost} done again, {self.processor_seconds:.1f} s of processor time; "
            f"{self.wire} bytes came over the wire{share}; jobs of nodes: {nodes or 'none'}"
        )
