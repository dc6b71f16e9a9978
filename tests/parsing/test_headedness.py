"""The start by headedness: its signals by enumeration, its laws, and where EM goes from it."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from oracles_trees import projective_trees

from fstce import DependencyParser
from fstce.chart import DependencyModel, InsideOutside, compile_charts
from fstce.corpora import Sentence
from fstce.errors import CorpusError, ParameterError
from fstce.machines import Lattice, Symbols
from fstce.parsing.criteria import PRIOR
from fstce.parsing.headedness import NEARNESS, SHORT, SMOOTHING, STRENGTH, headedness
from fstce.parsing.parser import adjacent_share

TEXT = [tuple(s.split()) for s in ("DT NN VB", "NN VB DT NN", "DT JJ NN VB NN", "NN VB", "VB RB")]
WORDS = [
    tuple(s.split())
    for s in ("the dog ran", "dogs see the cat", "a big dog saw cats", "Dogs run", "run on")
]
MODEL = DependencyModel(sorted({tag for row in TEXT for tag in row}))


def by_enumeration(rows, words):
    """The three signals token by token, as the module's text has them."""
    tags = sorted({tag for row in rows for tag in row})
    edged = [("<", *row, ">") for row in rows]
    pairs = Counter(pair for row in edged for pair in pairwise(row))
    before, after = Counter(a for a, _ in pairs.elements()), Counter(b for _, b in pairs.elements())

    def association(a, b):
        chance = before[a] * after[b] / pairs.total()
        slack = math.sqrt(chance) + 1e-3
        return math.log((pairs[a, b] + slack) / (chance + slack))

    n = Counter(tag for row in rows for tag in row)
    signals = []
    for tag in tags:
        around = [
            association(r[i - 1], r[i + 1]) for r in edged for i, t in enumerate(r) if t == tag
        ]
        times = [row.count(tag) for row in rows]
        if words is None:
            short = sum(row.count(tag) for row in rows if len(row) <= SHORT)
            third = math.log((short + n[tag] / n.total()) / n[tag])
        else:
            kinds = {
                w.lower()
                for r, ws in zip(rows, words, strict=True)
                for t, w in zip(r, ws, strict=True)
                if t == tag
            }
            third = math.log(len(kinds)) - math.log(n[tag])
        signals.append((-np.mean(around), -np.var(times) / np.mean(times), third))
    share = np.array([n[tag] for tag in tags]) / n.total()

    def standard(values):
        centred = values - share @ values
        return centred / np.sqrt(share @ centred**2)

    return standard(sum(standard(signal) for signal in np.array(signals).T))


@pytest.mark.parametrize("words", [None, WORDS])
def test_equals_the_enumeration(words):
    assert_allclose(headedness(MODEL, TEXT, words), by_enumeration(TEXT, words), atol=1e-9)


ROWS = st.lists(
    st.lists(st.sampled_from("ABCD"), min_size=1, max_size=6).map(tuple), min_size=1, max_size=8
)


@given(ROWS)
def test_is_standard_and_the_same_from_right_to_left(rows):
    model = DependencyModel("ABCDE")
    scores = headedness(model, rows)
    tokens = np.array([sum(row.count(tag) for row in rows) for tag in model.tags])
    assert scores[4] == 0
    assert tokens @ scores == pytest.approx(0, abs=1e-9)
    spread = tokens @ scores**2 / tokens.sum()
    assert spread == pytest.approx(1) or not scores.any()
    assert_allclose(headedness(model, [row[::-1] for row in rows]), scores, atol=1e-9)


def counts_by_headedness():
    """Σ over sentences of the expected counts of all trees by their heads and links."""
    score = STRENGTH * headedness(MODEL, TEXT, WORDS)
    counts = np.zeros(MODEL.size)
    for row in TEXT:
        number = MODEL.numbers(row)
        trees = list(projective_trees(len(row)))
        weight = np.array(
            [
                sum(
                    score[number[head - 1 if head else i]]
                    + (NEARNESS * abs(head - i - 1) if head else 0.0)
                    for i, head in enumerate(heads)
                )
                for heads in trees
            ]
        )
        p = np.exp(weight - np.logaddexp.reduce(weight))
        counts += sum(q * MODEL.tree_counts(row, heads) for q, heads in zip(p, trees, strict=True))
    return counts


def test_the_start_is_the_expected_grammar_of_all_trees():
    parser = DependencyParser()
    parser.compile(TEXT, words=WORDS)
    counts = counts_by_headedness() + SMOOTHING
    assert_allclose(parser.initial_weights(), MODEL.log_probabilities(counts), atol=1e-9)


def test_length_bias_is_delta_a_word():
    """By enumeration: Smith & Eisner (2006), Eq. 2."""
    row, delta = ("DT", "NN", "VB", "NN"), -0.7
    batch = compile_charts([Lattice.of_sentence(row, Symbols(MODEL.tags))], MODEL)
    theta = np.random.default_rng(0).normal(size=MODEL.size)
    trees = list(projective_trees(len(row)))
    weight = [
        MODEL.tree_counts(row, heads) @ theta
        + delta * sum(abs(head - i) for i, head in enumerate(heads, 1) if head)
        for heads in trees
    ]
    for biased in (
        batch.with_length_bias(delta),
        batch.with_length_bias(-0.2).with_length_bias(-0.5),
    ):
        assert InsideOutside(biased)(theta).log_z[0] == pytest.approx(np.logaddexp.reduce(weight))
    assert batch.with_length_bias(0.0) is batch


def test_a_step_of_the_default_counts_trees_by_the_grammar_and_by_headedness():
    """By enumeration: the E-step is under p_θ(t) exp(h·f(t) + δ·length), the M-step divides counts,

    with as many words of trees by headedness alone as the prior has.
    """
    parser = DependencyParser(max_iterations=1).fit(TEXT, words=WORDS)
    theta, score = parser.initial_weights(), STRENGTH * headedness(MODEL, TEXT, WORDS)
    counts = parser.smoothing + PRIOR / sum(map(len, TEXT)) * counts_by_headedness()
    for row in TEXT:
        number, trees = MODEL.numbers(row), list(projective_trees(len(row)))
        features = np.array([MODEL.tree_counts(row, heads) for heads in trees])
        known = [
            sum(score[number[head - 1 if head else i]] for i, head in enumerate(heads))
            + NEARNESS * sum(abs(head - i) for i, head in enumerate(heads, 1) if head)
            for heads in trees
        ]
        weight = features @ theta + known
        counts += np.exp(weight - np.logaddexp.reduce(weight)) @ features
    assert_allclose(parser.theta_, MODEL.log_probabilities(counts), atol=1e-9)


def test_the_default_is_of_no_neighbourhood_and_no_criterion():
    assert "objective em -" in repr(DependencyParser().fit(TEXT, words=WORDS))
    assert DependencyParser("trans1").recipe.criterion == "contrastive"
    assert DependencyParser(criterion="contrastive").recipe[1:4] == ("trans1", "uniform", 0.0)
    assert DependencyParser(criterion="em", start="headedness").recipe[2:] == (
        "headedness",
        0.0,
        "",
    )


def test_headedness_does_not_weigh_what_is_measured():
    """How well a grammar explains a text is the sum over its trees, by enumeration."""
    parser = DependencyParser().fit(TEXT, words=WORDS)
    counts = [
        [MODEL.tree_counts(row, heads) for heads in projective_trees(len(row))] for row in TEXT
    ]
    expected = sum(np.logaddexp.reduce(np.array(of_row) @ parser.theta_) for of_row in counts)
    assert parser.measure(TEXT) == pytest.approx(expected)


def test_the_default_parses_with_its_bias():
    """By enumeration, in all ways to parse; a named criterion has none."""
    parser = DependencyParser().fit(TEXT, words=WORDS)
    row = ("DT", "NN", "VB", "NN")
    trees = list(projective_trees(len(row)))
    weight = np.array([parser.model_.tree_counts(row, heads) @ parser.theta_ for heads in trees])
    weight += [NEARNESS * sum(abs(h - i) for i, h in enumerate(heads, 1) if h) for heads in trees]
    best = trees[int(np.argmax(weight))]
    assert parser.predict([row]) == [best]
    assert parser.k_best([row], 1)[0][0] == (best, pytest.approx(weight.max()))
    expected = np.zeros((len(row) + 1, len(row)))
    for heads, p in zip(trees, np.exp(weight - np.logaddexp.reduce(weight)), strict=True):
        expected[list(heads), range(len(row))] += p
    assert_allclose(parser.predict_proba([row])[0], expected, atol=1e-9)
    assert DependencyParser(criterion="em", structural_bias=-1.0)._parsing_bias == 0.0


def test_sentences_of_a_corpus_bring_their_words():
    corpus = [Sentence(words, tags=tags) for words, tags in zip(WORDS, TEXT, strict=True)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        own = DependencyParser().fit(corpus)
    assert own.theta_.tobytes() == DependencyParser().fit(TEXT, words=WORDS).theta_.tobytes()
    assert own.predict(corpus) == own.predict(TEXT)
    with pytest.warns(UserWarning, match="without words less is known of which tags are heads"):
        bare = DependencyParser().fit(TEXT)
    assert bare.theta_.tobytes() != own.theta_.tobytes()


def test_a_grammar_that_has_collapsed_is_reported():
    """Nine heads in ten an adjacent word: of chains, not of stars."""
    chains, stars = [(2, 3, 4, 0)] * 5, [(0, 1, 1, 1)] * 5
    assert (adjacent_share(chains), adjacent_share(stars)) == (1.0, pytest.approx(1 / 3))
    assert adjacent_share([(2, 0, 1), (2, 0)]) == 0.5  # two words are always adjacent
    text = [tuple("ABCD")] * 5
    with pytest.warns(UserWarning, match="100 % of the heads are an adjacent word"):
        DependencyParser(criterion="em", structural_bias=-9.0, start="random").fit(text)


@pytest.mark.parametrize("criterion", ["em", "contrastive"])
def test_a_bias_shortens_the_links_that_are_learnt(criterion):
    def length(bias):
        settings = {"criterion": criterion, "start": "headedness", "sigma2": 1.0}
        parser = DependencyParser(**settings, structural_bias=bias).fit(TEXT)
        pairs = [
            (i, head) for heads in parser.predict(TEXT) for i, head in enumerate(heads, 1) if head
        ]
        return sum(abs(head - i) for i, head in pairs)

    assert length(-3.0) < length(3.0)


def test_a_bias_has_a_gradient():
    parser = DependencyParser("del1word", structural_bias=-0.5)
    objective = parser.compile(TEXT)
    theta = np.random.default_rng(1).normal(size=MODEL.size)
    _, gradient = objective(theta)
    for i in (0, 7, MODEL.size - 1):
        step = np.zeros(MODEL.size)
        step[i] = 1e-5
        slope = (objective(theta + step)[0] - objective(theta - step)[0]) / 2e-5
        assert gradient[i] == pytest.approx(slope, abs=1e-5)


def test_what_cannot_be_is_refused():
    with pytest.raises(CorpusError, match="sentence 2 has 4 tags and 1 words"):
        DependencyParser().fit(TEXT, words=[WORDS[0], ["x"], *WORDS[2:]])
    with pytest.raises(CorpusError, match="5 sentences but 1 rows of words"):
        DependencyParser().fit(TEXT, words=WORDS[:1])
    with pytest.raises(ParameterError, match="no structural bias in LENGTH"):
        DependencyParser("length", structural_bias=-0.3).fit(TEXT)
    parser = DependencyParser()
    parser.compile(TEXT)
    with pytest.raises(ParameterError, match="start='klein-manning' is read off the corpus"):
        parser.set_params(start="klein-manning").initial_weights()
