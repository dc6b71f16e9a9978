"""HFST's files: ``HFST\\0``, the header's length, names and values, then the machine as its type has it.

====================================  ==================================================================
``TROPICAL_OPENFST`` ``LOG_OPENFST``  OpenFst's binary form, of one symbol table or two
``FOMA``                              foma's text (:mod:`fstce.machines.foma`)
``HFST_OL`` ``HFST_OLW``              optimized lookup (:mod:`fstce.machines.optimized_lookup`)
====================================  ==================================================================

A speller (``.zhfst``) is a zip archive of ``index.xml``, an acceptor of words and an error model.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from fstce.errors import MachineError
from fstce.machines.binary import BinaryReader
from fstce.machines.files import replacing
from fstce.machines.foma import foma_to_fst, fst_to_foma
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.optimized_lookup import fst_to_lookup, lookup_to_fst
from fstce.machines.spelling import OTHER, in_tools_numbers

MAGIC = b"HFST\0"
_LENGTH = struct.Struct("<Hx")
# What is written, and by what name: the type of the header.
FORMS = {"openfst": b"TROPICAL_OPENFST", "foma": b"FOMA", "lookup": b"HFST_OLW"}
_OPENFST = {"TROPICAL_OPENFST", "LOG_OPENFST"}
_LOOKUP = {"HFST_OL", "HFST_OLW"}
ACCEPTOR, ERRORS = "acceptor.default.hfst", "errmodel.default.hfst"


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


def fst_to_hfst(fst: pynini.Fst, form: str = "openfst", where: str = "machine") -> bytes:
    """The bytes of HFST's file of a machine in HFST's spelling and with one table, of tropical weights.

    ``form``: a key of `FORMS`; spellers are for optimized ``lookup``.
    """
    header = b"".join(field + b"\0" for field in (b"version", b"3.3", b"type", FORMS[form]))
    if form == "foma":
        body = fst_to_foma(fst, where)
    else:
        body = fst_to_lookup(fst) if form == "lookup" else _openfst(fst)
    return MAGIC + _LENGTH.pack(len(header)) + header + body


def _openfst(fst: pynini.Fst) -> bytes:
    arrays, names = in_tools_numbers(fst)
    table = pywrapfst.SymbolTable("hfst")
    for name in names:
        table.add_symbol(name)
    machine = arrays_to_fst(arrays)
    machine.set_input_symbols(table)
    return bytes(machine.write_to_string())


def write_zhfst(path: Path | str, acceptor: bytes, errors: bytes, info: Mapping[str, str]) -> None:
    """A speller as ``hfst-ospell`` and LibreOffice's extensions take it.

    ``info``: locale, title, description, producer.
    """
    entries = "".join(f"    <{name}>{escape(value)}</{name}>\n" for name, value in info.items())
    what = f"<title>{escape(info['title'])}</title><description>{escape(info['description'])}</description>"
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
    with _zip(path.read_bytes(), str(path)) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    _write_zip(path, {**members, _member(members, name, str(path)): part})


def _write_zip(path: Path | str, members: Mapping[str, bytes]) -> None:
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
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
        raise MachineError(f"{where}: no zip archive of a speller ({error}); write it again") from None


def copying(fst: pynini.Fst) -> pynini.Fst:
    """The error model without an error: each symbol that a machine in HFST's spelling reads, as it is."""
    table = fst.input_symbols()
    none = [0, *(label for label, symbol in table if symbol == OTHER)]
    labels = np.setdiff1d(fst_to_arrays(fst).ilabel, none).astype(np.int32)
    loops = np.zeros(len(labels), dtype=np.int32)
    made = arrays_to_fst(Arrays(0, np.zeros(1), loops, labels, labels, np.zeros(len(labels)), loops))
    return made.set_input_symbols(table).set_output_symbols(table)
