"""Draws curves that were computed or measured, such as what several threads gain.

    python -m train.chart docs/threads.json -o docs/threads.svg

The file holds a `title`, an `x` and a `y`, which name the axes, and `curves`, each with a `label`
and `points`, pairs of numbers on axes on which doubling is one step. A curve is drawn as a line
with `"line": "-"` or another style of matplotlib's, else as points.
"""

import json
import sys
from pathlib import Path
from typing import Any

from train.checkpoint import RunError
from train.options import parser_of, reporting
from train.plot import INK, painter, save


def draw(chart: dict[str, Any], out: Path) -> None:
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


@reporting
def main(arguments: list[str] | None = None) -> None:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    parser = parser_of("train.chart", __doc__)
    parser.add_argument("chart", type=Path, help="the file with the figures")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the picture to write")
    options = parser.parse_args(arguments)
    try:
        draw(json.loads(options.chart.read_text(encoding="utf-8")), options.out)
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{options.chart}: {error!r}") from error
    print(options.out)


if __name__ == "__main__":
    sys.exit(main())
