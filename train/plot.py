"""Draws a run: its losses, its Elo, what the solver says of it.

    python -m train.plot RUN -o curve.svg

RUN is the folder of `python -m train` or of `train.train`. The ending of the picture's
name, .svg or .png, decides its format.
"""

import itertools
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from train import checkpoint
from train.checkpoint import CURVE, RunError
from train.options import parser_of, reporting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Lines = list[dict[str, Any]]  # of a run's log or curve

# Text, axes and error bars.
INK = "#1f2328"

# The figures of the log that are drawn: name in the log, label.
LOSSES = (("policy", "policy, cross-entropy"), ("value", "value, cross-entropy"),
          ("owner", "owners of the cells, cross-entropy"))

# How much a new value counts in the average that is drawn.
SMOOTHING = 0.1

# The smallest share of blunders that is drawn: none at all lies there.
LEAST_BLUNDERS = 1e-4

# Colours of first moves that win and that lose, by exact proof, and of what is written on them.
WINS, LOSES, ON_THEM = "#c8503c", "#3d6fb0", "#fefefe"


def each(lines: Lines, name: str) -> list[Any]:
    """Returns one figure of every line."""
    return [line[name] for line in lines]


def by_side(lines: Lines) -> Iterator[tuple[int, Lines]]:
    """Yields each side of the board with its lines: figures of different sides do not compare."""
    for side in sorted(set(each(lines, "side"))):
        yield side, [line for line in lines if line["side"] == side]


def draw_losses(axis: "Axes", log: Lines) -> None:
    """Draws the losses of learning, and the policy's on held-out games, over the steps."""
    progress = [line for line in log if line["event"] == "progress"]
    for name, label in LOSSES:
        means = itertools.accumulate(each(progress, name),
                                     lambda mean, new: mean + SMOOTHING * (new - mean))
        axis.plot(each(progress, "step"), list(means), label=label)
    held_out = [line for line in log if line["event"] == "validation" and "policy" in line]
    for side, lines in by_side(held_out):
        axis.plot(each(lines, "step"), each(lines, "policy"), "o", markersize=3,
                  label=f"policy, held-out games {side}×{side}")
    axis.set(xlabel="steps", ylabel="nats", ylim=(0, None))


def draw_elo(axis: "Axes", curve: Lines) -> None:
    """Draws the Elo of the network that plays; ratings without an Elo are left out."""
    for side, lines in by_side([line for line in curve if line["elo"] is not None]):
        axis.errorbar(each(lines, "games"), each(lines, "elo"),
                      yerr=[error or 0 for error in each(lines, "error")], marker="o",
                      markersize=3, capsize=2, label=f"{side}×{side}; bars: 95 % of the last gain")
        refused = [line for line in lines if not line["kept"]]
        if refused:
            axis.plot(each(refused, "games"), each(refused, "elo"), "x", color="black",
                      label="candidate not kept")
    axis.set(xlabel="games of self-play", ylabel="Elo since the beginning")


def draw_judged(axis: "Axes", curve: Lines) -> None:
    """Draws the share of won positions thrown away, by proof, a line per side and player."""
    for side, lines in by_side([line for line in curve if line.get("judged")]):
        for name in lines[-1]["judged"]:
            lost = [max(LEAST_BLUNDERS, 1 - line["judged"].get(name, 0)) for line in lines]
            axis.plot(each(lines, "minutes"), lost, marker="o", markersize=3,
                      label=f"{side}×{side}, {name}")
    axis.set(xlabel="minutes", ylabel="share of won positions thrown away", yscale="log",
             ylim=(LEAST_BLUNDERS, 1))


def draw_first_moves(axis: "Axes", line: dict[str, Any]) -> None:
    """Draws the board of first moves: the colour is the truth, the number the network's value."""
    from matplotlib.patches import RegularPolygon
    last = line["side"] - 1
    for move in line["first_moves"]:
        column, row = ord(move["cell"][0]) - ord("a"), int(move["cell"][1:]) - 1
        is_wrong = move["wins"] != (move["value"] > 0.5)
        # After half a turn of the board it is the same move.
        for across, down in {(column, row), (last - column, last - row)}:
            centre = (across + down / 2, -down * math.sqrt(3) / 2)
            axis.add_patch(RegularPolygon(
                centre, 6, radius=1 / math.sqrt(3), facecolor=WINS if move["wins"] else LOSES,
                edgecolor=INK if is_wrong else ON_THEM, linewidth=3 if is_wrong else 1,
                zorder=2 if is_wrong else 1,
            ))
            axis.text(*centre, f"{100 * move['value']:.0f}", color=ON_THEM, ha="center",
                      va="center", fontsize="small")
    axis.set(aspect="equal", xticks=[], yticks=[], frame_on=False,
             title="First moves: red where Red wins, by proof.\nNumbers: Red's win probability by "
                   "the network, %;\nthick borders: on the wrong side")
    axis.title.set_fontsize("small")
    axis.autoscale_view()


def painter() -> ModuleType:
    """Returns matplotlib's pyplot, set to draw into files."""
    # Imported here because the rest of the training does without it.
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    # Black would not be written down, and could not be told from other colours.
    for name in ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"):
        pyplot.rcParams[name] = INK
    return pyplot


def save(figure: "Figure", out: Path, salt: str) -> None:
    """Writes a picture; the same picture with the same `salt` gives the same file.

    An .svg is light or dark as the reader's browser is.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    painter().rcParams["svg.hashsalt"] = salt
    # Without the date, so that files compare.
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)
    if out.suffix == ".svg":
        out.write_text(in_both_schemes(out.read_text(encoding="utf-8")), encoding="utf-8")


def in_both_schemes(svg: str) -> str:
    """Returns a drawing whose paper and ink change places where the dark scheme is preferred."""
    svg = svg.replace("#ffffff", "var(--paper)").replace(INK, "var(--ink)")
    rules = (f"svg {{--paper: #ffffff; --ink: {INK};}}\n@media (prefers-color-scheme: dark) "
             "{svg {--paper: #0d1117; --ink: #e6edf3;}}\n")
    return svg.replace('<style type="text/css">', f'<style type="text/css">{rules}', 1)


def draw(run: Path, *outs: Path) -> None:
    """Writes the picture of a run into files; raises `RunError` if the folder has no log."""
    logs = (run / checkpoint.LOG, run / "learner" / checkpoint.LOG)
    log = [line for path in logs for line in checkpoint.read_lines(path)]
    curve = checkpoint.read_lines(run / CURVE)
    if not log:
        raise RunError(f"{run} has no {checkpoint.LOG}: give the folder of a run")
    draws: list[Callable[[Axes], None]] = [lambda axis: draw_losses(axis, log)]
    if any(line["elo"] is not None for line in curve):
        draws += [lambda axis: draw_elo(axis, curve)]
    if any(line.get("judged") for line in curve):
        draws += [lambda axis: draw_judged(axis, curve)]
    if valued := [line for line in curve if line.get("first_moves")]:
        draws += [lambda axis: draw_first_moves(axis, valued[-1])]
    rows, columns = math.ceil(len(draws) / 2), min(2, len(draws))
    figure = painter().figure(figsize=(1 + 5 * columns, 4 * rows), layout="constrained")
    for number, draw_on in enumerate(draws, 1):
        axis = figure.add_subplot(rows, columns, number)
        draw_on(axis)
        if axis.get_legend_handles_labels()[0]:
            axis.legend(fontsize="small")
            axis.grid(alpha=0.3)
    for out in outs:
        save(figure, out, run.name)
    # A run draws itself again and again.
    painter().close(figure)


@reporting
def main(arguments: list[str] | None = None) -> None:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    parser = parser_of("train.plot", __doc__)
    parser.add_argument("run", type=Path, help="the folder of a run")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the picture to write")
    options = parser.parse_args(arguments)
    draw(options.run, options.out)
    print(options.out)


if __name__ == "__main__":
    sys.exit(main())
