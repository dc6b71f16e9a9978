"""Errors learned by contrast: the intended word over the others that it may have been.

    Σ log p(intended | observed),
    p(w | observed) ∝ Σ over scripts s of w: exp(−θ · features(s) − a · cost(w))

is Eq. 2 of Smith & Eisner (2005a), the neighborhood being the words that a speller suggests; the
script is latent. What edits cost in general, and an exponent `a` of the lexicon's own weights,
have a Gaussian prior; each edit of strings may make its letters cheaper, at a price that a nat of
discount must pay for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.log_linear import indicators, most_likely
from fstce.numeric.kernels import places, total
from fstce.numeric.types import Bools, Floats, Ints, ValueAndGradient
from fstce.speller.features import features, scripts

if TYPE_CHECKING:
    import scipy.sparse as sp

# In nats, where nothing is known: an error is rare, marks and vowels are confused sooner than
# other letters, letters are doubled or not, and the first letter is seldom wrong (Pollock & Zamora
# 1984; Kukich 1992, §1.2).
PRIOR: Mapping[str, float] = {
    "substitution": 4.0,
    "insertion": 3.0,
    "deletion": 3.0,
    "transposition": 3.0,
    "substitution accent": -1.5,
    "substitution vowels": -1.0,
    "insertion double": -1.0,
    "deletion double": -0.5,
    "begin": 1.0,
}
EXPONENT = 0.5  # of the lexicon's weights, before anything is learned
# What a nat of discount costs beyond the penalty, of letters alone and with the letter next to them
STRINGS = {"string": 0.0, "context": 1.0}
DISCOUNTS = (" accent", " case", " double", " double vowel", " double consonant", " double mark")


class Learnt(NamedTuple):
    """Costs of features in nats, the exponent of the lexicon's weights, how many pairs taught."""

    weights: dict[str, float]
    exponent: float
    pairs: int


def learnt(
    pairs: Sequence[tuple[str, str]], candidates: Sequence[Mapping[str, float]], penalty: float
) -> Learnt:
    """The costs under which the intended words are most probable among the candidates.

    ``pairs``: observed and intended. ``candidates``: for each pair words and what they cost in the
    lexicon; the pair teaches nothing where the intended word is none of them. ``penalty``: of a
    nat of discount.
    """
    rows = [
        (number, word == intended, weight, features(observed, word, script))
        for number, ((observed, intended), words) in enumerate(zip(pairs, candidates, strict=True))
        if intended in words and scripts(observed, intended)
        for word, weight in words.items()
        for script in scripts(observed, word)
    ]
    if not rows:
        raise ParameterError(
            "of no typo the right form is in the lexicon and within two edits: "
            "there is nothing to learn"
        )

    number, is_right, costs, described = zip(*rows, strict=True)
    seen = {name for right, row in zip(is_right, described, strict=True) if right for name in row}
    names = sorted(seen.union(name for row in described for name in row if ">" not in name))
    price = np.array([_price(name, penalty) for name in names])
    likelihood = _Likelihood(
        indicators(described, places(names)),
        np.array(costs),
        np.array(is_right),
        np.unique(number, return_inverse=True)[1],
        price,
    )

    bounds = [(PRIOR.get(name, 0.0), 0.0 if _is_discount(name) else np.inf) for name in names]
    mean, highest = np.array([*bounds, (EXPONENT, np.inf)]).T
    variance = np.append(np.where(price > 0, np.inf, 1.0), 1.0)
    lowest = np.append(np.full(len(names), -np.inf), 0.0)
    theta = most_likely(likelihood, mean, variance, lowest, highest)

    weights = {**PRIOR, **dict(zip(names, theta.tolist(), strict=False))}  # unseen ones as before
    return Learnt(
        {name: weight for name, weight in weights.items() if weight},
        float(theta[-1]),
        likelihood.n_pairs,
    )


class _Likelihood:
    """Σ log p(intended | observed), and the price of the discounts of strings, with its gradient.

    ``table`` (scripts, features): how often each script has each. ``cost`` (scripts,): of its word
    in the lexicon. ``is_right`` (scripts,): whether its word is the intended one. ``pair``
    (scripts,): the number of its pair. ``price`` (features,): of a nat of discount.
    """

    def __init__(
        self, table: sp.csr_matrix, cost: Floats, is_right: Bools, pair: Ints, price: Floats
    ) -> None:
        table.sum_duplicates()
        self.table = table
        self.transposed = table.T.tocsr()
        self.cost = cost
        self.is_right = is_right
        self.pair = pair
        self.price = price
        self.n_pairs = int(pair.max()) + 1

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """The value at θ, the features' costs and the exponent of the lexicon, and its gradient."""
        score = -(self.table @ theta[:-1]) - theta[-1] * self.cost
        most = np.full(self.n_pairs, -np.inf)
        np.maximum.at(most, self.pair, np.where(self.is_right, score, -np.inf))

        # Z = Σ over all scripts, and over those of the intended word, by the best of these
        weight = np.exp(np.minimum(score - most[self.pair], 700.0))
        z = total(self.pair, weight, self.n_pairs)
        intended = total(self.pair, weight * self.is_right, self.n_pairs)

        # Expected minus observed counts of what costs
        observed = np.where(self.is_right, weight / intended[self.pair], 0.0)
        surplus = weight / z[self.pair] - observed
        value = float(self.price @ theta[:-1] - np.log(z / intended).sum())
        gradient = self.transposed @ surplus + self.price
        return value, np.append(gradient, surplus @ self.cost)


def _price(name: str, penalty: float) -> float:
    """The price of a nat of discount, where the feature is of an edit of strings."""
    prefix = name.partition(" ")[0]
    if prefix in STRINGS and ">" in name:
        return penalty + STRINGS[prefix]
    return 0.0


def _is_discount(name: str) -> bool:
    """Whether a feature is of the letters, and can only make an edit cheaper than others."""
    return ">" in name or name.endswith(DISCOUNTS)
