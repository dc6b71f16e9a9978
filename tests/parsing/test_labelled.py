"""A handful of trees beside raw text: the objective by its parts, and what cannot stand beside it."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from oracles_trees import projective_trees

from fstce import DependencyParser
from fstce.errors import CorpusError, ParameterError
from fstce.parsing.attachment_rules import MOST, attaching, read_rules, satisfying
from fstce.parsing.criteria import BESIDE_TREES, BIAS, TRUST
from fstce.parsing.headedness import headed_weights

RAW = [["D", "N", "V"], ["N", "V", "D", "N"], ["N", "V"]] * 10
SHARE = BESIDE_TREES / len(RAW)
TREES = [["D", "N", "V"], ["V", "N"]], [(2, 3, 0), (0, 1)]
TAGS = ["D", "N", "V"]


def value(parser: DependencyParser, theta: np.ndarray, *corpus: object, **more: object) -> float:
    return parser.compile(*corpus, tags=TAGS, **more)(theta)[0]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_contrast_is_the_trees_and_a_share_of_the_text(seed: int) -> None:
    theta = np.random.default_rng(seed).normal(size=45)
    both = value(DependencyParser("trans1", sigma2=None), theta, RAW, labelled=TREES)
    text = value(DependencyParser("trans1", sigma2=None), theta, RAW)
    trees = value(DependencyParser(criterion="conditional", sigma2=None), theta, *TREES)
    assert both == pytest.approx(trees + SHARE * text)


def test_likelihood_is_the_trees_and_a_share_of_the_text() -> None:
    parser = DependencyParser(criterion="em", smoothing=0.0)
    theta = parser.compile(RAW, tags=TAGS) and parser.model_.log_probabilities(
        np.random.default_rng(1).gamma(1.0, size=45)
    )
    text, both = value(parser, theta, RAW), value(parser, theta, RAW, labelled=TREES)
    trees = value(DependencyParser(criterion="joint", smoothing=0.0), theta, *TREES)
    assert both == pytest.approx(trees + SHARE * text)


@pytest.mark.parametrize("rules", [None, "upos"])
def test_the_default_weighs_all_trees_of_the_text(rules: str | None) -> None:
    text = [["DET", "NOUN", "VERB"], ["NOUN", "VERB", "DET", "NOUN"]] * 10
    trees = [["DET", "NOUN", "VERB"], ["VERB", "NOUN"]], [(2, 3, 0), (0, 1)]
    parser = DependencyParser(attachment_rules=rules, smoothing=0.5)
    objective = parser.compile(text, labelled=trees, words=text)
    model = parser.model_
    theta = model.log_probabilities(np.random.default_rng(0).gamma(1.0, size=model.size))
    beside = TRUST * headed_weights(model, text, text)
    if rules:
        beside = MOST * (satisfying(read_rules(rules), model) - attaching(model))

    of_trees = sum(model.tree_counts(*tree) for tree in zip(*trees, strict=True))
    value = of_trees @ theta + 0.5 * (theta.sum() - model.log_probabilities(0 * theta).sum())
    counts = of_trees + 0.5
    for tags in text:
        possible = projective_trees(len(tags))
        of_each = np.array([model.tree_counts(tags, heads) for heads in possible])
        spans = [sum(abs(h - k) for k, h in enumerate(heads, 1) if h) for heads in possible]
        score = of_each @ (theta + beside) + BIAS * np.array(spans)
        log_z = np.logaddexp.reduce(score)
        value += BESIDE_TREES / 20 * log_z
        counts += BESIDE_TREES / 20 * np.exp(score - log_z) @ of_each

    found = objective(theta)
    assert found[0] == pytest.approx(value)
    assert_allclose(found[1], counts, atol=1e-9)


def test_text_beside_trees_counts_alike_however_long() -> None:
    """More of the text outweighed the trees."""
    chains = [["D", "N"]] * 5, [(0, 1)] * 5
    short, long = (
        DependencyParser(tolerance=1e-9).fit(RAW * n, words=RAW * n, labelled=chains)
        for n in (1, 20)
    )
    assert_allclose(np.exp(short.theta_), np.exp(long.theta_), atol=1e-3)
    few = DependencyParser(criterion="em", smoothing=0.0)
    theta = few.compile(RAW[:3], tags=TAGS) and few.model_.log_probabilities(np.zeros(45))
    text, both = value(few, theta, RAW[:3]), value(few, theta, RAW[:3], labelled=TREES)
    trees = value(DependencyParser(criterion="joint", smoothing=0.0), theta, *TREES)
    assert both == pytest.approx(trees + text)


def test_the_gradient_is_the_slope() -> None:
    objective = DependencyParser("trans1").compile(RAW, labelled=TREES)
    theta, step = np.random.default_rng(0).normal(size=45), 1e-5
    _, gradient = objective(theta)
    for i in (0, 7, 30):
        moved = np.eye(45)[i] * step
        slope = (objective(theta + moved)[0] - objective(theta - moved)[0]) / (2 * step)
        assert gradient[i] == pytest.approx(slope, abs=1e-5)


def test_trees_are_followed_against_the_text() -> None:
    chains = [["D", "N"]] * 5, [(0, 1)] * 5
    for rules in (None, "upos"):
        text = [["DET", "NOUN", "VERB"]] * 3
        parser = DependencyParser(attachment_rules=rules)
        trees = [["DET", "NOUN", "VERB"]] * 9, [(0, 1, 2)] * 9
        parser.fit(text, labelled=trees, words=text)
        assert parser.n_labelled_ == 9 and parser.predict(text[:1]) == [(0, 1, 2)]
    parser = DependencyParser().fit(RAW, words=RAW, labelled=chains)
    assert parser.predict([["D", "N"]]) == [(0, 1)]


def test_what_was_labelled_is_saved(tmp_path: Path) -> None:
    parser = DependencyParser().fit(RAW, words=RAW, labelled=TREES)
    parser.save(tmp_path / "model")
    loaded = DependencyParser.load(tmp_path / "model")
    assert loaded.n_labelled_ == 2 and loaded.recipe == parser.recipe
    assert loaded.predict(RAW) == parser.predict(RAW)


def test_trees_bring_their_tags() -> None:
    parser = DependencyParser().fit(RAW, words=RAW, labelled=([["X", "N"]], [(2, 0)]))
    assert parser.model_.tags == ("D", "N", "V", "X")


def test_what_cannot_stand_beside_text() -> None:
    with pytest.raises(ParameterError, match="'joint' learns from heads="):
        DependencyParser(criterion="joint").fit(*TREES, labelled=TREES)
    with pytest.raises(CorpusError, match="labelled: give a pair"):
        DependencyParser().fit(RAW, labelled=TREES[0])
    with pytest.raises(ParameterError, match="labelled: no tree is projective"):
        DependencyParser().fit(RAW, labelled=([["N"] * 4], [(3, 4, 0, 3)]))
    with pytest.raises(CorpusError, match="labelled: sentence 1: the head 'x'"):
        DependencyParser().fit(RAW, labelled=([["N"]], [("x",)]))


def test_trees_of_another_tagset_are_warned_of() -> None:
    other = ([["DET", "NOUN", "V"]], [(2, 3, 0)])
    with pytest.warns(UserWarning, match="of 3 words 2 have tags that the text lacks, as DET NOUN"):
        DependencyParser(criterion="em").fit(RAW, labelled=other)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        half = ([["DET", "V"]], [(2, 0)])
        DependencyParser(criterion="em").compile(RAW, labelled=half)
