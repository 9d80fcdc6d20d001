"""Tests of the training.

Run them by `python -m pytest train`, or by `python -m unittest discover -t . -s train/tests`.
"""

import os
import signal

# A program hands on the signals that it ignores, and these tests may be started by nohup or in the
# background. What is caught, if only by this, begins as usual in a child.
for kind in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(kind) is signal.SIG_IGN:
        signal.signal(kind, lambda *_: None)

# Before torch is imported: after computing on several threads, a forked process cannot compute.
os.environ.setdefault("OMP_NUM_THREADS", "1")
