"""The words that a speller knows: an acceptor over code points, its weights −log of their use.

Words are compared in one normal form of Unicode, NFC, or NFD where someone's acceptor is written
in it. A lexicon is read from a machine, its weights as they are, or from a file of
:mod:`fstce.corpora.word_files`.
"""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal
from unicodedata import normalize

import numpy as np

from fstce.corpora.hunspell import WORDS
from fstce.corpora.word_files import added, read_word_file
from fstce.corpora.words import composed
from fstce.errors import MachineError, ParameterError
from fstce.machines.convert import archived, read_machine, suffix_of
from fstce.machines.flags import flag
from fstce.machines.image import Arrays, arrays_to_const, arrays_to_fst, chain, fst_to_arrays
from fstce.machines.lattice import prefix_tree
from fstce.machines.openfst import pynini
from fstce.machines.reach import n_paths, paths_of
from fstce.machines.spelling import OTHER, SAME
from fstce.machines.symbols import UNKNOWN
from fstce.numeric.types import PathName
from fstce.speller.capitals import DOTLESS, Cases
from fstce.storage.arrays import HEAVIEST

MACHINES = (".hfst", ".hfstol", ".att", ".fst", ".zhfst", ".foma", ".far")
LONGEST = 100  # letters of a word at most
LETTERS = 300  # that are edited; the table of costs is of their pairs
RARE = 1e-4  # share of the letters below which one is not worth arcs of its own
_MOST = 53 * np.log(2)  # of counts, the logarithm


class Lexicon:
    """An acceptor of words, sorted by input, weights −log up to a constant.

    >>> lexicon = Lexicon.of_counts({"cat": 3, "cats": 0})
    >>> {word: round(cost, 3) for word, cost in lexicon.costs(["cat", "cats", "dog"]).items()}
    {'cat': 0.0, 'cats': 0.693}
    """

    def __init__(self, machine: pynini.Fst) -> None:
        self.machine: Any = machine.arcsort("ilabel")
        self.arrays: Arrays = fst_to_arrays(machine)
        if not np.array_equal(self.arrays.ilabel, self.arrays.olabel):
            raise ParameterError("a lexicon is an acceptor, not a transducer")
        weights = np.concatenate((self.arrays.weight, self.arrays.final))
        if np.any(np.isfinite(weights) & (np.abs(weights) >= HEAVIEST)):
            raise ParameterError(
                f"a lexicon with a weight beyond {HEAVIEST:g}, which is no cost of a word; scale "
                "its weights"
            )
        self.form = _normal_form("".join(map(chr, self.labels())))

    @cached_property
    def cases(self) -> Cases:
        """The capitals of its words."""
        dotless, dotted = (np.sum(self.arrays.ilabel == ord(letter)) for letter in "ıi")
        letters = "".join(map(chr, self.labels()))
        return Cases(letters, bool(dotless > DOTLESS * dotted))

    @classmethod
    def of_counts(cls, counts: Mapping[str, int], without: Iterable[str] = ()) -> Lexicon:
        """The words of a table, by how often each was seen and once more; without a count, as once.

        ``without``: words that are none: what was observed for another.
        """
        left_out = {"", *map(composed, without)}
        times_of = Counter[str]()
        for word, count in counts.items():
            word = composed(word)
            if len(word) <= LONGEST and word not in left_out:
                times_of[word] += max(count, 1)
        if not times_of:
            raise ParameterError(
                f"the lexicon holds no word of at most {LONGEST} letters; give one"
            )

        words = list(times_of)
        times = np.array(list(times_of.values()), dtype=np.float64) + 1.0
        rows = [np.array(list(map(ord, word)), dtype=np.int32) for word in words]
        tree = prefix_tree(rows, np.log(times.max() / times))
        return cls(arrays_to_fst(tree).minimize())

    def write(self, path: Path) -> None:
        """Write the acceptor as a ``const`` machine, which is read at once."""
        path.write_bytes(arrays_to_const(self.arrays).write_to_string())

    def raised(self, exponent: float) -> pynini.Fst:
        """The acceptor, its weights times the exponent."""
        return arrays_to_fst(self.arrays.raised(exponent)).arcsort("ilabel")

    def costs(self, words: Iterable[str]) -> dict[str, float]:
        """The costs of those words that the lexicon has, in its normal form."""
        short = (word for word in words if 0 < len(word) <= LONGEST)
        distinct = sorted({normalize(self.form, word) for word in short})
        rows = [np.array(list(map(ord, word)), dtype=np.int32) for word in distinct]
        if not rows:
            return {}

        listed = (
            pynini.compose(arrays_to_fst(prefix_tree(rows)), self.machine)
            .project("output")
            .rmepsilon()
        )
        return _cheapest(listed)

    def counts(self) -> dict[str, int]:
        """All words, by how much oftener than the rarest each is used; raises if they never end."""
        number = n_paths(self.machine)
        if number is None or number > WORDS:
            has = "words without end" if number is None else f"more than {WORDS:,} words"
            raise ParameterError(f"the speller's acceptor has {has}; give a lexicon of its own")

        costs = _cheapest(self.machine)
        most = max(costs.values(), default=0.0)
        # Counts are whole numbers of eight bytes that floats hold, too.
        shares = {word: min(most - cost, _MOST) for word, cost in costs.items() if word}
        return {word: round(float(np.exp(share))) for word, share in shares.items()}

    def letters(self, also: str) -> str:
        """At most :data:`LETTERS` letters with arcs of their own: these first, then common ones."""
        label, times = np.unique(self.arrays.ilabel[self.arrays.ilabel > 0], return_counts=True)
        common = np.flatnonzero(times > RARE * times.sum())
        by_times = common[np.argsort(-times[common], kind="stable")]
        ranked = [
            *(letter for letter, _ in Counter(also).most_common()),
            *map(chr, label[by_times]),
        ]
        return "".join(sorted(list(dict.fromkeys(ranked))[:LETTERS]))

    def labels(self) -> list[int]:
        """The code points of all its letters."""
        return [label for label in np.unique(self.arrays.ilabel).tolist() if label]


def lexicon_of(words: Any, typos: Sequence[tuple[str, str]] = ()) -> Lexicon:
    """The lexicon of counts, words, an acceptor, a file, or several files whose counts are added.

    ``typos``: observed and intended; what was observed and never intended is no word, whatever a
    text has.
    """
    if isinstance(words, Lexicon):
        return words
    if isinstance(words, pynini.Fst):
        return Lexicon(words.copy())
    if isinstance(words, (str, os.PathLike)):
        words = [Path(words)]
    if not isinstance(words, Mapping) and all(isinstance(word, os.PathLike) for word in words):
        words, _ = read_lexicon(words, typos=typos)
        if isinstance(words, Lexicon):
            return words
    if not isinstance(words, Mapping):
        words = dict.fromkeys(words, 1)

    intended = {composed(word) for _, word in typos}
    return Lexicon.of_counts(words, {composed(word) for word, _ in typos} - intended)


def read_lexicon(
    paths: Sequence[os.PathLike[str]],
    format: str | None = None,
    typos: Sequence[tuple[str, str]] = (),
) -> tuple[Lexicon | dict[str, int], list[str]]:
    """The words of files, counts added up, or an acceptor; of each file what it was taken for.

    ``typos``: observed and intended, which may be a compound.
    """
    acceptors = [path for path in paths if is_acceptor(path, format)]
    if acceptors and len(paths) > 1:
        raise ParameterError(
            f"{acceptors[0]}: an acceptor is a whole lexicon; give it without other files"
        )
    if acceptors:
        lexicon = Lexicon(over_code_points(read_machine(Path(paths[0])), str(paths[0])))
        number = n_paths(lexicon.machine)
        words = "words without end" if number is None else f"{number:,} words"
        return lexicon, [f"{paths[0]}: an acceptor, {words}"]

    intended = [word for _, word in typos]
    files = [read_word_file(path, format).with_compounds(intended) for path in paths]
    return added(files), [str(file) for file in files]


def is_acceptor(path: PathName, format: str | None = None) -> bool:
    """Whether a file is a machine, by what is said of it, or by its name."""
    if format is not None:
        return format == "acceptor"
    return suffix_of(archived(str(path))[0]) in MACHINES


def _normal_form(letters: str) -> Literal["NFC", "NFD"]:
    """NFD where letters and their marks stand apart, else NFC."""
    marks = {letter for letter in letters if unicodedata.combining(letter)}
    apart = any(
        normalize("NFC", letter + mark) != letter + mark
        for mark in marks
        for letter in letters
        if letter not in marks
    )
    composed = any(len(normalize("NFD", letter)) > 1 for letter in letters)
    return "NFD" if apart and not composed else "NFC"


def acceptor(labels: Sequence[int]) -> pynini.Fst:
    """The acceptor of one string of labels."""
    return chain(np.array(labels, dtype=np.int32))


def over_code_points(fst: pynini.Fst, where: str) -> pynini.Fst:
    """The acceptor of a machine's input over code points, symbols of several letters as paths.

    Raises
    ------
    MachineError
        It has no symbols, flag diacritics, or reads any unknown symbol; says what to do.
    """
    if fst.input_symbols() is None:
        raise MachineError(f"{where}: it has no symbols, so its words cannot be read; attach them")
    names = dict(fst.input_symbols())
    arrays = fst_to_arrays(fst)

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
    words = pynini.Fst()
    if letters:
        reads = arrays_to_fst(arrays._replace(olabel=arrays.ilabel))
        spelt = pynini.compose(reads, pynini.union(*letters).closure().arcsort("ilabel"))
        words = spelt.project("output").rmepsilon()
    if words.start() < 0:
        raise MachineError(f"{where}: holds no word; give an acceptor of words")
    return words


def strings(fst: pynini.Fst) -> Iterator[tuple[str, float]]:
    """The strings of an acceptor of few paths, with their costs."""
    return (("".join(map(chr, labels)), cost) for labels, _, cost in paths_of(fst))


def _cheapest(fst: pynini.Fst) -> dict[str, float]:
    """The strings of an acceptor with the costs of their cheapest paths."""
    costs: dict[str, float] = {}
    for word, cost in strings(fst):
        costs[word] = min(cost, costs.get(word, np.inf))
    return costs
