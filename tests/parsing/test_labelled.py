"""A handful of trees beside raw text: the objective by its parts, and what cannot stand beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce import DependencyParser
from fstce.errors import CorpusError, ParameterError

RAW = [["D", "N", "V"], ["N", "V", "D", "N"], ["N", "V"]]
TREES = [["D", "N", "V"], ["V", "N"]], [(2, 3, 0), (0, 1)]
TAGS = ["D", "N", "V"]


def value(parser: DependencyParser, theta: np.ndarray, *corpus: object, **more: object) -> float:
    return parser.compile(*corpus, tags=TAGS, **more)(theta)[0]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_contrast_is_the_trees_and_a_tenth_of_the_text(seed: int) -> None:
    theta = np.random.default_rng(seed).normal(size=45)
    both = value(DependencyParser("trans1", sigma2=None), theta, RAW, labelled=TREES)
    text = value(DependencyParser("trans1", sigma2=None), theta, RAW)
    trees = value(DependencyParser(criterion="conditional", sigma2=None), theta, *TREES)
    assert both == pytest.approx(trees + 0.1 * text)


@pytest.mark.parametrize("criterion", ["em"])
def test_likelihood_is_the_trees_and_a_tenth_of_the_text(criterion: str) -> None:
    parser = DependencyParser(criterion=criterion, smoothing=0.0)
    theta = parser.compile(RAW, tags=TAGS) and parser.model_.log_probabilities(
        np.random.default_rng(1).gamma(1.0, size=45)
    )
    text, both = value(parser, theta, RAW), value(parser, theta, RAW, labelled=TREES)
    trees = value(DependencyParser(criterion="joint", smoothing=0.0), theta, *TREES)
    assert both == pytest.approx(trees + 0.1 * text)


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
    parser = DependencyParser().fit(RAW, labelled=chains)
    assert parser.recipe.criterion == "contrastive" and parser.recipe.neighborhood == "trans1"


def test_what_was_labelled_is_saved(tmp_path: Path) -> None:
    parser = DependencyParser().fit(RAW, labelled=TREES)
    parser.save(tmp_path / "model")
    loaded = DependencyParser.load(tmp_path / "model")
    assert loaded.n_labelled_ == 2 and loaded.recipe == parser.recipe
    assert loaded.predict(RAW) == parser.predict(RAW)


def test_trees_bring_their_tags() -> None:
    parser = DependencyParser().fit(RAW, labelled=([["X", "N"]], [(2, 0)]))
    assert parser.model_.tags == ("D", "N", "V", "X")


def test_what_cannot_stand_beside_text() -> None:
    with pytest.raises(ParameterError, match="'joint' learns from heads="):
        DependencyParser(criterion="joint").fit(*TREES, labelled=TREES)
    with pytest.raises(CorpusError, match="labelled: give a pair"):
        DependencyParser().fit(RAW, labelled=TREES[0])
    with pytest.raises(ParameterError, match="no tree is projective"):
        DependencyParser().fit(RAW, labelled=([["N"] * 4], [(3, 4, 0, 3)]))
