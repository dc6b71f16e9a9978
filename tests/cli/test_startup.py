"""What a command imports: its user waits for it before anything is done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from patience import patience

HEAVY = {
    *("numpy", "scipy.sparse", "scipy.sparse.csgraph", "scipy.linalg", "scipy.optimize"),
    *("scipy.stats", "pynini", "pywrapfst", "nltk", "pandas", "matplotlib", "sklearn", "dask"),
    *("distributed", "jinja2", "regex", "asyncio"),
    *("fstce.neighborhoods.base", "fstce.estimation.estimator", "fstce.explanation"),
}
OF_MODELS = ("fstce.neighborhoods.base", "fstce.estimation.estimator")
PROGRAM = """
import sys
from fstce.cli.main import main
code = main(sys.argv[2:])
heavy = [name for name in sys.argv[1].split(",") if name in sys.modules]
print("loaded:", *heavy, file=sys.stderr)
sys.exit(code)
"""
# Beside these nothing of HEAVY may be loaded by the command.
MAY = {
    ("--help",): (),
    ("--version",): (),
    ("tagger", "--nothing"): (),
    ("tagger", "tag", "{model}", "-q"): ("numpy", "regex", *OF_MODELS),
    ("info", "{model}"): ("numpy", "regex", *OF_MODELS),
    ("machine", "info", "{machine}"): ("numpy", "pynini", "pywrapfst", "regex"),
    ("machine", "invert", "{machine}", "-o", "{out}"): ("numpy", "pynini", "pywrapfst", "regex"),
    ("machine", "draw", "{machine}", "-o", "{picture}"): ("numpy", "pynini", "pywrapfst", "regex"),
    ("machine", "inspect", "{machine}", "-o", "{page}"): (
        *("jinja2", "numpy", "pynini", "pywrapfst", "regex"),
    ),
    ("neighborhood", "show", "trans1", "a b c"): (
        *("fstce.neighborhoods.base", "numpy", "pynini", "pywrapfst", "regex"),
    ),
    ("info", "{text}"): ("regex",),
}


@pytest.mark.parametrize("command", MAY, ids=" ".join)
def test_no_command_loads_more_than_it_needs(
    command: tuple[str, ...], model: Path, tmp_path: Path
) -> None:
    """A breadth-first search took .22 s, a name of OpenFst .08 s, before one line was tagged."""
    machine, text = tmp_path / "machine.txt", tmp_path / "text.txt"
    machine.write_text("0\t1\ta\tb\n1\n")
    text.write_text("the dog barks .\n")
    places = {"model": model, "machine": machine, "text": text, "out": tmp_path / "out.fst"}
    places |= {"picture": tmp_path / "picture.svg", "page": tmp_path / "page.html"}
    arguments = [word.format(**places) for word in command]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, ",".join(sorted(HEAVY)), *arguments],
        input="the dog barks .\n", capture_output=True, text=True, timeout=patience(60),
    )  # fmt: skip
    assert done.returncode == (2 if "--nothing" in command else 0), done.stderr
    loaded = done.stderr.splitlines()[-1].removeprefix("loaded:").split()
    assert set(loaded) <= set(MAY[command]), command


def test_a_command_looks_for_garbage_rarely_and_not_at_its_end() -> None:
    """Python did at the end, in all that was loaded: a fifth of the time of a line that is tagged."""
    program = (
        "import atexit, gc, sys; from fstce.__main__ import run; sys.argv[1:] = ['--version'];"
        "atexit.register(lambda: print(gc.get_freeze_count(), gc.get_threshold()[0])); run()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    frozen, threshold = map(int, done.stdout.split()[-2:])
    assert frozen > 10_000
    assert threshold > 10_000
