"""Tests of the training: `python -m pytest train`, or `python -m unittest discover -s train/tests -t .`"""

import os

# Before torch is imported: a process that has computed on several threads cannot compute after a fork.
os.environ.setdefault("OMP_NUM_THREADS", "1")
