"""Processes that do not outlive the one that started them. Imports the standard library alone."""

import contextlib
import ctypes
import signal

PR_SET_PDEATHSIG = 1


def dies_with_parent() -> None:
    """Asks Linux to end this process when its parent ends, however that happens.

    To be called between fork and exec (`preexec_fn`), where nothing may wait for a thread.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
