"""EM over trees that rules weigh: by enumeration of all trees, and where it starts."""

from __future__ import annotations

import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from oracles_trees import projective_trees

from fstce import DependencyParser
from fstce.chart import ChartBatch, Trees, best_trees, compile_sentences
from fstce.parsing.attachment_rules import MOST, read_rules, satisfying
from fstce.parsing.criteria import BIAS, SIDE, agreement
from fstce.parsing.headedness import SMOOTHING

TEXT = [s.split() for s in ("DT NN VB", "NN VB DT NN", "DT NN VB NN", "NN VB", "DT NN VB PP DT NN")]


def counts_by_enumeration(parser: DependencyParser, theta: np.ndarray) -> np.ndarray:
    """Σ over sentences of the expected counts of all trees, each link weighing δ a word."""
    total = np.zeros(parser.model_.size)
    for tags in TEXT:
        trees = projective_trees(len(tags))
        counts = np.array([parser.model_.tree_counts(tags, heads) for heads in trees])
        spans = [sum(abs(h - k) for k, h in enumerate(heads, 1) if h) for heads in trees]
        score = counts @ theta + BIAS * np.array(spans)
        total += np.exp(score - np.logaddexp.reduce(score)) @ counts
    return total


def compiled(**parameters: object) -> tuple[DependencyParser, np.ndarray]:
    parser = DependencyParser(attachment_rules="penn", **parameters)
    parser.compile(TEXT)
    return parser, MOST * satisfying(read_rules("penn"), parser.model_)


@pytest.mark.parametrize("head_final", [False, True])
def test_em_starts_from_trees_that_satisfy_the_rules(head_final: bool) -> None:
    parser, _ = compiled(head_final=head_final)
    side = "left" if head_final else "right"
    aside = np.array([name[0] == "child" and name[3] == side for name in parser.model_.names])
    weights = MOST * satisfying(read_rules("penn"), parser.model_, head_final) + SIDE * aside
    counts = counts_by_enumeration(parser, weights) + SMOOTHING
    assert_allclose(parser.initial_weights(), parser.model_.log_probabilities(counts), atol=1e-9)


def test_a_step_counts_the_trees_that_satisfy_them() -> None:
    parser, weights = compiled(max_iterations=1, start="klein-manning")
    theta = parser.initial_weights()
    counts = counts_by_enumeration(parser, theta + weights) + parser.smoothing
    assert_allclose(parser.fit(TEXT).theta_, parser.model_.log_probabilities(counts), atol=1e-9)


def test_parsing_agrees_with_the_best_tree_of_the_rules() -> None:
    parser = DependencyParser(attachment_rules="penn").fit(TEXT)
    allowed = satisfying(read_rules("penn"), parser.model_)
    charts = compile_sentences(TEXT, parser.model_)
    of_rules = [
        tuple(row[: len(s)]) for row, s in zip(best_trees(charts, allowed).heads, TEXT, strict=True)
    ]

    for tags, of_rule, chances in zip(TEXT, of_rules, parser.predict_proba(TEXT), strict=True):
        trees = projective_trees(len(tags))
        counts = np.array([parser.model_.tree_counts(tags, heads) for heads in trees])
        spans = [sum(abs(h - k) for k, h in enumerate(heads, 1) if h) for heads in trees]
        agreeing = np.array([np.equal(heads, of_rule).sum() for heads in trees])
        score = counts @ parser.theta_ + BIAS * np.array(spans) + agreement(len(TEXT)) * agreeing
        probability = np.exp(score - np.logaddexp.reduce(score))
        for word in range(len(tags)):
            heads = [tree[word] for tree in trees]
            expected = np.bincount(heads, probability, len(tags) + 1)
            assert_allclose(chances[:, word], expected, atol=1e-9)


def test_where_more_is_known_of_order_parsing_does_not_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = [["DT", "NN"]], [(2, 0)]
    for parser in (
        DependencyParser(attachment_rules="penn", head_final=True).fit(TEXT),
        DependencyParser(attachment_rules="penn").fit(TEXT, labelled=few),
    ):
        before = parser.predict_proba(TEXT)
        monkeypatch.setattr("fstce.parsing.parser.agreement", lambda sentences: 30.0)
        assert_array_equal(before[2], parser.predict_proba(TEXT)[2])
        monkeypatch.undo()


def test_a_saved_parser_needs_no_file_of_rules(tmp_path: Path) -> None:
    rules = tmp_path / "rules.tsv"
    rules.write_text("ROOT\tVB\nVB\tNN\tleft\nNN\tD*\n")
    parser = DependencyParser(attachment_rules=rules).fit(TEXT)
    parser.save(tmp_path / "grammar")
    rules.unlink()
    loaded = DependencyParser.load(tmp_path / "grammar")
    text = [*TEXT, ["DX", "NN", "VB"]]  # a tag that training did not see, which a rule is about
    assert_allclose(loaded.predict_proba(text)[-1], parser.predict_proba(text)[-1])
    assert loaded.predict(text) == parser.predict(text)
    assert loaded.measure(TEXT) == parser.measure(TEXT)
    assert loaded.objective(TEXT, loaded.theta_)[0] == loaded.training_.objective  # asked for it


def test_tags_that_rules_do_not_know_are_told_of_in_training_alone() -> None:
    parser = DependencyParser(attachment_rules="penn").fit(TEXT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(parser.predict([["X", "Y", "Z", "U", "V"]])[0]) == 5


def test_it_is_what_rules_come_to_where_nothing_else_is_named(tmp_path: Path) -> None:
    assert DependencyParser(attachment_rules="penn").recipe.knowledge == "rules"
    for parameters in ({"criterion": "em"}, {"neighborhood": "trans1"}):
        assert DependencyParser(attachment_rules="penn", **parameters).recipe.knowledge == ""
    parser = DependencyParser(attachment_rules="penn").fit(TEXT)
    parser.save(tmp_path / "grammar")
    loaded = DependencyParser.load(tmp_path / "grammar")
    assert loaded.recipe == parser.recipe
    assert loaded.predict(TEXT) == parser.predict(TEXT)


def test_probabilities_of_zero_are_no_obstacle() -> None:
    parser = DependencyParser(attachment_rules="penn", smoothing=0.0).fit(TEXT * 3)
    assert np.isfinite(parser.training_.objective)


def test_rules_that_allow_everything_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "all.tsv"
    path.write_text("*\t*\nROOT\t*\n")
    ruled = DependencyParser(attachment_rules=path, start="uniform").fit(TEXT)
    free = DependencyParser(criterion="em", structural_bias=BIAS).fit(TEXT)
    assert ruled.constraint_satisfaction_ == 1.0
    assert_allclose(ruled.theta_, free.theta_, atol=1e-9)


def test_a_sample_of_the_text_is_parsed_after_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second pass over the whole text took half of a short training."""
    parsed: list[int] = []

    def counted(charts: ChartBatch, theta: Any) -> Trees:
        parsed.append(len(charts))
        return best_trees(charts, theta)

    text = list(product("ABCDEFG", repeat=3))
    assert len(text) == 343
    monkeypatch.setattr("fstce.parsing.parser.best_trees", counted)
    DependencyParser(criterion="em", max_iterations=1).fit(text)
    assert sum(parsed) == 86  # every fourth: at most a hundred


@pytest.mark.parametrize("head_final", [False, True])
def test_what_rules_allow_is_found_once_a_tagset(head_final: bool) -> None:
    """Each batch that was parsed found it anew, and training twice."""
    satisfying.cache_clear()
    parser = DependencyParser(attachment_rules="penn", head_final=head_final).fit(TEXT)
    for tags in TEXT:
        parser.predict([tags])
    assert satisfying.cache_info().misses == 1
