"""Grammars applied to new sentences (to their own text: `test_induction`)."""

import pytest

from fstce.errors import CorpusError
from fstce.induction.grammar import bracket, parse
from fstce.induction.learner import Induction
from fstce.induction.parameters import Options

TEXT = ["the dog of the man sleeps", "the cat of the girl sleeps", "we saw the old dog of the man"]
SENTENCES = [line.split() for line in TEXT]


@pytest.fixture
def grammar():
    induction = Induction(SENTENCES, Options.of_system("da-stop", context_fraction=0.2))
    induction.run(10)
    return induction.grammar


def trees(grammar, *lines):
    return [str(tree) for tree in parse(grammar, [line.split() for line in lines])]


def test_new_words_between_known_contexts_and_nested(grammar):
    assert trees(grammar, "The zebu of the very old zoo") == [
        "(TOP (C2 (W The) (W zebu)) (W of) (C1 (W the) (W very) (W old) (W zoo)))"
    ]


def test_what_has_no_pattern_stays_flat(grammar):
    assert trees(grammar, "nothing here", "of") == ["(TOP (W nothing) (W here))", "(TOP (W of))"]


def test_a_sentence_does_not_depend_on_its_neighbours(grammar):
    lines = [*TEXT, "the zebu of the zoo", "of"]
    assert trees(grammar, *lines) == [tree for line in lines for tree in trees(grammar, line)]


def test_a_sentence_without_words_and_a_corpus_without_sentences(grammar):
    assert [str(tree) for tree in parse(grammar, [[], ["the"]])] == ["(TOP)", "(TOP (W the))"]
    with pytest.raises(CorpusError, match="empty"):
        parse(grammar, [])


def test_single_words_by_option():
    options = Options.of_system("da", context_fraction=0.2, single_words=True)
    induction = Induction(SENTENCES, options)
    induction.run(10)
    assert trees(induction.grammar, "the dog of us") == ["(TOP (W the) (C2 (W dog)) (W of) (W us))"]


def test_function_word_brackets():
    induction = Induction(SENTENCES, Options.of_system("fwb", context_fraction=0.2))
    assert induction.run(10) == "no pattern"
    assert trees(induction.grammar, "old men saw the very old dog of his") == [
        "(TOP (C (W old) (W men) (W saw)) (W the) (C (W very) (W old) (W dog)) (W of) (W his))"
    ]
    found = bracket(induction.grammar, [["we", "saw", "of", "it"], ["of"], ["him"]])
    assert found == [[("C", 0, 2), ("C", 3, 4)], [], [("C", 0, 1)]]
