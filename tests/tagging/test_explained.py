"""What explanations ask of a tagger, against the enumeration of taggings."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from oracles import log_sum, log_weight, tagged_features, taggings
from tagging_cases import CORPUS, DICTIONARY, ORDERS, random_theta

from fstce import Tagger, TaggerProduct, neighborhood
from fstce.errors import NotFittedError, ParameterError
from fstce.tagging.explained import TaggerModel, explained, lattice_arcs

WORDS = ("The", "dogs", "run")
STRINGS = [WORDS, ("dogs", "The", "run"), ("run",)]


def _tagger(order: int) -> Tagger:
    tagger = Tagger("trans1", order=order, unknown_word_model=False)
    tagger.compile(CORPUS, dictionary=DICTIONARY)
    tagger.theta_ = random_theta(tagger.features_, 3)
    return tagger


def _over_neighbors(tagger: Tagger) -> TaggerModel:
    asked = explained(tagger)
    (lattice,) = neighborhood("trans1").expand([WORDS], asked.symbols(WORDS))
    return asked.over(lattice)


def _scores(tagger: Tagger, words: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    weights = dict(zip(tagger.features_.names, tagger.theta_.tolist(), strict=True))
    return {
        tags: log_weight(words, tags, weights, tagger.order) for tags in taggings(words, DICTIONARY)
    }


@pytest.mark.parametrize("order", ORDERS)
def test_sums_of_strings_are_those_of_their_taggings(order: int) -> None:
    tagger = _tagger(order)
    asked = _over_neighbors(tagger)
    scores = [_scores(tagger, words) for words in STRINGS]
    log_z = [log_sum(of_tags.values()) for of_tags in scores]
    assert asked.log_z(STRINGS).tolist() == pytest.approx(log_z, abs=1e-9)

    expected = Counter[tuple[str, ...]]()
    for tags, score in scores[0].items():
        for name, n in tagged_features(WORDS, tags, order).items():
            expected[name] += n * float(np.exp(score - log_z[0]))
    sums = asked.of(STRINGS)[0]
    used = np.flatnonzero(sums.counts)
    counts = dict(zip(asked.names(used), sums.counts[used].tolist(), strict=True))
    assert counts == pytest.approx({n: c for n, c in expected.items() if n in counts}, abs=1e-9)
    assert {*counts} == {*expected} & {*tagger.features_.names}


@pytest.mark.parametrize("order", ORDERS)
def test_the_best_strings_are_those_of_the_best_taggings(order: int) -> None:
    tagger = _tagger(order)
    strings = [WORDS, ("dogs", "The", "run"), ("The", "run", "dogs")]
    scores = {words: [*_scores(tagger, words).values()] for words in strings}
    ranked = sorted((score for of_tags in scores.values() for score in of_tags), reverse=True)
    best = _over_neighbors(tagger).best(4)
    assert len(best) == 4
    for words, score in zip(best, ranked, strict=False):  # equal ones in any order
        assert min(abs(own - score) for own in scores[words]) < 1e-9


def test_each_arc_of_the_product_lies_on_one_of_the_lattice() -> None:
    asked = _over_neighbors(_tagger(2))
    arc = lattice_arcs(asked.product, asked.lattice)
    words = asked.product.word[asked.product.cell]
    assert (asked.lattice.arrays.ilabel[arc[arc >= 0]] == words[arc >= 0]).all()
    assert {*arc[arc >= 0].tolist()} == {*range(len(asked.lattice.arrays.source))}
    leaving = asked.lattice.arrays.source == asked.lattice.arrays.start
    assert asked.arc_posteriors()[leaving].sum() == pytest.approx(1)


def test_what_is_asked_about_is_the_models_own_contrast() -> None:
    tagger = _tagger(2)
    assert explained(tagger).contrast(None) == "trans1"
    assert explained(tagger).contrast("length") == "length"
    assert explained(tagger.set_params(neighborhood="auto")).contrast("auto") == "trans1"


def test_a_product_and_a_tagger_that_is_not_trained_are_refused() -> None:
    with pytest.raises(ParameterError, match="a product of taggers is no one machine"):
        explained(TaggerProduct([_tagger(2)]))
    with pytest.raises(NotFittedError):
        explained(Tagger())
