"""Random machines, every semiring, every question: against OpenFst and against enumeration.

`make thorough` (HYPOTHESIS_PROFILE) asks 10,000 machines, each as ``standard``, ``log`` and ``log64``.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pynini
import pytest
import pywrapfst
from oracles_semirings import Pair, Plain, drawn, plain

from fstce.inspection.strings import ALL, BEST, Row, strings, total
from fstce.machines.algebra import verified
from fstce.machines.image import arrays_to_fst, rows_to_arrays
from fstce.machines.reach import n_paths

MACHINES = 10_000 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 200
ARC_TYPES = ("standard", "log", "log64")
LONGEST = 6  # labels of a string of a cyclic machine whose sum is looked at
CLOSE = {"rel": 1e-4, "abs": 1e-4}


def pair(row: Row) -> Pair:
    return tuple(tuple(map(int, side.split())) for side in (row.reads, row.writes))  # type: ignore[return-value]


def check_paths(fst: pynini.Fst, truth: Plain, sums: dict[Pair, float] | None) -> None:
    """How many paths: by enumeration, and as OpenFst adds up ones."""
    if sums is None:
        assert n_paths(fst) is None
        return
    ones = pywrapfst.arcmap(
        pywrapfst.arcmap(fst.copy().connect(), map_type="rmweight"), map_type="to_log64"
    )
    openfst = (
        float(pywrapfst.shortestdistance(ones, reverse=True)[ones.start()])
        if truth.useful().final
        else np.inf
    )
    assert n_paths(fst) == len(truth.useful().paths()) == round(np.exp(-openfst))


def check_total(fst: pynini.Fst, truth: Plain) -> None:
    """All paths: by a linear system of probabilities or Bellman and Ford, and as OpenFst removes ε."""
    wanted = truth.total()
    assert total(fst) == pytest.approx(wanted, nan_ok=True, **CLOSE)
    if not np.isfinite(wanted):
        return
    silent = pynini.Fst.from_pywrapfst(fst).connect()
    pairs = [(label, 0) for label in range(1, 4)]
    silent = silent.relabel_pairs(pairs, pairs).rmepsilon(delta=1e-12)
    assert float(silent.final(silent.start())) == pytest.approx(wanted, **CLOSE)


def check_strings(fst: pynini.Fst, truth: Plain, sums: dict[Pair, float] | None) -> None:
    """Each string that is listed, whether all or the best are, and in which order."""
    paths = n_paths(fst)
    first = strings(fst, paths)
    for row in first.rows:
        if sums is None and ("…" in row.reads + row.writes or max(map(len, pair(row))) > LONGEST):
            continue
        wanted = sums[pair(row)] if sums is not None else truth.total_of(pair(row))
        assert row.weight == pytest.approx(wanted, nan_ok=True, **CLOSE)
    weights = [row.weight for row in first.rows]
    if sums is None:
        return
    if paths is not None and paths <= ALL:
        assert {pair(row) for row in first.rows} == set(sums)
    if "shortest" not in first.title and "of the best paths" not in first.title:
        assert len(weights) == len(sums) or len(weights) <= BEST
        assert weights == pytest.approx(sorted(sums.values())[: len(weights)], **CLOSE)
    if truth.useful().final and all(reads == writes for reads, writes in sums):
        check_openfst(fst, sums)


def check_openfst(fst: pynini.Fst, sums: dict[Pair, float]) -> None:
    """An acceptor's strings are the paths of what OpenFst determinizes."""
    alike = pynini.determinize(fst.copy().project("input").connect().rmepsilon())
    found = dict(plain(alike).paths())
    assert found.keys() == sums.keys()
    assert [found[one] for one in sums] == pytest.approx(list(sums.values()), **CLOSE)


def test_every_question_in_every_semiring() -> None:
    asked: Counter[str] = Counter()
    dense = MACHINES // 20  # and so many more, with more paths than are all listed
    for seed in range(MACHINES + dense):
        standard = drawn(seed) if seed < MACHINES else drawn(seed - MACHINES, arcs=4)
        for arc_type in ARC_TYPES:
            fst = verified(pynini.arcmap(standard, map_type=f"to_{arc_type}"), f"machine {seed}")
            truth = plain(fst)
            useful = truth.useful()
            sums: dict[Pair, float] | None = None
            if useful.acyclic():
                weights: dict[Pair, list[float]] = {}
                for string, weight in useful.paths() if useful.final else []:
                    weights.setdefault(string, []).append(weight)
                sums = {string: truth.plus(some) for string, some in weights.items()}
            try:
                check_paths(fst, truth, sums)
                check_total(fst, truth)
                check_strings(fst, truth, sums)
            except AssertionError as error:
                raise AssertionError(f"machine {seed}, {arc_type}: {error}") from error
            asked["acyclic" if sums is not None else "cyclic"] += 1
            asked["many"] += sums is not None and (n_paths(fst) or 0) > ALL
            asked["without a sum"] += bool(np.isnan(truth.total()))
    # Each kind of machine was among them
    assert min(asked.values()) > MACHINES / 100 and len(asked) == 4


def test_a_sum_of_many_states_is_that_of_few() -> None:
    """Copies of a small cyclic machine, from which the start chooses one, so that the sum is as large."""
    arcs = [(0, 1, 1, 1, 0.5), (1, 2, 2, 0, 1.0), (1, 3, 3, 2, 0.25), (2, 1, 1, 1, 2.0)]
    small = arrays_to_fst(rows_to_arrays(arcs, {2: 0.5}, 0), "log64")
    copies = 2_000
    many = [(0, 9, 9, 1 + 3 * i, float(np.log(copies))) for i in range(copies)]
    many += [
        (1 + 3 * i + source, read, write, 1 + 3 * i + target, weight)
        for i in range(copies)
        for source, read, write, target, weight in arcs
    ]
    ends = {3 + 3 * i: 0.5 for i in range(copies)}
    large = arrays_to_fst(rows_to_arrays(many, ends, 0), "log64")
    assert large.num_states() > 5_000
    assert total(large) == pytest.approx(total(small), abs=1e-9)
