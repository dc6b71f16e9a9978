"""A step beyond Brooks (2006): learned brackets filled up to binary trees, against right-branching
ones.

The systems find few brackets, with high precision; right-branching trees have a bracket for every
word. What a learned bracket leaves open is filled by branching to one side, and which side that is
is learned too: phrases begin with their frequent words (*the*, *of*) where they branch to the
right, and end with them where they branch to the left, so that a text read backwards is filled
the other way.

Cut at punctuation marks, each stretch between two is a sentence to the systems (Spitkovsky et al.
2011 constrain dependencies so). ICE-GB's phrases out of the Penn Treebank's: Brooks (2006) counts
50,280 VP among 117,776 NP, 68 % of them one verb (his Table 4), so that a VP is a verb group, a
sister of objects.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from fstce.corpora import Tree

Span = tuple[int, int]
Labelled = tuple[str, int, int]

# The stretches between punctuation marks, as brackets.
STRETCH = "stretch"


def stretches(n: int, cuts: Sequence[int]) -> list[Labelled]:
    """The parts of n words between the places where a punctuation mark stands.

    >>> stretches(5, [2])
    [('stretch', 0, 2), ('stretch', 2, 5)]
    """
    ends = [0, *cuts, n]
    return [(STRETCH, start, end) for start, end in pairwise(ends)]


def filled(n: int, spans: Iterable[Labelled], right: bool = True) -> list[Span]:
    """The binary tree over n words that has these brackets and branches to one side within each.

    ``spans``: label, first word, and the word after the last; none crosses another. Returns n − 1
    brackets, the whole first.

    >>> filled(5, [("C1", 1, 3)])
    [(0, 5), (1, 5), (3, 5), (1, 3)]
    >>> filled(5, [("C1", 1, 3)], right=False)
    [(0, 5), (0, 3), (0, 4), (1, 3)]
    """
    brackets = {(0, n), *((start, end) for _, start, end in spans if 1 < end - start < n)}
    tree: list[Span] = []
    for start, end in sorted(brackets, key=lambda span: (span[0], -span[1])):
        # Where the parts of the phrase begin: its inner phrases, and the words outside of these.
        inner = (span for span in brackets - {(start, end)} if start <= span[0] and span[1] <= end)
        inside = {
            at for inner_start, inner_end in inner for at in range(inner_start + 1, inner_end)
        }
        begins = [at for at in range(start, end) if at not in inside]
        if end - start > 1:
            tree.append((start, end))
            if right:
                tree += [(at, end) for at in begins[1:-1]]
            else:
                tree += [(start, at) for at in begins[2:]]
    return tree


def branches_right(words: Sequence[Sequence[str]], spans: Sequence[Iterable[Labelled]]) -> bool:
    """Whether brackets rather begin with frequent words than end with them; where both are alike,
    yes.
    """
    counts = Counter(word for sentence in words for word in sentence)
    edges = [
        (counts[sentence[start]], counts[sentence[end - 1]])
        for sentence, found in zip(words, spans, strict=True)
        for _, start, end in found
        if end - start > 1
    ]
    first, last = np.log(np.array(edges or [(1, 1)])).mean(axis=0)
    return bool(first >= last)


_VERB = re.compile(r"VB[DGNPZ]?|MD|TO")
_NOMINAL = re.compile(r"(NP|NML)(?![A-Z])")
_INSIDE = frozenset({"RB", "ADVP"})


def verb_groups(tree: Tree) -> Tree:
    """The tree with its verb phrases flattened and each run of verbs made a phrase."""
    if tree.is_preterminal:
        return tree
    return Tree(tree.label, tuple(_grouped(list(_flattened(tree, tree.label == "VP")))))


def flat_noun_phrases(tree: Tree) -> Tree:
    """The tree whose noun phrases hold the words of the inner one that they begin with, but for
    conjuncts.

    The Penn treebank has [[the top] [of it]], ICE-GB [the top [of it]].
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
    """The children of a phrase, those of its verb phrases in their place; which are a verb phrase's
    verbs.
    """
    for child in phrase.children:
        if isinstance(child, Tree):
            if child.label == "VP" and not child.is_preterminal:
                yield from _flattened(child, True)
            else:
                is_verb = is_verbal and child.is_preterminal and bool(_VERB.fullmatch(child.label))
                yield verb_groups(child), is_verb


def _grouped(children: list[tuple[Tree, bool]]) -> Iterator[Tree]:
    """The children with each run of verbs, and of adverbs between verbs, in a phrase of its own."""
    kinds = ""
    for tree, is_verb in children:
        if is_verb:
            kinds += "v"
        else:
            kinds += "a" if tree.label in _INSIDE else "."

    for run in re.finditer(r"v(a*v)*|.", kinds):
        trees = tuple(tree for tree, _ in children[run.start() : run.end()])
        yield Tree("VP", trees) if run[0][0] == "v" else trees[0]
