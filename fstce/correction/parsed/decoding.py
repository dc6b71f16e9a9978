"""From parsed readings to corrections: which words to change, and how sure that is.

=========  ==========================================================================
``words``  the most probable word of each place, over all sentences, taggings and trees
``best``   the words of the best (sentence, tags, tree) triple (2005b, Eq. 11)
``sum``    the sentence with the greatest sum over taggings and trees (Eq. 10)
=========  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.correction.decoding import Change, Correction
from fstce.correction.parsed.readings import ParsedReadings
from fstce.numeric.types import Floats, Ints

Probable = tuple[str, float]

SENTENCES = 10  # so many sentences are summed over structures


class Choices(NamedTuple):
    """The candidate words of each place, in order of place, the most probable first; W words.

    ``place``, ``spelling`` is (W,). ``mass`` (W,): the posterior probability of each, over all triples.
    ``of_pair`` (P,): the word of each pair. ``first`` (places,): the most probable word of each place.
    """

    place: Ints
    spelling: Ints
    mass: Floats
    of_pair: Ints
    first: Ints


def corrections(
    readings: ParsedReadings,
    exponents: Floats,
    spellings: Sequence[str],
    sentences: Sequence[Sequence[str]],
    *,
    decoder: str = "words",
    threshold: float = 0.0,
    n: int = 5,
) -> list[Correction]:
    """Correct the sentences that the readings are of.

    ``exponents`` is (columns,). ``threshold``: changes of less posterior probability are not made. ``n``: how
    many alternatives are given of a word.
    """
    choices = choices_of(readings, exponents)
    chosen, how = _chosen(readings, exponents, choices, decoder)
    names = (spellings[i] for i in choices.spelling.tolist())
    listed = list(zip(names, choices.mass.tolist(), strict=True))
    ends = [*choices.first.tolist(), len(listed)]
    ranked = [tuple(listed[a : min(a + n, b)]) for a, b in pairwise(ends)]
    best = [listed[i] for i in chosen.tolist()]
    bounds = pairwise(readings.pairs.sentence.tolist())
    return [
        _correction(tuple(typed), best[a:b], ranked[a:b], threshold, found)
        for typed, (a, b), found in zip(sentences, bounds, how, strict=True)
    ]


def choices_of(readings: ParsedReadings, exponents: Floats) -> Choices:
    """The words of each place by their posterior probabilities; of equal ones the first candidate's."""
    pairs = readings.pairs
    width = int(pairs.spelling.max()) + 1
    code, pair, row = np.unique(pairs.place * width + pairs.spelling, return_index=True, return_inverse=True)
    mass = np.minimum(np.bincount(row, readings.mass(exponents)), 1.0)
    place, spelling = np.divmod(code, width)
    order = np.lexsort((pair, -mass, place))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    first = np.flatnonzero(np.diff(place, prepend=-1))  # words change places only within their place
    return Choices(place, spelling[order], mass[order], rank[row], first)


def best_sums(
    readings: ParsedReadings, exponents: Floats, choices: Choices, n: int
) -> list[tuple[Ints, bool]]:
    """The sentence whose taggings and trees have the greatest sum (2005b, Eq. 10).

    Exact sums of the n sentences whose words are most probable each for itself. Where the
    others together are less probable than the best of them, it is the best of all.

    Returns the choice at each place, and whether no other sentence can have a greater sum.
    """
    pairs = readings.pairs
    listed = [_most_probable(choices, int(a), int(b), n) for a, b in pairwise(pairs.sentence.tolist())]
    whole = readings.log_z(exponents)
    probability = np.zeros((n, len(listed)))
    for rank in range(max(map(len, listed))):
        chosen = np.concatenate([rows[min(rank, len(rows) - 1)] for rows in listed])
        among = chosen[pairs.place] == choices.of_pair
        there = np.array([rank < len(rows) for rows in listed])
        probability[rank] = there * np.exp(readings.log_z(exponents, among) - whole)
    best = probability.argmax(axis=0)
    sure = probability.max(axis=0) >= 1.0 - probability.sum(axis=0)
    return [(rows[i], bool(proven)) for rows, i, proven in zip(listed, best, sure, strict=True)]


def _chosen(
    readings: ParsedReadings, exponents: Floats, choices: Choices, decoder: str
) -> tuple[Ints, list[str]]:
    """The choice at each place, and how the sentences were chosen."""
    if decoder == "words":
        return choices.first, ["words"] * len(readings.batch)
    if decoder == "best":
        pairs = [parse.pairs for parse in readings.best(exponents)]
        return choices.of_pair[np.concatenate(pairs)], ["best"] * len(pairs)
    rows, sure = zip(*best_sums(readings, exponents, choices, SENTENCES), strict=True)
    return np.concatenate(rows), ["sum" if proven else "n-best" for proven in sure]


def _most_probable(choices: Choices, begin: int, end: int, n: int) -> list[Ints]:
    """The n ways to choose a word at each of these places with the greatest product of probabilities."""
    bounds = [*choices.first.tolist(), len(choices.place)][begin : end + 1]
    with np.errstate(divide="ignore"):
        rows = [np.log(choices.mass[a:b]).tolist() for a, b in pairwise(bounds)]
    start = (0,) * len(rows)
    heap, seen = [(-sum(row[0] for row in rows), start)], {start}
    found: list[Ints] = []
    while heap and len(found) < n:
        cost, ranks = heappop(heap)
        found.append(np.array(bounds[:-1], dtype=np.int64) + np.array(ranks, dtype=np.int64))
        for i, row in enumerate(rows):
            further = (*ranks[:i], ranks[i] + 1, *ranks[i + 1 :])
            if further[i] < len(row) and row[further[i]] > -np.inf and further not in seen:
                seen.add(further)
                heappush(heap, (cost + row[ranks[i]] - row[further[i]], further))
    return found


def _correction(
    typed: tuple[str, ...],
    best: Sequence[Probable],
    ranked: Sequence[tuple[Probable, ...]],
    threshold: float,
    how: str,
) -> Correction:
    changes = tuple(
        Change(i, i + 1, (own,), (word,), probability)
        for i, (own, (word, probability)) in enumerate(zip(typed, best, strict=True))
        if word != own and probability >= threshold
    )
    words = list(typed)
    for change in changes:
        words[change.start] = change.words[0]
    return Correction(typed, tuple(words), changes, tuple(ranked), how)
