"""The subcategories of a latent grammar, each with its share, likely words and likely rules."""

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
        """The symbol and the number, such as ``NN-3``."""
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
    if place in tags:
        likely = _words(grammar, tags.index(place), n)
    else:
        likely = _rules(grammar, place, n)

    begin, end = grammar.offsets[place : place + 2]
    share = expected_counts(grammar)[begin:end]
    if share.sum() > 0:
        share = share / share.sum()
    return [
        Subcategory(symbol, number, float(share[number]), names)
        for number, names in enumerate(likely)
    ]


def expected_counts(grammar: SplitGrammar) -> Floats:
    """How often each subcategory is expected in a tree of the grammar, (n_subcategories,).

    With M the expected children of each subcategory, the counts are the row e = e_ROOT + e M
    (Booth & Thompson 1973).
    """
    size = grammar.n_subcategories
    offsets = grammar.offsets.tolist()
    children = np.zeros((size, size))
    for rule, table in zip(grammar.productions, grammar.tables, strict=True):
        parent, *below = (slice(offsets[symbol], offsets[symbol + 1]) for symbol in rule)
        for axis, child in enumerate(below, 1):
            siblings = tuple(range(1, axis)) + tuple(range(axis + 1, len(rule)))
            children[parent, child] += table.sum(axis=siblings)

    root = np.zeros(size)
    root[0] = 1.0
    return np.asarray(np.linalg.solve(np.eye(size) - children.T, root), dtype=np.float64)


def _words(grammar: SplitGrammar, tag: int, n: int) -> list[list[tuple[str, float]]]:
    """The likeliest known words of each subcategory of a tag."""
    lexicon = grammar.lexicon
    begin, end = offsets_of(lexicon.sizes)[tag : tag + 2]
    words = [*lexicon.vocabulary.frequent, *lexicon.vocabulary.rare]

    parts = []
    for at in range(0, len(words), _WORDS_AT_ONCE):
        parts.append(lexicon.scores(words[at : at + _WORDS_AT_ONCE])[:, begin:end])
    return [_likeliest(words, column, n) for column in np.concatenate(parts).T]


def _rules(grammar: SplitGrammar, symbol: int, n: int) -> list[list[tuple[str, float]]]:
    """The likeliest right-hand sides of each subcategory of a phrase."""
    names: list[str] = []
    blocks: list[Floats] = [np.zeros((int(grammar.sizes[symbol]), 0))]
    chains = [*[()] * len(grammar.binary), *grammar.chains]

    for rule, table, between in zip(grammar.productions, grammar.tables, chains, strict=True):
        if rule[0] != symbol:
            continue
        above = [f"{label} →" for label in between]
        for numbers in np.ndindex(*table.shape[1:]):
            names.append(" ".join((*above, *_named(grammar, rule[1:], numbers))))
        blocks.append(table.reshape(len(table), -1))

    return [_likeliest(names, row, n) for row in np.concatenate(blocks, axis=1)]


def _named(grammar: SplitGrammar, symbols: list[int], numbers: tuple[int, ...]) -> list[str]:
    """The names of subcategories by their symbols and numbers."""
    return [f"{grammar.symbols[s]}-{i}" for s, i in zip(symbols, numbers, strict=True)]


def _likeliest(names: list[str], values: Floats, n: int) -> list[tuple[str, float]]:
    """The names of the n greatest values above 0, the greatest first, equal ones in their order."""
    order = np.argsort(-values, kind="stable")[:n]
    return [(names[i], float(values[i])) for i in order if values[i] > 0]
