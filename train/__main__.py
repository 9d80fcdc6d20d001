"""Trains a network from a preset: one command from random weights to a network that plays.

    python -m train 5x5

Presets are in train/presets, each with what it takes and what comes of it; a file of your own is
given by its path. RUN/index.html shows how far it is while it runs. Ctrl-C or a kill at any time:
the same command goes on.
"""

import argparse
import functools
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from train import checkpoint
from train.options import parser_of, reporting
from train.preset import read


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    p = parser_of("train", __doc__, allow_abbrev=False)
    p.add_argument("preset", help="5x5, 7x7, 9x9, 11x11, or a file that ends in .toml")
    p.add_argument("--out", type=Path, help="the run's folder (default: runs/PRESET)")
    p.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE",
                   help="a value in place of the preset's, such as learn.rate=0.002")
    p.add_argument("--hex", default="target/release/hex",
                   help="the program hex (default: %(default)s)")
    p.add_argument("--threads", type=int, default=os.cpu_count() or 1,
                   help="that play, the learner's among them (default: all, %(default)s)")
    p.add_argument("--cluster", metavar="ADDRESS",
                   help="play on this Ray cluster, such as auto or HOST:6379, or '' for a Ray of "
                        "its own; docs/scale.md")
    return p


@reporting
def main(arguments: list[str] | None = None) -> None:
    """Runs the command, by default with the command line's arguments; returns its exit status."""
    options = parser().parse_args(arguments)
    preset = read(options.preset, options.set)
    out: Path = options.out or Path("runs") / preset.name
    checkpoint.program(options.hex)
    # PyTorch takes seconds to import: what is wrong with the command is said before. What a run
    # needs later is imported, too, so that what is missing is said before any work.
    import matplotlib  # noqa: F401
    import torch

    from train.loop import Loop
    begin: Callable[..., Any] = Loop
    if options.cluster is not None:
        from train.cluster.loop import ClusterLoop
        begin = functools.partial(ClusterLoop, address=options.cluster)
    Loop(preset, out, options.hex, options.threads).check()
    torch.set_num_threads(preset.stages[0].learn.get("threads", 1))
    with ExitStack() as stack:
        stack.enter_context(checkpoint.run_lock(out))
        run = begin(preset, out, options.hex, options.threads)
        if options.cluster is not None:
            stack.enter_context(run.cluster)
        run.work()
        conclusion = run.conclusion()
    print(f"{conclusion}{out}/best.weights is the network, {out}/index.html the run. Play it:\n"
          f"    {options.hex} web --weights {out}/best.weights")


if __name__ == "__main__":
    sys.exit(main())
