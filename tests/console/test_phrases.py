"""Treebanks and parses side by side: which parse is of which gold tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.console.phrases import paired, phrase_text, read_parsed, read_trees
from fstce.corpora import parse_tree, read_corpus
from fstce.errors import CorpusError

GOLD = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n(S (NP (NNS cats)) (VP (VBP sleep)))\n"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.mrg"
    path.write_text(GOLD)
    return path


def test_parses_belong_to_gold_trees_by_their_order(gold: Path, tmp_path: Path) -> None:
    path = tmp_path / "parsed.mrg"
    path.write_text(
        GOLD.replace("(S (NP (DT the)", "\n(S (X (DT the)")
    )  # an empty line says nothing
    trees, parses, more = paired(read_corpus(gold), read_parsed(path))
    assert [str(tree) for tree in trees] == GOLD.splitlines()
    assert [parse.tree.leaves() for parse in parses] == [tree.leaves() for tree in trees]
    assert not more


def test_a_parse_that_is_missing_is_missed_by_its_line(gold: Path, tmp_path: Path) -> None:
    path = tmp_path / "parsed.mrg"
    path.write_text(f"\n{GOLD.splitlines()[1]}\n")
    _, parses, _ = paired(read_corpus(gold)[:2], [p for p in read_parsed(path) if not p.is_blank])
    assert parses[0] is None and str(parses[1].tree) == GOLD.splitlines()[1]


def test_a_text_without_trees_is_named(tmp_path: Path) -> None:
    path = tmp_path / "text.pos"
    path.write_text("the/DT dog/NN\n")
    with pytest.raises(CorpusError, match=r"text\.pos:1: has no phrase-structure tree"):
        read_trees(str(path))


def test_trees_are_written_as_they_are_read() -> None:
    tree = parse_tree(GOLD.splitlines()[0])
    assert parse_tree(phrase_text("penn", tree)) == parse_tree(phrase_text("text", tree)) == tree
