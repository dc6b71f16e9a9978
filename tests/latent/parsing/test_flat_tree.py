"""What a sentence without a parse gets: its likeliest tags under the usual top."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute

from fstce.latent.parsing.coarse_to_fine import flat_tree, top_label


def test_flat_tree_has_the_likeliest_tags_under_the_usual_top() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(0))
    tree = flat_tree(grammar, ["a", "b"])
    best = grammar.lexicon.scores(["a", "b"]).argmax(axis=1)
    assert tree.pos() == tuple(zip("ab", (("t", "u")[i] for i in best), strict=True))
    tops = {
        brute.SYMBOLS[c]: t[0, 0]
        for (p, c), t in zip(
            grammar.unary, grammar.arrays(grammar.rules)[len(grammar.binary) :], strict=True
        )
        if p == 0
    }
    assert tree.label == top_label(grammar) == max(tops, key=lambda top: tops[top])
