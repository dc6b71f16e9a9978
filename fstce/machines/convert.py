"""Machines from one tool's files to another's: OpenFst binary and AT&T text, symbols beside it or inside.

``spelling`` tells how each tool spells ε; all spellings are read alike, one is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pynini
import pywrapfst
from numpy.typing import NDArray

from fstce.corpora.words import RESERVED
from fstce.errors import MachineError, ParameterError
from fstce.machines.algebra import ARC_TYPES, verified
from fstce.machines.atomic import existing
from fstce.machines.far import read_far
from fstce.machines.files import read_fst, write_fst
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.lines import MachineLine, fields_of, is_weight
from fstce.machines.parse import parse_att
from fstce.machines.spelling import (
    OTHER,
    OURS,
    SAME,
    SPELLINGS,
    in_our_spelling,
    respelled,
    with_one_table,
)
from fstce.machines.symbols import Symbols
from fstce.machines.text import check_symbols_beside, read_symbols, write_att, write_symbols
from fstce.numeric.rules import choice
from fstce.numeric.types import Ints32

TEXT_SUFFIXES = (".txt", ".att")


class Sides(NamedTuple):
    """The symbols of a machine's input and output, and where they were read, for messages."""

    tables: tuple[pywrapfst.SymbolTable, pywrapfst.SymbolTable]
    where: tuple[str, str]


def read_machine(
    path: Path | str,
    *,
    isymbols: Path | str | None = None,
    osymbols: Path | str | None = None,
    arc_type: str | None = None,
    key: str | None = None,
    numbers: bool = False,
) -> pynini.Fst:
    """Read a machine from any of the files above, its symbols in fstce's spelling.

    ``path``: ``.txt`` or ``.att`` for AT&T text, ``.far`` for an archive, else OpenFst binary. ``isymbols``,
    ``osymbols``: symbol files; without `osymbols` the output has the input's. For text without either, the
    ``.syms`` file of the same name; where there is none either, labels that are all numbers are ids, and
    other labels are the symbols themselves, which then get the ids of an
    :class:`~fstce.machines.symbols.Symbols`. ``arc_type``: the arc type wanted; by default the file's own,
    for text ``standard``. Only ``log64`` keeps 17 digits of a weight. ``numbers``: whether the labels of text
    are ids although there are symbols, as k2 writes them.
    """
    path = existing(path)
    choice(*ARC_TYPES).or_none().check(arc_type=arc_type)
    sides = _sides(path, isymbols, osymbols)
    if path.suffix.lower() in TEXT_SUFFIXES:
        _check_key(path, key, ())
        return _read_text(path, sides, arc_type or "standard", numbers)
    fst = _read_binary(path, key)
    tables = _symbol_tables(fst, sides, str(path))
    return _named(_of_type(fst, arc_type), tables, str(path))


def write_machine(
    fst: pywrapfst.Fst, path: Path | str, *, spelling: str = "openfst", numbers: bool = False
) -> None:
    """Write a machine as its suffix says: ``.fst``, or ``.txt`` or ``.att`` with its words in ``.syms``.

    Text has one symbol file: where input and output have different symbols, it holds both,
    the output's words with new ids. In HFST's spelling the start is state 0, as HFST and foma
    demand, and every label is a symbol.

    ``fst``: the machine, its symbols in fstce's spelling. ``numbers``: write ids instead of words in text;
    the words stay in ``.syms``.
    """
    path = Path(path)
    choice(*SPELLINGS).check(spelling=spelling)
    machine = verified(fst, str(path))
    if path.suffix.lower() == ".fst":
        write_fst(respelled(machine, spelling), path)
    elif path.suffix.lower() in TEXT_SUFFIXES:
        _write_text(machine, path, spelling, numbers)
    else:
        raise ParameterError(f"{path}: the suffix says what is written; use .fst .txt .att")


def _sides(path: Path, isymbols: Path | str | None, osymbols: Path | str | None) -> Sides | None:
    """The symbol files that are given, or stand beside a text."""
    beside = path.with_suffix(".syms")
    if isymbols is None and osymbols is not None:
        raise ParameterError("--osymbols without --isymbols; give the symbols of the input too")
    if isymbols is None and path.suffix.lower() in TEXT_SUFFIXES and beside.is_file():
        isymbols = beside
    if isymbols is None:
        return None
    files = isymbols, isymbols if osymbols is None else osymbols
    one, other = (in_our_spelling(read_symbols(file), str(file)) for file in files)
    return Sides((one, other), (str(files[0]), str(files[1])))


def _read_text(path: Path, sides: Sides | None, arc_type: str, numbers: bool) -> pynini.Fst:
    lines = list(fields_of(path))
    arcs = [line for line in lines if len(line.fields) > 2]
    names = _label_names(arcs)
    if numbers or (sides is None and all(name.isdecimal() for name in names)):
        fst = arrays_to_fst(parse_att(lines, None), arc_type)
        return fst if sides is None else _named(fst, sides.tables, str(path), sides.where)
    sides = sides or _own_symbols(names, str(path))
    known = [*names, *(symbol for table in sides.tables for _, symbol in table)]
    number = {name: i for i, name in enumerate(dict.fromkeys(known))}
    arrays = parse_att(lines, number)
    arrays = _relabelled(arrays, list(number), sides, [line.where for line in arcs])
    return _named(arrays_to_fst(arrays, arc_type), sides.tables, str(path))


def _label_names(arcs: Sequence[MachineLine]) -> list[str]:
    """The labels of the arcs, each once; `parse_att` tells acceptors from transducers in the same way."""
    sizes = {len(line.fields) for line in arcs}
    weights = all(is_weight(line.fields[3]) for line in arcs if len(line.fields) == 4)
    acceptor = 5 not in sizes and (3 in sizes or weights)
    return list(dict.fromkeys(name for line in arcs for name in line.fields[2 : 3 if acceptor else 4]))


def _own_symbols(names: Sequence[str], where: str) -> Sides:
    """A table of the symbols that the text itself spells."""
    try:
        symbols = Symbols(name for name in names if OURS.get(name, name) not in RESERVED)
    except MachineError as error:
        raise MachineError(f"{where}: {error}") from None
    return Sides((symbols.table, symbols.table), (where, where))


def _relabelled(arrays: Arrays, names: Sequence[str], sides: Sides, where: Sequence[str]) -> Arrays:
    """The arcs' positions in `names` as ids of the two tables."""
    if OTHER in names:
        both = (arrays.ilabel == names.index(OTHER)) & (arrays.olabel == names.index(OTHER))
        if both.any():
            raise MachineError(
                f"{where[both.argmax()]}: {OTHER} on both sides means two different words, which fstce "
                f"cannot say; use {SAME} for the same word"
            )
    columns = [
        _ids(column, names, table, source, where)
        for column, table, source in zip((arrays.ilabel, arrays.olabel), *sides, strict=True)
    ]
    return arrays._replace(ilabel=columns[0], olabel=columns[1])


def _ids(
    column: NDArray[np.integer],
    names: Sequence[str],
    table: pywrapfst.SymbolTable,
    source: str,
    where: Sequence[str],
) -> Ints32:
    """The ids of one side; raises MachineError, naming the line, for a symbol that the table lacks."""
    of_name = {symbol: label for label, symbol in table}
    ids = np.array(
        [of_name.get(OURS.get(name, name), of_name.get(name, -1)) for name in names], dtype=np.int32
    )
    found = ids[column] if len(column) else np.zeros(0, np.int32)
    if (found < 0).any():
        at = int((found < 0).argmax())
        raise MachineError(f"{where[at]}: the symbol {names[column[at]]!r} is not in {source}; add it there")
    return found


def _read_binary(path: Path, key: str | None) -> pynini.Fst:
    if path.suffix.lower() != ".far":
        _check_key(path, key, ())
        return read_fst(path)
    machines = read_far(path)
    _check_key(path, key, tuple(machines))
    return machines[next(iter(machines)) if key is None else key]


def _check_key(path: Path, key: str | None, keys: Sequence[str]) -> None:
    if not keys and key is not None:
        raise ParameterError(f"{path} is one machine; a key goes with a .far")
    if keys and (key not in keys if key is not None else len(keys) > 1):
        shown = ", ".join(keys[:5]) + (f", … {keys[-1]}" if len(keys) > 5 else "")
        asked = "say which with --key" if key is None else f"none is {key!r}"
        raise ParameterError(f"{path} holds {len(keys):,} machines; {asked}: {shown}")


def _symbol_tables(
    fst: pynini.Fst, sides: Sides | None, where: str
) -> tuple[pywrapfst.SymbolTable | None, pywrapfst.SymbolTable | None]:
    if sides is not None:
        return sides.tables
    own = fst.input_symbols(), fst.output_symbols()
    one, other = (None if table is None else in_our_spelling(table, where) for table in own)
    return one, other


def _named(
    fst: pynini.Fst,
    tables: tuple[pywrapfst.SymbolTable | None, pywrapfst.SymbolTable | None],
    where: str,
    sources: Sequence[str] = ("", ""),
) -> pynini.Fst:
    """The machine with these symbols; raises MachineError where a label has none."""
    arrays = fst_to_arrays(fst)
    for column, table, source in zip((arrays.ilabel, arrays.olabel), tables, sources, strict=True):
        labels = [] if table is None else np.unique(column).tolist()
        for label in labels:
            if table is not None and not table.member(label):
                raise MachineError(
                    f"{where}: the label {label} has no symbol in {source or 'its table'}; add it"
                )
    fst.set_input_symbols(tables[0])
    fst.set_output_symbols(tables[1])
    return verified(fst, where)


def _of_type(fst: pynini.Fst, arc_type: str | None) -> pynini.Fst:
    """The machine with weights of this arc type, exact from ``standard`` to ``log64``."""
    return fst if arc_type in (None, fst.arc_type()) else arrays_to_fst(fst_to_arrays(fst), arc_type)


def _write_text(fst: pynini.Fst, path: Path, spelling: str, numbers: bool) -> None:
    if fst.start() == pywrapfst.NO_STATE_ID:
        raise MachineError(f"{path}: the machine has no start state, so there is nothing to write as text")
    if spelling == "hfst" and numbers:
        raise ParameterError(f"{path}: HFST's text has words, not numbers; leave --numbers out")
    if fst.input_symbols() is None or fst.output_symbols() is None:
        if spelling == "hfst" and any(map(fst.num_arcs, fst.states())):
            raise MachineError(f"{path}: HFST's text has words, and the machine has none; give --isymbols")
        write_att(fst, path)
        return
    merged = with_one_table(fst, spelling)
    table = merged.input_symbols().copy()
    check_symbols_beside(table, path)
    if numbers:
        merged.set_input_symbols(None)
        merged.set_output_symbols(None)
    write_att(merged, path)
    write_symbols(table, path.with_suffix(".syms"))
