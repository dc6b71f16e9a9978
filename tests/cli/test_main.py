"""The program as a process: help, version, exit codes, pipes."""

import configparser
import platform
import re
import shlex
import signal
import subprocess
import sys
from functools import wraps
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from patience import patience

from fstce.cli.verbs import groups, single, verbs_of
from fstce.kinds import imported
from fstce.version import __version__


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_groups_and_verbs(fstce, arguments):
    result = fstce(*arguments)
    assert result.code == 0
    assert result.err == ""
    for name in (*GROUPS, *SINGLE):
        assert f"\n  {name} " in result.out


GROUPS, SINGLE = groups(), single()
ENTRIES = {
    **SINGLE,
    **{
        f"{name} {verb}": entry
        for name, group in GROUPS.items()
        for verb, entry in verbs_of(group).items()
    },
}
VERBS = list(ENTRIES)


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_lists_its_verbs(fstce, group):
    for arguments in ([group], [group, "--help"]):
        code, out, err = fstce(*arguments)
        assert (code, err) == (0, "")
        for verb in verbs_of(GROUPS[group]):
            assert f"\n  {verb} " in out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_summary_and_examples(fstce, verb):
    result = fstce(*verb.split(), "--help")
    summary = result.out.splitlines()[2].strip()
    assert result.code == 0
    assert summary[0].isupper() and summary[-1] in ".:"
    assert "\n  Examples:\n" in result.out
    assert any(
        f"fstce {verb}" in line for line in result.out.partition("Examples:")[2].splitlines()[1:]
    )
    assert "\x1b" not in result.out and "─" not in result.out


@pytest.mark.parametrize("verb", ["", *GROUPS, *VERBS])
def test_help_fits_80_columns_and_nothing_is_cut_for_it(fstce, monkeypatch, verb):
    monkeypatch.setenv("COLUMNS", "80")
    usage, *lines = fstce(*verb.split(), "--help").out.splitlines()
    assert max(map(len, [usage, *lines])) <= 80
    assert [line for line in lines if line.endswith(("…", "..."))] == []


@pytest.mark.parametrize("verb", VERBS)
def test_the_examples_have_options_that_there_are(fstce, monkeypatch, verb):
    """Each is taken as far as the verb itself, which is not run."""
    text = fstce(*verb.split(), "--help").out
    module, _, name = ENTRIES[verb].function.rpartition(".")
    calls = []
    verb_itself = imported(ENTRIES[verb].function)
    monkeypatch.setattr(f"{module}.{name}", wraps(verb_itself)(lambda *_, **__: calls.append(name)))
    for line in re.findall(rf"fstce {verb}\b.*", text.split("Examples:")[1]):
        example = list(takewhile(lambda word: word not in ("|", ">", ">>", "<"), shlex.split(line)))
        result = fstce(*example[1:])
        # An example's own files are not here; that they are missing is no fault of its options.
        assert result.code == 0 or "no such" in result.err.lower() or "./mine.py" in result.err, (
            example,
            result.err,
        )
    assert calls


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
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it
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


def test_the_help_of_all_verbs_has_no_more_options_than_a_reader_can_take(fstce):
    """Rows of options; those that many verbs share are described once, above them."""
    rows = [line for verb in VERBS for line in fstce(*verb.split(), "--help").out.splitlines()]
    assert sum(line.startswith(("  -", "      --")) for line in rows) <= 380


def test_what_reads_a_corpus_is_told_how_it_is_written(fstce):
    reading = ("--input-format", "--encoding", "--raw")
    for verb in (
        "tagger train",
        "tagger evaluate",
        "parser train",
        "latent train",
        "info",
    ):
        # Names may be broken at a hyphen
        help = "".join(fstce(*verb.split(), "--help").out.split())
        assert all(option in help for option in reading), verb


def test_a_group_answers_to_its_british_spelling(fstce):
    """Said once in American spelling throughout, the group knew its other name no more."""
    assert (
        fstce("neighbourhood", "show", "trans1", "a b").out
        == fstce("neighborhood", "show", "trans1", "a b").out
    )
    assert fstce("neighbourhood", "show", "trans1", "a b").code == 0
