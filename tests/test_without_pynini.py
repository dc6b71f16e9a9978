"""Where pynini is not installed: every public name is there, and saved models are applied all the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from patience import patience
from saved_cases import NAMES, UNSEEN, saved_models

import fstce

__all__ = ["saved_models"]
TESTS = Path(__file__).parent
WITHOUT = """
import importlib.metadata, sys
sys.modules.update(dict.fromkeys(("pynini", "pywrapfst", "_pywrapfst")))
installed = importlib.metadata.distribution
def distribution(name):
    if name == "pynini":
        raise importlib.metadata.PackageNotFoundError(name)
    return installed(name)
importlib.metadata.distribution = distribution
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program in a Python that has no pynini."""
    command = [sys.executable, "-W", "ignore", "-c", WITHOUT + program, *arguments]
    return subprocess.run(
        command, cwd=TESTS, capture_output=True, text=True, timeout=patience(300), check=False
    )


# Each name in a process of its own, which begins with what most of them load besides.
EACH = """
import os, traceback
import scipy.optimize, scipy.sparse, fstce
for name in sys.argv[1:]:
    if os.fork() == 0:
        try:
            getattr(fstce, name)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if os.wait()[1]:
        sys.exit(f"{name} is not there")
"""


def test_every_public_name_is_there() -> None:
    done = run(EACH, *fstce.__all__)
    assert (done.returncode, done.stderr) == (0, "")


APPLIED = [name for name in NAMES if name != "corrector-marks"]
ANSWERS = """
import json, sys, saved_cases
for path in sys.argv[1:]:
    name = path.rpartition("/")[2]
    print(json.dumps(saved_cases.answers(saved_cases.kind_of(name).load(path))))
"""


def test_saved_models_answer_as_with_it(saved_models: Path) -> None:
    expected = json.loads((saved_models / "expected.json").read_text(encoding="utf-8"))
    done = run(ANSWERS, *(str(saved_models / name) for name in APPLIED))
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        expected[name] for name in APPLIED
    ]


def line_of_the_need(text: str) -> str:
    """What is said of that, which is one line."""
    (line,) = text.splitlines()
    assert "needs pynini" in line and "conda install" in line
    return line


@pytest.mark.parametrize(
    "program",
    [
        "fstce.neighborhood('trans1')(['a', 'b'])",
        "fstce.neighborhood('trans1 | del1word')(['a', 'b'])",
        "fstce.Tagger('trans1').fit([['a', 'b']], dictionary={'a': 'XY', 'b': 'Y'})",
        "fstce.DependencyParser('trans1').fit([['DT', 'NN']])",
        "fstce.Corrector.load('corrector-marks').correct([['the', 'lmap']])",
        "fstce.inspect('lattice.fst')",
        "fstce.machines.read_fst('lattice.fst')",
        "fstce.neighborhood('lattice.fst')",
        "fstce.neighborhood('file.py')",
        "fstce.neighborhood('late.py')(['a', 'b'])",
    ],
)
def test_what_composes_says_what_it_needs(program: str, tmp_path: Path, saved_models: Path) -> None:
    program = program.replace("corrector-marks", str(saved_models / "corrector-marks"))
    lattice = fstce.neighborhood("trans1")(["a", "b"])
    fstce.machines.write_fst(lattice.to_fst(), tmp_path / "lattice.fst")
    (tmp_path / "file.py").write_text(
        "import pynini\ndef build(symbols): return pynini.accep('a')\n"
    )
    (tmp_path / "late.py").write_text(
        "def build(symbols):\n    import pynini\n    return pynini.accep('a')\n"
    )
    for name in ("lattice.fst", "file.py", "late.py"):
        program = program.replace(name, str(tmp_path / name))
    done = run(
        f"import fstce\ntry: {program}\nexcept fstce.errors.FstceError as error: print(error)"
    )
    assert done.returncode == 0, done.stderr
    line_of_the_need(done.stdout)


def test_the_program(tmp_path: Path, saved_models: Path) -> None:
    """It tags; it says its versions; what it cannot do is one line and exit code 2."""
    program = "from fstce.cli.main import run; run()"
    text = tmp_path / "text.txt"
    text.write_text("".join(" ".join(words) + "\n" for words in UNSEEN), encoding="utf-8")
    tagged = run(program, "tagger", "tag", str(saved_models / "tagger-hmm"), str(text))
    expected = json.loads((saved_models / "expected.json").read_text(encoding="utf-8"))
    assert tagged.returncode == 0, tagged.stderr
    rows = [
        [token.rpartition("/")[2] for token in line.split()] for line in tagged.stdout.splitlines()
    ]
    assert rows == expected["tagger-hmm"]["predict"]
    versions = run(program, "--version")
    assert (versions.returncode, versions.stderr) == (0, "")
    assert ", no pynini, numpy " in versions.stdout
    shown = run(program, "neighborhood", "show", "trans1", "a b")
    assert shown.returncode == 2
    line_of_the_need(shown.stderr)


@pytest.mark.parametrize("name", APPLIED)
def test_a_saved_model_says_what_it_holds(name: str, saved_models: Path) -> None:
    """That of a tagger imported pynini for the costs of analyzers."""
    program = "from fstce.cli.main import main; import sys; sys.exit(main(['info', sys.argv[1]]))"
    done = run(program, str(saved_models / name))
    assert done.returncode == 0 and "error" not in done.stderr, done.stderr
