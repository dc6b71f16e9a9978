"""The numbers that training changes: rule probabilities and counts of lexical units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fstce.latent.model.grammar import SplitGrammar
from fstce.latent.model.lexicon import Lexicon
from fstce.latent.model.parameters import Layout
from fstce.latent.training.treebank import Treebank, treebank_grammar
from fstce.numeric.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A grammar in the making.

    Parameters
    ----------
    layout : Layout
    rules : ndarray
        Rule probabilities, as the layout has them.
    units : ndarray, shape (n_units, n_columns)
        Expected counts of lexical units with tag subcategories.
    """

    layout: Layout
    rules: Floats
    units: Floats


def state_of(treebank: Treebank) -> State:
    """The state of the unsplit grammar."""
    return state_of_grammar(treebank_grammar(treebank))


def state_of_grammar(grammar: SplitGrammar) -> State:
    """The state that a grammar was made of, to the bit: the other way of :func:`grammar_of`."""
    blocks = [p.ravel() for p in (*grammar.binary_probabilities, *grammar.unary_probabilities)]
    layout = Layout(grammar.binary, grammar.unary, grammar.sizes)
    return State(layout, np.concatenate(blocks), grammar.lexicon.counts)


def grammar_of(treebank: Treebank, state: State, sides: Ints, smoothing: float) -> SplitGrammar:
    """The grammar that a state stands for.

    Parameters
    ----------
    treebank : Treebank
    state : State
    sides : ndarray, shape (n_subcategories,)
        See :func:`~fstce.latent.training.smooth.first_split`.
    smoothing : float
        α of the lexicon.
    """
    sizes = state.layout.sizes
    binary, unary = state.layout.arrays(state.rules)
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
        lexicon=Lexicon(treebank.vocabulary, sizes[treebank.tags], state.units, sides[columns], smoothing),
    )
