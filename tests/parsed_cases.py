"""A tiny tagged text, and every (sentence, tags, tree) triple of observed sentences, one by one."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from oracles_trees import Heads, projective_trees, tree_features

from fstce.chart import DependencyModel
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parameters import PARSED_SCORES as COLUMNS
from fstce.correction.parsed import Emissions
from fstce.speller.channel import Channel

TEXT = [
    row.split()
    for row in ("the dogs run", "dogs run the ran", "the dog runs", "run", "a wug-2 ran")
]
TAGS = [row.split() for row in ("D N V", "V N D V", "D N V", "N", "D N V")]
# The same with a capital, which says less where a sentence begins.
CASED = [
    row.split()
    for row in ("the dogs run", "dogs run the ran", "The dog runs", "run", "a wug-2 ran")
]
COUNTS, CASED_COUNTS = Counter(itertools.chain(*TEXT)), Counter(itertools.chain(*CASED))
EMISSIONS, SPELLING = Emissions.of_text(TEXT, TAGS), SpellingModel(COUNTS)
CHANNEL = Channel(0.7, 1.3, 0.9, 0.4)
MODEL = DependencyModel(["V", "N", "D"])  # in another order than the emissions have
THETA = np.random.default_rng(3).normal(size=MODEL.size)
FIRST = np.array([0.8, 0.6, 0.5, 1.4, 2.0, 0.2])
NAMED = dict(zip(COLUMNS, FIRST.tolist(), strict=True))
OBSERVED = [["the", "dgos", "rnu"], ["wug"], ["dgo", "runs"], ["the", "ran"]]

SENTENCES = st.lists(
    st.lists(st.sampled_from(["the", "dgos", "rnu", "Dog", "wug"]), min_size=1, max_size=3),
    min_size=1,
    max_size=2,
)
EXPONENTS = st.lists(st.floats(0, 2), min_size=len(COLUMNS), max_size=len(COLUMNS)).map(np.array)
SOME = settings(max_examples=settings.default.max_examples // 4)  # each takes long


class Triple(NamedTuple):
    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: Heads


class Brute:
    """All triples of one sentence and their columns."""

    def __init__(self, observed: Sequence[str], theta: np.ndarray = THETA) -> None:
        candidates = Candidates(COUNTS, channel=CHANNEL)
        weights = dict(zip(MODEL.names, theta.tolist(), strict=True))
        self.columns: dict[Triple, np.ndarray] = {}
        for chosen in itertools.product(*(candidates.of([word])[word] for word in observed)):
            words = tuple(word for word, _, _ in chosen)
            rows = [
                dict(zip(*EMISSIONS(word, i == 0), strict=True)) for i, word in enumerate(words)
            ]
            edited = [own for own, word in zip(observed, words, strict=True) if own != word]
            unknown = [word for word in words if word not in COUNTS]
            for numbers in itertools.product(*rows):
                tags = tuple(EMISSIONS.tags[t] for t in numbers)
                for heads in projective_trees(len(words)):
                    self.columns[Triple(words, tags, heads)] = np.array(
                        [
                            sum(
                                weights[name] * n for name, n in tree_features(tags, heads).items()
                            ),
                            sum(row[t] for row, t in zip(rows, numbers, strict=True)),
                            -sum(cost for _, cost, _ in chosen),
                            -len(edited),
                            -len(unknown),
                            sum(SPELLING(unknown)),
                        ]
                    )

    def score(self, exponents: np.ndarray) -> dict[Triple, float]:
        return {triple: float(exponents @ row) for triple, row in self.columns.items()}


def spelt() -> Spell:
    return Spell(Candidates(COUNTS, channel=CHANNEL))
