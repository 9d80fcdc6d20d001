"""What clock noise the nodes of a match had: times measured on a busy node are worth little.

`hex match` probes the clocks before it plays and watches them while it does, and ends its report
with a line of that. A job's line is read here and kept in `nodes.jsonl` of the match's folder.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass

LINE = re.compile(
    r"clock noise: before, gaps of at most ([\d.]+) ms, ([\d.]+) % of the time lost"
    r"(?:; during, sleepers woken ([\d.]+) ms late \(p99\), ([\d.]+) ms at most)?"
)


@dataclass(frozen=True)
class Noise:
    """What one job measured."""

    node: str
    pairs: int  # that were played meanwhile
    gap: float  # the longest in which a program that only looks at the clock did not run, ms
    lost: float  # share of the time before the games that others had the cores, %
    late_p99: float  # 99 of 100 sleepers were woken no later while games were played, ms
    late: float  # the latest of them, ms


def read(report: str, node: str, pairs: int) -> Noise | None:
    """Returns the noise that a report of `hex match` tells of, `None` if it tells of none."""
    found = LINE.search(report)
    return Noise(node, pairs, *(float(figure or 0) for figure in found.groups())) if found else None


def to_line(noise: Noise) -> bytes:
    """Returns the line of `nodes.jsonl`."""
    return (json.dumps(asdict(noise)) + "\n").encode()


def from_lines(contents: bytes) -> list[Noise]:
    """Returns what is in a `nodes.jsonl`; a last line that was torn by a kill is left out."""
    whole = contents.rpartition(b"\n")[0]
    return [Noise(**json.loads(line)) for line in whole.splitlines() if line]


def text(noises: Iterable[Noise]) -> str:
    """Returns a line for each node, the worst of all its jobs, for the end of a report."""
    of_nodes: dict[str, list[Noise]] = {}
    for noise in noises:
        of_nodes.setdefault(noise.node, []).append(noise)
    return "".join(line_of(node, its) for node, its in sorted(of_nodes.items()))


def line_of(node: str, noises: list[Noise]) -> str:
    """Returns the line of a node's jobs."""
    pairs = sum(noise.pairs for noise in noises)
    gap, lost, late_p99, late = (
        max(getattr(noise, name) for noise in noises)
        for name in ("gap", "lost", "late_p99", "late")
    )
    return (
        f"clock noise of node {node}, {pairs} pairs: before, gaps of at most {gap:.1f} ms, "
        f"{lost:.1f} % of the time lost; during, sleepers woken {late_p99:.1f} ms late (p99), "
        f"{late:.1f} ms at most\n"
    )
