"""Tiny lattices with all that weighs them, and their brute-force readings, for the corrector's tests."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from oracles_correction import BruteReadings, KneserNey
from tagging_cases import DICTIONARY, contrast_of, random_theta, to_columns, weights_of, with_end

from fstce.correction.factors.candidate_lattices import CandidateLattices, read_arcs
from fstce.correction.factors.columns import COLUMNS, Factors, scored
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.factors.respelling import Rewrites
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.punctuation import Punctuate
from fstce.correction.mistakes.spelling import Spell
from fstce.machines import Symbols
from fstce.machines.lattice import Lattice
from fstce.speller.channel import Channel
from fstce.tagging.export import WeightedTagger
from fstce.wfsa.sumproduct import SumProduct

COUNTS = {"The": 4, "dogs": 3, "runs": 2, "rún": 1, "run": 5, "ran": 1, "dog": 1}
TEXT = [
    row.split()
    for row in ("The dogs run .", "dogs , run", "The dogs runs ,", "run", "The runs run .")
]
MARKS = frozenset({",", "."})
OBSERVED = ["The", "dgos", "run", "rnu", ",", ".", "wug", "Wug"]
SENTENCES = st.lists(st.sampled_from(OBSERVED), min_size=1, max_size=3)
EXPONENTS = st.lists(st.floats(0, 2), min_size=len(COLUMNS), max_size=len(COLUMNS)).map(np.array)
SPELLING = SpellingModel(COUNTS)
SOME = settings(max_examples=settings.default.max_examples // 4)  # each takes long


def kind(punctuate: bool) -> Spell | Punctuate:
    if not punctuate:
        candidates = Candidates(COUNTS, channel=Channel(0.7, 1.3, 0.9, 0.4), accents=True)
        return Spell(candidates, weighted=True)
    return Punctuate(1, sorted(MARKS), channel=Channel(0.6, 1.1, 1.4, 0.8), weighted=True)


def known(word: str) -> bool:
    return word in COUNTS or word in MARKS


def share(word: str) -> float:
    """A lexicon of words with a t in them."""
    return -1.5 if "t" in word else 0.0


def read(
    lattices: Sequence[Lattice],
    factors: Factors,
    exponents: np.ndarray,
    *,
    marks: frozenset[str] = frozenset(),
    observed: Sequence[Sequence[str]],
    prune: float = 1e-6,
    rewrites: Rewrites | None = None,
) -> CandidateLattices:
    """The readings of lattices over one alphabet, their weights the channel's costs."""
    machines = to_columns([with_end(lattice.arrays) for lattice in lattices])
    found = scored(machines, lattices[0].symbols, factors, observed, marks, rewrites)
    names = [lattice.name for lattice in lattices]
    return read_arcs(found, names, factors, exponents, prune)


def log_z(lattices: CandidateLattices, exponents: np.ndarray) -> np.ndarray:
    """The log of the sum over each sentence's paths."""
    batch, scores = lattices.weighted(exponents)
    return SumProduct(batch).log_z(scores)


class Case:
    """Lattices, what weighs them, and their readings beside the brute force ones."""

    def __init__(
        self,
        sentences: Sequence[Sequence[str]],
        exponents: np.ndarray,
        *,
        ngrams: int = 3,
        order: int = 2,
        punctuate: bool = False,
        prune: float = 0.0,
    ) -> None:
        neighborhood = kind(punctuate)
        words = list(dict.fromkeys(itertools.chain.from_iterable(sentences)))
        symbols = Symbols([*words, *neighborhood.introduced(words)])
        self.sentences, self.exponents = sentences, exponents
        self.marks = MARKS if punctuate else frozenset()
        self.lattices = list(neighborhood.expand(sentences, symbols))
        features = contrast_of("trans1", order or 1).features
        theta = random_theta(features, seed=1)
        tagger = WeightedTagger(features, theta, DICTIONARY) if order else None
        model = NgramModel(TEXT, ngrams) if ngrams else None
        self.factors = Factors(tagger, model, SPELLING, known, share)
        self.candidates: CandidateLattices = read(
            self.lattices,
            self.factors,
            exponents,
            marks=self.marks,
            observed=sentences,
            prune=prune,
        )
        self.brute = [
            BruteReadings(
                lattice,
                tuple(row),
                exponents.tolist(),
                known,
                KneserNey(TEXT, ngrams).log_p if ngrams else None,
                lambda word: float(SPELLING([word])[0]),
                (weights_of(features, theta), DICTIONARY, order) if order else None,
                self.marks,
                share,
            )
            for lattice, row in zip(self.lattices, sentences, strict=True)
        ]
