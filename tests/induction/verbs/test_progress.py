"""The iterations of an induction as they go."""

import sys

import pytest

from fstce.console import progress
from fstce.console.output import quietly
from fstce.corpora import sample
from fstce.induction.inducer import DirectedAlignment
from fstce.induction.verbs import train
from fstce.induction.verbs.train import described, iterations_shown


@pytest.fixture
def inducer():
    return DirectedAlignment(iterations=12).begin(sample()[:100])


def test_lines(inducer, capsys, monkeypatch):
    monkeypatch.setattr(train, "EVERY", 4)
    with iterations_shown(inducer.grammar_, 12) as monitor:
        inducer.resume(monitor=monitor)
    lines = capsys.readouterr().err.splitlines()
    steps = inducer.grammar_.steps
    assert [line.split("  ")[:2] for line in lines] == [
        [f"[{n}/12]", described(inducer.grammar_, steps[n - 1])] for n in (4, 8, 12)
    ]
    assert "at most" in lines[0] and "left" not in lines[-1]


def test_a_pause_is_long_enough_for_a_line(inducer, capsys, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    with iterations_shown(inducer.grammar_, 12) as monitor:
        inducer.resume(monitor=monitor)
    assert len(capsys.readouterr().err.splitlines()) == 12


def test_the_bar_on_a_terminal(inducer, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with iterations_shown(inducer.grammar_, 12) as monitor:
        inducer.resume(monitor=monitor)
    out, err = capsys.readouterr()
    assert out == ""
    assert "[12/12]  " + described(inducer.grammar_, inducer.grammar_.steps[-1])[:10] in err


def test_a_step_in_words(inducer):
    inducer.resume()
    step, grammar = inducer.grammar_.steps[0], inducer.grammar_
    assert described(grammar, step) == f"C1: {next(grammar.rules()).contexts[0]}, {step.places}×"


def test_quiet_shows_nothing(inducer, capsys):
    with quietly(), iterations_shown(inducer.grammar_, 12) as monitor:
        inducer.resume(monitor=monitor)
    assert capsys.readouterr() == ("", "")
