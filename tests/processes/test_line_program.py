"""Programs that answer lines: the protocol, and what else a program may do."""

import sys
import time
from pathlib import Path
from shlex import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import patience

from fstce.corpora import TextReader, read_corpus
from fstce.errors import ParameterError
from fstce.processes import line_program
from fstce.processes.line_program import LineProgram

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\x00"), max_size=30)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SILENCE", "FIRST"):
        monkeypatch.setattr(line_program, name, 0.7)


def python(program: str) -> LineProgram:
    """A program in Python; ``w`` writes bytes, ``r`` reads a line of them."""
    head = "import os, sys, time; r = sys.stdin.buffer.readline; w = lambda b: os.write(1, b);"
    return LineProgram(f'{quote(sys.executable)} -c "{head} {program}"')


@settings(max_examples=200, deadline=None)
@given(lines=st.lists(TEXT, max_size=5))
def test_each_line_has_its_own_answer(lines: list[str]) -> None:
    """A carriage return, U+2028 and their like are no line ends."""
    assert [CAT(line) for line in lines] == [line.split() for line in lines]


CAT = LineProgram("cat")


def test_a_line_larger_than_the_pipes_is_answered() -> None:
    line = "the baker sings " * 100_000
    assert LineProgram("cat")(line) == line.split()


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("w(b'banner\\n'); time.sleep(9)", "more than its one line before|other characters"),
        ("r(); w(b'a b\\nextra\\n'); time.sleep(9)", "writes more than its one line"),
        ("r(); w(b'a b'); time.sleep(9)", r"has not answered for 0\.7 seconds"),
        ("r(); w(b'a b')", "ended, or reads no more"),
        (
            "r(); w(b'a c\\n'); time.sleep(9)",
            "'a c', which has other characters than the line 'a b'",
        ),
        ("r(); w(b'a \\xff\\n'); time.sleep(9)", "which has other characters"),
        ("os.close(0); time.sleep(9)", "ended, or reads no more|has not answered"),
        ("[w(b'a') for _ in iter(int, 1)]", "(?:writes|has written) more than its one line"),
        ("[w(b'\\n') for _ in iter(int, 1)]", "more than its one line|other characters"),
        ("", "ended, or reads no more"),
    ],
)
def test_what_is_no_answer_names_the_line_and_ends_the_program(program: str, message: str) -> None:
    reader = TextReader(tokenizer=python(program))
    began = time.monotonic()
    with pytest.raises(ParameterError, match=f"^a.txt:1: tokenizer .*({message})"):
        reader.sentences("a b", "a.txt:1")
    assert time.monotonic() - began < patience(8)


def test_an_extra_line_is_not_taken_for_the_next_answer() -> None:
    asked = python("[(r(), w(b'a\\n'), time.sleep(.2), w(b'b\\n')) for _ in iter(int, 1)]")
    assert asked("a") == ["a"]
    time.sleep(0.5)
    with pytest.raises(
        ParameterError, match="has written more than its one line before the line 'b'"
    ):
        asked("b")


def test_a_program_that_keeps_its_answers_is_advised() -> None:
    with pytest.raises(ParameterError, match="answer each line at once, without a buffer"):
        LineProgram("sed 's/./& /g'")("我们")


@pytest.mark.parametrize("command", ["", "  ", "'"])
def test_a_command_that_is_none(command: str) -> None:
    with pytest.raises(ParameterError, match="cannot be run"):
        LineProgram(command)


def test_a_program_ends_with_what_it_started(tmp_path: Path) -> None:
    asked = LineProgram(f"sh -c 'sleep 60 & echo $! > {tmp_path}/pid; cat'")
    assert asked("a b") == ["a", "b"]
    del asked
    child = (tmp_path / "pid").read_text().strip()
    deadline = time.monotonic() + patience(5)
    while Path(f"/proc/{child}/stat").exists() and time.monotonic() < deadline:
        if Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
            break
        time.sleep(0.05)
    else:
        assert not Path(f"/proc/{child}").exists()


def test_no_line_is_lost_behind_a_carriage_return(tmp_path: Path) -> None:
    """``cat`` answered the first of them with two lines, and the last one was lost."""
    (tmp_path / "a.txt").write_bytes(b"the old\rbaker sings .\nit rains .\n")
    sentences = read_corpus(tmp_path / "a.txt", text=TextReader(tokenizer=LineProgram("cat")))
    assert [str(sentence) for sentence in sentences] == ["the old baker sings .", "it rains ."]


def test_after_a_line_without_an_answer_the_program_begins_anew() -> None:
    program = python("line = r(); b'late' in line and time.sleep(9); w(line)")
    with pytest.raises(ParameterError, match="has not answered"):
        program("too late")
    assert program("in time") == ["in", "time"]
