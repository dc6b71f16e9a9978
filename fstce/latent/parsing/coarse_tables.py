"""The rules of an unsplit grammar as the coarse pass sums over them: matrices, and pairs of symbols."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.numeric.types import Ints


class TagPairs(NamedTuple):
    """Pairs of symbols one of which is a tag at least: the row of each among operands, and their sums.

    ``sums`` adds up, for each operand, what its pairs give: first those where it is the left symbol.
    """

    left: Ints
    right: Ints
    sums: sparse.csr_array


class CoarseTables:
    """The rules of an unsplit grammar as matrices.

    A tag stands over one word, so that it meets one split point of a span. Pairs of symbols are
    numbered by kind: of two phrases, of a tag and a phrase, of a phrase and a tag, of two tags.

    ``grammar``: every symbol has one subcategory. ``lefts``, ``rights``: the phrases that are left children
    of a binary rule, and the right ones. ``phrases`` (n_pairs, 2): pairs of two phrases, by their places
    among `lefts` and `rights`. ``beside_tags``: the other pairs, by whether the span has two words.
    """

    def __init__(self, grammar: SplitGrammar) -> None:
        self.grammar = grammar
        self.n_symbols = n = len(grammar.symbols)
        rules = grammar.binary.reshape(-1, 3)
        kind = np.isin(rules[:, 1:], grammar.tags) @ (1, 2)
        numbered = np.column_stack([kind, rules[:, 1:]])
        pairs, pair = np.unique(numbered, axis=0, return_inverse=True)
        cuts = np.searchsorted(pairs[:, 0], np.arange(5)).tolist()
        left, right = pairs[:, 1], pairs[:, 2]
        tags = np.isin(left, grammar.tags), np.isin(right, grammar.tags)
        self.lefts, self.left_tags = np.unique(left[~tags[0]]), np.unique(left[tags[0]])
        self.rights, self.right_tags = np.unique(right[~tags[1]]), np.unique(right[tags[1]])
        self.n_phrases = cuts[1]
        self.phrases = pairs[: cuts[1], 1:].copy()
        for side, symbols in enumerate((self.lefts, self.rights)):
            self.phrases[:, side] = np.searchsorted(symbols, self.phrases[:, side])
        # The operands of pairs with a tag, in this order; two tags take the last ones.
        groups = self.left_tags, self.rights, self.lefts, self.right_tags, self.right_tags
        self.operands = offsets_of(np.array([len(group) for group in groups]))
        places = [
            (a + np.searchsorted(groups[one], left[i:j]), b + np.searchsorted(groups[other], right[i:j]))
            for (one, other), (i, j) in zip(((0, 1), (2, 3), (0, 4)), pairwise(cuts[1:]), strict=True)
            for a, b in [(self.operands[one], self.operands[other])]
        ]
        self.beside_tags = {two: self._tag_pairs(places if two else places[:2]) for two in (False, True)}
        self.binary = np.array([table.item() for table in grammar.binary_probabilities], dtype=np.float64)
        table = sparse.csr_array((self.binary, (rules[:, 0], pair.reshape(-1))), shape=(n, cuts[-1]))
        self.rules = {two: table[:, : cuts[4 if two else 3]].tocsr() for two in (False, True)}
        self.rules_of_pair = {two: part.T.tocsr() for two, part in self.rules.items()}
        self.lift = np.eye(n)
        for (above, below), table in zip(grammar.unary, grammar.unary_probabilities, strict=True):
            self.lift[below, above] += table.item()
        self.lift_inside = self.lift.copy()
        self.lift_inside[:, 0] = 0.0

    def _tag_pairs(self, places: Sequence[tuple[Ints, Ints]]) -> TagPairs:
        left, right = (np.concatenate(column) for column in zip(*places, strict=True))
        target = np.concatenate([left, right])
        ones = np.ones(len(target))
        shape = (int(self.operands[-1]), len(target))
        return TagPairs(left, right, sparse.csr_array((ones, (target, np.arange(len(target)))), shape=shape))
