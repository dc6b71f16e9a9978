"""From sentences and a dictionary to packed automata: what is built once, before any number.

Equal sentences are built once and counted. The sentence's own lattice is the numerator
of the contrast, its neighbourhood the denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fstce.grammars import tag_ngrams
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.parallel import map_shards
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods import Neighborhood
from fstce.wfsa.batch import Batch, Columns, join, lay, pack
from fstce.wfsa.features import TagFeatures
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.kernels import total
from fstce.wfsa.shards import split
from fstce.wfsa.terms import EmissionTable, LatticeSum, LengthSum

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Sentences = Sequence[Sequence[str]]
Term = Callable[[Floats], tuple[float, Floats]]


class Lookup(Protocol):
    """What is needed of a tagging dictionary."""

    def lookup(self, word: str) -> tuple[str, ...]:
        """The tags that a word may take."""


def tag_pairs(
    symbols: Symbols, words: Iterable[str], dictionary: Lookup, tags: Sequence[str]
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


def sentence_batch(sentences: Sentences, symbols: Symbols, automaton: TagAutomaton, first: int = 1) -> Batch:
    """The product automata of the sentences themselves; `first` numbers the first, for messages."""
    return pack(_observed(sentences, symbols, automaton, range(first, first + len(sentences))))


def _observed(
    sentences: Sentences, symbols: Symbols, automaton: TagAutomaton, numbers: Iterable[int]
) -> list[Arrays]:
    lattices = (
        Lattice.of_sentence(s, symbols, f"sentence {n}") for n, s in zip(numbers, sentences, strict=False)
    )
    return automaton.products(lattices)


class Contrast:
    """The contrastive terms of a corpus and the features they need (Smith & Eisner 2005a, Eq. 7).

    Parameters
    ----------
    sentences : sequence of sequences of str
    dictionary : Lookup
        The tags of every word.
    tags : sequence of str
        All tags, in the order of their numbers.
    kind : Neighborhood
        What each sentence is contrasted with.
    order : {1, 2, 3}
        The length of a tag n-gram.
    spelling : bool
        Whether spelling features are added.
    features : TagFeatures, optional
        A trained model's features, for held-out sentences; by default made from these.
    jobs : int, optional
        Processes that build automata; −1 for as many as there are cores.

    Attributes
    ----------
    features : TagFeatures
    terms : list of callables
        θ → (value, gradient), to be summed.
    """

    def __init__(
        self,
        sentences: Sentences,
        dictionary: Lookup,
        tags: Sequence[str],
        kind: Neighborhood,
        order: int,
        spelling: bool = False,
        features: TagFeatures | None = None,
        jobs: int | None = None,
    ) -> None:
        first: dict[tuple[str, ...], int] = {}
        for number, sentence in enumerate(sentences, 1):
            first.setdefault(tuple(sentence), number)
        counted = Counter(map(tuple, sentences))
        distinct, times = list(first), np.array([counted[s] for s in first], dtype=np.float64)
        words = [word for sentence in distinct for word in sentence]
        symbols = Symbols([*(features.symbols if features else ()), *words])
        pairs = tag_pairs(symbols, symbols, dictionary, tags)
        automaton = TagAutomaton(*pairs, len(tags), order)
        lengths = _lengths(distinct, symbols, kind)
        self.is_length = len(lengths) > 0
        denominator = None if self.is_length else kind
        columns = _automata(first, symbols, automaton, denominator, jobs)
        coefficient = times if self.is_length else np.append(times, -times)
        ngrams = tag_ngrams.possible(len(tags), order) if self.is_length else columns.ngram
        self.features = features or TagFeatures.from_pairs(tags, order, symbols, ngrams, *pairs, spelling)
        wild = self.is_length or bool(np.any(columns.word == SIGMA_ID))
        emissions = EmissionTable(self.features, symbols, *pairs, wildcards=wild)
        self.terms: list[Term] = [
            LatticeSum(self.features, emissions, pack(shard), coefficient[machines])
            for machines, shard in split(columns)
        ]
        if self.is_length:
            n, total = _summed(lengths, -times)
            self.terms.append(LengthSum(self.features, emissions, n, total))


def _automata(
    numbered: Mapping[tuple[str, ...], int],
    symbols: Symbols,
    automaton: TagAutomaton,
    kind: Neighborhood | None,
    jobs: int | None,
) -> Columns:
    """The numbered sentences' product automata, then those of their neighbourhoods of this kind, if any."""

    def work(shard: Sequence[tuple[Sequence[str], int]]) -> list[Columns]:
        words, numbers = zip(*shard, strict=True)
        observed = lay(_observed(words, symbols, automaton, numbers))
        if kind is None:
            return [observed]
        return [observed, lay(automaton.products(kind.expand(words, symbols, numbers)))]

    parts = zip(*map_shards(work, list(numbered.items()), jobs), strict=True)
    return join([part for parts_of_a_kind in parts for part in parts_of_a_kind])


def _lengths(sentences: Sentences, symbols: Symbols, kind: Neighborhood) -> Ints:
    """The lengths m if all neighbourhoods are Σ^m, summed without lattices; else none."""
    if not (kind.equivariant and _wildcards(next(kind.expand(sentences[:1], symbols)))):
        return np.zeros(0, dtype=np.int64)
    lengths = np.array([_wildcards(lattice) for lattice in kind.expand(sentences, symbols)])
    return lengths if np.all(lengths > 0) else np.zeros(0, dtype=np.int64)


def _wildcards(lattice: Lattice) -> int:
    """The length m of a lattice that is Σ^m, else 0."""
    arrays = lattice.arrays
    chain = len(arrays.final) == len(arrays.source) + 1 and np.isfinite(arrays.final).sum() == 1
    unweighted = lattice.arc_type == "standard"
    return len(arrays.source) if chain and unweighted and np.all(arrays.ilabel == SIGMA_ID) else 0


def _summed(lengths: Ints, coefficient: Floats) -> tuple[Ints, Floats]:
    """The distinct lengths and the sum of the coefficients of each."""
    distinct, inverse = np.unique(lengths, return_inverse=True)
    return distinct, total(inverse, coefficient, len(distinct))
