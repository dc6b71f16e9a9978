"""Machines as AT&T text, one arc or final state a line, with their words in a ``.syms`` file.

A line is ``source target input output [weight]``, in an acceptor also
``source target label [weight]``, or ``state [weight]`` for a final state; the first line's
state is the start. Weights have so many digits that reading them back is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fstce.errors import MachineError
from fstce.machines.algebra import verified
from fstce.machines.files import content, existing, replacing, write_text
from fstce.machines.image import arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.parse import fields_of, number, parse_att

_DIGITS = {"standard": 9, "log64": 17}
_MACHINES = (".fst", ".far", ".txt", ".att")


def write_att(fst: pywrapfst.Fst, path: Path | str) -> None:
    """Write a machine as AT&T text, and its symbols to the same name with the suffix ``.syms``.

    Labels of a machine without symbols are written as numbers.

    Raises
    ------
    MachineError
        The machine is unsound or has no start, input and output symbols differ, or the path
        cannot be written.
    """
    machine = verified(fst, str(path))
    table, other = machine.input_symbols(), machine.output_symbols()
    if len({None if side is None else side.labeled_checksum() for side in (table, other)}) > 1:
        raise MachineError(
            f"{path}: input and output symbols differ, and text has one .syms; write a .fst instead"
        )
    if table is not None:
        check_symbols_beside(table, path)
    with replacing(path) as temporary:
        temporary.write_text("".join(f"{line}\n" for line in _att_lines(machine, table)), encoding="utf-8")
        if table is not None:
            write_symbols(table, Path(path).with_suffix(".syms"))


def read_att(
    path: Path | str, symbols_path: Path | str | None = None, arc_type: str = "standard"
) -> pynini.Fst:
    """Read a machine from AT&T text.

    Parameters
    ----------
    path : Path or str
        The text.
    symbols_path : Path or str, optional
        The symbols; without it the file of the same name with the suffix ``.syms``, where
        there is one, else labels are numbers.
    arc_type : {"standard", "log64"}
        What the weights are: the text does not say.

    Returns
    -------
    pynini.Fst
        States keep their numbers, as far as these have no gaps.

    Raises
    ------
    MachineError
        A file is missing, or a line has a wrong number of fields, a symbol that is not in
        the table, or a state or weight that is no number; names file and line.
    """
    path = existing(path)
    own = path.with_suffix(".syms")
    file = own if symbols_path is None and own.is_file() else symbols_path
    table = None if file is None else read_symbols(file)
    ids = None if table is None else {symbol: label for label, symbol in table}
    fst = arrays_to_fst(parse_att(list(fields_of(path, content(path))), ids), arc_type)
    return fst.set_input_symbols(table).set_output_symbols(table)


def write_symbols(table: pywrapfst.SymbolTableView, path: Path | str) -> None:
    """Write a symbol table as lines of symbol and id; raises MachineError where it holds white space."""
    for _, symbol in table:
        if not symbol or symbol.split() != [symbol]:
            raise MachineError(
                f"{path}: the symbol {symbol!r} cannot stand in a text file; write a .fst instead"
            )
    write_text(_symbol_lines(table), path)


def check_symbols_beside(table: pywrapfst.SymbolTableView, path: Path | str) -> None:
    """Raise MachineError where the ``.syms`` next to a machine serves another file, or is the user's own."""
    path = Path(path)
    symbols_file = path.with_suffix(".syms")
    if not symbols_file.exists():
        return
    others = [other for other in map(path.with_suffix, _MACHINES) if other != path and other.exists()]
    if path.exists() and not others:  # both are of an earlier run
        return
    if content(symbols_file) != _symbol_lines(table).encode():
        whose = f"has the symbols of {others[0]}" if others else "is there already"
        raise MachineError(f"{symbols_file} {whose} and would be replaced; give the new machine another name")


def _symbol_lines(table: pywrapfst.SymbolTableView) -> str:
    return "".join(f"{symbol}\t{label}\n" for label, symbol in table)


def read_symbols(path: Path | str) -> pywrapfst.SymbolTable:
    """Read a symbol table from lines of symbol and id.

    Raises
    ------
    MachineError
        The file is missing, or a line is not a symbol and an id, or repeats one; names file and line.
    """
    path = existing(path)
    table = pywrapfst.SymbolTable(path.stem)
    for symbol, label in symbol_ids(path).items():
        table.add_symbol(symbol, label)
    return table


def symbol_ids(path: Path) -> dict[str, int]:
    """The symbols of a table in a file with their ids, as `read_symbols` reads them, without OpenFst."""
    ids: dict[str, int] = {}
    taken = set[int]()
    for where, fields in fields_of(path, content(path)):
        if len(fields) != 2:
            raise MachineError(f"{where}: {len(fields)} fields; a line is a symbol and its id")
        label = number(fields[1], "id", where)
        if fields[0] in ids or label in taken:
            raise MachineError(
                f"{where}: the symbol {fields[0]!r} or the id {label} is given twice; keep one"
            )
        ids[fields[0]] = label
        taken.add(label)
    return ids


def _att_lines(fst: pynini.Fst, table: pywrapfst.SymbolTableView | None) -> Iterator[str]:
    """The lines of every state, the start's first, in fstprint's order."""
    arrays, digits = fst_to_arrays(fst), _DIGITS[fst.arc_type()]
    columns = (arrays.source, arrays.next, arrays.ilabel, arrays.olabel, arrays.weight)
    labels = np.union1d(arrays.ilabel, arrays.olabel).tolist()
    name = {label: str(label) if table is None else table.find(label) for label in labels}
    lines: list[list[str]] = [[] for _ in arrays.final]
    for source, target, ilabel, olabel, weight in zip(*(column.tolist() for column in columns), strict=True):
        lines[source].append(
            "\t".join((f"{source}\t{target}", name[ilabel], name[olabel], *_cost(weight, digits)))
        )
    for state, weight in enumerate(arrays.final.tolist()):
        if np.isfinite(weight) or not lines[state]:
            lines[state].append("\t".join((str(state), *_cost(weight, digits))))
    for state in sorted(range(len(lines)), key=lambda state: state != arrays.start):
        yield from lines[state]


def _cost(weight: float, digits: int) -> tuple[str, ...]:
    """The field of a weight; none for One."""
    if weight == 0.0:
        return ()
    return (f"{weight:.{digits}g}" if np.isfinite(weight) else "Infinity",)
