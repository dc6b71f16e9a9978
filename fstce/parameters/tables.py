"""What parameters may be: the rules that the tables of the estimators are made of.

A table has for each parameter of a class what it may be and what it is, for the estimator, its
help (:class:`fstce.parameters.overview.Overview`) and the command line.

Estimators keep their parameters as they are given, as scikit-learn does, and check them
when they are used: ``fit``, ``predict`` and all others that depend on them. What has no
``fit`` of its own (products of trained models, dictionaries, neighborhoods) checks at once.

>>> from fstce import DependencyParser, Tagger
>>> Tagger.rules["order"].allowed, Tagger.rules["decoder"].choices
('a whole number from 1 to 3', ('viterbi', 'posterior'))
>>> sigma2 = parameters(DependencyParser)["sigma2"]
>>> sigma2.default, sigma2.rule.allowed
(0.1, 'a number above 0, or None')
>>> sigma2.rule.help
'The variance of the Gaussian prior on the weights; None for no prior.'

The tables alone are read without OpenFst, numpy or scipy.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

from fstce.parameters.rules import (
    COUNT,
    FLAG,
    FUNCTION,
    PATH,
    POSITIVE,
    SEED,
    Rule,
    Table,
    check,
    instance,
    integer,
    real,
    sequence,
)


class Parameter(NamedTuple):
    """The rule of a parameter, and its default."""

    rule: Rule
    default: Any


def parameters(cls: type) -> dict[str, Parameter]:
    """The parameters of an estimator's class by name, in the order of its constructor."""
    table: Table = cls.rules  # type: ignore[attr-defined]
    signature = inspect.signature(cls).parameters

    return {
        name: Parameter(table[name], argument.default)
        for name, argument in signature.items()
        if name in table
    }


def rises_to_one(betas: Iterable[float]) -> bool:
    """Whether inverse temperatures are above 0, rise, and end with 1."""
    row = [float(beta) for beta in betas]
    return row[0] > 0 and row[-1] == 1 and all(a < b for a, b in pairwise(row))


NOT_NEGATIVE = real(0)
ABOVE_ZERO = real(0, above=True)
JOBS = integer(-1, words="a whole number from 1, or -1 for one a core")
VARIANCE = (
    real(0, inf, above=True)
    .or_none()
    .says("The variance of the Gaussian prior on the weights; None for no prior.")
)
BETAS = sequence(
    real(0, 1, above=True),
    least=1,
    holds=rises_to_one,
    words="inverse temperatures above 0 that rise to 1, as 0.1, 0.3, 1",
)
NEIGHBORHOOD = instance("a name or a Neighborhood", "str", "Neighborhood")
WORDS = sequence(Rule("text"))
_SIZE = re.compile(r"(?=.*[1-9])\s*\d+(\.\d+)?\s*[KMGT]?B?\s*", re.IGNORECASE)
SIZE = Rule(
    "text",
    holds=lambda text: _SIZE.fullmatch(text) is not None,
    words="a size, as 500M or 2G",
) | integer(1, 2**60, words="a number of bytes")

STOPPING: Table = {
    "tolerance": NOT_NEGATIVE.says("The relative change of the objective at which training stops."),
    "max_iterations": POSITIVE.says("The greatest number of iterations."),
}
TRAINING: Table = {"seed": SEED.says("Seeds what is drawn at random."), **STOPPING}
# One name, one rule, whatever method takes it.
ARGUMENTS: Table = {
    "k": POSITIVE,
    "n": POSITIVE,
    "number": POSITIVE,
    "seed": SEED,
    "alternatives": COUNT,
    "domain": instance("what Corrector.domain_vocabulary makes", "DomainVocabulary").or_none(),
    "limit": POSITIVE,
    "build": FUNCTION,
    "name": Rule("text"),
    "equivariant": FLAG,
    "introduces": WORDS,
    "features": COUNT,
    "word": Rule("text"),
    "weighted": FLAG,
    "objective": instance("what compile made, or a Criterion", method="value_and_gradient"),
    "monitor": FUNCTION.or_none(),
    "progress": FUNCTION.or_none(),
    "folder": PATH,
    "checkpoint": PATH.or_none(),
    "parts": PATH.or_none(),
    "shards": PATH.or_none(),
    "jobs": JOBS.or_none(),
    "memory": SIZE.or_none(),
    "client": instance("a dask.distributed.Client", method="submit").or_none(),
    "building": instance("an object with methods planned and built", method="planned").or_none(),
}


def check_arguments(**values: Any) -> None:
    """Raise ParameterError at the first of these arguments that its rule does not allow."""
    check(ARGUMENTS, **values)
