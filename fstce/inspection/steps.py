"""What OpenFst makes of a machine step by step: from each machine, what each step gives, or why
nothing.

A transducer is determinized and minimized over its pairs of labels: determinizing its input alone
need not end, and no bound on the states stops it. Pushing and minimizing sum over cycles, so their
weights are looked at first.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

import numpy as np

from fstce.errors import MachineError
from fstce.machines.algebra import check_cycles, determinize, without_epsilon
from fstce.machines.image import fst_to_arrays, without_symbols
from fstce.machines.openfst import has, pynini, pywrapfst

STATE_LIMIT = 5_000  # of a determinized machine
ROOM = 40_000  # arcs and states of all machines of a page
MOST = 48  # machines of a page: those of all pairs of steps, and more
_LARGEST_RADIUS = 0.999  # of the rounds of cycles that OpenFst adds up one by one
_DIGITS = 4  # of weights that are the same


def steps(fst: pynini.Fst) -> tuple[list[pynini.Fst], list[list[int | str]]]:
    """The machines that steps make of one, as long as there is room.

    First without turning it round, then once, … Returns machines, the first that with which it
    began, and for each of them what every step of `STEPS` gives: the number of a machine, or why
    there is none.

    >>> machines, following = steps(pynini.union("ab", "ac"))
    >>> without_epsilon = following[0][0]
    >>> machines[0].num_states(), machines[without_epsilon].num_states()
    (6, 5)
    """
    machines = [fst]
    number = {_identity(fst): 0}
    room = ROOM - _size(fst)
    following: dict[int, list[int | str]] = {}
    waiting = [(0, 0)]  # how often turned round, and the machine's number
    while waiting:
        turns, at = heappop(waiting)
        row = following[at] = []
        for name, step in STEPS.items():
            try:
                result = step(machines[at].copy())
            except MachineError as error:
                row.append(str(error))
                continue

            identity = _identity(result)
            if identity not in number and len(machines) < MOST and _size(result) <= room:
                room -= _size(result)
                number[identity] = len(machines)
                heappush(waiting, (turns + (name == "reverse"), len(machines)))
                machines.append(result)
            no_room = f"{name}: this page has no room for one more machine"
            row.append(number.get(identity, no_room))
    return machines, [following[at] for at in range(len(machines))]


def _identity(fst: pynini.Fst) -> bytes:
    """Bytes that are alike where machines differ in the order of arcs and states alone."""
    arrays = fst_to_arrays(fst)
    n_states = len(arrays.final)
    weight = arrays.weight.round(_DIGITS)
    sort = np.lexsort((arrays.next, weight, arrays.olabel, arrays.ilabel, arrays.source))
    source, target = arrays.source[sort], arrays.next[sort]

    # Breadth first from the start, then what cannot be reached
    begins = np.searchsorted(source, np.arange(n_states + 1)).tolist()
    targets = target.tolist()
    order = [arrays.start] if n_states else []
    reached = set(order)
    for state in order:  # which grows meanwhile
        following = dict.fromkeys(targets[begins[state] : begins[state + 1]])
        order += [target for target in following if target not in reached]
        reached.update(following)
    order += [state for state in range(n_states) if state not in reached]

    rank = np.argsort(order)
    arcs = np.stack(
        (rank[source], arrays.ilabel[sort], arrays.olabel[sort], weight[sort], rank[target])
    )
    arcs = arcs[:, np.argsort(arcs[0], kind="stable")] + 0.0  # −0 is 0
    return arcs.tobytes() + (arrays.final[order].round(_DIGITS) + 0.0).tobytes()


def _size(fst: pynini.Fst) -> int:
    """States and arcs."""
    return int(fst.num_states()) + sum(map(fst.num_arcs, fst.states()))


def _minimized(fst: pynini.Fst) -> pynini.Fst:
    """The machine minimized, if it is deterministic and its weights can be pushed."""
    if not has(fst, "I_DETERMINISTIC"):
        raise MachineError("minimize: two arcs of a state are alike; determinize first")
    return _checked(fst, "minimize").minimize()


def _checked(fst: pynini.Fst, where: str) -> pynini.Fst:
    """The machine, if the rounds of its cycles have a sum that OpenFst comes to."""
    check_cycles(fst_to_arrays(fst), fst.arc_type(), where, largest=_LARGEST_RADIUS)
    return fst


def _over_pairs(fst: pynini.Fst, operation: Callable[[pynini.Fst], pynini.Fst]) -> pynini.Fst:
    """The operation applied to the acceptor that reads the machine's pairs of labels."""
    if has(fst, "ACCEPTOR"):
        return operation(fst)

    mapper = pywrapfst.EncodeMapper(fst.arc_type(), True)
    pairs = without_symbols(fst.copy()).encode(mapper)
    result = operation(pairs).decode(mapper)
    return result.set_input_symbols(fst.input_symbols()).set_output_symbols(fst.output_symbols())


def _determinized(pairs: pynini.Fst) -> pynini.Fst:
    """The acceptor determinized, of a bounded number of states."""
    return determinize(pairs, "determinize", STATE_LIMIT)


STEPS: dict[str, Callable[[pynini.Fst], pynini.Fst]] = {
    "remove ε": lambda fst: without_epsilon(fst, "remove ε"),
    "determinize": lambda fst: _over_pairs(fst, _determinized),
    "minimize": lambda fst: _over_pairs(fst, _minimized),
    "push": lambda fst: _checked(fst, "push").push(),
    "connect": lambda fst: fst.connect(),
    "reverse": lambda fst: pynini.Fst.from_pywrapfst(
        pywrapfst.reverse(fst, require_superinitial=False)
    ),
}
