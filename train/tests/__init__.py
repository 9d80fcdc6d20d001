"""Tests of the training: `python -m pytest train`, or `python -m unittest discover -t . -s train/tests`."""

import os

# Before torch is imported: who has computed on several threads cannot compute after a fork.
os.environ.setdefault("OMP_NUM_THREADS", "1")
