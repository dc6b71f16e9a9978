"""PUNC≤k: sentences that differ in their punctuation marks alone (Smith & Eisner 2005b, Eq. 5).

At most k marks are inserted, deleted or replaced by others. The marks are data: the
English set of ``grammars/punctuation.tsv``, or the user's. What words stand between the
marks is all the same, so the machine treats them as numbered gaps, and sentences with
their marks in the same places share one lattice; the words are put in afterwards, or, for
SPELL and PUNC in one, the candidates of each.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.words import fault
from fstce.correction.lexicons import read_words
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parameters import CHANNEL
from fstce.errors import CorpusError, ParameterError
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import linear
from fstce.machines.openfst import pynini
from fstce.machines.symbols import FIRST_WORD_ID, Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Ints, Ints32, PathName
from fstce.parameters.rules import FLAG, POSITIVE, Rule, check, instance, sequence
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
    "spell": instance("a Spell", "Spell").or_none(),
}


class Punctuate(Neighborhood):
    """The sentences whose punctuation could have been mistaken for this.

    A mark that the alphabet of a lattice lacks is not inserted into it: the corpus never has it.

    ``k``: the greatest number of marks inserted, deleted or substituted. ``marks``: what counts as
    punctuation; by default :func:`english_marks`. ``channel``: what each mistake costs; its symbols
    are marks. By default one nat each. ``weighted``: whether a sentence weighs the cost of the
    cheapest mistakes that lead to it. By default a set of sentences. ``spell``: replaces words by
    their candidates at the same time. Candidates that are marks are left out.

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
        spell: Spell | None = None,
    ) -> None:
        check(PUNCTUATE, k=k, marks=marks, channel=channel, weighted=weighted, spell=spell)
        if spell is not None and spell.weighted != weighted:
            raise ParameterError(
                "SPELL and PUNC in one are both weighted or neither; make both weighted"
            )
        self.k = k
        self.marks: tuple[str, ...] = (
            english_marks() if marks is None else tuple(dict.fromkeys(marks))
        )
        for mark in self.marks:
            if fault(mark) is not None:
                raise ParameterError(f"{mark!r} cannot be a punctuation mark: {fault(mark)}")
        self.channel: Channel = channel or Channel()
        self.spell = spell
        name = f"punc{k}" if spell is None else f"{spell.name}+punc{k}"
        super().__init__(NoTransducer(), name, introduces=self.marks, weighted=weighted)

    def introduced(self, words: Sequence[str]) -> tuple[str, ...]:
        """The marks, and the candidates of these words where they have any."""
        return (*self.marks, *(self.spell.introduced(words) if self.spell else ()))

    def arrays_of(self, sentence: Sequence[str], symbols: Symbols) -> Arrays:
        """The lattice of the sentence's shape, its marks and words put in."""
        marks = [mark for mark in self.marks if mark in symbols]
        number_of = {mark: i for i, mark in enumerate(marks)}
        labels = symbols.ids(marks)
        shape = tuple(number_of.get(word, WORD) for word in sentence)
        words = [word for word in sentence if word not in number_of]
        return self._filled(self._lattice(shape, tuple(marks)), labels, words, symbols)

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

    def _filled(
        self, lattice: Arrays, marks: Ints32, words: Sequence[str], symbols: Symbols
    ) -> Arrays:
        """The lattice with marks and words in their places, in the alphabet's ids."""
        if self.weighted:
            final, weight = lattice.final.astype(np.float64), lattice.weight.astype(np.float64)
            lattice = lattice._replace(final=final, weight=weight)
        if self.spell is not None and words:
            return _spelt(lattice, marks, *self.spell.weighted_arcs(words, symbols))

        labels = (np.arange(FIRST_WORD_ID), marks, symbols.ids(list(words)))
        label = np.concatenate(labels).astype(np.int32)[lattice.ilabel]
        return lattice._replace(ilabel=label, olabel=label)


def _spelt(
    lattice: Arrays, marks: Ints32, position: Ints, label: Ints, weight: NDArray[Any]
) -> Arrays:
    """Each arc of a word replaced by the arcs of its candidates, as far as they are no marks."""
    is_word = ~np.isin(label, marks)
    position = position[is_word]
    label = label[is_word]
    weight = weight[is_word]
    n_fixed = FIRST_WORD_ID + len(marks)
    n_words = int(position[-1]) + 1

    # The labels that stand for each label of the lattice: itself, or the candidates of a word.
    size = np.append(np.ones(n_fixed, np.int64), np.bincount(position, minlength=n_words))
    begin = np.cumsum(size) - size
    labels = np.concatenate((np.arange(FIRST_WORD_ID), marks, label)).astype(np.int32)
    costs = np.append(np.zeros(n_fixed), weight)

    arcs = np.repeat(np.arange(len(lattice.ilabel)), size[lattice.ilabel])
    place = ranges(begin[lattice.ilabel], size[lattice.ilabel])
    return lattice._replace(
        source=lattice.source[arcs],
        ilabel=labels[place],
        olabel=labels[place],
        weight=(lattice.weight[arcs] + costs[place]).astype(lattice.weight.dtype),
        next=lattice.next[arcs],
    )
