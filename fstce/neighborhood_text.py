"""Machines over words as neighbourhoods: AT&T text, compiled ``.fst``, archives, ready lattices.

A label of such a machine is a word, or stands for several, and is read anew for each sentence:

==================  =========================================================================
``?``               any word of the sentence, those that have arcs of their own included
``?:?``             the same word on both sides; so too a class on both sides
``?:<epsilon>``     any word, deleted
``<epsilon>:?``     any word of the sentence, inserted
``@file.txt``       in text: a word of the file, one a line; or of a class: ``@function-words``
``<sigma>``         like ``?``; as output of another label: any word of the whole vocabulary
``\\?``, ``\\@x``     the words ``?`` and ``@x`` themselves
==================  =========================================================================

A word that the sentence has not cannot be read; as output it is introduced, where the corpus
has it. A line of text is ``source target input output``, or ``source target label``, where
``input:output`` may be the label and a label without colon is its own output. Weights are
refused: a neighbourhood is a set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pynini
from numpy.typing import NDArray

from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import algebra
from fstce.machines.atomic import existing
from fstce.machines.far import read_far
from fstce.machines.files import read_fst
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import Lattice, accepts
from fstce.machines.lines import Line, fields_of, is_weight
from fstce.machines.parse import parse_att
from fstce.machines.symbols import EPSILON, SIGMA, SIGMA_ID, Symbols
from fstce.neighborhood_files import Loaded
from fstce.neighborhoods import beginning
from fstce.transducers.del1function import function_words

ANY = "?"
Ints = NDArray[np.int64]
EPSILONS = (EPSILON, "<eps>", "@0@", "ε")


class WordClass(NamedTuple):
    """A set of words, known by whether a word is in it.

    Attributes
    ----------
    name : str
    holds : callable
        From a word to whether it belongs.
    """

    name: str
    holds: Callable[[str], bool]

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.holds(word)


def word_class(name: str, folder: Path | None = None) -> WordClass:
    """The class of this name, or that of a file of words, one a line.

    Parameters
    ----------
    name : str
        ``function-words`` (English, in any case), ``content-words``, ``punctuation``,
        ``numbers``, or a path.
    folder : Path, optional
        Where a relative path begins.

    Raises
    ------
    NeighborhoodError
        There is no such class, and no such file.

    Examples
    --------
    >>> "The" in word_class("function-words"), "dog" in word_class("content-words")
    (True, True)
    """
    if name.lower() in CLASSES:
        return WordClass(name.lower(), CLASSES[name.lower()])
    path = (folder or Path()) / Path(name).expanduser()
    if not path.is_file():
        raise NeighborhoodError(
            f"no class of words {name!r}: known are {', '.join(CLASSES)}, or a file of words, one a line"
        )
    try:
        words = frozenset(path.read_text(encoding="utf-8").split())
    except UnicodeDecodeError:
        raise NeighborhoodError(f"{path}: not UTF-8 text; a class is a file of words, one a line") from None
    return WordClass(name, words.__contains__)


class WordMachine:
    """A transducer whose labels are words or stand for them, read over the words of each sentence.

    Parameters
    ----------
    arrays : Arrays
        The machine; its labels are places in `labels`.
    labels : sequence of str
        What each label says; the first is ε.
    classes : mapping of str to WordClass
        What the labels that begin with ``@`` stand for.
    """

    def __init__(self, arrays: Arrays, labels: Sequence[str], classes: dict[str, WordClass]) -> None:
        self.arrays = arrays
        self.labels = tuple(labels)
        self.classes = classes
        self._plain = np.array([self._is_plain(label) for label in labels])
        pairs = np.stack((arrays.ilabel, arrays.olabel))
        self._pairs, inverse = np.unique(pairs, axis=1, return_inverse=True)
        self._pair = inverse.ravel()

    @property
    def equivariant(self) -> bool:
        """Whether no arc names a word or a class."""
        used = np.unique(self._pairs)
        return all(self.labels[label] in (ANY, SIGMA, EPSILON) for label in used)

    @property
    def outputs(self) -> list[str]:
        """The words that it may introduce."""
        return [_word(self.labels[i]) for i in np.unique(self._pairs[1]) if self._plain[i] and i > 0]

    def __call__(self, symbols: Symbols) -> pynini.Fst:
        """The transducer over an alphabet: each arc as often as its labels have words in it."""
        first, number, choices = self._table(symbols)
        times = number[self._pair]
        arc = np.repeat(np.arange(len(times)), times)
        nth = np.arange(len(arc)) - np.repeat(np.cumsum(times) - times, times)
        labels = choices[first[self._pair][arc] + nth]
        columns = self.arrays
        return arrays_to_fst(
            Arrays(
                columns.start,
                columns.final,
                columns.source[arc],
                labels[:, 0],
                labels[:, 1],
                columns.weight[arc],
                columns.next[arc],
            )
        )

    def _table(self, symbols: Symbols) -> tuple[Ints, Ints, Ints]:
        """For each pair of labels where its choices begin and how many they are; and all choices."""
        known = [i for i, label in enumerate(self.labels) if self._plain[i] and _word(label) in symbols]
        ids = np.full(len(self.labels), -1)
        ids[0] = 0
        ids[known] = symbols.ids([_word(self.labels[i]) for i in known])
        words = ids[self._pairs]
        number = np.all(words >= 0, axis=0).astype(np.int64)
        several = np.flatnonzero(~np.all(self._plain[self._pairs], axis=0)).tolist()
        pairs = self._pairs[:, several].T.tolist()
        found = [self._choices(left, right, ids, symbols) for left, right in pairs]
        number[several] = [len(choices) for choices in found]
        first = np.cumsum(number) - number
        table = np.zeros((number.sum(), 2), dtype=np.int64)
        one = np.setdiff1d(np.flatnonzero(number), several)
        table[first[one]] = words[:, one].T
        for i, choices in zip(several, found, strict=True):
            table[first[i] : first[i] + len(choices)] = np.reshape(choices, (-1, 2))
        return first, number, table

    def _choices(self, left: int, right: int, ids: Ints, symbols: Symbols) -> list[tuple[int, int]]:
        """What an arc of these two labels reads and writes."""
        if left == right and not self._plain[left]:
            return [(word, word) for word in self._members(left, symbols)]
        sides = []
        for label, output in ((left, False), (right, True)):
            if self._plain[label]:
                sides.append([int(ids[label])] if ids[label] >= 0 else [])
            elif output and self.labels[label] == SIGMA:
                sides.append([SIGMA_ID])
            else:
                sides.append(self._members(label, symbols))
        return [(one, other) for one in sides[0] for other in sides[1]]

    def _members(self, label: int, symbols: Symbols) -> list[int]:
        name = self.labels[label]
        words = self.classes.get(name)
        if words is None:
            return list(symbols.labels)
        return [i for i, word in zip(symbols.labels, symbols, strict=True) if word in words]

    def _is_plain(self, label: str) -> bool:
        return label not in (ANY, SIGMA) and label not in self.classes


def text(name: str, path: Path) -> Loaded:
    """The neighbourhood in a file of AT&T text whose labels are words.

    Raises
    ------
    MachineError
        A line is no arc and no final state, or has a weight; names file and line.
    NeighborhoodError
        A class of words is unknown.
    """
    lines = [_two_labels(line) for line in fields_of(path)]
    fields = [field for line in lines if len(line.fields) == 4 for field in line.fields[2:]]
    found = dict.fromkeys([EPSILON, *fields])
    ids = {label: i for i, label in enumerate(found)}
    classes = {label: word_class(label[1:], path.parent) for label in found if label[:1] == "@" != label}
    arrays = parse_att(lines, ids)
    return _loaded(name, WordMachine(arrays, list(found), classes))


def compiled(name: str, path: Path, key: str | None = None) -> Loaded:
    """The neighbourhood in a compiled transducer, or in that of a key of an archive.

    Raises
    ------
    MachineError
        The file is damaged, the machine has weights or no symbols; the archive has no such key.
    """
    if key is None:
        return _loaded(name, _words_of(read_fst(path), str(path)))
    machines = read_far(path)
    if key not in machines:
        raise MachineError(f"{path}: no machine {key!r}; there are {', '.join(list(machines)[:10])}")
    return _loaded(name, _words_of(machines[key], f"{path}:{key}"))


def lattices(name: str, path: Path) -> ReadyLattices:
    """The neighbourhood of ready lattices, one a sentence, in the order of their keys."""
    return ReadyLattices(name, existing(path))


class ReadyLattices(Loaded):
    """Lattices that another program made: lattice n is that of sentence n of the corpus.

    Parameters
    ----------
    name : str
    path : Path
        A FAR; its machines unweighted acceptors whose symbols are words.

    Raises
    ------
    MachineError
        The archive is damaged, or a lattice has weights or no symbols; names the key.
    """

    def __init__(self, name: str, path: Path) -> None:
        self.path = path
        machines = read_far(path)
        self.keys = list(machines)
        found = [_lattice_of(fst, f"{path}:{key}") for key, fst in machines.items()]
        self.lattices = [arrays for arrays, _ in found]
        self.words = [words for _, words in found]
        everything = dict.fromkeys(word for words in self.words for word in words)
        super().__init__(_no_builder, name, introduces=tuple(everything))

    def __call__(self, words: Sequence[str], vocabulary: Iterable[str] = ()) -> Lattice:
        """The first lattice that holds the sentence."""
        symbols = Symbols([*words, *vocabulary, *self.introduces])
        ids = symbols.ids(list(words))
        for number in range(1, len(self.keys) + 1):
            arrays = self._over(number, symbols)
            if accepts(arrays, ids):
                return Lattice(arrays, symbols, f"{self.path}:{self.keys[number - 1]}")
        raise NeighborhoodError(f"{self.path}: none of {len(self.keys)} lattices holds {beginning(words)!r}")

    def expand(
        self, sentences: Iterable[Sequence[str]], symbols: Symbols, numbers: Iterable[int] | None = None
    ) -> Iterator[Lattice]:
        """The lattice of each sentence by its number in the corpus.

        Raises
        ------
        NeighborhoodError
            There are fewer lattices than sentences, or a lattice does not hold its sentence.
        MachineError
            A lattice has a word that the corpus and its dictionary have not.
        """
        number = 0
        for number, sentence in zip(numbers or count(1), sentences, strict=False):
            where = f"sentence {number} ({beginning(sentence)})"
            if number > len(self.keys):
                raise NeighborhoodError(
                    f"{where}: {self.path} has {len(self.keys)} lattices; give one for each sentence"
                )
            key = f"{self.path}:{self.keys[number - 1]}"
            try:
                arrays = self._over(number, symbols)
            except MachineError as error:
                raise MachineError(f"{where}: {key}: {error}; list it in the dictionary") from None
            if not accepts(arrays, symbols.ids(list(sentence))):
                raise NeighborhoodError(
                    f"{where}: {key} does not hold it; are the lattices in the corpus's order?"
                )
            yield Lattice(arrays, symbols, key)
        if numbers is None and number < len(self.keys):
            raise NeighborhoodError(
                f"{self.path} has {len(self.keys)} lattices for {number} sentences; give one for each"
            )

    def _over(self, number: int, symbols: Symbols) -> Arrays:
        """A lattice with the labels of these symbols."""
        label = symbols.ids(self.words[number - 1])[self.lattices[number - 1].ilabel]
        return self.lattices[number - 1]._replace(ilabel=label, olabel=label)


def _lattice_of(fst: pynini.Fst, where: str) -> tuple[Arrays, list[str]]:
    """A lattice and its words; its labels are places among them."""
    machine = algebra.unweighted(fst, f"{where} (weighted lattices are not read yet)")
    table = machine.output_symbols()
    if table is None:
        raise MachineError(f"{where}: no symbols, so its words are unknown; attach them")
    arrays = fst_to_arrays(algebra.without_empty_string(algebra.to_lattice(machine, where), where))
    used, place = np.unique(arrays.ilabel, return_inverse=True)
    label = place.astype(np.int32)
    return arrays._replace(ilabel=label, olabel=label), [table.find(int(i)) for i in used]


def _no_builder(symbols: Symbols) -> pynini.Fst:
    raise NeighborhoodError("ready lattices have no transducer; ask for a sentence's lattice")


def _loaded(name: str, machine: WordMachine) -> Loaded:
    return Loaded(machine, name, equivariant=machine.equivariant, introduces=machine.outputs)


def _words_of(fst: pynini.Fst, where: str) -> WordMachine:
    """A compiled machine's labels as words; the two sides may have tables of their own."""
    machine = algebra.unweighted(fst, where)
    arrays, tables = fst_to_arrays(machine), (machine.input_symbols(), machine.output_symbols())
    columns: list[list[str]] = []
    for table, column in zip(tables, (arrays.ilabel, arrays.olabel), strict=True):
        if table is None:
            raise MachineError(f"{where}: no symbols, so its words are unknown; attach a table to both sides")
        used, place = np.unique(column, return_inverse=True)
        spelt = [EPSILON if label == 0 else table.find(int(label)) for label in used]
        columns.append([spelt[i] for i in place.tolist()])
    labels = list(dict.fromkeys([EPSILON, *columns[0], *columns[1]]))
    ids = {label: i for i, label in enumerate(labels)}
    sides = [np.array([ids[label] for label in column], dtype=np.int32) for column in columns]
    return WordMachine(arrays._replace(ilabel=sides[0], olabel=sides[1]), labels, {})


def _two_labels(line: Line) -> Line:
    """An arc with an input and an output label, ε spelt one way; a final state as it is."""
    where, fields = line
    if len(fields) <= 2:
        if len(fields) == 2 and not (is_weight(fields[1]) and float(fields[1]) == 0.0):
            raise MachineError(f"{where}: a final state with {fields[1]!r}; a neighbourhood has no weights")
        return Line(where, fields[:1])
    if len(fields) == 3:
        left, colon, right = fields[2].partition(":")
        labels = [left, right] if colon and left and right else [fields[2], fields[2]]
    else:
        labels = fields[2:]
    if len(labels) != 2:
        raise MachineError(
            f"{where}: {len(fields)} fields; an arc is 'source target input output' or "
            "'source target label', without a weight"
        )
    return Line(where, [*fields[:2], *(EPSILON if label in EPSILONS else label for label in labels)])


def _word(label: str) -> str:
    """The word that a label names, its backslash taken away."""
    return label[1:] if label[:2] in ("\\?", "\\@") else label


def _is_function_word(word: str) -> bool:
    return word.lower() in function_words()


def _is_content_word(word: str) -> bool:
    return not (_is_function_word(word) or _is_punctuation(word) or _is_number(word))


def _is_punctuation(word: str) -> bool:
    return not any(character.isalnum() for character in word)


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) and not any(map(str.isalpha, word))


CLASSES: dict[str, Callable[[str], bool]] = {
    "function-words": _is_function_word,
    "content-words": _is_content_word,
    "punctuation": _is_punctuation,
    "numbers": _is_number,
}
