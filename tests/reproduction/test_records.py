"""Trials as a table, and the packages that reproductions need."""

from __future__ import annotations

import subprocess
import sys

from fstce.reproduction.run import all_trials, ended

RESULT = {"test": 1.5, "words": {"hits": 4}, "list": [1], "scores": {"em": {"em": 1.0}}}
GOOD = {"settings": {"order": 2, "sigma2": 0.1}, "result": RESULT, "seconds": 2.0}
FAILED = {"settings": {"order": 3, "fold": 1}, "error": "out of memory", "seconds": 0.0}


def test_a_row_for_every_trial_with_values_as_they_are() -> None:
    assert ended([GOOD, FAILED]) == [GOOD]
    assert all_trials([GOOD, FAILED]).splitlines() == [
        "seconds,settings.order,settings.sigma2,result.test,result.words.hits,error,settings.fold",
        "2,2,0.1,1.5,4,,",
        "0,3,,,,out of memory,1",
    ]


def test_a_path_that_is_no_text_is_written_as_one() -> None:
    """At the end of all work a name of bytes must not lose the report."""
    written = all_trials([{"settings": {"corpus": "caf\udce9.mrg"}}]).encode()
    assert written.splitlines()[1] == b"caf?.mrg"


def test_help_needs_no_pandas() -> None:
    """It takes as long to import as all else."""
    program = "import sys, fstce.reproduction.run; sys.exit('pandas' in sys.modules)"
    assert subprocess.run((sys.executable, "-c", program)).returncode == 0


def test_without_pandas_one_line_says_so_before_any_work(tmp_path) -> None:
    program = (
        "import importlib.util as u, sys; find = u.find_spec;"
        "u.find_spec = lambda name, *more: None if name == 'pandas' else find(name, *more);"
        "from fstce.cli.main import run; sys.argv[1:] = sys.argv[2:]; run()"
    )
    command = (sys.executable, "-c", program, "", "reproduce", "tagging", "--quick", "-o", "report")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == (
        "fstce: reproductions need pandas and matplotlib: pip install 'fstce[report]'\n"
    )
    assert not list(tmp_path.iterdir())
