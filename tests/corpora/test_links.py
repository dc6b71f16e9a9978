"""Dependency trees as text: the heads are read back from the letters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_trees import is_projective, projective_trees

from fstce.corpora.links import columns, stacked, tree_text
from fstce.errors import CorpusError


@st.composite
def any_heads(draw: st.DrawFn) -> list[int]:
    """Heads of 1 to 40 words, trees or not, projective or not."""
    n = draw(st.integers(1, 40))
    others = [[head for head in range(n + 1) if head != word] for word in range(1, n + 1)]
    return [draw(st.sampled_from(choices)) for choices in others]


def heads_of(text: str) -> list[int]:
    """Follow each line from the child's arrow to its other end."""
    rows = text.split("\n")
    heads = []
    for number, row in enumerate(rows):
        (at,) = (place - 1 for place, letter in enumerate(row) if letter == "►")
        if at == 0:
            heads.append(0)
            continue
        step = {"┌": 1, "┬": 1, "└": -1, "┴": -1}[row[at]]
        there = number + step
        while rows[there][at] in "│┼":
            there += step
        assert rows[there][at] in ("└┴" if step == 1 else "┌┬")
        assert rows[there][at + 1] == "─", "a head has no arrow"
        heads.append(there + 1)
    return heads


@settings(deadline=None)
@given(any_heads())
def test_the_letters_show_the_heads(heads: list[int]) -> None:
    assert heads_of(tree_text(["w"] * len(heads), heads)) == heads


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_projective_trees_do_not_cross(n: int) -> None:
    for heads in projective_trees(n):
        text = tree_text(["w"] * n, heads, ["T"] * n)
        assert heads_of(text) == list(heads)
        assert "┼" not in text


@given(st.permutations(range(1, 7)), st.data())
def test_only_trees_that_are_not_projective_cross(order: list[int], data: st.DataObject) -> None:
    heads = [0] * 6
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = order[data.draw(st.integers(0, place - 1))]
    assert ("┼" in tree_text(["w"] * 6, heads)) == (not is_projective(tuple(heads)))


def test_a_chain_stays_narrow() -> None:
    assert tree_text(["w"] * 40, range(40)).split("\n")[-1] == "    └► 40 w"


def test_a_tree_drawn_by_hand() -> None:
    words, tags = ["They", "will", "walk", "today", "."], ["PRP", "MD", "VB", "NN", "."]
    drawn = tree_text(words, [2, 0, 2, 3, 2], tags).split("\n")
    assert drawn == [
        "      ┌► 1 They  PRP",
        "─►┬─┬─┴─ 2 will  MD",
        "  │ └►┬─ 3 walk  VB",
        "  │   └► 4 today NN",
        "  └►──── 5 .     .",
    ]


def test_crossing_links_drawn_by_hand() -> None:
    drawn = tree_text(["a", "b", "c", "d"], [3, 4, 0, 3]).split("\n")
    assert drawn == [
        "    ┌►── 1 a",
        "  ┌►┼─── 2 b",
        "─►┼─┴─┬─ 3 c",
        "  └───┴► 4 d",
    ]


def test_one_word() -> None:
    assert tree_text(["Yes"], [0]) == "─► 1 Yes"


def test_columns_line_up() -> None:
    text = tree_text(["犬", "cafe\u0301", "x"] * 4, [0, *range(1, 12)], ["T"] * 12)
    ends = {columns(line.removesuffix("T")) for line in text.split("\n")}
    assert len(ends) == 1
    assert [columns(word) for word in ("犬", "e\u0301", "", "ab")] == [2, 1, 0, 2]


@pytest.mark.parametrize("touching", [False, True])
@given(heads=any_heads())
def test_links_on_one_level_keep_apart(touching: bool, heads: list[int]) -> None:
    spans = [
        (link.level, *sorted((link.head, link.child)))
        for link in stacked(heads, touching)
        if link.head
    ]
    for number, (level, left, right) in enumerate(spans):
        for other, start, end in spans[number + 1 :]:
            apart = (
                right < start or end < left or (not touching and (right == start or end == left))
            )
            assert level != other or apart


@pytest.mark.parametrize(
    ("words", "heads", "tags", "message"),
    [
        ([], [], None, "a sentence without words cannot be drawn"),
        (["a"], [], None, "0 heads for 1 words"),
        (["a"], [2], None, "head 2 of word 1 is the word itself or outside its 1 words"),
        (["a"], [0], ["X", "Y"], "2 tags for 1 words"),
    ],
)
def test_what_cannot_be_drawn(words, heads, tags, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        tree_text(words, heads, tags)
