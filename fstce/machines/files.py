"""Machines in files: ``.fst`` here, archives in ``far``, text in ``text``; this module has them all.

=====================  =========================================================================
``.fst``               one machine, its symbols inside: ``fstinfo``, ``fstprint``, ``fstdraw``
``.far``               many machines by key: ``farinfo``, ``farextract``
``.txt`` ``.syms``     a machine as lines of text, its words next to it: ``fstcompile``
=====================  =========================================================================

Every file is written whole or not at all, and verified when it is read.
"""

from __future__ import annotations

import struct
from pathlib import Path

from fstce.errors import MachineError
from fstce.machines.algebra import verified
from fstce.machines.atomic import content, existing, replacing
from fstce.machines.binary import BinaryReader
from fstce.machines.image import MAGIC
from fstce.machines.openfst import pynini, pywrapfst

FST_MAGIC = struct.pack("<i", MAGIC)


def write_fst(fst: pywrapfst.Fst, path: Path | str) -> None:
    """Write one machine in OpenFst's binary form, with its symbols where it has them.

    Raises
    ------
    MachineError
        The machine is unsound, or the path cannot be written.
    """
    machine = verified(fst, str(path))
    with replacing(path) as temporary:
        # Not by Fst.write, which says on standard error alone that a disk is full.
        temporary.write_bytes(machine.write_to_string())


def read_fst(path: Path | str) -> pynini.Fst:
    """Read one machine in OpenFst's binary form, whatever its bytes say: with bounds, and verified.

    A machine of arc type ``log`` becomes ``log64``, which holds its weights exactly.

    Raises
    ------
    MachineError
        There is no such file, or it is not a whole and sound machine of a known arc type.
    """
    path = existing(path)
    data = content(path)
    if not data.startswith(FST_MAGIC):
        raise MachineError(
            f"{path}: not an OpenFst machine; read AT&T text with read_att and a FAR with read_far"
        )
    return BinaryReader(data, str(path)).machine()
