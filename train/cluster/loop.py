"""The loop with its games on a cluster; the learner learns on the driver.

    python -m train 9x9 --cluster auto

The same run, and the same folder: it goes on with or without a cluster. Shards and matches are the
same wherever they are played.
"""

import argparse
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from train.checkpoint import Stopped
from train.cluster import match, selfplay
from train.cluster.ray_cluster import Cluster, ClusterOptions
from train.loop import Loop
from train.preset import Preset


class ClusterLoop(Loop):
    """A run of the loop whose games are played on a cluster."""

    def __init__(
        self, preset: Preset, run: Path, hex_program: str, threads: int, cluster: Cluster
    ):
        super().__init__(preset, run, hex_program, threads)
        self.cluster = cluster

    def selfplay(self, *words: object) -> None:
        # A job has one thread: how many there are at a time is the cluster's.
        at = words.index("--threads")
        options, more = selfplay.read_options(self._with_hex(*words[:at], *words[at + 2:]))
        self._play(selfplay.Selfplay(self.cluster, options, more, lambda: self.stop).play)

    def match(self, folder: Path, *words: object) -> None:
        options, players = match.read_options(self._with_hex(*words, "--out", folder))
        with match.folder_of(options.out):
            self._play(match.Match(self.cluster, options, players, lambda: self.stop, folder).play)

    def _with_hex(self, *words: object) -> list[str]:
        return ["--hex", self.hex, *map(str, words)]

    def _play(self, play: Callable[[], bool]) -> None:
        if not play():
            raise Stopped


@contextlib.contextmanager
def cluster_loop(preset: Preset, run: Path, options: argparse.Namespace) -> Iterator[ClusterLoop]:
    """Yields the loop on the cluster that the command line names, while its context is open."""
    own = ClusterOptions(hex=options.hex, address=options.cluster or None, cores=options.threads)
    with Cluster(own) as cluster:
        yield ClusterLoop(preset, run, options.hex, options.threads, cluster)
