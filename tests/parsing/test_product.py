"""Products of parsers: votes and sums of weights by enumeration, and a product saved like any model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles_trees import projective_trees

from fstce import DependencyParser, ParserProduct, explain
from fstce.errors import NotFittedError, ParameterError

TEXT = [s.split() for s in ("DT NN VB", "NN VB DT NN", "DT NN VB NN", "NN VB")]
ROW = ("DT", "NN", "VB", "NN")


@pytest.fixture(scope="module")
def product() -> ParserProduct:
    """Two grammars, of which only the second knows a tag of its own."""
    first = DependencyParser("trans1", sigma2=1.0).fit(TEXT)
    second = DependencyParser().fit([*TEXT, ["RB", "VB"]])
    return ParserProduct([first, second])


def weights(parser: DependencyParser, row: tuple[str, ...]) -> np.ndarray:
    """The log weight of every tree of a sentence."""
    trees = projective_trees(len(row))
    return np.array([parser.model_.tree_counts(row, heads) @ parser.theta_ for heads in trees])


def test_intersection_multiplies_the_weights_of_trees(product):
    whole = product.intersect()
    first, second = (weights(parser, ROW) for parser in product.parsers)
    assert_allclose(weights(whole, ROW), first + second)
    assert whole.model_.tags == product.model_.tags == ("DT", "NN", "VB", "RB")
    # The first member's trees weigh nothing more for a tag that it does not know.
    assert_allclose(weights(whole, ("RB",)), weights(product.parsers[1], ("RB",)))
    best = int(np.argmax(first + second))
    assert product.k_best([ROW], 1)[0][0][0] == tuple(list(projective_trees(4))[best])


def test_edges_are_voted_for(product):
    """Π of posteriors, normalized; the tree with the greatest sum of them."""
    tables = np.prod([parser.predict_proba([ROW])[0] for parser in product.parsers], axis=0)
    voted = tables / tables.sum(axis=0)
    assert_allclose(product.predict_proba([ROW])[0], voted, atol=1e-9)
    gains = {tuple(h): sum(voted[head, i] for i, head in enumerate(h)) for h in projective_trees(4)}
    assert product.predict([ROW]) == [max(gains, key=lambda heads: gains[heads])]
    assert product.score([ROW], product.predict([ROW])) == 1.0


def test_the_decoder_may_take_the_product_of_grammars(product):
    other = ParserProduct(product.parsers, decoder="viterbi")
    assert other.predict(TEXT) == product.intersect().predict(TEXT)
    with pytest.raises(ParameterError, match="decoder='mbr': choose one of minimum-risk, viterbi"):
        ParserProduct(product.parsers, decoder="mbr")


def test_fit_trains_every_member():
    members = [DependencyParser(max_iterations=2), DependencyParser("del1word", max_iterations=2)]
    product = ParserProduct(members)
    with pytest.raises(NotFittedError):
        product.predict(TEXT)
    product.fit(iter(TEXT), tags=iter(["DT", "NN", "VB", "X"]), words=TEXT)
    alone = DependencyParser(max_iterations=2).fit(TEXT, tags=["DT", "NN", "VB", "X"], words=TEXT)
    assert members[0].theta_.tobytes() == alone.theta_.tobytes()
    assert "X" in members[1].model_.tags


def test_saved_and_loaded_it_is_the_same(product, tmp_path: Path):
    product.set_params(decoder="minimum-risk").save(tmp_path / "p")
    found = ParserProduct.load(tmp_path / "p")
    assert found.predict(TEXT) == product.predict(TEXT)
    assert [p.theta_.tobytes() for p in found.parsers] == [
        p.theta_.tobytes() for p in product.parsers
    ]
    assert found.to_state().entries == product.to_state().entries


def test_it_is_explained_as_one_grammar(product):
    assert (
        explain(product, ["DT", "NN"], "trans1").neighbors
        == explain(product.intersect(), ["DT", "NN"], "trans1").neighbors
    )
