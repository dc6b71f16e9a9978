"""From lattices to batches: labels, wildcards, packs, and what is refused."""

from __future__ import annotations

import mmap
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from chart_cases import MODEL, SYMBOLS, brute, compiled, lattice_of, nbytes, sentence, theta_of
from numpy.testing import assert_allclose, assert_array_equal

from fstce import neighborhood
from fstce.chart import DependencyModel, InsideOutside, best_trees, compile_charts
from fstce.errors import MachineError
from fstce.estimation.resources import Resources
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import SIGMA_ID, Symbols


def test_symbols_in_another_order_than_the_tagset() -> None:
    theta, words = theta_of(0), "VDN"
    other = Symbols(["X", "D", "N", "V"])
    ours = compiled([sentence(*words)])
    theirs = compile_charts([Lattice.of_sentence(list(words), other)], MODEL)
    assert_array_equal(ours.packs[0].tag, theirs.packs[0].tag)
    assert_array_equal(InsideOutside(ours)(theta).counts, InsideOutside(theirs)(theta).counts)


def test_equal_lattices_of_different_alphabets_are_one() -> None:
    other = Symbols(["D", "N", "V"])
    batch = compile_charts(
        [sentence(*"ND"), Lattice.of_sentence(["N", "D"], other), sentence("N")], MODEL
    )
    assert batch.index.tolist() == [0, 0, 1] and batch.n_distinct == 2


def test_weights_distinguish_lattices() -> None:
    arcs = [(0, 1, 0), (1, 2, 1)]
    weights = [None, [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    found = [lattice_of(3, arcs, {2: 0.0}, weight) for weight in weights]
    found.append(lattice_of(3, arcs, {2: 1.0}, [0.0, 0.0]))
    assert compiled(found).index.tolist() == [0, 0, 1, 2, 3]


def test_a_wildcard_is_every_tag_of_its_alphabet() -> None:
    label = np.array([SIGMA_ID, SYMBOLS.ids(["V"])[0], SIGMA_ID], dtype=np.int32)
    states = np.arange(4, dtype=np.int32)
    final = np.where(states < 2, np.inf, 0.0).astype(np.float32)
    arrays = Arrays(0, final, states[:-1], label, label, np.zeros(3, np.float32), states[1:])
    lattice = Lattice(arrays, SYMBOLS)
    theta = theta_of(1)
    batch = compiled([lattice])
    assert batch.packs[0].arc[:, 0].tolist() == [0, 0, 0, 1, 2, 2, 2]
    sums = InsideOutside(batch)(theta)
    assert sums.log_z[0] == pytest.approx(brute(lattice, theta).log_z, abs=1e-11)


def test_the_empty_string_counts_nothing() -> None:
    with_it = lattice_of(3, [(0, 1, 0), (1, 2, 1)], {0: 0.0, 2: 0.0})
    without = lattice_of(3, [(0, 1, 0), (1, 2, 1)], {2: 0.0})
    theta = theta_of(2)
    log_z = InsideOutside(compiled([with_it, without]))(theta).log_z
    assert log_z[0] == log_z[1]


def test_a_start_state_that_is_not_the_first() -> None:
    moved = lattice_of(4, [(0, 2, 2), (1, 2, 0), (2, 3, 1)], {3: 0.0})
    moved = Lattice(moved.arrays._replace(start=1), SYMBOLS)
    theta = theta_of(3)
    assert_allclose(
        InsideOutside(compiled([moved, sentence("N", "V")]))(theta).log_z, brute(moved, theta).log_z
    )


def test_packs_hold_every_lattice_once() -> None:
    sentences = [("N",) * n for n in (3, 1, 7, 2, 7, 5)]
    batch = compiled([sentence(*s) for s in sentences], pack_size=60)
    held = np.concatenate([pack.lattices for pack in batch.packs])
    assert sorted(held.tolist()) == list(range(5)) and len(batch.packs) > 2
    for pack in batch.packs:
        assert len(pack.lattices) == 1 or pack.graph.size < 120


def no_word(start: int = 0) -> Lattice:
    none = np.zeros(0, dtype=np.int32)
    return Lattice(
        Arrays(start, np.zeros(1), none, none, none, np.zeros(0), none), SYMBOLS, "sentence 7"
    )


def changed(**columns: list[int]) -> Lattice:
    arrays = lattice_of(3, [(0, 1, 0), (1, 2, 1)], {2: 0.0}).arrays
    return Lattice(
        arrays._replace(**{k: np.array(v, np.int32) for k, v in columns.items()}),
        SYMBOLS,
        "sentence 7",
    )


@pytest.mark.parametrize(
    ("lattice", "message"),
    [
        (no_word(), "no sentence with a word"),
        (no_word(-1), "no sentence with a word"),
        (lattice_of(3, [(0, 1, 0), (1, 2, 1)], {0: 0.0}), "no sentence with a word"),
        (changed(ilabel=[5, 0]), "ε"),
        (changed(next=[1, 0]), "cycle"),
        (changed(next=[1, 1]), "cycle"),
        (changed(source=[1, 0], next=[2, 1]), "topological order"),
    ],
)
def test_what_is_no_lattice(lattice: Lattice, message: str) -> None:
    with pytest.raises(MachineError, match=message) as caught:
        compiled([sentence("N"), lattice])
    assert str(caught.value).startswith(lattice.name)


def test_a_tag_that_the_grammar_lacks_is_named() -> None:
    lattice = neighborhood("trans1")(["N", "JJ"])
    with pytest.raises(MachineError, match="'JJ' is not among the grammar's 3 tags"):
        compile_charts([lattice], MODEL)


def test_a_chart_that_is_too_large_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fstce.chart.shape.HYPEREDGE_LIMIT", 10)
    with pytest.raises(MachineError, match=r"N V D N: .*hyperedges"):
        compiled([sentence("N"), sentence(*"NVDN")])


def test_packs_of_few_charts_have_the_sums_of_one() -> None:
    strings = ["".join(tags) for tags in product("NVD", repeat=4)]
    few, many = compiled([sentence(*s) for s in strings[:6]]), [sentence(*s) for s in strings]
    batch = compiled(many, pack_size=3 * few.size // 6)
    assert len(batch.packs) == 27
    theta = theta_of(4)
    assert_allclose(
        InsideOutside(batch)(theta).log_z, InsideOutside(compiled(many, 1))(theta).log_z
    )
    assert_allclose(
        InsideOutside(batch)(theta).log_z[:9], [brute(one, theta).log_z for one in many[:9]]
    )


def test_nothing_to_parse() -> None:
    with pytest.raises(MachineError, match="empty batch"):
        compile_charts([], DependencyModel("N"))


def test_the_first_tag_that_is_lacking_is_named() -> None:
    lattice = Lattice.of_sentence(["N", "JJ", "RB"], Symbols(["N", "JJ", "RB"]), "here")
    with pytest.raises(MachineError, match="here: 'JJ' is not among"):
        compile_charts([lattice], MODEL)


def test_beyond_the_budget_charts_are_mapped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = [sentence(*tags) for n in (3, 4, 5) for tags in list(product("NVD", repeat=n))[:20]]
    whole = compiled(found)
    monkeypatch.setattr("fstce.chart.compile.BLOCK", nbytes(whole) // 4)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    places = [Resources.of({"memory": size}) for size in ("99G", 1)]
    monkeypatch.setattr("fstce.chart.compile.PACK_SIZE", 300)
    batches = [compile_charts(found, MODEL, resources=place) for place in places]
    mapped = [
        isinstance(_owner(batch.packs[-1].graph.link_rows.left), mmap.mmap) for batch in batches
    ]
    assert mapped == [False, True] and not any(tmp_path.iterdir())  # the files have no names
    theta, coefficient = theta_of(1), np.arange(len(found), dtype=np.float64)
    in_memory, on_disk = (InsideOutside(batch)(theta, coefficient) for batch in batches)
    assert in_memory.counts.tobytes() == on_disk.counts.tobytes()
    assert_allclose(on_disk.log_z, InsideOutside(whole)(theta).log_z)
    assert_array_equal(best_trees(batches[1], theta).heads, best_trees(whole, theta).heads)


def _owner(array: np.ndarray) -> object:
    """What the memory of an array belongs to."""
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array


def test_an_alphabet_is_read_once_for_all_lattices_that_share_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With words as tags it has thousands, and each lattice but few."""
    lattices = [sentence(*"ND"), sentence(*"VDN"), sentence("N")]
    asked = []
    read = Symbols.__iter__
    monkeypatch.setattr(Symbols, "__iter__", lambda self: asked.append(1) or read(self))
    compile_charts(lattices, MODEL)
    assert len(asked) == 1
