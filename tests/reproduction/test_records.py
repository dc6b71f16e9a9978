"""Records of trials, and the packages that reproductions do without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fstce.reproduction.run import ended

GOOD = {"settings": {"order": 2, "sigma2": 0.1}, "result": {"test": 1.5}, "seconds": 2.0}
FAILED = {"settings": {"order": 3, "fold": 1}, "error": "out of memory", "seconds": 0.0}


def test_what_ended_has_a_result() -> None:
    assert ended([GOOD, FAILED]) == [GOOD]


def test_a_report_without_pandas_and_matplotlib(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules.update(pandas=None, matplotlib=None);"
        "from fstce.reproduction.landscape import LandscapePlan, EXPERIMENT;"
        "plan = LandscapePlan('sample', words=200, held_out=200, criteria=('em',), starts=2);"
        "EXPERIMENT.reproduce(plan, sys.argv[1], jobs=1)"
    )
    folder = tmp_path / "report"
    done = subprocess.run((sys.executable, "-c", program, folder), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (folder / "landscape.csv").exists() and (folder / "index.html").exists()
