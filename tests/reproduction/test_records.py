"""Trials as a frame, and the packages that reproductions need."""

from __future__ import annotations

import subprocess
import sys

from fstce.reproduction.records import cells_of, frame_of, table_of

GOOD = {"settings": {"order": 2, "sigma2": None}, "result": {"test": 1, "list": [1]}, "seconds": 2.0}
FAILED = {"settings": {"order": 3, "fold": 1}, "error": "out of memory", "seconds": 0.0}


def test_a_row_for_every_trial_with_values_as_they_are() -> None:
    frame = frame_of([GOOD, FAILED], failed=True)
    names = ("order", "sigma2", "fold", "result.test", "result.list", "error", "unknown")
    assert cells_of(frame, names) == [
        [2, None, None, 1, [1], None, None],
        [3, None, 1, None, None, "out of memory", None],
    ]
    assert len(frame_of([GOOD, FAILED])) == 1 and len(frame_of([])) == 0
    assert table_of("t", "T", frame, {"n": "order", "%": "result.test"}).rows == ((2, 1), (3, None))
    assert table_of("t", "T", frame_of([]), {"n": "order"}).rows == ()


def test_without_pandas_one_line_says_so_before_any_work(tmp_path) -> None:
    program = (
        "import importlib.util as u, sys; find = u.find_spec;"
        "u.find_spec = lambda name, *more: None if name == 'pandas' else find(name, *more);"
        "from fstce.cli.main import run; sys.argv[1:] = sys.argv[2:]; run()"
    )
    command = (sys.executable, "-c", program, "", "reproduce", "tagging", "--quick", "-o", "report")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == ("fstce: reproductions need pandas and matplotlib: pip install 'fstce[report]'\n")
    assert not list(tmp_path.iterdir())
