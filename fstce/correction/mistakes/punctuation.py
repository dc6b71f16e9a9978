"""PUNC≤k: sentences that differ in their punctuation marks alone (Smith & Eisner 2005b, Eq. 5).

At most k marks are inserted, deleted or replaced by others. The marks are data: the
English set of ``grammars/punctuation.tsv``, or the user's.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import numpy as np

from fstce.corpora.words import fault, is_fit
from fstce.errors import CorpusError, ParameterError
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import PathName
from fstce.speller.channel import Channel
from fstce.speller.features import INSIDE
from fstce.speller.lexicons import read_words
from fstce.transducers.punc import english_marks

FREE = Channel(0.0, 0.0, 0.0, 0.0)


def read_marks(path: PathName) -> tuple[str, ...]:
    """The marks of a file, one a line; what follows a tab is a remark."""
    marks = read_words(path, "punctuation mark")
    if not marks:
        raise CorpusError(f"{path}: holds no punctuation mark; give one a line")
    return marks


class Punctuate(Neighborhood):
    """The sentences whose punctuation could have been mistaken for this.

    A mark that the alphabet of a lattice lacks is not inserted into it: the corpus never has it.

    ``k``: the greatest number of marks inserted, deleted or substituted. ``marks``: what counts as
    punctuation; by default :func:`english_marks`. ``channel``: what each mistake costs; its symbols
    are marks. By default one nat each. ``weighted``: whether a sentence weighs the costs of the
    mistakes that lead to it, whose probabilities add up. By default a set of sentences.

    >>> lattice = Punctuate(1, marks=[","])("well , then go".split())
    >>> lattice.count(), ("well", ",", "then", ",", "go") in lattice.strings()
    (6, True)
    """

    def __init__(
        self,
        k: int = 1,
        marks: Collection[str] | None = None,
        *,
        channel: Channel | None = None,
        weighted: bool = False,
    ) -> None:
        self.marks: tuple[str, ...] = tuple(
            english_marks() if marks is None else dict.fromkeys(marks)
        )
        for mark in self.marks:
            if not is_fit(mark):
                raise ParameterError(f"{mark!r} cannot be a punctuation mark: {fault(mark)}")

        costs = (channel or Channel()) if weighted else FREE
        build = partial(_edits, k=k, marks=self.marks, channel=costs)
        super().__init__(build, f"punc{k}", introduces=self.marks, weighted=weighted)


def _edits(symbols: Symbols, k: int, marks: tuple[str, ...], channel: Channel) -> pynini.Fst:
    """At most k edits of marks.

    A level counts the edits so far. Every symbol is copied on its level for nothing; an edit, a
    pair of unequal marks, ε being one, goes one level up at the channel's cost.
    """
    label = np.array(symbols.labels)
    known = [mark for mark in marks if mark in symbols]
    mark = np.append(0, symbols.ids(known))
    intended, observed = np.nonzero(~np.eye(len(mark), dtype=bool))
    cost = channel.costs(known).edit(INSIDE, intended, observed)

    copying = np.arange(k + 1).repeat(len(label))  # the level of each copy
    editing = np.arange(k).repeat(len(intended))  # that of each edit
    copies = np.tile(label, k + 1)
    machine = Arrays(
        start=0,
        final=np.zeros(k + 1, np.float32),
        source=np.append(copying, editing),
        ilabel=np.append(copies, np.tile(mark[observed], k)),
        olabel=np.append(copies, np.tile(mark[intended], k)),
        weight=np.append(np.zeros(len(copies)), np.tile(cost, k)),
        next=np.append(copying, editing + 1),
    )
    return arrays_to_fst(machine).connect()
