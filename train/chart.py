"""Draws measured strengths with their 95 % intervals, and what several threads gain.

    python -m train.chart docs/experiments/archive/strength.json -o target/strength.svg
    python -m train.chart docs/threads.json -o docs/threads.svg

The file holds a `title`, a `unit` (what 0 Elo is) and `rows`, each with a `label`, `elo`, and `low`
and `high`, the ends of the 95 % interval. Rows are drawn as bars from the top down, or with
`"line": true` as a line from left to right.

Or it holds a `title`, an `x` and a `y`, which name the axes, and `curves`, each with a `label` and
`points`, pairs of numbers on axes on which doubling is one step. A curve is drawn as a line with
`"line": "-"` or another style of matplotlib's, else as points.
"""

import json
import sys
from pathlib import Path
from typing import Any

from train.checkpoint import RunError
from train.options import parser_of, reporting
from train.plot import INK, each, painter, save


def draw_curves(chart: dict[str, Any], out: Path) -> None:
    """Writes a picture of curves over axes that are logarithmic to the base of 2."""
    figure, axis = painter().subplots(figsize=(7, 4.6), layout="constrained")
    for curve in chart["curves"]:
        x, y = zip(*curve["points"], strict=True)
        # Points that lie upon one another stay apart.
        style = {"linestyle": curve["line"]} if "line" in curve else {"linestyle": "", "alpha": 0.6}
        axis.plot(x, y, marker=curve.get("marker", "o"), label=curve["label"], **style)
    values = {float(value) for curve in chart["curves"] for value, _ in curve["points"]}
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    for ticks in (axis.xaxis, axis.yaxis):
        ticks.set_ticks(sorted(values), labels=[f"{value:g}" for value in sorted(values)])
    axis.set(xlabel=chart["x"], ylabel=chart["y"], title=chart["title"])
    axis.legend(fontsize="small", edgecolor=INK)
    axis.grid(alpha=0.3)
    save(figure, out, chart["title"])


def draw_strengths(chart: dict[str, Any], out: Path) -> None:
    """Writes a picture of strengths."""
    rows = chart["rows"]
    labels, elo, places = each(rows, "label"), each(rows, "elo"), list(range(len(rows)))
    errors = [[row["elo"] - row["low"] for row in rows], [row["high"] - row["elo"] for row in rows]]
    height = 4 if chart.get("line") else 1.4 + 0.45 * len(rows)
    figure, axis = painter().subplots(figsize=(6, height), layout="constrained")
    if chart.get("line"):
        axis.errorbar(places, elo, yerr=errors, marker="o", capsize=3)
        # Side by side there is room for short lines alone.
        labels = [label.replace(", ", ",\n") for label in labels]
        axis.set(xticks=places, xticklabels=labels, ylabel=chart["unit"], title=chart["title"])
    else:
        axis.barh(places, elo, xerr=errors, capsize=3, color="#2f63b8", ecolor=INK)
        axis.set(yticks=places, yticklabels=labels, xlabel=chart["unit"], title=chart["title"])
        axis.invert_yaxis()
    axis.grid(alpha=0.3)
    save(figure, out, chart["title"])


@reporting
def main(arguments: list[str] | None = None) -> None:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    parser = parser_of("train.chart", __doc__)
    parser.add_argument("chart", type=Path, help="the file with the figures")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the picture to write")
    options = parser.parse_args(arguments)
    try:
        chart = json.loads(options.chart.read_text(encoding="utf-8"))
        draw = draw_curves if "curves" in chart else draw_strengths
        draw(chart, options.out)
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{options.chart}: {error!r}") from error
    print(options.out)


if __name__ == "__main__":
    sys.exit(main())
