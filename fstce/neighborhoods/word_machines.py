"""Machines over words as neighborhoods: text, compiled, archives; and classes of words.

A label of such a machine is a word, or stands for several, and is read anew for each sentence:

==================  =========================================================================
``?``               any word of the sentence, those that have arcs of their own included
``?:?``             the same word on both sides; so too a class on both sides
``?:<epsilon>``     any word, deleted
``<epsilon>:?``     any word of the sentence, inserted
``@file.txt``       in text: a word of the file, one a line; or of a class: ``@function-words``
``<sigma>``         like ``?``; as output of another label: any word of the whole vocabulary
``\\?``, ``\\@x``     the words ``?`` and ``@x`` themselves
``@_IDENTITY_``     ``SYMBOL_@``, of foma and HFST: a word that no arc names, copied
``@_UNKNOWN_``      ``SYMBOL_@``: a word that no arc names; on both sides two different ones
==================  =========================================================================

A word that the sentence has not cannot be read; as output it is introduced, where the corpus
has it. A line of text is ``source target input output``, or ``source target label``, where
``input:output`` may be the label and a label without colon is its own output. Weights are
refused, for a neighborhood is a set, unless a compiled machine is loaded with ``weighted``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fstce.corpora.documents import expanded, is_file, lines_of
from fstce.corpora.tables import bundled_rows
from fstce.corpora.words import fault
from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import algebra
from fstce.machines.binary import inflated
from fstce.machines.convert import read_machine
from fstce.machines.files import content
from fstce.machines.flags import flag
from fstce.machines.image import Arrays, arrays_to_fst, is_weight, relabeled
from fstce.machines.openfst import has, pynini, pywrapfst
from fstce.machines.spelling import EPSILONS as SPELT_EPSILONS
from fstce.machines.spelling import OTHER, SAME, with_one_table
from fstce.machines.symbols import EPSILON, SIGMA, SIGMA_ID, UNKNOWN, Symbols
from fstce.machines.text import MachineLine, fields_of, parse_att
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.kernels import ranges

ANY = "?"
EPSILONS = (*SPELT_EPSILONS, "ε")


class WordClass(NamedTuple):
    """A set of words, known by whether a word is in it: ``holds``."""

    name: str
    holds: Callable[[str], bool]

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.holds(word)


def word_class(name: str, folder: Path | None = None) -> WordClass:
    """The class of this name, or that of a file of words, one a line.

    ``name``: ``function-words`` (English, in any case), ``content-words``, ``punctuation``,
    ``numbers``, or a path.

    >>> "The" in word_class("function-words"), "dog" in word_class("content-words")
    (True, True)
    """
    if name.lower() in CLASSES:
        return WordClass(name.lower(), CLASSES[name.lower()])
    path = (folder or Path()) / expanded(name)
    if not is_file(path):
        raise NeighborhoodError(
            f"no class of words {name!r}: known are {', '.join(CLASSES)}, or a file of words, one "
            "a line"
        )
    words = frozenset(" ".join(lines_of(path, NeighborhoodError)).split())
    return WordClass(name, words.__contains__)


@cache
def function_words() -> frozenset[str]:
    """English function words, in lower case."""
    return frozenset(
        word for _, words in bundled_rows("function_words.tsv") for word in words.split()
    )


def _is_function_word(word: str) -> bool:
    return word.lower() in function_words()


def _is_punctuation(word: str) -> bool:
    return not any(map(str.isalnum, word))


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) and not any(map(str.isalpha, word))


def _is_content_word(word: str) -> bool:
    return not (_is_function_word(word) or _is_punctuation(word) or _is_number(word))


CLASSES: dict[str, Callable[[str], bool]] = {
    "function-words": _is_function_word,
    "content-words": _is_content_word,
    "punctuation": _is_punctuation,
    "numbers": _is_number,
}


class WordMachine:
    """A transducer whose labels are words or stand for them, read over the words of each sentence.

    ``arrays``: the machine; its labels are places in `labels`. ``labels``: what each label says;
    the first is ε. ``classes``: what the labels that begin with ``@`` stand for.
    """

    user_defined = True

    def __init__(
        self,
        arrays: Arrays,
        labels: Sequence[str],
        classes: dict[str, WordClass],
        weighted: bool = False,
    ) -> None:
        self.arrays = arrays
        self.weighted = weighted
        self.labels: tuple[str, ...] = tuple(labels)
        self.classes = classes

        several = (ANY, SIGMA, OTHER, SAME, *classes)
        self._several = [i for i, label in enumerate(labels) if label in several]
        self._plain = {  # a backslash makes a word of what stands for others
            i: label[1:] if label[:2] in ("\\?", "\\@") else label
            for i, label in enumerate(labels)
            if i and label not in several
        }

        pairs = np.stack((arrays.ilabel, arrays.olabel))
        self._pairs, inverse = np.unique(pairs, axis=1, return_inverse=True)
        self._pair = inverse.ravel()
        # The words that it may introduce.
        self.outputs: list[str] = [
            self._plain[i] for i in np.unique(pairs[1]).tolist() if i in self._plain
        ]

    @property
    def equivariant(self) -> bool:
        """Whether no arc names a word or a class."""
        return all(
            self.labels[i] in (ANY, SIGMA, EPSILON, OTHER, SAME) for i in np.unique(self._pairs)
        )

    def __call__(self, symbols: Symbols) -> pynini.Fst:
        """The transducer over an alphabet: each arc as often as its labels have words in it."""
        words = self._members(symbols)
        present = np.zeros(len(self.labels), dtype=bool)
        present[[label for label, ids in words.items() if ids]] = True

        pairs = np.flatnonzero(present[self._pairs].all(axis=0))
        choices = [
            self._choices(left, right, words) for left, right in self._pairs[:, pairs].T.tolist()
        ]
        number = np.zeros(self._pairs.shape[1], dtype=np.int64)
        number[pairs] = [len(some) for some in choices]

        table = np.array([pair for some in choices for pair in some], dtype=np.int64).reshape(-1, 2)
        times = number[self._pair]
        labels = table[ranges((np.cumsum(number) - number)[self._pair], times)]
        arc = np.repeat(np.arange(len(times)), times)
        columns = {name: getattr(self.arrays, name)[arc] for name in ("source", "weight", "next")}

        arrays = self.arrays._replace(ilabel=labels[:, 0], olabel=labels[:, 1], **columns)
        return arrays_to_fst(arrays, "log64" if self.weighted else "standard")

    def _choices(self, left: int, right: int, words: dict[int, list[int]]) -> list[tuple[int, int]]:
        """The pairs of words that an arc of these two labels reads and writes."""
        if left == right and self.labels[left] == OTHER:
            return list(permutations(words[left], 2))
        if left == right:
            return [(word, word) for word in words[left]]
        if self.labels[right] == SIGMA:
            return [(word, SIGMA_ID) for word in words[left]]
        return list(product(words[left], words[right]))

    def _members(self, symbols: Symbols) -> dict[int, list[int]]:
        """The ids of the words that each label stands for, as far as the alphabet has them."""
        known = [*symbols, *(word for word in self.outputs if word in symbols)]
        ids = dict(zip(known, symbols.ids(known).tolist(), strict=True))
        id_of_word = {word: ids[word] for word in symbols}
        listed = set(self._plain.values())
        members = {0: [0], **{i: [ids[word]] for i, word in self._plain.items() if word in ids}}

        for i in self._several:
            name = self.labels[i]
            if name in (OTHER, SAME):
                members[i] = [label for word, label in id_of_word.items() if word not in listed]
            else:
                words = self.classes.get(name, id_of_word)
                members[i] = [label for word, label in id_of_word.items() if word in words]
        return members


def text(name: str, path: Path) -> Neighborhood:
    """The neighborhood in a file of AT&T text whose labels are words."""
    lines = [_two_labels(line) for line in fields_of(path, inflated(content(path), str(path)))]
    fields = [field for line in lines if len(line.fields) == 4 for field in line.fields[2:]]
    labels = dict.fromkeys([EPSILON, *fields])
    _check_flags(labels, str(path))
    ids = {label: i for i, label in enumerate(labels)}
    named = [label for label in labels if label[:1] == "@" != label and label not in (OTHER, SAME)]
    try:
        classes = {label: word_class(label[1:], path.parent) for label in named}
    except NeighborhoodError as error:
        raise NeighborhoodError(f"{path}: {error}") from None
    return _loaded(name, WordMachine(parse_att(lines, (ids, str(path))), list(labels), classes))


def in_memory(fst: pywrapfst.Fst, weighted: bool = False) -> Neighborhood:
    """The neighborhood that a machine with symbols is; its labels are words or stand for them."""
    where = "machine in memory"
    machine = _words_of(algebra.verified(fst, where), where, weighted)
    states = len(machine.arrays.final)
    arcs = len(machine.arrays.source)
    return _loaded(f"machine of {states} states and {arcs} arcs", machine)


def compiled(name: str, path: Path, key: str | None = None, weighted: bool = False) -> Neighborhood:
    """The neighborhood in a compiled transducer, or in that of a key of an archive."""
    where = str(path) if key is None else f"{path}:{key}"
    return _loaded(name, _words_of(read_machine(path, key=key), where, weighted))


def _loaded(name: str, machine: WordMachine) -> Neighborhood:
    for word in machine.outputs:
        if (reason := fault(word)) is not None:
            raise MachineError(f"{name}: the label {word!r} cannot be a word: {reason}")
    return Neighborhood(
        machine,
        name,
        equivariant=machine.equivariant,
        introduces=machine.outputs,
        weighted=machine.weighted,
    )


def _words_of(fst: pynini.Fst, where: str, weighted: bool) -> WordMachine:
    """A compiled machine's labels as words; the two sides may have tables of their own."""
    fst = algebra.passable(fst)
    has_weights = not has(fst, "UNWEIGHTED")
    if has_weights and not weighted:
        raise MachineError(
            f"{where}: the machine has weights; a neighborhood is a set, so remove them, or let "
            "them count with neighborhood(…, weighted=True), on the command line --weighted"
        )

    if None in (fst.input_symbols(), fst.output_symbols()):
        raise MachineError(
            f"{where}: no symbols, so its words are unknown; attach a table to both sides"
        )
    machine = algebra.in_log(fst) if weighted else algebra.unweighted(fst, where)
    arrays, table = with_one_table(machine)
    ids = {EPSILON: 0}
    sides = [
        relabeled(side, lambda label: ids.setdefault(table.find(label), len(ids)))
        for side in (arrays.ilabel, arrays.olabel)
    ]

    labels = list(ids)
    _check_flags(labels, where)

    if UNKNOWN in ids:  # how the reader spells foma's and HFST's OOV words: on both sides it is one
        unknown = [side == ids[UNKNOWN] for side in sides]
        number = np.where(unknown[0] & unknown[1], len(labels), len(labels) + 1)
        sides = [np.where(which, number, side) for which, side in zip(unknown, sides, strict=True)]
        labels += [SAME, OTHER]
    return WordMachine(arrays._replace(ilabel=sides[0], olabel=sides[1]), labels, {}, weighted)


def _check_flags(labels: Iterable[str], where: str) -> None:
    if flags := list(filter(flag, labels)):
        raise MachineError(
            f"{where}: {flags[0]} is a flag diacritic, which no sentence has; eliminate flags first"
        )


def _two_labels(line: MachineLine) -> MachineLine:
    """An arc with an input and an output label, ε spelt one way; a final state as it is."""
    where, fields = line
    if fields == ["--"]:
        raise MachineError(f"{where}: of several machines take one: fstce machine convert FILE:1")
    if len(fields) <= 2:
        if len(fields) == 2 and not (is_weight(fields[1]) and float(fields[1]) == 0.0):
            raise MachineError(
                f"{where}: a final state with {fields[1]!r}; a neighborhood has no weights"
            )
        return MachineLine(where, fields[:1])

    if len(fields) == 3:
        read, colon, written = fields[2].partition(":")
        labels = [read, written] if colon and read and written else [fields[2], fields[2]]
    else:
        # HFST writes a weight of 0 behind every arc.
        zero = len(fields) == 5 and is_weight(fields[4]) and float(fields[4]) == 0.0
        labels = fields[2:4] if zero else fields[2:]

    if len(labels) != 2:
        raise MachineError(
            f"{where}: {len(fields)} fields; an arc is 'source target input output' or "
            "'source target label', without a weight"
        )
    return MachineLine(
        where, [*fields[:2], *(EPSILON if label in EPSILONS else label for label in labels)]
    )
