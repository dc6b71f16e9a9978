"""One alphabet for two machines: which ids are one symbol, what ``?`` stands for.

In HFST's and foma's machines ``@_IDENTITY_SYMBOL_@`` is any symbol that the machine does not know,
copied, and ``@_UNKNOWN_SYMBOL_@`` such a symbol on one side of an arc; on both sides it is two
different ones. Beside another machine they get arcs for each symbol that only the other knows, and
stand for what neither does. As in both tools, ``?:a`` before ``a:?`` is two different symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.words import RESERVED
from fstce.errors import MachineError
from fstce.machines.algebra import ARC_LIMIT
from fstce.machines.flags import flag
from fstce.machines.image import Arrays, fst_to_arrays, relabeled
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.spelling import OTHER, SAME, SPECIAL, Sides, added
from fstce.machines.symbols import SIGMA, UNKNOWN
from fstce.numeric.types import Bools, Ints32

_OF_TABLE = (SIGMA, UNKNOWN)  # mean the words that a machine's own table lacks


class _Alphabet(Sides):
    """The symbols that a machine knows, and what stands for others."""

    def symbols(self) -> dict[str, None]:
        """The symbols that the machine knows, in the order of its tables; flags are none.

        Nor are those that every table of fstce's has, where they are on no arc.
        """
        symbols = dict.fromkeys(symbol for table in self.tables for label, symbol in table if label)
        unused = {symbol for symbol in RESERVED if not any(map(np.any, self.has(symbol)))}
        return {
            symbol: None
            for symbol in symbols
            if symbol not in (*SPECIAL, *unused) and not flag(symbol)
        }

    def is_open(self) -> bool:
        """Whether an arc stands for symbols that the machine does not know."""
        return any(side.any() for symbol in (OTHER, SAME) for side in self.has(symbol))

    def open_to(self, symbols: Sequence[str], where: str) -> None:
        """Add arcs for symbols that are new to the machine to each that stands for them."""
        ids = [
            np.array(list(map(partial(added, table), symbols)), np.int32) for table in self.tables
        ]
        same = np.logical_and(*self.has(SAME))
        reads, writes = (unknown & ~same for unknown in self.has(OTHER))
        two = reads & writes

        number = len(symbols)
        rows = number * sum(int(arcs.sum()) for arcs in (same, reads, writes))
        if rows + number**2 * int(two.sum()) > ARC_LIMIT:
            raise MachineError(
                f"{where}: ? stands for {number:,} symbols of the other machine, which needs "
                f"more than {ARC_LIMIT:,} arcs; take symbols away that are on no arc"
            )

        read, written = np.nonzero(~np.eye(number * bool(two.any()), dtype=bool))
        parts = [
            self.arrays,
            _copies(self.arrays, same, ilabel=ids[0], olabel=ids[1]),
            _copies(self.arrays, reads, ilabel=ids[0]),
            _copies(self.arrays, writes, olabel=ids[1]),
            _copies(self.arrays, two, ilabel=ids[0][read], olabel=ids[1][written]),
        ]
        columns: Any = map(np.concatenate, zip(*(arrays[2:] for arrays in parts), strict=True))
        self.arrays = Arrays(self.arrays.start, self.arrays.final, *columns)


def _copies(arrays: Arrays, arcs: Bools, **labels: Ints32) -> Arrays:
    """Of each of the arcs one with each of the labels."""
    size = len(next(iter(labels.values())))
    copies = arrays.of_arcs(np.repeat(np.flatnonzero(arcs), size))
    tiled: Any = {side: np.tile(ids, int(arcs.sum())) for side, ids in labels.items()}
    return copies._replace(**tiled)


def with_one_alphabet(
    left: pynini.Fst, right: pynini.Fst, where: str, *, meeting: bool = False
) -> tuple[pynini.Fst, pynini.Fst]:
    """The two machines, the right renumbered; the left's tables only get more symbols.

    ``meeting``: whether it is the left's output and the right's input that are to agree, as for
    composition; else input agrees with input, output with output. Raises MachineError where
    ``<unk>`` or ``<sigma>`` would come to mean other words, and where one alone has symbols.
    """
    pairs = [(1, 0)] if meeting else [(0, 0), (1, 1)]
    _check_named(left, right, where)
    if _agree(left, right, pairs):
        return left, right

    stays = _Alphabet(left)
    renumbered = _Alphabet(right)
    if None not in (*stays.tables, *renumbered.tables):
        lefts = stays.symbols()
        rights = renumbered.symbols()
        if stays.is_open():
            stays.open_to([symbol for symbol in rights if symbol not in lefts], where)
        if renumbered.is_open():
            renumbered.open_to([symbol for symbol in lefts if symbol not in rights], where)
            for mine, _ in pairs:  # what it knows on no arc, too, its ? does not stand for
                for symbol in rights:
                    added(stays.tables[mine], symbol)

    for mine, theirs in pairs:
        table = stays.tables[mine]
        foreign = renumbered.tables[theirs]
        if None in (table, foreign) or table.labeled_checksum() == foreign.labeled_checksum():
            continue
        if {symbol for label, symbol in table if label} != {s for label, s in foreign if label}:
            _check_closed(stays, where)
            _check_closed(renumbered, where)
        labels: Any = {}
        field = ("ilabel", "olabel")[theirs]
        labels[field] = _renumbered(getattr(renumbered.arrays, field), foreign, table)
        renumbered.arrays = renumbered.arrays._replace(**labels)
        renumbered.tables[theirs] = table
    return stays.fst(), renumbered.fst()


def _check_named(left: pynini.Fst, right: pynini.Fst, where: str) -> None:
    """Raise if one machine has symbols and the other numbers alone."""
    unnamed = [
        fst.input_symbols() is None and fst.output_symbols() is None for fst in (left, right)
    ]
    if unnamed[0] == unnamed[1]:
        return
    numbered = left if unnamed[0] else right
    arrays = fst_to_arrays(numbered)
    if arrays.ilabel.any() or arrays.olabel.any():
        raise MachineError(
            f"{where}: the {'first' if unnamed[0] else 'second'} has no symbols, so nothing says "
            "which of the other's its numbers are; attach its table (fstsymbols), or convert it "
            "with --token-type byte or utf8 if its labels are those of pynini's strings"
        )


def _renumbered(
    labels: NDArray[Any], table: pywrapfst.SymbolTable, new: pywrapfst.SymbolTable
) -> NDArray[Any]:
    """The labels of the same symbols in another table, which gets those that it lacks."""
    return relabeled(labels, lambda label: added(new, table.find(label)))


def _agree(left: pynini.Fst, right: pynini.Fst, pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether the tables that are to agree do, and no symbol stands for others."""
    if _knows_wildcards(left) or _knows_wildcards(right):
        return False
    lefts, rights = ((fst.input_symbols(), fst.output_symbols()) for fst in (left, right))
    for mine, theirs in pairs:
        tables = (lefts[mine], rights[theirs])
        if None not in tables and tables[0].labeled_checksum() != tables[1].labeled_checksum():
            return False
    return True


def _knows_wildcards(fst: pynini.Fst) -> bool:
    """Whether a table has a symbol that stands for others, on an arc or not."""
    tables = [table for table in (fst.input_symbols(), fst.output_symbols()) if table is not None]
    return any(max(table.find(OTHER), table.find(SAME)) >= 0 for table in tables)


def _check_closed(machine: Sides, where: str) -> None:
    """Raise if a machine has a symbol that means other words when its table gets more."""
    for symbol in _OF_TABLE:
        if any(side.any() for side in machine.has(symbol)):
            raise MachineError(
                f"{where}: the tables differ, and {symbol} stands for the words that a machine's "
                "own table lacks; where it means any other word, convert that machine with "
                "--spelling hfst, which can say so"
            )


def matched(left: pynini.Fst, right: pynini.Fst) -> tuple[pynini.Fst, pynini.Fst]:
    """Two machines of one alphabet, unknown and identity alike where they meet in a composition."""
    if not (_knows_wildcards(left) and _knows_wildcards(right)):
        return left, right

    machines = []
    for fst, outer in ((left, 0), (right, 1)):
        machine = Sides(fst)
        inner = machine.tables[1 - outer]
        if inner is not None:
            added(inner, OTHER)  # to both, that the tables stay alike
        same = machine.has(SAME)
        same[outer] = np.zeros_like(same[outer])
        machine.put(OTHER, same)
        machines.append(machine.fst())
    return machines[0], machines[1]


def settled(fst: pynini.Fst) -> pynini.Fst:
    """A composition of matched machines with identity only where both sides are the same symbol."""
    if not _knows_wildcards(fst):
        return fst
    machine = Sides(fst)
    reads, writes = machine.has(SAME)
    machine.put(OTHER, [reads & ~writes, writes & ~reads])
    return machine.fst()


def projected(fst: pynini.Fst, side: str) -> pynini.Fst:
    """One side of a machine; what was an unknown symbol there is now the same on both."""
    tables = {"input": fst.output_symbols(), "output": fst.input_symbols()}
    hidden = [symbol for label, symbol in tables[side] or () if label]
    fst = fst.project(side)
    if not _knows_wildcards(fst):
        return fst
    machine = Sides(fst)
    for symbol in hidden:  # ? does not stand for what the machine knows on the other side
        added(machine.tables[0], symbol)
    machine.tables[1] = machine.tables[0]
    machine.put(SAME, machine.has(OTHER))
    return machine.fst()
