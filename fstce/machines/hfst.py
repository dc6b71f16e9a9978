"""HFST's files: a header of names and values, then the machine as its type has it.

====================================  =======================================================
``TROPICAL_OPENFST`` ``LOG_OPENFST``  OpenFst's binary form, of one symbol table or two
``FOMA``                              foma's text (:mod:`fstce.machines.foma`)
``HFST_OL`` ``HFST_OLW``              optimized lookup, without weights and with
====================================  =======================================================

A speller (``.zhfst``) is a zip archive of ``index.xml``, an acceptor of words and an error model,
both for optimized lookup, as ``hfst-ospell`` and ``divvunspell`` run it:

=============  =================================================================================
header         counts of input symbols, symbols, entries of the index, entries of the
               transitions, states and arcs; nine flags, the first of which says that there are
               weights
symbols        UTF-8, each ended by NUL: ε, those that are read, the others
index          (symbol, target) for states that read several symbols. At a state's place stands
               its final weight; where it reads symbol s, entry ``place + 1 + s`` has s and its
               first transition
transitions    (input, output, target, weight), those of a state together, by symbol, ε and
               flags first; before them one without symbols says whether the state is final
=============  =================================================================================

A target from 2³¹ on is the place of a state among the transitions, another one in the index.
Integers are little-endian. Described by Silfverberg and Lindén (2009, HFST Runtime Format), found
out from files of ``hfst-fst2fst -w``.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.machines.binary import BinaryReader
from fstce.machines.flags import flag
from fstce.machines.foma import END as FOMA_END
from fstce.machines.foma import foma_machines
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.spelling import for_tool, from_tool
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Ints
from fstce.storage.atomic import LARGEST, replacing

MAGIC = b"HFST\0"
_LENGTH = struct.Struct("<Hx")
EPSILON = "@_EPSILON_SYMBOL_@"
_HEADER = struct.Struct("<HHIIII9I")
_NONE = 0xFFFF
_NO_TARGET = 0xFFFFFFFF
_TABLE = 1 << 31
_INDEX = np.dtype([("symbol", "<u2"), ("target", "<u4")])
_PLAIN = np.dtype([("input", "<u2"), ("output", "<u2"), ("target", "<u4")])
_WEIGHTED = np.dtype([*_PLAIN.descr, ("weight", "<f4")])
_WINDOW = 256  # places of the index that are tried at once
ACCEPTOR = "acceptor.default.hfst"
ERRORS = "errmodel.default.hfst"
_SPELLER = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<hfstspeller dtdversion="1.0" hfstversion="3">
  <info>
    <locale>{{locale}}</locale>
    <title>{{title}}</title>
    <description>{{description}}</description>
    <producer>fstce</producer>
  </info>
  <acceptor type="general" id="{ACCEPTOR}">
    <title>{{title}}</title><description>{{description}}</description>
  </acceptor>
  <errmodel id="{ERRORS}">
    <title>{{title}}</title><description>{{description}}</description>
    <type type="default"/><model>{ERRORS}</model>
  </errmodel>
</hfstspeller>
"""


def header(data: bytes, where: str) -> tuple[str, int]:
    """The type of a machine, and where its bytes begin."""
    begin = len(MAGIC) + _LENGTH.size
    if len(data) < begin:
        raise MachineError(f"{where}: cut off; write it again")
    (length,) = _LENGTH.unpack_from(data, len(MAGIC))
    end = begin + length
    _, _, behind = data[begin:end].decode("utf-8", "replace").partition("type\0")
    return behind.partition("\0")[0] or "unknown", end


def hfst_machines(data: bytes, where: str) -> tuple[list[pynini.Fst], str]:
    """The machines in a file of HFST's, and what the file says of the first."""
    machines = list[pynini.Fst]()
    form = ""
    while not machines or data.startswith(MAGIC):
        machine_type, begin = header(data, where)
        body = data[begin:]
        form = form or f"HFST {machine_type}"

        if machine_type == "FOMA":
            packed, mark, data = body.partition(FOMA_END)
            machines += foma_machines(packed + mark, where)
        elif machine_type.startswith("HFST_OL"):
            fst, size = lookup_to_fst(body, where)
            machines.append(fst)
            data = body[size:]
        elif machine_type.endswith("_OPENFST"):
            reader = BinaryReader(body, where)
            fst = reader.machine()
            symbols = fst.input_symbols() or ()
            machines.append(from_tool(fst_to_arrays(fst), symbols, "hfst", fst.arc_type()))
            data = body[reader.at :]
        else:
            raise MachineError(
                f"{where}: an HFST machine of type {machine_type}; convert it with hfst-fst2txt, "
                "whose text is .att"
            )
    if data:
        raise MachineError(
            f"{where}: damaged: {len(data):,} bytes behind its machines are none; write it again"
        )
    return machines, form


def fst_to_hfst(fst: pynini.Fst, where: str) -> bytes:
    """The bytes of HFST's file of OpenFst's machine, of tropical weights."""
    arrays, names = for_tool(fst, where)
    table = pywrapfst.SymbolTable("hfst")
    for name in names:
        table.add_symbol(name)
    body = arrays_to_fst(arrays).set_input_symbols(table).write_to_string()
    return _with_header(b"TROPICAL_OPENFST", body)


def fst_to_lookup(fst: pynini.Fst, where: str) -> bytes:
    """The bytes of HFST's file for optimized lookup, which spellers are made of."""
    return _with_header(b"HFST_OLW", _lookup(*for_tool(fst, where)))


def _with_header(machine_type: bytes, body: bytes) -> bytes:
    start = b"".join(field + b"\0" for field in (b"version", b"3.3", b"type", machine_type))
    return MAGIC + _LENGTH.pack(len(start)) + start + body


def write_zhfst(
    path: Path | str, acceptor: bytes, errors: bytes, *, locale: str, title: str, description: str
) -> None:
    """A speller as ``hfst-ospell`` and LibreOffice's extensions take it."""
    about = {"locale": locale, "title": title, "description": description}
    index = _SPELLER.format(**{name: escape(value) for name, value in about.items()})
    with (
        replacing(path, MachineError) as temporary,
        zipfile.ZipFile(temporary, "w") as archive,
    ):
        for name, data in {"index.xml": index.encode(), ACCEPTOR: acceptor, ERRORS: errors}.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def zhfst_member(data: bytes, where: str, name: str) -> bytes:
    """The bytes of a speller's acceptor or error model, or of another of the same sort."""
    part = name.partition(".")[0]
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            alike = [file for file in archive.namelist() if Path(file).name.startswith(part)]
            if not alike:
                raise ValueError(f"it holds no {part}")
            if sum(member.file_size for member in archive.infolist()) > LARGEST:
                raise ValueError(f"of more than {LARGEST:,} bytes")
            return archive.read(name if name in alike else alike[0])
    # Whatever a damaged archive makes of zipfile, which promises no error of its own.
    except Exception as error:
        raise MachineError(
            f"{where}: no speller, a zip archive of index.xml and two machines, or a damaged one "
            f"({error}); write it again"
        ) from None


def lookup_to_fst(data: bytes, where: str) -> tuple[pynini.Fst, int]:
    """The machine of an optimized-lookup file behind HFST's header, and its bytes."""
    try:
        _, count, entries, rows, _, _, weighted, *_ = _HEADER.unpack_from(data)
        *names, body = data[_HEADER.size :].split(b"\0", count)
        if len(names) < count:
            raise ValueError("symbols are missing")

        symbols = [name.decode() for name in names]
        index = np.frombuffer(body, _INDEX, entries)
        table = np.frombuffer(body, _WEIGHTED if weighted else _PLAIN, rows, index.nbytes)
        transitions = np.zeros(rows, _WEIGHTED)
        transitions[list(table.dtype.names or ())] = table
        arrays = LookupTable(index, transitions, count, bool(weighted)).arrays()
    except (struct.error, ValueError) as error:
        raise MachineError(f"{where}: damaged or cut off ({error}); write it again") from None
    except IndexError:
        raise MachineError(
            f"{where}: damaged: a state or a symbol is missing; write it again"
        ) from None

    size = len(data) - len(body) + index.nbytes + table.nbytes
    return from_tool(arrays, enumerate(symbols), "hfst"), size


class LookupTable(NamedTuple):
    """The two tables of an optimized-lookup file, and the number of its symbols."""

    pointers: NDArray[Any]
    transitions: NDArray[Any]
    symbols: int
    weighted: bool

    def arrays(self) -> Arrays:
        """All states that a transition leads to, the start first, with their transitions."""
        reads = self.transitions["input"] != _NONE
        targets = self.transitions["target"][reads].astype(np.int64)
        places = np.unique(np.append(targets, 0))
        begin, size = self._runs(places)
        if size.sum() > len(self.transitions):
            raise ValueError("states share transitions")

        chosen = ranges(begin, size)
        arc = self.transitions[chosen]
        if max(arc["input"].max(initial=0), arc["output"].max(initial=0)) >= self.symbols:
            raise IndexError
        source = np.repeat(np.arange(len(places)), size)
        target = np.searchsorted(places, arc["target"].astype(np.int64))
        labels = arc["input"], arc["output"]
        return Arrays(0, self._finals(places), source, *labels, arc["weight"], target)

    def _runs(self, places: Ints) -> tuple[Ints, Ints]:
        """Where the transitions of each state begin, and how many there are."""
        behind = len(self.transitions)
        in_index = places < _TABLE
        begin = np.where(in_index, behind, places - _TABLE + 1)

        # Entry ``place + 1 + s`` has the symbol s and the first transition of the state at `place`.
        entry = np.flatnonzero(self.pointers["symbol"] < self.symbols)
        row = entry - 1 - self.pointers["symbol"][entry]
        first = self.pointers["target"][entry].astype(np.int64) - _TABLE
        lowest = np.full(len(self.pointers), behind)
        np.minimum.at(lowest, row[row >= 0], first[row >= 0])
        begin[in_index] = lowest[places[in_index]]

        markers = np.flatnonzero(self.transitions["input"] == _NONE)
        if begin.min() < 0 or np.any(begin > behind):
            raise IndexError
        end = np.append(markers, behind)[np.searchsorted(markers, begin)]
        return np.minimum(begin, end), end - np.minimum(begin, end)

    def _finals(self, places: Ints) -> NDArray[np.float32]:
        """The final weight of each state, ``inf`` where it is not final."""
        final = np.full(len(places), np.inf, dtype=np.float32)
        in_index = places < _TABLE

        row = self.pointers[places[in_index]]
        is_final = (row["symbol"] == _NONE) & (row["target"] != _NO_TARGET)
        cost = np.zeros(len(row))
        if self.weighted:
            cost = np.ascontiguousarray(row["target"]).view("<f4")
        final[in_index] = np.where(is_final, cost, np.inf)

        marker = self.transitions[places[~in_index] - _TABLE]
        final[~in_index] = np.where(marker["target"] == 1, marker["weight"], np.inf)
        return final


def _lookup(arrays: Arrays, names: Sequence[str]) -> bytes:
    """The bytes of a machine whose start is state 0, weighted, without HFST's own header."""
    symbols, arrays = _read_first(arrays, names)
    # A flag is looked for where ε is.
    looked_for = np.array([0 if flag(name) else i for i, name in enumerate(symbols)])
    symbol = looked_for[arrays.ilabel]
    order = np.lexsort((arrays.olabel, arrays.ilabel, symbol, arrays.source))
    arrays = arrays.of_arcs(order)
    source = arrays.source.astype(np.int64)
    symbol = symbol[order]

    # The table has of each state a row without symbols, its marker, then its transitions.
    states = len(arrays.final)
    size = np.bincount(source, minlength=states)
    marker = np.arange(states) + np.cumsum(size) - size
    place = np.arange(len(source)) + source + 1

    # The index points to a state's first transition with each symbol, where it has several.
    key = source * len(symbols) + symbol
    leads = np.flatnonzero(np.diff(key, prepend=-1))
    is_indexed = np.bincount(source[leads], minlength=states) > 1
    is_indexed[0] = True  # the start is looked for at the place 0 of the index
    leads = leads[is_indexed[source[leads]]]
    row, entries = _packed(source[leads], symbol[leads], is_indexed, len(symbols))

    target = np.where(is_indexed, row, marker + _TABLE)
    table = _transitions(arrays, marker, place, target)
    index = np.repeat(np.array([(_NONE, _NO_TARGET)], _INDEX), entries)
    ends = is_indexed & np.isfinite(arrays.final)
    index["target"][row[ends]] = arrays.final[ends].astype("<f4").view("<u4")
    entry = row[source[leads]] + 1 + symbol[leads]
    index["symbol"][entry] = symbol[leads]
    index["target"][entry] = place[leads] + _TABLE

    inputs = int(arrays.ilabel.max(initial=0)) + 1
    flags = (1, 0, 0, 0, 1, 0, int((arrays.ilabel == 0).any()), 0, 0)
    head = _HEADER.pack(inputs, len(symbols), entries, len(table), states, len(source), *flags)
    text = b"".join(symbol.encode() + b"\0" for symbol in symbols)
    return head + text + index.tobytes() + table.tobytes()


def _transitions(arrays: Arrays, marker: Ints, place: Ints, target: Ints) -> NDArray[Any]:
    """The rows of states at their markers, and of arcs at their places, to states' targets."""
    empty = np.array([(_NONE, _NONE, _NO_TARGET, np.inf)], _WEIGHTED)
    table = np.repeat(empty, len(place) + len(marker) + 1)
    final = np.isfinite(arrays.final)
    table["target"][marker[final]] = 1
    table["weight"][marker[final]] = arrays.final[final]

    table["input"][place] = arrays.ilabel
    table["output"][place] = arrays.olabel
    table["target"][place] = target[arrays.next]
    table["weight"][place] = arrays.weight
    return table


def _read_first(arrays: Arrays, names: Sequence[str]) -> tuple[list[str], Arrays]:
    """The symbols, those that are read before those that are only written, and labels by them."""
    read = np.union1d(arrays.ilabel, [0])
    order = np.append(read, np.setdiff1d(np.arange(len(names)), read)).astype(np.int64)
    number = np.argsort(order)
    symbols = [EPSILON, *(names[i] for i in order.tolist()[1:])]
    return symbols, arrays._replace(ilabel=number[arrays.ilabel], olabel=number[arrays.olabel])


def _packed(
    source: Ints, symbol: Ints, several: NDArray[np.bool_], symbols: int
) -> tuple[Ints, int]:
    """Places of states in the index, no entries of which meet.

    The widest first, each where it first fits.
    """
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
