"""The loop with its games on a cluster; the learner learns on the driver.

    python -m train 9x9 --cluster auto

The same run, and the same folder: it goes on with or without a cluster. Shards and matches are the
same wherever they are played.
"""

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from train.checkpoint import Stopped
from train.cluster.commands import Command, Match, Selfplay
from train.cluster.ray_cluster import Cluster, ClusterOptions
from train.loop import Loop
from train.preset import Preset


class ClusterLoop(Loop):
    """A run of the loop whose games are played on a cluster."""

    cluster: Cluster

    def selfplay(self, words: Sequence[object], threads: int) -> None:
        # How many jobs there are at a time is the cluster's.
        self._play(Selfplay, words)

    def match(self, folder: Path, *words: object) -> None:
        self._play(Match, [*words, "--out", folder])

    def _play(self, kind: type[Command], words: Sequence[object]) -> None:
        options = kind.read(["--hex", self.hex, *map(str, words)])
        if not kind(self.cluster, options, lambda: self.stop).play():
            raise Stopped


@contextlib.contextmanager
def cluster_loop(preset: Preset, run: Path, options: argparse.Namespace) -> Iterator[ClusterLoop]:
    """Yields the loop on the cluster that the command line names, while its context is open."""
    own = ClusterOptions(hex=options.hex, address=options.cluster or None, cores=options.threads)
    with Cluster(own) as cluster:
        loop = ClusterLoop(preset, run, options.hex, options.threads)
        loop.cluster = cluster
        yield loop
