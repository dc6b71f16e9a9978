"""The words that a speller knows: an acceptor over code points, its weights −log of how often they are used.

=====================================  ====================================================================
``.hfst .hfstol .att .fst .zhfst``     someone's acceptor, its weights as they are
``.dic``                               hunspell's dictionary, its ``.aff`` next to it
any other file                         lines of a word, or of word, tab, count; or a text, whose words count
=====================================  ====================================================================
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fstce.corpora.documents import lines_of
from fstce.corpora.hunspell import WORDS, hunspell_words
from fstce.corpora.tables import whole_number
from fstce.errors import CorpusError, MachineError, ParameterError
from fstce.machines.convert import read_machine
from fstce.machines.flags import flag
from fstce.machines.image import arrays_to_fst, chain, fst_to_arrays
from fstce.machines.lattice import prefix_tree
from fstce.machines.openfst import pynini
from fstce.machines.reach import paths_of
from fstce.machines.spelling import OTHER, SAME
from fstce.machines.symbols import UNKNOWN

MACHINES = (".hfst", ".hfstol", ".att", ".fst", ".zhfst")
LISTED = 0.9  # of the lines of a list are one word: a list may have some of several
RARE = 1e-4  # share of the letters below which one is not worth arcs of its own
_MOST = 53 * np.log(2)  # of counts, the logarithm
_WORD = re.compile(r"[^\W\d_](?:[\w'’:-]*\w)?")


class Lexicon:
    """An acceptor of words, sorted by input, weights −log up to a constant.

    >>> lexicon = Lexicon.of_counts({"cat": 3, "cats": 0})
    >>> {word: round(cost, 3) for word, cost in lexicon.costs(["cat", "cats", "dog"]).items()}
    {'cat': 0.0, 'cats': 0.693}
    """

    def __init__(self, machine: pynini.Fst) -> None:
        self.machine = machine.arcsort("ilabel")
        self.arrays = fst_to_arrays(machine)

    @classmethod
    def of_counts(cls, counts: Mapping[str, int], without: Iterable[str] = ()) -> Lexicon:
        """The words of a table, by how often each was seen and once more; one that is listed alone, as once.

        ``without``: words that are none: what was observed for another.
        """
        left_out = set(without)
        words = [word for word in counts if word and word not in left_out]
        if not words:
            raise ParameterError("the lexicon holds no word; give at least one")
        times = np.array([max(counts[word], 1) for word in words], dtype=np.float64) + 1.0
        rows = [np.array(list(map(ord, word)), dtype=np.int32) for word in words]
        tree = prefix_tree(rows, np.log(times.max() / times))
        return cls(arrays_to_fst(tree).minimize())

    def raised(self, exponent: float) -> pynini.Fst:
        """The acceptor, its weights times the exponent."""
        return arrays_to_fst(self.arrays.raised(exponent)).arcsort("ilabel")

    def costs(self, words: Iterable[str]) -> dict[str, float]:
        """What those of the words cost that the lexicon has."""
        rows = [np.array(list(map(ord, word)), dtype=np.int32) for word in sorted({*words}) if word]
        if not rows:
            return {}
        known = (
            pynini.compose(arrays_to_fst(prefix_tree(rows)), self.machine)
            .project("output")
            .rmepsilon()
        )
        costs: dict[str, float] = {}
        for word, cost in strings(known):
            costs[word] = min(cost, costs.get(word, np.inf))
        return costs

    def counts(self) -> dict[str, int]:
        """All words, by how much more often than the rarest each is used; raises where they do not end."""
        if not self.machine.properties(pynini.ACYCLIC, True):
            raise ParameterError(
                "the speller's acceptor has words without end; give a lexicon of its own"
            )
        costs: dict[str, float] = {}
        for number, (word, cost) in enumerate(strings(self.machine), 1):
            costs[word] = min(cost, costs.get(word, np.inf))
            if number > WORDS:
                raise ParameterError(
                    f"the speller's acceptor has more than {WORDS:,} words; give a lexicon"
                )
        most = max(costs.values(), default=0.0)
        # Counts are whole numbers of eight bytes that floats hold, too.
        shares = {word: min(most - cost, _MOST) for word, cost in costs.items() if word}
        return {word: round(float(np.exp(share))) for word, share in shares.items()}

    def letters(self, also: str) -> str:
        """The letters worth arcs of their own: those that are not rare, and these."""
        label, times = np.unique(self.arrays.ilabel[self.arrays.ilabel > 0], return_counts=True)
        common = map(chr, label[times > RARE * times.sum()].tolist())
        return "".join(sorted({*common, *also}))

    def labels(self) -> list[int]:
        """The code points of all its letters."""
        return [label for label in np.unique(self.arrays.ilabel).tolist() if label]


def lexicon_of(words: Any, typos: Sequence[tuple[str, str]] = ()) -> Lexicon:
    """The lexicon of counts, words, an acceptor, a file, or several files whose counts are added.

    ``typos``: observed and intended; what was observed and never intended is no word, whatever a text has.
    """
    if isinstance(words, Lexicon):
        return words
    if isinstance(words, pynini.Fst):
        return Lexicon(words.copy())
    if isinstance(words, (str, os.PathLike)):
        words = [Path(words)]
    if not isinstance(words, Mapping) and all(isinstance(word, os.PathLike) for word in words):
        if any(Path(path).suffix.lower() in MACHINES for path in words):
            if len(words) > 1:
                raise ParameterError("an acceptor is a whole lexicon; give it without other files")
            return Lexicon(over_code_points(read_machine(words[0]), str(words[0])))
        counted = Counter[str]()
        for path in words:
            counted.update(read_counts(path))
        words = counted
    counts = words if isinstance(words, Mapping) else dict.fromkeys(words, 0)
    intended = {word for _, word in typos}
    return Lexicon.of_counts(counts, {observed for observed, _ in typos} - intended)


def read_counts(path: str | os.PathLike[str]) -> dict[str, int]:
    """The words of a file with their counts, 0 in a list without counts."""
    path = Path(path)
    if path.suffix == ".dic":
        return dict.fromkeys(hunspell_words(path), 0)
    lines = [line for line in lines_of(path) if line.strip()]
    if not lines:
        raise CorpusError(
            f"{path}: holds no word; give a word a line, words with counts, or a text"
        )
    tables = [line.split("\t") for line in lines]
    if all(len(row) == 2 and whole_number(row[1]) is not None for row in tables):
        return {word: int(times) for word, times in tables}
    single = [line.strip() for line in lines if not line.startswith("#")]
    if sum(len(line.split()) == 1 for line in single) >= LISTED * len(single):
        return dict.fromkeys(single, 0)
    return dict(Counter(word for line in lines for word in _WORD.findall(line)))


def acceptor(labels: Sequence[int]) -> pynini.Fst:
    """The acceptor of one string of labels."""
    return pynini.Fst.from_pywrapfst(chain(np.array(labels, dtype=np.int32)))


def over_code_points(fst: pynini.Fst, where: str) -> pynini.Fst:
    """The acceptor of a machine's input over code points, a symbol of several letters as a path of them.

    Raises
    ------
    MachineError
        It has no symbols, flag diacritics, or reads any unknown symbol; says what to do.
    """
    if fst.input_symbols() is None:
        raise MachineError(f"{where}: it has no symbols, so its words cannot be read; attach them")
    names, arrays = dict(fst.input_symbols()), fst_to_arrays(fst)
    letters = []
    for label in np.union1d(arrays.ilabel, [0]).tolist()[1:]:
        if flag(names[label]):
            raise MachineError(
                f"{where}: it has flag diacritics ({names[label]}); take them out first: "
                "hfst-eliminate-flags, or foma's eliminate flags"
            )
        if names[label] in (UNKNOWN, OTHER, SAME):
            raise MachineError(
                f"{where}: it accepts any unknown letter; give one that accepts words alone"
            )
        letters.append(pynini.cross(acceptor([label]), acceptor([*map(ord, names[label])])))
    if not letters:
        raise MachineError(f"{where}: holds no word; give an acceptor of words")
    reads = arrays_to_fst(arrays._replace(olabel=arrays.ilabel))
    spelt = pynini.compose(reads, pynini.union(*letters).closure().arcsort("ilabel"))
    return spelt.project("output").rmepsilon()


def strings(fst: pynini.Fst) -> Iterator[tuple[str, float]]:
    """The strings of an acceptor of few paths, with their costs."""
    return (("".join(map(chr, labels)), cost) for labels, _, cost in paths_of(fst))
