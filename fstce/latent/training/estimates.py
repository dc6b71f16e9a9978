"""How a training goes, what its monitor hears of, and the numbers that it changes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, Protocol

import numpy as np

from fstce.latent.model.lexicon import Lexicon
from fstce.latent.model.rule_layout import RuleLayout
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parameters import SCHEDULE
from fstce.latent.training.treebank import TreebankArrays, treebank_grammar
from fstce.numeric.rules import check
from fstce.numeric.types import Floats, Ints

Stage = Literal["split", "merge", "smooth"]


@dataclass(frozen=True, slots=True)
class EMStep:
    """One iteration of EM.

    ``cycle``: from 1. ``stage``: what came before these iterations. ``iteration``: from 0 in each stage.
    ``log_likelihood``: of the training trees before the iteration's update, in nats. ``warning``: empty, or
    what is strange: the log-likelihood fell where EM cannot let it.
    """

    cycle: int
    stage: Stage
    iteration: int
    log_likelihood: float
    subcategories: int
    seconds: float
    warning: str = ""


class EMMonitor(Protocol):
    """Anything that wants to hear of the iterations."""

    def __call__(self, step: EMStep) -> None:
        """Called after every iteration."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how hard to train.

    ``noise``: the relative perturbation of twins.
    """

    cycles: int = 4
    split_iterations: int = 50
    merge_iterations: int = 20
    smooth_iterations: int = 10
    merged: float = 0.5
    rule_smoothing: float = 0.01
    lexicon_smoothing: float = 0.1
    noise: float = 0.01

    def __post_init__(self) -> None:
        """Check the ranges."""
        check(SCHEDULE, **asdict(self))


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

    ``sides`` (n_subcategories,): see :func:`~fstce.latent.training.split.first_split`.
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
