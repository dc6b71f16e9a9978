"""The packed forest: what is shared, and that nothing else is lost."""

from __future__ import annotations

import numpy as np
import pytest
from oracles_latent import sentences

from fstce.corpora import sample
from fstce.latent.training.tree_insideoutside import Forest, ForestStep, compile_forest
from fstce.latent.training.treebank import TreebankArrays, read_treebank


@pytest.fixture(scope="module")
def treebank() -> TreebankArrays:
    return read_treebank(sample())


@pytest.fixture(scope="module", params=[True, False])
def forest(request, treebank: TreebankArrays) -> Forest:
    return compile_forest(treebank, request.param)


def test_equal_subtrees_are_one_node() -> None:
    trees = ["(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT the) (NN dog))))"] * 3
    treebank = read_treebank(sentences(*trees))
    forest = compile_forest(treebank)
    assert forest.n_rows.tolist() == [1] * len(treebank.symbols)
    counts = {treebank.symbols[i]: c.tolist() for i, c in enumerate(forest.multiplicity)}
    assert counts == {"ROOT": [3], "DT": [6], "NN": [6], "NP": [6], "S": [3], "VBZ": [3], "VP": [3]}
    # A shared noun phrase has two parents, the sentence and the verb phrase.
    assert forest.n_edges[treebank.symbols.index("NP")] == 2


def test_nothing_is_shared_in_the_plain_forest(treebank: TreebankArrays) -> None:
    plain = compile_forest(treebank, shared=False)
    assert plain.n_rows.tolist() == np.bincount(treebank.symbol).tolist()
    assert all((count == 1).all() for count in plain.multiplicity)
    assert all(step.edge_starts is None for step in plain.steps if step.parent)


def test_multiplicities_count_all_nodes(treebank: TreebankArrays, forest: Forest) -> None:
    sums = [int(count.sum()) for count in forest.multiplicity]
    assert sums == np.bincount(treebank.symbol).tolist()


def test_steps_cover_all_rows_and_edges_once(treebank: TreebankArrays, forest: Forest) -> None:
    tags = set(treebank.tags.tolist())
    rows = [np.zeros(n, dtype=int) for n in forest.n_rows]
    edges = [np.zeros(n, dtype=int) for n in forest.n_edges]
    for step in forest.steps:
        rows[step.parent][step.rows] += 1
        edges[step.left][step.left_edges] += 1
        if step.right >= 0:
            edges[step.right][step.right_edges] += 1
    for symbol, (seen, sent) in enumerate(zip(rows, edges, strict=True)):
        assert (seen == (symbol not in tags)).all() and (sent == 1).all()


def test_children_come_before_parents(treebank: TreebankArrays, forest: Forest) -> None:
    tags = set(treebank.tags.tolist())
    ready = [np.full(n, symbol in tags) for symbol, n in enumerate(forest.n_rows)]
    for step in forest.steps:
        assert ready[step.left][step.left_rows].all()
        assert step.right < 0 or ready[step.right][step.right_rows].all()
        ready[step.parent][step.rows] = True


def test_edges_lead_back_to_their_rows(treebank: TreebankArrays, forest: Forest) -> None:
    owner = [np.full(n, -1) for n in forest.n_edges]
    for step in forest.steps:
        owner[step.left][step.left_edges] = step.left_rows
        if step.right >= 0:
            owner[step.right][step.right_edges] = step.right_rows
    for found in owner:
        assert (np.diff(found) >= 0).all()
    for step in forest.steps:
        starts = (
            np.arange(step.rows.stop - step.rows.start)
            if step.edge_starts is None
            else step.edge_starts
        )
        if step.parent:
            begin = step.edges.start
            assert owner[step.parent][begin + starts].tolist() == list(
                range(step.rows.start, step.rows.stop)
            )
    for tag, units, starts in zip(treebank.tags, forest.units, forest.unit_edges, strict=True):
        assert owner[tag][starts[:-1]].tolist() == list(range(len(units)))


def together(steps: list[ForestStep], name: str) -> list[int]:
    """The rows or edges of steps, in the order of their parents' rows."""
    ordered = sorted(steps, key=lambda step: step.rows.start)
    return np.concatenate([getattr(step, name) for step in ordered]).tolist()


def test_blocks_are_the_steps_of_one_rule_together(forest: Forest) -> None:
    for rule in {step.rule for step in forest.steps}:
        steps, blocks = (
            [s for s in found if s.rule == rule] for found in (forest.steps, forest.blocks)
        )
        assert len(blocks) <= len(steps)
        for name in ("left_rows", "right_rows", "left_edges", "right_edges"):
            assert together(steps, name) == together(blocks, name)


@pytest.mark.parametrize("shared", [True, False])
def test_steps_and_blocks_are_short(treebank: TreebankArrays, shared: bool, monkeypatch) -> None:
    monkeypatch.setattr("fstce.latent.training.tree_insideoutside.ROWS", 7)
    short = compile_forest(treebank, shared)
    assert max(step.rows.stop - step.rows.start for step in (*short.steps, *short.blocks)) == 7
    test_steps_cover_all_rows_and_edges_once(treebank, short)
    test_edges_lead_back_to_their_rows(treebank, short)
    test_children_come_before_parents(treebank, short)
    test_blocks_are_the_steps_of_one_rule_together(short)


def test_a_single_tag() -> None:
    forest = compile_forest(read_treebank(sentences("(NN Stop)")))
    assert [(step.rows, step.left_rows.tolist()) for step in forest.steps] == [(slice(0, 1), [0])]
