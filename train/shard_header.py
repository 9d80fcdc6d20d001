"""The header of a shard of self-play, and how long its records are; `data.py` reads them.

Imports the standard library alone.
"""

import struct

# The sides of boards.
SIDES = range(2, 20)

MAGIC = b"HEXSHARD"
VERSION = 1
# magic, version, side, bytes a record, records, seed
HEADER = struct.Struct("<8sIIIIQ")


def bytes_of_record(side: int) -> int:
    """Returns the length of a record on boards of this side."""
    return 4 * side * side + 14
