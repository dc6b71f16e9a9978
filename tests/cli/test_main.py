"""The program as a process: help, version, exit codes, pipes."""

import configparser
import platform
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import patience

from fstce.version import __version__


def test_options_tell_their_defaults(fstce):
    text = " ".join(fstce("tagger", "train", "--help").out.split())
    for default in ("[default: auto]", "[default: 3; 1 to 3]", "[default: 1]", "[default: 0.0001]"):
        assert default in text


def test_version(fstce):
    code, out, err = fstce("--version")
    first, foundations = out.splitlines()
    assert (code, first, err) == (0, f"fstce {__version__}", "")
    assert (
        foundations.startswith(f"Python {platform.python_version()}, pynini ")
        and "scipy" in foundations
    )
    setup = configparser.ConfigParser()
    setup.read(Path(__file__).parents[2] / "setup.cfg", encoding="utf-8")
    needed = re.findall(r"^\w+", setup["options"]["install_requires"], re.MULTILINE)
    assert {part.removeprefix("no ").split()[0] for part in foundations.split(", ")} <= {
        "Python",
        *needed,
    }


def test_the_module_runs_as_the_program(process):
    out, err = process("neighborhood", "show", "trans1", "a b c", "--count").communicate(
        timeout=patience(60)
    )
    assert (out, err) == (b"3\n", b"")


def test_a_reader_that_goes_away_is_no_error(process, model):
    tagging = process("tagger", "tag", model, "-", "--quiet")
    tagging.stdout.close()
    _, err = tagging.communicate(b"the clock .\n" * 2000, timeout=patience(60))
    assert err == b""
    assert tagging.returncode not in (0, 2)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line(process, model, corpus):
    with Path("/dev/full").open("wb") as full:
        running = process("tagger", "evaluate", model, corpus, stdout=full)
        _, err = running.communicate(timeout=patience(60))
    assert running.returncode == 2
    assert (
        err.startswith(b"fstce: ")
        and err.endswith(b"No space left on device\n")
        and err.count(b"\n") == 1
    )


def test_ctrl_c_is_one_line(fstce, monkeypatch):
    monkeypatch.setattr("fstce.cli.info.read", _raising(KeyboardInterrupt()))
    assert fstce("info", "sample") == (130, "", "fstce: interrupted\n")


def test_ctrl_c_while_a_class_is_made_is_one_line(fstce, monkeypatch):
    """Up to Python 3.11 it comes as a RuntimeError of ``__set_name__``."""
    error = RuntimeError(
        "Error calling __set_name__ on 'cached_property' instance 'table' in 'Symbols'"
    )
    error.__cause__ = KeyboardInterrupt()
    monkeypatch.setattr("fstce.cli.info.read", _raising(error))
    assert fstce("info", "sample") == (130, "", "fstce: interrupted\n")


SWALLOWED = """
import signal, sys
import fstce.cli.info
from fstce.cli.main import run

def read(*_, **__):
    try:
        signal.raise_signal(signal.{sign})
    except KeyboardInterrupt:
        pass
    raise TypeError("cannot compare") from None

fstce.cli.info.read = read
# What runs in the background, or under nohup, ignores these.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
sys.argv = ["fstce", "info", "sample"]
run()
"""


@pytest.mark.parametrize("sign", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interruption_that_c_answers_with_an_error_is_one(sign: str) -> None:
    """numpy's comparison of records raises a TypeError of its own where Ctrl-C comes within."""
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED.format(sign=sign)], capture_output=True, check=False
    )
    code = 128 + getattr(signal, sign)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"fstce: interrupted\n")


IGNORED = """
import atexit, signal, sys
from fstce.cli.main import run

signal.signal(signal.SIGHUP, signal.SIG_IGN)
atexit.register(lambda: print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN))
sys.argv = ["fstce", "info", "none.txt"]
run()
"""


def test_a_signal_that_is_ignored_stays_so_to_the_end() -> None:
    """As by nohup; at its exit the program heard HUP again."""
    done = subprocess.run([sys.executable, "-c", IGNORED], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"True\n")


def test_a_defect_says_so_without_a_traceback(fstce, monkeypatch):
    monkeypatch.delenv("FSTCE_DEBUG", raising=False)
    monkeypatch.setattr("fstce.cli.info.read", _raising(ZeroDivisionError("oh\nno")))
    code, out, err = fstce("info", "sample")
    assert (code, out) == (1, "")
    assert err == (
        "fstce: internal error: ZeroDivisionError: oh no; run again with FSTCE_DEBUG=1 for the traceback\n"
    )


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        SystemError("error return without exception set"),
        SystemError("<built-in function f> returned NULL without setting an exception"),
    ],
)
def test_memory_that_runs_out_in_any_words_is_told_as_such(fstce, monkeypatch, error):
    """Functions in C say it so where they could not even make the exception."""
    monkeypatch.setattr("fstce.cli.info.read", _raising(error))
    assert fstce("info", "sample").err.startswith("fstce: out of memory")


def test_memory_that_runs_out_around_a_verb_is_told_as_such():
    code = (
        "from fstce.cli import main\n"
        "def fail(): raise SystemError('error return without exception set')\n"
        "main.main = fail\nmain.run()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 1 and ended.stderr.startswith("fstce: out of memory")


def test_debugging_shows_the_traceback(fstce, monkeypatch):
    monkeypatch.setenv("FSTCE_DEBUG", "1")
    monkeypatch.setattr("fstce.cli.info.read", _raising(ZeroDivisionError("oh")))
    code, _, err = fstce("info", "sample")
    assert code == 1
    assert err.startswith("Traceback") and "fstce: internal error: ZeroDivisionError: oh" in err


def _raising(error):
    def read(*arguments):
        raise error

    return read


def test_help_waits_for_no_heavy_import():
    program = (
        "import sys; from fstce.cli.main import main; main([]); "
        "heavy = {'numpy', 'scipy', 'pynini', 'pywrapfst', 'conllu', 'rich.table'} & set(sys.modules); "
        "sys.exit(f'loaded: {sorted(heavy)}' if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=patience(60)
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_warning_of_the_library_is_one_line(fstce: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.mrg"
    path.write_text("((S (-NONE- *)))\n" + "(S (NP (NN dog)) (VP (VBZ barks)))\n" * 3)
    code, _, err = fstce("latent", "train", path, "--cycles", 0, "--quiet")
    assert (
        code == 0
        and err == f"fstce: warning: {path}:1: 1 tree(s) of empty elements alone left out\n"
    )


@pytest.mark.parametrize(
    "verb", ["tagger train", "parser train", "latent train", "induction train"]
)
def test_help_is_there_where_python_leaves_docstrings_out(fstce, verb):
    """What is shown of a verb and of each of its options is the same with ``-OO``."""
    command = [sys.executable, "-OO", "-m", "fstce", *verb.split(), "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=patience(60))
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.split() == fstce(*verb.split(), "--help").out.split()
