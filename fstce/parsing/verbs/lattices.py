"""Lattices over tags from machines in files, named for messages, their labels put in fstce's order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fstce.console.output import silenced
from fstce.errors import MachineError

if TYPE_CHECKING:
    import pynini

    from fstce.machines import Arrays
    from fstce.machines.lattice import Lattice
    from fstce.machines.symbols import Symbols

SUFFIXES = (".fst", ".far")
Named = tuple[str, "Lattice | MachineError"]


def read_lattices(path: Path) -> Iterator[Named]:
    """The lattices of a ``.fst`` or ``.far`` with their names; an error in the place of one that is none."""
    from fstce.machines.far import read_far
    from fstce.machines.files import read_fst

    with silenced():
        if path.suffix.lower() == ".fst":
            machines = {str(path): read_fst(path)}
        else:
            machines = {f"{path}, machine {key}": fst for key, fst in read_far(path).items()}
    for name, fst in machines.items():
        try:
            yield name, to_lattice(fst, name)
        except MachineError as error:
            yield name, error


def to_lattice(fst: pynini.Fst, name: str) -> Lattice:
    """A machine that keeps the contract as a lattice."""
    from fstce.corpora.words import RESERVED
    from fstce.machines import fst_to_arrays
    from fstce.machines.contract import check_lattice
    from fstce.machines.lattice import Lattice
    from fstce.machines.symbols import Symbols

    check_lattice(fst, name)
    spelt = dict(fst.input_symbols())
    symbols = Symbols(word for _, word in sorted(spelt.items()) if word not in RESERVED)
    return Lattice(_relabelled(fst_to_arrays(fst), spelt, symbols, name), symbols, name)


def _relabelled(arrays: Arrays, spelt: dict[int, str], symbols: Symbols, name: str) -> Arrays:
    """The arrays with labels that are ids of the symbols."""
    import numpy as np

    from fstce.machines.symbols import SIGMA, SIGMA_ID

    number = {SIGMA: SIGMA_ID, **dict(zip(symbols, symbols.labels, strict=True))}
    labels, inverse = np.unique(arrays.ilabel, return_inverse=True)
    words = [spelt[label] for label in labels.tolist()]
    for word in words:
        if word not in number:
            raise MachineError(f"{name}: the label {word!r} is a reserved symbol; a lattice has words only")
    column = np.array([number[word] for word in words], dtype=np.int32)[inverse]
    return arrays._replace(ilabel=column, olabel=column)
