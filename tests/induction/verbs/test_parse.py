"""What is reported of an inducer (the rest: `test_induce`)."""

import pytest

from fstce.console.output import sections
from fstce.corpora import sample
from fstce.induction.inducer import DirectedAlignment
from fstce.induction.learner import Induction
from fstce.induction.parameters import Options
from fstce.induction.verbs.parse import context_units, reported, rules

TEXT = [
    line.split()
    for line in ("the dog of the man sleeps", "the cat of the girl sleeps", "we saw the old dog")
]


def stop(iteration, step):
    raise KeyboardInterrupt


def test_why_it_stopped():
    cases = {
        "1 (iterations)": DirectedAlignment(iterations=1).fit(sample()[:50]),
        "0 (no pattern)": DirectedAlignment(min_count=9).fit(TEXT),
    }
    inducer = DirectedAlignment()
    with pytest.raises(KeyboardInterrupt):
        inducer.fit(sample()[:50], monitor=stop)
    cases["1 (interrupted)"] = inducer
    for reason, inducer in cases.items():
        assert inducer.facts()["iterations"] == reason


def test_many_context_units_are_not_all_named():
    inducer = DirectedAlignment(context_fraction=0.5, iterations=0).fit(sample()[:50])
    _, known = context_units(inducer.grammar_)
    assert known.endswith(" …") and len(known.split()) == 1 + 12 + 1


def test_a_model(capsys):
    inducer = DirectedAlignment(iterations=15, refresh=False).fit(sample()[:100])
    sections(*reported(inducer))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("context units  ")
    assert len(lines) - lines.index("") == 2 + 10


def test_a_rule_with_many_contexts_and_expressions(capsys, monkeypatch):
    induction = Induction(
        [row.words for row in sample()], Options.of_system("da-cluster", overlap_threshold=0.1)
    )
    induction.run(30)
    grammar = induction.grammar
    joined = next(
        rule for rule in grammar.rules() if len(rule.contexts) > 1 and len(rule.expressions) > 4
    )
    monkeypatch.setattr("fstce.induction.verbs.parse.RULES", 1000)
    sections(rules(grammar))
    line = next(
        row for row in capsys.readouterr().out.splitlines() if row.startswith(f"{joined.name} ")
    )
    assert f"{joined.contexts[0]} and {len(joined.contexts) - 1} more" in line
    assert line.endswith(" | …") and line.count(" | ") == 4
