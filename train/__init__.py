"""Training of hexbot's network: shards of self-play in, the weights file of the bot out.

Whatever command is run, what its Python lacks is one sentence, with exit status 2.
"""

import sys
from types import TracebackType

# The packages that commands import, and the list of `train.install` that has them.
PACKAGES = {"matplotlib": "", "networkx": "", "numpy": "", "torch": "",
            "ray": " cluster", "tqdm": " cluster"}

if sys.version_info < (3, 11):  # noqa: UP036
    sys.stderr.write("error: the training needs Python 3.11 or later\n")
    raise SystemExit(2)


def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Reports an error that ends the program, one of `PACKAGES` that is missing as a sentence."""
    name = (getattr(error, "name", None) or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or name not in PACKAGES:
        return sys.__excepthook__(kind, error, trace)
    print(f"error: {sys.executable} has no package {name}: python3 -m train.install"
          f"{PACKAGES[name]}, and then target/training/bin/python", file=sys.stderr)
    raise SystemExit(2)


sys.excepthook = tell
