"""Trees: printing, reading off, relabelling."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Tree, parse_tree

_NAMES = st.sampled_from(["S", "NP", "VP", "X"])
_LEAVES = st.builds(
    lambda tag, word: Tree(tag, (word,)), st.sampled_from(["NN", "VB", "-LRB-"]), _NAMES
)
_TREES = st.recursive(
    _LEAVES,
    lambda below: st.builds(Tree, _NAMES, st.lists(below, min_size=1, max_size=4).map(tuple)),
    max_leaves=12,
)
_TEXT = "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (PRP us))) (. .))"


def test_reading_off_a_tree() -> None:
    tree = parse_tree(_TEXT)
    assert tree.leaves() == ("the", "dog", "sees", "us", ".")
    assert tree.pos()[2:] == (("sees", "VBZ"), ("us", "PRP"), (".", "."))
    assert tree.spans() == (("S", 0, 5), ("NP", 0, 2), ("VP", 2, 4), ("NP", 3, 4))


def test_printing_a_tree() -> None:
    tree = parse_tree(_TEXT)
    assert str(tree) == _TEXT
    assert repr(tree) == f"<Tree {_TEXT}>"
    assert tree.pretty() == (
        "(S\n  (NP (DT the) (NN dog))\n  (VP\n    (VBZ sees)\n    (NP (PRP us)))\n  (. .))"
    )


def test_a_unary_chain_gives_a_span_a_node() -> None:
    assert parse_tree("(S (VP (VP (VB go))))").spans() == (("S", 0, 1), ("VP", 0, 1), ("VP", 0, 1))


def test_words_without_tags_and_phrases_without_words_are_of_phrases() -> None:
    chunk = Tree("S", (Tree("NP", ("the", "dog")), Tree("X", ()), Tree("VB", ("ran",))))
    assert chunk.spans() == (("S", 0, 3), ("NP", 0, 2), ("X", 2, 2))


@given(_TREES)
def test_what_is_printed_is_read_back(tree: Tree) -> None:
    assert parse_tree(str(tree)) == tree
    assert parse_tree(tree.pretty()) == tree


@given(_TREES)
def test_new_tags_change_the_tags_alone(tree: Tree) -> None:
    tags = [f"T{i}" for i in range(len(tree.leaves()))]
    other = tree.with_tags(tags)
    assert [tag for _, tag in other.pos()] == tags
    assert other.leaves() == tree.leaves()
    assert other.spans() == tree.spans()
    assert other.with_tags(tag for _, tag in tree.pos()) == tree


def test_a_tree_deeper_than_the_call_stack() -> None:
    text = "(X " * 5000 + "(NN deep)" + ")" * 5000
    tree = parse_tree(text)
    assert tree.leaves() == ("deep",)
    assert len(tree.spans()) == 5000
    assert str(tree.with_tags(["NN"])) == text
    assert tree.pretty().count("\n") == 4999


@given(_TREES)
def test_a_value_is_made_of_those_of_the_children_from_left_to_right(tree: Tree) -> None:
    text = tree.fold(lambda node, children: " ".join(children))
    assert text == " ".join(tree.leaves())
