"""What a sentence gets when it is too long for one chart, or has no parse at all.

A sentence over the limit is cut behind its punctuation, each piece is parsed, and the
pieces' trees become the children of one node. A sentence without any parse gets one node
over its words under their likeliest tags. How sentences fared is a report.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from fstce.corpora import Tree
from fstce.latent.model.binarize import ROOT
from fstce.latent.model.split_grammar import SplitGrammar

_STRONG = frozenset({".", "?", "!", ";", ":", "--", "..."})
_WEAK = frozenset({",", "''", '"', "-RRB-", ")"})


def pieces(words: Sequence[str], limit: int) -> list[slice]:
    """Cut words into pieces of at most `limit`.

    The last strong punctuation mark of the second half of what a piece may hold ends it,
    else the last weak one, else the limit.

    ``limit``: at least 1.

    >>> words = "one , two three ; four five six".split()
    >>> [words[piece] for piece in pieces(words, 6)]
    [['one', ',', 'two', 'three', ';'], ['four', 'five', 'six']]
    >>> len(pieces(words, 8))
    1
    """
    found, start = [], 0
    while len(words) - start > limit:
        ends = range(start + limit, start + (limit + 1) // 2, -1)
        strong = (end for end in ends if words[end - 1] in _STRONG)
        weak = (end for end in ends if words[end - 1] in _WEAK)
        end = next(strong, None) or next(weak, start + limit)
        found.append(slice(start, end))
        start = end
    return [*found, slice(start, len(words))]


def join(label: str, trees: Sequence[Tree]) -> Tree:
    """One node over the trees of the pieces; a single tree stays as it is."""
    return trees[0] if len(trees) == 1 else Tree(label, tuple(trees))


def flat_tree(grammar: SplitGrammar, words: Sequence[str]) -> Tree:
    """One node over the words, each under the tag of the largest P(word | tag)."""
    best = grammar.tags[grammar.lexicon.scores(words).argmax(axis=1)]
    leaves = (Tree(grammar.symbols[tag], (word,)) for tag, word in zip(best.tolist(), words, strict=True))
    return Tree(top_label(grammar), tuple(leaves))


def top_label(grammar: SplitGrammar) -> str:
    """The label that most often is the whole sentence, ``S`` in the Penn Treebank."""
    tops: Counter[str] = Counter()
    rules = zip(grammar.unary.tolist(), grammar.chains, grammar.unary_probabilities, strict=True)
    for (parent, child), between, table in rules:
        if parent == 0:
            tops[(*between, grammar.symbols[child])[0]] += table.sum()
    return max(tops, key=lambda top: tops[top]).removesuffix("^") if tops else ROOT


class ParseWarning(UserWarning):
    """A sentence that did not get a parse of its own."""


@dataclass(slots=True)
class ParseReport:
    """How sentences fared, each list holding their numbers, from 1 in the order of the call.

    ``retried``: no parse under pruning; parsed with less or none. ``coarse``: no parse by the split grammars;
    given the unsplit grammar's. ``flat``: no parse at all; given a flat tree of likely tags. ``cut``: longer
    than the limit; parsed in pieces.
    """

    sentences: int = 0
    retried: list[int] = field(default_factory=list)
    coarse: list[int] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)

    def warn(self) -> None:
        """Say which sentences got no parse of their own."""
        for numbers, what in (
            (self.flat, "no parse; given a flat tree of likely tags"),
            (self.cut, "longer than max_length; parsed in pieces"),
        ):
            if numbers:
                named = ", ".join(map(str, numbers[:5])) + (", …" if len(numbers) > 5 else "")
                warnings.warn(f"{len(numbers)} sentence(s) ({named}): {what}", ParseWarning, stacklevel=4)
