"""The coarse pass agrees with summing over all trees, at any length."""

from __future__ import annotations

import math

import numpy as np
import oracles_charts as brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.parsing.coarse import CoarseChart, CoarseTables, coarse_charts, triangle


def log_probability(chart: CoarseChart) -> float:
    """log P of the sentence: the root's over all words."""
    return float(chart.scale[-1] + np.log(chart.inside[-1, chart.inside.shape[1] // 2]))


few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 10_000)


def test_spans_lie_by_width_then_first_word() -> None:
    start, width = triangle(4)
    assert list(zip(width.tolist(), start.tolist(), strict=True)) == sorted(
        (w, i) for w in range(1, 5) for i in range(5 - w)
    )


@few
@given(seeds, st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=3))
def test_probability_and_posteriors_are_those_of_all_trees(seed: int, words: list[str]) -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(seed))
    (chart,) = coarse_charts(CoarseTables(grammar), [grammar.lexicon.scores(words)])
    assert log_probability(chart) == pytest.approx(
        math.log(brute.sentence_probability(grammar, words)), abs=1e-10
    )
    n = len(grammar.symbols)
    wanted = np.zeros_like(chart.posteriors)
    place = {
        span: at
        for at, span in enumerate(
            zip(*(column.tolist() for column in triangle(len(words))), strict=True)
        )
    }
    for (kind, what, i, *rest), p in brute.posteriors(grammar, words).items():
        j = rest[0] if rest else i + 1
        if kind == "word":
            wanted[place[i, 1], what] += p
        elif kind == "binary":
            wanted[place[i, j - i], brute.BINARY[what][0]] += p
        else:
            wanted[place[i, j - i], n + (what if kind == "identity" else brute.UNARY[what][0])] += p
    np.testing.assert_allclose(chart.posteriors, wanted, atol=1e-12)


@few
@given(seeds, st.integers(1, 30))
def test_root_is_certain_and_every_word_has_one_tag(seed: int, length: int) -> None:
    rng = np.random.default_rng(seed)
    grammar = brute.tiny_grammar(rng)
    words = [brute.WORDS[i] for i in rng.integers(0, 3, length)]
    (chart,) = coarse_charts(CoarseTables(grammar), [grammar.lexicon.scores(words)])
    n = len(grammar.symbols)
    assert chart.posteriors[-1, n] == pytest.approx(1.0)
    np.testing.assert_allclose(chart.posteriors[:length, :n].sum(axis=1), 1.0)


def test_words_scaled_to_nothing_neither_underflow_nor_change_posteriors() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(1))
    scores = grammar.lexicon.scores(list("abcab" * 40))
    tables = CoarseTables(grammar)
    one, other = (coarse_charts(tables, [rows])[0] for rows in (scores, scores * 1e-30))
    assert log_probability(other) == pytest.approx(log_probability(one) + 200 * math.log(1e-30))
    np.testing.assert_allclose(one.posteriors, other.posteriors, atol=1e-9)


def test_a_sentence_without_parse_has_no_probability() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(2))
    scores = grammar.lexicon.scores(list("aba"))
    scores[1] = 0.0
    (chart,) = coarse_charts(CoarseTables(grammar), [scores])
    assert not chart.posteriors.any() and np.isfinite(chart.scale).all()


@few
@given(seeds, st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_sentences_together_have_the_charts_of_each_alone(seed: int, lengths: list[int]) -> None:
    rng = np.random.default_rng(seed)
    grammar = brute.tiny_grammar(rng)
    scores = [
        grammar.lexicon.scores([brute.WORDS[i] for i in rng.integers(0, 3, n)]) for n in lengths
    ]
    tables = CoarseTables(grammar)
    for chart, of_words in zip(coarse_charts(tables, scores), scores, strict=True):
        (alone,) = coarse_charts(tables, [of_words])
        assert chart.length == len(of_words)
        assert log_probability(chart) == pytest.approx(log_probability(alone), abs=1e-10)
        np.testing.assert_allclose(chart.posteriors, alone.posteriors, atol=1e-12)


def test_a_sentence_longer_than_a_block_of_rows() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(0))
    (chart,) = coarse_charts(CoarseTables(grammar), [grammar.lexicon.scores(["a"] * 250)])
    assert chart.length == 250 and np.isfinite(log_probability(chart))
