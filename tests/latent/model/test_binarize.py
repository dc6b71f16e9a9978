"""Binarization: shapes worked by hand, and round trips over random trees."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Sentence, Tree, parse_tree
from fstce.errors import CorpusError
from fstce.latent.model.binarize import binarize
from fstce.latent.parsing.maxrule import tree_of
from fstce.latent.parsing.pruned_forest import WORD
from fstce.latent.training.treebank import read_treebank, treebank_grammar

PHRASES = ("S", "NP", "NN", "ROOT", "X^", "VP")
TAGS = ("NN", "VB", "@")


def leaves() -> st.SearchStrategy[Tree]:
    return st.builds(
        lambda tag, word: Tree(tag, (word,)), st.sampled_from(TAGS), st.sampled_from("abc")
    )


def grown(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    below = st.lists(children, min_size=1, max_size=5)
    return st.builds(lambda label, kept: Tree(label, tuple(kept)), st.sampled_from(PHRASES), below)


trees = st.recursive(leaves(), grown, max_leaves=12)


def without_loops(tree: Tree) -> Tree:
    """The tree without X → X; X → Y → X is left alone."""
    if tree.is_preterminal:
        return tree
    children = tuple(without_loops(child) for child in tree.children)
    (first, *others) = children
    return (
        first
        if not others and first.label == tree.label and not first.is_preterminal
        else Tree(tree.label, children)
    )


def has_return(tree: Tree) -> bool:
    """Whether a label comes back in one unary chain."""
    for node in tree.nodes():
        seen, at = [], node
        while not at.is_preterminal:
            if at.label in seen:
                return True
            seen.append(at.label)
            if len(at.children) > 1:
                break
            at = at.children[0]
    return False


def there_and_back(tree: Tree) -> Tree:
    """The tree from the nodes of its treebank of one, as of a derivation."""
    treebank = read_treebank([Sentence(tree.leaves(), tree=tree)])
    words, order, stack = np.cumsum(treebank.unit >= 0) - 1, list[int](), [len(treebank.symbol) - 1]
    while stack:
        order.append(stack.pop())
        left, right = treebank.children[:, order[-1]].tolist()
        stack += [child for child in (right, left) if child >= 0]
    nodes = np.arange(len(treebank.symbol))
    rule = np.where(treebank.production < 0, WORD, treebank.production)
    forest = SimpleNamespace(
        edges=SimpleNamespace(rule=rule, parent=nodes),
        symbol=treebank.symbol,
        span=nodes,
        start=words,
    )
    return tree_of(forest, treebank_grammar(treebank), order, tree.leaves())


@given(trees)
def test_the_tree_of_its_derivation_is_the_tree(tree: Tree) -> None:
    bare = without_loops(tree)
    if not has_return(bare):
        assert there_and_back(tree) == bare


@given(trees)
def test_chains_come_as_their_nodes_close(tree: Tree) -> None:
    found = binarize(tree)
    unary = [
        node for node in closing(found.tree) if len(node.children) == 1 and not node.is_preterminal
    ]
    assert len(unary) == len(found.chains)


def closing(tree: Tree) -> list[Tree]:
    """The nodes of a tree, children first."""
    below = [node for child in tree.children if isinstance(child, Tree) for node in closing(child)]
    return [*below, tree]


@given(trees)
def test_words_and_tags_stay(tree: Tree) -> None:
    assert binarize(tree).tree.pos() == tree.pos()


@given(trees)
def test_shape(tree: Tree) -> None:
    binary = binarize(tree).tree
    tags = {tag for _, tag in tree.pos()}
    assert binary.label == "ROOT" and len(binary.children) == 1
    for node in binary.nodes():
        if node.is_preterminal:
            continue
        assert node.label not in tags and len(node.children) <= 2
        if len(node.children) == 1:
            (child,) = node.children
            assert child.label != node.label
            assert child.is_preterminal or len(child.children) == 2
        assert all(child.label != "ROOT" for child in node.children)


@given(trees)
def test_intermediates_have_siblings_on_their_side(tree: Tree) -> None:
    for node in binarize(tree).tree.nodes():
        for place, child in enumerate(node.children):
            if isinstance(child, Tree) and child.label.startswith("@") and not child.is_preterminal:
                assert len(node.children) == 2 and place == 0
                assert child.label == "@" + node.label.removeprefix("@")


def test_chains_and_loops() -> None:
    tree = parse_tree("(S (S (NP (QP (NP (CD 1)))) (VP (VP (VB go) (NP (NN x))))))")
    found = binarize(tree)
    assert str(found.tree) == "(ROOT (S (NP (CD 1)) (VP (VB go) (NP (NN x)))))"
    assert found.chains == [("QP", "NP"), (), ()]


def test_long_chain() -> None:
    found = binarize(parse_tree("(X (S (VP (VB go))) (. .))"))
    assert str(found.tree) == "(ROOT (X (S (VB go)) (. .)))"
    assert found.chains == [("VP",), ()]
    assert (
        str(there_and_back(parse_tree("(X (S (VP (VB go))) (. .))")))
        == "(X (S (VP (VB go))) (. .))"
    )


def test_phrases_never_share_names_with_tags() -> None:
    tree = parse_tree("(NN (NN a) (NN b))")
    assert str(binarize(tree).tree) == "(ROOT (NN^ (NN a) (NN b)))"
    assert there_and_back(tree) == tree
    assert (
        str(binarize(parse_tree("(NP (DT a) (XX b))"), tags=["NP"]).tree)
        == "(ROOT (NP^ (DT a) (XX b)))"
    )


def test_deep_and_wide_trees() -> None:
    wide = Tree("NP", tuple(Tree("NN", (str(i),)) for i in range(3000)))
    assert there_and_back(wide) == wide
    deep = Tree("NN", ("a",))
    for i in range(3000):
        deep = Tree("AB"[i % 2], (deep, Tree("NN", ("b",))))
    assert str(there_and_back(deep)) == str(deep)


@pytest.mark.parametrize(
    ("tree", "part"),
    [
        (Tree("S", ()), "holds no word"),
        (Tree("S", (Tree("NP", ()),)), "holds no word"),
        (Tree("S", ("a", "b")), "among other children"),
        (Tree("S", (Tree("NN", ("a",)), "b")), "among other children"),
        (Tree("@S", (Tree("NN", ("a",)), Tree("NN", ("b",)))), "begins with '@'"),
        (Tree("@NN", ("a",)), "begins with '@'"),
    ],
)
def test_unusable_trees(tree: Tree, part: str) -> None:
    with pytest.raises(CorpusError, match=part):
        binarize(tree)
