"""Long sentences are cut at punctuation; every word stays."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute
from hypothesis import given
from hypothesis import strategies as st

from fstce.latent.parsing.coarse_to_fine import flat_tree, pieces, top_label


@given(st.lists(st.sampled_from(["w", ",", "."]), min_size=1, max_size=60), st.integers(1, 20))
def test_pieces_cover_the_words_within_the_limit(words: list[str], limit: int) -> None:
    cut = pieces(words, limit)
    assert [word for piece in cut for word in words[piece]] == words
    assert all(0 < piece.stop - piece.start <= limit for piece in cut)
    assert (len(cut) == 1) == (len(words) <= limit)


def test_strong_marks_come_before_weak_ones_and_only_late_ones_count() -> None:
    assert pieces(list("abcd;e,fg"), 7)[0] == slice(0, 5)
    assert pieces(list("abcdef,gh"), 7)[0] == slice(0, 7)
    assert pieces(list(";abcdefgh"), 7)[0] == slice(0, 7)


def test_flat_tree_has_the_likeliest_tags_under_the_usual_top() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(0))
    tree = flat_tree(grammar, ["a", "b"])
    best = grammar.lexicon.scores(["a", "b"]).argmax(axis=1)
    assert tree.pos() == tuple(zip("ab", (("t", "u")[i] for i in best), strict=True))
    tops = {
        brute.SYMBOLS[c]: t[0, 0]
        for (p, c), t in zip(grammar.unary, grammar.tables[len(grammar.binary) :], strict=True)
        if p == 0
    }
    assert tree.label == top_label(grammar) == max(tops, key=lambda top: tops[top])
