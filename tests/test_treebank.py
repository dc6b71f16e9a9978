"""The measured bars: the tagger on the Penn Treebank sample, trigrams, σ² = 1, the complete dictionary."""

from __future__ import annotations

import numpy as np
import pytest

from fstce import TagDictionary, Tagger
from fstce.corpora import Sentence, first_words
from fstce.evaluation import Accuracy, random_accuracy, tagging_accuracy


@pytest.fixture(scope="module")
def dictionary(nltk_treebank: list[Sentence]) -> TagDictionary:
    """The tags of every word of the sample."""
    return TagDictionary.from_corpus(nltk_treebank)


@pytest.fixture(scope="module")
def part(nltk_treebank: list[Sentence]) -> list[Sentence]:
    """Its first 24 thousand words."""
    return first_words(nltk_treebank, 24_000)


def trained(kind: str, corpus: list[Sentence], dictionary: TagDictionary) -> Accuracy:
    """The accuracy on the training words themselves, as in the paper."""
    sentences, gold = [s.words for s in corpus], [s.tags for s in corpus]
    tagger = Tagger(kind, order=3, sigma2=1.0).fit(sentences, dictionary=dictionary)
    return tagging_accuracy(sentences, gold, tagger.predict(sentences), dictionary)


def test_the_corpus_is_as_measured(nltk_treebank: list[Sentence], part: list[Sentence]) -> None:
    assert sum(map(len, nltk_treebank)) == 94_084
    assert len({tag for sentence in nltk_treebank for tag in sentence.tags}) == 45
    assert sum(map(len, part)) == 24_020


@pytest.mark.parametrize(
    ("kind", "value", "norm"),
    [("trans1", -3109.4843966836, 87.0773659715), ("delortrans1", -3697.1725904765, 91.0002676246)],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_objective_before_training(
    kind: str, value: float, norm: float, jobs: int, part: list[Sentence], dictionary: TagDictionary
) -> None:
    tagger = Tagger(kind, order=3, jobs=jobs)
    objective = tagger.compile([sentence.words for sentence in part], dictionary=dictionary)
    at_zero, gradient = objective(np.zeros(tagger.features_.size))
    assert at_zero == pytest.approx(value, abs=1e-8)
    assert np.linalg.norm(gradient) == pytest.approx(norm, abs=1e-8)


def test_chance(part: list[Sentence], dictionary: TagDictionary) -> None:
    found = random_accuracy([s.words for s in part], [s.tags for s in part], dictionary)
    assert found.ambiguous == pytest.approx(38.4, abs=0.1)


@pytest.mark.parametrize(("kind", "bar"), [("trans1", 80.0), ("delortrans1", 76.0)])
def test_the_first_24_thousand_words(
    part: list[Sentence], dictionary: TagDictionary, kind: str, bar: float
) -> None:
    assert trained(kind, part, dictionary).ambiguous >= bar
