"""Coarser tags."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.corpora import Sentence, coarse_map, parse_tree, project
from fstce.corpora.conll import UPOS
from fstce.errors import CorpusError, ParameterError

_TREEBANK = """
# $ '' , -LRB- -RRB- . : CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM
TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB ``
"""
_CLASSES = "ADJ ADV CONJ DET ENDPUNC INPUNC LPUNC N POS PREP PRT RPUNC TO V VBG VBN WH"
_WEB = ["AFX", "HYPH", "NFP", "ADD", "GW", "XX", "BES", "HVS"]
_FINE, _COARSE = set(_TREEBANK.split()), set(_CLASSES.split())


def test_the_45_tags_go_onto_the_17_classes() -> None:
    mapping = coarse_map()
    assert len(_FINE) == 45
    assert {mapping[tag] for tag in _FINE} == _COARSE
    assert set(mapping) - _FINE == {"(", ")", "-LCB-", "-RCB-", "-LSB-", "-RSB-", *_WEB}
    assert set(mapping.values()) == _COARSE


@pytest.mark.parametrize(
    ("tags", "label"),
    [
        ("JJ PRP$ CD", "ADJ"),
        (".", "ENDPUNC"),
        (", :", "INPUNC"),
        ("`` -LRB- (", "LPUNC"),
        ("'' -RRB- )", "RPUNC"),
        ("MD VB VBZ", "V"),
        ("VBG", "VBG"),
        ("# $ NNP EX", "N"),
        ("WP$ WRB", "WH"),
        ("TO", "TO"),
        ("IN", "PREP"),
    ],
)
def test_single_tags(tags: str, label: str) -> None:
    assert {coarse_map()[tag] for tag in tags.split()} == {label}


def test_a_projection_changes_tags_and_tree_and_nothing_else() -> None:
    tree = parse_tree("(S (NP (NNS dogs)) (VP (VBP bark)))")
    sentence = Sentence(
        ["dogs", "bark"], tags=["NNS", "VBP"], heads=[2, 0], tree=tree, source="a.mrg:1"
    )
    (coarse,) = project([sentence], coarse_map())
    assert (coarse.words, coarse.heads, coarse.source) == (
        sentence.words,
        sentence.heads,
        sentence.source,
    )
    assert coarse.tags == ("N", "V")
    assert str(coarse.tree) == "(S (NP (N dogs)) (VP (V bark)))"
    assert sentence.tags == ("NNS", "VBP")


def test_what_cannot_be_projected() -> None:
    with pytest.raises(CorpusError, match=r"a\.txt:3: the sentence carries no tags"):
        project([Sentence(["a"], source="a.txt:3")], coarse_map())
    with pytest.raises(
        CorpusError,
        match=r"a\.txt:3: a/NNZ: the map has nothing for the tag 'NNZ'; did you mean 'NN",
    ):
        project([Sentence(["a"], tags=["NNZ"], source="a.txt:3")], coarse_map())
    with pytest.raises(
        ParameterError, match=r"tag map='ptb45_coarse16': choose .*; did you mean 'ptb45_coarse17'"
    ):
        coarse_map("ptb45_coarse16")


def test_the_treebank_sample_uses_all_17(nltk_treebank: list[Sentence]) -> None:
    assert {tag for s in project(nltk_treebank, coarse_map()) for tag in s.tags or ()} == _COARSE


def test_universal_tags() -> None:
    mapping = coarse_map("upos")
    assert set(mapping) == {*_FINE, *coarse_map(), *UPOS}
    assert set(mapping.values()) == UPOS
    assert all(mapping[tag] == tag for tag in UPOS)
    assert [mapping[tag] for tag in ("IN", "TO", "MD", "VBZ", "NNP", "HYPH")] == [
        *("ADP", "PART", "AUX", "VERB", "PROPN", "PUNCT")
    ]


def test_a_map_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("# a comment\nNNS\tnoun\n\n#\tmark\nVBP\tverb\n")
    assert coarse_map(path) == coarse_map(str(path)) == {"NNS": "noun", "#": "mark", "VBP": "verb"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "NN\tnoun\nNNS noun\n",
            r"mine.tsv:2: two fields are due, a tag, a tab, its class, and not 1",
        ),
        ("NN\tnoun\tx\n", r"mine.tsv:1: two fields are due, .*, and not 3"),
        ("NN\t\n", r"mine.tsv:1: "),
        ("NN\tnoun\nNN\tname\n", r"mine.tsv:2: the tag 'NN' has the class 'noun' already"),
    ],
)
def test_a_map_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text(text)
    with pytest.raises(CorpusError, match=message):
        coarse_map(path)


def test_neither_a_map_nor_a_file() -> None:
    with pytest.raises(ParameterError, match=r"or name a file: a tag, a tab and its class a line"):
        coarse_map("nowhere.tsv")
