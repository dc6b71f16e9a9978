"""What estimators share: parameters as scikit-learn reads them, and checks of what comes in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from fstce.machines.symbols import RESERVED


def test_parameters_are_kept_as_given() -> None:
    tagger = Tagger("length", order=2, sigma2=None)
    params = tagger.get_params()
    assert (params["neighborhood"], params["order"], params["sigma2"]) == ("length", 2, None)
    assert Tagger(**params).get_params() == params
    assert tagger.set_params(order=1, seed=7) is tagger
    assert (tagger.order, tagger.seed) == (1, 7)


def test_an_unknown_parameter_is_named_beside_those_there_are() -> None:
    with pytest.raises(ParameterError, match=r"no parameter 'ordr'.* has neighborhood, order"):
        Tagger().set_params(ordr=2)


def test_repr_shows_what_differs_from_the_defaults() -> None:
    assert repr(Tagger()) == "Tagger()"
    assert repr(Tagger("auto", order=2, sigma2=None)) == "Tagger(order=2, sigma2=None)"


def test_repr_shows_a_dictionary_in_short() -> None:
    lists = {f"word{n}": ["N"] for n in range(1000)}
    assert repr(Tagger(gazetteer=lists)).startswith("Tagger(gazetteer={'word0': ['N'], ")
    assert len(repr(Tagger(gazetteer=lists))) < 100


def test_scikit_learn_clones() -> None:
    base = pytest.importorskip("sklearn.base")
    tagger = Tagger("length", order=2).fit([["a", "b"]], dictionary={"a": "X", "b": "Y"})
    clone = base.clone(tagger)
    assert clone.get_params() == tagger.get_params()
    assert not hasattr(clone, "theta_")


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
