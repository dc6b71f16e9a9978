"""The features of a log-linear tagger, their names, and the scores that weights θ give.

θ holds first a weight for each tag n-gram, then one for each (word, tag) pair, then one
for each (spelling, tag) pair. The score of a (word, tag) is a row of a sparse matrix
times θ, computed once an evaluation; expected counts go back through its transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.estimation.log_linear import numbered
from fstce.grammars import spelling, tag_ngrams
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, UNKNOWN_ID, Symbols
from fstce.numeric.kernels import places, ranges, total, without_repeats
from fstce.numeric.semirings import LOG
from fstce.numeric.types import Bools, Floats, Ints, Words
from fstce.wfsa.batch import Batch
from fstce.wfsa.parts import TagParts

BOUNDARY = "<boundary>"
# In a symbol, between a word and what its token may be; no features see that
READINGS = "\u2063\u2061"
Describe = Callable[[str], tuple[str, ...]]
PAPERS: Describe = spelling.build
NEAR = 0.9  # of their words, which two tags share that are hard to tell apart
LEAST = -1000.0  # nats: an exponent of zero
MOST_COMPARED = 1000  # tags, each with each
TABLE_LIMIT = 20_000_000  # n-grams of a dense table of LENGTH
SPARSE = 10  # numbers in a table, for each that is looked up


class TagLookup(Protocol):
    """The part of a tagging dictionary that is needed here."""

    def lookup_all(self, words: Words) -> list[tuple[str, ...]]:
        """The tags that each word may take."""


class WordScores(Protocol):
    """Scores of words outside θ, which no training changes.

    What is believed of a word beforehand.
    """

    def log_scores(self, words: Words) -> Floats:
        """Nats to add to the score of each word with each tag, (words, V)."""


@dataclass(frozen=True)
class TagFeatures:
    """Which features a tagger has; V tags, words numbered by `symbols`.

    ``tags``: the tags, in the order of their numbers. ``ngrams`` (N,): the codes of the n-grams
    with a weight, ascending. ``word``, ``tag`` (P,): the (word, tag) pairs with a weight,
    ascending; pairs of ``<unk>`` come first, if the model has a symbol for all unknown words (OOV).
    ``spellings``: the names of the spelling features, empty without them. ``spelling``,
    ``spelling_tag`` (K,): the (spelling, tag) pairs with a weight, ascending. ``describe``: from a
    word to the names of its spelling features. ``missing``: the log weight of an n-gram without a
    weight of its own: zero, or −log(T + 1) for an HMM with too many n-grams to keep them all.
    ``fixed``: adds to the scores of (word, tag) pairs, such as log P(tag | word) for words that
    the dictionary does not list; not trained. ``parts``: those of the tags, pairs of which have
    weights in place of the n-grams, all of which then score by them.
    """

    tags: tuple[str, ...]
    order: int
    symbols: Symbols
    ngrams: Ints
    word: Ints
    tag: Ints
    spellings: tuple[str, ...]
    spelling: Ints
    spelling_tag: Ints
    missing: float = 0.0
    fixed: WordScores | None = field(default=None, compare=False, repr=False)
    describe: Describe = field(default=PAPERS, compare=False, repr=False)
    parts: TagParts | None = None

    def __repr__(self) -> str:
        return f"<TagFeatures: {self.size:,} of {len(self.tags)} tags, order {self.order}>"

    @classmethod
    def from_pairs(
        cls,
        tags: Sequence[str],
        order: int,
        symbols: Symbols,
        ngrams: Ints,
        word: Ints,
        tag: Ints,
        use_spelling: bool | Describe,
        missing: float = 0.0,
        own: Symbols | None = None,
        fixed: WordScores | None = None,
        spelt: tuple[Ints, Ints] | None = None,
        parts: TagParts | None = None,
    ) -> TagFeatures:
        """All features of these n-grams and (word, tag) pairs, and by option of spellings.

        `use_spelling` may be what names the features of a word, by default those of §5.2. `spelt`
        are the pairs whose spellings have weights, by default all.

        `own` are the words with weights of their own, the first of `symbols`; by default all.
        """
        describe = use_spelling if callable(use_spelling) else PAPERS
        spellings: tuple[str, ...] = ()
        keys = np.zeros(0, dtype=np.int64)
        if use_spelling:
            of_word, of_tag = spelt or (word, tag)
            described, row = _described(describe, symbols, of_word)
            spellings = tuple(sorted({*chain.from_iterable(described)}))
            pair, name = _spelled(described, row, places(spellings))
            keys = without_repeats(name * len(tags) + of_tag[pair])
        spelled = np.divmod(keys, len(tags))
        own = symbols if own is None else own
        kept = word < FIRST_WORD_ID + len(own)
        grams = without_repeats(ngrams)
        words = (word[kept], tag[kept])
        numbers = (own, grams, *words, spellings, *spelled)
        return cls(tuple(tags), order, *numbers, missing, fixed, describe, parts)

    @property
    def has_oov(self) -> bool:
        """Whether unknown words share the weights of a symbol of their own."""
        return len(self.word) > 0 and int(self.word[0]) == UNKNOWN_ID

    @property
    def has_words(self) -> bool:
        """Whether words have weights of their own."""
        return len(self.word) > 0 and int(self.word[-1]) >= FIRST_WORD_ID

    @property
    def size(self) -> int:
        """The length of θ."""
        return self.first_word + len(self.word) + len(self.spelling)

    @property
    def first_word(self) -> int:
        """How many weights the n-grams have, behind which stand those of words."""
        return len(self.ngrams) if self.parts is None else self.parts.size

    def ngram_weights(self, theta: Floats) -> Floats:
        """The log weight of each of the n-grams, shape (N,)."""
        weights = theta[: self.first_word]
        return (
            weights if self.parts is None else self.parts.bigrams(weights).ravel()[self.ngrams - 1]
        )

    def ngram_gradient(self, counts: Floats) -> Floats:
        """Expected counts of the n-grams, (N,), sent back to their weights."""
        if self.parts is None:
            return counts
        base = len(self.tags) + 1
        table = np.zeros(base * base)
        table[self.ngrams - 1] = counts
        return self.parts.gradient(table.reshape(base, base))

    def untied(self, theta: Floats) -> tuple[TagFeatures, Floats]:
        """These features with a weight an n-gram in place of pairs of parts, and θ over them."""
        if self.parts is None:
            return self, theta
        weights = self.ngram_weights(theta), theta[self.first_word :]
        return replace(self, parts=None), np.concatenate(weights)

    def ngram_scores(self, theta: Floats, codes: Ints) -> Floats:
        """The log weight of each n-gram code."""
        return self.with_missing(theta)[self.places(codes)]

    def places(self, codes: Ints) -> Ints:
        """The place of each n-gram code among those with a weight, N of all others."""
        index, has_weight = locate(self.ngrams, codes)
        return np.where(has_weight, index, len(self.ngrams))

    def with_missing(self, theta: Floats) -> Floats:
        """The weights of the n-grams, then that of all others, shape (N + 1,)."""
        return np.append(self.ngram_weights(theta), self.missing)

    def emission_entries(self, symbols: Symbols, word: Ints, tag: Ints) -> tuple[Ints, Ints]:
        """The features of (word, tag) pairs: the number of a pair and that of a feature of it.

        ``symbols``: names the words; its first words are those of ``self.symbols``. ``word``,
        ``tag`` is (pairs,). Returns them by pair, then by feature; features count behind the
        n-grams.
        """
        width = len(self.tags)
        shared = self._own_words(symbols, word)
        column, known = locate(self.word * width + self.tag, shared * width + tag)
        rows, columns = [np.flatnonzero(known)], [column[known]]
        if self.spellings:
            pair, name = _spelled(*_described(self.describe, symbols, word), self._spelling_numbers)
            column, known = locate(
                self.spelling * width + self.spelling_tag, name * width + tag[pair]
            )
            rows.append(pair[known])
            columns.append(column[known] + len(self.word))

        size = self.size - self.first_word
        keys = np.sort(np.concatenate(rows) * size + np.concatenate(columns))
        return np.divmod(keys, max(size, 1))

    def _own_words(self, symbols: Symbols, word: Ints) -> Ints:
        """The ids of the words that have weights, of tokens with readings those of their words."""
        distinct, row = np.unique(word, return_inverse=True)
        beyond = distinct >= FIRST_WORD_ID + len(self.symbols)
        words = [word_of(symbols.word(w)) for w in distinct[beyond].tolist()]
        distinct[beyond] = self.symbols.ids(words, unknown=True)
        return distinct[row]

    def fixed_scores(self, symbols: Symbols, word: Ints, tag: Ints) -> Floats:
        """The scores of (word, tag) pairs outside θ, nats, shape (pairs,); ``<unk>`` has none."""
        added = np.zeros(len(word))
        if self.fixed is not None:
            spelt = np.flatnonzero(word >= FIRST_WORD_ID)
            distinct, row = np.unique(word[spelt], return_inverse=True)
            words = [word_of(symbols.word(w)) for w in distinct.tolist()]
            scores = self.fixed.log_scores(words)
            added[spelt] = scores[row, tag[spelt]]
        return added

    @cached_property
    def _spelling_numbers(self) -> dict[str, int]:
        return places(self.spellings)

    @property
    def names(self) -> list[tuple[str, ...]]:
        """Weights by name: ``("ngram", t1, …)``, ``("word", w, t)`` or ``("spelling", s, t)``.

        Of tags with parts ``("parts", a, b)`` in place of n-grams.
        """
        tag = (*self.tags, BOUNDARY)
        if self.parts is None:
            ngrams = tag_ngrams.decode(self.ngrams, len(self.tags), self.order).tolist()
            sequences = [("ngram", *map(tag.__getitem__, ngram)) for ngram in ngrams]
        else:
            sequences = self.parts.weight_names()
        words = zip(self.word.tolist(), self.tag.tolist(), strict=True)
        spelled = zip(self.spelling.tolist(), self.spelling_tag.tolist(), strict=True)
        return [
            *sequences,
            *(("word", self.symbols.word(w), tag[t]) for w, t in words),
            *(("spelling", self.spellings[s], tag[t]) for s, t in spelled),
        ]

    @property
    def group(self) -> Ints:
        """The distribution that each weight of a hidden Markov model belongs to, shape (features,).

        p(x, y) = Π p(tag | history) · p(word | tag) is a log-linear tagger whose weights are
        log-probabilities: the n-grams with one history are a distribution over the next tag or the
        end, the words of one tag, ``<unk>`` among them, another (Merialdo 1994). Each spelling
        feature is one of its own, so that its weight stays zero: an HMM has none.
        """
        history = (self.ngrams - 1) // (len(self.tags) + 1)
        groups: list[Ints] = []
        size = 0
        for keys in (history, self.tag, np.arange(len(self.spelling))):
            distinct, number = np.unique(keys, return_inverse=True)
            groups.append(size + number)
            size += len(distinct)
        return np.concatenate(groups)


class EmissionTable:
    """The scores of all (word, tag) pairs, then of the T wildcards, then of the boundary (zero).

    The wildcard of a tag scores the log-sum of the tag's pairs: any word of the vocabulary.

    ``word``, ``tag`` (pairs,): the pairs, ascending. ``wildcards``: whether wildcards occur, so
    that their sums are needed. Where the features have a symbol for unknown words, it stands in the
    sums for all of them.
    """

    def __init__(
        self,
        features: TagFeatures,
        symbols: Symbols,
        word: Ints,
        tag: Ints,
        *,
        wildcards: bool = False,
    ) -> None:
        self.n_tags: int = len(features.tags)
        self.wildcards = wildcards
        self._offset = features.first_word
        self._keys = word * self.n_tags + tag
        self._size = features.size - features.first_word
        self._pair, self._feature = features.emission_entries(symbols, word, tag)
        self._fixed = features.fixed_scores(symbols, word, tag)
        if not wildcards:
            return

        # Any word: unknown ones are one, and tokens with readings no further ones
        limit = FIRST_WORD_ID + len(features.symbols) if features.has_oov else np.inf
        tokens = [w for w in np.unique(word).tolist() if READINGS in symbols.word(w)]
        wild = np.flatnonzero((word < limit) & ~np.isin(word, tokens))
        self._wild: Ints = wild[np.argsort(tag[wild], kind="stable")]
        self._wild_tag: Ints = tag[self._wild]
        self._present, self._first = np.unique(self._wild_tag, return_index=True)

    def index(self, word: Ints, tag: Ints) -> Ints:
        """The row of each (word, tag); tag T is the boundary."""
        place, listed = locate(self._keys, word * self.n_tags + tag)
        wild, boundary = word == SIGMA_ID, tag == self.n_tags
        if not np.all(listed | wild | boundary):
            raise MachineError(
                "automata have a word with a tag that the dictionary does not list for it"
            )
        place = np.where(wild, len(self._keys) + tag, place)
        return np.where(boundary, len(self._keys) + self.n_tags, place)

    def scores(self, theta: Floats) -> Floats:
        """Log weights, shape (pairs + T + 1,)."""
        # w(t, v) = θ · f(t, v), (pairs,); then w(t, Σ) = log Σ_v exp w(t, v), (T,), and the
        # boundary's 0
        weights = theta[self._offset :][self._feature]
        pairs = total(self._pair, weights, len(self._keys)) + self._fixed
        return np.concatenate((pairs, self._wildcard_scores(pairs), [0.0]))

    def gradient(self, scores: Floats, counts: Floats) -> Floats:
        """Expected counts of the rows, sent back to θ behind the n-grams."""
        of_pairs = self._pair_counts(scores, counts)
        return total(self._feature, of_pairs[self._pair], self._size)

    def fixed(self, scores: Floats, counts: Floats) -> float:
        """Σ expected count · fixed score over the pairs, nats."""
        return float(self._fixed @ self._pair_counts(scores, counts))

    def _pair_counts(self, scores: Floats, counts: Floats) -> Floats:
        """Expected counts of the pairs: their own, and their share of the wildcards' counts."""
        pairs = len(self._keys)
        direct = counts[:pairs]
        if self.wildcards:
            # E[t, v] += E[t, Σ] · exp(w(t, v) − w(t, Σ))
            of_tag = scores[pairs + self._wild_tag]
            share = np.exp(scores[self._wild] - np.where(np.isfinite(of_tag), of_tag, 0.0))
            direct = direct.copy()
            direct[self._wild] += counts[pairs + self._wild_tag] * share
        return direct

    def _wildcard_scores(self, pairs: Floats) -> Floats:
        result = np.full(self.n_tags, -np.inf)
        if self.wildcards:
            result[self._present] = LOG.plus_reduce(pairs[self._wild], self._first)
        return result


class CellScores:
    """Which n-gram weight and which emission make up the score of each cell of a batch."""

    def __init__(self, features: TagFeatures, emissions: EmissionTable, batch: Batch) -> None:
        self.ngram: Ints = features.places(batch.ngram)
        self.emission: Ints = emissions.index(
            batch.word, (batch.ngram - 1) % (len(features.tags) + 1)
        )

    def __call__(self, ngram: Floats, emission: Floats) -> Floats:
        """The log weight of each cell, (cells,); the last n-gram score is of unknown ones."""
        return ngram[self.ngram] + emission[self.emission]


def interchangeable(features: TagFeatures) -> list[tuple[str, ...]]:
    """Groups of tags of the same words, which nothing tells apart before training.

    Some words have no other tag. Empty where there are none, or where the tags have parts.
    """
    if features.parts is not None:
        return []
    word, tag = _listed(features)
    n_tags_of = np.bincount(word)
    words_of_tag = np.split(
        word[np.argsort(tag, kind="stable")],
        np.cumsum(np.bincount(tag, minlength=len(features.tags)))[:-1],
    )
    alike: dict[bytes, list[int]] = {}
    for t, words in enumerate(words_of_tag):
        alike.setdefault(words.tobytes(), []).append(t)

    groups = []
    for group in alike.values():
        n_tags = n_tags_of[words_of_tag[group[0]]]
        if 1 < len(group) in n_tags:
            groups.append(tuple(features.tags[t] for t in group))
    return groups


def not_told_apart(features: TagFeatures, theta: Floats, within: float) -> list[tuple[str, str]]:
    """Pairs of tags that nearly all words of one share with the other, and that weigh them alike.

    ``within``: nats, that the weights of no such word differ by more than. Empty where the tags
    have parts, or are too many to be compared.
    """
    if features.parts is not None or len(features.tags) > MOST_COMPARED:
        return []
    from scipy.sparse import csr_matrix  # takes a tenth of a second, and training needs it alone

    word, tag = _listed(features)
    has_tag = csr_matrix(
        (np.ones(len(word)), (tag, word)), (len(features.tags), word.max(initial=0) + 1)
    )
    n_shared = (has_tag @ has_tag.T).toarray()  # words of two tags
    n_words = n_shared.diagonal()
    is_near = np.triu(n_shared > NEAR * np.maximum.outer(n_words, n_words), 1)
    if not is_near.any():
        return []

    weights = EmissionTable(features, features.symbols, word, tag).scores(theta)
    table = np.full((int(word.max()) + 1, len(features.tags)), np.nan)
    table[word, tag] = np.maximum(weights[: len(word)], LEAST)
    return [
        (features.tags[t], features.tags[u])
        for t, u in np.argwhere(is_near).tolist()
        if np.nanmax(np.abs(table[:, t] - table[:, u])) <= within
    ]


def _listed(features: TagFeatures) -> tuple[Ints, Ints]:
    """The listed words with their tags, (pairs,) each."""
    is_word = features.word >= FIRST_WORD_ID
    return features.word[is_word], features.tag[is_word]


def named_tags(name: tuple[str, ...]) -> tuple[str, ...]:
    """The tags of a weight of this name: of an n-gram all, else the last part."""
    return name[1:] if name[0] == "ngram" else name[-1:]


def word_of(symbol: str) -> str:
    """The word of a token, without what its readings allow."""
    return symbol.partition(READINGS)[0]


def locate(keys: Ints, wanted: Ints) -> tuple[Ints, Bools]:
    """Where each wanted key stands among ascending keys, and whether it does.

    Neither are below zero. A table of all numbers to the greatest takes a tenth of the time of so
    many searches.
    """
    end = int(keys.max(initial=-1)) + 1
    if end <= SPARSE * len(wanted):
        table: NDArray[Any] = np.full(end + 1, -1, dtype=np.int32)
        table[keys] = np.arange(len(keys))
        place = table[np.minimum(wanted, end)]
        return place, place >= 0
    index = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return index, keys[index] == wanted


def _described(
    describe: Describe, symbols: Symbols, word: Ints
) -> tuple[list[tuple[str, ...]], NDArray[np.intp]]:
    """The spelling features of distinct words, and each word's row; ``<unk>`` has none."""
    distinct, row = np.unique(word, return_inverse=True)
    described = [describe(word_of(symbols.word(w))) for w in distinct.tolist() if w != UNKNOWN_ID]
    return [()] * (len(distinct) - len(described)) + described, row  # its id is the least


def _spelled(
    described: Sequence[tuple[str, ...]], row: NDArray[np.intp], number: Mapping[str, int]
) -> tuple[Ints, Ints]:
    """The numbered features of each row, end to end, as (row, number)."""
    column, sizes = numbered(described, number)
    first = np.cumsum(sizes) - sizes
    pair = np.repeat(np.arange(len(row)), sizes[row])
    return pair, column[ranges(first[row], sizes[row])]


def tag_pairs(
    symbols: Symbols,
    words: Iterable[str],
    dictionary: TagLookup,
    tags: Sequence[str],
    oov: bool = False,
) -> tuple[Ints, Ints]:
    """The allowed (word id, tag number) pairs of these words, ascending.

    ``oov``: whether ``<unk>`` is one, with every tag, for unknown words may be listed ones.
    """
    number = places(tags)
    width = len(tags)
    names = list(dict.fromkeys(words))
    tags_of_word = dictionary.lookup_all(names)
    tag = [number[tag] for tag in chain.from_iterable(tags_of_word)]
    word = np.repeat(symbols.ids(names).astype(np.int64), [*map(len, tags_of_word)])
    keys = np.sort(word * width + np.array(tag, dtype=np.int64))
    of_unknown = UNKNOWN_ID * width + np.arange(width * oov)
    return np.divmod(np.append(of_unknown, keys), width)
