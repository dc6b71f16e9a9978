"""Tables, notes and numbers as text."""

import signal
import sys
import time
from typing import NamedTuple

import pytest

from fstce.cli.main import _unraisable
from fstce.console import output
from fstce.console.output import complain
from fstce.errors import ParameterError
from fstce.reporting.tables import Table


def test_a_piped_table_is_plain_and_aligned(capsys):
    output.table(("name", "n"), [("a", "1"), ("bcdef", "234")], numbers=(1,))
    assert capsys.readouterr().out == "name     n\na        1\nbcdef  234\n"


def test_what_is_said_of_a_table_stands_below_it(capsys):
    made = [Table("t", "Title", ["word", "n"], [["a", 1]], note) for note in ("% of words.", "")]
    output.tables(made)
    assert (
        capsys.readouterr().out
        == "\nTitle\nword  n\na     1\n\n% of words.\n\nTitle\nword  n\na     1\n"
    )


def test_a_table_on_a_terminal_keeps_the_words_as_they_are(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    output.table(("word", "n"), [("[bold]", "1")])
    assert "[bold]" in capsys.readouterr().out


def test_an_error_is_one_line(capsys):
    output.complain("a message\n\twith lines")
    assert capsys.readouterr() == ("", "fstce: a message with lines\n")


def test_what_has_no_end_is_shortened_in_an_error(capsys):
    complain(f"--rate {'9' * 5000}: give a number")
    told = capsys.readouterr().err
    assert len(told) < 600
    assert told.startswith("fstce: --rate 999") and told.endswith("9: give a number\n")


def test_openfst_is_silenced_only_inside_the_block(capfd):
    import os

    with output.silenced():
        os.write(2, b"lost")
    os.write(2, b"kept")
    assert capfd.readouterr().err == "kept"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (59.2, "59 s"), (60.4, "1 min 0 s"), (3600, "1 h 0 min")],
)
def test_durations(value, text):
    assert output.seconds(value) == text


@pytest.mark.parametrize("text", ["", "  \t"])
def test_no_words_are_an_error(text):
    with pytest.raises(ParameterError, match="the sentence is empty"):
        output.words_of(text)


def test_bytes_that_are_no_text_are_an_error():
    with pytest.raises(ParameterError, match="not valid UTF-8"):
        output.words_of("a \udcff")


def test_a_message_of_many_words_is_shortened_in_the_middle(capsys):
    complain(f"words.tsv:1: the word '{'a ' * 30_000}' holds white space; write it as one")
    told = capsys.readouterr().err
    assert len(told) < 600
    assert told.startswith("fstce: words.tsv:1: the word 'a a") and told.endswith(
        "; write it as one\n"
    )


def test_an_interrupt_where_nothing_can_be_raised_comes_once_more():
    class Lost:
        def __del__(self):
            raise KeyboardInterrupt

    before, sys.unraisablehook = sys.unraisablehook, _unraisable
    # A background job ignores it
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            Lost()
            for _ in range(100):  # as long as a busy machine takes
                time.sleep(0.1)
    finally:
        sys.unraisablehook = before
        signal.signal(signal.SIGINT, handler)


def test_cells_are_written_by_what_they_are(capsys):
    output.table(("tag", "n", "%"), [("NN", 1234, 12.34), ("V", None, float("nan"))])
    assert capsys.readouterr().out == "tag      n     %\nNN   1,234  12.3\nV              –\n"


def test_sections_are_apart_and_empty_ones_left_out(capsys):
    output.sections((("a", "b"), [("x", "1")], (1,)), (("none",), []), (("c",), [("y",)]))
    assert capsys.readouterr().out == "a  b\nx  1\n\nc\ny\n"


@pytest.mark.parametrize(("as_json", "text"), [(True, '{"x": 1.5}\n'), (False, "  a\n1.5\n")])
def test_a_report_is_json_or_tables(capsys, as_json, text):
    output.report(as_json, {"x": 1.5}, (("a",), [(1.5,)]), (("none",), []))
    assert capsys.readouterr().out == text


def test_json_has_named_tuples_as_objects_and_null_for_nan(capsys):
    class Score(NamedTuple):
        value: float
        places: tuple[int, ...]

    output.print_json({"é": [Score(float("nan"), (1, 2))]})
    assert capsys.readouterr().out == '{"é": [{"value": null, "places": [1, 2]}]}\n'


def test_numbers_in_words():
    assert output.count(1, "sentence") == "1 sentence"
    assert (
        output.count(1234, "dictionary entry", "dictionary entries") == "1,234 dictionary entries"
    )
    assert (output.percent(62.49), output.percent(float("nan"))) == ("62.5", "–")
    assert (output.interval(40.0, 62.49), output.interval(float("nan"), 1.0)) == (
        "40.0 to 62.5",
        "–",
    )
    assert (output.seconds(0.25), output.seconds(75), output.seconds(7300)) == (
        "0.2 s",
        "1 min 15 s",
        "2 h 1 min",
    )


def test_control_characters_are_spelt_out():
    assert output.visible("a\x1b[31m\x07") == "a\\x1b[31m\\x07"
