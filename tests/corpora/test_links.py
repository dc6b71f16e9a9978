"""Dependency trees as text: the heads are read back from the letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora.links import columns, stacked, tree_text
from fstce.errors import CorpusError


@st.composite
def any_heads(draw: st.DrawFn) -> list[int]:
    """Heads of 1 to 40 words, trees or not, projective or not."""
    n = draw(st.integers(1, 40))
    others = [[head for head in range(n + 1) if head != word] for word in range(1, n + 1)]
    return [draw(st.sampled_from(choices)) for choices in others]


@given(any_heads())
def test_the_lines_show_the_heads_and_how_deep_words_are(heads: list[int]) -> None:
    lines = tree_text(["w"] * len(heads), heads, ["T"] * len(heads)).split("\n")
    for number, line in enumerate(lines, 1):
        depth, above, seen = 0, heads[number - 1], {number}
        while above and above not in seen:
            depth, above = depth + 1, heads[above - 1] if seen.add(above) is None else 0
        assert line.strip() == f"{number} w T → {heads[number - 1]}"
        if above == 0:
            assert len(line) - len(line.lstrip()) == 2 * depth


def test_widths() -> None:
    assert [columns(word) for word in ("犬", "e\u0301", "", "ab")] == [2, 1, 0, 2]


def test_one_word() -> None:
    assert tree_text(["Yes"], [0]) == "1 Yes → 0"


@given(heads=any_heads())
def test_links_on_one_level_keep_apart(heads: list[int]) -> None:
    spans = [(link.level, *sorted((link.head, link.child))) for link in stacked(heads) if link.head]
    for number, (level, left, right) in enumerate(spans):
        for other, start, end in spans[number + 1 :]:
            assert level != other or right <= start or end <= left


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
