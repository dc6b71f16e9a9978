"""Machines: the only seam to OpenFst. Everything else sees symbols, arrays and lattices.

============  ====================================================================
``symbols``   words as integers
``image``     machines as arrays and back, exactly, without a loop over arcs
``algebra``   composition, determinization, …: checked, bounded, with errors that say where
``lattice``   a finite set of sentences, of any number of them the minimal machine
``contract``  what every lattice promises, and the check
``files``     ``.fst`` and ``.far``, written whole, read with bounds by ``binary``
``text``      AT&T text, read by ``parse``
``convert``   the table of all formats, with ``hfst`` and ``foma``:
              any into another, each tool's ``spelling`` of ε
``analyser``  foma's and HFST's morphological analysers, asked word by word
``drawing``   ``.dot``, SVG and pictures, with ``sketch`` (what is shown) and ``layered``
              (where it stands)
============  ====================================================================
"""

from __future__ import annotations

from fstce.machines.contract import check_lattice, contract
from fstce.machines.drawing import simple_svg, to_dot, to_svg, write_drawing
from fstce.machines.files import far_key, read_far, read_fst, write_far, write_fst
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.machines.text import read_att, read_symbols, write_att, write_symbols

__all__ = [
    "Arrays",
    "Lattice",
    "Symbols",
    "arrays_to_fst",
    "check_lattice",
    "contract",
    "far_key",
    "fst_to_arrays",
    "read_att",
    "read_far",
    "read_fst",
    "read_symbols",
    "simple_svg",
    "to_dot",
    "to_svg",
    "write_att",
    "write_drawing",
    "write_far",
    "write_fst",
    "write_symbols",
]
