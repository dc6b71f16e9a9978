"""``python -m fstce`` is the program, and says in one line that there is no memory for it."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("error", ["MemoryError", "SystemError"])
def test_memory_that_runs_out_in_loading_is_told_as_such(error):
    code = (
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'fstce.cli.main': raise {error}\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from fstce.__main__ import run\nrun()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (1, "fstce: out of memory\n")


def test_it_is_the_program() -> None:
    command = [sys.executable, "-m", "fstce", "neighborhood", "show", "trans1", "a b", "--count"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "2\n"
    assert subprocess.run([*command[:3], "nosuchverb"], check=False).returncode == 2
