"""Binary trees: X-bar intermediates, unary chains of one step, ROOT on top.

A phrase X of more than two children gets intermediate nodes ``@X`` that remember nothing
of what they hold (horizontal order 0) nor of what is above X (vertical order 1). A chain of
unaries X → Y → Z over one span becomes X → Z; the labels between are returned with the
tree. X → X is dropped. So over a span stand at most a binary node or a tag and one unary
node, and ROOT over all is unary.

A phrase label that a tag or ROOT has too, or that ends in ``^``, gets one more ``^``: no
symbol is both a tag and a phrase.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from fstce.corpora.trees import Tree
from fstce.errors import CorpusError

ROOT = "ROOT"
INTERMEDIATE = "@"
_MARK = "^"


# The labels that a unary step leaves out, from the top: none where the chain has one link.
Chain = tuple[str, ...]


class Binarized(NamedTuple):
    """A binary tree, and the chain of each unary step of it, in the order in which they close."""

    tree: Tree
    chains: list[Chain]


def binarize(tree: Tree, tags: Collection[str] = ()) -> Binarized:
    """The binary tree with ROOT on top, and the chains that its unary steps stand for.

    Intermediate nodes branch to the left: X → @X C_n. ``tags``: tags of other trees, whose names
    phrases shall not have either.

    >>> from fstce.corpora import parse_tree
    >>> print(binarize(parse_tree("(S (NP (PRP We)) (VP (VBP walk)) (. .))")).tree)
    (ROOT (S (@S (NP (PRP We)) (VP (VBP walk))) (. .)))
    >>> binarize(parse_tree("(S (VP (VB Go)))"))
    Binarized(tree=<Tree (ROOT (VB Go))>, chains=[('S', 'VP')])
    """
    reserved = {ROOT, *tags, *(tag for _, tag in tree.pos())}
    chains: list[Chain] = []

    def binary(node: Tree, children: list[Tree]) -> Tree:
        _check(node)
        if node.is_preterminal:
            return node
        marked = node.label in reserved or node.label.endswith(_MARK)
        return _node(node.label + _MARK * marked, children, chains)

    under_root = tree.fold(binary)
    return Binarized(_unary_step(ROOT, under_root, chains), chains)


def _node(label: str, trees: list[Tree], chains: list[Chain]) -> Tree:
    """A phrase over binary trees."""
    if len(trees) == 1:
        return _unary_step(label, trees[0], chains)

    inner = INTERMEDIATE + label
    while len(trees) > 2:
        trees[:2] = [Tree(inner, tuple(trees[:2]))]
    return Tree(label, tuple(trees))


def _unary_step(label: str, child: Tree, chains: list[Chain]) -> Tree:
    """A phrase over one tree.

    The last chain is that of the tree, if it is unary, and grows with it.
    """
    if child.label == label and not child.is_preterminal:
        return child

    between: Chain = ()
    if not child.is_preterminal and len(child.children) == 1:
        between = (child.label, *chains.pop())
        child = _only(child)
        if child.label == label:
            return child
    chains.append(between)
    return Tree(label, (child,))


def _only(tree: Tree) -> Tree:
    child = tree.children[0]
    return child if isinstance(child, Tree) else tree


def plain(label: str) -> str:
    """The label of a phrase without the mark that kept it apart from tags."""
    return label.removesuffix(_MARK)


def _check(node: Tree) -> None:
    if not node.children:
        raise CorpusError(f"({node.label}) holds no word; a word goes with its tag: (NN dog)")
    if not node.is_preterminal and any(isinstance(child, str) for child in node.children):
        raise CorpusError(
            f"({node.label} …) holds a word among other children; each word goes under one tag"
        )
    if node.label.startswith(INTERMEDIATE) and not (node.is_preterminal and len(node.label) == 1):
        raise CorpusError(
            f"the label {node.label!r} begins with {INTERMEDIATE!r}, as intermediate nodes do; "
            "rename it"
        )
