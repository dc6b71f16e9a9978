"""The harness of the fuzzer: whose abort is a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from patience import patience

PROGRAM = """
import os, sys
from pathlib import Path
from fstce.processes.apart import apart
from tests.fuzz import __main__ as harness
from tests.fuzz.targets import Target

def read(path):
    if path.read_bytes().startswith(b"x"):
        apart(os.abort, "here") if {in_child} else os.abort()

harness.KEPT = Path({kept!r})
harness.ROOMS = ["fstce.processes"]
harness.TARGETS["probe.txt"] = Target("probe.txt", read, [b"y"], ("fstce.processes",))
sys.argv = ["probe", "-runs=1", f"-artifact_prefix={kept}/crash-probe.txt-", {input!r}]
harness.one_input("probe.txt")
"""


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("in_child", [True, False])
def test_an_abort_in_a_child_is_no_crash_of_the_fuzzer(tmp_path: Path, in_child: bool) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "one").write_bytes(b"x")
    program = PROGRAM.format(in_child=in_child, kept=str(tmp_path), input=str(corpus))
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=patience(60),
    )
    ended = len([*tmp_path.glob("ended-probe.txt-*")])
    crashed = len([*tmp_path.glob("crash-probe.txt-*")])
    assert (ended, crashed) == ((1, 0) if in_child else (0, 1)), done.stderr[-2000:]
    assert (done.returncode == 0) == in_child, done.stderr[-2000:]


def test_importing_the_targets_makes_no_folder(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", "import tests.fuzz.targets"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "FUZZ_SCRATCH": str(tmp_path)},
        check=True,
        timeout=patience(60),
    )
    assert not [*tmp_path.iterdir()]
