"""Draws a run: the losses from its log, Elo from its curve.

    python -m train.plot RUN -o curve.svg

RUN is the folder of `python -m train`, `train.train` or `train.zero`. The ending of the picture's
name, .svg or .png, decides its format.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from train import checkpoint
from train.checkpoint import CURVE, RunError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Text, axes and error bars.
INK = "#1f2328"

# The figures of the log that are drawn: name in the log, label.
LOSSES = (("policy", "policy, cross-entropy"), ("value", "value, cross-entropy"),
          ("owner", "owners of the cells, cross-entropy"))


def smoothed(values: list[float], share: float = 0.1) -> list[float]:
    """Returns the exponential moving average in which a new value has the weight `share`."""
    result: list[float] = []
    for value in values:
        result.append(value if not result else result[-1] + share * (value - result[-1]))
    return result


def draw_losses(axis: "Axes", log: list[dict[str, Any]]) -> None:
    """Draws the losses of learning, and the policy's on held-out games, over the steps."""
    progress = [line for line in log if line["event"] == "progress"]
    for name, label in LOSSES:
        steps = [line["step"] for line in progress]
        axis.plot(steps, smoothed([line[name] for line in progress]), label=label)
    held_out = [line for line in log if line["event"] == "validation" and "policy" in line]
    for side in sorted({line["side"] for line in held_out}):
        of_side = [line for line in held_out if line["side"] == side]
        axis.plot(
            [line["step"] for line in of_side], [line["policy"] for line in of_side], "o",
            markersize=3, label=f"policy, held-out games {side}×{side}",
        )
    axis.set(xlabel="steps", ylabel="nats", ylim=(0, None))
    axis.legend(fontsize="small")


def draw_elo(axis: "Axes", curve: list[dict[str, Any]]) -> None:
    """Draws the Elo of the network that plays, a line per side of the board.

    Elo of different sides do not compare. Ratings without an Elo are left out.
    """
    rated = [line for line in curve if line["elo"] is not None]
    for side in sorted({line["side"] for line in rated}):
        of_side = [line for line in rated if line["side"] == side]
        axis.errorbar(
            [line["games"] for line in of_side], [line["elo"] for line in of_side],
            yerr=[line["error"] or 0 for line in of_side], marker="o", markersize=3, capsize=2,
            label=f"{side}×{side}; bars: 95 % of the last gain",
        )
        refused = [line for line in of_side if not line["kept"]]
        if refused:
            axis.plot([line["games"] for line in refused], [line["elo"] for line in refused], "x",
                      color="black", label="candidate not kept")
    axis.set(xlabel="games of self-play", ylabel="Elo since the beginning")
    axis.legend(fontsize="small")


# The smallest share of blunders that is drawn: none at all lies there.
LEAST_BLUNDERS = 1e-4


def draw_judged(axis: "Axes", curve: list[dict[str, Any]]) -> None:
    """Draws the share of won positions thrown away, by proof, a line per side and player."""
    judged = [line for line in curve if line.get("judged")]
    for side in sorted({line["side"] for line in judged}):
        of_side = [line for line in judged if line["side"] == side]
        for name in of_side[-1]["judged"]:
            minutes = [line["minutes"] for line in of_side]
            lost = [max(LEAST_BLUNDERS, 1 - line["judged"].get(name, 0)) for line in of_side]
            axis.plot(minutes, lost, marker="o", markersize=3, label=f"{side}×{side}, {name}")
    axis.set(xlabel="minutes", ylabel="share of won positions thrown away", yscale="log",
             ylim=(LEAST_BLUNDERS, 1))
    axis.legend(fontsize="small")


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
    names = {"paper": ("#ffffff", "#0d1117"), "ink": (INK, "#e6edf3")}
    for name, (light, _) in names.items():
        svg = svg.replace(light, f"var(--{name})")
    schemes = [" ".join(f"--{name}: {colors[which]};" for name, colors in names.items())
               for which in (0, 1)]
    rules = (f"svg {{{schemes[0]}}}\n"
             f"@media (prefers-color-scheme: dark) {{svg {{{schemes[1]}}}}}\n")
    return svg.replace('<style type="text/css">', f'<style type="text/css">{rules}', 1)


def draw(run: Path, out: Path) -> None:
    """Writes the picture of a run; raises `RunError` if the folder has no log."""
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
    figure, axes = painter().subplots(1, len(draws), figsize=(1 + 5 * len(draws), 4),
                                     squeeze=False, layout="constrained")
    for axis, draw_on in zip(axes[0], draws, strict=True):
        draw_on(axis)
    for axis in axes[0]:
        axis.grid(alpha=0.3)
    save(figure, out, run.name)
    # A run draws itself again and again.
    painter().close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.plot", description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("run", type=Path, help="the folder of a run")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the picture to write")
    options = parser.parse_args(arguments)
    try:
        draw(options.run, options.out)
    except (RunError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
