"""What clock noise the nodes of a match had: times measured on a busy node are worth little.

`hex match` probes the clocks before it plays and watches them while it does, and ends its report
with a line about that. A job's line is read here and kept in `nodes.jsonl` of the match's folder.
"""

import re
from typing import Any

# What is measured, in the order of the line: the longest time in which a program that only looks at
# the clock did not run, in ms; the share of the time before the games that others had the cores, in
# %; how late 99 of 100 sleepers were woken at most while games were played, and the latest, in ms.
FIGURES = ("gap", "lost", "late_p99", "late")

LINE = re.compile(
    r"clock noise: before, gaps of at most ([\d.]+) ms, ([\d.]+) % of the time lost"
    r"(?:; during, sleepers woken ([\d.]+) ms late \(p99\), ([\d.]+) ms at most)?"
)


def read(report: str, node: str, pairs: int) -> dict[str, Any] | None:
    """Returns a job's line of `nodes.jsonl`, `None` if its report has no noise.

    `pairs` of games were played meanwhile.
    """
    found = LINE.search(report)
    if not found:
        return None
    figures = (float(figure or 0) for figure in found.groups())
    return {"node": node, "pairs": pairs} | dict(zip(FIGURES, figures, strict=True))


def text(lines: list[dict[str, Any]]) -> str:
    """Returns a line for each node, the worst of all its jobs, for the end of a report."""
    reported = []
    for node in sorted({line["node"] for line in lines}):
        its = [line for line in lines if line["node"] == node]
        gap, lost, late_p99, late = (max(line[name] for line in its) for name in FIGURES)
        reported.append(
            f"clock noise of node {node}, {sum(line['pairs'] for line in its)} pairs: before, gaps "
            f"of at most {gap:.1f} ms, {lost:.1f} % of the time lost; during, sleepers woken "
            f"{late_p99:.1f} ms late (p99), {late:.1f} ms at most\n"
        )
    return "".join(reported)
