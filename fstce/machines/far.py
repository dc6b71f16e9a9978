"""Many machines in one file: OpenFst archives (FAR) of the type ``sttable``.

``farinfo`` and ``farextract`` read them. OpenFst drops, without a word, whatever follows a
key out of order; :func:`write_far` therefore demands order and counts what it wrote.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise
from pathlib import Path

import pynini
import pywrapfst

from fstce.errors import MachineError
from fstce.machines.algebra import ARC_TYPES, verified
from fstce.machines.atomic import existing, replacing

_FAR_MAGIC = struct.pack("<i", 2125656924)
Keyed = tuple[str, pywrapfst.Fst]


def write_far(fsts: Mapping[str, pywrapfst.Fst] | Iterable[Keyed], path: Path | str) -> None:
    """Write many machines of one arc type as a FAR, and count them afterwards.

    Parameters
    ----------
    fsts : mapping or iterable of pairs
        Machines by key; the keys in strictly ascending order, as :func:`far_key` makes them.
    path : Path or str
        The ``.far`` file.

    Raises
    ------
    MachineError
        There is no machine, a key is out of order or empty, arc types differ, a machine is
        unsound, or the path cannot be written.
    """
    pairs = iter(fsts.items() if isinstance(fsts, Mapping) else fsts)
    first = next(pairs, None)
    if first is None:
        raise MachineError(f"{path}: there is no machine to write")
    arc_type = _known(first[1].arc_type(), f"{path}, machine {first[0]}")
    with replacing(path) as temporary:
        written = _write_pairs(arc_type, chain([first], pairs), temporary, str(path))
        found = len(_far_positions(temporary))
        if found != written:
            raise MachineError(f"{path}: OpenFst kept {found} of {written} machines; is the disk full?")


def read_far(path: Path | str) -> dict[str, pynini.Fst]:
    """The machines of a FAR by key, each verified.

    Raises
    ------
    MachineError
        There is no such file, it is not a whole FAR, or a machine in it is unsound.
    """
    path = existing(path)
    _far_positions(path)
    try:
        return {key: verified(fst, f"{path}, machine {key}") for key, fst in _far_items(path)}
    except (pywrapfst.FstIOError, pywrapfst.FstOpError):
        raise MachineError(f"{path}: cut off, or not a FAR that OpenFst can read; write it again") from None


def far_key(i: int, total: int) -> str:
    """The key of machine i of `total`, counted from 0, padded with zeros so that keys sort as numbers do.

    Examples
    --------
    >>> far_key(7, 1000), far_key(999, 1000)
    ('007', '999')
    """
    if not 0 <= i < total:
        raise MachineError(f"machine {i} of {total} cannot have a key; count from 0 to {total - 1}")
    return str(i).zfill(len(str(total - 1)))


def _write_pairs(arc_type: str, pairs: Iterable[Keyed], temporary: Path, where: str) -> int:
    """Add the machines to a new FAR; how many there were."""
    previous, written = "", 0
    with pynini.Far(os.fspath(temporary), mode="w", arc_type=arc_type, far_type="sttable") as far:
        for key, fst in pairs:
            _check_key(key, previous, where)
            if fst.arc_type() != arc_type:
                found = f"arc type {fst.arc_type()!r} among {arc_type!r}"
                raise MachineError(f"{where}, machine {key}: {found}; convert it")
            far[key] = verified(fst, f"{where}, machine {key}")
            previous, written = key, written + 1
    return written


def _check_key(key: str, previous: str, where: str) -> None:
    if not key:
        raise MachineError(f"{where}: a machine has an empty key; name it, for example with far_key")
    # OpenFst compares keys as bytes.
    if previous and key.encode() <= previous.encode():
        raise MachineError(f"{where}: the key {key!r} after {previous!r} is out of order; sort the keys")


def _far_items(path: Path) -> Iterator[Keyed]:
    reader = pywrapfst.FarReader.open(os.fspath(path))
    while not reader.done():
        yield reader.get_key(), reader.get_fst()
        reader.next()


def _far_positions(path: Path) -> tuple[int, ...]:
    """Where the machines of a FAR begin, from its last bytes; OpenFst would trust them and may crash."""
    image = path.read_bytes()
    (count,) = struct.unpack("<q", image[-8:]) if len(image) >= 16 else (-1,)
    table = len(image) - 8 * (count + 1)
    if not image.startswith(_FAR_MAGIC) or not 1 <= count <= len(image) // 8 or table < 8:
        raise MachineError(f"{path}: cut off, empty, or not a FAR of type sttable; write it again")
    positions = struct.unpack(f"<{count}q", image[table:-8])
    if any(left >= right for left, right in pairwise((0, *positions, table))):
        raise MachineError(f"{path}: the FAR's table of contents is damaged; write it again")
    return positions


def _known(arc_type: str, where: str) -> str:
    if arc_type not in ARC_TYPES:
        raise MachineError(f"{where}: arc type {arc_type!r}; use 'standard' or 'log64'")
    return arc_type
