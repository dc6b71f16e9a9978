"""HFST's files: ``HFST\\0``, the header's length, names and values, then the machine as its type has it.

====================================  ====================================================
``TROPICAL_OPENFST`` ``LOG_OPENFST``  OpenFst's binary form, of one symbol table or two
``FOMA``                              foma's text (:mod:`fstce.machines.foma`)
``HFST_OL`` ``HFST_OLW``              optimized lookup (:mod:`fstce.machines.optimized_lookup`)
====================================  ====================================================
"""

from __future__ import annotations

import struct

from fstce.errors import MachineError
from fstce.machines.binary import BinaryReader
from fstce.machines.foma import foma_to_fst
from fstce.machines.image import arrays_to_fst
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.optimized_lookup import fst_to_lookup, lookup_to_fst
from fstce.machines.spelling import in_tools_numbers

MAGIC = b"HFST\0"
_LENGTH = struct.Struct("<Hx")
_OPENFST = {"TROPICAL_OPENFST", "LOG_OPENFST"}
_LOOKUP = {"HFST_OL", "HFST_OLW"}


def kind_of(data: bytes, where: str) -> str:
    """The type that the header names."""
    return _header(data, where)[0]


def _header(data: bytes, where: str) -> tuple[str, int]:
    """The type of a machine, and where its bytes begin."""
    if len(data) < len(MAGIC) + _LENGTH.size:
        raise MachineError(f"{where}: cut off; write it again")
    (length,) = _LENGTH.unpack_from(data, len(MAGIC))
    begin = len(MAGIC) + _LENGTH.size
    fields = data[begin : begin + length].decode("utf-8", "replace").split("\0")
    return dict(zip(fields[::2], fields[1::2], strict=False)).get("type", "unknown"), begin + length


def hfst_to_fst(data: bytes, where: str) -> pynini.Fst:
    """The machine in a file of HFST's, its symbols spelt as HFST does."""
    kind, begin = _header(data, where)
    body = data[begin:]
    if kind == "FOMA":
        return foma_to_fst(body, where)
    if kind in _LOOKUP:
        return lookup_to_fst(body, where)
    if kind not in _OPENFST:
        raise MachineError(
            f"{where}: an HFST machine of type {kind}; convert it with hfst-fst2txt, whose text is .att"
        )
    fst = BinaryReader(body, where).machine()
    fst.set_output_symbols(fst.output_symbols() or fst.input_symbols())
    return fst


def fst_to_hfst(fst: pynini.Fst, *, lookup: bool = False) -> bytes:
    """The bytes of HFST's file of a machine in HFST's spelling and with one table, of tropical weights.

    ``lookup``: whether for optimized lookup, as spellers are, or as OpenFst has it.
    """
    kind = b"HFST_OLW" if lookup else b"TROPICAL_OPENFST"
    header = b"".join(field + b"\0" for field in (b"version", b"3.3", b"type", kind))
    body = fst_to_lookup(fst) if lookup else _openfst(fst)
    return MAGIC + _LENGTH.pack(len(header)) + header + body


def _openfst(fst: pynini.Fst) -> bytes:
    arrays, names = in_tools_numbers(fst)
    table = pywrapfst.SymbolTable("hfst")
    for name in names:
        table.add_symbol(name)
    machine = arrays_to_fst(arrays)
    machine.set_input_symbols(table)
    return bytes(machine.write_to_string())
