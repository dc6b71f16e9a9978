"""OpenFst's binary files, read with bounds: a damaged one is an error with a place, never a crash.

OpenFst believes what a file says of itself, how many arcs a state has or where a machine of an
archive begins, and aborts or reads beyond the end where one byte is wrong. So the bytes are
read here, and OpenFst is handed a machine that is known to be sound.

====================  ==========================================================================
a machine             magic number, FST type, arc type, version, flags, properties, start,
                      counts of states and arcs; symbol tables as the flags say; then
``vector``            for each state its final weight, the count of its arcs, its arcs
``const``             all states (see :mod:`fstce.machines.image`), then all arcs
``compact_…``         rewritten as a vector by OpenFst, in a process of its own
a symbol table        magic number, name, next free id, count; for each symbol its text, its id
====================  ==========================================================================

Integers are little-endian, strings have their length in four bytes before them.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.machines.image import (
    MAGIC,
    NUMBERS,
    RECORDS,
    Arrays,
    arrays_to_const,
    by_counts,
)
from fstce.machines.openfst import pynini, pywrapfst
from fstce.numeric.kernels import without_repeats

# How an arc type's weights lie in a file, and the arc type in which fstce goes on with them.
WEIGHTS = {"standard": ("<f4", "standard"), "log": ("<f4", "log64"), "log64": ("<f8", "log64")}
_SYMBOLS_MAGIC = 2125658996
_ISYMBOLS = 1  # flags
_OSYMBOLS = 2
_ALIGNED = 4
_ALIGNMENT = 16
_LARGEST = 2**30  # bytes that a packed file may hold


def inflated(data: bytes, where: str) -> bytes:
    """The bytes that a file holds, packed by gzip or not.

    Raises MachineError where they are too many.
    """
    unpacked = bytearray()
    try:
        while data.startswith(b"\x1f\x8b"):  # a file may be several, one behind the other
            inflater = zlib.decompressobj(wbits=31)
            unpacked += inflater.decompress(data, _LARGEST - len(unpacked))
            if not inflater.eof:
                raise MachineError(
                    f"{where}: cut off, or of more than {_LARGEST:,} bytes; write it again"
                )
            data = inflater.unused_data

    except zlib.error as error:
        raise MachineError(f"{where}: damaged: gzip says {error}; write it again") from None
    return bytes(unpacked) or data


class BinaryReader:
    """The bytes of a file of machines, and how far they are read."""

    def __init__(self, data: bytes, where: str) -> None:
        self.data: bytes = data
        self.where = where
        self.at: int = 0
        self.form: str = ""  # what the last machine said of itself: ``vector, arcs log``
        # The last two, for an archive repeats them for each machine: they are not read again.
        self._tables: list[tuple[bytes, pywrapfst.SymbolTable]] = []

    def numbers(self, layout: struct.Struct) -> tuple[Any, ...]:
        """The next numbers; raises MachineError where the file ends before."""
        try:
            numbers = layout.unpack_from(self.data, self.at)
        except struct.error:
            raise MachineError(f"{self.where}: cut off; write it again") from None
        self.at += layout.size
        return numbers

    def string(self) -> str:
        """The next string."""
        (size,) = self.numbers(_INT)
        if not 0 <= size <= len(self.data) - self.at:
            raise self.damaged(f"a string of {size:,} bytes")
        text = self.data[self.at : self.at + size]
        self.at += size
        try:
            return text.decode()
        except UnicodeDecodeError:
            raise self.damaged(f"the symbol or name {text[:40]!r} is not UTF-8 text") from None

    def machine(self) -> pynini.Fst:
        """The next machine, of weights ``standard`` or ``log64``, with its symbols."""
        arrays, arc_type, tables = self.parts()
        if fault := unsound(arrays, *tables):
            raise self.damaged(fault)

        # A large machine has no need to lie beside its file and its arrays.
        if self.at == len(self.data):
            self.data = b""
        const = arrays_to_const(arrays, arc_type)
        del arrays
        fst = pynini.Fst.from_pywrapfst(const)
        return fst.set_input_symbols(tables[0]).set_output_symbols(tables[1])

    def parts(self) -> tuple[Arrays, str, list[pywrapfst.SymbolTable | None]]:
        """States and arcs, sound or not, the arc type that fstce uses, and the symbol tables."""
        begin = self.at
        (magic,) = self.numbers(_INT)
        if magic != MAGIC:
            raise self.damaged("no machine begins where one should")
        fst_type = self.string()
        arc_type = self.string()
        self.form = f"{fst_type}, arcs {arc_type}"
        version, flags, _, start, states, arcs = self.numbers(NUMBERS)

        if arc_type not in WEIGHTS:
            raise MachineError(f"{self.where}: arc type {arc_type!r}; use {', '.join(WEIGHTS)}")
        tables = [self._table() if flags & bit else None for bit in (_ISYMBOLS, _OSYMBOLS)]

        weight, read_as = WEIGHTS[arc_type]
        aligned = bool(flags & _ALIGNED) or version == 1
        if fst_type == "vector":
            arrays = self._vector(start, states, np.dtype(weight))
        elif fst_type == "const":
            arrays = self._const(start, states, arcs, arc_type, aligned)
        elif begin or not fst_type.startswith("compact"):
            raise MachineError(
                f"{self.where}: FST type {fst_type!r}; rewrite it with fstconvert --fst_type=vector"
            )
        else:
            from fstce.processes.apart import apart  # takes .03 s, which few files need

            self.at = len(self.data)
            vector = apart(lambda: _as_vector(self.data, self.where), self.where)
            return BinaryReader(vector, self.where).parts()
        return arrays, read_as, tables

    def _vector(self, start: int, states: int, weight: np.dtype[Any]) -> Arrays:
        """States one behind the other; a count of −1 means that they go on to the end."""
        arc = np.dtype([("ilabel", "<i4"), ("olabel", "<i4"), ("weight", weight), ("next", "<i4")])
        head = np.dtype([("final", weight), ("arcs", "<i8")])
        self._check_count(states, head.itemsize, "states")

        # All of it is words of four bytes.
        size, step = head.itemsize // 4, arc.itemsize // 4
        words = memoryview(self.data)[self.at :]
        words = words[: len(words) // 4 * 4].cast("I")
        count_of = words[weight.itemsize // 4 :]
        latest = len(words) - size
        begins = list[int]()
        end = 0
        while end <= latest and len(begins) != states:
            begins.append(end)
            end += size + step * count_of[end]

        of_heads = np.add.outer(np.array(begins, dtype=np.int64), np.arange(size))
        records = np.frombuffer(words, np.uint32)
        heads = records[of_heads].view(head)[:, 0]
        counts = heads["arcs"]
        wrong = np.flatnonzero((counts < 0) | (counts > (latest - of_heads[:, 0]) // step))
        if len(wrong):
            raise self.damaged(f"it promises {counts[wrong[0]]:,} arcs of state {wrong[0]}")
        if len(begins) < states:
            raise MachineError(f"{self.where}: cut off; write it again")

        self.at += 4 * end
        arcs = np.delete(records[:end], of_heads).view(arc)
        return by_counts(start, heads["final"], counts, arcs)

    def _const(self, start: int, states: int, arcs: int, arc_type: str, aligned: bool) -> Arrays:
        """All states, then all arcs, of which each state says where its own begin."""
        state_type, arc_dtype = RECORDS.get(arc_type, RECORDS["standard"])
        state = self._records(state_type, states, "states", aligned)
        arc = self._records(arc_dtype, arcs, "arcs", aligned)
        counts = state["arcs"].astype(np.int64)
        begins = state["offset"].astype(np.int64)
        if counts.sum() != arcs or np.any((begins != np.cumsum(counts) - counts) & (counts > 0)):
            raise self.damaged("the states' counts of arcs do not add up")
        return by_counts(start, state["final"], counts, arc)

    def _table(self) -> pywrapfst.SymbolTable:
        for image, table in self._tables:
            if self.data.startswith(image, self.at):
                self.at += len(image)
                return table

        begin = self.at
        (magic,) = self.numbers(_INT)
        if magic != _SYMBOLS_MAGIC:
            raise self.damaged("no symbol table begins where one should")
        table = pywrapfst.SymbolTable(self.string())
        _, size = self.numbers(_TWO_LONGS)
        self._check_count(size, 12, "symbols", least=0)

        seen = set[str]()
        for _ in range(size):
            symbol = self.string()
            (label,) = self.numbers(_LONG)
            if symbol in seen or table.member(label) or label == pywrapfst.NO_LABEL:
                raise self.damaged(
                    f"the symbol {symbol!r} or its id {label} is wrong or stands twice"
                )
            # An id below 0 is on no arc; what comes behind the largest could be on none.
            if label >= 2**31 - 1:
                raise MachineError(
                    f"{self.where}: the symbol {symbol!r} has the id {label}, and labels of arcs "
                    f"are below {2**31 - 1}; renumber the symbols"
                )
            seen.add(symbol)
            table.add_symbol(symbol, label)

        self._tables = [*self._tables[-1:], (self.data[begin : self.at], table)]
        return table

    def _check_count(self, count: int, size: int, things: str, least: int = -1) -> None:
        """Raise where the rest of the file cannot hold so many records of so many bytes."""
        if not least <= count <= (len(self.data) - self.at) // size:
            raise self.damaged(f"it promises {count:,} {things}")

    def _records(
        self, layout: np.dtype[Any], count: int, things: str, aligned: bool
    ) -> NDArray[Any]:
        """The next records of a file, perhaps from the next multiple of 16 bytes on."""
        if aligned:
            self.at += -self.at % _ALIGNMENT
        self._check_count(count, layout.itemsize, things, least=0)
        records = np.frombuffer(self.data, layout, count, self.at)
        self.at += records.nbytes
        return records

    def damaged(self, fault: str) -> MachineError:
        """The error of a file that is not what it says."""
        return MachineError(f"{self.where}: damaged: {fault}; write it again")


_INT = struct.Struct("<i")
_LONG = struct.Struct("<q")
_TWO_LONGS = struct.Struct("<qq")


def _as_vector(data: bytes, where: str) -> bytes:
    """A compact machine as a vector, by OpenFst, which may end its process over a damaged one."""
    try:
        fst = pywrapfst.convert(pywrapfst.Fst.read_from_string(data), "vector")
    except pywrapfst.FstIOError as error:
        raise MachineError(
            f"{where}: damaged: OpenFst cannot read it ({error}); write it again"
        ) from None
    return bytes(fst.write_to_string())


def unsound(
    arrays: Arrays,
    isymbols: pywrapfst.SymbolTableView | None = None,
    osymbols: pywrapfst.SymbolTableView | None = None,
) -> str:
    """The fault of a machine, as OpenFst's verify() would tell; empty where nothing is.

    Id 0 is ε without a symbol, too: OpenFst's union and closure put it where a table has none.

    >>> from fstce.machines.image import fst_to_arrays
    >>> one = fst_to_arrays(pynini.accep("a"))
    >>> unsound(one), unsound(one._replace(start=7))
    ('', 'the start leads to no state')
    """
    states = len(arrays.final)
    if not -1 <= arrays.start < states:
        return "the start leads to no state"

    astray = np.flatnonzero((arrays.next < 0) | (arrays.next >= states))
    if len(astray):
        source = arrays.source[astray[0]]
        return f"an arc of state {source} leads to no state ({arrays.next[astray[0]]})"
    if not all(np.all(weight > -np.inf) for weight in (arrays.final, arrays.weight)):
        return "a weight is no number in −log"

    sides: Any = ((arrays.ilabel, isymbols), (arrays.olabel, osymbols))
    for labels, table in sides:
        used = without_repeats(labels)
        if len(used) and used[0] < 0:
            return f"the label {used[0]} is below 0"
        if table is None:
            continue
        missing = [label for label in used.tolist() if label and not table.member(label)]
        if missing:
            return f"the label {missing[0]} has no symbol"
    return ""
