"""OpenFst's algebra, with errors that name the sentence, the machine and the operation.

OpenFst fails quietly: an empty composition is a machine without a start state, a
mismatched arc type is a word on standard error. Every operation here checks its
operands first and its result after, and bounds the number of states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fstce.errors import MachineError
from fstce.machines.binary import BinaryReader, unsound
from fstce.machines.foma import without_pyfoma
from fstce.machines.image import arrays_to_fst, fst_to_arrays, without_symbols
from fstce.machines.openfst import has, n_arcs, pynini, pywrapfst
from fstce.machines.reach import cycles
from fstce.numeric.types import Floats, Ints

STATE_LIMIT = 1_000_000
ARC_LIMIT = 10_000_000
ARC_TYPES = ("standard", "log64")
_LARGEST_RADIUS = 1 - 1e-5  # of cycles; beyond, OpenFst's sum over the rounds takes too long
_ROUNDING = 1e-9  # by which the weights of a round may miss 0
_MOST_STATES = 500  # on cycles, whose eigenvalues are computed; of more they are bounded
_ROUNDS = 1000  # that bound them; what is open then is taken for a cycle without a sum


def compose(
    left: pywrapfst.Fst, right: pywrapfst.Fst, where: str, limit: int = STATE_LIMIT
) -> pynini.Fst:
    """left ∘ right, trimmed; the left output or the right input must be sorted.

    ``left``, ``right``: machines of one arc type whose inner symbol tables agree, where both have
    one. ``where``: what is composed, for the message: ``"sentence 3 ∘ trans1"``. ``limit``: the
    number of states that the result may have.
    """
    check_arc_types(left, right, where)
    tables = left.output_symbols(), right.input_symbols()
    if None not in tables and tables[0].labeled_checksum() != tables[1].labeled_checksum():
        raise MachineError(f"{where}: the machines spell their labels with different symbol tables")
    return sound(lambda: pywrapfst.compose(left, right), "composition", where, limit)


def determinize(
    fst: pywrapfst.Fst, where: str, limit: int = STATE_LIMIT, small: bool = False
) -> pynini.Fst:
    """The equivalent machine with at most one arc a label and state.

    OpenFst's state threshold stops a construction that would not end. It has none for
    log64 weights: there the machine must be acyclic, and its words alone within the limit.
    With a threshold OpenFst prunes, which takes as long again: who knows that the result is
    `small` needs none.
    """
    if fst.arc_type() == "log64":
        if not has(fst, "ACYCLIC"):
            raise MachineError(
                f"{where}: a cycle with log64 weights may have no determinization; remove it"
            )
        words = pywrapfst.arcmap(pywrapfst.arcmap(fst, map_type="rmweight"), map_type="to_standard")
        determinize(words, where, limit, small)
        small = True

    threshold = {} if small else {"nstate": limit + 1}
    hint = ""
    if not has(fst, "ACCEPTOR"):
        hint = "; where a string has several outputs, optimize it instead"
    result = attempt(
        lambda: pywrapfst.determinize(fst, **threshold), "determinization", where, hint
    )
    return bounded(result, "determinization", where, limit)


def to_lattice(
    fst: pywrapfst.Fst, where: str, limit: int = STATE_LIMIT, small: bool = False
) -> pynini.Fst:
    """The output side of a machine as a lattice: project, remove ε, determinize, minimize, sort.

    `small` as in :func:`determinize`.
    """
    acceptor = _of_pynini(fst.copy())
    bounded(without_epsilon(acceptor.project("output"), where), "removal of ε", where, limit)
    if not has(acceptor, "ACYCLIC"):
        raise MachineError(
            f"{where}: the neighborhood has a cycle, so it is infinite and no lattice"
        )
    lattice = determinize(acceptor, where, limit, small)
    lattice.minimize()
    lattice.topsort()
    return nonempty(lattice, "determinization", where)


def without_epsilon(fst: pynini.Fst, where: str) -> pynini.Fst:
    """The machine itself, its arcs of ε:ε removed."""
    if has(fst, "NO_EPSILONS"):
        return fst.connect()
    plain = fst.arc_type() == "standard" and has(fst, "UNWEIGHTED")
    if not plain:
        check_cycles(fst, where, silent=True)
    return fst.rmepsilon()


def passable(fst: pynini.Fst) -> pynini.Fst:
    """The machine without arcs of weight Infinity, which are on no path; itself if it has none.

    OpenFst counts them as arcs: it lists their paths, and a determinization may never end.
    """
    arrays = fst_to_arrays(fst)
    ends = np.isfinite(arrays.weight)
    if ends.all():
        return fst
    bare = arrays_to_fst(arrays.of_arcs(np.flatnonzero(ends)), fst.arc_type())
    return bare.set_input_symbols(fst.input_symbols()).set_output_symbols(fst.output_symbols())


def check_cycles(fst: pywrapfst.Fst, where: str, *, silent: bool = False) -> None:
    """Raise where going round a cycle, if `silent` one of ε:ε, for ever makes a path better.

    A round's weight, −log in nats, may not be below 0 in ``standard``, where the best path counts;
    in ``log64``, where all rounds add up, Σₙ Aⁿ converges where the spectral radius of A, the
    probabilities of the arcs, is below 1.
    """
    arrays = fst_to_arrays(fst)
    if fst.arc_type() == "standard" and not np.any(arrays.weight < 0):
        return
    asked: Any = slice(None)
    cycle = "a cycle"
    if silent:
        asked = (arrays.ilabel == 0) & (arrays.olabel == 0)
        cycle = "a cycle of ε"
    source = arrays.source[asked]
    target = arrays.next[asked]
    weight = arrays.weight[asked]

    component, inside = cycles(arrays, asked)
    if fst.arc_type() == "standard":
        state = _on_negative_cycle(source[inside], target[inside], weight[inside].astype(float))
        if state is not None:
            raise MachineError(
                f"{where}: {cycle} at state {state} has a negative weight, so that each round is "
                "better and there is no best path; give it a weight of 0 or above"
            )
        return

    for number in np.unique(component[source[inside]]).tolist():
        arcs = inside & (component[source] == number)
        members = np.flatnonzero(component == number)
        if _diverges(members, source[arcs], target[arcs], weight[arcs].astype(float)):
            raise MachineError(
                f"{where}: {cycle} at state {members[0]} has a weight of 0 or below, or hardly "
                "above, so that "
                "its rounds have no finite sum; remove it, or give it a weight above 0"
            )


def _on_negative_cycle(source: Ints, target: Ints, weight: Floats) -> int | None:
    """A state that still gets nearer after as many rounds as there are states (Bellman–Ford)."""
    if not np.any(weight < 0):
        return None
    states, ends = np.unique(np.concatenate((source, target)), return_inverse=True)
    begin, end = np.split(ends, 2)
    least = np.minimum(weight, 0).sum() - _ROUNDING  # what no path without a cycle weighs

    distance = np.zeros(len(states))
    for _ in range(len(states) + 1):
        nearer = distance.copy()
        np.minimum.at(nearer, end, distance[begin] + weight)
        gets = np.flatnonzero(nearer < distance - _ROUNDING)
        if not len(gets):
            return None
        distance = nearer
        if distance.min() < least:
            break
    return int(states[gets[0]])


def _diverges(states: Ints, source: Ints, target: Ints, weight: Floats) -> bool:
    """Whether the spectral radius is too large.

    Of many states it lies between the least and the greatest (Ax)ᵢ / xᵢ of any x above 0 (Collatz
    1942), here of powers of A + I.
    """
    begin, end = np.searchsorted(states, source), np.searchsorted(states, target)
    probability = np.exp(-weight)
    if len(states) <= _MOST_STATES:
        matrix = np.zeros((len(states), len(states)))
        np.add.at(matrix, (begin, end), probability)
        return bool(np.max(np.abs(np.linalg.eigvals(matrix))) > _LARGEST_RADIUS)

    x = np.ones(len(states))
    for _ in range(_ROUNDS):
        after = np.bincount(begin, probability * x[end], len(states))
        ratio = after / x
        if ratio.max() < _LARGEST_RADIUS or ratio.min() > _LARGEST_RADIUS:
            return bool(ratio.min() > _LARGEST_RADIUS)
        x = (x + after) / (x + after).max()
    return True


def without_empty_string(lattice: pynini.Fst, where: str) -> pynini.Fst:
    """A deterministic lattice without ε among its strings; it stays minimal, being acyclic."""
    lattice.set_final(lattice.start(), pywrapfst.Weight.zero(lattice.weight_type()))
    return nonempty(lattice.connect(), "removal of the empty string", where)


def nonempty(fst: pywrapfst.Fst, operation: str, where: str) -> pynini.Fst:
    """The machine itself, as a pynini machine, if it accepts anything."""
    accepting = fst
    if fst.start() != pywrapfst.NO_STATE_ID and not has(fst, "COACCESSIBLE"):
        accepting = fst.copy().connect()
    if accepting.start() == pywrapfst.NO_STATE_ID:
        raise MachineError(f"{where}: the {operation} accepts nothing")
    return _of_pynini(fst)


def _of_pynini(fst: pywrapfst.Fst) -> pynini.Fst:
    """The machine itself if it is pynini's, else as one of pynini's."""
    if isinstance(fst, pynini.Fst):
        return fst
    return pynini.Fst.from_pywrapfst(fst)


def bounded(fst: pynini.Fst, operation: str, where: str, limit: int) -> pynini.Fst:
    """The machine itself if it has at most `limit` states and ten million arcs."""
    check_states(fst.num_states(), operation, where, limit)
    # A small machine has hardly so many arcs, and counting them takes time.
    if fst.num_states() ** 2 > ARC_LIMIT and n_arcs(fst) > ARC_LIMIT:
        raise MachineError(
            f"{where}: the {operation} needs more than {ARC_LIMIT:,} arcs; "
            "shorten the sentence or choose a smaller neighborhood"
        )
    return fst


def check_states(states: int, operation: str, where: str, limit: int = STATE_LIMIT) -> None:
    """Raise MachineError where a result has more states than it may, or would have."""
    if states > limit:
        raise MachineError(
            f"{where}: the {operation} needs more than {limit:,} states; "
            "raise the limit or take less"
        )


def verified(fst: Any, where: str) -> pynini.Fst:
    """The machine if OpenFst finds it sound: arcs end at states, labels have symbols.

    ``fst``: a machine of pynini, pywrapfst or pyfoma.
    """
    fst = without_pyfoma(fst, where)
    if not isinstance(fst, pywrapfst.Fst):
        raise MachineError(f"{where}: expected a machine, not {type(fst).__name__}")
    if fst.arc_type() == "log":
        fst = in_log(pynini.Fst.from_pywrapfst(fst))

    if fst.arc_type() not in ARC_TYPES:
        raise MachineError(f"{where}: arc type {fst.arc_type()!r}; use 'standard' or 'log64'")
    if fault := fault_of(fst, where):
        raise MachineError(f"{where}: the machine is unsound: {fault}")
    return _of_pynini(fst)


def fault_of(fst: pywrapfst.Fst, where: str) -> str:
    """Why a machine is unsound, empty where it is sound.

    OpenFst's verify() tells the terminal alone.
    """
    plain = pywrapfst.convert(without_symbols(fst), "vector")
    arrays, *_ = BinaryReader(plain.write_to_string(), where).parts()
    return unsound(arrays, fst.input_symbols(), fst.output_symbols())


def in_log(fst: pynini.Fst) -> pynini.Fst:
    """The machine in log64, in which the weights of paths add up as probabilities."""
    if fst.arc_type() == "log64":
        return fst
    return pynini.arcmap(fst, map_type="to_log64")


def unweighted(fst: pynini.Fst, where: str) -> pynini.Fst:
    """The machine itself if it has no weights.

    A neighborhood's weights would be lost on the way.
    """
    if not has(fst, "UNWEIGHTED"):
        raise MachineError(
            f"{where}: the machine has weights; a neighborhood is a set, so remove them, "
            "or declare WEIGHTED = True"
        )
    if fst.arc_type() == "standard":
        return fst
    return pynini.arcmap(fst, map_type="to_standard")


def check_arc_types(left: pywrapfst.Fst, right: pywrapfst.Fst, where: str) -> None:
    """Raise MachineError where weights are not of one kind."""
    if left.arc_type() != right.arc_type():
        raise MachineError(
            f"{where}: arc types {left.arc_type()!r} and {right.arc_type()!r} cannot be composed; "
            "convert one"
        )


def sound(
    operation: Callable[[], pywrapfst.Fst], name: str, where: str, limit: int = STATE_LIMIT
) -> pynini.Fst:
    """The result of an operation of OpenFst, if it accepts something and is not too large."""
    return bounded(nonempty(attempt(operation, name, where), name, where), name, where, limit)


def attempt(
    operation: Callable[[], pywrapfst.Fst], name: str, where: str, hint: str = ""
) -> pynini.Fst:
    """The result of an operation of OpenFst; MachineError where it refuses."""
    try:
        return _of_pynini(operation())
    except (pywrapfst.FstOpError, pywrapfst.FstArgError) as error:
        reason = hint or "; its reason is on standard error"
        raise MachineError(f"{where}: OpenFst refused the {name} ({error}){reason}") from None
