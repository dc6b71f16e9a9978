"""How each finite-state tool spells ε and OOV words, and the way between them.

=========  ===========  =======================================  =====================
spelling   ε            any word that is not listed              who reads it
=========  ===========  =======================================  =====================
openfst    <epsilon>    <unk>                                    fstce, OpenFst, pynini
kaldi      <eps>        <unk>                                    k2, Kaldi, icefall
hfst       @0@          @_UNKNOWN_SYMBOL_@, @_IDENTITY_SYMBOL_@  HFST
foma       @0@          @_UNKNOWN_SYMBOL_@, @_IDENTITY_SYMBOL_@  foma
=========  ===========  =======================================  =====================

A symbol table stays as it was read unless a spelling is asked for; id 0 is ε, whatever it is
called. The name of a table says whether it is in HFST's or foma's spelling: there ``<unk>`` is a
symbol like any other. In HFST's text ``@_SPACE_@`` is a blank, ``@_TAB_@`` a tab and ``@_COLON_@``
a colon; foma writes them as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, filterfalse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.words import RESERVED
from fstce.errors import MachineError
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays, machine_of, relabeled
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.symbols import EPSILON, UNKNOWN
from fstce.numeric.kernels import places
from fstce.numeric.types import Bools
from fstce.parameters.rules import shown

TOOLS = ("hfst", "foma")
LARGEST_ID = 2**31 - 1  # below which the ids of symbols are
SPELLINGS = {"openfst": EPSILON, "kaldi": "<eps>", **dict.fromkeys(TOOLS, "@0@")}
OTHER = "@_UNKNOWN_SYMBOL_@"
SAME = "@_IDENTITY_SYMBOL_@"
SPECIAL = ("@_EPSILON_SYMBOL_@", OTHER, SAME)  # numbers 0, 1, 2 in HFST's and foma's files
OF_HFST = ("@0@", SPECIAL[0])  # as HFST and foma spell ε in text
EPSILONS = (EPSILON, "<eps>", *OF_HFST)
OF_APERTIUM = "ε"  # as lt-print spells it
_ESCAPES = {"@_SPACE_@": " ", "@_TAB_@": "\t", "@_COLON_@": ":"}
_ESCAPED = str.maketrans({" ": "@_SPACE_@", "\t": "@_TAB_@"})


def unescaped(field: str) -> str:
    """The symbol that a field of a text means.

    >>> unescaped("New@_SPACE_@York")
    'New York'
    """
    if "@_" in field:
        for escape, character in _ESCAPES.items():
            field = field.replace(escape, character)
    return field


def escaped(symbol: str, spelling: str | None, where: str) -> str:
    """The field of a text that means the symbol; raises MachineError where none does."""
    field = symbol
    if spelling != "foma":
        field = symbol.translate(_ESCAPED)
    if not field or {"\t", "\n"} & set(field) or unescaped(field) != symbol:
        raise MachineError(
            f"{where}: the symbol {symbol!r} cannot stand in a text file; write a .fst instead"
        )
    return field


def spells_epsilon(name: str) -> bool:
    """Whether the name that id 0 has in a table is one that ε has, and no word.

    >>> spells_epsilon("<Eps>"), spells_epsilon("the")
    (True, False)
    """
    return name in EPSILONS or name.strip("<>").lower() in ("eps", "epsilon", OF_APERTIUM)


def spelling_of(fst: pynini.Fst) -> str | None:
    """The spelling that the name of a machine's table says: that of HFST or foma, if any."""
    table = fst.input_symbols()
    if table is None or table.name() not in TOOLS:
        return None
    return table.name()


def from_tool(
    arrays: Arrays, symbols: Iterable[tuple[int, str]], tool: str, arc_type: str = "standard"
) -> pynini.Fst:
    """The machine of a file of HFST's or foma's, with its symbols.

    Ε is called ``<epsilon>`` where it can be.
    """
    table = pywrapfst.SymbolTable(tool)
    names = {label: symbol for label, symbol in symbols if label}
    table.add_symbol(next(epsilon for epsilon in EPSILONS if epsilon not in names.values()), 0)
    for label, symbol in names.items():
        table.add_symbol(symbol, label)
    return arrays_to_fst(arrays, arc_type).set_input_symbols(table).set_output_symbols(table)


def for_tool(fst: pynini.Fst, where: str) -> tuple[Arrays, list[str]]:
    """A machine as HFST and foma have it: its start is state 0, one list names all labels.

    Symbol i is the i-th of the list: ε, unknown, identity, then what is on an arc; and what is on
    none, where an arc stands for all symbols that the machine does not know.
    """
    if fst.start() == pywrapfst.NO_STATE_ID:
        raise MachineError(f"{where}: the machine has no start state, so there is nothing to write")
    if fst.input_symbols() is None or fst.output_symbols() is None:
        raise MachineError(
            f"{where}: HFST and foma have words, and the machine has none; give --isymbols, or "
            "--token-type byte or utf8 if its labels are those of pynini's strings"
        )

    arrays, table = with_one_table(respelled(fst, spelling_of(fst) or "hfst", where))
    arrays = from_state_0(arrays)
    used = np.union1d(arrays.ilabel, arrays.olabel).tolist()
    symbols = [table.find(label) for label in used if label]
    if OTHER in symbols or SAME in symbols:
        symbols += [symbol for label, symbol in table if label and symbol not in RESERVED]
    for symbol in symbols:
        if symbol == SPECIAL[0] or "\0" in symbol:
            raise MachineError(f"{where}: {symbol!r} is no symbol of HFST's or foma's; rename it")

    names = list(dict.fromkeys((*SPECIAL, *symbols)))
    number = places(names)
    reads, writes = (
        relabeled(side, lambda label: number[table.find(label)])
        for side in (arrays.ilabel, arrays.olabel)
    )
    return arrays._replace(ilabel=reads, olabel=writes), names


def from_state_0(arrays: Arrays) -> Arrays:
    """The machine with its start as state 0, without arcs of weight Infinity, which are none."""
    arrays = arrays.of_arcs(np.flatnonzero(np.isfinite(arrays.weight)))
    order = np.arange(len(arrays.final), dtype=np.int32)
    order[[0, arrays.start]] = order[[arrays.start, 0]]
    source = order[arrays.source]
    target = order[arrays.next]
    return arrays._replace(start=0, final=arrays.final[order], source=source, next=target)


def spellings(
    labels: NDArray[np.integer[Any]], table: pywrapfst.SymbolTableView | None, where: str
) -> dict[int, str]:
    """The words of each label, ε and OOV words as fstce spells them.

    Without a table labels say themselves.
    """
    used = np.unique(labels).tolist()
    if table is None:
        return {label: str(label) if label else EPSILON for label in used}
    names = {label: table.find(label) if label else EPSILON for label in used}
    if missing := [label for label, name in names.items() if not name]:
        raise MachineError(f"{where}: the label {missing[0]} has no symbol; add it to the table")
    return {label: UNKNOWN if name in (OTHER, SAME) else name for label, name in names.items()}


def respelled(fst: pynini.Fst, spelling: str | None, where: str) -> pynini.Fst:
    """A machine in which a tool's symbols stand for ε and OOV words.

    Without a tool the machine itself.
    """
    tables = fst.input_symbols(), fst.output_symbols()
    if spelling is None or tables == (None, None):
        return fst

    machine = Sides(fst)
    machine.tables = [_with_epsilon(table, spelling, where) for table in tables]
    if spelling not in TOOLS:
        unknown = machine.has(OTHER)
        if (unknown[0] & unknown[1]).any():
            raise MachineError(
                f"{where}: {OTHER} on both sides of an arc is two different words, which only "
                "HFST's and foma's spelling can say; use --spelling hfst"
            )
        machine.put(UNKNOWN, map(np.logical_or, unknown, machine.has(SAME)))
    elif spelling_of(fst) is None:
        unknown = machine.has(UNKNOWN)
        machine.put(OTHER, unknown)
        machine.put(SAME, [unknown[0] & unknown[1]] * 2)
    return machine.fst()


def added(table: pywrapfst.SymbolTable, symbol: str) -> int:
    """The id of a symbol in a table, a new one behind the others where labels are so large.

    Raises MachineError where it is ε there, so that a word would be lost.
    """
    if table.find(symbol) == 0:
        raise MachineError(
            f"{shown(symbol)} is a word in one table of symbols and ε in another; rename the word"
        )
    label = table.available_key()
    if label >= LARGEST_ID:
        label = next(filterfalse(table.member, count(1)))
    return int(table.add_symbol(symbol, label))  # that which it has, if it has one


class Sides:
    """A machine as arrays, with the tables of its sides, which may be one, to be added to."""

    def __init__(self, fst: pynini.Fst) -> None:
        self.arrays: Arrays = fst_to_arrays(fst)
        self.arc_type: str = fst.arc_type()
        self.tables: list[Any] = [
            None if table is None else table.copy()
            for table in (fst.input_symbols(), fst.output_symbols())
        ]

    def fst(self) -> pynini.Fst:
        """The machine with its tables."""
        fst = arrays_to_fst(self.arrays, self.arc_type)
        return fst.set_input_symbols(self.tables[0]).set_output_symbols(self.tables[1])

    def labels(self) -> list[NDArray[Any]]:
        """The labels of input and output."""
        return [self.arrays.ilabel, self.arrays.olabel]

    def has(self, symbol: str) -> list[Bools]:
        """Which arcs have the symbol as input, and which as output."""
        pairs = zip(self.labels(), self.tables, strict=True)
        return [side == (-1 if table is None else table.find(symbol)) for side, table in pairs]

    def put(self, symbol: str, arcs: Iterable[Bools]) -> None:
        """Give these arcs of input and of output the symbol."""
        labels = self.labels()
        for side, chosen in enumerate(arcs):
            if chosen.any():
                label = added(self.tables[side], symbol)
                labels[side] = np.where(chosen, label, labels[side])
        self.arrays = self.arrays._replace(ilabel=labels[0], olabel=labels[1])


def _with_epsilon(
    table: pywrapfst.SymbolTableView | None, spelling: str, where: str
) -> pywrapfst.SymbolTable | None:
    """A copy of the table in which id 0 has the spelling's ε."""
    if table is None:
        return None
    spelt = pywrapfst.SymbolTable(spelling)
    epsilon = SPELLINGS[spelling]
    spelt.add_symbol(epsilon, 0)

    for label, symbol in table:
        if label and symbol == epsilon:
            raise MachineError(
                f"{where}: {shown(symbol)} is the word {label}, and ε is id 0; rename it"
            )
        if label:
            spelt.add_symbol(symbol, label)
    return spelt


def with_one_table(fst: pynini.Fst) -> tuple[Arrays, pywrapfst.SymbolTable]:
    """The machine with one symbol table.

    The input's, to which the output's other symbols are added.
    """
    arrays = fst_to_arrays(fst)
    output = fst.output_symbols()
    table = fst.input_symbols().copy()
    if table.labeled_checksum() == output.labeled_checksum():
        return arrays, table
    writes = relabeled(arrays.olabel, lambda label: added(table, output.find(label)))
    return arrays._replace(olabel=writes), table


def lettered(fst: pynini.Fst, token_type: str, where: str) -> pynini.Fst:
    """The machine with letters as symbols, if its labels are pynini's bytes or code points.

    ``token_type``: ``byte`` or ``utf8``.

    >>> fst = lettered(pynini.accep("né"), "byte", "x")
    >>> labels = fst_to_arrays(fst).ilabel  # with ε where a letter has several bytes
    >>> [fst.input_symbols().find(label) for label in labels[labels != 0].tolist()]
    ['n', 'é']
    """
    arrays = fst_to_arrays(fst)
    is_ascii = max(arrays.ilabel.max(initial=0), arrays.olabel.max(initial=0)) < 0x80
    if token_type == "byte" and not is_ascii:
        from_bytes = _bytes_to_letters(fst, "output", where)
        to_bytes = _bytes_to_letters(fst, "input", where).invert()
        fst = pynini.compose(pynini.compose(to_bytes, fst), from_bytes)
        arrays = fst_to_arrays(fst)

    table = pywrapfst.SymbolTable("letters")
    table.add_symbol(EPSILON, 0)
    for label in np.union1d(arrays.ilabel, arrays.olabel).tolist():
        if label >= 0x110000 or 0xD800 <= label < 0xE000:
            raise MachineError(f"{where}: the label {label} is no code point; give --isymbols")
        if label:
            table.add_symbol(chr(label), label)
    return fst.copy().set_input_symbols(table).set_output_symbols(table)


def _bytes_to_letters(fst: pynini.Fst, side: str, where: str) -> pynini.Fst:
    """From the bytes of the characters that a side of the machine may have to their code points."""
    from pynini.lib import utf8  # which makes its machines when it is loaded

    acceptor = fst.copy().project(side)
    projected = fst_to_arrays(acceptor)
    labels = projected.ilabel
    if labels.max(initial=0) > 255:
        raise MachineError(f"{where}: the label {labels.max()} is no byte; say utf8")

    text = pynini.closure(utf8.VALID_UTF8_CHAR).optimize()
    text = pynini.arcmap(text, map_type=f"to_{fst.arc_type()}")
    if pynini.difference(acceptor, text).num_states():
        raise MachineError(f"{where}: not all of its strings are UTF-8; say utf8 of code points")

    # The parts of its strings: they begin and end in any state, 0 is one more.
    states = np.arange(1, 1 + len(projected.final))
    arcs = (projected.source + 1, labels, labels, projected.next + 1)
    parts = machine_of([0, *states], (0, 0, 0, states), arcs)
    characters = pynini.compose(parts, utf8.VALID_UTF8_CHAR).project("output").optimize()
    letters = list(map(pynini.escape, characters.paths().ostrings()))
    both = zip(letters, letters, strict=True)
    machine = pynini.string_map(both, input_token_type="byte", output_token_type="utf8").closure()
    return pynini.arcmap(machine, map_type=f"to_{fst.arc_type()}").arcsort("ilabel")
