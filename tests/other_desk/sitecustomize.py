"""What Linux alone has, taken away from fstce in every Python that finds this: another desk, as macOS.

``PYTHONPATH=tests/other_desk python -m pytest …``: no processor affinity, no ``posix_fallocate``, no
``prctl``, no ``/proc``, no ``fork``; tests, and what they start that is not fstce's, have ``/proc`` still.
"""

import ctypes
import os
import sys

for name in (
    "sched_getaffinity",
    "sched_setaffinity",
    "posix_fallocate",
    "posix_fadvise",
    "memfd_create",
):
    if hasattr(os, name):
        delattr(os, name)
for name in (
    "pidfd_open",
    "sendfile",
    "copy_file_range",
    "splice",
    "eventfd",
    "pipe2",
    "fork",
    "forkpty",
):
    if hasattr(os, name):
        delattr(os, name)


class Library(ctypes.CDLL):
    """The C library without what Linux's has more."""

    def __getattr__(self, name):
        if name == "prctl":
            raise AttributeError(name)
        return super().__getattr__(name)


ctypes.CDLL = Library


STANDARD = os.__file__.removesuffix("os.py")


def without_proc(event, arguments):
    """As the system says it of a file that is not there, where a module of fstce asks."""
    if event == "open" and str(arguments[0]).startswith("/proc/"):
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(("<frozen", STANDARD)):
            frame = frame.f_back
        if frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "fstce":
            raise FileNotFoundError(2, os.strerror(2), arguments[0])


sys.addaudithook(without_proc)
