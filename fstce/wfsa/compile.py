"""From sentences and a dictionary to packed automata: what is built once, before any number.

Criteria differ only in their lattices. A numerator is the sentence's own lattice, with
all its taggings, or, where tags are observed, one tagged sentence, which is linear in θ.
A denominator is a neighbourhood's lattice. Equal sentences are built once and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fstce.grammars import tag_ngrams
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.parallel import map_shards
from fstce.machines.symbols import SIGMA_ID, UNKNOWN_ID, Symbols
from fstce.neighborhoods import Neighborhood
from fstce.wfsa.batch import Batch, Columns, join, lay, pack
from fstce.wfsa.chain import TABLE_LIMIT
from fstce.wfsa.features import TagFeatures
from fstce.wfsa.gold import check_allowed, feature_counts, tokens
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.kernels import total
from fstce.wfsa.shards import split
from fstce.wfsa.terms import EmissionTable, LatticeSum, LengthSum, Linear

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


@dataclass(frozen=True)
class Evidence:
    """A corpus and how it teaches: numerators and denominators of a contrast.

    Attributes
    ----------
    sentences : sequence of sequences of str
    kind : Neighborhood or None
        What each sentence is contrasted with; None for a model that normalizes locally.
    gold : sequence of sequences of str, optional
        The tags of the sentences, where they are observed; by default they are summed over.
    weight : float
        How much this evidence counts beside other.

    Notes
    -----
    With `gold` and the identity as neighbourhood this is conditional likelihood, with
    `gold` and another neighbourhood supervised contrastive estimation (Smith & Eisner
    2005b, Table 1), without either the likelihood of EM.
    """

    sentences: Sentences
    kind: Neighborhood | None
    gold: Sentences | None = None
    weight: float = 1.0


class Contrast:
    """The terms of a criterion and the features they need (Smith & Eisner 2005a, Eq. 7).

    Parameters
    ----------
    evidence : Evidence or sequence of Evidence
    dictionary : Lookup
        The tags of every word.
    tags : sequence of str
        All tags, in the order of their numbers.
    order : {1, 2, 3}
        The length of a tag n-gram.
    spelling : bool
        Whether spelling features are added.
    oov : bool
        Whether unknown words share the weights of a symbol of their own.
    dense : bool
        Whether every possible tag n-gram has a weight, not only those that occur.
    features : TagFeatures, optional
        A trained model's features, for held-out sentences; by default made from these.
    jobs : int, optional
        Processes that build automata; −1 for as many as there are cores.

    Attributes
    ----------
    features : TagFeatures
    numerators, denominators : list of callables
        θ → (value, gradient), to be summed; denominators have negative coefficients.
    is_length : bool
        Whether a denominator is LENGTH, which has no lattices.
    """

    def __init__(
        self,
        evidence: Evidence | Sequence[Evidence],
        dictionary: Lookup,
        tags: Sequence[str],
        order: int,
        *,
        spelling: bool = False,
        oov: bool = False,
        dense: bool = False,
        features: TagFeatures | None = None,
        jobs: int | None = None,
    ) -> None:
        rows = [evidence] if isinstance(evidence, Evidence) else list(evidence)
        words = [word for row in rows for sentence in row.sentences for word in sentence]
        symbols = Symbols([*(features.symbols if features else ()), *words])
        pairs = tag_pairs(symbols, symbols, dictionary, tags)
        if features.has_oov if features else oov:
            pairs = with_oov(*pairs, dictionary, tags)
        automaton = TagAutomaton(*pairs, len(tags), order)
        parts = [_Part(row, symbols, automaton, tags, order, jobs) for row in rows]
        self.is_length = any(len(part.lengths) for part in parts)
        if features is None:
            ngrams = _ngrams(parts, len(tags), order, self.is_length or dense)
            features = TagFeatures.from_pairs(tags, order, symbols, ngrams, *pairs, spelling)
        self.features = features
        wild = self.is_length or any(part.wild for part in parts)
        emissions = EmissionTable(features, symbols, *pairs, wildcards=wild)
        self.numerators: list[Term] = []
        self.denominators: list[Term] = []
        for part in parts:
            part.check(pairs, symbols, tags)
            part.finish(features, emissions, symbols, self.numerators, self.denominators)

    @property
    def terms(self) -> list[Term]:
        """Numerators, then denominators."""
        return self.numerators + self.denominators


class _Part:
    """One evidence on its way to terms: its automata and tokens, before the features are known."""

    def __init__(
        self,
        evidence: Evidence,
        symbols: Symbols,
        automaton: TagAutomaton,
        tags: Sequence[str],
        order: int,
        jobs: int | None,
    ) -> None:
        first: dict[tuple[str, ...], int] = {}
        for number, sentence in enumerate(evidence.sentences, 1):
            first.setdefault(tuple(sentence), number)
        counted = Counter(map(tuple, evidence.sentences))
        self.weight = evidence.weight
        self.times = evidence.weight * np.array([counted[s] for s in first], dtype=np.float64)
        self.tagged = (
            tokens(evidence.sentences, evidence.gold, symbols, tags, order)
            if evidence.gold is not None
            else None
        )
        kind = evidence.kind
        self.lengths = _lengths(list(first), symbols, kind) if kind else _NONE
        shown = None if len(self.lengths) else kind
        self.observed, self.contrasted = _automata(
            first, symbols, automaton, self.tagged is None, shown, jobs
        )
        self.normalized = kind is not None

    @property
    def columns(self) -> list[Columns]:
        """The automata that there are."""
        return [columns for columns in (self.observed, self.contrasted) if columns is not None]

    @property
    def wild(self) -> bool:
        """Whether an automaton has wildcards."""
        return any(bool(np.any(columns.word == SIGMA_ID)) for columns in self.columns)

    def check(self, pairs: tuple[Ints, Ints], symbols: Symbols, tags: Sequence[str]) -> None:
        """Raise unless the dictionary allows the tags that are observed."""
        if self.tagged is not None and self.normalized:
            check_allowed(self.tagged, pairs[0] * len(tags) + pairs[1], symbols, tags)

    def finish(
        self,
        features: TagFeatures,
        emissions: EmissionTable,
        symbols: Symbols,
        numerators: list[Term],
        denominators: list[Term],
    ) -> None:
        """Pack the automata into terms; what is packed is let go, for it is as large again."""
        if self.tagged is not None:
            numerators.append(Linear(self.weight * feature_counts(self.tagged, features, symbols)))
        if self.observed is not None:
            numerators.append(LatticeSum(features, emissions, _packed(self.observed, self.times)))
            self.observed = None
        if self.contrasted is not None:
            shared = len(self.contrasted.size) == 1 < len(self.times)
            coefficient = np.array([self.times.sum()]) if shared else self.times
            denominators.append(LatticeSum(features, emissions, _packed(self.contrasted, -coefficient)))
            self.contrasted = None
        if len(self.lengths):
            denominators.append(LengthSum(features, emissions, *_summed(self.lengths, -self.times)))


def with_oov(word: Ints, tag: Ints, dictionary: Lookup, tags: Sequence[str]) -> tuple[Ints, Ints]:
    """The pairs, after those of ``<unk>`` with the tags of words that the dictionary does not list."""
    number = {name: i for i, name in enumerate(tags)}
    # No word may hold white space, so no dictionary lists this one.
    unknown = np.array(sorted(number[t] for t in dictionary.lookup(" ")), dtype=np.int64)
    return np.append(np.full(len(unknown), UNKNOWN_ID), word), np.append(unknown, tag)


def _ngrams(parts: Sequence[_Part], n_tags: int, order: int, dense: bool) -> Ints:
    """The codes that need weights: all possible ones, or those of the automata and tokens."""
    if dense and (n_tags + 1) ** order <= TABLE_LIMIT:
        return tag_ngrams.possible(n_tags, order)
    found: list[Ints] = [
        np.unique(columns.ngram).astype(np.int64) for part in parts for columns in part.columns
    ]
    found += [part.tagged.ngram for part in parts if part.tagged is not None]
    return np.unique(np.concatenate(found))


def _packed(columns: Columns, coefficient: Floats) -> Iterator[tuple[Batch, Floats]]:
    return ((pack(shard), coefficient[machines]) for machines, shard in split(columns))


def _automata(
    numbered: Mapping[tuple[str, ...], int],
    symbols: Symbols,
    automaton: TagAutomaton,
    observe: bool,
    kind: Neighborhood | None,
    jobs: int | None,
) -> tuple[Columns | None, Columns | None]:
    """The product automata of the numbered sentences and of their neighbourhoods, as far as wanted."""
    if kind is not None and kind.corpus_wide:
        whole = lay(automaton.products(kind.expand(list(numbered), symbols)))
        return _automata(numbered, symbols, automaton, observe, None, jobs)[0], whole

    def work(shard: Sequence[tuple[Sequence[str], int]]) -> list[tuple[Columns | None, Columns | None]]:
        words, numbers = zip(*shard, strict=True)
        observed = lay(_observed(words, symbols, automaton, numbers)) if observe else None
        if kind is None:
            return [(observed, None)]
        return [(observed, lay(automaton.products(kind.expand(words, symbols, numbers))))]

    if not observe and kind is None:
        return None, None
    rows = [row for shard in map_shards(work, list(numbered.items()), jobs) for row in shard]
    return _joined(row[0] for row in rows), _joined(row[1] for row in rows)


def _joined(parts: Iterable[Columns | None]) -> Columns | None:
    """All of the parts as one, if there are any."""
    present = [part for part in parts if part is not None]
    return join(present) if present else None


_NONE = np.zeros(0, dtype=np.int64)


def _lengths(sentences: Sentences, symbols: Symbols, kind: Neighborhood) -> Ints:
    """The lengths m if all neighbourhoods are Σ^m, summed without lattices; else none."""
    if not (kind.equivariant and _wildcards(next(kind.expand(sentences[:1], symbols)))):
        return _NONE
    lengths = np.array([_wildcards(lattice) for lattice in kind.expand(sentences, symbols)])
    return lengths if np.all(lengths > 0) else _NONE


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
