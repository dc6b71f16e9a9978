"""A channel learnt from misspellings by contrast: the word that was meant over all candidates.

The objective is contrastive (Smith & Eisner 2005a, Eq. 2) with the candidates of a misspelling as its
neighbourhood:

    Σ log p(meant | typed),  p(w | typed) ∝ count(w)^a · exp(−θ · features(typed, w))

The features of a candidate are those of its edits (operation × letters × position × distance on the
keyboard) and what the two words have in common as wholes (:mod:`fstce.correction.mistakes.likeness`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase

import numpy as np
from scipy.sparse import csr_matrix

from fstce.corpora.tables import bundled_rows
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.corruption import neighboring_keys
from fstce.correction.mistakes.likeness import KEYS, VOWELS, unlike
from fstce.correction.mistakes.misspellings import Edit, Misspelling, edits_of
from fstce.errors import ParameterError
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints

KINDS = ("substitution", "insertion", "deletion", "transposition")
VARIANCE = 1.0  # of the prior around 0; around FIRST for the cost of a kind
FIRST = 3.0  # nats, of an edit of which nothing is known
SHIPPED = ("english",)  # languages whose weights come with fstce
SEEN = 2  # times that single letters are confused to have a cost of their own


def learned_channel(pairs: Sequence[Misspelling], candidates: Candidates) -> Channel:
    """The channel under which the words that were meant are most probable among the candidates.

    ``pairs``: typed and meant; those whose meant word is no candidate teach nothing. ``candidates``: with a
    channel of one nat an edit.
    """
    rows = [(typed.lower(), meant.lower()) for typed, meant in pairs if typed.lower() != meant.lower()]
    found = candidates.of(typed for typed, _ in rows)
    features: list[Counter[str]] = []
    owner, target, log_count = list[int](), list[int](), list[float]()
    for typed, meant in rows:
        others = [(row.word, row.frequency) for row in found[typed][1:]]
        if meant not in dict(others):
            continue
        target.append(len(features) + [word for word, _ in others].index(meant))
        owner += [len(target) - 1] * len(others)
        features += [_features(typed, word) for word, _ in others]
        log_count += [math.log(count + 1) for _, count in others]
    if not target:
        raise ParameterError("none of the misspellings is within reach of the word that was meant")
    weights = _maximized(features, np.array(log_count), np.array(owner), np.array(target))
    return channel_of(weights, {letters for row in rows for word in row for letters in word})


def _features(typed: str, meant: str) -> Counter[str]:
    found = Counter(name for edit in edits_of(typed, meant) for name in edit_features(edit))
    found.update({f"unlike {key}": 1 for key, value in zip(KEYS, unlike(typed, meant), strict=True) if value})
    return found


def edit_features(edit: Edit) -> list[str]:
    """The names of an edit's features: its kind, with its letters, and how alike they are.

    >>> edit_features(Edit("a", "s", "c", 1))
    ['substitution', 'substitution of beside', 'a:s']
    """
    kind = _kind(edit.meant, edit.typed)
    return [
        kind,
        *(f"{kind} of {name}" for name in _classes(edit.meant, edit.typed)),
        f"{edit.meant}:{edit.typed}",
    ]


def _kind(meant: str, typed: str) -> str:
    if not meant or not typed:
        return "deletion" if meant else "insertion"
    return "transposition" if len(meant) == 2 else "substitution"


def _classes(meant: str, typed: str) -> list[str]:
    letters = {*meant, *typed}
    found = ["vowels"] if letters <= set(VOWELS) else []
    if len(meant) == len(typed) == 1 and typed in neighboring_keys().get(meant, ()):
        found.append("beside")
    return found


def _maximized(
    features: Sequence[Counter[str]], log_count: Floats, owner: Ints, target: Ints
) -> dict[str, float]:
    """θ by feature, and the exponent of the counts under ``count``."""
    times = Counter(name for i in target.tolist() for name in features[i])
    names = sorted(name for name in set().union(*features) if ":" not in name or times[name] >= SEEN)
    number = {name: i for i, name in enumerate(names)}
    cells = [(r, number[n], v) for r, row in enumerate(features) for n, v in row.items() if n in number]
    row, column, value = zip(*cells, strict=True)
    matrix = csr_matrix((value, (row, column)), shape=(len(features), len(names)))
    mean = np.array([FIRST if name in KINDS else 0.0 for name in names] + [0.5])
    words = len(target)

    def loss(theta: Floats) -> tuple[float, Floats]:
        score = theta[-1] * log_count - matrix @ theta[:-1]
        most = np.full(words, -np.inf)
        np.maximum.at(most, owner, score)
        weight = np.exp(score - most[owner])
        z = total(owner, weight, words)
        p = weight / z[owner]
        p[target] -= 1.0  # expected minus observed
        gradient = np.append(-(matrix.T @ p), p @ log_count)
        away = theta - mean
        value = float((np.log(z) + most - score[target]).sum() + away @ away / (2 * VARIANCE))
        return value, gradient + away / VARIANCE

    from scipy.optimize import minimize  # takes half a second; applying a model need not wait

    found = minimize(loss, mean, jac=True, method="L-BFGS-B").x
    return {**dict(zip(names, found.tolist(), strict=False)), "count": float(found[-1])}


def shipped_channel(language: str) -> Channel:
    """The channel of a language whose misspellings fstce has learnt: its weights, for no list is shipped.

    >>> channel = shipped_channel("english")
    >>> channel.cost("ei", "ie") < channel.cost("eq", "qe")
    True
    """
    return channel_of({name: float(weight) for name, weight in bundled_rows(f"{language}_misspellings.tsv")})


def channel_of(weights: Mapping[str, float], letters: Iterable[str] = ()) -> Channel:
    """The costs of all edits that differ from those of their kind, none of them negative."""

    def cost(meant: str, typed: str) -> float:
        return max(sum(weights.get(name, 0.0) for name in edit_features(Edit(meant, typed, "", 0))), 0.0)

    alphabet = sorted({*ascii_lowercase, *letters})
    pairs = [(a, b) for a in ("", *alphabet) for b in ("", *alphabet) if a != b]
    swaps = [(a + b, b + a) for a in alphabet for b in alphabet if a != b]
    kinds = {kind: max(weights.get(kind, FIRST), 0.0) for kind in KINDS}
    table = {pair: cost(*pair) for pair in (*pairs, *swaps)}
    confusions = {pair: value for pair, value in table.items() if value != kinds[_kind(*pair)]}
    whole = {key: max(weights.get(f"unlike {key}", 0.0), 0.0) for key in KEYS}
    return Channel(
        **kinds, confusions=confusions, whole={key: value for key, value in whole.items() if value}
    )
