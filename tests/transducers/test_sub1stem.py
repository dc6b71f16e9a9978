"""The shipped transducer sub1stem against its definition; the suffix stripper and its table."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import oracles_neighbors
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.corpora.tables import bundled_rows
from fstce.corpora.vocabulary import Vocabulary
from fstce.machines import check_lattice
from fstce.transducers.sub1stem import Suffixes, english

FAMILIES = [
    ["move", "moves", "moved", "moving"],
    ["Moves", "Moving"],
    ["try", "tries", "tried", "trying"],
    ["run", "runs", "running"],
    ["add", "adds", "added", "adding"],
    ["box", "boxes", "boxed"],
    ["glass", "glasses"],
    ["fall", "falls", "falling"],
    ["day", "days"],
    ["news"],
    ["new"],
    ["string"],
    ["thing", "things"],
    ["evening", "evenings"],
    ["even", "evens", "evened"],
    ["this"],
    ["bus", "buses"],
]
ALONE = ["1990s", "3", ",", "x-rays"]
LISTED = [word for family in FAMILIES for word in family] + ALONE


def family(word: str) -> list[str]:
    return next((words for words in FAMILIES if word in words), [])


@given(st.lists(st.sampled_from(LISTED), min_size=1, max_size=6))
def test_it_equals_the_definition(words: list[str]) -> None:
    kind = neighborhood("sub1stem").with_vocabulary(Vocabulary(dict.fromkeys(LISTED, 1)))
    lattice = kind(words)
    assert set(lattice.strings()) == oracles_neighbors.sub1(words, family)
    check_lattice(lattice.to_fst(), "sub1stem")


def test_a_word_that_the_vocabulary_lacks_has_a_stem_too() -> None:
    kind = neighborhood("sub1stem").with_vocabulary(Vocabulary({"walks": 1, "walking": 1}))
    assert set(kind(["walked"]).strings()) == {("walked",), ("walks",), ("walking",)}


def test_families_share_a_stem_and_others_do_not() -> None:
    keys = [{english().stem_key(word) for word in words} for words in FAMILIES]
    assert all(len(found) == 1 for found in keys)
    assert not any(one & other for one, other in combinations(keys, 2))
    assert {english().stem_key(word) for word in ALONE} == {None}


@given(st.text("abceginsy", min_size=1, max_size=9))
def test_a_stem_keeps_its_letters(word: str) -> None:
    stem = english().stem(word)
    assert len(stem) >= min(3, len(word))
    assert stem[:-1] == word[: len(stem) - 1]


def test_the_table_is_well_formed() -> None:
    rows = bundled_rows("english_suffixes.tsv")
    assert Suffixes.of(rows) == english()
    assert [len(step) for step in english().steps] == [3, 1, 13]
    rules = [rule for step in english().steps for rule in step]
    assert all(end.endswith(rule.suffix) for rule in rules for end in rule.unless)


def test_a_table_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "german.tsv").write_text("# verbs\n1\ten\t-\n1\tst\t-\n1\tt\t-\tnicht\n")
    (tmp_path / "words.tsv").write_text("machen\nmachst\nmacht\nnicht\nnichten\n")
    kind = neighborhood("sub1stem(words.tsv, suffixes=german.tsv)")
    assert set(kind(["macht"]).strings()) == {("macht",), ("machen",), ("machst",)}
    assert set(kind(["nicht"]).strings()) == {("nicht",), ("nichten",)}


@pytest.mark.parametrize(
    ("text", "message"),
    [("1\ten\n", "'1 en' is no rule"), ("# nothing\n", "a table of suffixes has rows")],
)
def test_a_bad_table_is_told(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.tsv").write_text(text)
    with pytest.raises(ValueError, match=message):
        Suffixes.read(str(tmp_path / "bad.tsv"))
