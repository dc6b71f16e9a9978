"""Brute-force twins of the latent-variable charts: all trees of tiny grammars, one by one.

A derivation is a nested tuple: ("word", tag, i), ("identity", child), ("unary", rule, child)
or ("binary", rule, left, right), rules by their number in the grammar.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar, SplitHierarchy

SYMBOLS = ("ROOT", "@A", "A", "B", "t", "u")
BINARY = np.array(
    [
        (1, 1, 5),
        (1, 4, 3),
        (2, 1, 4),
        (2, 2, 3),
        (2, 4, 5),
        (2, 5, 4),
        (3, 3, 2),
        (3, 4, 4),
        (3, 5, 2),
    ]
)
UNARY = np.array([(0, 2), (0, 3), (0, 4), (2, 3), (2, 5), (3, 2), (3, 4)])
TAGS = np.array([4, 5])
WORDS = ("a", "b", "c")

Derivation = tuple[Any, ...]
Span = tuple[int, int]


class TableLexicon:
    """P(word | tag subcategory) from a table over ``WORDS``."""

    def __init__(self, table: np.ndarray) -> None:
        self.table = table

    def scores(self, words: Sequence[str]) -> np.ndarray:
        return self.table[[WORDS.index(word) for word in words]]

    def scores_of(self, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        return self.scores([word for words in sentences for word in words])


def tiny_grammar(rng: np.random.Generator, sizes: Sequence[int] = (1,) * 6) -> SplitGrammar:
    """Random probabilities, all positive, for the rules above."""
    sizes_of = np.array(sizes)
    binary = [rng.uniform(0.1, 1.0, [sizes[s] for s in rule]) for rule in BINARY]
    unary = [rng.uniform(0.1, 1.0, [sizes[s] for s in rule]) for rule in UNARY]
    for parent in range(4):
        tables = [
            t
            for rules, ts in ((BINARY, binary), (UNARY, unary))
            for r, t in zip(rules, ts, strict=True)
            if r[0] == parent
        ]
        total = sum(table.reshape(sizes[parent], -1).sum(axis=1) for table in tables)
        for table in tables:
            table /= total.reshape(-1, *[1] * (table.ndim - 1))
    lexicon = rng.dirichlet(np.ones(len(WORDS)), sizes_of[TAGS].sum()).T
    chains = tuple(("B",) if (a, b) == (2, 5) else () for a, b in UNARY.tolist())
    rules = np.concatenate([table.ravel() for table in (*binary, *unary)])
    return SplitGrammar(
        BINARY,
        UNARY,
        sizes_of,
        SYMBOLS,
        TAGS,
        chains,
        rules,
        TableLexicon(lexicon),
    )


def tiny_hierarchy(
    rng: np.random.Generator, sizes: Sequence[int] = (1, 2, 2, 1, 2, 1)
) -> SplitHierarchy:
    """An unsplit grammar and one that splits it, with probabilities of their own."""
    return SplitHierarchy((tiny_grammar(rng), tiny_grammar(rng, sizes)))


def derivations(length: int) -> list[Derivation]:
    """All derivations of a sentence of this many words, whatever they are."""
    return list(_above(0, 0, length, length))


def _below(symbol: int, i: int, j: int, length: int) -> Iterator[Derivation]:
    if symbol in TAGS and j == i + 1:
        yield ("word", symbol, i)
    for rule, (parent, left, right) in enumerate(BINARY.tolist()):
        if parent == symbol:
            for k in range(i + 1, j):
                lefts = list(_above(left, i, k, length))
                for one, other in itertools.product(
                    lefts, list(_above(right, k, j, length)) if lefts else []
                ):
                    yield ("binary", rule, one, other)


def _above(symbol: int, i: int, j: int, length: int) -> Iterator[Derivation]:
    if symbol != 0:
        yield from (("identity", below) for below in _below(symbol, i, j, length))
    if symbol != 0 or (i, j) == (0, length):
        for rule, (parent, child) in enumerate(UNARY.tolist()):
            if parent == symbol:
                yield from (("unary", rule, below) for below in _below(child, i, j, length))


def split_probabilities(
    grammar: SplitGrammar, words: Sequence[str], derivation: Derivation
) -> list[float]:
    """P of every split derivation of an unsplit one, by spelling out the subcategories."""
    return [p for _, p in _split(grammar, words, derivation)]


def _split(
    grammar: SplitGrammar, words: Sequence[str], derivation: Derivation
) -> list[tuple[int, float]]:
    """(Subcategory of the top, probability) of every way to split."""
    kind, what, *children = derivation
    if kind == "word":
        tag = list(TAGS).index(what)
        columns = offsets_of(grammar.sizes[TAGS])
        row = grammar.lexicon.scores([words[children[0]]])[0]
        return [(x, float(row[columns[tag] + x])) for x in range(grammar.sizes[what])]
    if kind == "identity":
        return _split(grammar, words, what)
    table = grammar.arrays(grammar.rules)[what + len(BINARY) * (kind == "unary")]
    below = [_split(grammar, words, child) for child in children]
    return [
        (x, float(table[(x, *(y for y, _ in pair))]) * math.prod(p for _, p in pair))
        for x in range(len(table))
        for pair in itertools.product(*below)
    ]


def probability(grammar: SplitGrammar, words: Sequence[str], derivation: Derivation) -> float:
    """P(T, words | G), summed over the subcategories."""
    return sum(split_probabilities(grammar, words, derivation))


def span_of(derivation: Derivation) -> Span:
    """First word and end."""
    kind, what, *children = derivation
    if kind == "word":
        return children[0], children[0] + 1
    if kind == "identity":
        return span_of(what)
    return span_of(children[0])[0], span_of(children[-1])[1]


def symbol_of(derivation: Derivation) -> int:
    kind, what = derivation[:2]
    if kind in ("word", "identity"):
        return int(what) if kind == "word" else symbol_of(what)
    return int((UNARY if kind == "unary" else BINARY)[what][0])


def instances(derivation: Derivation) -> Iterator[tuple[Any, ...]]:
    """The rule instances of a derivation: kind, rule or symbol, and positions."""
    kind, what, *children = derivation
    if kind == "word":
        yield (kind, what, children[0])
        return
    if kind == "identity":
        yield (kind, symbol_of(what), *span_of(what))
        yield from instances(what)
        return
    cut = (span_of(children[0])[1],) if kind == "binary" else ()
    yield (kind, what, *span_of(derivation), *cut)
    for child in children:
        yield from instances(child)


def posteriors(grammar: SplitGrammar, words: Sequence[str]) -> dict[tuple[Any, ...], float]:
    """The posterior probability of every rule instance."""
    found: dict[tuple[Any, ...], float] = defaultdict(float)
    total = 0.0
    for derivation in derivations(len(words)):
        p = probability(grammar, words, derivation)
        total += p
        for instance in instances(derivation):
            found[instance] += p
    return {instance: p / total for instance, p in found.items()}


def sentence_probability(grammar: SplitGrammar, words: Sequence[str]) -> float:
    return sum(probability(grammar, words, derivation) for derivation in derivations(len(words)))


def of_forest(forest: Any, edges: Sequence[int]) -> Derivation:
    """The nested tuple of a derivation of the packed forest, given by its edges, parents first."""
    done: list[Derivation] = []
    for edge in reversed(edges):
        rule, node = int(forest.edges.rule[edge]), int(forest.edges.parent[edge])
        if rule == -2:
            done.append(("word", int(forest.symbol[node]), int(forest.start[forest.span[node]])))
        elif rule == -1:
            done.append(("identity", done.pop()))
        elif rule >= len(BINARY):
            done.append(("unary", rule - len(BINARY), done.pop()))
        else:
            left, right = done.pop(), done.pop()
            done.append(("binary", rule, left, right))
    return done[0]


def edge_instances(forest: Any) -> list[tuple[Any, ...]]:
    """Each edge of a forest of one sentence as ``instances`` names it."""
    found, columns = [], (forest.edges.rule, forest.edges.parent, forest.edges.left)
    for rule, node, left in zip(*(column.tolist() for column in columns), strict=True):
        span = int(forest.span[node])
        i, j = int(forest.start[span]), int(forest.start[span] + forest.width[span])
        if rule == -2:
            found.append(("word", int(forest.symbol[node]), i))
        elif rule == -1:
            found.append(("identity", int(forest.symbol[node]), i, j))
        elif rule >= len(BINARY):
            found.append(("unary", rule - len(BINARY), i, j))
        else:
            found.append(("binary", rule, i, j, i + int(forest.width[forest.span[left]])))
    return found
