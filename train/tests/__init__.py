"""Tests of the training.

Run them by `python -m pytest train`, or by `python -m unittest discover -t . -s train/tests`.
"""

import os

# Before torch is imported: after computing on several threads, a forked process cannot compute.
os.environ.setdefault("OMP_NUM_THREADS", "1")
