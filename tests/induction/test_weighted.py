"""Probabilities that sum to 1, in a notation that NLTK reads."""

from collections import defaultdict

import nltk
import pytest
from hypothesis import given
from oracles_distribution import options, texts

from fstce.induction import Induction, Options, productions, to_pcfg


@given(texts, options)
def test_every_left_side_sums_to_one(text, options):
    induction = Induction(text, options)
    induction.run(8)
    sums = defaultdict(float)
    for left, _, probability in productions(induction.grammar):
        assert probability > 0
        sums[left] += probability
    assert set(sums) == {"TOP", *induction.grammar.classes}
    assert all(total == pytest.approx(1) for total in sums.values())


def test_nltk_reads_it_and_derives_the_text():
    text = ["the dog of it", "the old dog of us", "the cat of it"]
    induction = Induction([line.split() for line in text], Options.of_system("da-stop", context_fraction=0.2))
    induction.run(5)
    grammar = nltk.PCFG.fromstring(to_pcfg(induction.grammar))
    assert str(grammar.start()) == "TOP"
    assert len(grammar.productions()) == len(list(productions(induction.grammar)))
    for line in text:
        assert nltk.ViterbiParser(grammar).parse_one(line.split()) is not None


def test_a_joined_class_adds_up_its_steps():
    lines = ("the dog of", "the dog of", "the cat of", "the of", "a dog in", "a cow in", "a in", "a in")
    options = Options(context_fraction=0.5, boundaries=False, overlap_threshold=0.4)
    induction = Induction([line.split() for line in lines], options)
    induction.run(10)
    of_class = [production for production in productions(induction.grammar) if production.left == "C1"]
    assert [(right, share) for _, right, share in of_class] == [
        (("'dog'",), 0.6),
        (("'cat'",), 0.2),
        (("'cow'",), 0.2),
    ]


def test_quotes_in_words_and_small_probabilities():
    text = [["the", word, "of"] for word in ["o'clock", 'say"', "'\"", *(["x"] * 30_000)]]
    induction = Induction(text, Options(context_fraction=0.3, boundaries=False))
    induction.run(1)
    lines = to_pcfg(induction.grammar)
    assert 'C1 -> "o\'clock" [0.0000333' in lines
    assert "C1 -> 'say\"' [" in lines
    assert "C1 -> \"'''\" [" in lines
    assert len(nltk.PCFG.fromstring(lines).productions()) == 7
