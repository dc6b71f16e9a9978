"""Trees or not, projective or not, and lifted where words are removed: against the brute-force twins."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import ancestors, is_tree, projective_trees
from oracles_trees import is_projective as twin_is_projective

from fstce.corpora.heads import check_heads, is_projective, lifted_heads
from fstce.errors import CorpusError

Heads = tuple[int, ...]


def all_heads(n: int) -> list[Heads]:
    """Every row of n numbers from 0 to n, trees or not."""
    return list(itertools.product(range(n + 1), repeat=n))


@st.composite
def trees(draw: st.DrawFn, longest: int = 12) -> Heads:
    """A tree of up to `longest` words, projective or not: each word below one drawn before it."""
    n = draw(st.integers(1, longest))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = order[draw(st.integers(0, place - 1))]
    return tuple(heads)


def lifted_by_hand(heads: Heads, kept: list[int]) -> Heads:
    """The rule in words: the nearest ancestor kept; without one, the first such word, which is the root."""
    words = [place + 1 for place in kept]
    nearest = [
        next((above for above in ancestors(heads, word) if above in words), 0) for word in words
    ]
    first = words[nearest.index(0)]
    return tuple(
        0 if word == first else words.index(above or first) + 1
        for word, above in zip(words, nearest, strict=True)
    )


def accepted(heads: Heads) -> bool:
    try:
        check_heads(heads)
    except CorpusError:
        return False
    return True


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_trees_and_only_trees_pass(n: int) -> None:
    assert [accepted(heads) for heads in all_heads(n)] == [is_tree(heads) for heads in all_heads(n)]


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 2), (3, 7), (4, 30), (5, 143)])
def test_how_many_trees_are_projective(n: int, count: int) -> None:
    found = [heads for heads in all_heads(n) if is_tree(heads) and is_projective(heads)]
    assert len(found) == count
    assert found == projective_trees(n)


@given(trees())
def test_projective_is_what_the_twin_says(heads: Heads) -> None:
    assert is_projective(heads) == twin_is_projective(heads)


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ((2, 5), "head 5 of word 2 is outside its sentence of 2 words"),
        ((-1, 0), "head -1 of word 1 is outside its sentence of 2 words"),
        ((1,), "head 1 of word 1 is the word itself"),
        ((2, 3, 1, 0), "the heads of words 1, 2, 3 run in a cycle; no root is above them"),
        ((0, 1, 4, 5, 3, 3), "the heads of words 3, 4, 5 run in a cycle"),
        ((4, 1, 2, 3), "the heads of words 1, 2, 3, 4 run in a cycle"),
        ((0, 1, 0, 3, 0), r"words 1, 3, 5 are all roots \(head 0\); a tree has one root"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(heads: Heads, message: str) -> None:
    with pytest.raises(CorpusError, match=f"^a.conllu:7: {message}"):
        check_heads(heads, "a.conllu:7")
    with pytest.raises(CorpusError, match=f"^heads: {message}"):
        check_heads(heads)


@given(trees(), st.data())
def test_lifting(heads: Heads, data: st.DataObject) -> None:
    kept = sorted(data.draw(st.sets(st.integers(0, len(heads) - 1), min_size=1)))
    lifted = lifted_heads(heads, kept)
    assert lifted == lifted_by_hand(heads, kept)
    assert is_tree(lifted)


def test_lifting_keeps_projective_trees_projective() -> None:
    for heads in projective_trees(5):
        for size in range(1, 6):
            for kept in itertools.combinations(range(5), size):
                assert is_projective(lifted_heads(heads, kept)), (heads, kept)


def test_nothing_removed_nothing_changes() -> None:
    for heads in projective_trees(4):
        assert lifted_heads(heads, range(4)) == heads


@pytest.mark.parametrize(
    ("heads", "kept", "lifted"),
    [
        # The root goes: its first word left is the root, others below it
        ((2, 4, 4, 0), [0, 2], (0, 1)),
        ((2, 4, 4, 0), [0, 3], (2, 0)),  # lifted over one
        ((2, 3, 4, 0), [0, 3], (2, 0)),  # over two
        ((2, 0), [], ()),
        # A further root that goes: what it leaves attaches to the root
        ((0, 3, 0), [0, 1], (0, 1)),
        # The root that stays is the root, though a word before it lost its head
        ((2, 0, 0), [0, 2], (2, 0)),
    ],
)
def test_lifting_worked_by_hand(heads: Heads, kept: list[int], lifted: Heads) -> None:
    assert lifted_heads(heads, kept) == lifted


def test_lifting_refuses_what_is_no_tree() -> None:
    with pytest.raises(CorpusError, match="b:1: words 1, 3 are all roots"):
        lifted_heads((0, 1, 0), [0, 1, 2], "b:1")
    with pytest.raises(CorpusError, match="b:1: the heads of words 2, 3 run in a cycle"):
        lifted_heads((0, 3, 2), [0], "b:1")
