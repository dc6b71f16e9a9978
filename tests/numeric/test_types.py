"""The types that signatures name are there where types are checked, and load no numpy."""

from __future__ import annotations

import subprocess
import sys


def test_naming_arrays_loads_no_numpy() -> None:
    program = "import sys, fstce.numeric.types; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
