"""What a latent grammar has learned.

Subcategories, each with its share, likely words and likely rules.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.errors import ParameterError
from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.numeric.types import Floats

_WORDS_AT_ONCE = 2000


class Subcategory(NamedTuple):
    """A subcategory of a symbol.

    ``number``: from 0. ``share``: of all occurrences of the symbol, the share expected to be this
    one. ``likely``: words or right-hand sides of rules with their probabilities, likeliest first.
    """

    symbol: str
    number: int
    share: float
    likely: list[tuple[str, float]]

    @property
    def name(self) -> str:
        """As in ``NN-3``."""
        return f"{self.symbol}-{self.number}"


def subcategories(grammar: SplitGrammar, symbol: str, n: int = 10) -> list[Subcategory]:
    """The subcategories of a symbol with their n likeliest words, or rules if it is a phrase.

    ``symbol``: such as ``"NN"``, ``"NP"`` or, for an intermediate node, ``"@NP"``.
    """
    if symbol not in grammar.symbols:
        near = [name for name in grammar.symbols if name.lower() == symbol.lower()]
        hint = f"did you mean {near[0]!r}?" if near else f"it has {' '.join(grammar.symbols)}"
        raise ParameterError(f"the grammar has no symbol {symbol!r}; {hint}")
    place = grammar.symbols.index(symbol)
    tags = grammar.tags.tolist()
    likely = _words(grammar, tags.index(place), n) if place in tags else _rules(grammar, place, n)
    edges = grammar.offsets
    here = expected_counts(grammar)[edges[place] : edges[place + 1]]
    total = here.sum()
    share = here / total if total > 0 else here
    return [
        Subcategory(symbol, number, float(share[number]), found)
        for number, found in enumerate(likely)
    ]


def expected_counts(grammar: SplitGrammar) -> Floats:
    """How often each subcategory is expected in a tree that the grammar generates, by flat
    position.

    With M the expected children of each subcategory, the counts are the row e = e_ROOT + e M
    (Booth & Thompson 1973).
    """
    size, edges = grammar.n_subcategories, grammar.offsets.tolist()
    children = np.zeros((size, size))
    for rule, table in zip(grammar.productions, grammar.tables, strict=True):
        parent, *below = (slice(edges[s], edges[s + 1]) for s in rule)
        for axis, child in enumerate(below, 1):
            others = tuple(other for other in range(1, len(rule)) if other != axis)
            children[parent, child] += table.sum(axis=others)
    root = np.zeros(size)
    root[0] = 1.0
    return np.asarray(np.linalg.solve(np.eye(size) - children.T, root), dtype=np.float64)


def _words(grammar: SplitGrammar, tag: int, n: int) -> list[list[tuple[str, float]]]:
    """The likeliest known words of each subcategory of a tag."""
    lexicon = grammar.lexicon
    edges = offsets_of(lexicon.sizes)
    words = [*lexicon.vocabulary.frequent, *lexicon.vocabulary.rare]
    columns = [
        lexicon.scores(words[at : at + _WORDS_AT_ONCE])[:, edges[tag] : edges[tag + 1]]
        for at in range(0, len(words), _WORDS_AT_ONCE)
    ]
    scores = np.concatenate(columns)
    return [[(words[i], float(column[i])) for i in _top(column, n)] for column in scores.T]


def _rules(grammar: SplitGrammar, symbol: int, n: int) -> list[list[tuple[str, float]]]:
    """The likeliest right-hand sides of each subcategory of a phrase."""
    names: list[tuple[str, ...]] = []
    blocks: list[Floats] = []
    chains = [*[()] * len(grammar.binary), *grammar.chains]
    for rule, table, between in zip(grammar.productions, grammar.tables, chains, strict=True):
        if rule[0] == symbol:
            above = tuple(f"{label} →" for label in between)
            names += [
                (*above, *_named(grammar, rule[1:], where))
                for where in np.ndindex(*table.shape[1:])
            ]
            blocks.append(table.reshape(len(table), -1))
    size = int(grammar.sizes[symbol])
    rows = np.concatenate(blocks, axis=1) if blocks else np.zeros((size, 0))
    return [[(" ".join(names[i]), float(row[i])) for i in _top(row, n)] for row in rows]


def _named(grammar: SplitGrammar, symbols: list[int], numbers: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"{grammar.symbols[s]}-{i}" for s, i in zip(symbols, numbers, strict=True))


def _top(values: Floats, n: int) -> list[int]:
    """The places of the n greatest values above 0, the greatest first.

    Equal ones in their order.
    """
    order = np.argsort(-values, kind="stable")[:n]
    return [int(i) for i in order if values[i] > 0]
