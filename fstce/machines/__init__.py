"""Machines: the only seam to OpenFst. Everything else sees symbols, arrays and lattices."""

from __future__ import annotations

from fstce.machines.contract import check_lattice
from fstce.machines.convert import read_att, read_machine, write_att, write_machine
from fstce.machines.drawing import to_dot, to_svg, write_drawing
from fstce.machines.files import far_key, read_far, read_fst, write_far, write_fst
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays, machine_of
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.machines.text import read_symbols, write_symbols

__all__ = [
    "Arrays",
    "Lattice",
    "Symbols",
    "arrays_to_fst",
    "check_lattice",
    "far_key",
    "fst_to_arrays",
    "machine_of",
    "read_att",
    "read_far",
    "read_fst",
    "read_machine",
    "read_symbols",
    "to_dot",
    "to_svg",
    "write_att",
    "write_drawing",
    "write_far",
    "write_fst",
    "write_machine",
    "write_symbols",
]
