"""From posterior probabilities of rule instances to the weights that a search adds up.

With q_G the posterior probability of an unsplit rule instance under the grammar G, its
expected count divided by the probability of the sentence (Petrov & Klein 2007, Figure 3),
an instance weighs Σ_G log q_G in a product of grammars (Petrov 2010, Eq. 2) and
log (Σ_G q_G / n) in their sum: max-rule-product. Max-rule-sum adds up (Π_G q_G)^(1/n) or
Σ_G q_G / n. A symbol that takes no unary rule over its span is no rule instance and weighs
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from fstce.latent.parsing.maxrule import Instances
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints

Objective = Literal["max-rule-product", "max-rule-sum"]
Combination = Literal["product", "sum", "tree", "listed"]

# The combinations of the trees that each grammar lists.
LISTS = ("tree", "listed")


def instance_weights(
    posteriors: Sequence[Instances],
    objective: Objective = "max-rule-product",
    combination: Combination = "product",
    unary_step: Ints | None = None,
) -> Instances:
    """The weight of every rule instance.

    Unary instances of one parent and child that differ in the labels between compete by their
    own posteriors; the best of them weighs what all together do, so that a phrase is not the
    less likely for having several names.

    ``unary_step`` (n_unary,): equal numbers for the instances of one parent and child; by default all are
    different. Returns logarithms (nats) or probabilities; −inf for what a derivation must not use.
    """
    columns = [np.stack(column) for column in zip(*posteriors, strict=True)]
    binary, unary, identity, words = (_combined(column, objective, combination) for column in columns)
    if unary_step is not None and len(unary_step):
        n_steps = int(unary_step.max()) + 1
        together = np.stack([total(unary_step, row, n_steps) for row in columns[1]])
        best = np.full(n_steps, -np.inf)
        np.maximum.at(best, unary_step, unary)
        whole = _combined(together, objective, combination)[unary_step]
        unary = np.where(unary == best[unary_step], whole, unary)
    return Instances(binary, unary, np.where(np.isneginf(identity), -np.inf, 0.0), words)


def _combined(q: Floats, objective: Objective, combination: Combination) -> Floats:
    """Weights (instances,) of posteriors (grammars, instances)."""
    with np.errstate(divide="ignore"):
        weight = np.log(q.mean(axis=0)) if combination == "sum" else np.log(q).sum(axis=0)
    if objective == "max-rule-product":
        return weight
    share = 1 if combination == "sum" else len(q)
    return np.where(np.isneginf(weight), -np.inf, np.exp(weight / share))
