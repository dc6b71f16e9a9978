"""Errors learned by contrast: the word that was meant over the others that it may have been.

    Σ log p(meant | typed),   p(w | typed) ∝ Σ over scripts s of w: exp(−θ · features(s) − a · cost(w))

is Eq. 2 of Smith & Eisner (2005a), the neighborhood being the words that a speller suggests; the script is
latent. What edits cost in general, and an exponent `a` of the lexicon's own weights, have a Gaussian prior;
each edit of strings may make its letters cheaper, at a price that a nat of discount must pay for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from fstce.errors import ParameterError
from fstce.estimation.log_linear import most_likely
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints
from fstce.speller.features import features, scripts

# In nats, where nothing is known: an error is rare, marks and vowels are confused sooner than other letters,
# letters are doubled or not, and the first letter is seldom wrong (Pollock & Zamora 1984; Kukich 1992, §1.2).
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
STRINGS = {"string": 0.0, "context": 1.0}  # what a nat of discount costs beyond the penalty: a letter next to
DISCOUNTS = (" accent", " case", " double", " double vowel", " double consonant", " double mark")


class Contrast(NamedTuple):
    """All scripts of all candidates: a row each.

    ``owner``: the pair that a row is of, shape (rows,). ``right``: whether its word is the one that was
    meant. ``cost``: of the word in the lexicon. ``table``: features, shape (rows, names).
    """

    owner: Ints
    right: np.ndarray
    cost: Floats
    table: csr_matrix
    names: tuple[str, ...]


def contrast(pairs: Sequence[tuple[str, str]], candidates: Sequence[Mapping[str, float]]) -> Contrast:
    """The scripts of each pair's candidates.

    ``pairs``: typed and meant. ``candidates``: for each pair words and what they cost in the lexicon; the
    pair teaches nothing where the word that was meant is none of them.
    """
    owner, right, cost, rows = list[int](), list[bool](), list[float](), list[list[str]]()
    for number, ((typed, meant), words) in enumerate(zip(pairs, candidates, strict=True)):
        if meant not in words or not scripts(typed, meant):
            continue
        for word, weight in words.items():
            for script in scripts(typed, word):
                owner.append(number)
                right.append(word == meant)
                cost.append(weight)
                rows.append(features(typed, word, script))
    if not rows:
        raise ParameterError(
            "of no typo the right form is in the lexicon and within two edits: there is nothing to learn"
        )
    seen = Counter(name for row, is_right in zip(rows, right, strict=True) if is_right for name in set(row))
    general = {name for row in rows for name in row if ">" not in name}
    names = tuple(sorted(general | seen.keys()))
    column = {name: i for i, name in enumerate(names)}
    cells = [[column[name] for name in row if name in column] for row in rows]
    ends = np.cumsum([0, *map(len, cells)])
    flat = np.concatenate([np.array(row, dtype=np.int64) for row in cells])
    table = csr_matrix((np.ones(len(flat)), flat, ends), shape=(len(rows), len(names)))
    table.sum_duplicates()
    _, owners = np.unique(owner, return_inverse=True)
    return Contrast(owners, np.array(right), np.array(cost), table, names)


def learnt(data: Contrast, penalty: float) -> tuple[dict[str, float], float]:
    """The costs of features in nats, and the exponent of the lexicon's weights."""
    price = np.array([penalty + STRINGS[kind] if kind else 0.0 for kind in map(_string_kind, data.names)])
    mean = np.array([*(PRIOR.get(name, 0.0) for name in data.names), EXPONENT])
    variance = np.where(np.append(price, 0.0) > 0, np.inf, 1.0)
    lowest = np.where(np.arange(len(mean)) < len(price), -np.inf, 0.0)
    highest = np.array([*(0.0 if _is_discount(name) else np.inf for name in data.names), np.inf])
    transposed = data.table.T.tocsr()
    pairs = int(data.owner.max()) + 1

    def likelihood(theta: Floats) -> tuple[float, Floats]:
        """Σ log p(meant | typed), and what the discounts of strings are charged."""
        score = -(data.table @ theta[:-1]) - theta[-1] * data.cost
        most = np.full(pairs, -np.inf)
        np.maximum.at(most, data.owner, np.where(data.right, score, -np.inf))
        weight = np.exp(np.minimum(score - most[data.owner], 700.0))
        z = total(data.owner, weight, pairs)
        meant = total(data.owner, weight * data.right, pairs)
        # expected minus observed counts of what costs
        p = weight / z[data.owner] - np.where(data.right, weight / meant[data.owner], 0.0)
        value = float(price @ theta[:-1] - np.log(z / meant).sum())
        return value, np.append(transposed @ p + price, p @ data.cost)

    theta = most_likely(likelihood, mean, variance, lowest, highest)
    weights = {**PRIOR, **dict(zip(data.names, theta.tolist(), strict=False))}  # unseen ones as before
    return {name: weight for name, weight in weights.items() if weight}, float(theta[-1])


def _string_kind(name: str) -> str:
    kind = name.partition(" ")[0]
    return kind if kind in STRINGS and ">" in name else ""


def _is_discount(name: str) -> bool:
    """Whether a feature can only make an edit cheaper than others of its kind: what the letters are."""
    return ">" in name or name.endswith(DISCOUNTS)
