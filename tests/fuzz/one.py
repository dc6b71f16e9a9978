"""python -m tests.fuzz.one TARGET [options of libFuzzer]: this process fuzzes one target."""

from __future__ import annotations

import sys

from tests.fuzz.__main__ import one_input

if __name__ == "__main__":
    one_input(sys.argv.pop(1))
