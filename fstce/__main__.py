"""``python -m fstce`` is the program ``fstce``."""

from __future__ import annotations

import gc
import mmap
import os
import signal

# Bytes that OpenBLAS and numpy take when they are loaded: OpenBLAS ends the process otherwise
ROOM = 96 << 20
# Objects more than were thrown away before the garbage collector runs again, a fourteenth of a long
# training's time: what a program holds when it reads and loads is hardly ever garbage
COLLECTED = 100_000


def run() -> None:
    """The program, which neither Ctrl-C nor a lack of memory ends with a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(COLLECTED)
    try:
        mmap.mmap(-1, ROOM).close()
        from fstce.cli.main import run as run_verb  # Ctrl-C is to be quiet by now
    except (
        MemoryError,
        SystemError,
        OSError,
    ):  # the second of functions in C that cannot make the first
        os.write(2, b"fstce: out of memory\n")
        os._exit(1)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run_verb()


if __name__ == "__main__":
    run()
