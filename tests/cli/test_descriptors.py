"""Standard streams that are closed or full, what comes from outside on a terminal, Ctrl-C at any time."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from patience import patience

from fstce.cli.main import main
from fstce.console.output import complain, note, visible

TEXT = "the old clock stopped .\n"


def shell(command: str, **values: object) -> subprocess.CompletedProcess[bytes]:
    """A command line of the shell; "$PYTHON" -m fstce is the program."""
    given = {
        **os.environ,
        "PYTHON": sys.executable,
        **{k: str(v) for k, v in values.items()},
    }
    return subprocess.run(
        ["bash", "-c", command], env=given, capture_output=True, timeout=patience(120), check=False
    )


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text(TEXT)
    return tmp_path / "text.txt"


def test_closed_streams_are_empty_or_go_nowhere(model: Path, text: Path) -> None:
    done = shell('"$PYTHON" -m fstce tagger tag "$MODEL" - -q <&-', MODEL=model)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    done = shell('"$PYTHON" -m fstce tagger tag "$MODEL" "$TEXT" -q >&-', MODEL=model, TEXT=text)
    assert (done.returncode, done.stderr) == (0, b"")
    done = shell('"$PYTHON" -m fstce tagger tag "$MODEL" "$TEXT" 2>&-', MODEL=model, TEXT=text)
    assert done.returncode == 0 and done.stdout.count(b"/") == 5 and done.stdout.count(b"\n") == 1
    done = shell('"$PYTHON" -m fstce tagger tag "$MODEL" none.txt 2>&-', MODEL=model)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_errors_never_go_into_a_file_that_takes_the_place_of_standard_error(
    model: Path, text: Path
) -> None:
    command = '"$PYTHON" -m fstce tagger export "$MODEL" "$OUT" --text "$TEXT" 2>&- >&- <&-'
    assert shell(command, MODEL=model, OUT=text.parent / "out", TEXT=text).returncode == 0
    assert (text.parent / "out" / "README.txt").read_text().startswith("A tagger as two weighted")


def test_a_full_standard_output_is_named(model: Path, text: Path) -> None:
    done = shell(
        '"$PYTHON" -m fstce tagger tag "$MODEL" "$TEXT" -q >/dev/full', MODEL=model, TEXT=text
    )
    assert (done.returncode, done.stderr) == (
        2,
        b"fstce: standard output: No space left on device\n",
    )


def test_a_reader_of_messages_that_goes_away_costs_no_data(model: Path, text: Path) -> None:
    done = shell(
        '"$PYTHON" -m fstce tagger tag "$MODEL" "$TEXT" 2> >(exec true)', MODEL=model, TEXT=text
    )
    assert done.returncode == 0 and done.stdout.count(b"/") == 5


def test_control_characters_of_the_input_are_spelt_out(
    fstce: Any, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert visible("a\x1b[31m\x07\tb\n") == "a\\x1b[31m\\x07\tb\n"
    note("\x1b[2J")
    complain("\x07")
    assert capsys.readouterr().err == "\\x1b[2J\nfstce: \\x07\n"
    path = tmp_path / "a\x1b[31m\x07.txt"
    path.write_bytes(b"a\x1b[2J <s>\nthe <s>\n")
    err = fstce("tagger", "tag", model, path).err
    assert "\\x1b[31m\\x07.txt:1" in err and not set(err) & {"\x1b", "\x07"}
    err = fstce("tagger", "tag", tmp_path / "m\x1b[31m").err
    assert "\\x1b[31m" in err and "\x1b" not in err


def test_ctrl_c_while_it_is_loaded_and_at_exit_leaves_no_traceback(model: Path) -> None:
    for wait in (0.05, 0.2, 0.5, 1.0):
        process = subprocess.Popen(
            [sys.executable, "-m", "fstce", "tagger", "tag", str(model), "-"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=patience(60))
        # Before fstce is loaded it is Python itself that is interrupted.
        assert b"fstce/cli" not in err and b"internal" not in err, err


AUTHOR = """import pynini
print("loading")
def build(symbols):
    print("building")
    return pynini.closure(symbols.any())
"""


def test_what_an_author_prints_is_no_data(fstce: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(AUTHOR)
    code, out, err = fstce("neighborhood", "show", path, "a delicate thing")
    assert code == 0 and out == "a delicate thing\n"
    assert "loading" in err and "building" in err


def test_export_replaces_no_file_of_the_users(fstce: Any, model: Path, tmp_path: Path) -> None:
    for name in ("README.txt", "words.syms", "tags.syms"):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text("mine")
        code, _, err = fstce("tagger", "export", model, folder)
        assert code == 2 and f"{name} is of no earlier export" in err
        assert [p.name for p in folder.iterdir()] == [name] and (
            folder / name
        ).read_text() == "mine"
    assert fstce("tagger", "export", model, tmp_path / "new").code == 0
    assert fstce("tagger", "export", model, tmp_path / "new").code == 0


def test_symbols_of_another_machine_are_not_replaced(fstce: Any, tmp_path: Path) -> None:
    def lattice(words: str, name: str) -> Any:
        return fstce("neighborhood", "lattice", "trans1", words, "-o", tmp_path / name)

    assert lattice("so it goes", "x.fst").code == 0
    assert lattice("so it went", "x.fst").code == 0  # its own
    kept = (tmp_path / "x.syms").read_text()
    assert lattice("so it goes", "y.fst").code == 0
    code, _, err = fstce("machine", "convert", tmp_path / "y.fst", tmp_path / "x.txt")
    assert code == 2 and f"has the symbols of {tmp_path / 'x.fst'}" in err
    assert fstce("machine", "convert", tmp_path / "x.fst", tmp_path / "x.att").code == 0  # the same
    (tmp_path / "mine.syms").write_text("my own list\n")
    code, _, err = lattice("so it goes", "mine.fst")
    assert (
        code == 2 and "mine.syms is there already" in err and not (tmp_path / "mine.fst").exists()
    )
    assert (tmp_path / "x.syms").read_text() == kept
    assert (tmp_path / "mine.syms").read_text() == "my own list\n"


@pytest.mark.parametrize("notation", ["word/tag", "conllu"])
def test_bytes_that_are_no_text_pass_through_the_tagger(
    model: Path, notation: str, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any
) -> None:
    bad = b"na\xefve \xff .\r\na\0b\n"
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(b"the clock .\n" + bad + b"it went .\n"))
    )
    assert main(["tagger", "tag", str(model), "--output-format", notation]) == 0
    out, err = capsysbinary.readouterr()
    assert bad in out
    assert b":2: byte 0xef is not valid utf-8" in err and b":3: a NUL byte" in err
    assert b"2 places that could not be read: passed through as it is" in err


def test_a_damaged_block_and_a_damaged_tree_pass_through(
    model: Path, grammar: Path, tmp_path: Path, capsysbinary: Any
) -> None:
    row = b"1\tna\xefve\t_\tADJ\tJJ\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "a.conllu").write_bytes(row + row.replace(b"\xef", b"i"))
    assert main(["parser", "parse", str(grammar), str(tmp_path / "a.conllu")]) == 0
    assert capsysbinary.readouterr()[0].startswith(row)
    (tmp_path / "a.mrg").write_text("(S (NN dog))\n(S (NN) x)\n(S (NN cat))\n")
    assert main(["tagger", "tag", str(model), str(tmp_path / "a.mrg")]) == 0
    out, err = capsysbinary.readouterr()
    assert out.splitlines()[1] == b"(S (NN) x)" and b"a.mrg:2" in err and out.count(b"\n") == 3


def test_a_line_without_an_end_is_told_before_it_fills_the_memory(fstce: Any) -> None:
    code, _, err = fstce("info", "-", "--input-format", "plain", stdin=b"a" * (1 << 24) + b"aa")
    assert code == 2 and "1: a line of more than 16,777,216 bytes" in err
