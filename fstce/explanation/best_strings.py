"""The most probable strings of a product automaton, with their exact sums over taggings.

Many paths of a product automaton spell one string, so its best paths are not its best
strings. Here prefixes grow word by word, all of one length at once. A prefix keeps α of
every state that it reaches; with β, the sums to the end, Σ α·β is the weight of *all*
strings that begin with it, a bound for each of them. Where more prefixes live than are
followed, the least are dropped, and the greatest bound dropped tells whether a listed
string could be beaten by one that was not listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.machines.symbols import END_ID, SIGMA_ID
from fstce.numeric.kernels import ranges
from fstce.numeric.semirings import LOG
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.batch import Batch
from fstce.wfsa.sumproduct import shortest_distance

WIDTH = 1000
WILD_WIDTH = 50  # each prefix goes on with hundreds of words


class Wildcards(NamedTuple):
    """The words that stand in for ``<sigma>``: those of tag t are ``indptr[t]:indptr[t + 1]``.

    ``indptr`` is (T + 1,). ``word`` is (pairs,). ``gain`` (pairs,): the log weight of (word, tag)
    over that of the tag's wildcard. ``tag`` (arcs,): the tag of each arc of the product.
    ``all_words``: whether these are all words of the vocabulary.
    """

    indptr: Ints
    word: Ints
    gain: Floats
    tag: Ints
    all_words: bool


def best_strings(
    product: Batch, scores: Floats, kept: Ints, n: int, *, wildcards: Wildcards | None = None
) -> tuple[list[Ints], Floats, float]:
    """The n best strings of one product automaton, and one string that is wanted anyway.

    Returns their words, best first; the log-sums of their paths, (strings,), in nats; and a bound:
    no other string has more, −inf where there is no other.

    ``scores`` (arcs,): the log weight of each arc. ``wildcards``: what ``<sigma>`` is spelt as; by
    default it stays. Of one length 1,000 prefixes are followed, 50 with wildcards, or n.
    """
    width = max(WIDTH if wildcards is None else WILD_WIDTH, n)
    base = int(product.word.max()) + 1
    if wildcards is not None:
        base = max(base, int(wildcards.word.max(initial=0)) + 1)
    beta = shortest_distance(product, scores, LOG, reverse=True)
    # For each state that a prefix of this length reaches: the row of the prefix, the state, log α.
    front = np.zeros(1, np.int64), product.start[:1], np.zeros(1)
    prefix = np.zeros((1, 0), np.int64)  # the words of each row
    ended = []  # of the strings of each length: words, log-sum, whether it is the kept one
    own = 0
    dropped = -np.inf  # the row of the kept string's prefix; the greatest bound that was dropped

    for step in range(len(product.levels) - 1):
        label, target, value = _grown(product, scores, front, wildcards, base)
        if not len(label):
            break

        first = np.flatnonzero(np.append(True, label[1:] != label[:-1]))
        bound = LOG.plus_reduce(value + beta[target], first)  # log Σ α·β
        parent, word = np.divmod(label[first], base)
        end = np.flatnonzero(word == END_ID)
        going = np.flatnonzero(word != END_ID)
        wanted = (parent == own) & (word == (kept[step] if step < len(kept) else END_ID))
        ended += list(
            zip(prefix[parent[end]], bound[end].tolist(), wanted[end].tolist(), strict=True)
        )
        order = going[np.argsort(np.where(wanted, -np.inf, -bound)[going], kind="stable")]
        dropped = max(dropped, float(bound[order[width:]].max(initial=-np.inf)))
        chosen = np.sort(order[:width])
        own = int(np.argmax(wanted[chosen])) if wanted[chosen].any() else -1
        prefix = np.column_stack((prefix[parent[chosen]], word[chosen]))
        size = np.diff(np.append(first, len(target)))[chosen]
        rows = ranges(first[chosen], size)
        front = np.repeat(np.arange(len(chosen)), size), target[rows], value[rows]

    ended.sort(key=lambda string: -string[1])
    best = [string for place, string in enumerate(ended) if place < n or string[2]]
    others = (
        log_z for place, (_, log_z, is_kept) in enumerate(ended) if place >= n and not is_kept
    )
    certain = wildcards is None or wildcards.all_words
    bound_of_others = max(dropped, next(others, -np.inf)) if certain else np.inf

    return [words for words, *_ in best], np.array([log_z for _, log_z, _ in best]), bound_of_others


def _grown(
    product: Batch,
    scores: Floats,
    front: tuple[Ints, Ints, Floats],
    wildcards: Wildcards | None,
    base: int,
) -> tuple[Ints, Ints, Floats]:
    """One word further: (prefix, word), state and log α, ascending, one row for each.

    ``front``: rows of prefixes, states, log α. (prefix, word) is one number to the base.
    """
    row, state, alpha = front
    leaving = np.bincount(product.source, minlength=product.n_states)
    degree = leaving[state]
    arc = product.by_source[ranges((np.cumsum(leaving) - leaving)[state], degree)]
    row = np.repeat(row, degree)
    value = np.repeat(alpha, degree) + scores[arc]
    word = product.word[product.cell[arc]]
    if wildcards is not None:
        copies, word, gain = _spelt(wildcards, arc, word)
        row = row[copies]
        value = value[copies] + gain
        arc = arc[copies]

    label = row * base + word
    target = product.target[arc].astype(np.int64)
    order = np.lexsort((target, label))
    label = label[order]
    target = target[order]
    new = (label[1:] != label[:-1]) | (target[1:] != target[:-1])
    first = np.flatnonzero(np.append(True, new)) if len(label) else np.zeros(0, np.int64)
    summed = LOG.plus_reduce(value[order], first) if len(first) else value

    return label[first], target[first], summed


def _spelt(wildcards: Wildcards, arc: Ints, word: Ints) -> tuple[Ints, Ints, Floats]:
    """Every arc once for each word that it may be: which arc, the word, its gain."""
    wild = word == SIGMA_ID
    tag = np.minimum(wildcards.tag[arc], len(wildcards.indptr) - 2)
    times = np.where(wild, np.diff(wildcards.indptr)[tag], 1)
    copies = np.repeat(np.arange(len(arc)), times)
    pair = ranges(np.where(wild, wildcards.indptr[tag], 0), times)
    return (
        copies,
        np.where(wild[copies], wildcards.word[pair], word[copies]),
        np.where(wild[copies], wildcards.gain[pair], 0.0),
    )
