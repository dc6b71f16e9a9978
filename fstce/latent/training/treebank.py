"""A treebank as arrays: binary trees as numbered nodes, rules, words, and the X-bar grammar.

Nodes of all trees lie end to end, children before parents. A node is a word under its tag,
a unary or a binary node; its production is a rule's number, binary rules before unary ones.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fstce.corpora import Sentence, Tree
from fstce.errors import CorpusError
from fstce.latent.model.binarize import ROOT, Binarized, Chain, binarize
from fstce.latent.model.lexicon import LexicalUnits, Lexicon
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.numeric.kernels import places
from fstce.numeric.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class TreebankArrays:
    """Binary trees in arrays, one entry a node, children before parents.

    ``tags`` (n_tags,): the symbols that are tags. ``binary``, ``unary`` (n, 3): the rules, sorted.
    ``chains``: for each unary rule, the labels between parent and child; a pair that stands with
    several chains is as many rules. ``production``: each node's rule: below ``len(binary)`` a
    binary one, from there a unary one; −1 for a tag. ``children`` (2, n_nodes): each node's left
    and right child; −1 where there is none; a unary node's child is the left one. ``unit``: what
    the lexicon sees at a tag: see :class:`~fstce.latent.model.lexicon.LexicalUnits`; −1 elsewhere.
    ``height``: 0 for tags, else one more than the highest child.
    """

    symbols: tuple[str, ...]
    tags: Ints
    binary: Ints
    unary: Ints
    chains: tuple[tuple[str, ...], ...]
    vocabulary: LexicalUnits
    symbol: Ints
    production: Ints
    children: Ints
    unit: Ints
    height: Ints

    def grammar(
        self, sizes: Ints, rules: Floats, units: Floats, smoothing: float = 0.0
    ) -> SplitGrammar:
        """A grammar of these symbols and rules."""
        lexicon = Lexicon(self.vocabulary, sizes[self.tags], units, smoothing)
        shared = self.symbols, self.tags, self.chains
        return SplitGrammar(self.binary, self.unary, sizes, *shared, rules, lexicon)


def read_treebank(sentences: Iterable[Sentence]) -> TreebankArrays:
    """The trees of the sentences as arrays."""
    trees = [(sentence, _tree(sentence)) for sentence in sentences]
    if not trees:
        raise CorpusError("there are no trees to learn a grammar from")
    vocabulary = LexicalUnits.of_words([tree.pos() for _, tree in trees])

    nodes = _Nodes(vocabulary)
    tags = set(vocabulary.tags)
    for sentence, tree in trees:
        # One binary tree at a time: those of a treebank would be several times its size.
        try:
            nodes.add(binarize(tree, tags))
        except CorpusError as error:
            raise CorpusError(f"{sentence.source or sentence}: {error}") from None
    return nodes.treebank(tags)


def treebank_grammar(treebank: TreebankArrays) -> SplitGrammar:
    """The unsplit grammar: relative frequencies of rules and words."""
    sizes = np.ones(len(treebank.symbols), dtype=np.int64)
    counts = np.bincount(treebank.production[treebank.production >= 0])
    parents = np.concatenate([treebank.binary[:, 0], treebank.unary[:, 0]])
    probabilities = counts / np.bincount(parents, counts)[parents]
    return treebank.grammar(sizes, probabilities, unit_counts(treebank))


def unit_counts(treebank: TreebankArrays) -> Floats:
    """How often each lexical unit stands under each tag, shape (n_units, n_tags)."""
    leaves = treebank.unit >= 0
    counts = np.zeros((treebank.vocabulary.n_units, len(treebank.tags)))
    columns = np.searchsorted(treebank.tags, treebank.symbol[leaves])
    np.add.at(counts, (treebank.unit[leaves], columns), 1.0)
    return counts


def in_parts(treebank: TreebankArrays, n_nodes: int) -> Iterator[TreebankArrays]:
    """The treebank in parts of whole trees, of at most so many nodes if a tree has no more."""
    ends = np.flatnonzero(treebank.symbol == 0) + 1
    begin = 0
    while begin < len(treebank.symbol):
        first, past = np.searchsorted(ends, [begin, begin + n_nodes], "right")
        end = int(ends[max(first, past - 1)])
        part = slice(begin, end)

        yield replace(
            treebank,
            symbol=treebank.symbol[part],
            production=treebank.production[part],
            children=np.maximum(treebank.children[:, part] - begin, -1),
            unit=treebank.unit[part],
            height=treebank.height[part],
        )
        begin = end


class _Nodes:
    """Grows the arrays of a treebank, tree by tree, its symbols and rules as they are met."""

    def __init__(self, vocabulary: LexicalUnits) -> None:
        self._vocabulary = vocabulary
        self._symbols: dict[str, int] = {ROOT: 0}
        # By the labels of parent and children, and those between if there is one child.
        self._rules: dict[tuple[tuple[str, ...], Chain], int] = {}
        # Of each node, end to end: symbol, production, left and right child, unit, height.
        self._numbers = array("i")

    def __len__(self) -> int:
        return len(self._numbers) // 6

    def add(self, binarized: Binarized) -> None:
        """Append a tree's nodes, children first."""
        chains = iter(binarized.chains)
        start = len(self)

        def number(node: Tree, children: list[Any]) -> int:
            left = right = production = unit = -1
            height = 0
            if node.is_preterminal:
                unit = self._vocabulary.unit(children[0], len(self) == start)
            else:
                below = (child.label for child in node.children if isinstance(child, Tree))
                between = next(chains) if len(children) == 1 else ()
                rule = (node.label, *below), between
                production = self._rules.setdefault(rule, len(self._rules))
                left, right, *_ = *children, -1
                height = 1 + max(self._numbers[6 * child + 5] for child in children)

            symbol = self._symbols.setdefault(node.label, len(self._symbols))
            self._numbers.extend((symbol, production, left, right, unit, height))
            return len(self) - 1

        binarized.tree.fold(number)

    def treebank(self, tags: set[str]) -> TreebankArrays:
        """The trees that have been added, as arrays."""
        symbols = (ROOT, *sorted(self._symbols.keys() - {ROOT}))
        place = places(symbols)

        # Binary rules before unary ones, each by its symbols and the labels between
        rules = [
            (-len(labels), [place[label] for label in labels], between)
            for labels, between in self._rules
        ]
        order = sorted(range(len(rules)), key=rules.__getitem__)
        ordered = [rules[i] for i in order]
        binary = [numbers for size, numbers, _ in ordered if size == -3]
        unary = [(numbers, between) for size, numbers, between in ordered if size == -2]

        columns = np.array(self._numbers, dtype=np.int64).reshape(-1, 6).T.copy()
        symbol, production, *children, unit, height = columns
        return TreebankArrays(
            symbols=symbols,
            tags=np.array(sorted(place[tag] for tag in tags), dtype=np.int64),
            binary=np.array(binary, dtype=np.int64).reshape(-1, 3),
            unary=np.array([numbers for numbers, _ in unary], dtype=np.int64).reshape(-1, 2),
            chains=tuple(between for _, between in unary),
            vocabulary=self._vocabulary,
            symbol=np.array([place[label] for label in self._symbols])[symbol],
            production=np.append(np.argsort(order), -1)[production],
            children=np.stack(children),
            unit=unit,
            height=height,
        )


def _tree(sentence: Sentence) -> Tree:
    """The tree of a sentence; raises CorpusError where it has none."""
    if sentence.tree is None:
        raise CorpusError(
            f"{sentence.source or sentence}: has no tree; a grammar is learned from trees"
        )
    return sentence.tree
