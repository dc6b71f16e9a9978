"""Machines in the files of any tool: what is in a file says how it is read, its suffix how it is written.

=================  ===========================================================  =============
``.fst``           OpenFst's binary form: vector, const or compact              read, vector written
``.far``           an archive; ``archive.far:key`` is one of its machines       read, written
``.txt`` ``.att``  AT&T text, its words in a ``.syms`` file next to it           read, written
``.hfst``          HFST's file, of OpenFst's or of foma's machine               read, written
``.hfstol``        HFST's file for optimized lookup                             read, written
``.zhfst``         HFST's speller: its acceptor; ``speller.zhfst:errmodel``     read
``.foma``          foma's binary file, of one machine                           read, written
=================  ===========================================================  =============

``spelling`` says how each tool spells ε; all spellings are read alike, one is written.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.words import RESERVED
from fstce.errors import MachineError, ParameterError
from fstce.machines.algebra import ARC_TYPES, verified
from fstce.machines.atomic import content, existing, replacing
from fstce.machines.binary import BinaryReader
from fstce.machines.far import MAGICS as FAR_MAGICS
from fstce.machines.far import far_key, machines_in, write_far
from fstce.machines.files import FST_MAGIC, write_fst
from fstce.machines.foma import MAGICS as FOMA_MAGICS
from fstce.machines.foma import foma_to_fst, fst_to_foma
from fstce.machines.hfst import MAGIC as HFST_MAGIC
from fstce.machines.hfst import fst_to_hfst, hfst_to_fst, kind_of
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.lines import MachineLine, fields_of, is_weight
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.optimized_lookup import lookup_to_fst
from fstce.machines.parse import parse_att
from fstce.machines.spelling import (
    OTHER,
    OURS,
    SAME,
    SPELLINGS,
    in_our_spelling,
    respelled,
    with_one_table,
    with_one_unknown,
)
from fstce.machines.symbols import Symbols
from fstce.machines.text import check_symbols_beside, read_symbols, write_att, write_symbols
from fstce.machines.zhfst import ACCEPTOR, zhfst_member
from fstce.numeric.rules import choice
from fstce.numeric.types import Ints32

TEXT_SUFFIXES = (".txt", ".att")
WRITTEN = (".fst", ".far", ".hfst", ".hfstol", ".foma", *TEXT_SUFFIXES)
SUFFIXES = (*WRITTEN, ".zhfst")
_KEYED = (".far", ".zhfst")
_BINARY = (FST_MAGIC, *FAR_MAGICS, HFST_MAGIC, *FOMA_MAGICS)


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

    ``path``: a file, or ``archive.far:key``. ``isymbols``,
    ``osymbols``: symbol files; without `osymbols` the output has the input's. For text without either, the
    ``.syms`` file of the same name; where there is none either, labels that are all numbers are ids, and
    other labels are the symbols themselves, which then get the ids of an
    :class:`~fstce.machines.symbols.Symbols`. ``arc_type``: the arc type wanted; by default the file's own,
    for text ``standard``. Only ``log64`` keeps 17 digits of a weight. ``numbers``: whether the labels of text
    are ids although there are symbols, as k2 writes them.
    """
    choice(*ARC_TYPES).or_none().check(arc_type=arc_type)
    file, inner = archived(os.fspath(path))
    place = existing(file)
    return _machine_in(content(place), place, key or inner, isymbols, osymbols, arc_type, numbers)


def read_with_form(path: Path | str) -> tuple[pynini.Fst, str]:
    """A machine and the form of its file, as fstinfo and hfst-summarize call it; the file is read once.

    A machine of arc type ``log`` is read as ``log64``, which holds its weights exactly.
    """
    file, key = archived(os.fspath(path))
    place = existing(file)
    data = content(place)
    return _machine_in(data, place, key), _form(data, place)


def _machine_in(
    data: bytes,
    path: Path,
    key: str | None,
    isymbols: Path | str | None = None,
    osymbols: Path | str | None = None,
    arc_type: str | None = None,
    numbers: bool = False,
) -> pynini.Fst:
    """The machine in the bytes of a file, which messages call by its path."""
    suffix = path.suffix.lower()
    binary = data.startswith(_BINARY) or suffix in set(SUFFIXES) - set(TEXT_SUFFIXES)
    sides = _sides(path, isymbols, osymbols, not binary)
    if not binary:
        if suffix not in TEXT_SUFFIXES:
            raise ParameterError(f"{path}: no machine; one is a file of {' '.join(SUFFIXES)}")
        _check_key(path, key, ())
        return _read_text(path, data, sides, arc_type or "standard", numbers)
    fst = _read_binary(path, data, key)
    tables = _symbol_tables(fst, sides, str(path))
    return _named(_of_type(fst, arc_type), tables, str(path))


def _form(data: bytes, path: Path) -> str:
    """What the bytes of a machine's file say of themselves."""
    if data.startswith(FST_MAGIC):
        return BinaryReader(data, str(path)).form()
    if data.startswith(HFST_MAGIC):
        return f"HFST {kind_of(data, str(path))}"
    if data.startswith(FAR_MAGICS):
        return "one of an archive"
    if path.suffix.lower() == ".zhfst":
        return "one of a speller"
    return "foma" if data.startswith(FOMA_MAGICS) else "AT&T text"


def write_machine(
    fst: pywrapfst.Fst, path: Path | str, *, spelling: str = "openfst", numbers: bool = False
) -> None:
    """Write a machine as its suffix says: ``.fst``, or ``.txt`` or ``.att`` with its words in ``.syms``.

    ``fst``: of pynini, pywrapfst or pyfoma, its symbols in fstce's spelling. Text has one symbol file:
    where input and output have different symbols, it holds both, the output's words with new ids. In
    HFST's spelling the start is state 0, as HFST and foma demand, and every label is a symbol.
    ``numbers``: write ids instead of words in text; the words stay in ``.syms``.
    """
    path = Path(path)
    choice(*SPELLINGS).check(spelling=spelling)
    machine, suffix = verified(fst, str(path)), path.suffix.lower()
    if suffix == ".fst":
        write_fst(respelled(machine, spelling), path)
    elif suffix == ".far":
        write_far({far_key(0, 1): respelled(machine, spelling)}, path)
    elif suffix in TEXT_SUFFIXES:
        _write_text(machine, path, spelling, numbers)
    elif suffix in (".hfst", ".hfstol", ".foma"):
        spelt = with_hfst_symbols(machine, path)
        lookup = suffix == ".hfstol"
        data = fst_to_foma(spelt, str(path)) if suffix == ".foma" else fst_to_hfst(spelt, lookup=lookup)
        with replacing(path) as temporary:
            temporary.write_bytes(data)
    else:
        raise ParameterError(f"{path}: the suffix says what is written; use {' '.join(WRITTEN)}")


def archived(name: str) -> tuple[str, str | None]:
    """A path and, after the colon of ``archive.far:key`` or ``speller.zhfst:part``, the key of a machine."""
    file, colon, key = name.rpartition(":")
    return (file, key) if colon and file.lower().endswith(_KEYED) else (name, None)


def with_hfst_symbols(fst: pynini.Fst, path: Path) -> pynini.Fst:
    """The machine in HFST's spelling, with one table; HFST and foma know no labels without symbols."""
    if fst.start() == pywrapfst.NO_STATE_ID:
        raise MachineError(f"{path}: the machine has no start state, so there is nothing to write")
    if fst.input_symbols() is None or fst.output_symbols() is None:
        raise MachineError(f"{path}: HFST and foma have words, and the machine has none; give --isymbols")
    return with_one_table(fst, "hfst")


def _sides(path: Path, isymbols: Path | str | None, osymbols: Path | str | None, text: bool) -> Sides | None:
    """The symbol files that are given, or stand next to a text."""
    symbols_file = path.with_suffix(".syms")
    if isymbols is None and osymbols is not None:
        raise ParameterError("--osymbols without --isymbols; give the symbols of the input too")
    if isymbols is None and text and symbols_file.is_file():
        isymbols = symbols_file
    if isymbols is None:
        return None
    files = isymbols, isymbols if osymbols is None else osymbols
    one, other = (in_our_spelling(read_symbols(file), str(file)) for file in files)
    return Sides((one, other), (str(files[0]), str(files[1])))


def _read_text(path: Path, data: bytes, sides: Sides | None, arc_type: str, numbers: bool) -> pynini.Fst:
    lines = list(fields_of(path, data))
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


def _read_binary(path: Path, data: bytes, key: str | None) -> pynini.Fst:
    """The machine in the bytes of a file that is no text, its symbols as they are spelt there."""
    where, suffix = str(path), path.suffix.lower()
    if data.startswith(FAR_MAGICS) or suffix == ".far":
        machines = machines_in(data, path)
        _check_key(path, key, tuple(machines))
        return machines[next(iter(machines)) if key is None else key]
    if suffix == ".zhfst":
        data, key = zhfst_member(data, where, key or ACCEPTOR), None
    _check_key(path, key, ())
    if data.startswith(FST_MAGIC):
        return BinaryReader(data, where).machine()
    if data.startswith(HFST_MAGIC):
        return with_one_unknown(hfst_to_fst(data, where), where)
    if suffix in (".hfstol", ".zhfst"):
        return with_one_unknown(lookup_to_fst(data, where), where)
    if data.startswith(FOMA_MAGICS):
        return with_one_unknown(foma_to_fst(data, where), where)
    if suffix == ".fst":
        raise MachineError(f"{path}: not an OpenFst machine; AT&T text is .txt or .att")
    raise MachineError(f"{path}: not a file of HFST's or foma's; AT&T text is .att, OpenFst's .fst")


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
