"""Rules of attachment: files, patterns, and what a parser learns with them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles_trees import projective_trees

from fstce import DependencyParser
from fstce.chart import DependencyModel
from fstce.errors import CorpusError, ParameterError
from fstce.parsing.attachment_rules import SHIPPED, attaching, obeying, read_rules

TEXT = [s.split() for s in ("DT NN VB", "NN VB DT NN", "DT NN VB NN", "NN VB")]
RULES = "# mine\nROOT\tV*\n\nVB NN\nNN\tDT\n"
EDGES = {("ROOT", "VB"), ("VB", "NN"), ("NN", "DT")}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.tsv"
    path.write_text(RULES)
    return path


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_files_have_rules_for_their_tagset(name: str) -> None:
    found = read_rules(name)
    assert len(set(found)) == len(found) > 12
    tags = ["VERB", "NOUN", "ADP", "AUX"] if name.startswith("upos") else ["VBD", "NNS", "IN", "MD"]
    assert obeying(found, DependencyModel(tags)).sum() > 5


def test_a_feature_is_rewarded_where_a_rule_allows_it(rules: Path) -> None:
    model = DependencyModel(["DT", "NN", "VB"])
    rewarded, counted = obeying(read_rules(rules), model), attaching(model)
    for name, reward, count in zip(model.names, rewarded, counted, strict=True):
        edge = ("ROOT", name[1]) if name[0] == "root" else name[1:3]
        assert reward == (name[0] != "stop" and edge in EDGES)
        assert count == (name[0] != "stop")


def test_a_tag_in_brackets_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "rules.tsv"
    path.write_text("ROOT\t[V]\n[V]\tN*\n")
    model = DependencyModel(["NN", "V", "[V]"])
    allowed = [model.names[i] for i in np.flatnonzero(obeying(read_rules(path), model))]
    assert allowed[0] == ("root", "V")  # the pattern
    assert ("root", "[V]") in allowed
    assert ("kid", "[V]", "NN", "left") in allowed


@pytest.mark.parametrize("criterion", ["em", "viterbi-em", "contrastive"])
def test_the_asked_share_of_edges_obeys(rules: Path, criterion: str) -> None:
    parser = DependencyParser(criterion=criterion, attachment_rules=rules, obey=0.9, max_iterations=15).fit(
        TEXT
    )
    assert parser.obeyed_ is not None
    assert parser.obeyed_ >= 0.9 - 1e-3


def test_the_share_is_that_of_all_trees(rules: Path) -> None:
    """By enumeration: the share under p_θ exp(λ Σ r) of all trees is what `obeyed_` says."""
    parser = DependencyParser(criterion="em", attachment_rules=rules, obey=0.95, max_iterations=3)
    objective = parser.compile(TEXT)
    parser.train(objective)
    (term,) = objective.terms
    moved = parser.theta_ + term.multiplier * (term.rewarded - 0.95 * term.counted)
    good = words = 0.0
    for tags in TEXT:
        counts = np.array([parser.model_.tree_counts(tags, heads) for heads in projective_trees(len(tags))])
        p = np.exp(counts @ moved - np.logaddexp.reduce(counts @ moved))
        good, words = good + p @ counts @ term.rewarded, words + len(tags)
    assert parser.obeyed_ == pytest.approx(good / words, abs=1e-9)


def test_without_a_constraint_the_rules_are_where_training_starts(rules: Path) -> None:
    rewarded = obeying(read_rules(rules), DependencyModel(["DT", "NN", "VB"]))
    contrastive = DependencyParser("trans1", attachment_rules=rules, obey=0.0, rule_weight=2.0, sigma2=1e-9)
    assert_allclose(contrastive.fit(TEXT).theta_, 2 * rewarded, atol=1e-6)
    em = DependencyParser(criterion="em", attachment_rules=rules, obey=0.0, rule_weight=2.0)
    em.compile(TEXT)
    roots = np.exp(em.initial_weights()[:3])
    assert_allclose(roots, np.exp([0, 0, 2]) / np.exp([0, 0, 2]).sum())


def test_what_is_no_rule_is_refused_by_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "rules.tsv"
    for text, message in (("a b\nc\n", f"{path}:2: 1 fields"), ("# nothing\n", "there is no rule")):
        path.write_text(text)
        with pytest.raises(CorpusError, match=re.escape(message)):
            read_rules(path)
    with pytest.raises(ParameterError, match="neither a file nor one of penn, penn-content"):
        DependencyParser(attachment_rules="pen").fit(TEXT)
    with pytest.raises(ParameterError, match="no rule is about the tags DT, NN, VB"):
        DependencyParser(attachment_rules="upos").fit(TEXT)


def test_a_saved_parser_needs_no_rules(rules: Path, tmp_path: Path) -> None:
    parser = DependencyParser(criterion="em", attachment_rules=rules).fit(TEXT)
    parser.save(tmp_path / "model")
    rules.unlink()
    loaded = DependencyParser.load(tmp_path / "model")
    assert loaded.predict(TEXT) == parser.predict(TEXT)
    assert (loaded.obeyed_, loaded.attachment_rules) == (parser.obeyed_, str(rules))
