"""LENGTH costs no more an evaluation than TRANS1: ``python -m pytest tests/benchmarks/test_length.py``.

Both objectives are those of trigram taggers on the first 24 thousand words of the Penn
Treebank sample with the dictionary of all of it, at weights like a training's first
steps and at wild ones, for which the chain of wildcards settles later.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from plot_10_all_sentences import TagUniverse
from tagging_cases import length_sums

from fstce import TagDictionary, neighborhood
from fstce.corpora import Sentence, first_words
from fstce.estimation.objective import GaussianPrior, Objective
from fstce.grammars import tag_ngrams
from fstce.wfsa.compile import Contrast, TrainingData

Floats = NDArray[np.float64]
ROUNDS = 40
NAMES = ("length", "trans1")


@pytest.fixture(scope="module")
def contrasts(nltk_treebank: list[Sentence]) -> dict[str, Contrast]:
    dictionary = TagDictionary.from_corpus(nltk_treebank)
    sentences = [tuple(sentence.words) for sentence in first_words(nltk_treebank, 24_000)]
    return {
        name: Contrast(
            TrainingData(sentences, neighborhood(name)), dictionary, dictionary.tagset, 3
        )
        for name in NAMES
    }


def milliseconds(contrast: Contrast, scale: float) -> float:
    """The least time of one objective and gradient, over weights as far apart as a training's steps."""
    rng = np.random.default_rng(0)
    start = rng.normal(0, scale, contrast.features.size)
    thetas = itertools.cycle([start + rng.normal(0, scale / 10, len(start)) for _ in range(4)])
    objective, seconds = Objective(contrast.terms, GaussianPrior(1.0)), []
    for _ in range(ROUNDS):
        theta, begin = next(thetas), time.perf_counter()
        objective(theta)
        seconds.append(time.perf_counter() - begin)
    return min(seconds) * 1e3


@pytest.mark.parametrize("scale", [0.1, 1.0])
def test_length_costs_no_more_than_trans1(
    contrasts: dict[str, Contrast], scale: float, report: list[str]
) -> None:
    length, trans1 = (milliseconds(contrasts[name], scale) for name in NAMES)
    report.append(
        f"24 thousand words, weights of deviation {scale}: objective and gradient "
        f"LENGTH {length:.2f} ms, TRANS1 {trans1:.2f} ms (ratio {length / trans1:.2f})"
    )
    assert length <= trans1


def trigrams(n_tags: int) -> tuple[Floats, Floats]:
    """Random scores of the possible tag trigrams and of the wildcards."""
    rng = np.random.default_rng(0)
    table = np.full((n_tags + 1) ** 3, -np.inf)
    codes = tag_ngrams.possible(n_tags, 3) - 1
    table[codes] = rng.normal(0, 1.0, len(codes))
    return table, rng.normal(0, 1.0, n_tags)


def least_milliseconds(run: Callable[[], object]) -> float:
    seconds = []
    for _ in range(5):
        begin = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begin)
    return min(seconds) * 1e3


@pytest.mark.parametrize("n_tags", [45, 200])
def test_one_evaluation_of_the_chain(n_tags: int, report: list[str]) -> None:
    scores = (3, *trigrams(n_tags), np.arange(1, 61), np.ones(60))
    assert np.all(np.isfinite(length_sums(*scores)[0]))
    cost = least_milliseconds(lambda: length_sums(*scores))
    report.append(f"Σ^m for m = 1 … 60, {n_tags} tags, trigrams: {cost:.1f} ms an evaluation")


def test_one_evaluation_of_the_universe(report: list[str]) -> None:
    universe, (table, wild) = TagUniverse(45, 3), trigrams(45)
    assert np.isfinite(universe(table, wild - 6.0)[0])
    cost = least_milliseconds(lambda: universe(table, wild - 6.0))
    report.append(f"Σ*, 45 tags, trigrams: {cost:.1f} ms an evaluation")
