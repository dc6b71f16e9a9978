"""The packed forest: what is shared, and that nothing else is lost."""

from __future__ import annotations

from itertools import chain

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


def steps_of(forest: Forest) -> list[ForestStep]:
    """All steps, children before parents."""
    return list(chain.from_iterable(forest.steps))


def blocks_of(forest: Forest) -> list[ForestStep]:
    """All blocks, of all rules."""
    return list(chain.from_iterable(forest.blocks.values()))


def of_edges(forest: Forest, value: int) -> list[np.ndarray]:
    """A number for each edge to each symbol."""
    return [np.full(starts[-1], value) for starts in forest.edge_starts]


def test_equal_subtrees_are_one_node() -> None:
    trees = ["(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT the) (NN dog))))"] * 3
    treebank = read_treebank(sentences(*trees))
    forest = compile_forest(treebank)
    counts = {treebank.symbols[i]: c.tolist() for i, c in enumerate(forest.multiplicity)}
    assert counts == {"ROOT": [3], "DT": [6], "NN": [6], "NP": [6], "S": [3], "VBZ": [3], "VP": [3]}
    # A shared noun phrase has two parents, the sentence and the verb phrase.
    assert forest.edge_starts[treebank.symbols.index("NP")].tolist() == [0, 2]


def test_nothing_is_shared_in_the_plain_forest(treebank: TreebankArrays) -> None:
    plain = compile_forest(treebank, shared=False)
    n_rows = [len(count) for count in plain.multiplicity]
    assert n_rows == np.bincount(treebank.symbol).tolist()
    assert all((count == 1).all() for count in plain.multiplicity)
    assert all((np.diff(starts) == 1).all() for starts in plain.edge_starts[1:])


def test_multiplicities_count_all_nodes(treebank: TreebankArrays, forest: Forest) -> None:
    sums = [int(count.sum()) for count in forest.multiplicity]
    assert sums == np.bincount(treebank.symbol).tolist()


def test_steps_cover_all_rows_and_edges_once(treebank: TreebankArrays, forest: Forest) -> None:
    tags = set(treebank.tags.tolist())
    rows = [np.zeros_like(count) for count in forest.multiplicity]
    edges = of_edges(forest, 0)
    for step in steps_of(forest):
        rows[step.parent][step.rows] += 1
        for child in step.children:
            edges[child.symbol][child.edges] += 1
    for symbol, (seen, sent) in enumerate(zip(rows, edges, strict=True)):
        assert (seen == (symbol not in tags)).all() and (sent == 1).all()


def test_children_come_before_parents(treebank: TreebankArrays, forest: Forest) -> None:
    tags = set(treebank.tags.tolist())
    ready = [np.full(len(count), i in tags) for i, count in enumerate(forest.multiplicity)]
    for step in steps_of(forest):
        assert all(ready[child.symbol][child.rows].all() for child in step.children)
        ready[step.parent][step.rows] = True


def test_edges_lead_back_to_their_rows(treebank: TreebankArrays, forest: Forest) -> None:
    owner = of_edges(forest, -1)
    for step in steps_of(forest):
        for child in step.children:
            owner[child.symbol][child.edges] = child.rows
    for symbol, starts in enumerate(forest.edge_starts):
        assert (
            owner[symbol].tolist()
            == np.repeat(np.arange(len(starts) - 1), np.diff(starts)).tolist()
        )


def together(steps: list[ForestStep]) -> list[list[int]]:
    """Rows of and edges to the children on each side, in the order of their parents' rows."""
    ordered = sorted(steps, key=lambda step: step.rows.start)
    sides = zip(*(step.children for step in ordered), strict=True)
    return [
        np.concatenate([getattr(child, name) for child in side]).tolist()
        for side in sides
        for name in ("rows", "edges")
    ]


def test_blocks_are_the_steps_of_one_rule_together(forest: Forest) -> None:
    for rule, blocks in forest.blocks.items():
        steps = [step for step in steps_of(forest) if step.rule == rule]
        assert len(blocks) <= len(steps)
        assert together(steps) == together(blocks)


@pytest.mark.parametrize("shared", [True, False])
def test_steps_and_blocks_are_short(treebank: TreebankArrays, shared: bool, monkeypatch) -> None:
    monkeypatch.setattr("fstce.latent.training.tree_insideoutside.ROWS", 7)
    short = compile_forest(treebank, shared)
    steps = [*steps_of(short), *blocks_of(short)]
    assert max(step.rows.stop - step.rows.start for step in steps) == 7
    test_steps_cover_all_rows_and_edges_once(treebank, short)
    test_edges_lead_back_to_their_rows(treebank, short)
    test_children_come_before_parents(treebank, short)
    test_blocks_are_the_steps_of_one_rule_together(short)


def test_a_single_tag() -> None:
    forest = compile_forest(read_treebank(sentences("(NN Stop)")))
    (step,) = steps_of(forest)
    assert step.rows == slice(0, 1)
    assert [child.rows.tolist() for child in step.children] == [[0]]
