"""Grammars as people read them."""

from fstce.induction.learner import Induction
from fstce.induction.parameters import Options

LINES = ("the dog of", "the dog of", "the cat of", "the of", "a dog in", "a cow in", "a in", "a in")
TEXT = [line.split() for line in LINES]


def grammar(**changes):
    options = {"context_fraction": 0.5, "boundaries": False, **changes}
    induction = Induction(TEXT, Options(**options))
    induction.run(10)
    return induction.grammar


def test_a_rule_gives_counts_shares_and_contexts():
    first, second = grammar().rules()
    assert first.name == "C1"
    assert first.expressions == ((("dog",), 2), (("cat",), 1))
    assert (first.contexts, second.contexts) == (("the [_] of",), ("a [_] in",))
    assert str(second) == "C2 → cow 1 | dog 1    in a [_] in"


def test_a_joined_class_adds_up_its_steps():
    (rule,) = grammar(overlap_threshold=0.4).rules()
    assert rule.expressions == ((("dog",), 3), (("cat",), 1), (("cow",), 1))
    assert rule.contexts == ("the [_] of", "a [_] in")


def test_an_attached_context_stands_in_the_brackets():
    left = [line.split() for line in ("the dog of", "the cat of", "of it")]
    induction = Induction(
        left, Options(context_fraction=0.4, boundaries=False, attachment="directional")
    )
    induction.run(1)
    assert str(induction.grammar) == "C1 → the cat 1 | the dog 1    in [the _] of"
    right = [line.split() for line in ("the dog ago", "the cat ago", "it the")]
    induction = Induction(
        right, Options(context_fraction=0.4, boundaries=False, attachment="directional")
    )
    induction.run(1)
    assert str(induction.grammar) == "C1 → cat ago 1 | dog ago 1    in the [_ ago]"


def test_an_empty_grammar():
    induction = Induction(TEXT, Options(context_fraction=0.5))
    assert (str(induction.grammar), induction.grammar.classes) == ("", ())
