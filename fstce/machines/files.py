"""Machines in files: ``.fst`` here, archives in ``far``, text in ``text``; this module has them all.

=====================  =========================================================================
``.fst``               one machine, its symbols inside: ``fstinfo``, ``fstprint``, ``fstdraw``
``.far``               many machines by key: ``farinfo``, ``farextract``
``.txt`` ``.syms``     a machine as lines of text, its words beside it: ``fstcompile``
=====================  =========================================================================

Every file is written whole or not at all, and verified when it is read.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pynini
import pywrapfst

from fstce.errors import MachineError
from fstce.machines.algebra import verified
from fstce.machines.atomic import existing, replacing
from fstce.machines.far import far_key, read_far, write_far
from fstce.machines.text import read_att, read_symbols, write_att, write_symbols

__all__ = [
    "far_key",
    "read_att",
    "read_far",
    "read_fst",
    "read_symbols",
    "write_att",
    "write_far",
    "write_fst",
    "write_symbols",
]

_FST_MAGIC = struct.pack("<i", 2125659606)
_FEWEST_BYTES_A_STATE = 12  # a final weight of 4 bytes and a count of arcs of 8


def write_fst(fst: pywrapfst.Fst, path: Path | str) -> None:
    """Write one machine in OpenFst's binary form, with its symbols where it has them.

    Raises
    ------
    MachineError
        The machine is unsound, or the path cannot be written.
    """
    machine = verified(fst, str(path))
    with replacing(path) as temporary:
        _attempt_write(machine, temporary)


def read_fst(path: Path | str) -> pynini.Fst:
    """Read one machine in OpenFst's binary form and verify it.

    Raises
    ------
    MachineError
        There is no such file, or it is not a whole and sound machine of a known arc type.
    """
    path = existing(path)
    _check_header(path)
    try:
        fst = pywrapfst.Fst.read(os.fspath(path))
    except pywrapfst.FstIOError:
        raise MachineError(
            f"{path}: cut off, or not a machine that OpenFst can read; write it again"
        ) from None
    return verified(pywrapfst.convert(fst, "vector"), str(path))


def _check_header(path: Path) -> None:
    """Refuse a file whose header promises more states than its bytes can hold; OpenFst would crash on it."""
    with path.open("rb") as file:
        head = file.read(512)
    if not head.startswith(_FST_MAGIC):
        raise MachineError(
            f"{path}: not an OpenFst machine; read AT&T text with read_att and a FAR with read_far"
        )
    try:
        (states,) = struct.unpack_from("<q", head, _states_offset(head))
    except struct.error:
        raise MachineError(f"{path}: cut off within its header; write it again") from None
    if states * _FEWEST_BYTES_A_STATE > path.stat().st_size:
        raise MachineError(f"{path}: damaged: its header promises {states:,} states; write it again")


def _states_offset(head: bytes) -> int:
    """Behind the magic number: two strings, version, flags, properties, start."""
    at = len(_FST_MAGIC)
    for _ in range(2):
        at += 4 + struct.unpack_from("<I", head, at)[0]
    return at + 4 + 4 + 8 + 8


def _attempt_write(fst: pywrapfst.Fst, temporary: Path) -> None:
    try:
        fst.write(os.fspath(temporary))
    except pywrapfst.FstIOError as error:
        raise OSError(str(error)) from None
