"""The numbers that training changes: rule probabilities and counts of lexical units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fstce.latent.model.lexicon import Lexicon
from fstce.latent.model.rule_layout import RuleLayout
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.training.treebank import TreebankArrays, treebank_grammar
from fstce.numeric.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """The numbers of a grammar in training.

    ``rules``: rule probabilities, as the layout has them. ``units`` (n_units, n_columns): expected counts of
    lexical units with tag subcategories.
    """

    layout: RuleLayout
    rules: Floats
    units: Floats


def initial_estimates(treebank: TreebankArrays) -> Estimates:
    """The estimates of the unsplit grammar."""
    return grammar_to_estimates(treebank_grammar(treebank))


def grammar_to_estimates(grammar: SplitGrammar) -> Estimates:
    """The estimates that a grammar was made of, to the bit: the other way of :func:`to_grammar`."""
    blocks = [p.ravel() for p in (*grammar.binary_probabilities, *grammar.unary_probabilities)]
    layout = RuleLayout(grammar.binary, grammar.unary, grammar.sizes)
    return Estimates(layout, np.concatenate(blocks), grammar.lexicon.counts)


def to_grammar(treebank: TreebankArrays, estimates: Estimates, sides: Ints, smoothing: float) -> SplitGrammar:
    """The grammar that some estimates make.

    ``sides`` (n_subcategories,): see :func:`~fstce.latent.training.smooth.first_split`.
    """
    sizes = estimates.layout.sizes
    binary, unary = estimates.layout.arrays(estimates.rules)
    columns = np.isin(np.repeat(np.arange(len(sizes)), sizes), treebank.tags)
    return SplitGrammar(
        symbols=treebank.symbols,
        tags=treebank.tags,
        sizes=sizes,
        binary=treebank.binary,
        binary_probabilities=binary,
        unary=treebank.unary,
        unary_probabilities=unary,
        chains=treebank.chains,
        lexicon=Lexicon(
            treebank.vocabulary, sizes[treebank.tags], estimates.units, sides[columns], smoothing
        ),
    )
