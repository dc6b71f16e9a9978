"""A learned grammar as a linguist reads it: relative frequencies by hand, and contradictions."""

from __future__ import annotations

import numpy as np
import pytest

from fstce import DependencyParser
from fstce.errors import ParameterError
from fstce.parsing.attachment_rules import AttachmentRule
from fstce.parsing.learnt_grammar import LearntGrammar, contradictions, learnt_grammar, tag_table

TEXT = [["D", "N", "V"], ["N", "V", "D", "N"]]
HEADS = [[2, 3, 0], [2, 0, 4, 2]]


@pytest.fixture
def counted() -> LearntGrammar:
    return learnt_grammar(DependencyParser(criterion="joint", smoothing=0.0).fit(TEXT, HEADS))


def test_relative_frequencies_are_what_is_shown(counted: LearntGrammar) -> None:
    """N has a D on its left in two of three cases; V has an N left always, right in one of two."""
    assert counted.children("N", 0, 3) == [("D", 1.0)]
    assert counted.valence("N", 0) == pytest.approx(2 / 3)
    assert counted.valence("V", 0) == pytest.approx(1.0)
    assert counted.valence("V", 1) == pytest.approx(1 / 2)
    assert [counted.root(tag) for tag in "DNV"] == [0, 0, 1]
    assert tag_table(counted).rows[0][0] == "V"


def test_a_contrastive_grammar_is_normalized_within_each_choice() -> None:
    grammar = learnt_grammar(DependencyParser("trans1").fit(TEXT))
    assert np.allclose(np.bincount(grammar.model.group, grammar.p), 1)
    assert ((grammar.p > 0) & (grammar.p < 1)).all()


def test_contradictions_and_tags_that_are_none(counted: LearntGrammar) -> None:
    rules = AttachmentRule("ROOT", "V"), AttachmentRule("V", "N")
    assert ("N", "D", "left", 1.0) in contradictions(counted, rules).rows
    with pytest.raises(ParameterError, match="'Q' is none of this grammar's tags: D N V"):
        tag_table(counted, ["Q"])


def test_rules_of_another_tagset_are_refused(counted: LearntGrammar) -> None:
    with pytest.raises(ParameterError, match="no rule is about the tags D, N, V"):
        contradictions(counted, (AttachmentRule("ROOT", "VERB"),))
