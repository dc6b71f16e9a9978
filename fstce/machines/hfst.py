"""HFST's files: ``HFST\\0``, the header's length, names and values, then the machine as its type has it.

====================================  ==================================================================
``TROPICAL_OPENFST`` ``LOG_OPENFST``  OpenFst's binary form, of one symbol table or two
``FOMA``                              foma's text (:mod:`fstce.machines.foma`)
``HFST_OL`` ``HFST_OLW``              optimized lookup, without weights and with
====================================  ==================================================================

A speller (``.zhfst``) is a zip archive of ``index.xml``, an acceptor of words and an error model, both for
optimized lookup, as ``hfst-ospell`` and ``divvunspell`` run it:

=============  ===========================================================================================
header         counts of input symbols, symbols, entries of the index, entries of the transitions, states
               and arcs; nine flags, the first of which says that there are weights
symbols        UTF-8, each ended by NUL: ε, those that are read, the others
index          (symbol, target) for states that read several symbols. At a state's place stands its final
               weight; where it reads symbol s, entry ``place + 1 + s`` has s and its first transition
transitions    (input, output, target, weight), those of a state together, by symbol, ε and flags first;
               before them one without symbols says whether the state is final
=============  ===========================================================================================

A target from 2³¹ on is the place of a state among the transitions, another one in the index. Integers are
little-endian. Described by Silfverberg and Lindén (2009, HFST Runtime Format), found out from files of
``hfst-fst2fst -w``.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.machines.binary import BinaryReader
from fstce.machines.files import content
from fstce.machines.foma import foma_to_fst, fst_to_foma
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.spelling import for_tool, from_tool
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Ints
from fstce.storage.atomic import replacing

MAGIC = b"HFST\0"
_LENGTH = struct.Struct("<Hx")
# What is written, and by what name: the type of the header.
FORMS = {"openfst": b"TROPICAL_OPENFST", "foma": b"FOMA", "lookup": b"HFST_OLW"}
_OPENFST = {"TROPICAL_OPENFST", "LOG_OPENFST"}
_LOOKUP = {"HFST_OL", "HFST_OLW"}
EPSILON = "@_EPSILON_SYMBOL_@"
_HEADER = struct.Struct("<HHIIII9I")
_NONE, _NO_TARGET, _TABLE = 0xFFFF, 0xFFFFFFFF, 1 << 31
_INDEX = np.dtype([("symbol", "<u2"), ("target", "<u4")])
_PLAIN = np.dtype([("input", "<u2"), ("output", "<u2"), ("target", "<u4")])
_WEIGHTED = np.dtype([*_PLAIN.descr, ("weight", "<f4")])
_WINDOW = 256  # places of the index that are tried at once
ACCEPTOR, ERRORS = "acceptor.default.hfst", "errmodel.default.hfst"


def header(data: bytes, where: str) -> tuple[str, int]:
    """The type of a machine, and where its bytes begin."""
    if len(data) < len(MAGIC) + _LENGTH.size:
        raise MachineError(f"{where}: cut off; write it again")
    (length,) = _LENGTH.unpack_from(data, len(MAGIC))
    begin = len(MAGIC) + _LENGTH.size
    fields = data[begin : begin + length].decode("utf-8", "replace").split("\0")
    return dict(zip(fields[::2], fields[1::2], strict=False)).get("type", "unknown"), begin + length


def hfst_to_fst(data: bytes, where: str) -> tuple[pynini.Fst, str]:
    """The machine in a file of HFST's, and what the file says of itself."""
    kind, begin = header(data, where)
    body, form = data[begin:], f"HFST {kind}"
    if kind == "FOMA":
        return foma_to_fst(body, where)[0], form
    if kind in _LOOKUP:
        return lookup_to_fst(body, where)[0], form
    if kind not in _OPENFST:
        raise MachineError(
            f"{where}: an HFST machine of type {kind}; convert it with hfst-fst2txt, whose text is .att"
        )
    fst = BinaryReader(body, where).machine()
    return from_tool(fst_to_arrays(fst), fst.input_symbols() or (), where, fst.arc_type()), form


def fst_to_hfst(fst: pynini.Fst, form: str, where: str) -> bytes:
    """The bytes of HFST's file of a machine, of tropical weights.

    ``form``: a key of `FORMS`; spellers are for optimized ``lookup``.
    """
    start = b"".join(field + b"\0" for field in (b"version", b"3.3", b"type", FORMS[form]))
    if form == "foma":
        body = fst_to_foma(fst, where)
    elif form == "lookup":
        body = _lookup(*for_tool(fst, where))
    else:
        arrays, names = for_tool(fst, where)
        table = pywrapfst.SymbolTable("hfst")
        for name in names:
            table.add_symbol(name)
        body = arrays_to_fst(arrays).set_input_symbols(table).write_to_string()
    return MAGIC + _LENGTH.pack(len(start)) + start + body


def write_zhfst(
    path: Path | str, acceptor: bytes, errors: bytes, *, locale: str, title: str, description: str
) -> None:
    """A speller as ``hfst-ospell`` and LibreOffice's extensions take it."""
    info = {"locale": locale, "title": title, "description": description, "producer": "fstce"}
    entries = "".join(f"    <{name}>{escape(value)}</{name}>\n" for name, value in info.items())
    what = f"<title>{escape(title)}</title><description>{escape(description)}</description>"
    index = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<hfstspeller dtdversion="1.0" hfstversion="3">\n'
        f"  <info>\n{entries}  </info>\n"
        f'  <acceptor type="general" id="{ACCEPTOR}">{what}</acceptor>\n'
        f'  <errmodel id="{ERRORS}">{what}<type type="default"/><model>{ERRORS}</model></errmodel>\n'
        "</hfstspeller>\n"
    )
    _write_zip(path, {"index.xml": index.encode(), ACCEPTOR: acceptor, ERRORS: errors})


def write_zhfst_part(path: Path, name: str, part: bytes) -> None:
    """Put a machine in the place of a speller's acceptor or error model; what else it holds stays."""
    with _zip(content(path), str(path)) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    _write_zip(path, {**members, _member(members, name, str(path)): part})


def _write_zip(path: Path | str, members: Mapping[str, bytes]) -> None:
    with (
        replacing(path, MachineError) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def zhfst_member(data: bytes, where: str, name: str) -> bytes:
    """The bytes of a speller's acceptor or error model, or of another of the same sort."""
    with _zip(data, where) as archive:
        return archive.read(_member(archive.namelist(), name, where))


def _member(members: Collection[str], name: str, where: str) -> str:
    """The member of this name, else the first whose name begins alike."""
    kind = name.partition(".")[0]
    alike = [member for member in members if Path(member).name.startswith(kind)]
    if not alike:
        raise MachineError(f"{where}: holds no {kind}; a .zhfst has index.xml and two machines")
    return name if name in alike else alike[0]


@contextmanager
def _zip(data: bytes, where: str) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as error:
        raise MachineError(
            f"{where}: no zip archive of a speller ({error}); write it again"
        ) from None


# A flag diacritic (Beesley & Karttunen 2003, ch. 8): operation, feature, value, which may be empty.
FLAG = re.compile(r"@([PNRDCU])\.([^.]*)\.?(.*)@", re.DOTALL)


def lookup_to_fst(data: bytes, where: str) -> tuple[pynini.Fst, str]:
    """The machine of an optimized-lookup file, behind HFST's own header."""
    try:
        _, count, entries, arcs, _, _, weighted, *_ = _HEADER.unpack_from(data)
        *names, body = data[_HEADER.size :].split(b"\0", count)
        if len(names) < count:
            raise ValueError("symbols are missing")
        symbols = [name.decode() for name in names]
        index = np.frombuffer(body, _INDEX, entries)
        transitions = np.frombuffer(body, _WEIGHTED if weighted else _PLAIN, arcs, index.nbytes)
    except (struct.error, ValueError) as error:
        raise MachineError(f"{where}: damaged or cut off ({error}); write it again") from None
    cost = transitions["weight"] if weighted else np.zeros(len(transitions))
    try:
        arrays = _arrays(
            index, transitions, np.append(cost, cost.dtype.type(0.0)), count, bool(weighted)
        )
    except IndexError:
        raise MachineError(
            f"{where}: damaged: a state or a symbol is missing; write it again"
        ) from None
    return from_tool(arrays, enumerate((EPSILON, *symbols[1:])), where), "HFST optimized lookup"


def _arrays(
    index: NDArray[Any], table: NDArray[Any], cost: NDArray[Any], symbols: int, weighted: bool
) -> Arrays:
    """All states that a transition leads to, the start first, with their transitions.

    ``cost``: of each transition, and 0 behind them.
    """
    markers = np.flatnonzero(table["input"] == _NONE)
    places = np.unique(np.append(table["target"][table["input"] != _NONE], 0).astype(np.int64))
    inside = places >= _TABLE
    first = np.where(inside, places - _TABLE + 1, len(table))
    rows = places[~inside]
    for symbol in range(symbols):
        entry = np.minimum(rows + 1 + symbol, len(index) - 1)
        holds = index["symbol"][entry] == symbol
        target = np.where(holds, index["target"][entry].astype(np.int64) - _TABLE, len(table))
        first[~inside] = np.minimum(first[~inside], target)
    end = np.append(markers, len(table))[np.searchsorted(markers, first)]
    begin = np.minimum(first, end)
    size = end - begin
    arc, weight = table[ranges(begin, size)], cost[ranges(begin, size)]
    final = np.full(len(places), np.inf, dtype=np.float32)
    marker = places[inside] - _TABLE
    final[inside] = np.where(table["target"][marker] == 1, cost[marker], np.inf)
    row = index[rows]
    is_final = (row["symbol"] == _NONE) & (row["target"] != _NO_TARGET)
    ending = np.ascontiguousarray(row["target"]).view("<f4") if weighted else np.zeros(len(rows))
    final[~inside] = np.where(is_final, ending, np.inf)
    if max(arc["input"].max(initial=0), arc["output"].max(initial=0)) >= symbols:
        raise IndexError
    source = np.repeat(np.arange(len(places)), size)
    target = np.searchsorted(places, arc["target"].astype(np.int64))
    return Arrays(0, final, source, arc["input"], arc["output"], weight, target)


def _lookup(arrays: Arrays, names: Sequence[str]) -> bytes:
    """Such a file of a machine whose start is state 0, weighted, without HFST's own header."""
    states = len(arrays.final)
    # Symbols that are read stand before those that are only written.
    read = np.union1d(arrays.ilabel, [0])
    chosen = np.append(read, np.setdiff1d(np.arange(len(names)), read)).astype(np.int64)
    number = np.argsort(chosen)
    symbols = [EPSILON, *(names[i] for i in chosen.tolist()[1:])]
    ilabel, olabel = number[arrays.ilabel], number[arrays.olabel]
    kind = np.array(
        [0 if FLAG.fullmatch(symbol) else number for number, symbol in enumerate(symbols)]
    )
    order = np.lexsort((olabel, ilabel, kind[ilabel], arrays.source))
    columns = (arrays.source, ilabel, olabel, arrays.next)
    source, ilabel, olabel, target = (column[order].astype(np.int64) for column in columns)
    size = np.bincount(source, minlength=states)
    marker = np.arange(states) + np.cumsum(size) - size  # of each state, one before its transitions
    place = np.arange(len(source)) + source + 1
    key = source * len(symbols) + kind[ilabel]
    leads = np.flatnonzero(
        np.append(True, key[1:] != key[:-1])[: len(key)]
    )  # the first with its symbol
    several = np.bincount(source[leads], minlength=states) > 1
    several[0] = True  # the start is looked for at the place 0 of the index
    final = np.isfinite(arrays.final)
    row, entries = _packed(source[leads], kind[ilabel][leads], several, len(symbols))
    empty = np.array([(_NONE, _NONE, _NO_TARGET, np.inf)], _WEIGHTED)
    table = np.repeat(empty, len(source) + states + 1)
    table["target"][marker[final]], table["weight"][marker[final]] = 1, arrays.final[final]
    address = np.where(several, row, marker + _TABLE)
    table["input"][place], table["output"][place] = ilabel, olabel
    table["target"][place], table["weight"][place] = address[target], arrays.weight[order]
    index = np.repeat(np.array([(_NONE, _NO_TARGET)], _INDEX), entries)
    big = several & final
    index["target"][row[big]] = arrays.final[big].astype("<f4").view("<u4")
    mine = leads[several[source[leads]]]
    at = row[source[mine]] + 1 + kind[ilabel[mine]]
    index["symbol"][at], index["target"][at] = kind[ilabel[mine]], place[mine] + _TABLE
    inputs = int(ilabel.max(initial=0)) + 1
    flags = (1, 0, 0, 0, 1, 0, int((ilabel == 0).any()), 0, 0)
    head = _HEADER.pack(inputs, len(symbols), entries, len(table), states, len(source), *flags)
    text = b"".join(symbol.encode() + b"\0" for symbol in symbols)
    return head + text + index.tobytes() + table.tobytes()


def _packed(
    source: Ints, symbol: Ints, several: NDArray[np.bool_], symbols: int
) -> tuple[Ints, int]:
    """Places of states in the index, no entries of which meet: the widest first, each where it first fits."""
    row = np.zeros(len(several), dtype=np.int64)
    ends = np.searchsorted(source, np.arange(len(several) + 1))
    chosen = np.flatnonzero(several)
    widest = chosen[np.argsort(-np.diff(ends)[chosen], kind="stable")]
    taken = np.zeros(len(chosen) * (symbols + 1) + 2 * _WINDOW + symbols + 2, dtype=bool)
    low = 0
    for state in [0, *(number for number in widest.tolist() if number)]:  # the start at the place 0
        offsets = np.append(0, symbol[ends[state] : ends[state + 1]] + 1)
        places = low + np.arange(_WINDOW)
        while (meets := taken[places[:, None] + offsets].any(axis=1)).all():
            places += _WINDOW
        place = row[state] = places[np.argmin(meets)]
        taken[place + offsets] = True
        while taken[low] or place - low > 4 * _WINDOW:  # what is behind it is nearly full
            low += 1
    return row, int(max(row[chosen]) + symbols + 2)
