"""python -m train.cluster selfplay | match: the same work, on all that Ray reaches."""

import importlib
import sys

from train.checkpoint import RunError
from train.options import reporting

COMMANDS = ("selfplay", "match")

USAGE = f"""\
usage: python -m train.cluster {{{','.join(COMMANDS)}}} ...

  selfplay  shards, as hex lab selfplay makes them
  match     bot against bot, as hex match plays them

--help after a command tells its options, docs/scale.md how a cluster is made. Whole runs:
python -m train PRESET --cluster ADDRESS.
"""


@reporting
def main(arguments: list[str]) -> int:
    """Runs a command; returns its exit status."""
    command = arguments[0] if arguments else ""
    if command not in COMMANDS:
        asked = command in ("-h", "--help")
        print(USAGE, end="", file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    try:
        module = importlib.import_module(f"train.cluster.{command}")
    except ModuleNotFoundError as error:
        raise RunError(f"{error}: pip install --require-hashes -r train/requirements-cluster.txt"
                       ) from error
    module.main(arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
