"""The contract that every lattice signs, as rows of OpenFst's property bits.

Whoever takes a lattice may rely on it: acyclic, so that sums are finite; ε-free and
deterministic, so that a sentence has one path; minimal; in topological order, so that
one sweep over the states suffices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fstce.errors import MachineError
from fstce.machines.algebra import fault_of
from fstce.machines.foma import without_pyfoma
from fstce.machines.openfst import has, pynini


class Clause(NamedTuple):
    """One promise: its name, how to check it, and what to say where it is broken."""

    name: str
    holds: Callable[[pynini.Fst], bool]
    broken: str


def _has(bit: str) -> Callable[[pynini.Fst], bool]:
    return lambda fst: has(fst, bit)


def _weights_fit(fst: pynini.Fst) -> bool:
    return fst.arc_type() == "log64" or (fst.arc_type() == "standard" and has(fst, "UNWEIGHTED"))


def _has_symbols(fst: pynini.Fst) -> bool:
    return fst.input_symbols() is not None and fst.output_symbols() is not None


def _is_minimal(fst: pynini.Fst) -> bool:
    """Minimization, which ends for acyclic deterministic machines, leaves the number of states."""
    return has(fst, "I_DETERMINISTIC", "ACYCLIC") and bool(
        fst.copy().minimize().num_states() == fst.num_states()
    )


def _is_sound(fst: pynini.Fst) -> bool:
    return not fault_of(fst, "machine")


def _starts_at_0(fst: pynini.Fst) -> bool:
    return bool(fst.start() == 0)


# Soundness first: asking an unsound machine for its properties can crash the process.
CLAUSES = (
    Clause("sound", _is_sound, "an arc or the start leads to no state, or a label has no symbol"),
    Clause("arc type", _weights_fit, "arc type 'standard' must be unweighted, a weighted lattice is 'log64'"),
    Clause("symbols", _has_symbols, "no symbols attached; set input and output symbols"),
    Clause("start", _starts_at_0, "the start is not state 0, or there is none; sort the states"),
    Clause("acceptor", _has("ACCEPTOR"), "an arc's input and output differ; project one side"),
    Clause("acyclic", _has("ACYCLIC"), "it has a cycle, so it holds infinitely many sentences"),
    Clause("ε-free", _has("NO_EPSILONS"), "it has an ε arc; remove ε"),
    Clause("deterministic", _has("I_DETERMINISTIC"), "two arcs of a state share a word; determinize"),
    Clause("accessible", _has("ACCESSIBLE"), "a state cannot be reached from the start; connect"),
    Clause("coaccessible", _has("COACCESSIBLE"), "a state cannot reach a final state; connect"),
    Clause("top-sorted", _has("TOP_SORTED"), "states are not in topological order; sort them"),
    Clause("minimal", _is_minimal, "two states accept the same endings; minimize"),
)


def contract(fst: pynini.Fst) -> dict[str, bool]:
    """Each clause of the contract and whether the machine keeps it; an unsound machine keeps none.

    Parameters
    ----------
    fst : Fst
        Any machine of pynini or pyfoma.

    Returns
    -------
    dict of str to bool
        By the clause's name, in the order of checking.

    Examples
    --------
    >>> from fstce import neighborhood
    >>> all(contract(neighborhood("trans1")(["so", "it", "goes"]).to_fst()).values())
    True
    >>> contract(pynini.accep("abc"))["symbols"]
    False
    """
    fst = without_pyfoma(fst, "machine")
    sound = _is_sound(fst)
    return {clause.name: sound and clause.holds(fst) for clause in CLAUSES}


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
    for clause in CLAUSES:
        if not clause.holds(fst):
            raise MachineError(f"{where} is no lattice: {clause.broken}")
