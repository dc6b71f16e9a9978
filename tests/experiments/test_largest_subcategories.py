"""Shares of subcategories against the enumeration of all derivations of some trees."""

from __future__ import annotations

import numpy as np
from oracles_latent import frequencies, oracles, sentences

from examples.experiments.largest_subcategories import shares, table
from fstce import LatentGrammar
from fstce.latent.model.lexicon import emissions
from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.training.estimates import Estimates
from fstce.latent.training.treebank import read_treebank

TREES = sentences(
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks) (PP (IN at) (NP (DT a) (NN cat)))))",
    "(S (NP (NN cats)) (VP (VBZ sees) (NP (DT the) (NN dog))))",
    "(S (NP (DT a) (NN cat)) (VP (VBZ barks) (PP (IN in) (NP (DT the) (NN dog)))))",
)


def test_shares_are_those_of_all_derivations() -> None:
    grammar = LatentGrammar(cycles=2, split_iterations=5, merge_iterations=3).fit(TREES)
    finest = grammar.hierarchy_.finest
    treebank = read_treebank(TREES)
    state = Estimates(finest, finest.rules, finest.lexicon.counts)
    counts = frequencies(oracles(treebank, state, emissions(state.units, 0)))

    found = shares(grammar, TREES)
    assert max(finest.sizes) > 1
    for name, begin, size in zip(
        finest.symbols, offsets_of(finest.sizes), finest.sizes, strict=False
    ):
        own = counts[begin : begin + size]
        np.testing.assert_allclose(found[name], sorted(own / own.sum(), reverse=True), rtol=1e-8)


def test_the_table_has_a_row_for_each_grammar_of_a_category() -> None:
    of_category = {name: np.array([0.75, 0.25]) for name in ("NP", "PP", "IN", "DT")}
    rows = [line.split("\t") for line in table({"seed-1": of_category, "seed-2": of_category})]
    assert [row[:2] for row in rows[1:3]] == [["NP", "seed-1"], ["NP", "seed-2"]]
    assert rows[1][2:] == ["75.0", "25.0"]
    assert len(rows) == 9
