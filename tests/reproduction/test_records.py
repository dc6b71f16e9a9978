"""Trials as a table, and the packages that reproductions need."""

from __future__ import annotations

import subprocess
import sys

from fstce.reproduction.run import at, ended, table_of

GOOD = {"settings": {"order": 2, "sigma2": None}, "result": {"test": 1, "list": [1]}, "seconds": 2.0}
FAILED = {"settings": {"order": 3, "fold": 1}, "error": "out of memory", "seconds": 0.0}


def test_a_row_for_every_trial_with_values_as_they_are() -> None:
    settings = ("order", "sigma2", "fold")
    names = (*(f"settings.{name}" for name in settings), "result.test", "result.list", "error", "unknown.of")
    assert [[at(record, name) for name in names] for record in (GOOD, FAILED)] == [
        [2, None, None, 1, [1], None, None],
        [3, None, 1, None, None, "out of memory", None],
    ]
    assert ended([GOOD, FAILED]) == [GOOD]
    columns = {"n": "settings.order", "%": "result.test", "double": lambda one: 2 * one["settings"]["order"]}
    assert table_of("t", "T", [GOOD, FAILED], columns).rows == ((2, 1, 4), (3, None, 6))
    assert table_of("t", "T", [], columns).rows == ()


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
