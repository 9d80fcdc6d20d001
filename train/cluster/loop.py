"""`train.loop` with its games on a cluster; the learner learns on the driver.

    python -m train.cluster loop --address auto --out RUN --curriculum 5:3,7:4,9:6,11

The same loop as `train.loop`, and the same folder: either goes on with a run of the other. Shards
and matches are the same wherever they are played. `--threads` is of the learner.
"""

import argparse
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from train import checkpoint, loop
from train.cluster import match, selfplay
from train.cluster.ray_cluster import Cluster, ClusterOptions
from train.loop import Loop, LoopOptions, Stopped
from train.options import add_options, from_arguments


@dataclass(frozen=True, kw_only=True)
class ClusterLoopOptions(LoopOptions, ClusterOptions):
    """The options of the command; further ones are the learner's."""


class ClusterLoop(Loop):
    """A run of the loop whose games are played on a cluster."""

    def __init__(self, options: LoopOptions, learning: list[str], cluster: Cluster):
        super().__init__(options, learning)
        self.cluster = cluster

    def selfplay(self, *words: object) -> None:
        options, more = selfplay.read_options(self._with_hex(*words))
        self._play(selfplay.Selfplay(self.cluster, options, more, self._is_stopped).play)

    def match(self, folder: Path, *words: object) -> None:
        options, players = match.read_options(self._with_hex(*words, "--out", folder))
        with match.folder_of(options.out):
            played = match.Match(self.cluster, options, players, self._is_stopped, folder)
            self._play(played.play)

    def _with_hex(self, *words: object) -> list[str]:
        return ["--hex", self.options.hex, *map(str, words)]

    def _is_stopped(self) -> bool:
        return self.stop

    def _play(self, play: Callable[[], bool]) -> None:
        if not play():
            raise Stopped


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m train.cluster loop", description=__doc__, allow_abbrev=False,
        formatter_class=argparse.RawTextHelpFormatter,
        epilog="other options are the learner's: python -m train.train --help",
    )
    add_options(parser, ClusterLoopOptions)
    own, learning = parser.parse_known_args(arguments)
    options = from_arguments(ClusterLoopOptions, own)
    loop.check(options)
    with checkpoint.run_lock(Path(options.out)), Cluster(options) as cluster:
        run = ClusterLoop(options, learning, cluster)
        for kind in (signal.SIGINT, signal.SIGTERM):
            signal.signal(kind, run.on_signal)
        try:
            run.work()
        except Stopped:
            print("stopped; the same command goes on")
            return checkpoint.INTERRUPTED
    return 0
