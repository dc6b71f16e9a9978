"""The bridge between OpenFst and numpy: a machine as arrays, exactly, without a loop over arcs.

OpenFst writes a ``const`` machine as a header, the states (final weight, offset of the first arc,
counts) and the arcs (labels, weight, next state): what ``numpy.frombuffer`` reads. Weights are
−log, nats.
"""

from __future__ import annotations

import errno
import os
import struct
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.machines.openfst import pynini, pywrapfst
from fstce.numeric.types import Ints32
from fstce.processes.memory import SLACK, check_room
from fstce.storage.atomic import replacing, write_whole

MAGIC = 2125659606
_VERSION = 2
_SYMBOLS = 3  # the flags of symbol tables; beyond, arcs are aligned
_MANY = 1 << 14  # states of a machine that goes through a file: a string OpenFst copies twice
_EXPANDED = 1  # the one property that every const image asserts
NUMBERS = struct.Struct("<iiQqqq")  # version, flags, properties, start, states, arcs
_COUNTS = [("offset", "<u4"), ("arcs", "<u4"), ("iepsilons", "<u4"), ("oepsilons", "<u4")]
RECORDS = {
    "standard": (
        np.dtype([("final", "<f4"), *_COUNTS]),
        np.dtype([("ilabel", "<i4"), ("olabel", "<i4"), ("weight", "<f4"), ("next", "<i4")]),
    ),
    "log64": (
        np.dtype([("final", "<f8"), *_COUNTS]),
        np.dtype(
            [("ilabel", "<i4"), ("olabel", "<i4"), ("weight", "<f8"), ("next", "<i4")], align=True
        ),
    ),
}


class Arrays(NamedTuple):
    """A machine as arrays, arcs in order of their source state.

    Attributes
    ----------
    start : int
        The start state, −1 for the empty machine.
    final : ndarray, shape (states,)
        Final weights in −log; ``inf`` where a state is not final.
    source, ilabel, olabel, next : ndarray of int, shape (arcs,)
        Each arc's source state, labels and target state.
    weight : ndarray, shape (arcs,)
        Arc weights in −log.
    """

    start: int
    final: NDArray[np.floating[Any]]
    source: NDArray[np.integer[Any]]
    ilabel: NDArray[np.integer[Any]]
    olabel: NDArray[np.integer[Any]]
    weight: NDArray[np.floating[Any]]
    next: NDArray[np.integer[Any]]

    def raised(self, exponent: float) -> Arrays:
        """The weights, of arcs and final states, times the exponent: probabilities to its power."""
        if exponent == 1.0:
            return self
        final = self.final.copy()
        final[np.isfinite(final)] *= exponent
        return self._replace(final=final, weight=self.weight * exponent)

    def of_arcs(self, arcs: NDArray[Any]) -> Arrays:
        """The machine with these of its arcs, each as often as it is named."""
        columns: Any = (column[arcs] for column in self[2:])
        return Arrays(self.start, self.final, *columns)

    def by_state(self) -> list[list[tuple[int, int, float, int]]]:
        """For every state its arcs as (input, output, weight, target)."""
        arcs: list[list[tuple[int, int, float, int]]] = [[] for _ in self.final]
        columns = (self.source, self.ilabel, self.olabel, self.weight, self.next)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for source, reads, writes, weight, target in rows:
            arcs[source].append((reads, writes, weight, target))
        return arcs


def rows_to_arrays(
    arcs: Sequence[tuple[int, int, int, int, float]], finals: Mapping[int, float], start: int | None
) -> Arrays:
    """The machine of arcs (source, input, output, target, weight), its states by number.

    >>> rows_to_arrays([(3, 1, 2, 7, 0.5)], {7: 0.0}, 3).final.tolist()
    [inf, 0.0]
    """
    columns = np.array([row[:4] for row in arcs], dtype=np.int32).reshape(-1, 4).T
    source, reads, writes, target = columns
    named = [*finals] if start is None else [*finals, start]
    states = np.unique(np.concatenate((source, target, np.array(named, dtype=np.int32))))
    final = np.full(len(states), np.inf)
    final[np.searchsorted(states, [*finals])] = [*finals.values()]

    source, target = np.searchsorted(states, (source, target)).astype(np.int32)
    begin = -1 if start is None else int(np.searchsorted(states, start))
    weight = np.array([row[4] for row in arcs])
    return Arrays(begin, final, source, reads, writes, weight, target)


def fst_to_arrays(fst: pywrapfst.Fst) -> Arrays:
    """Read a machine's states and arcs into arrays.

    Raises
    ------
    MachineError
        The arc type is neither ``standard`` nor ``log64``, or the image is not as expected.

    Examples
    --------
    >>> import pynini
    >>> fst_to_arrays(pynini.accep("ab")).ilabel.tolist()
    [97, 98]
    """
    state_type, arc_type = _records(fst.arc_type())
    if fst.start() < 0:  # OpenFst crashes where arcs have no start and it knows no properties
        return by_counts(-1, np.zeros(0), np.zeros(0, dtype=int), np.zeros(0, arc_type))

    image = _image_of(fst)
    begin = _begin(fst.arc_type())
    version, flags, _, start, states, arcs = NUMBERS.unpack_from(image, len(begin))
    if not image.startswith(begin) or version != _VERSION or flags > _SYMBOLS:
        raise MachineError(
            f"OpenFst wrote a const image of another form, version {version}, flags {flags}"
        )

    body = len(image) - states * state_type.itemsize - arcs * arc_type.itemsize
    state = np.frombuffer(image, state_type, states, body)
    arc = np.frombuffer(image, arc_type, arcs, body + states * state_type.itemsize)
    return by_counts(start, state["final"], state["arcs"], arc)


def _image_of(fst: pywrapfst.Fst) -> bytes:
    """The bytes of the const machine; its symbols may stand in them, behind the header."""
    if isinstance(fst, pywrapfst.MutableFst) and fst.num_states() > _MANY:
        # There may be no room for a file, but a string is copied twice.
        with suppress(OSError), tempfile.NamedTemporaryFile(suffix=".fst") as file:
            pywrapfst.convert(fst, "const").write(file.name)
            return Path(file.name).read_bytes()
    return bytes(pywrapfst.convert(without_symbols(fst), "const").write_to_string())


def by_counts(start: int, final: NDArray[Any], counts: NDArray[Any], arc: NDArray[Any]) -> Arrays:
    """The machine of arcs as OpenFst writes them, so many of each state in turn."""
    source = np.repeat(np.arange(len(final), dtype=np.int32), counts)
    return Arrays(start, final, source, arc["ilabel"], arc["olabel"], arc["weight"], arc["next"])


def arrays_to_fst(arrays: Arrays, arc_type: str = "standard") -> pynini.Fst:
    """Build a machine from arrays; the way back from :func:`fst_to_arrays`.

    Raises
    ------
    MachineError
        A source, target or start state does not exist, or the arc type is unknown.
    """
    return pynini.Fst.from_pywrapfst(arrays_to_const(arrays, arc_type))


Columns = tuple[Any, Any, Any, Any]  # of a group of arcs: source, input, output, target


def machine_of(finals: Sequence[int], *arcs: Columns) -> pynini.Fst:
    """The transducer of groups of arcs, whose columns are arrays, or one number for the group.

    State 0 is the start, ``finals`` are final; what lies on no path between them is left out.

    >>> machine_of([1], (0, [5, 6], [6, 5], 1)).num_arcs(0)
    2
    """
    sizes = [np.broadcast(*group).size for group in arcs]
    source, ilabel, olabel, target = columns = np.empty((4, sum(sizes)), dtype=np.int32)
    begin = 0
    for group, size in zip(arcs, sizes, strict=True):
        for column, values in zip(columns, group, strict=True):
            column[begin : begin + size] = values
        begin += size

    final = np.full(1 + max(*finals, target.max(initial=0), source.max(initial=0)), np.inf)
    final[list(finals)] = 0.0
    weight = np.zeros(len(source), np.float32)
    return arrays_to_fst(Arrays(0, final, source, ilabel, olabel, weight, target)).connect()


def arrays_to_const(arrays: Arrays, arc_type: str = "standard") -> pywrapfst.Fst:
    """An immutable ``const`` machine of the arrays, cheaper where it is only read."""
    state_type, arc_dtype = _records(arc_type)
    arrays = _checked(arrays)
    state = np.zeros(len(arrays.final), state_type)
    state["final"] = arrays.final
    state["arcs"] = np.bincount(arrays.source, minlength=len(state))
    state["offset"] = np.cumsum(state["arcs"]) - state["arcs"]
    state["iepsilons"] = np.bincount(arrays.source[arrays.ilabel == 0], minlength=len(state))
    state["oepsilons"] = np.bincount(arrays.source[arrays.olabel == 0], minlength=len(state))

    arc = np.zeros(len(arrays.source), arc_dtype)
    for name in ("ilabel", "olabel", "weight", "next"):
        arc[name] = getattr(arrays, name)
    numbers = NUMBERS.pack(_VERSION, 0, _EXPANDED, arrays.start, len(state), len(arc))
    pieces: list[Any] = [_begin(arc_type), numbers, state, arc]
    if len(state) + len(arc) > _MANY:
        check_room(SLACK + 4 * (state.nbytes + arc.nbytes))
        with suppress(OSError), tempfile.NamedTemporaryFile(suffix=".fst") as file:
            file.writelines(pieces)
            file.flush()
            del state, arc, pieces[:]
            return pywrapfst.Fst.read(file.name)
    return pywrapfst.Fst.read_from_string(b"".join(pieces))


def write_image(fst: pynini.Fst, path: Path | str) -> None:
    """Write a machine that is known to be sound; a large one without an image of it in memory."""
    if fst.num_states() <= _MANY:
        # Not by Fst.write, which says on standard error, too, that a disk is full.
        write_whole(path, bytes(fst.write_to_string()), MachineError)
        return

    with replacing(path, MachineError) as temporary:
        try:
            fst.write(str(temporary))
        except pywrapfst.FstIOError:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None


def chain(labels: Ints32, arc_type: str = "standard") -> pynini.Fst:
    """The acceptor of one string of labels.

    >>> fst_to_arrays(chain(np.array([7, 5], dtype=np.int32))).next.tolist()
    [1, 2]
    """
    return pynini.accep("".join(f"[{label}]" for label in labels.tolist()), arc_type=arc_type)


def _begin(arc_type: str) -> bytes:
    """Magic number, FST type and arc type of a const image, each string behind its length."""
    return struct.pack(
        f"<ii5si{len(arc_type)}s", MAGIC, 5, b"const", len(arc_type), arc_type.encode()
    )


def _checked(arrays: Arrays) -> Arrays:
    """The arrays in order of source, every state number within range."""
    states = len(arrays.final)
    for name in ("source", "next"):
        column = getattr(arrays, name)
        if len(column) and (column.min() < 0 or column.max() >= states):
            raise MachineError(f"an arc's {name} state is outside the machine's {states} states")
    if not -1 <= arrays.start < max(states, 1):
        raise MachineError(
            f"the start state {arrays.start} is outside the machine's {states} states"
        )
    if np.all(arrays.source[1:] >= arrays.source[:-1]):
        return arrays

    return arrays.of_arcs(np.argsort(arrays.source, kind="stable"))


def _records(arc_type: str) -> tuple[np.dtype[Any], np.dtype[Any]]:
    try:
        return RECORDS[arc_type]
    except KeyError:
        raise MachineError(f"arc type {arc_type!r}: use 'standard' or 'log64'") from None


def relabeled(labels: NDArray[np.integer[Any]], new: Callable[[int], int]) -> Ints32:
    """The labels renumbered: `new` is asked once for each distinct one but ε, in their order."""
    used, place = np.unique(labels, return_inverse=True)
    return np.array([label and new(label) for label in used.tolist()], np.int32)[place.ravel()]


def without_symbols(fst: pywrapfst.Fst) -> pywrapfst.Fst:
    """The machine itself, or a copy of it that has no symbol tables."""
    if fst.input_symbols() is None and fst.output_symbols() is None:
        return fst
    return pynini.Fst.from_pywrapfst(fst).set_input_symbols(None).set_output_symbols(None)


def is_weight(field: str) -> bool:
    """Whether the field is a weight: a number in −log, or Infinity."""
    try:
        return field.isascii() and "_" not in field and float(field) > -np.inf
    except ValueError:
        return False
