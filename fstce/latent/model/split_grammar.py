"""Treebank grammars whose symbols are split into hidden subcategories, and their hierarchy.

A symbol X of the treebank stands for subcategories X-0, X-1, …; a rule of unsplit symbols
has one array of probabilities, an axis a symbol. Flat positions number all subcategories
of all symbols in one row: those of symbol s are ``offsets[s]`` up to ``offsets[s + 1]``.
Probabilities are plain, not logs: scaling is the business of the charts.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from fstce.latent.model.lexicon import Lexicon
from fstce.latent.model.rule_layout import RuleLayout
from fstce.numeric.types import Floats, Ints


@dataclass(eq=False)
class SplitGrammar(RuleLayout):
    """A binarized treebank grammar whose symbols are split into subcategories.

    For every subcategory of a phrase the probabilities of its binary and unary rules sum to
    1, and for every subcategory of a tag those of the words.

    ``binary`` (n_binary, 3): parent, left and right symbol of each rule, sorted, distinct.
    ``unary`` (n_unary, 2): parent and child of each rule, sorted, parent ≠ child; a pair may stand
    with several chains. ``sizes`` (n_symbols,): the number of subcategories of each symbol; 1 for
    the root. ``symbols``: unsplit symbols, ``"ROOT"`` first; an intermediate one begins with ``@``.
    ``tags`` (n_tags,): the symbols that stand over words, ascending. No tag is the parent of a
    rule. ``chains``: for each unary rule, the labels between parent and child, none for a chain of
    one link. ``rules``: the probabilities of all rules, as the layout has them.
    """

    symbols: tuple[str, ...]
    tags: Ints
    chains: tuple[tuple[str, ...], ...]
    rules: Floats
    lexicon: Lexicon

    @cached_property
    def blocks(self) -> list[tuple[Floats, tuple[int, ...]]]:
        """The probabilities of each rule as a matrix (parent, left · right), and these three sizes.

        The right size of a unary rule is 1.
        """
        shapes = [(*table.shape, 1)[:3] for table in self.arrays(self.rules)]
        return list(zip(self.matrices(self.rules), shapes, strict=True))

    def __getstate__(self) -> dict[str, object]:
        """The fields: what shows the rules as arrays would be pickled as copies."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __repr__(self) -> str:
        symbols = f"{len(self.symbols)} symbols, {self.n_subcategories:,} subcategories"
        rules = f"{len(self.binary):,} binary and {len(self.unary):,} unary rules"
        return f"<SplitGrammar: {symbols}, {rules}>"

    @property
    def n_subcategories(self) -> int:
        """The number of subcategories of all symbols."""
        return int(self.sizes.sum())


@dataclass(frozen=True, slots=True, eq=False)
class SplitHierarchy:
    """The grammars of a training, coarse to fine: X-bar first, then one a cycle.

    All have the same symbols, tags and rules; some probabilities are 0.
    """

    grammars: tuple[SplitGrammar, ...]

    def __repr__(self) -> str:
        sizes = ", ".join(f"{grammar.n_subcategories:,}" for grammar in self.grammars)
        return f"<SplitHierarchy: {len(self.grammars)} grammars of {sizes} subcategories>"

    @property
    def finest(self) -> SplitGrammar:
        """The grammar after the last cycle."""
        return self.grammars[-1]
