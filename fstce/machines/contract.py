"""The contract that every lattice signs, as rows of OpenFst's property bits.

Whoever takes a lattice may rely on it: acyclic, so that sums are finite; ε-free and
deterministic, so that a sentence has one path; minimal; in topological order, so that
one sweep over the states suffices.
"""

from __future__ import annotations

from collections.abc import Callable

from fstce.errors import MachineError
from fstce.machines.algebra import fault_of
from fstce.machines.openfst import has, pynini


def _weights_fit(fst: pynini.Fst) -> bool:
    return fst.arc_type() == "log64" or (fst.arc_type() == "standard" and has(fst, "UNWEIGHTED"))


def _is_minimal(fst: pynini.Fst) -> bool:
    """Minimization, which ends for acyclic deterministic machines, leaves the number of states."""
    small = has(fst, "I_DETERMINISTIC", "ACYCLIC")
    return small and bool(fst.copy().minimize().num_states() == fst.num_states())


# For each clause the property of OpenFst's or the function that tells, and what to say where it is
# broken.
CLAUSES: list[tuple[str | Callable[[pynini.Fst], bool], str]] = [
    (
        _weights_fit,
        "arc type 'standard' must be unweighted, a weighted lattice is 'log64'",
    ),
    (
        lambda fst: None not in (fst.input_symbols(), fst.output_symbols()),
        "no symbols attached; set input and output symbols",
    ),
    (
        lambda fst: fst.start() == 0,
        "the start is not state 0, or there is none; sort the states",
    ),
    ("ACCEPTOR", "an arc's input and output differ; project one side"),
    ("ACYCLIC", "it has a cycle, so it holds infinitely many sentences"),
    ("NO_EPSILONS", "it has an ε arc; remove ε"),
    ("I_DETERMINISTIC", "two arcs of a state share a word; determinize"),
    ("ACCESSIBLE", "a state cannot be reached from the start; connect"),
    ("COACCESSIBLE", "a state cannot reach a final state; connect"),
    ("TOP_SORTED", "states are not in topological order; sort them"),
    (_is_minimal, "two states accept the same endings; minimize"),
]


def first_broken(fst: pynini.Fst, *, sound: bool = False) -> str:
    """The reason why a machine, which may be known to be sound, is no lattice; else empty."""
    # First, for asking an unsound machine for its properties can crash the process.
    if not sound and fault_of(fst, "machine"):
        return "an arc or the start leads to no state, or a label has no symbol"

    for tells, broken in CLAUSES:
        holds = has(fst, tells) if isinstance(tells, str) else tells(fst)
        if not holds:
            return broken
    return ""


def check_lattice(fst: pynini.Fst, where: str) -> None:
    """Raise unless the machine is a lattice.

    Parameters
    ----------
    fst : pynini.Fst
        The machine.
    where : str
        Which machine it is, for the message.

    Raises
    ------
    MachineError
        A clause is broken; names the first.
    """
    if broken := first_broken(fst):
        raise MachineError(f"{where} is no lattice: {broken}")
