"""``python -m fstce`` is the program ``fstce``."""

from __future__ import annotations

import signal


def run() -> None:
    """The program; Ctrl-C while it is being loaded ends it without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from fstce.cli.main import run as run_verb  # Ctrl-C is to be quiet by now

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run_verb()


if __name__ == "__main__":
    run()
