"""The edit transducer: what was typed on its input, what may have been meant on its output.

A level counts the edits so far, from 0 to k. Every symbol is copied on its level for
nothing; an edit goes one level up at the channel's cost. With transpositions, ab becomes
ba through two states that remember a: no symbol is edited twice (optimal string
alignment, the usual reading of Damerau 1964).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.correction.mistakes.channel import Channel
from fstce.correction.parameters import CHANNEL
from fstce.errors import ParameterError
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.numeric.rules import COUNT, FLAG, Rule, check, sequence, shown
from fstce.numeric.types import Floats, Ints
from fstce.speller.features import INSIDE

EDIT_TRANSDUCER = {
    "alphabet": sequence(Rule("text")) | Rule("text"),
    "k": COUNT,
    "damerau": FLAG,
    "channel": CHANNEL,
    "labels": sequence(COUNT).or_none(),
    "copied": sequence(COUNT),
}
ArcColumns = tuple[Ints, Ints, Ints, Floats, Ints]


def edit_transducer(
    alphabet: Sequence[str],
    k: int = 1,
    *,
    damerau: bool = False,
    channel: Channel | None = None,
    labels: Sequence[int] | None = None,
    copied: Sequence[int] = (),
) -> pynini.Fst:
    """The machine of at most k edits, weighted by the channel.

    ``alphabet``: the symbols that may be edited, each once. ``damerau``: whether the transposition of two
    adjacent symbols is one edit. ``channel``: the costs; by default one nat an edit. ``labels``: the labels
    of the symbols; by default the code points of characters, which pynini calls the token type ``utf8``.
    ``copied``: labels that are copied and never edited. Returns arc type ``standard``, weights in −log,
    sorted by input.

    >>> machine = edit_transducer("abr", 1)
    >>> meant = pynini.accep("ab") @ machine @ pynini.union("ab", "bar", "abra")
    >>> [(word, float(weight)) for _, word, weight in meant.paths().items()]
    [('ab', 0.0)]
    """
    check(EDIT_TRANSDUCER, alphabet=alphabet, k=k, damerau=damerau, channel=channel)
    check(EDIT_TRANSDUCER, labels=labels, copied=copied)
    if labels is not None and len(labels) != len(alphabet):
        raise ParameterError(f"labels={shown(labels)}: give one for each of {len(alphabet)} symbols")
    if len(set(alphabet)) < len(alphabet):
        raise ParameterError("the alphabet of the edit transducer holds a symbol twice")
    symbol = np.array(list(map(ord, alphabet)) if labels is None else labels, dtype=np.int64)
    channel = channel or Channel()
    parts = [_copies(np.append(symbol, np.array(copied, dtype=np.int64)), level) for level in range(k + 1)]
    costs = channel.costs(alphabet)
    parts += [_edits(symbol, costs.edits[INSIDE], level) for level in range(k)]
    states = k + 1
    if damerau:
        swaps = costs.swaps[INSIDE]
        parts += [_swaps(symbol, swaps, level, k + 1 + 2 * level * len(symbol)) for level in range(k)]
        states += 2 * k * len(symbol)
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    source, ilabel, olabel, weight, target = columns
    final = np.where(np.arange(states) <= k, 0.0, np.inf).astype(np.float32)
    fst = arrays_to_fst(Arrays(0, final, source, ilabel, olabel, weight, target))
    return fst.connect().arcsort("ilabel")


def _copies(symbol: Ints, level: int) -> ArcColumns:
    at = np.full(len(symbol), level)
    return at, symbol, symbol, np.zeros(len(symbol)), at


def _edits(symbol: Ints, costs: Floats, level: int) -> ArcColumns:
    """Substitutions, insertions and deletions: every pair of unequal symbols, ε being one."""
    meant, typed = np.nonzero(~np.eye(len(costs), dtype=bool))
    label = np.append(0, symbol)
    at = np.full(len(meant), level)
    return at, label[typed], label[meant], costs[meant, typed], at + 1


def _swaps(symbol: Ints, costs: Floats, level: int, first: int) -> ArcColumns:
    """Typed ab, meant ba: read a; copy b; write a. Two states for each a, from `first` on."""
    number = np.arange(len(symbol))
    hold, give = first + 2 * number, first + 2 * number + 1
    a, b = np.nonzero(~np.eye(len(symbol), dtype=bool))
    none, at = np.zeros_like(symbol), np.full(len(symbol), level)
    free = np.zeros(len(symbol))
    return (
        np.concatenate((at, hold[a], give)),
        np.concatenate((symbol, symbol[b], none)),
        np.concatenate((none, symbol[b], symbol)),
        np.concatenate((free, costs[b, a], free)),
        np.concatenate((hold, give[a], at + 1)),
    )


def is_one_edit(a: str, b: str) -> bool:
    """Whether words differ by at most one edit: a letter more, less or another, or two in the other order.

    >>> [is_one_edit("teh", other) for other in ("the", "tea", "thee")]
    [True, True, False]
    """
    for _ in range(2):  # without what they begin with alike, and what they end with
        same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        a, b = a[same:][::-1], b[same:][::-1]
    return max(len(a), len(b)) < 2 or (len(a) == 2 and a == b[::-1])
