"""OpenFst's files, written whole or not at all, and verified when they are read.

=====================  =========================================================================
``.fst``               one machine, its symbols inside: ``fstinfo``, ``fstprint``, ``fstdraw``
``.far``               many machines by key: ``farinfo``, ``farextract``. Of type ``sttable``:
                       magic number, version; each machine behind its key; where each begins,
                       and how many they are: what :func:`write_far` writes. Of type ``stlist``:
                       without the table, an empty key at the end. Of type ``fst``: one machine
                       alone, its key the name of the file
=====================  =========================================================================

All are read, with bounds (:mod:`fstce.machines.binary`). OpenFst drops, without a word,
whatever follows a key out of order; :func:`write_far` therefore demands order and counts
what it wrote.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from fstce.errors import MachineError
from fstce.machines.algebra import verified
from fstce.machines.binary import BinaryReader
from fstce.machines.image import MAGIC, write_image
from fstce.machines.openfst import pynini, pywrapfst
from fstce.storage import atomic
from fstce.storage.atomic import read_bytes

FST_MAGIC = struct.pack("<i", MAGIC)
_TABLE_MAGIC = struct.pack("<i", 2125656924)
_LIST_MAGIC = struct.pack("<i", 5656924)
FAR_MAGICS = (_TABLE_MAGIC, _LIST_MAGIC)


def existing(path: Path | str) -> Path:
    """The path itself if a file is there, else a MachineError that says what is."""
    path = Path(path)
    if path.is_dir():
        raise MachineError(f"{path}: is a folder; name a file in it")
    if not path.exists():
        raise MachineError(f"{path}: no such file; check the path")
    return path


def content(path: Path | str) -> bytes:
    """The bytes of a file.

    Raises MachineError for a device, and for a pipe into which nobody writes.
    """
    return read_bytes(existing(path), MachineError)


def write_fst(fst: pywrapfst.Fst, path: Path | str) -> None:
    """Write one machine in OpenFst's binary form, with its symbols where it has them.

    Parameters
    ----------
    fst : Fst
        The machine.
    path : Path or str
        The ``.fst`` file.

    Raises
    ------
    MachineError
        The machine is unsound, or the path cannot be written.
    """
    write_image(verified(fst, str(path)), path)


def read_fst(path: Path | str) -> pynini.Fst:
    """Read one machine in OpenFst's binary form, whatever its bytes say: with bounds, and verified.

    A machine of arc type ``log`` becomes ``log64``, which holds its weights exactly.

    Raises
    ------
    MachineError
        There is no such file, or it is not a whole and sound machine of a known arc type.
    """
    data = content(path)
    if not data.startswith(FST_MAGIC):
        raise MachineError(
            f"{path}: not an OpenFst machine; read other files with read_machine, a FAR with "
            "read_far"
        )
    return BinaryReader(data, str(path)).machine()


def write_far(
    fsts: Mapping[str, pywrapfst.Fst] | Iterable[tuple[str, pywrapfst.Fst]], path: Path | str
) -> None:
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
    if isinstance(fsts, Mapping):
        fsts = fsts.items()
    arc_type = previous = ""
    places = list[int]()

    # Not by pynini.Far, which says on standard error alone that a disk is full.
    with atomic.replacing(path, MachineError) as temporary, temporary.open("wb") as far:
        far.write(_TABLE_MAGIC + struct.pack("<i", 1))  # version 1
        for key, fst in fsts:
            where = f"{path}, machine {key}"
            fst = verified(fst, where)
            arc_type = arc_type or fst.arc_type()
            if key.encode() <= previous.encode():  # OpenFst compares keys as bytes
                raise MachineError(
                    f"{path}: the key {key!r} after {previous!r} is out of order; sort the keys, "
                    "and let none be empty"
                )
            if fst.arc_type() != arc_type:
                raise MachineError(
                    f"{where}: arc type {fst.arc_type()!r} among {arc_type!r}; convert it"
                )

            name = key.encode()
            places.append(far.tell())
            far.write(struct.pack("<i", len(name)) + name + fst.write_to_string())
            previous = key
        if not places:
            raise MachineError(f"{path}: there is no machine to write")
        far.write(_contents(places))


def read_far(path: Path | str) -> dict[str, pynini.Fst]:
    """The machines of a FAR by key, each sound; those of arc type ``log`` as ``log64``.

    Raises
    ------
    MachineError
        There is no such file, it is not a whole FAR, or a machine in it is damaged; names it.
    """
    return machines_in(content(path), Path(path))


def machines_in(data: bytes, path: Path) -> dict[str, pynini.Fst]:
    """The machines by key in the bytes of a FAR, which messages call by its path."""
    reader = BinaryReader(data, str(path))
    if data.startswith(FST_MAGIC):
        return {path.name: reader.machine()}
    if not data.startswith(FAR_MAGICS):
        raise MachineError(
            f"{path}: cut off, empty, or no FAR of type sttable or stlist; write it again"
        )

    listed = data.startswith(_LIST_MAGIC)
    machines = dict[str, pynini.Fst]()
    begins = list[int]()
    reader.at = 8
    while listed or len(data) - reader.at > 8 * (len(begins) + 2):
        begins.append(reader.at)
        key = reader.string()
        if listed and not key:
            break
        if key in machines:
            raise MachineError(f"{path}: the key {key!r} stands twice; write it again")
        reader.where = f"{path}, machine {key}"
        machines[key] = reader.machine()
    if not machines or (not listed and data[reader.at :] != _contents(begins)):
        raise MachineError(
            f"{path}: the FAR is cut off, its table damaged, or it is empty; write it again"
        )
    return machines


def far_key(i: int, total: int) -> str:
    """The key of machine i of `total`, from 0, padded so that keys sort as numbers do.

    Examples
    --------
    >>> far_key(7, 1000), far_key(999, 1000)
    ('007', '999')
    """
    if not 0 <= i < total:
        raise MachineError(f"machine {i} of {total} cannot have a key; count from 0 to {total - 1}")
    return str(i).zfill(len(str(total - 1)))


def _contents(begins: Sequence[int]) -> bytes:
    """The table of contents: how many machines, where each begins, how many."""
    return struct.pack(f"<{len(begins) + 2}q", len(begins), *begins, len(begins))
