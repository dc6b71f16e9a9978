"""One alphabet for two machines: ids that mean the same symbols, and what ``?`` stands for beside
the other.

In HFST's and foma's machines ``@_IDENTITY_SYMBOL_@`` is any symbol that the machine does not know,
copied, and ``@_UNKNOWN_SYMBOL_@`` such a symbol on one side of an arc; on both sides it is two
different ones. Beside another machine they get arcs for each symbol that only the other knows, and
stand for what neither does. As in both tools, ``?:a`` before ``a:?`` is two different symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.machines.flags import flag
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays, relabeled
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.spelling import OTHER, SAME, SPECIAL
from fstce.machines.symbols import SIGMA, UNKNOWN
from fstce.numeric.types import Bools, Ints32

_OF_TABLE = (SIGMA, UNKNOWN)  # mean the words that a machine's own table lacks
_ARC_LIMIT = 10_000_000


class Lettered:
    """A machine as arrays, with the tables of its sides, which may be one, to be added to."""

    def __init__(self, fst: pynini.Fst, where: str) -> None:
        self.arrays = fst_to_arrays(fst)
        self.arc_type = fst.arc_type()
        self.where = where
        self.tables: list[Any] = [
            None if table is None else table.copy()
            for table in (fst.input_symbols(), fst.output_symbols())
        ]

    def fst(self) -> pynini.Fst:
        """The machine with its tables."""
        fst = arrays_to_fst(self.arrays, self.arc_type)
        return fst.set_input_symbols(self.tables[0]).set_output_symbols(self.tables[1])

    def sides(self) -> list[NDArray[Any]]:
        """The labels of input and output."""
        return [self.arrays.ilabel, self.arrays.olabel]

    def relabel(self, *sides: NDArray[Any]) -> None:
        """Give the arcs other labels."""
        self.arrays = self.arrays._replace(ilabel=sides[0], olabel=sides[1])

    def symbols(self) -> dict[str, None]:
        """The symbols that the machine knows, in the order of its tables; flags are none."""
        symbols = dict.fromkeys(symbol for table in self.tables for label, symbol in table if label)
        return {symbol: None for symbol in symbols if symbol not in SPECIAL and not flag(symbol)}

    def has(self, symbol: str) -> list[Bools]:
        """Which arcs have the symbol as input, and which as output."""
        pairs = zip(self.sides(), self.tables, strict=True)
        return [side == (-1 if table is None else table.find(symbol)) for side, table in pairs]

    def is_open(self) -> bool:
        """Whether an arc stands for symbols that the machine does not know."""
        return any(side.any() for symbol in (OTHER, SAME) for side in self.has(symbol))

    def open_to(self, symbols: Sequence[str]) -> None:
        """Add arcs for symbols that are new to the machine to each that stands for them."""
        ids = [np.array(list(map(table.add_symbol, symbols)), np.int32) for table in self.tables]
        same = np.logical_and(*self.has(SAME))
        reads, writes = (unknown & ~same for unknown in self.has(OTHER))
        two = reads & writes

        number = len(symbols)
        rows = number * sum(int(arcs.sum()) for arcs in (same, reads, writes))
        if rows + number**2 * int(two.sum()) > _ARC_LIMIT:
            raise MachineError(
                f"{self.where}: ? stands for {number:,} symbols of the other machine, which needs "
                f"more than {_ARC_LIMIT:,} arcs; take symbols away that are on no arc"
            )

        copies = [
            _copies(self.arrays, same, ids[0], ids[1]),
            _copies(self.arrays, reads, ids[0], None),
            _copies(self.arrays, writes, None, ids[1]),
        ]
        if two.any():
            read, written = np.nonzero(~np.eye(number, dtype=bool))
            copies.append(_copies(self.arrays, two, ids[0][read], ids[1][written]))
        self.add(*copies)

    def add(self, *machines: Arrays) -> None:
        """Add the arcs of machines with the same states."""
        columns = [arrays[2:] for arrays in (self.arrays, *machines)]
        together: Any = map(np.concatenate, zip(*columns, strict=True))
        self.arrays = Arrays(self.arrays.start, self.arrays.final, *together)


def _copies(arrays: Arrays, arcs: Bools, reads: Ints32 | None, writes: Ints32 | None) -> Arrays:
    """Of each of the arcs one with each of the labels."""
    labels = next(side for side in (reads, writes) if side is not None)
    chosen = np.repeat(np.flatnonzero(arcs), len(labels))
    columns: list[Any] = [column[chosen] for column in arrays[2:]]
    copies = Arrays(arrays.start, arrays.final, *columns)
    if reads is not None:
        copies = copies._replace(ilabel=np.tile(reads, int(arcs.sum())))
    if writes is not None:
        copies = copies._replace(olabel=np.tile(writes, int(arcs.sum())))
    return copies


def with_one_alphabet(
    left: pynini.Fst, right: pynini.Fst, where: str, *, meeting: bool = False
) -> tuple[pynini.Fst, pynini.Fst]:
    """The two machines, the right renumbered; the left's tables only get more symbols.

    ``meeting``: whether it is the left's output and the right's input that are to agree, as for
    composition; else input agrees with input, output with output. Raises MachineError where
    ``<unk>`` or ``<sigma>`` would come to mean other words.
    """
    pairs = [(1, 0)] if meeting else [(0, 0), (1, 1)]
    if _agree(left, right, pairs):
        return left, right

    stays = Lettered(left, where)
    renumbered = Lettered(right, where)
    if None not in (*stays.tables, *renumbered.tables):
        lefts = stays.symbols()
        rights = renumbered.symbols()
        _open(stays, [symbol for symbol in rights if symbol not in lefts])
        _open(renumbered, [symbol for symbol in lefts if symbol not in rights])

    for mine, theirs in pairs:
        table = stays.tables[mine]
        foreign = renumbered.tables[theirs]
        if None in (table, foreign) or table.labeled_checksum() == foreign.labeled_checksum():
            continue
        if {symbol for label, symbol in table if label} != {s for label, s in foreign if label}:
            _check_closed(stays, where)
            _check_closed(renumbered, where)
        sides = renumbered.sides()
        sides[theirs] = _renumbered(sides[theirs], foreign, table)
        renumbered.relabel(*sides)
        renumbered.tables[theirs] = table
    return stays.fst(), renumbered.fst()


def _open(machine: Lettered, symbols: Sequence[str]) -> None:
    if symbols and machine.is_open():
        machine.open_to(symbols)


def _renumbered(
    labels: NDArray[Any], table: pywrapfst.SymbolTable, new: pywrapfst.SymbolTable
) -> NDArray[Any]:
    """The labels of the same symbols in another table, which gets those that it lacks."""
    return relabeled(labels, lambda label: new.add_symbol(table.find(label)) if label else 0)


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


def _check_closed(machine: Lettered, where: str) -> None:
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
    for fst, place in ((left, 1), (right, 0)):
        machine = Lettered(fst, "")
        sides = machine.sides()
        same = machine.has(SAME)[place]
        if same.any():
            sides[place] = np.where(same, machine.tables[place].add_symbol(OTHER), sides[place])
            machine.relabel(*sides)
            fst = machine.fst()
        machines.append(fst)
    return machines[0], machines[1]


def settled(fst: pynini.Fst) -> pynini.Fst:
    """A composition of matched machines with identity only where both sides are the same symbol."""
    if not _knows_wildcards(fst):
        return fst
    machine = Lettered(fst, "")
    if None in machine.tables or not machine.is_open():
        return fst

    same = machine.has(SAME)
    sides = [
        np.where(same[i] & ~same[1 - i], table.add_symbol(OTHER), side)
        for i, (side, table) in enumerate(zip(machine.sides(), machine.tables, strict=True))
    ]
    machine.relabel(*sides)
    return machine.fst()


def projected(fst: pynini.Fst, side: str) -> pynini.Fst:
    """One side of a machine; what was an unknown symbol there is now the same on both."""
    fst = fst.project(side)
    if not _knows_wildcards(fst):
        return fst

    machine = Lettered(fst, "")
    unknown = machine.has(OTHER)[0]
    if not unknown.any():
        return fst

    same = machine.tables[0].add_symbol(SAME)
    label = np.where(unknown, same, machine.arrays.ilabel)
    machine.relabel(label, label)
    machine.tables[1] = machine.tables[0]
    return machine.fst()
