"""Words under tags, and what observed words may have been, each with its tags, end to end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from fstce.corpora.signatures import signature
from fstce.correction.mistakes.spelling import Spell
from fstce.errors import CorpusError
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer, numbered
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Floats, Ints, Rows

Counts = Mapping[tuple[str, str], int]
Spelling = Callable[[Sequence[str]], Floats]  # log p of the characters of words

MOST = 8  # tags of a word that a chart has, the most probable: more are hardly any word's
ADDED = 0.5  # to the count of each (signature, tag)


class Emissions:
    """log p(word | tag), by relative frequency; of unknown words by their signature.

    A tag t that rare words have in a share u(t) of its tokens leaves u(t) to unknown words:

        p(w | t) = (1 − u(t)) · c(w, t) / c(t)                for a known word w,
        p(s | t) = u(t) · (n(s, t) + ½) / (n(t) + ½(S + 1))   for all unknown words of signature s,

    n counting rare words and S their signatures; one more stands for all others.
    """

    def __init__(self, pairs: Counts, rare_pairs: Counts) -> None:
        self.pairs, self.rare_pairs = dict(pairs), dict(rare_pairs)
        self.tags = tuple(sorted({tag for _, tag in pairs}))
        self._known, self._signatures = self._by_word(pairs), self._by_word(rare_pairs)
        self.counts = {word: int(row.sum()) for word, row in self._known.items()}
        self._total = np.sum(list(self._known.values()), axis=0)
        self._rare = np.sum(list(self._signatures.values()), axis=0)
        if not (rare_pairs and np.all(self._rare <= self._total)):
            raise CorpusError("no word is rare, or a tag has more rare words than words")
        self._unknown = self._rare / (self._total + 1.0)  # a share of one would leave known words none
        self.log_prior = np.log(self._total / self._total.sum())

    @classmethod
    def of_text(cls, sentences: Rows, tags: Rows) -> Emissions:
        """From tagged sentences; words seen once are rare, or all words where none is."""
        flat = chain.from_iterable
        counts = Counter(flat(sentences))
        seldom = {word for word, count in counts.items() if count == 1} or set(counts)
        rare_pairs = Counter(
            (signature(word, position == 0, counts.__contains__), tag)
            for words, row in zip(sentences, tags, strict=True)
            for position, (word, tag) in enumerate(zip(words, row, strict=True))
            if word in seldom
        )
        return cls(Counter(zip(flat(sentences), flat(tags), strict=True)), rare_pairs)

    def __call__(self, word: str, first: bool = False) -> tuple[Ints, Floats]:
        """The numbers of a word's tags, rising, and log p of the word under each; `first` in its sentence."""
        if word in self._known:
            count, share = self._known[word], (1.0 - self._unknown) / self._total
        else:
            name = signature(word, first, self._known.__contains__)
            count = self._signatures.get(name, np.zeros(len(self.tags))) + ADDED * (self._rare > 0)
            share = self._unknown / (self._rare + ADDED * (len(self._signatures) + 1))
        tag = np.flatnonzero(count)
        return tag, np.log(count[tag] * share[tag])

    def _by_word(self, pairs: Counts) -> dict[str, Floats]:
        """The counts of the tags of each word, each of shape (tags,)."""
        number = {tag: i for i, tag in enumerate(self.tags)}
        rows: dict[str, Floats] = {}
        for (word, tag), count in pairs.items():
            rows.setdefault(word, np.zeros(len(number)))[number[tag]] += count
        return rows


class TaggedLattices(NamedTuple):
    """What observed sentences may have been under tags: A arcs in order of place and tag, best words alone.

    `sentence` has the first place of each sentence, shape (sentences + 1,); `place`, `spelling` (the number
    of the arc's best candidate), `tag` and `score` (its log weight) have the shape (A,).
    """

    sentence: Ints
    place: Ints
    spelling: Ints
    tag: Ints
    score: Floats

    def machines(self, tags: Sequence[str], symbols: Symbols, names: Iterable[str]) -> Iterator[Lattice]:
        """The lattice of each sentence, of tags that these are by number; weighted if any score is not 0."""
        label = np.asarray(symbols.ids(list(tags)))[self.tag].astype(np.int32)
        weight = -self.score if self.score.any() else np.zeros(len(label), np.float32)
        ends = np.searchsorted(self.place, self.sentence)
        for name, begin, end, a, b in zip(
            names, self.sentence, self.sentence[1:], ends, ends[1:], strict=False
        ):
            final = np.full(end - begin + 1, np.inf, dtype=weight.dtype)
            final[-1] = 0.0
            source = (self.place[a:b] - begin).astype(np.int32)
            arrays = Arrays(0, final, source, label[a:b], label[a:b], weight[a:b], source + np.int32(1))
            yield Lattice(arrays, symbols, name)


def tagged(
    sentences: Rows,
    spell: Spell,
    emissions: Emissions,
    exponents: Floats,
    spelling: Spelling | None = None,
    most: int = MOST,
) -> TaggedLattices:
    """The candidates of each word of the sentences under the most probable tags of its place."""
    sausages = spell.sausages(sentences)
    place = np.repeat(np.arange(len(sausages.position) - 1), np.diff(sausages.position))
    codes, row = np.unique(
        sausages.spelling * 2 + np.isin(place, sausages.sentence[:-1]), return_inverse=True
    )
    words = [spell.candidates.spellings[code // 2] for code in codes.tolist()]
    entries = [emissions(word, bool(code % 2)) for word, code in zip(words, codes.tolist(), strict=True)]
    unknown = np.array([word not in emissions.counts for word in words], dtype=bool)
    spelt = np.zeros(len(words)) if spelling is None else np.where(unknown, spelling(words), 0.0)
    edited = 1.0 - np.isin(np.arange(len(place)), sausages.position[:-1])
    length = np.log1p([len(word) for words in sentences for word in words])[place]
    columns = np.stack((-sausages.cost, -edited, -edited * length, -1.0 * unknown[row], spelt[row]))
    size = np.array([len(tag) for tag, _ in entries])
    own = np.repeat(np.arange(len(row)), size[row])  # the candidate of each pair
    at = ranges((np.cumsum(size) - size)[row], size[row])
    tag, log_p = (np.concatenate(column)[at] for column in zip(*entries, strict=True))
    score = exponents[1] * log_p + (exponents[2:] @ columns)[own]
    order = np.lexsort((-score, tag, place[own]))
    best = order[np.diff((place[own] * len(emissions.tags) + tag)[order], prepend=-1) != 0]  # of each arc
    place, tag, score = place[own][best], tag[best], score[best]
    by_strength = np.lexsort((-score - emissions.log_prior[tag], place))
    among = np.arange(len(place)) - np.searchsorted(place, place[by_strength]) < most
    kept = np.sort(by_strength[among])
    words_of = sausages.spelling[own][best]
    return TaggedLattices(sausages.sentence, place[kept], words_of[kept], tag[kept], score[kept])


class TaggedSpell(Neighborhood):
    """SPELL≤k of these sentences, all in order, as their tags see it: any tag of any candidate of a word."""

    def __init__(self, sentences: Rows, spell: Spell, emissions: Emissions) -> None:
        super().__init__(NoTransducer(), f"tags of {spell.name}")
        self.sentences, self.spell, self.emissions = sentences, spell, emissions

    def expand(
        self, sentences: Iterable[Sequence[str]], symbols: Symbols, numbers: Iterable[int] | None = None
    ) -> Iterator[Lattice]:
        """The lattice of each tag sequence, in order; messages name them by `numbers`, or from 1."""
        every = len(self.emissions.tags)
        lattices = tagged(self.sentences, self.spell, self.emissions, np.zeros(7), most=every)
        names = (f"sentence {number} ∘ {self.name}" for number, _ in numbered(sentences, numbers))
        return lattices.machines(self.emissions.tags, symbols, names)
