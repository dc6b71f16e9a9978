"""What estimators share: parameters as scikit-learn reads them, and checks of what comes in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_cases import TEXT, Toy

from fstce import (
    DependencyParser,
    DirectedAlignment,
    LatentGrammar,
    Tagger,
    TaggerProduct,
)
from fstce.corpora import sample
from fstce.corpora.words import checked_sentences
from fstce.errors import CorpusError, NotFittedError, ParameterError
from fstce.estimation.estimator import check_begun, checked_weights
from fstce.estimation.maximize import Training
from fstce.machines.symbols import RESERVED
from fstce.parameters.rules import instance


@pytest.mark.parametrize("method", ["predict", "predict_proba", "entropy", "score"])
def test_nothing_is_told_before_training(method: str) -> None:
    with pytest.raises(NotFittedError, match="this Tagger is not trained yet; call fit or load"):
        getattr(Tagger(), method)([["a"]])


def test_the_error_is_of_the_kinds_that_callers_expect() -> None:
    for kind in (ValueError, AttributeError):
        with pytest.raises(kind):
            Tagger().objective([["a"]], np.zeros(1))


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ("a b", "a string was given; split it first"),
        ([], "there is no sentence"),
        ([["a"], []], "sentence 2 is empty; leave it out"),
        ([["a"], "b c"], r"sentence 2 is 'b c', not a list of words"),
        ([["a", "b c"]], r"sentence 1: 'b c' is no word"),
        ([["a"], ["b", ""]], r"sentence 2: '' is no word"),
        ([["a", 7]], "sentence 1: 7 is no word"),
        ([["a\0"]], "it holds NUL"),
        ([["a\u00a0b"]], "is no word"),
        *(([[word]], f"sentence 1: '{word}' is no word: it is spelt like") for word in RESERVED),
    ],
)
def test_bad_sentences_are_named(sentences, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        checked_sentences(sentences)


@given(st.lists(st.lists(st.text("aé.-7<", min_size=1), min_size=1), min_size=1))
def test_good_sentences_pass_from_any_iterable(sentences: list[list[str]]) -> None:
    assert checked_sentences(iter(sentences)) == sentences
    assert checked_sentences(tuple(map(tuple, sentences))) == [tuple(row) for row in sentences]


def test_of_no_sentence_nothing_is_predicted() -> None:
    """A service may be asked for the tags of an empty page."""
    words, tags = [["we", "fish"], ["we", "swim"]], [["P", "V"], ["P", "V"]]
    dictionary = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    tagger = Tagger("trans1", order=2, max_iterations=1).fit(words, dictionary=dictionary)
    parser = DependencyParser(max_iterations=1).fit(tags)
    product = TaggerProduct([tagger])
    grammar = LatentGrammar(cycles=0).fit(sample()[:8])
    inducer = DirectedAlignment(iterations=1).fit(words * 3)
    for model in (tagger, product, parser, grammar, inducer):
        assert model.predict([]) == model.predict(iter(())) == []
    assert tagger.predict_proba([]) == parser.predict_proba([]) == []
    with pytest.raises(NotFittedError):
        DependencyParser().predict([])


def test_a_toy_says_what_it_is_and_what_it_has_learnt() -> None:
    toy = Toy(loud=True)
    toy.rules = {
        **Toy.rules,
        "other": instance("a toy", "Toy"),
        "loud": instance("", "bool", "str"),
    }
    toy.other = Toy(start=2.0)
    assert repr(toy) == "Toy(loud=True, other=Toy(start=2.0))"
    assert "not trained yet" in toy._repr_html_() and "<th" in toy._repr_html_()
    toy.fit(TEXT)
    told = repr(toy)
    assert told.startswith(
        "<Toy(loud=True, other=Toy(start=2.0)): 2 weights; trained on 2 sentences, 5 words"
    )
    assert "objective 0.00 nats" in told and "converged" in told
    toy.words_, toy.loud = ["we", "us"], "<b>"
    assert "2 weights, 2 words" in repr(toy) and "&lt;b&gt;" in toy._repr_html_()
    del toy.training_
    assert "objective" not in repr(toy)
    toy.criterion, toy.training_ = "em", Training(np.zeros(2), -1234.5, [], "converged")
    assert "objective em -1,234.50 nats" in repr(toy)


def test_weights_are_checked() -> None:
    assert checked_weights([1, -np.inf], 2).tolist() == [1.0, -np.inf]
    for wrong, message in (
        ("many", "give an array of 2 weights"),
        ([1.0], r"shape \(1,\); this model has 2"),
        ([1.0, np.nan], "entries that are no weights"),
        ([1.0, np.inf], "entries that are no weights"),
    ):
        with pytest.raises(ParameterError, match=message):
            checked_weights(wrong, 2)


def test_a_training_goes_on_as_it_was_begun() -> None:
    begun, now = {"cycles": 2, "seed": 1}, {"cycles": 4, "seed": 1, "jobs": 2}
    check_begun("cycles", 2, {"seed": 1}, now)
    with pytest.raises(
        ParameterError, match="cycles=4: this grammar was trained for 5 already; give 5"
    ):
        check_begun("cycles", 5, begun, now)
    with pytest.raises(
        ParameterError, match="begun with seed=1, not 2; go on with the same settings"
    ):
        check_begun("cycles", 2, {"seed": 1}, {**now, "seed": 2})


def test_what_is_no_list_is_no_sentence() -> None:
    with pytest.raises(CorpusError, match="sentence 2 is 7, not a list of words"):
        checked_sentences([["a"], 7])  # type: ignore[list-item]
