"""Without hidden variables the objective is concave, with them it is not (2005a, §3.3, note 3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fstce import TagDictionary, Tagger
from fstce.corpora import sample

TEXT = [sentence for sentence in sample() if len(sentence) <= 8][:12]
GOLD = [list(sentence.tags or ()) for sentence in TEXT]
DICTIONARY = TagDictionary.from_corpus(sample()[:200], min_count=3)


def sags(tagger: Tagger, tags: list[list[str]] | None) -> np.ndarray:
    """f(middle) − the mean of f at the ends, over random chords; negative where f is not concave."""
    objective = tagger.compile(TEXT, tags, dictionary=DICTIONARY)
    rng = np.random.default_rng(5)

    def value(theta: np.ndarray) -> float:
        return objective(theta)[0]

    found = []
    for scale in (0.5, 2.0, 5.0) * 10:
        left, right = scale * rng.standard_normal((2, len(tagger.initial_weights())))
        found.append(value((left + right) / 2) - (value(left) + value(right)) / 2)
    return np.array(found)


@pytest.mark.parametrize(
    "parameters",
    [
        {"criterion": "conditional"},
        {"criterion": "supervised-contrastive", "neighborhood": "trans1"},
    ],
    ids=str,
)
def test_observed_tags_make_the_objective_concave(parameters: dict[str, Any]) -> None:
    assert (sags(Tagger(**parameters, order=2, sigma2=None), GOLD) > 0).all()


@pytest.mark.filterwarnings("ignore:the tags N, V are interchangeable")
def test_hidden_tags_do_not() -> None:
    """Between two optima, of which one calls N what the other calls V, lies a valley."""
    lines = ["the old dog saw a cat", "a dog saw the cat", "the cat ran"]
    text = [line.split() for line in lines]
    words = {word for sentence in text for word in sentence}
    dictionary = TagDictionary({word: ["N", "V"] for word in words})
    taggers = [
        Tagger("trans1", order=2, sigma2=100, start="random", seed=seed) for seed in range(4)
    ]
    optima = [tagger.fit(text, dictionary=dictionary).theta_ for tagger in taggers]

    objective = taggers[0].compile(text, dictionary=dictionary)
    ends = [objective(theta)[0] for theta in optima]
    middles = [objective((optima[0] + theta) / 2)[0] for theta in optima]
    assert min(np.array(middles) - (ends[0] + np.array(ends)) / 2) < -0.5
