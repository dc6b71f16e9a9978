"""What a machine accepts, in so many lines as a reader takes in: all of it, the best, the shortest.

A string's weight is the sum over its paths in the machine's own semiring: of the best one in
``standard`` (tropical), of all of them as probabilities in ``log64``. There the best strings are
known where the machine is an acyclic acceptor, which can be determinized; else the strings of the
best paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.algebra import check_cycles, determinize, without_epsilon
from fstce.machines.flags import allowed
from fstce.machines.image import chain, fst_to_arrays
from fstce.machines.openfst import has, pynini, pywrapfst
from fstce.machines.reach import paths_of
from fstce.machines.sketch import spelt

ALL = 60
BEST = 20
LONGEST = 60  # labels of a string that are shown
_MOST_STATES = 20_000  # of a determinized machine whose best strings are asked for
_SPARE = 3  # paths that are asked for in the place of one string, which may have several
# The labels that a path reads and writes, without ε.
_String = tuple[tuple[int, ...], tuple[int, ...]]


class Row(NamedTuple):
    """A string: what it reads, what it writes, its weight in −log nats.

    Nan where rounds of ε have no sum.
    """

    reads: str
    writes: str
    weight: float


class Strings(NamedTuple):
    """Some strings of a machine, and what they are of all."""

    title: str
    rows: list[Row]


def strings(fst: pynini.Fst, paths: int | None) -> Strings:
    """All strings where paths are few; else the best ones.

    Where all weigh the same the shortest are the best. ``paths``: how many paths it has; None where
    it has a cycle.

    >>> listed = strings(pynini.union("ab", "c").optimize(), 2)
    >>> listed.title, sorted(row.reads for row in listed.rows)
    ('all 2 strings', ['97 98', '99'])
    """
    useful = fst.copy().connect()
    if paths == 0 or useful.start() == pywrapfst.NO_STATE_ID:
        return Strings("no path: it accepts nothing", [])
    if paths is not None and paths <= ALL:
        rows = _rows(fst, _summed(useful, ALL))
        title = f"all {len(rows):,} strings"
        if len(rows) == 1:
            title = "its only string"
        return Strings(title, rows)

    # The rounds of a cycle below 0 nats would never end; length decides there, and where all weigh
    # the same.
    least = fst_to_arrays(useful).weight.min(initial=0.0)
    by_weight = not has(useful, "UNWEIGHTED") and (paths is not None or least >= 0)
    title, best_of = _to_rank(useful, by_weight)

    paths_of_best = _best_paths(best_of, _SPARE * BEST, by_weight)
    best = list(_summed(paths_of_best, _SPARE * BEST))[:BEST]
    weights = {string: _total(useful, string) for string in best}
    return Strings(title.format(len(best)), _rows(fst, weights, by_weight))


def _to_rank(fst: pynini.Fst, by_weight: bool) -> tuple[str, pynini.Fst]:
    """A title for the best strings, and the machine whose best paths they are."""
    if not by_weight:
        return "{} of the shortest strings", fst
    if fst.arc_type() != "log64":
        return "the {} best strings", fst

    with suppress(MachineError):
        if has(fst, "ACCEPTOR", "ACYCLIC"):
            plain = without_epsilon(fst.copy(), "strings")
            return "the {} best strings", determinize(plain, "strings", _MOST_STATES)
    return "{} strings of the best paths", fst


def _best_paths(fst: pynini.Fst, n: int, by_weight: bool) -> pynini.Fst:
    """A machine of the n best paths, by weight or by length."""
    tropical = pynini.arcmap(fst, map_type="to_standard")
    if not by_weight:
        one_each = pynini.arcmap(tropical, map_type="rmweight")
        tropical = pynini.arcmap(one_each, map_type="times", weight=1.0)
    return pynini.shortestpath(tropical, nshortest=n)


def _summed(fst: pynini.Fst, n: int) -> dict[_String, float]:
    """The strings of the first n paths of an acyclic machine, best first, with their sums."""
    weights: dict[_String, float] = {}
    plus = np.logaddexp if fst.arc_type() == "log64" else np.maximum
    for reads, writes, weight in islice(paths_of(fst), n):
        weights[reads, writes] = -float(plus(-weight, -weights.get((reads, writes), np.inf)))
    return dict(sorted(weights.items(), key=lambda item: item[1]))


def total(fst: pynini.Fst) -> float:
    """The sum over all paths, −log nats; nan where the rounds of a cycle have none."""
    useful = fst.copy().connect()
    if useful.start() == pywrapfst.NO_STATE_ID:
        return float("inf")
    arrays = fst_to_arrays(useful)
    try:
        check_cycles(useful, "machine")
    except MachineError:
        return float("nan")
    if useful.arc_type() == "standard" or has(useful, "ACYCLIC"):
        return float(pynini.shortestdistance(useful, reverse=True)[useful.start()])

    from scipy.sparse import csc_array, csr_array, identity  # waits with the next
    from scipy.sparse.linalg import spsolve  # takes .2 s, and few machines have cycles of these

    # start (I − A)⁻¹ final, of probabilities: OpenFst would go round the cycles, and stop too soon.
    states = len(arrays.final)
    matrix = csr_array(
        (np.exp(-arrays.weight), (arrays.source, arrays.next)), shape=(states, states)
    )
    ends = np.exp(-arrays.final)
    value = spsolve(csc_array(identity(states) - matrix), ends)[arrays.start]
    return -float(np.log(value)) if 0 < value < np.inf else float("nan")


def _total(fst: pynini.Fst, string: _String) -> float:
    """The sum over all paths of a string, −log nats.

    Nan where the rounds of a cycle of ε have none.
    """
    bare = fst.copy().set_input_symbols(None).set_output_symbols(None).arcsort("ilabel")
    reads, writes = (chain(np.array(side, dtype=np.int32), fst.arc_type()) for side in string)
    read = pynini.Fst.from_pywrapfst(pywrapfst.compose(reads, bare)).arcsort("olabel")
    return total(pynini.Fst.from_pywrapfst(pywrapfst.compose(read, writes)))


def _rows(fst: pynini.Fst, weights: dict[_String, float], ordered: bool = True) -> list[Row]:
    """The strings as they are shown, the lightest first."""
    inputs, outputs = fst.input_symbols(), fst.output_symbols()
    rows = []
    for (reads, writes), weight in weights.items():
        if allowed(spelt(reads, inputs)) and allowed(spelt(writes, outputs)):
            rows.append(Row(_shown(reads, inputs), _shown(writes, outputs), weight))

    if ordered:
        rows.sort(key=lambda row: row.weight)
    return rows


def _shown(labels: Sequence[int], table: pywrapfst.SymbolTableView | None) -> str:
    """The first labels of a string, and how many they are where that is not all."""
    text = " ".join(spelt(labels[:LONGEST], table))
    return text if len(labels) <= LONGEST else f"{text} … ({len(labels):,} labels)"
