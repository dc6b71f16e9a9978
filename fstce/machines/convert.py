"""Machines in the files of any tool: what is in a file says how it is read, its suffix how it is written.

=================  ==================================================  =====================================
``.fst``           OpenFst's binary form                               vector, const or compact
``.far``           an archive; ``archive.far:key`` is one machine      written alone, or into the archive
``.txt`` ``.att``  AT&T text, its words in ``.syms`` next to it
``.hfst``          HFST's file                                         of OpenFst's or of foma's machine
``.hfstol``        HFST's file for optimized lookup
``.zhfst``         HFST's speller: ``speller.zhfst:errmodel``          the acceptor, or the part that is named
``.foma``          foma's binary file, of one machine                  without weights
=================  ==================================================  =====================================

``spelling`` says how each tool spells ε; all spellings are read alike, one is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fstce.corpora.words import RESERVED
from fstce.errors import MachineError, ParameterError
from fstce.machines import files, foma, hfst
from fstce.machines.algebra import ARC_TYPES, verified
from fstce.machines.binary import BinaryReader
from fstce.machines.files import FAR_MAGICS, FST_MAGIC, content
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
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
from fstce.machines.text import (
    MachineLine,
    fields_of,
    is_acceptor,
    parse_att,
    read_symbols,
    write_arcs,
    write_att,
)
from fstce.parameters.rules import choice
from fstce.storage.atomic import write_whole


class Format(NamedTuple):
    """A kind of binary file; text is what none of these is.

    ``begins``: how the bytes of one begin; where they need not, its suffix says so. ``read``: from the bytes
    of a file, its name, and of a keyed one the key, to the machine and what they say of themselves.
    ``write``: from a machine, the form and the name to bytes; of a keyed one from path and key to the file.
    ``forms``: those that can be written, the usual one first.
    """

    begins: tuple[bytes, ...]
    read: Callable[..., tuple[pynini.Fst, str]]
    write: Callable[..., Any]
    forms: tuple[str, ...] = ()
    keyed: bool = False


# The symbols of a machine's input and output, and where each were read, for messages.
Sides = Sequence[tuple["pywrapfst.SymbolTable | None", str]]


def read_machine(path: Path | str, **reading: Any) -> pynini.Fst:
    """Read a machine from any of the files above, its symbols in fstce's spelling.

    ``reading``: as :func:`read_with_form` takes it.
    """
    return read_with_form(path, **reading)[0]


def read_with_form(
    path: Path | str,
    *,
    isymbols: Path | str | None = None,
    osymbols: Path | str | None = None,
    arc_type: str | None = None,
    key: str | None = None,
    numbers: bool = False,
) -> tuple[pynini.Fst, str]:
    """A machine and the form of its file, as fstinfo and hfst-summarize call it; the file is read once.

    ``path``: a file, or ``archive.far:key``. ``isymbols``,
    ``osymbols``: symbol files; without `osymbols` the output has the input's. For text without either, the
    ``.syms`` file of the same name; where there is none either, labels that are all numbers are ids, and
    other labels are the symbols themselves, which then get the ids of an
    :class:`~fstce.machines.symbols.Symbols`. ``arc_type``: the arc type wanted; by default the file's own,
    for text ``standard``; ``log`` is read as ``log64``, which holds its weights exactly. Only ``log64`` keeps
    17 digits of a weight. ``numbers``: whether the labels of text are ids although there are symbols, as k2
    writes them.
    """
    choice(*ARC_TYPES).or_none().check(arc_type=arc_type)
    name, inner = archived(os.fspath(path))
    file, key = Path(name), key or inner
    data = content(file)
    kind = _format_of(data, file)
    sides = _sides(file, isymbols, osymbols, kind is None)
    if key is not None and not (kind and kind.keyed):
        raise ParameterError(f"{file} is one machine; a key goes with a .far")
    if kind is None:
        arrays, sides = _read_text(file, data, sides, numbers)
        known, form = "standard", "AT&T text"
    else:
        fst, form = kind.read(data, str(file), *([key] if kind.keyed else []))
        arrays, known = fst_to_arrays(fst), fst.arc_type()
        own = fst.input_symbols(), fst.output_symbols()
        sides = sides or [(table and in_our_spelling(table, str(file)), "") for table in own]
    return _named(arrays, arc_type or known, sides or [(None, "")] * 2, str(file)), form


def _format_of(data: bytes, path: Path) -> Format | None:
    """What the bytes of a file are, or by its suffix should be; None for text."""
    suffix = path.suffix.lower()
    by_suffix = FORMATS.get(suffix)
    if by_suffix is not None and by_suffix.keyed:
        return by_suffix
    for kind in FORMATS.values():
        if data.startswith(kind.begins):
            return kind
    if by_suffix is None and suffix not in TEXT_SUFFIXES:
        raise ParameterError(f"{path}: no machine; one is a file of {' '.join(SUFFIXES)}")
    if by_suffix is not None and by_suffix.begins:
        whose = "an OpenFst machine" if suffix == ".fst" else "a file of HFST's or foma's"
        raise MachineError(f"{path}: not {whose}; AT&T text is .txt or .att, OpenFst's .fst")
    return by_suffix


def write_machine(
    fst: pywrapfst.Fst,
    path: Path | str,
    *,
    form: str | None = None,
    spelling: str = "openfst",
    numbers: bool = False,
) -> None:
    """Write a machine as its suffix says; an archive or speller that is there keeps its other machines.

    ``fst``: of pynini, pywrapfst or pyfoma, its symbols in fstce's spelling. ``form``: of ``.fst`` vector,
    const or compact, of ``.hfst`` openfst or foma; by default the first. Text has one symbol file: where
    input and output have different symbols, it holds both, the output's words with new ids. In HFST's
    spelling the start is state 0, as HFST and foma demand, and every label is a symbol. ``numbers``: write
    ids instead of words in text; the words stay in ``.syms``.
    """
    name, key = archived(os.fspath(path))
    path = Path(name)
    choice(*SPELLINGS).check(spelling=spelling)
    machine, suffix = verified(fst, str(path)), path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ParameterError(f"{path}: the suffix says what is written; use {' '.join(SUFFIXES)}")
    kind = FORMATS.get(suffix)
    if form is not None and not (kind and form in kind.forms):
        forms = ", ".join(
            f"{form} ({suffix})" for suffix, kind in FORMATS.items() for form in kind.forms
        )
        raise ParameterError(f"{path}: {form!r} is no form of {suffix}; forms are {forms}")
    spelt = respelled(machine, spelling) if suffix in (".fst", ".far") else machine
    if kind is None:
        _write_text(machine, path, spelling, numbers)
    elif kind.keyed:
        kind.write(spelt, path, key)
    else:
        write_whole(path, kind.write(spelt, form or kind.forms[0], str(path)), MachineError)


def to_pyfoma(fst: pywrapfst.Fst) -> Any:
    """A machine with symbols as an ``FST`` of pyfoma, with its weights; fstce takes pyfoma's as they are."""
    from pyfoma.fst import FST  # optional

    machine = verified(fst, "machine")
    return FST.from_fomastring(foma.fst_to_foma(machine, "machine", weights=True).decode())


def archived(name: str) -> tuple[str, str | None]:
    """A path and, after the colon of ``archive.far:key`` or ``speller.zhfst:part``, the key of a machine."""
    file, colon, key = name.rpartition(":")
    kind = FORMATS.get(Path(file).suffix.lower())
    return (file, key) if colon and kind is not None and kind.keyed else (name, None)


def _sides(
    path: Path, isymbols: Path | str | None, osymbols: Path | str | None, text: bool
) -> Sides | None:
    """The symbol files that are given, or stand next to a text."""
    symbols_file = path.with_suffix(".syms")
    if isymbols is None and osymbols is not None:
        raise ParameterError("--osymbols without --isymbols; give the symbols of the input too")
    if isymbols is None and text and symbols_file.is_file():
        isymbols = symbols_file
    if isymbols is None:
        return None
    files = [str(file) for file in (isymbols, isymbols if osymbols is None else osymbols)]
    return [(in_our_spelling(read_symbols(file), file), file) for file in files]


def _read_text(
    path: Path, data: bytes, sides: Sides | None, numbers: bool
) -> tuple[Arrays, Sides | None]:
    """The machine of a text, and its symbols, where the text itself spells them."""
    lines = list(fields_of(path, data))
    arcs = [line for line in lines if len(line.fields) > 2]
    names = [name for labels in _labels(arcs, {}) for name in labels]
    if numbers or (sides is None and all(map(str.isdecimal, names))):
        return parse_att(lines, (None, "")), sides
    if sides is None:
        try:
            symbols = Symbols(name for name in names if OURS.get(name, name) not in RESERVED)
        except MachineError as error:
            raise MachineError(f"{path}: {error}") from None
        sides = [(symbols.table, str(path))] * 2
    ids = [(_ids(table), source) for table, source in sides]
    for line, labels in zip(arcs, _labels(arcs, ids[1][0]), strict=True):
        if set(labels) == {OTHER}:
            raise MachineError(
                f"{line.where}: {OTHER} on both sides means two different words, which fstce "
                f"cannot say; use {SAME} for the same word"
            )
    return parse_att(lines, *ids), sides


def _labels(arcs: Sequence[MachineLine], ids: Mapping[str, int]) -> list[list[str]]:
    """The labels of each arc, one or two."""
    last = 3 if is_acceptor(arcs, ids) else 4
    return [line.fields[2:last] for line in arcs]


def _ids(table: pywrapfst.SymbolTable | None) -> dict[str, int]:
    """The ids of a table's symbols, however a tool spells them."""
    ids = {symbol: label for label, symbol in table or ()}
    return ids | {foreign: ids[own] for foreign, own in OURS.items() if own in ids}


def _named(arrays: Arrays, arc_type: str, sides: Sides, where: str) -> pynini.Fst:
    """The machine with these symbols; raises MachineError where a label has none."""
    for column, (table, source) in zip((arrays.ilabel, arrays.olabel), sides, strict=True):
        missing = [
            label for label in np.unique(column).tolist() if table and not table.member(label)
        ]
        if missing:
            raise MachineError(
                f"{where}: the label {missing[0]} has no symbol in {source or 'its table'}; add it"
            )
    fst = arrays_to_fst(arrays, arc_type)  # exact from standard to log64
    return verified(fst.set_input_symbols(sides[0][0]).set_output_symbols(sides[1][0]), where)


def _write_text(fst: pynini.Fst, path: Path, spelling: str, numbers: bool) -> None:
    if fst.start() == pywrapfst.NO_STATE_ID:
        raise MachineError(
            f"{path}: the machine has no start state, so there is nothing to write as text"
        )
    if spelling == "hfst" and numbers:
        raise ParameterError(f"{path}: HFST's text has words, not numbers; leave --numbers out")
    if fst.input_symbols() is not None and fst.output_symbols() is not None:
        write_arcs(*with_one_table(fst, spelling), path, numbers)
        return
    if spelling == "hfst" and any(map(fst.num_arcs, fst.states())):
        raise MachineError(
            f"{path}: HFST's text has words, and the machine has none; give --isymbols"
        )
    write_att(fst, path)


def shown_keys(keys: Sequence[str]) -> str:
    """The keys of an archive for a message: the first five, and the last."""
    return ", ".join(keys[:5]) + (f", … {keys[-1]}" if len(keys) > 5 else "")


def _read_fst(data: bytes, where: str) -> tuple[pynini.Fst, str]:
    reader = BinaryReader(data, where)
    return reader.machine(), reader.form


def _read_far(data: bytes, where: str, key: str | None) -> tuple[pynini.Fst, str]:
    machines = files.machines_in(data, Path(where))
    if key not in machines if key is not None else len(machines) > 1:
        asked = "say which with --key" if key is None else f"none is {key!r}"
        shown = shown_keys(tuple(machines))
        raise ParameterError(f"{where} holds {len(machines):,} machines; {asked}: {shown}")
    return machines[next(iter(machines)) if key is None else key], "one of an archive"


def _write_far(fst: pynini.Fst, path: Path, key: str | None) -> None:
    """Alone, or under a key among the machines that the archive has."""
    others = files.read_far(path) if key is not None and path.exists() else {}
    machines = {**others, files.far_key(0, 1) if key is None else key: fst}
    files.write_far(dict(sorted(machines.items(), key=lambda item: item[0].encode())), path)


def _read_zhfst(data: bytes, where: str, key: str | None) -> tuple[pynini.Fst, str]:
    part = hfst.zhfst_member(data, where, key or hfst.ACCEPTOR)
    kinds = (kind for kind in FORMATS.values() if not kind.keyed and part.startswith(kind.begins))
    return next(kinds, FORMATS[".hfstol"]).read(part, where)[0], "one of a speller"


def _write_zhfst(fst: pynini.Fst, path: Path, key: str | None) -> None:
    """The acceptor of a speller, or another part of one that is there; a new one corrects nothing yet.

    Its error model is the acceptor: hfst-ospell takes letters that this lacks for some of its own.
    """
    part = hfst.fst_to_hfst(fst, "lookup", str(path))
    if path.exists():
        hfst.write_zhfst_part(path, key or hfst.ACCEPTOR, part)
        return
    if key is not None and not hfst.ACCEPTOR.startswith(key):
        raise MachineError(f"{path}: there is no such speller yet; write its acceptor first")
    hfst.write_zhfst(path, part, part, locale="und", title=path.stem, description="words")


FORMATS = {
    ".fst": Format((FST_MAGIC,), _read_fst, files.fst_to_bytes, files.FORMS),
    ".far": Format(FAR_MAGICS, _read_far, _write_far, keyed=True),
    ".hfst": Format((hfst.MAGIC,), hfst.hfst_to_fst, hfst.fst_to_hfst, ("openfst", "foma")),
    ".hfstol": Format((), hfst.lookup_to_fst, hfst.fst_to_hfst, ("lookup",)),
    ".zhfst": Format((), _read_zhfst, _write_zhfst, keyed=True),
    ".foma": Format(foma.MAGICS, foma.foma_to_fst, foma.fst_to_gzip, ("foma",)),
}
TEXT_SUFFIXES = (".txt", ".att")
SUFFIXES = (*FORMATS, *TEXT_SUFFIXES)
