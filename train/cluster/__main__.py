"""python -m train.cluster selfplay | match: the same work, on all that Ray reaches."""

import sys

from train.checkpoint import Stopped
from train.options import from_arguments, reporting

USAGE = """\
usage: python -m train.cluster {selfplay,match} ...

  selfplay  shards, as hex lab selfplay makes them
  match     bot against bot, as hex match plays them

--help after a command lists its options, docs/scale.md says how a cluster is made. Whole runs:
python -m train PRESET --cluster ADDRESS.
"""


@reporting
def main(arguments: list[str]) -> int:
    """Runs a command; returns its exit status."""
    name = arguments[0] if arguments else ""
    if name not in ("selfplay", "match"):
        is_asked = name in ("-h", "--help")
        print(USAGE, end="", file=sys.stdout if is_asked else sys.stderr)
        return 0 if is_asked else 2
    from train.cluster.commands import COMMANDS
    from train.cluster.ray_cluster import Cluster, ClusterOptions, StopRequest
    kind = COMMANDS[name]
    options = kind.read(arguments[1:])
    with Cluster(from_arguments(ClusterOptions, options)) as cluster:
        if not kind(cluster, options, StopRequest()).play():
            raise Stopped
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
