"""Rules of attachment: files, patterns, and what a parser learns with them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from fstce import DependencyParser
from fstce.chart import DependencyModel
from fstce.errors import CorpusError, ParameterError
from fstce.parsing.attachment_rules import SHIPPED, attaching, read_rules, satisfying

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
    assert satisfying(found, DependencyModel(tags)).sum() > 5


def test_a_feature_is_rewarded_where_a_rule_allows_it(rules: Path) -> None:
    model = DependencyModel(["DT", "NN", "VB"])
    rewarded, counted = satisfying(read_rules(rules), model), attaching(model)
    for name, reward, count in zip(model.names, rewarded, counted, strict=True):
        edge = ("ROOT", name[1]) if name[0] == "root" else name[1:3]
        assert reward == (name[0] != "stop" and edge in EDGES)
        assert count == (name[0] != "stop")


def test_a_tag_in_brackets_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "rules.tsv"
    path.write_text("ROOT\t[V]\n[V]\tN*\n")
    model = DependencyModel(["NN", "V", "[V]"])
    allowed = [model.names[i] for i in np.flatnonzero(satisfying(read_rules(path), model))]
    assert allowed[0] == ("root", "V")  # the pattern
    assert ("root", "[V]") in allowed
    assert ("child", "[V]", "NN", "left") in allowed


def test_the_satisfaction_is_that_of_the_predicted_trees(rules: Path) -> None:
    parser = DependencyParser(attachment_rules=rules).fit(TEXT)
    edges = [
        ("ROOT" if not head else tags[head - 1], tag)
        for tags, heads in zip(TEXT, parser.predict(TEXT), strict=True)
        for tag, head in zip(tags, heads, strict=True)
    ]
    assert parser.constraint_satisfaction_ == pytest.approx(
        np.mean([edge in EDGES for edge in edges])
    )


def test_a_rule_may_know_the_side(tmp_path: Path) -> None:
    path = tmp_path / "rules.tsv"
    path.write_text("ROOT\tVB\nVB\tNN\tleft\nNN\tDT\n")
    model = DependencyModel(["DT", "NN", "VB"])

    def allowed(**how: bool) -> set[tuple[str, ...]]:
        return {model.names[i] for i in np.flatnonzero(satisfying(read_rules(path), model, **how))}

    final = {("root", "VB"), ("child", "VB", "NN", "left"), ("child", "NN", "DT", "left")}
    assert allowed() == final | {("child", "NN", "DT", "right")}
    assert allowed(head_final=True) == final
    path.write_text("VB\tNN\tabove\n")
    with pytest.raises(CorpusError, match=re.escape(f"{path}:1: 'above' is no side of a head")):
        read_rules(path)


def test_heads_follow_their_dependents_where_the_user_says_so(rules: Path) -> None:
    text = [*TEXT, ["NN", "DT"], ["VB", "NN"]]
    either, final = (
        DependencyParser(attachment_rules=rules, head_final=final).fit(text)
        for final in (False, True)
    )
    assert final.predict([["NN", "VB", "NN"]])[0][0] == 2
    assert final.constraint_satisfaction_ < either.constraint_satisfaction_


@pytest.mark.parametrize(
    "parameters", [{"criterion": "em"}, {"neighborhood": "trans1"}, {"criterion": "joint"}]
)
def test_rules_that_would_serve_nothing_are_refused(rules: Path, parameters: dict) -> None:
    parser = DependencyParser(attachment_rules=rules, **parameters)
    with pytest.raises(ParameterError, match="attachment_rules: they weigh the trees of EM with"):
        parser.fit(TEXT)


def test_the_pound_sign_of_the_penn_treebank_is_a_tag(tmp_path: Path) -> None:
    path = tmp_path / "rules.tsv"
    path.write_text("# CD\tand its mark\n#\tCD\tright\nNN\t#\n")
    assert [rule.line for rule in read_rules(path)] == ["#\tCD\tright", "NN\t#"]


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


def test_tags_of_another_tagset_in_part_are_said() -> None:
    """Rules that are about some of the tags alone were taken in silence."""
    text = [["DET", "NN", "VERB"], ["NN", "VBD", "NOUN"]]
    with pytest.warns(UserWarning, match="of 5 tags no rule is about NN VBD; choose rules"):
        DependencyParser(attachment_rules="upos", max_iterations=1).fit(text)


def test_a_saved_parser_needs_no_rules(rules: Path, tmp_path: Path) -> None:
    parser = DependencyParser(attachment_rules=rules).fit(TEXT)
    parser.save(tmp_path / "model")
    rules.unlink()
    loaded = DependencyParser.load(tmp_path / "model")
    assert loaded.predict(TEXT) == parser.predict(TEXT)
    assert loaded.constraint_satisfaction_ == parser.constraint_satisfaction_
    assert loaded.attachment_rules == str(rules)
