"""Side questions against taggers asked one by one, and against every tagging of every string."""

from __future__ import annotations

import itertools
from copy import copy
from functools import partial
from typing import Any

import numpy as np
import oracles
import pytest
from tagging_cases import weights_of

from fstce import TagDictionary, Tagger
from fstce.corpora import Sentence
from fstce.reproduction.material import Material
from fstce.reproduction.tagging import cross_scores
from fstce.reproduction.tagging_trials import parameters
from fstce.tagging.criteria import SUPERVISED

LINES = [
    "the/D dog/N runs/V",
    "dog/N runs/V",
    "the/D runs/N run/V",
    "run/V dog/V",
    "the/D run/N runs/V",
    "wug/V the/D dog/N",
]
TEXT = [
    Sentence(*zip(*(token.split("/") for token in line.split()), strict=True)) for line in LINES
]
MATERIAL = Material(
    TEXT[:5],
    TEXT[5:],
    TagDictionary(
        {"the": "D", "dog": ["N", "V"], "runs": ["N", "V"], "run": ["N", "V"], "wug": "V"}
    ),
)
LOG_LINEAR = ("conditional", "trans1", "delortrans1", "length", "del1word")
VOCABULARY = sorted({word for sentence in MATERIAL.train for word in sentence})
NEIGHBOURS: dict[str, Any] = {
    "conditional": oracles.identity,
    "trans1": oracles.trans1,
    "delortrans1": oracles.delortrans1,
    "del1word": oracles.del1word,
    "length": partial(oracles.length, vocabulary=VOCABULARY),
    "length-oov": partial(oracles.length, vocabulary=[*VOCABULARY, "<unk>"]),
}


def trained(name: str, **options: Any) -> Tagger:
    tagger = Tagger(**parameters(name), order=2, max_iterations=15, **options)
    gold = MATERIAL.gold if tagger.criterion in SUPERVISED else None
    return tagger.fit(MATERIAL.train, gold, dictionary=MATERIAL.dictionary)


@pytest.fixture(scope="module")
def taggers() -> dict[str, Tagger]:
    found = {name: trained(name) for name in (*LOG_LINEAR, "length-oov")}
    return found | {"em": trained("em", smoothing=0.1), "joint": trained("joint", smoothing=0.0)}


@pytest.fixture(scope="module")
def scores(taggers: dict[str, Tagger]) -> dict[str, dict[str, float]]:
    return cross_scores(taggers, MATERIAL)


def test_every_model_has_a_value_under_every_log_linear_criterion(
    scores: dict[str, dict[str, float]], taggers: dict[str, Tagger]
) -> None:
    assert set(scores) == set(taggers)
    assert all(set(row) == {*LOG_LINEAR, "length-oov"} for row in scores.values())


@pytest.mark.parametrize(("model", "criterion"), list(itertools.product(LOG_LINEAR, LOG_LINEAR)))
def test_a_value_is_that_which_the_tagger_itself_measures(
    scores: dict[str, dict[str, float]], taggers: dict[str, Tagger], model: str, criterion: str
) -> None:
    options = {name: value for name, value in parameters(criterion).items() if name != "oov"}
    gold = MATERIAL.gold if criterion == "conditional" else None
    measured = copy(taggers[model]).set_params(**options).measure(MATERIAL.train, gold)
    assert scores[model][criterion] == pytest.approx(measured / MATERIAL.words, abs=1e-9)


@pytest.mark.parametrize("criterion", NEIGHBOURS)
@pytest.mark.parametrize("model", [*LOG_LINEAR, "length-oov", "em", "joint"])
def test_a_value_is_that_of_all_taggings_of_all_neighbours(
    scores: dict[str, dict[str, float]], taggers: dict[str, Tagger], model: str, criterion: str
) -> None:
    """LENGTH with OOV sums over the symbol for unknown words too, whichever model is asked."""
    tagger = taggers[model]
    weights = weights_of(tagger.features_, tagger.theta_)
    value = 0.0
    with np.errstate(invalid="ignore"):
        for sentence, gold in zip(MATERIAL.train, MATERIAL.gold, strict=True):
            own = (
                oracles.log_weight(sentence.words, gold, weights, 2)
                if criterion == "conditional"
                else oracles.BruteTagger([sentence.words], MATERIAL.dictionary, weights, 2).log_z
            )
            others = sorted(NEIGHBOURS[criterion](sentence.words))
            value += own - oracles.BruteTagger(others, MATERIAL.dictionary, weights, 2).log_z
    assert scores[model][criterion] == pytest.approx(value / MATERIAL.words, abs=1e-9)


def test_a_model_that_gives_a_sentence_probability_zero_scores_minus_infinity() -> None:
    """Of counts of other sentences, which never have a verb after a verb."""
    hmm = Tagger(criterion="joint", order=2, smoothing=0.0).fit(
        [s for s in MATERIAL.train if s.words != ("run", "dog")],
        [s.tags or () for s in MATERIAL.train if s.words != ("run", "dog")],
        dictionary=MATERIAL.dictionary,
    )
    assert copy(hmm).set_params(criterion="em").measure([["run", "dog"]]) == -np.inf
    others = {name: trained(name) for name in ("trans1", "conditional")}
    found = cross_scores({**others, "joint": hmm}, MATERIAL)
    # Under conditional likelihood the denominator is zero too.
    assert found["joint"] == {"trans1": -np.inf, "conditional": -np.inf}
    assert all(np.isfinite(value) for name in others for value in found[name].values())
