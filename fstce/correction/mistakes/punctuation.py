"""PUNC≤k: sentences that differ in their punctuation marks alone (Smith & Eisner 2005b, Eq. 5).

At most k marks are inserted, deleted or replaced by others. The marks are data: the
English set of ``grammars/punctuation.tsv``, or the user's. What words stand between the
marks is all the same, so the machine treats them as numbered gaps, and sentences with
their marks in the same places share one lattice; the words are put in afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np

from fstce.corpora.words import fault
from fstce.correction.lexicons import read_words
from fstce.correction.mistakes.channel import Channel
from fstce.correction.parameters import CHANNEL
from fstce.errors import CorpusError, ParameterError
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import linear
from fstce.machines.openfst import pynini
from fstce.machines.symbols import FIRST_WORD_ID, Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer
from fstce.numeric.types import PathName
from fstce.parameters.rules import FLAG, POSITIVE, Rule, check, sequence
from fstce.speller.features import INSIDE
from fstce.transducers.punc import english_marks

Shape = tuple[int, ...]
WORD = -1
FREE = Channel(0.0, 0.0, 0.0, 0.0)


def read_marks(path: PathName) -> tuple[str, ...]:
    """The marks of a file, one a line; what follows a tab is a remark."""
    marks = read_words(path, "punctuation mark")
    if not marks:
        raise CorpusError(f"{path}: holds no punctuation mark; give one a line")
    return marks


PUNCTUATE = {
    "k": POSITIVE,
    "marks": sequence(Rule("text"), least=1).or_none(),
    "channel": CHANNEL,
    "weighted": FLAG,
}


class Punctuate(Neighborhood):
    """The sentences whose punctuation could have been mistaken for this.

    A mark that the alphabet of a lattice lacks is not inserted into it: the corpus never has it.

    ``k``: the greatest number of marks inserted, deleted or substituted. ``marks``: what counts as
    punctuation; by default :func:`english_marks`. ``channel``: what each mistake costs; its symbols
    are marks. By default one nat each. ``weighted``: whether a sentence weighs the cost of the
    cheapest mistakes that lead to it. By default a set of sentences.

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
        check(PUNCTUATE, k=k, marks=marks, channel=channel, weighted=weighted)
        self.k = k
        self.marks: tuple[str, ...] = (
            english_marks() if marks is None else tuple(dict.fromkeys(marks))
        )
        for mark in self.marks:
            if fault(mark) is not None:
                raise ParameterError(f"{mark!r} cannot be a punctuation mark: {fault(mark)}")
        self.channel: Channel = channel or Channel()
        super().__init__(NoTransducer(), f"punc{k}", introduces=self.marks, weighted=weighted)

    def arrays_of(self, sentence: Sequence[str], symbols: Symbols) -> Arrays:
        """The lattice of the sentence's shape, its marks and words put in."""
        marks = [mark for mark in self.marks if mark in symbols]
        number_of = {mark: i for i, mark in enumerate(marks)}
        labels = symbols.ids(marks)
        shape = tuple(number_of.get(word, WORD) for word in sentence)
        words = symbols.ids([word for word in sentence if word not in number_of])
        lattice = self._lattice(shape, tuple(marks))

        if self.weighted:
            final, weight = lattice.final.astype(np.float64), lattice.weight.astype(np.float64)
            lattice = lattice._replace(final=final, weight=weight)
        by_number = np.concatenate((np.arange(FIRST_WORD_ID), labels, words)).astype(np.int32)
        label = by_number[lattice.ilabel]
        return lattice._replace(ilabel=label, olabel=label)

    def _remember(self) -> None:
        super()._remember()
        self._lattice = lru_cache(maxsize=2048)(self._shape_lattice)
        self._edits = lru_cache(maxsize=512)(self._edit_transducer)

    def _edit_transducer(self, marks: tuple[str, ...], words: int) -> pynini.Fst:
        """At most k edits of marks; the words, numbered behind the marks, are copied.

        A level counts the edits so far. Every symbol is copied on its level for nothing; an edit, a
        pair of unequal marks, ε being one, goes one level up at the channel's cost.
        """
        label = FIRST_WORD_ID + np.arange(len(marks) + words)
        mark = np.append(0, label[: len(marks)])
        costs = (self.channel if self.weighted else FREE).costs(marks)
        intended, observed = np.nonzero(~np.eye(len(mark), dtype=bool))
        cost = costs.edit(INSIDE, intended, observed)

        copying = np.arange(self.k + 1).repeat(len(label))  # the level of each copy
        editing = np.arange(self.k).repeat(len(intended))  # that of each edit
        copies = np.tile(label, self.k + 1)
        machine = Arrays(
            start=0,
            final=np.zeros(self.k + 1, np.float32),
            source=np.append(copying, editing),
            ilabel=np.append(copies, np.tile(mark[observed], self.k)),
            olabel=np.append(copies, np.tile(mark[intended], self.k)),
            weight=np.append(np.zeros(len(copies)), np.tile(cost, self.k)),
            next=np.append(copying, editing + 1),
        )
        return arrays_to_fst(machine).connect().arcsort("ilabel")

    def _shape_lattice(self, shape: Shape, marks: tuple[str, ...]) -> Arrays:
        """Compose, project, determinize, minimize: marks are numbered first, then the words."""
        where = f"sentence ∘ {self.name}"
        pattern = np.array(shape, dtype=np.int32)
        is_word = pattern == WORD
        n_words = int(is_word.sum())
        pattern[is_word] = len(marks) + np.arange(n_words)

        sentence = arrays_to_const(linear(pattern + np.int32(FIRST_WORD_ID)))
        edited = algebra.compose(sentence, self._edits(marks, n_words), where, self.limit)
        lattice = algebra.to_lattice(edited, where, self.limit)
        return fst_to_arrays(algebra.without_empty_string(lattice, where))
