"""Candidates with their tags, end to end, and what speaks for each of them.

A tree is scored by its tags, so a lattice of words becomes one of tags: an arc for each tag
that some candidate may take. The words stand behind the arcs, as *pairs* (candidate, tag).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parsed.emissions import Emissions
from fstce.machines.image import Arrays
from fstce.numeric.ranges import ranges
from fstce.numeric.types import Bools, Floats, Ints, Rows


class Pairs(NamedTuple):
    """The candidates of many sentences with their tags, end to end, P in order of place and tag.

    ``sentence`` (sentences + 1,): the first place of each sentence. ``place`` (P,): the typed word, counted
    through all sentences. ``spelling`` (P,): the candidate, as its number among ``candidates.spellings``.
    ``tag`` is (P,). ``log_p`` (P,): log p(candidate | tag). ``cost`` (P,): what the channel says of the
    candidate. ``typed`` (P,): whether the candidate is the typed word itself.
    """

    sentence: Ints
    place: Ints
    spelling: Ints
    tag: Ints
    log_p: Floats
    cost: Floats
    typed: Bools

    def arcs(self, tags: int) -> tuple[Ints, Ints]:
        """The first pair of each arc, which is a tag of a place, and the arc of each pair."""
        code = self.place * tags + self.tag
        first = np.flatnonzero(np.diff(code, prepend=-1))
        return first, np.repeat(np.arange(len(first)), np.diff(np.append(first, len(code))))

    def only(self, kept: Bools) -> Pairs:
        """Those of the pairs."""
        return self.ordered(np.flatnonzero(kept))

    def ordered(self, rows: Ints) -> Pairs:
        """The pairs of these numbers, in this order."""
        found = self._asdict()
        return Pairs(**{name: found[name][rows] if name != "sentence" else found[name] for name in found})


def pairs_of(sentences: Rows, spell: Spell, emissions: Emissions) -> Pairs:
    """The candidates of each word of the sentences with each of their tags."""
    found = spell.sausages(sentences)
    place = np.repeat(np.arange(len(found.position) - 1), np.diff(found.position))
    first = np.isin(place, found.sentence[:-1])
    words, row = np.unique(found.spelling * 2 + first, return_inverse=True)
    spellings = spell.candidates.spellings
    rows = [emissions(spellings[code // 2], bool(code % 2)) for code in words.tolist()]
    size = np.array([len(tag) for tag, _ in rows])
    own = np.repeat(np.arange(len(row)), size[row])
    at = ranges((np.cumsum(size) - size)[row], size[row])
    tag, log_p = (np.concatenate(column)[at] for column in zip(*rows, strict=True))
    itself = np.zeros(len(place), dtype=bool)
    itself[found.position[:-1]] = True
    pairs = Pairs(found.sentence, place[own], found.spelling[own], tag, log_p, found.cost[own], itself[own])
    return pairs.ordered(np.lexsort((pairs.tag, pairs.place)))


def columns_of(
    pairs: Pairs,
    typed: Sequence[str],
    spellings: Sequence[str],
    emissions: Emissions,
    spelling: SpellingModel,
) -> Floats:
    """All columns of :mod:`fstce.correction.parsed.readings` but the model's, shape (columns − 1, P)."""
    length = np.log1p([len(word) for word in typed])
    number, row = np.unique(pairs.spelling, return_inverse=True)
    words = [spellings[i] for i in number.tolist()]
    unknown = np.array([not emissions.known(word) for word in words], dtype=bool)
    spelt = np.zeros(len(words))
    spelt[unknown] = spelling([word for word in words if not emissions.known(word)])
    edited = 1.0 - pairs.typed
    columns = (
        pairs.log_p,
        -pairs.cost,
        -edited,
        -edited * length[pairs.place],
        -1.0 * unknown[row],
        spelt[row],
    )
    return np.stack(columns)


def strongest(
    pairs: Pairs, score: Floats, log_prior: Floats, most: int, always: Bools | None = None
) -> Bools:
    """Which pairs are of the most probable tags of their place, or of the typed word's best.

    ``score`` (P,): of the candidate under the tag. ``log_prior`` (tags,): log p(tag). ``always`` (P,): pairs
    whose tags are kept, too. Returns an array (P,).
    """
    first, arc = pairs.arcs(len(log_prior))
    strength = np.logaddexp.reduceat(score, first) + log_prior[pairs.tag[first]]
    place = pairs.place[first]
    order = np.lexsort((-strength, place))
    begin = np.searchsorted(place, place[order])
    kept = np.zeros(len(first), dtype=bool)
    kept[order[np.arange(len(order)) - begin < most]] = True
    own = np.flatnonzero(pairs.typed)
    ranked = own[np.lexsort((-(score + log_prior[pairs.tag])[own], pairs.place[own]))]
    kept[arc[ranked[np.flatnonzero(np.diff(pairs.place[ranked], prepend=-1))]]] = True
    if always is not None:
        kept[arc[always]] = True
    return kept[arc]


def sausages(
    pairs: Pairs, first: Ints, label: NDArray[np.integer], weight: NDArray[np.floating]
) -> Iterator[Arrays]:
    """The sausage of each sentence over its tags.

    ``first`` (A,): the first pair of each arc. ``label``, ``weight`` (A,): what the arcs carry.
    """
    place, label = pairs.place[first], label.astype(np.int32)
    ends = np.searchsorted(place, pairs.sentence)
    for begin, end, a, b in zip(pairs.sentence, pairs.sentence[1:], ends, ends[1:], strict=False):
        final = np.full(end - begin + 1, np.inf, dtype=weight.dtype)
        final[-1] = 0.0
        source = (place[a:b] - begin).astype(np.int32)
        yield Arrays(0, final, source, label[a:b], label[a:b], weight[a:b], source + np.int32(1))
