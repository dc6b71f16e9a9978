"""Verb phrases of the Penn Treebank as those of ICE-GB: the verb with its auxiliaries, objects beside it.

Brooks (2006) counts 50,280 VP among 117,776 NP of ICE-GB, 68 % of them one verb (his Table 4):
its VP is a verb group, a sister of objects and adverbials in a flat clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstce.corpora import Tree

_VERB = re.compile(r"VB[DGNPZ]?|MD|TO")
_NOMINAL = re.compile(r"(NP|NML)(?![A-Z])")
_INSIDE = frozenset({"RB", "ADVP"})


def verb_groups(tree: Tree) -> Tree:
    """The tree with its verb phrases flattened and each run of verbs made a phrase.

    >>> from fstce.corpora import parse_tree
    >>> tree = parse_tree("(S (NP (PRP We)) (VP (MD may) (RB not) (VP (VB go) (NP (NN home)))) (. .))")
    >>> print(verb_groups(tree))
    (S (NP (PRP We)) (VP (MD may) (RB not) (VB go)) (NP (NN home)) (. .))
    """
    if tree.is_preterminal:
        return tree
    return Tree(tree.label, tuple(_grouped(list(_flattened(tree, tree.label == "VP")))))


def flat_noun_phrases(tree: Tree) -> Tree:
    """The tree whose noun phrases hold the words of the inner one that they begin with, but for conjuncts.

    The Penn treebank has [[the top] [of it]], ICE-GB [the top [of it]].

    >>> from fstce.corpora import parse_tree
    >>> print(flat_noun_phrases(parse_tree("(NP (NP (DT the) (NN top)) (PP (IN of) (NP (PRP it))))")))
    (NP (DT the) (NN top) (PP (IN of) (NP (PRP it))))
    """
    if tree.is_preterminal:
        return tree
    children = [flat_noun_phrases(child) for child in tree.children if isinstance(child, Tree)]
    inner = children[0]
    conjoined = any(child.label in ("CC", "CONJP") for child in children)
    if len(children) > 1 and not (inner.is_preterminal or conjoined) and _is_nominal(tree, inner):
        children[:1] = [child for child in inner.children if isinstance(child, Tree)]
    return Tree(tree.label, tuple(children))


def _is_nominal(*trees: Tree) -> bool:
    return all(_NOMINAL.match(tree.label) for tree in trees)


def _flattened(phrase: Tree, is_verbal: bool) -> Iterator[tuple[Tree, bool]]:
    """The children of a phrase, those of its verb phrases in their place; which are a verb phrase's verbs."""
    for child in phrase.children:
        if isinstance(child, Tree):
            if child.label == "VP" and not child.is_preterminal:
                yield from _flattened(child, True)
            else:
                is_verb = is_verbal and child.is_preterminal and bool(_VERB.fullmatch(child.label))
                yield verb_groups(child), is_verb


def _grouped(children: list[tuple[Tree, bool]]) -> Iterator[Tree]:
    """The children with each run of verbs, and of adverbs between verbs, in a phrase of its own."""
    start = 0
    while start < len(children):
        end = start
        for at in range(start, len(children)):
            if children[at][1]:
                end = at + 1
            elif at == start or children[at][0].label not in _INSIDE:
                break
        if end > start:
            yield Tree("VP", tuple(tree for tree, _ in children[start:end]))
        else:
            yield children[start][0]
        start = max(end, start + 1)
