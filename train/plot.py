"""Draws a run: the losses from its log, Elo from its curve.

    python -m train.plot RUN -o curve.svg

RUN is the folder of `train.train`, `train.zero`, `train.loop` or `train.mass`. The picture's kind is told by the
name's ending, .svg or .png.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from train import checkpoint
from train.checkpoint import RunError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CURVE = "curve.jsonl"

# What is drawn of the log: name in the log, what it is.
LOSSES = (("policy", "policy, cross-entropy"), ("value", "value, cross-entropy"),
          ("owner", "owners of the cells, cross-entropy"))


def smoothed(values: list[float], share: float = 0.1) -> list[float]:
    """A running mean in which a new value counts `share`."""
    result: list[float] = []
    for value in values:
        result.append(value if not result else result[-1] + share * (value - result[-1]))
    return result


def draw_losses(axis: "Axes", log: list[dict[str, Any]]) -> None:
    """Losses while learning, and the policy's on held-out games, over the positions learnt from."""
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
    """Elo of the network that plays; a line a side, since Elo of different sides do not compare."""
    for side in sorted({line["side"] for line in curve}):
        of_side = [line for line in curve if line["side"] == side]
        axis.errorbar(
            [line["games"] for line in of_side], [line["elo"] for line in of_side],
            yerr=[line["error"] for line in of_side], marker="o", markersize=3, capsize=2,
            label=f"{side}×{side}; bars: 95 % of the last gain",
        )
        refused = [line for line in of_side if not line["kept"]]
        if refused:
            axis.plot([line["games"] for line in refused], [line["elo"] for line in refused], "x",
                      color="black", label="candidate not kept")
    axis.set(xlabel="games of self-play", ylabel="Elo since the beginning")
    axis.legend(fontsize="small")


# What is drawn of the yardstick: name in the curve, what it is, what is wanted.
YARDSTICK = (("correlation", "correlation of values", 0.40), ("same_side", "same side preferred", 0.65),
             ("unjudged", "moves that the reference does not consider", 0.15))
STRENGTH = (("policy", "the bare policy"), ("search", "with simulations"))


def draw_yardstick(axis: "Axes", curve: list[dict[str, Any]]) -> None:
    """How well openings are understood, over the games played; dashed: what is wanted."""
    measured = [line for line in curve if "correlation" in line]
    games = [line["games"] / 1e6 for line in measured]
    for name, label, wanted in YARDSTICK:
        (drawn,) = axis.plot(games, [line[name] for line in measured], label=label)
        axis.axhline(wanted, color=drawn.get_color(), linestyle="--", linewidth=0.8)
    axis.set(xlabel="million games of the policy", ylabel="share, correlation")
    axis.legend(fontsize="small")


def draw_strength(axis: "Axes", curve: list[dict[str, Any]]) -> None:
    """Elo above the network that the run began with; shaded: 95 % of each match."""
    for name, label in STRENGTH:
        games = [line["games"] / 1e6 for line in curve]
        means = [line[f"{name}_elo"] for line in curve]
        axis.plot(games, smoothed(means, 0.3), label=label)
        low = [line[f"{name}_elo"] - line[f"{name}_error"] for line in curve]
        high = [line[f"{name}_elo"] + line[f"{name}_error"] for line in curve]
        axis.fill_between(games, smoothed(low, 0.3), smoothed(high, 0.3), alpha=0.15)
    axis.set(xlabel="million games of the policy", ylabel="Elo above the first network")
    axis.legend(fontsize="small")


def painter() -> ModuleType:
    """matplotlib's pyplot, drawing into files."""
    # Not at the top: everything else of the training does without it.
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    return pyplot


def save(figure: "Figure", out: Path, salt: str) -> None:
    """Writes a picture; the same picture with the same salt gives the same file."""
    out.parent.mkdir(parents=True, exist_ok=True)
    painter().rcParams["svg.hashsalt"] = salt
    # No date inside.
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)


def draw(run: Path, out: Path) -> None:
    """Writes the picture of a run."""
    logs = (run / checkpoint.LOG, run / "learner" / checkpoint.LOG)
    log = [line for path in logs for line in checkpoint.read_lines(path)]
    curve = checkpoint.read_lines(run / CURVE)
    if not log:
        raise RunError(f"{run} has no {checkpoint.LOG}: give the folder of a run")
    draws: list[Callable[[Axes], None]] = [lambda axis: draw_losses(axis, log)]
    if curve and "policy_elo" in curve[0]:
        draws += [lambda axis: draw_strength(axis, curve), lambda axis: draw_yardstick(axis, curve)]
    elif curve:
        draws += [lambda axis: draw_elo(axis, curve)]
    figure, axes = painter().subplots(1, len(draws), figsize=(1 + 5 * len(draws), 4),
                                     squeeze=False, layout="constrained")
    for axis, draw_on in zip(axes[0], draws, strict=True):
        draw_on(axis)
    for axis in axes[0]:
        axis.grid(alpha=0.3)
    save(figure, out, run.name)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, with the arguments of the command line if none are given; its exit status."""
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
