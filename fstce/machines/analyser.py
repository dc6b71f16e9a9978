"""Morphological analysers: a word's characters through someone's transducer.

Flag diacritics (Beesley & Karttunen 2003, ch. 8) are kept as the tools keep them: they read
nothing, and a path whose flags contradict each other is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from fstce.errors import MachineError
from fstce.machines.algebra import check_cycles, passable, verified
from fstce.machines.convert import read_machine
from fstce.machines.flags import allowed, flag
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.reach import paths_of
from fstce.machines.spelling import OTHER, SAME
from fstce.machines.symbols import UNKNOWN
from fstce.parameters.overview import Overview
from fstce.parameters.rules import choice

SIDES = ("auto", "input", "output")
MOST = 200  # analyses of a word
Analysis = tuple[str, ...]


class Analyser(metaclass=Overview):
    """A morphological analyser, called with a word.

    Parameters
    ----------
    source : Path, str or Fst
        A file, or a machine of pynini, pywrapfst or pyfoma with symbols.
    side : {"auto", "input", "output"}
        Where words are read: HFST's analysers have them as input, foma's as output. By default
        the input, and the output where the input does not know the word.
    name : str
        Of a machine, for messages.

    Raises
    ------
    MachineError
        The file is missing or damaged, of a form that is not read, or has no symbols.
    ParameterError
        The side is unknown.

    Examples
    --------
    >>> table = pywrapfst.SymbolTable("letters")
    >>> [table.add_symbol(symbol) for symbol in ("<epsilon>", "a", "s", "+N", "+Pl")]
    [0, 1, 2, 3, 4]
    >>> reads, writes = (pynini.accep(text, token_type=table) for text in ("a s", "a +N +Pl"))
    >>> noun = pynini.cross(reads, writes)
    >>> Analyser(noun.set_input_symbols(table).set_output_symbols(table))("as")
    [('a', '+N', '+Pl')]
    """

    def __init__(
        self, source: Path | str | pywrapfst.Fst, *, side: str = "auto", name: str = "analyser"
    ) -> None:
        choice(*SIDES).check(side=side)
        if isinstance(source, str | Path):
            self.where: str = str(source)
            fst = read_machine(source)
        else:
            self.where = name
            fst = verified(source, name)
        fst = passable(fst)
        reads = fst.input_symbols()
        writes = fst.output_symbols() or reads
        if reads is None:
            raise MachineError(
                f"{self.where}: it has no symbols, so no word can be looked up; attach its table "
                "(--isymbols), or say what its labels are (--token-type byte or utf8)"
            )

        arrays = fst_to_arrays(fst)
        turned = arrays._replace(ilabel=arrays.olabel, olabel=arrays.ilabel)
        sides = {"input": (arrays, reads, writes), "output": (turned, writes, reads)}
        wanted = ("input", "output") if side == "auto" else (side,)
        self._sides = [_Side(*sides[name], self.where) for name in wanted]

    def __call__(self, word: str) -> list[Analysis]:
        """The analyses of a word, best first; each as its symbols, without flags and ε."""
        return list(self.weighted(word))

    def weighted(self, word: str) -> dict[Analysis, float]:
        """The weights of the analyses of a word, −log, best first.

        A machine over words, which knows no blank, reads the word's parts between blanks as its
        symbols.
        """
        return next(filter(None, (side(word) for side in self._sides)), {})

    @property
    def is_cut(self) -> bool:
        """Whether the last word has more paths than the `MOST` that were looked at."""
        return any(side.is_cut for side in self._sides)

    def reads_words(self, text: str) -> bool:
        """Whether the text is read as words, which blanks part."""
        return self._sides[0].reads_words(text)


class _Side:
    """The analyser read from one side: sorted by it, flags there silent.

    Flags stay on the other side, which a path's flags are checked by.
    """

    def __init__(
        self,
        arrays: Arrays,
        reads: pywrapfst.SymbolTable,
        writes: pywrapfst.SymbolTable,
        where: str,
    ) -> None:
        flags = [label for label, symbol in reads if flag(symbol) is not None]
        silent = np.where(np.isin(arrays.ilabel, flags), 0, arrays.ilabel)
        fst = arrays_to_fst(arrays._replace(ilabel=silent.astype(np.int32)))
        self._fst = fst.arcsort("ilabel")
        self._where = where
        self._may_improve = bool(np.any(arrays.weight < 0))

        self._writes = dict(writes)
        self._labels = {symbol: label for label, symbol in reads if label and label not in flags}
        wildcards = [self._labels.get(name) for name in (UNKNOWN, OTHER, SAME)]
        self._others = [label for label in wildcards if label is not None]
        self._longest = max(map(len, self._labels), default=1)
        self.is_cut = False  # whether the last word has more paths than were looked at

    def __call__(self, word: str) -> dict[Analysis, float]:
        """The weights of the distinct outputs of the word's paths whose flags agree, best first."""
        pieces = word.split() if self.reads_words(word) else word
        unknown = [piece for piece in pieces if piece not in self._labels]

        composed = pynini.compose(self._spelling(pieces), self._fst)
        if self._may_improve:
            check_cycles(composed, self._where)
        if unknown and self._others:
            paths = pynini.shortestpath(composed, nshortest=MOST)
        else:
            paths = pynini.shortestpath(composed.project("output"), nshortest=MOST, unique=True)

        weights: dict[Analysis, float] = {}
        listed = list(paths_of(paths, silent=True))
        self.is_cut = len(listed) >= MOST
        # Of equally good outputs the shortest first, where there are endless ones, too.
        for reads, output, weight in sorted(listed, key=lambda path: (path[2], len(path[1]))):
            spelt = self._spelt(reads, output, iter(unknown))
            if allowed(spelt):
                weights.setdefault(tuple(s for s in spelt if flag(s) is None), weight)
        return weights

    def reads_words(self, text: str) -> bool:
        """Whether blanks of the text part symbols: they are none themselves."""
        return " " in text and " " not in self._labels

    def _spelt(
        self, reads: Sequence[int], writes: Sequence[int], unknown: Iterator[str]
    ) -> list[str]:
        """The symbols of an output; where an unknown letter is copied, the letter itself."""
        symbols = []
        for read, write in zip(reads, writes, strict=True):
            letter = next(unknown, "") if read in self._others else ""
            symbol = self._writes[write] if write else ""
            if letter and symbol in (SAME, UNKNOWN):
                symbol = letter
            symbols.append(symbol)
        return list(filter(None, symbols))

    def _spelling(self, pieces: Sequence[str]) -> pynini.Fst:
        """Every way to spell the word in the analyser's symbols.

        A letter that it lacks is any other one.
        """
        longest = self._longest if isinstance(pieces, str) else 1
        fst = pynini.Fst()
        fst.add_states(len(pieces) + 1)
        fst.set_start(0)
        fst.set_final(len(pieces))

        for at, letter in enumerate(pieces):
            for size in range(1, min(longest, len(pieces) - at) + 1):
                label = self._labels.get("".join(pieces[at : at + size]))
                if label is not None:
                    fst.add_arc(at, pynini.Arc(label, label, 0, at + size))
            if letter in self._labels:
                continue
            for label in self._others:
                fst.add_arc(at, pynini.Arc(label, label, 0, at + 1))
        return fst
