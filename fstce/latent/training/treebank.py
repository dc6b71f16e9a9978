"""A treebank as arrays: binary trees as numbered nodes, rules, words, and the X-bar grammar.

Nodes of all trees lie end to end, children before parents. A node is a word under its tag,
a unary or a binary node; its production is a rule's number, binary rules before unary ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from fstce.corpora import Sentence, Tree
from fstce.errors import CorpusError
from fstce.latent.model.binarize import ROOT, Binarization, Binarized, Chain, binarize_with_chains
from fstce.latent.model.lexical_units import LexicalUnits
from fstce.latent.model.lexicon import Lexicon
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.numeric.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class TreebankArrays:
    """Binary trees in arrays, one entry a node, children before parents.

    Parameters
    ----------
    symbols : tuple of str
        ROOT first.
    tags : ndarray, shape (n_tags,)
        The symbols that are tags.
    binary, unary : ndarray, shape (n, 3) and (n, 2)
        The rules, sorted.
    chains : tuple of tuple of str
        For each unary rule, the labels between parent and child; a pair that stands with several
        chains is as many rules.
    vocabulary : LexicalUnits
    symbol : ndarray
        Each node's symbol.
    production : ndarray
        Each node's rule: below ``len(binary)`` a binary one, from there a unary one; −1 for
        a tag.
    left, right : ndarray
        Each node's children; −1 where there is none; a unary node's child is the left one.
    unit : ndarray
        What the lexicon sees at a tag: see :class:`~fstce.latent.model.lexical_units.LexicalUnits`; −1
        elsewhere.
    height : ndarray
        0 for tags, else one more than the highest child.
    """

    symbols: tuple[str, ...]
    tags: Ints
    binary: Ints
    unary: Ints
    chains: tuple[tuple[str, ...], ...]
    vocabulary: LexicalUnits
    symbol: Ints
    production: Ints
    left: Ints
    right: Ints
    unit: Ints
    height: Ints


def read_treebank(
    sentences: Iterable[Sentence], binarization: Binarization = "left", also: Iterable[Sentence] = ()
) -> TreebankArrays:
    """The trees of the sentences as arrays.

    Parameters
    ----------
    sentences : iterable of Sentence
        Each with a tree.
    binarization : {"left", "right"}
        See :func:`~fstce.latent.model.binarize.binarize`.
    also : iterable of Sentence
        With trees, whose symbols and rules are in the arrays but which are not counted: grammars
        of different parts of a treebank then have the same rules, some of probability 0.

    Raises
    ------
    CorpusError
        There are no sentences, or one has no tree, or a tree that cannot be used: the
        message names file and line.

    Examples
    --------
    >>> from fstce.corpora import parse_tree
    >>> tree = parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
    >>> treebank = read_treebank([Sentence(tree.leaves(), tree=tree, source="dogs:1")])
    >>> treebank.symbols
    ('ROOT', 'DT', 'NN', 'NP', 'S', 'VBZ', 'VP')
    >>> [treebank.symbols[i] for i in treebank.tags]
    ['DT', 'NN', 'VBZ']
    """
    given = list(sentences)
    n_counted = len(given)
    if not given:
        raise CorpusError("there are no trees to learn a grammar from")
    given += also
    trees = [_tree(sentence) for sentence in given]
    tags = {tag for tree in trees for _, tag in tree.pos()}
    binarized = [
        _binarized(tree, sentence, binarization, tags) for tree, sentence in zip(trees, given, strict=True)
    ]
    symbols = (ROOT, *sorted({node.label for b in binarized for node in b.tree.nodes()} - {ROOT}))
    ids = {symbol: i for i, symbol in enumerate(symbols)}
    vocabulary = LexicalUnits.of_words([tree.pos() for tree in trees[:n_counted]], sorted(tags))
    nodes = _Nodes(ids, vocabulary)
    for item in binarized[:n_counted]:
        nodes.add(item)
    n_nodes = len(nodes)
    for item in binarized[n_counted:]:
        nodes.add(item)
    return nodes.treebank(symbols, tags, n_nodes)


def treebank_grammar(treebank: TreebankArrays) -> SplitGrammar:
    """The unsplit grammar: relative frequencies of rules and words.

    Examples
    --------
    >>> from fstce.corpora import sample
    >>> grammar = treebank_grammar(read_treebank(sample()[:50]))
    >>> int(grammar.sizes.max()), grammar.symbols[0]
    (1, 'ROOT')
    """
    n_binary, n_rules = len(treebank.binary), len(treebank.binary) + len(treebank.unary)
    inner = treebank.production[treebank.production >= 0]
    counts = np.bincount(inner, minlength=n_rules).astype(np.float64)
    parents = np.concatenate([treebank.binary[:, 0], treebank.unary[:, 0]])
    totals = np.bincount(parents, counts, len(treebank.symbols))[parents]
    probabilities = np.divide(counts, totals, out=np.zeros(n_rules), where=totals > 0)
    return SplitGrammar(
        symbols=treebank.symbols,
        tags=treebank.tags,
        sizes=np.ones(len(treebank.symbols), dtype=np.int64),
        binary=treebank.binary,
        binary_probabilities=tuple(p.reshape(1, 1, 1) for p in probabilities[:n_binary]),
        unary=treebank.unary,
        unary_probabilities=tuple(p.reshape(1, 1) for p in probabilities[n_binary:]),
        chains=treebank.chains,
        lexicon=Lexicon.of_counts(treebank.vocabulary, unit_counts(treebank)),
    )


def unit_counts(treebank: TreebankArrays) -> Floats:
    """How often each lexical unit stands under each tag, shape (n_units, n_tags)."""
    leaves = treebank.unit >= 0
    counts = np.zeros((treebank.vocabulary.n_units, len(treebank.tags)))
    columns = np.searchsorted(treebank.tags, treebank.symbol[leaves])
    np.add.at(counts, (treebank.unit[leaves], columns), 1.0)
    return counts


class _Nodes:
    """Grows the arrays of a treebank, tree by tree."""

    def __init__(self, ids: Mapping[str, int], vocabulary: LexicalUnits) -> None:
        self._ids = ids
        self._vocabulary = vocabulary
        self._rows: list[tuple[int, int, int, int, int]] = []
        self._binary: list[tuple[int, int, int] | None] = []
        self._unary: list[tuple[int, int, tuple[str, ...]] | None] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, binarized: Binarized) -> None:
        """Append a tree's nodes, children first."""
        chains = iter(binarized.chains)
        done: list[int] = []
        opened: list[tuple[Tree, int]] = []
        first = True
        for item in binarized.tree.walk():
            if isinstance(item, Tree):
                opened.append((item, len(done)))
            elif item is None:
                node, start = opened.pop()
                symbol, children = self._ids[node.label], done[start:]
                below = [self._rows[child][0] for child in children]
                if not children:
                    unit = self._vocabulary.unit(str(node.children[0]), first)
                    first = False
                    row = (symbol, -1, -1, unit, 0)
                else:
                    height = 1 + max(self._rows[child][4] for child in children)
                    row = (symbol, children[0], children[1] if len(children) == 2 else -1, -1, height)
                self._binary.append((symbol, below[0], below[1]) if len(below) == 2 else None)
                self._unary.append((symbol, below[0], next(chains).between) if len(below) == 1 else None)
                done[start:] = [len(self._rows)]
                self._rows.append(row)

    def treebank(self, symbols: tuple[str, ...], tags: set[str], n_nodes: int) -> TreebankArrays:
        """What has been read: the rules of all nodes, and the first of them."""
        binary = sorted({rule for rule in self._binary if rule is not None})
        unary = sorted({rule for rule in self._unary if rule is not None})
        of_binary = {rule: i for i, rule in enumerate(binary)}
        of_unary = {rule: i for i, rule in enumerate(unary, len(binary))}
        rules = zip(self._binary, self._unary, strict=True)
        production = np.array(
            [of_binary[two] if two else of_unary[one] if one else -1 for two, one in rules], dtype=np.int64
        )
        symbol, left, right, unit, height = np.array(self._rows[:n_nodes], dtype=np.int64).T.copy()
        return TreebankArrays(
            symbols=symbols,
            tags=np.array(sorted(self._ids[tag] for tag in tags), dtype=np.int64),
            binary=np.array(binary, dtype=np.int64).reshape(-1, 3),
            unary=np.array([ends for *ends, _ in unary], dtype=np.int64).reshape(-1, 2),
            chains=tuple(between for *_, between in unary),
            vocabulary=self._vocabulary,
            symbol=symbol,
            production=production[:n_nodes],
            left=left,
            right=right,
            unit=unit,
            height=height,
        )


def _tree(sentence: Sentence) -> Tree:
    if sentence.tree is None:
        raise CorpusError(f"{sentence.source or sentence}: has no tree; a grammar is learnt from trees")
    return sentence.tree


def _binarized(tree: Tree, sentence: Sentence, binarization: Binarization, tags: set[str]) -> Binarized:
    try:
        return binarize_with_chains(tree, binarization, tags)
    except CorpusError as error:
        raise CorpusError(f"{sentence.source or sentence}: {error}") from None


__all__ = ["Chain", "TreebankArrays", "read_treebank", "treebank_grammar", "unit_counts"]
