"""From corpora and a dictionary to the terms of a criterion: what is built once, before any number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Protocol

import numpy as np

from fstce.estimation.resources import Resources
from fstce.grammars import tag_ngrams
from fstce.machines.symbols import UNKNOWN_ID, Symbols
from fstce.numeric.ranges import without_repeats
from fstce.numeric.types import Ints, Rows, Term
from fstce.wfsa.batch import Batch
from fstce.wfsa.building import observed
from fstce.wfsa.features import Describe, Guess, TagFeatures
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.layered import pack_products
from fstce.wfsa.terms import EmissionTable
from fstce.wfsa.training_data import CriterionPart, TrainingData

__all__ = ["Contrast", "TagLookup", "TrainingData", "sentence_batch", "tag_pairs", "with_oov"]

DENSE_LIMIT = 4_000_000  # an HMM with more n-grams keeps those that occur


class TagLookup(Protocol):
    """What is needed of a tagging dictionary."""

    def lookup(self, word: str) -> tuple[str, ...]:
        """The tags that a word may take."""


def tag_pairs(
    symbols: Symbols, words: Iterable[str], dictionary: TagLookup, tags: Sequence[str]
) -> tuple[Ints, Ints]:
    """The allowed (word id, tag number) pairs of these words, ascending."""
    number = {tag: i for i, tag in enumerate(tags)}
    width = len(tags)
    names = list(dict.fromkeys(words))
    ids = symbols.ids(names).tolist()
    keys = [
        word * width + number[tag]
        for word, name in zip(ids, names, strict=True)
        for tag in dictionary.lookup(name)
    ]
    word, tag = np.divmod(np.array(sorted(keys), dtype=np.int64), width)
    return word, tag


def sentence_batch(sentences: Rows, symbols: Symbols, automaton: TagAutomaton, first: int = 1) -> Batch:
    """The product automata of the sentences themselves; `first` numbers the first, for messages."""
    return pack_products(automaton, observed(sentences, symbols, range(first, first + len(sentences))))


class Contrast:
    """The terms of a criterion and the features they need (Smith & Eisner 2005a, Eq. 7).

    ``tags``: all tags, in the order of their numbers. ``spelling``: whether spelling features are added; or
    what names those of a word, which then has no weights of its own. ``oov``: whether unknown words share the
    weights of a symbol of their own. ``rare``: with `oov`, words that the sentences have at most so often
    count as unknown, so that the symbol's weights are learnt. ``dense``: whether every possible tag n-gram
    has a weight, not only those that occur (up to four million; beyond that the others score 1/(T + 1), as an
    unseen history would). ``features``: a trained model's features, for held-out sentences; by default made
    from these. ``guess``: what is believed of words before they are learnt. ``observed``: whether only the
    spellings of observed (word, tag) pairs have weights: a supervised model of many features is as accurate
    with a twentieth of them. ``jobs``: processes that build automata, and threads that add up; −1 for as many
    as there are cores. ``resources``: in place of `jobs`: threads, memory, disk, other machines.
    ``numerators``, ``denominators``: θ → (value, gradient), to be summed; denominators have negative
    coefficients. ``is_length``: whether a denominator is LENGTH, which has no lattices.
    """

    def __init__(
        self,
        data: TrainingData | Sequence[TrainingData],
        dictionary: TagLookup,
        tags: Sequence[str],
        order: int,
        *,
        spelling: bool | Describe = False,
        oov: bool = False,
        rare: int = 0,
        dense: bool = False,
        features: TagFeatures | None = None,
        guess: Guess | None = None,
        observed: bool = False,
        jobs: int | None = None,
        resources: Resources | None = None,
    ) -> None:
        rows = [data] if isinstance(data, TrainingData) else list(data)
        words = Counter(word for row in rows for sentence in row.sentences for word in sentence)
        own = (
            features.symbols
            if features
            else Symbols([] if callable(spelling) else _common(words, rare if oov else 0))
        )
        symbols = Symbols([*own, *words])
        pairs = tag_pairs(symbols, symbols, dictionary, tags)
        if features.has_oov if features else oov:
            pairs = with_oov(*pairs, len(tags))
        automaton = TagAutomaton(*pairs, len(tags), order)
        resources = Resources(jobs) if resources is None else resources
        parts = [
            CriterionPart(row, symbols, automaton, pairs, tags, order, resources, number)
            for number, row in enumerate(rows, 1)
        ]
        self.is_length = any(len(part.lengths) for part in parts)
        if features is None:
            ngrams = _ngrams(parts, len(tags), order, self.is_length, dense)
            missing = -np.log(len(tags) + 1) if dense and not _fits(len(tags), order) else 0.0
            spelt = _observed_pairs(parts, len(tags)) if observed else None
            features = TagFeatures.from_pairs(
                tags, order, symbols, ngrams, *pairs, spelling, missing, own, guess, spelt
            )
        wild = self.is_length or any(part.wild for part in parts)
        for part in parts:
            part.check(pairs, symbols, tags)
        self._symbols, self._pairs, self._wild, self._parts = symbols, pairs, wild, parts
        self._bind(features)

    @property
    def terms(self) -> list[Term]:
        """Numerators, then denominators."""
        return self.numerators + self.denominators

    def bound_to(self, features: TagFeatures) -> Contrast:
        """The same criterion as a function of another model's weights; the automata are shared.

        The other model must know the same words: it was trained on the same corpus.
        """
        bound = copy(self)
        bound._parts = [copy(part) for part in self._parts]
        bound._bind(features)
        return bound

    def _bind(self, features: TagFeatures) -> None:
        self.features = features
        emissions = EmissionTable(features, self._symbols, *self._pairs, wildcards=self._wild)
        sides = [part.terms(features, emissions, self._symbols) for part in self._parts]
        self.numerators = [term for numerators, _ in sides for term in numerators]
        self.denominators = [term for _, denominators in sides for term in denominators]


def with_oov(word: Ints, tag: Ints, n_tags: int) -> tuple[Ints, Ints]:
    """The pairs after those of ``<unk>``, which may take every tag: unknown words may be listed ones."""
    return np.append(np.full(n_tags, UNKNOWN_ID), word), np.append(np.arange(n_tags), tag)


def _common(words: Mapping[str, int], rare: int) -> list[str]:
    """The words in order, without those that occur at most so often."""
    return [word for word, count in words.items() if count > rare]


def _observed_pairs(parts: Sequence[CriterionPart], n_tags: int) -> tuple[Ints, Ints]:
    """The (word, tag) pairs of tagged sentences, ascending."""
    keys = [part.tagged.word * n_tags + part.tagged.tag for part in parts if part.tagged is not None]
    word, tag = np.divmod(without_repeats(np.concatenate(keys)), n_tags)
    return word, tag


def _fits(n_tags: int, order: int) -> bool:
    """Whether every possible n-gram may have a weight."""
    return (n_tags + 1) ** order <= DENSE_LIMIT


def _ngrams(parts: Sequence[CriterionPart], n_tags: int, order: int, is_length: bool, dense: bool) -> Ints:
    """The codes that need weights: all possible ones, or those of the automata and tokens."""
    if is_length or (dense and _fits(n_tags, order)):
        return tag_ngrams.possible(n_tags, order)
    return without_repeats(np.concatenate([codes for part in parts for codes in part.ngrams]))
