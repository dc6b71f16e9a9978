"""How each finite-state tool spells ε and OOV words, and the way between them.

=========  ===========  =======================================  =====================
spelling   ε            any word that is not listed              who reads it
=========  ===========  =======================================  =====================
openfst    <epsilon>    <unk>                                    fstce, OpenFst, pynini
kaldi      <eps>        <unk>                                    k2, Kaldi, icefall
hfst       @0@          @_UNKNOWN_SYMBOL_@, @_IDENTITY_SYMBOL_@  HFST, foma
=========  ===========  =======================================  =====================

All are read alike; writing takes one. In HFST's text an arc with both sides the same
OOV word is ``@_IDENTITY_SYMBOL_@``; fstce writes that as ``<unk>`` on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays, relabeled
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.symbols import EPSILON, UNKNOWN

SPELLINGS = {"openfst": EPSILON, "kaldi": "<eps>", "hfst": "@0@"}
EPSILONS = (*SPELLINGS.values(), "@_EPSILON_SYMBOL_@")
OTHER, SAME = "@_UNKNOWN_SYMBOL_@", "@_IDENTITY_SYMBOL_@"
SPECIAL = ("@_EPSILON_SYMBOL_@", OTHER, SAME)  # numbers 0, 1, 2 in HFST's and foma's files
OURS = {**dict.fromkeys(EPSILONS, EPSILON), OTHER: UNKNOWN, SAME: UNKNOWN}


def in_our_spelling(symbols: Iterable[tuple[int, str]], where: str) -> pywrapfst.SymbolTable:
    """The table with ``<epsilon>`` as id 0, however the tool that wrote it spells ε."""
    ours = pywrapfst.SymbolTable("fstce")
    ours.add_symbol(EPSILON, 0)
    for label, symbol in symbols:
        if label == 0 and symbol not in EPSILONS:
            raise MachineError(
                f"{where}: id 0 is the word {symbol!r}, but id 0 is ε; count words from 1"
            )
        if label != 0 and symbol in EPSILONS:
            raise MachineError(
                f"{where}: {symbol!r} has the id {label}, but ε is id 0; renumber the symbols"
            )
        if label != 0:
            name = OURS.get(symbol, symbol)
            ours.add_symbol(symbol if ours.member(name) else name, label)
    return ours


def from_tool(
    arrays: Arrays, symbols: Iterable[tuple[int, str]], where: str, arc_type: str = "standard"
) -> pynini.Fst:
    """The machine of a file of HFST's or foma's, the same OOV word on both sides as ``<unk>`` on both."""
    number = {symbol: label for label, symbol in symbols}
    other, same = number.get(OTHER, -1), number.get(SAME, -1)
    if ((arrays.ilabel == other) & (arrays.olabel == other)).any():
        raise MachineError(
            f"{where}: an arc has {OTHER} on both sides: two different words, which fstce cannot say; use "
            f"{SAME} for the same word"
        )
    if other >= 0:
        reads, writes = (
            np.where(side == same, other, side) for side in (arrays.ilabel, arrays.olabel)
        )
        arrays = arrays._replace(ilabel=reads, olabel=writes)
    table = in_our_spelling(((label, symbol) for symbol, label in number.items()), where)
    return arrays_to_fst(arrays, arc_type).set_input_symbols(table).set_output_symbols(table)


def for_tool(fst: pynini.Fst, where: str) -> tuple[Arrays, list[str]]:
    """A machine as HFST and foma have it: its start is state 0, and one list names the labels of both sides.

    Symbol i is the i-th of the list: ε, unknown, identity, then what is on an arc.
    """
    if fst.start() == pywrapfst.NO_STATE_ID:
        raise MachineError(f"{where}: the machine has no start state, so there is nothing to write")
    if fst.input_symbols() is None or fst.output_symbols() is None:
        raise MachineError(
            f"{where}: HFST and foma have words, and the machine has none; give --isymbols"
        )
    arrays, table = with_one_table(fst, "hfst")
    used = np.union1d(arrays.ilabel, arrays.olabel).tolist()
    names = dict.fromkeys((*SPECIAL, *(table.find(label) for label in used if label)))
    number = {name: i for i, name in enumerate(names)}
    reads, writes = (
        relabeled(side, lambda label: number[table.find(label)] if label else 0)
        for side in (arrays.ilabel, arrays.olabel)
    )
    return arrays._replace(ilabel=reads, olabel=writes), list(names)


def spellings(
    labels: NDArray[np.integer[Any]], table: pywrapfst.SymbolTableView | None, where: str
) -> dict[int, str]:
    """What each label says, ε spelt as fstce does; without a table they say themselves."""
    used = np.unique(labels).tolist()
    if table is None:
        return {label: str(label) if label else EPSILON for label in used}
    ours = in_our_spelling(table, where)
    missing = [label for label in used if not ours.member(label)]
    if missing:
        raise MachineError(f"{where}: the label {missing[0]} has no symbol; add it to the table")
    return {label: ours.find(label) for label in used}


def respelled(fst: pynini.Fst, spelling: str) -> pynini.Fst:
    """A copy whose id 0 is spelt as the tool does."""
    tables = fst.input_symbols(), fst.output_symbols()
    one, other = (None if table is None else _spelt(table, spelling) for table in tables)
    return fst.copy().set_input_symbols(one).set_output_symbols(other)


def _spelt(table: pywrapfst.SymbolTableView, spelling: str) -> pywrapfst.SymbolTable:
    spelt = pywrapfst.SymbolTable("fstce")
    names = {EPSILON: SPELLINGS[spelling], **({UNKNOWN: OTHER} if spelling == "hfst" else {})}
    if not table.member(0):
        spelt.add_symbol(SPELLINGS[spelling], 0)
    for label, symbol in table:
        spelt.add_symbol(names.get(symbol, symbol), label)
    return spelt


def with_one_table(fst: pynini.Fst, spelling: str) -> tuple[Arrays, pywrapfst.SymbolTable]:
    """The machine with one symbol table for both sides, in the tool's spelling."""
    table, other = _spelt(fst.input_symbols(), spelling), _spelt(fst.output_symbols(), spelling)
    arrays = fst_to_arrays(fst)
    arrays = arrays._replace(
        olabel=relabeled(arrays.olabel, lambda label: table.add_symbol(other.find(label)))
    )
    if spelling != "hfst":
        return arrays, table
    # The start as state 0, and the same OOV word on both sides as HFST's identity.
    order = np.arange(len(arrays.final), dtype=np.int32)
    order[[0, arrays.start]] = order[[arrays.start, 0]]
    source, target = order[arrays.source], order[arrays.next]
    same = (arrays.ilabel == arrays.olabel) & (arrays.ilabel == table.find(OTHER))
    if same.any():
        reads, writes = (np.where(same, table.add_symbol(SAME), side) for side in arrays[3:5])
        arrays = arrays._replace(ilabel=reads, olabel=writes)
    return arrays._replace(start=0, final=arrays.final[order], source=source, next=target), table
