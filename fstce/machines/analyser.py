"""Morphological analysers: a word's characters composed with someone's transducer, its analyses out.

Flag diacritics (Beesley & Karttunen 2003, ch. 8) are kept as the tools keep them: they read nothing,
and a path whose flags contradict each other is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path

import numpy as np

from fstce.errors import MachineError, ParameterError
from fstce.machines.algebra import verified
from fstce.machines.convert import read_machine
from fstce.machines.hfst import FLAG
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.reach import paths_of
from fstce.machines.spelling import OTHER, SAME, in_our_spelling
from fstce.machines.symbols import UNKNOWN
from fstce.parameters.overview import Overview

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
    >>> noun = pynini.cross(pynini.accep("a s", token_type=table), pynini.accep("a +N +Pl", token_type=table))
    >>> Analyser(noun.set_input_symbols(table).set_output_symbols(table))("as")
    [('a', '+N', '+Pl')]
    """

    def __init__(self, source: Path | str | pywrapfst.Fst, *, side: str = "auto") -> None:
        if side not in SIDES:
            raise ParameterError(f"side={side!r}: use {', '.join(SIDES)}")
        named = isinstance(source, str | Path)
        self.where = str(source) if named else "analyser"
        fst = read_machine(source) if named else verified(source, self.where)
        tables = fst.input_symbols(), fst.output_symbols()
        if tables[0] is None:
            raise MachineError(
                f"{self.where}: it has no symbols, so no word can be looked up; attach them"
            )
        one, other = (in_our_spelling(table or tables[0], self.where) for table in tables)
        arrays = fst_to_arrays(fst)
        turned = arrays._replace(ilabel=arrays.olabel, olabel=arrays.ilabel)
        sides = {"input": (arrays, one, other), "output": (turned, other, one)}
        wanted = ("input", "output") if side == "auto" else (side,)
        self._sides = [_Side(*sides[name]) for name in wanted]

    def __call__(self, word: str) -> list[Analysis]:
        """The analyses of a word, best first; each as its symbols, without flags and ε."""
        return next(filter(None, (side(word) for side in self._sides)), [])


class _Side:
    """The analyser read from one side: sorted by it, flags there silent.

    Flags stay on the other side, which a path's flags are checked by.
    """

    def __init__(
        self, arrays: Arrays, reads: pywrapfst.SymbolTable, writes: pywrapfst.SymbolTable
    ) -> None:
        flags = [label for label, symbol in reads if flag(symbol) is not None]
        silent = np.where(np.isin(arrays.ilabel, flags), 0, arrays.ilabel)
        fst = arrays_to_fst(arrays._replace(ilabel=silent.astype(np.int32)))
        self._fst, self._writes = fst.arcsort("ilabel"), dict(writes)
        self._labels = {symbol: label for label, symbol in reads if label and label not in flags}
        self._others = [
            self._labels[name] for name in (UNKNOWN, OTHER, SAME) if name in self._labels
        ]
        self._longest = max(map(len, self._labels), default=1)

    def __call__(self, word: str) -> list[Analysis]:
        """The distinct outputs of the word's paths whose flags agree, best first."""
        composed = pynini.compose(self._spelling(word), self._fst)
        best = pynini.shortestpath(composed.project("output"), nshortest=MOST, unique=True)
        outputs = (output for _, output, _ in sorted(paths_of(best), key=itemgetter(2)))
        spelt = ([self._writes[label] for label in output] for output in outputs)
        kept = (
            tuple(s for s in symbols if flag(s) is None) for symbols in spelt if allowed(symbols)
        )
        return list(dict.fromkeys(kept))

    def _spelling(self, word: str) -> pynini.Fst:
        """Every way to spell the word in the analyser's symbols; a letter that it lacks is any other one."""
        fst = pynini.Fst()
        fst.add_states(len(word) + 1)
        fst.set_start(0)
        fst.set_final(len(word))
        for at, letter in enumerate(word):
            for size in range(1, min(self._longest, len(word) - at) + 1):
                label = self._labels.get(word[at : at + size])
                if label is not None:
                    fst.add_arc(at, pynini.Arc(label, label, 0, at + size))
            for label in self._others if letter not in self._labels else ():
                fst.add_arc(at, pynini.Arc(label, label, 0, at + 1))
        return fst


def flag(symbol: str) -> tuple[str, str, str] | None:
    """The operation, feature and value of the flag ``@OPERATION.FEATURE.VALUE@``, if a symbol is one.

    >>> flag("@U.CASE.NOM@"), flag("@_IDENTITY_SYMBOL_@")
    (('U', 'CASE', 'NOM'), None)
    """
    match = FLAG.fullmatch(symbol)
    return match and (match[1], match[2], match[3])


def allowed(symbols: Iterable[str]) -> bool:
    """Whether the flags among the symbols, in this order, contradict each other nowhere.

    >>> allowed(["@P.CASE.NOM@", "a", "@R.CASE.NOM@"]), allowed(["@U.CASE.NOM@", "@U.CASE.ACC@"])
    (True, False)
    """
    known: dict[str, tuple[bool, str]] = {}  # whether a feature is (True) or is not (False) a value
    for operation, feature, value in filter(None, map(flag, symbols)):
        now = known.get(feature)
        if operation == "C":
            known.pop(feature, None)
        elif operation in "PN":
            known[feature] = (operation == "P", value)
        elif operation in "RD":
            holds = now == (True, value) if value else now is not None
            if holds != (operation == "R"):
                return False
        elif now is None or now == (True, value) or (not now[0] and now[1] != value):
            known[feature] = (True, value)
        else:
            return False
    return True
