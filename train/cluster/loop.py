"""The loop with its games on a cluster; the learner learns on the driver.

    python -m train 9x9 --cluster auto

The same run, and the same folder: it goes on with or without a cluster. Shards and matches are the
same wherever they are played.
"""

from collections.abc import Sequence
from pathlib import Path

from train.checkpoint import Stopped
from train.cluster.commands import Command, Match, Selfplay
from train.cluster.ray_cluster import Cluster, ClusterOptions
from train.loop import Loop
from train.preset import Preset


class ClusterLoop(Loop):
    """A run of the loop whose games are played on the cluster at an address, or on one here."""

    def __init__(self, preset: Preset, run: Path, hex_program: str, threads: int, address: str):
        super().__init__(preset, run, hex_program, threads)
        self.cluster = Cluster(
            ClusterOptions(hex=hex_program, address=address or None, cores=threads))

    def selfplay(self, words: Sequence[object], threads: int) -> None:
        # How many jobs there are at a time is the cluster's.
        self._play(Selfplay, words)

    def match(self, folder: Path, *words: object) -> None:
        self._play(Match, [*words, "--out", folder])

    def _play(self, kind: type[Command], words: Sequence[object]) -> None:
        options = kind.read(["--hex", self.hex, *map(str, words)])
        if not kind(self.cluster, options, lambda: self.stop).play():
            raise Stopped
