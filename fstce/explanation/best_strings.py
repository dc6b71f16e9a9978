"""The most probable strings of a product automaton, with their exact sums over taggings.

Many paths of a product automaton spell one string, so its best paths are not its best
strings. Here prefixes grow word by word, all of one length at once. A prefix keeps α of
every state that it reaches; with β, the sums to the end, Σ α·β is the weight of *all*
strings that begin with it, a bound for each of them. Where more prefixes live than are
followed, the least are dropped, and the greatest bound dropped tells whether a listed
string could be beaten by one that was not listed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fstce.machines.symbols import END_ID, SIGMA_ID
from fstce.numeric.kernels import ranges
from fstce.numeric.semirings import LOG
from fstce.numeric.types import Bools, Floats, Ints
from fstce.wfsa.batch import Batch
from fstce.wfsa.sumproduct import shortest_distance

WIDTH = 1000
WILD_WIDTH = 50  # each prefix goes on with hundreds of words


class Wildcards(NamedTuple):
    """The words that stand in for ``<sigma>``: those of tag t are ``indptr[t]:indptr[t + 1]``.

    ``indptr`` is (T + 1,). ``word`` is (pairs,). ``gain`` (pairs,): the log weight of (word, tag) over that
    of the tag's wildcard. ``tag`` (arcs,): the tag of each arc of the product. ``all_words``: whether these
    are all words of the vocabulary.
    """

    indptr: Ints
    word: Ints
    gain: Floats
    tag: Ints
    all_words: bool


class Strings(NamedTuple):
    """Strings, best first; the kept one is among them.

    ``log_z`` (strings,): the log-sum of the paths of each, in nats. ``bound``: no other string has more, in
    nats; −inf where there is no other.
    """

    words: list[Ints]
    log_z: Floats
    bound: float


class _Front(NamedTuple):
    """Prefixes of one length: for each state that one reaches, the prefix, the state and log α."""

    row: Ints
    state: Ints
    value: Floats


@dataclass
class _Search:
    """What the search has seen.

    ``steps``: for the prefixes of each length, from 1: the row of the prefix one word shorter, the word.
    ``ended``: strings: their length, the rows of the prefixes that ended, their log-sums. ``own``: the row of
    the kept string's prefix of the length at hand; −1 where it is none. ``dropped``: the greatest bound of a
    prefix that was not followed.
    """

    steps: list[tuple[Ints, Ints]] = field(default_factory=list)
    ended: list[tuple[int, Ints, Floats]] = field(default_factory=list)
    own: int = 0
    dropped: float = -np.inf


def best_strings(
    product: Batch,
    scores: Floats,
    kept: Ints,
    n: int,
    *,
    wildcards: Wildcards | None = None,
    width: int | None = None,
) -> Strings:
    """The n best strings of one product automaton, and one string that is wanted anyway.

    ``scores`` (arcs,): the log weight of each arc. ``wildcards``: what ``<sigma>`` is spelt as; by default it
    stays. ``width``: how many prefixes of one length are followed; by default 1,000, or 50 with wildcards, or
    n.
    """
    width = width or max(WIDTH if wildcards is None else WILD_WIDTH, n)
    beta = shortest_distance(product, scores, LOG, reverse=True)
    front = _Front(np.zeros(1, np.int64), product.start[:1], np.zeros(1))
    seen, own = _Search(), -1
    for step in range(len(product.levels) - 1):
        label, target, value = _grown(product, scores, front, wildcards)
        if not len(label):
            break
        first = np.flatnonzero(np.append(True, label[1:] != label[:-1]))
        bound = LOG.plus_reduce(value + beta[target], first)
        parent, word = np.divmod(label[first], _base(product, wildcards))
        ended = np.flatnonzero(word == END_ID)
        seen.ended.append((step, parent[ended], bound[ended]))
        own = seen.own if step == len(kept) else own
        chosen = _chosen(word, bound, _is_kept(seen, parent, word, kept, step), width, seen)
        seen.steps.append((parent[chosen], word[chosen]))
        front = _survivors(chosen, first, target, value)
    if wildcards is not None and not wildcards.all_words:
        seen.dropped = np.inf
    return _listed(seen, (len(kept), own), n)


def _base(product: Batch, wildcards: Wildcards | None) -> int:
    """More than any word's id: (prefix, word) is one number to this base."""
    return int(max(product.word.max(), 0 if wildcards is None else wildcards.word.max(initial=0))) + 1


def _grown(
    product: Batch, scores: Floats, front: _Front, wildcards: Wildcards | None
) -> tuple[Ints, Ints, Floats]:
    """One word further: (prefix, word), state and log α, ascending, one row for each."""
    leaving = np.bincount(product.source, minlength=product.n_states)
    degree = leaving[front.state]
    arc = product.by_source[ranges((np.cumsum(leaving) - leaving)[front.state], degree)]
    row = np.repeat(front.row, degree)
    value = np.repeat(front.value, degree) + scores[arc]
    word = product.word[product.cell[arc]]
    if wildcards is not None:
        copies, word, gain = _spelt(wildcards, arc, word)
        row, value, arc = row[copies], value[copies] + gain, arc[copies]
    label, target = row * _base(product, wildcards) + word, product.target[arc].astype(np.int64)
    order = np.lexsort((target, label))
    label, target = label[order], target[order]
    new = (label[1:] != label[:-1]) | (target[1:] != target[:-1])
    first = np.flatnonzero(np.append(True, new)) if len(label) else np.zeros(0, np.int64)
    summed = LOG.plus_reduce(value[order], first) if len(first) else value
    return label[first], target[first], summed


def _spelt(wildcards: Wildcards, arc: Ints, word: Ints) -> tuple[Ints, Ints, Floats]:
    """Every arc once for each word that it may be: which arc, the word, its gain."""
    wild, tag = word == SIGMA_ID, np.minimum(wildcards.tag[arc], len(wildcards.indptr) - 2)
    times = np.where(wild, np.diff(wildcards.indptr)[tag], 1)
    copies = np.repeat(np.arange(len(arc)), times)
    pair = ranges(np.where(wild, wildcards.indptr[tag], 0), times)
    return (
        copies,
        np.where(wild[copies], wildcards.word[pair], word[copies]),
        np.where(wild[copies], wildcards.gain[pair], 0.0),
    )


def _is_kept(seen: _Search, parent: Ints, word: Ints, kept: Ints, step: int) -> Bools:
    """Which of the prefixes is that of the kept string."""
    return (parent == seen.own) & (word == (kept[step] if step < len(kept) else -1))


def _chosen(word: Ints, bound: Floats, wanted: Bools, width: int, seen: _Search) -> Ints:
    """The best prefixes that go on, and the wanted one, ascending; notes its row and what is dropped."""
    going = np.flatnonzero(word != END_ID)
    order = going[np.argsort(np.where(wanted[going], -np.inf, -bound[going]), kind="stable")]
    seen.dropped = max(seen.dropped, float(bound[order[width:]].max(initial=-np.inf)))
    chosen = np.sort(order[:width])
    place = np.flatnonzero(wanted[chosen])
    seen.own = int(place[0]) if len(place) else -1
    return chosen


def _survivors(chosen: Ints, first: Ints, target: Ints, value: Floats) -> _Front:
    """The states of the chosen prefixes."""
    size = np.diff(np.append(first, len(target)))[chosen]
    rows = ranges(first[chosen], size)
    return _Front(np.repeat(np.arange(len(chosen)), size), target[rows], value[rows])


def _listed(seen: _Search, kept: tuple[int, int], n: int) -> Strings:
    """The n best of what ended, spelt out, and the kept string, given as length and row."""
    length = np.concatenate([np.full(len(rows), step) for step, rows, _ in seen.ended])
    row = np.concatenate([rows for _, rows, _ in seen.ended])
    log_z = np.concatenate([values for _, _, values in seen.ended])
    order = np.argsort(-log_z, kind="stable")
    own = (length[order] == kept[0]) & (row[order] == kept[1])
    listed = (np.arange(len(order)) < n) | own
    words = [_back(seen, int(length[place]), int(row[place])) for place in order[listed]]
    bound = max(seen.dropped, float(log_z[order[~listed]].max(initial=-np.inf)))
    return Strings(words, log_z[order[listed]], bound)


def _back(seen: _Search, length: int, row: int) -> Ints:
    """The words of the prefix in this row of those of its length."""
    words = []
    for parent, word in reversed(seen.steps[:length]):
        words.append(int(word[row]))
        row = int(parent[row])
    return np.array(words[::-1], dtype=np.int64)
