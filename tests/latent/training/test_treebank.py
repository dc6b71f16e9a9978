"""A treebank as arrays, against the trees themselves."""

from __future__ import annotations

import tracemalloc
from collections import Counter

import numpy as np
import pytest
from oracles_latent import sentences

from fstce.corpora import Sentence, Tree, sample
from fstce.errors import CorpusError
from fstce.latent.model.binarize import binarize
from fstce.latent.training.treebank import (
    TreebankArrays,
    in_parts,
    read_treebank,
    treebank_grammar,
    unit_counts,
)

TREES = (
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))",
    "(S (NP (NN cats)) (VP (VBZ see) (NP (DT the) (NN dog))) (. .))",
    "(S (VP (VBZ Barks)))",
    "(S (VP (VBZ Barks)))",
    "(X (VBZ Barks))",
)


def trees_of(treebank: TreebankArrays) -> list[Tree]:
    """The binary trees that the arrays hold, units for words."""
    built: list[Tree] = []
    for symbol, of_node, unit in zip(
        treebank.symbol, treebank.children.T, treebank.unit, strict=True
    ):
        children = [built[child] for child in of_node if child >= 0]
        built.append(Tree(treebank.symbols[symbol], tuple(children) or (str(unit),)))
    return [tree for tree in built if tree.label == "ROOT"]


def test_arrays_hold_the_trees() -> None:
    given = sample()
    tags = {tag for sentence in given for tag in sentence.tags}
    treebank = read_treebank(given)
    found = trees_of(treebank)
    assert len(found) == len(given)
    for sentence, tree in zip(given, found, strict=True):
        binary = binarize(sentence.tree, tags).tree
        unit = treebank.vocabulary.unit
        units = [str(unit(word, i == 0)) for i, word in enumerate(sentence.words)]
        assert [label for _, label in tree.pos()] == [label for _, label in binary.pos()]
        assert tree.spans() == binary.spans() and list(tree.leaves()) == units


def test_rules_are_sorted_and_productions_name_them() -> None:
    treebank = read_treebank(sentences(*TREES))
    names = treebank.symbols
    binary = [tuple(names[s] for s in rule) for rule in treebank.binary]
    assert binary == [("@S", "NP", "VP"), ("NP", "DT", "NN"), ("S", "@S", "."), ("VP", "VBZ", "NP")]
    unary = [tuple(names[s] for s in rule) for rule in treebank.unary]
    assert unary == [("ROOT", "S"), ("ROOT", "VBZ"), ("ROOT", "VBZ"), ("NP", "NN"), ("VP", "VBZ")]
    rules = [*treebank.binary.tolist(), *treebank.unary.tolist()]
    for node in np.flatnonzero(treebank.production >= 0):
        below = [treebank.symbol[child] for child in treebank.children[:, node] if child >= 0]
        assert rules[treebank.production[node]] == [treebank.symbol[node], *below]


def test_the_chains_of_one_step_are_rules_of_their_own() -> None:
    given = sentences(*TREES, "(FRAG (VP (VBZ barks)))", "(X (Y (S (VP (VBZ is)) (. .))))")
    treebank = read_treebank(given)
    names = treebank.symbols
    found = [
        (names[a], names[b], *between)
        for (a, b), between in zip(treebank.unary, treebank.chains, strict=True)
    ]
    assert [rule for rule in found if rule[:2] == ("ROOT", "VBZ")] == [
        ("ROOT", "VBZ", "FRAG", "VP"),
        ("ROOT", "VBZ", "S", "VP"),
        ("ROOT", "VBZ", "X"),
    ]
    assert ("ROOT", "S") in found and ("ROOT", "S", "X", "Y") in found
    unary = np.flatnonzero(treebank.production >= len(treebank.binary))
    assert len(unary) == sum(len(binarize(one.tree).chains) for one in given)


def test_relative_frequencies() -> None:
    given = sample()
    tags = {tag for sentence in given for tag in sentence.tags}
    rules: Counter[tuple[str, ...]] = Counter()
    for sentence in given:
        for node in binarize(sentence.tree, tags).tree.nodes():
            if not node.is_preterminal:
                rules[(node.label, *(child.label for child in node.children))] += 1
    parents: Counter[str] = Counter()
    for rule, count in rules.items():
        parents[rule[0]] += count
    grammar = treebank_grammar(read_treebank(given))
    found: Counter[tuple[str, ...]] = Counter()
    for rule, block in zip(grammar.productions, grammar.arrays(grammar.rules), strict=True):
        found[tuple(grammar.symbols[s] for s in rule)] += block.item()
    assert found == pytest.approx({rule: count / parents[rule[0]] for rule, count in rules.items()})


def test_unit_counts() -> None:
    treebank = read_treebank(sentences(*TREES))
    counts = unit_counts(treebank)
    assert counts.sum() == 12
    column = treebank.tags.tolist().index(treebank.symbols.index("VBZ"))
    assert counts[:, column].sum() == 5


def test_a_tag_and_a_phrase_of_one_name_are_two_symbols() -> None:
    treebank = read_treebank(sentences("(S (NP (DT a) (NN b)) (VP c))", "(S (VP (NN d) (NN e)))"))
    assert {"VP", "VP^"} <= set(treebank.symbols)
    assert not set(treebank.tags) & {*treebank.binary[:, 0], *treebank.unary[:, 0]}


def test_no_sentences() -> None:
    with pytest.raises(CorpusError, match="no trees"):
        read_treebank([])


def test_a_sentence_without_a_tree_is_named() -> None:
    with pytest.raises(CorpusError, match="wsj:7: has no tree"):
        read_treebank([*sentences(*TREES), Sentence(["a"], source="wsj:7")])


@pytest.mark.parametrize(
    "tree", [Tree("S", (Tree("NN", ()), Tree("NN", ("a",)))), Tree("S", ("a", "b"))]
)
def test_a_tree_that_cannot_be_used_is_named(tree: Tree) -> None:
    with pytest.raises(CorpusError, match=r"mine\.mrg:3: "):
        read_treebank([Sentence(["a"], tree=tree, source="mine.mrg:3")])


def test_strange_words() -> None:
    words = ["\u202etest", "e\u0301", "\U0001f600", "İ", "ﬁn", "ß"]
    tree = Tree("X", tuple(Tree("NN", (word,)) for word in words))
    grammar = treebank_grammar(read_treebank([Sentence(words, tree=tree)]))
    rows = grammar.lexicon.scores([*words, "\u0000", "\ud800"])
    assert (rows > 0).any(axis=1).all()


@pytest.mark.parametrize("n_nodes", [1, 60, 100_000])
def test_parts_are_whole_trees_and_end_to_end_the_treebank(n_nodes: int) -> None:
    treebank = read_treebank(sample()[:20])
    begin = 0
    for part in in_parts(treebank, n_nodes):
        assert part.symbol[-1] == 0
        assert len(part.symbol) <= n_nodes or (part.symbol == 0).sum() == 1
        end = begin + len(part.symbol)
        children = np.where(part.children >= 0, part.children + begin, -1)
        assert children.tolist() == treebank.children[:, begin:end].tolist()
        begin = end
    assert begin == len(treebank.symbol)


def test_binary_trees_are_not_kept() -> None:
    given = sample()[:200]
    read_treebank(given)  # caches
    tracemalloc.start()
    treebank = read_treebank(given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Tuples of all nodes and their binary trees took 700 bytes a node.
    assert peak < 300 * len(treebank.symbol)
