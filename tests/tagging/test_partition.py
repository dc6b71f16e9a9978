"""Neighborhoods that partition the sentences are EM (Smith & Eisner 2005a, Eq. 9), by enumeration.

With the probability of each class left free, log p(x) = log q(N(x)) + log p(x | N(x)) is a model of
all sentences, of which the objective is the likelihood but for a constant: EM's.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable

import numpy as np
import pytest
from oracles import BruteTagger, Words
from tagging_cases import DICTIONARY, ORDERS, random_theta

from fstce import Tagger

WORDS = ("The", "dogs", "runs")
EVERY = [string for n in (1, 2, 3) for string in itertools.product(WORDS, repeat=n)]
CORPUS = [("The", "dogs", "runs"), ("dogs", "runs"), ("The", "dogs"), ("runs", "dogs", "dogs")]


def orbit(words: Words) -> Hashable:
    """The first of all rotations."""
    return min(words[i:] + words[:i] for i in range(len(words)))


PARTITIONS: dict[str, Callable[[Words], Hashable]] = {"length": len, "rotations": orbit}


def weighing(neighborhood: str, order: int, seed: int) -> Tagger:
    """A tagger of all strings with random weights."""
    tagger = Tagger(neighborhood, order=order, unknown_word_model=False)
    tagger.compile(EVERY, dictionary=DICTIONARY)
    tagger.theta_ = random_theta(tagger.features_, seed)
    return tagger


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", PARTITIONS)
def test_the_objective_is_the_likelihood_of_a_model_of_all_sentences(name: str, order: int) -> None:
    class_of = PARTITIONS[name]
    members = defaultdict(list)
    for string in EVERY:
        members[class_of(string)].append(string)
    times = Counter(map(class_of, CORPUS))
    share = {key: n / len(CORPUS) for key, n in times.items()}  # by maximum likelihood

    for seed in range(3):
        tagger = weighing(name, order, seed)
        weights = dict(zip(tagger.features_.names, tagger.theta_.tolist(), strict=True))
        log_sum = {x: BruteTagger([x], DICTIONARY, weights, order).log_z for x in EVERY}
        log_class = {
            key: float(np.logaddexp.reduce([log_sum[x] for x in strings]))
            for key, strings in members.items()
        }
        p = {
            x: share.get(class_of(x), 0.0) * math.exp(log_sum[x] - log_class[class_of(x)])
            for x in EVERY
        }
        assert sum(p.values()) == pytest.approx(1.0)

        likelihood = sum(math.log(p[x]) for x in CORPUS)
        constant = sum(math.log(share[class_of(x)]) for x in CORPUS)
        assert tagger.measure(CORPUS) == pytest.approx(likelihood - constant)


def added(neighborhood: str) -> float:
    """Σ p(x | N(x)) over the six orders of three words."""
    tagger = weighing(neighborhood, 2, 0)
    return sum(math.exp(tagger.measure([string])) for string in itertools.permutations(WORDS))


def test_neighborhoods_that_overlap_are_no_such_model() -> None:
    assert added("rotations") == pytest.approx(2.0)  # two classes
    assert abs(added("trans1") - round(added("trans1"))) > 0.01
