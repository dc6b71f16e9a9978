"""Unknown words that a text means: how many nats speak for leaving each as it is.

A corrector is trained on text that has a mistake in every tenth word. Another text may have fewer
mistakes, and more words that no lexicon has; and what it repeats is hardly a slip. Both are
estimated from the text itself, by the odds o(w) of a mistake that the corrector gives each unknown
word w:

* The share of mistakes among the unknown words, π among synthetic errors, is q here: the fixed
point of
  q = mean of r·o / (1 + r·o), r = (q / (1 − q)) / (π / (1 − π)) (Saerens, Latinne & Decaestecker
  2002, Eq. 2.9), begun at π and held near it by a few words with such errors. Mistakes are never
  taken to be more frequent than there.
* A word that occurs n times costs ½ log n nats as a mistake: someone misspells it always so. * If
it is such a mistake, then the same other word was intended each time, and fits into all n places;
  into the places of a term it does not. Each place but one counts a quarter of its *lift*, the log
  of p(other) / p(observed) there, less that of the two words alone, without a context.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import compress

import numpy as np

from fstce.corpora.words import is_spelt
from fstce.correction.decoding import Correction
from fstce.numeric.types import Floats

REPEATED = 0.5  # nats a log of the times that a word is observed the same
LIFTED = 0.25  # of the lift of each further place, which is not independent of the others
FARTHEST = 3.0  # nats, of a lift that is trusted
MOST = 10.0  # nats that the places of a word say together, at most
OF_SYNTHETIC = 5.0  # words by which the share of mistakes is held near that of synthetic errors
SUREST = 1e-3  # probabilities nearer to 0 or 1 are not trusted
TINY = 1e-9  # that of a word that is not among the alternatives
STEPS, CLOSE = 500, 1e-7


Alone = Callable[[str, str], float | None]
Ranked = Sequence[tuple[str, float]]  # alternatives of a word with their posterior probabilities


class DomainVocabulary:
    """The unknown words of a text, as far as it has been seen: which of them it means.

    ``known``: whether text or lexicon has a word. ``share``: of mistakes among the unknown words of
    synthetic errors, between 0 and 1. ``alone``: log p(other) / p(observed) of two words without
    a context; None if the other is not within reach.

    >>> def corrected(words, other):
    ...     ranked = tuple(((other, 0.6), (word, 0.4)) for word in words)
    ...     return Correction(tuple(words), tuple(words), (), ranked)
    >>> def weight(times, other, alone=lambda observed, other: None):
    ...     domain = DomainVocabulary({"cat", "on"}.__contains__, 0.5, alone)
    ...     return domain.heard([corrected(["caat"] * times, other)]).get("caat", 0.0)
    >>> bool(weight(1, "on") < weight(9, "on")), weight(9, "cat", lambda observed, other: -2.0) < 0
    (True, True)
    """

    def __init__(self, known: Callable[[str], bool], share: float, alone: Alone) -> None:
        self._known = known
        self._share = share
        self._alone = alone
        self._times = Counter[str]()
        self._odds: dict[str, list[float]] = {}
        self._lifts: dict[str, list[float]] = {}

    def heard(self, corrections: Sequence[Correction]) -> dict[str, float]:
        """The weights after more sentences, two alternatives a word; empty if all are known."""
        words = Counter(word for row in corrections for word in row.observed)
        unknown = {word for word in words if is_spelt(word) and not self._known(word)}
        for word, times in words.items():
            self._times[word.lower()] += times

        for row in corrections:
            for word, ranked in zip(row.observed, row.alternatives, strict=False):
                if word in unknown:
                    self._note(word, ranked)
        return self._weights() if self._odds and unknown else {}

    def _note(self, word: str, ranked: Ranked) -> None:
        lower = word.lower()
        self._odds.setdefault(lower, []).append(_odds(word, ranked))
        if self._times[lower] > 1:
            self._lifts.setdefault(lower, []).append(_lift(word, ranked, self._alone))

    def _weights(self) -> dict[str, float]:
        """Nats for each unknown word, in small letters, to stay where it could be another.

        Below 0 where its places speak for another word.
        """
        words = list(self._odds)
        odds = np.array([np.mean(row) for row in self._odds.values()])
        times = np.array([float(self._times[word]) for word in words])
        lift = np.array([np.mean(self._lifts.get(word, 0.0)) for word in words])

        repeated = repetition(times, lift)
        weights = repeated - min(prior_shift(odds - repeated, self._share), 0.0)
        may_be_mistakes = np.isfinite(odds).tolist()
        return dict(compress(zip(words, weights.tolist(), strict=True), may_be_mistakes))


def repetition(times: Floats, lift: Floats) -> Floats:
    """Nats against mistakes observed so many times, with this mean lift of the other word.

    >>> repetition(np.array([1.0, 2.0, 9.0]), np.array([2.0, 0.0, 2.0])).round(2).tolist()
    [0.0, 0.35, -2.9]
    """
    said = np.clip(LIFTED * (times - 1) * lift, -MOST, MOST)
    return np.asarray(REPEATED * np.log(times) - said)


def prior_shift(odds: Floats, share: float) -> float:
    """By how many nats the odds of a mistake are to be moved for this text; see the module.

    ``odds`` (words,): log odds of a mistake, as synthetic errors have them; −inf for a word that
    can be none.

    >>> prior_shift(np.full(100, -np.inf), 0.5) < -2 < prior_shift(np.zeros(0), 0.5) == 0
    True
    """
    base = np.log(share / (1 - share))
    q = share
    for _ in range(STEPS):
        moved = odds + np.log(q / (1 - q)) - base
        mistakes = np.exp(-np.logaddexp(0.0, -moved)).sum() + OF_SYNTHETIC * share
        before = q
        q = mistakes / (len(odds) + OF_SYNTHETIC)
        if abs(q - before) < CLOSE:
            break
    return float(np.log(q / (1 - q)) - base)


def mistaken_share(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]], known: Callable[[str], bool]
) -> float:
    """Which share of the distinct unknown words of (observed, true) sentences are mistakes.

    0 where no word is unknown. Half a word is added to the mistakes and to the others, so that the
    odds are finite. Of a text that is mistyped several times the mistakes are those of one time.

    >>> mistaken_share([(["teh", "cat", "wug"], ["the", "cat", "wug"])], {"cat"}.__contains__)
    0.5
    """
    wrong: dict[str, bool] = {}
    for observed, true in pairs:
        if len(observed) == len(true):
            for word, intended in zip(observed, true, strict=True):
                if is_spelt(word) and not known(word):
                    wrong[word.lower()] = word != intended
    if not wrong:
        return 0.0

    typings = len(pairs) / len({tuple(true) for _, true in pairs})
    mistakes = sum(wrong.values()) / typings + 0.5
    return mistakes / (mistakes + len(wrong) - sum(wrong.values()) + 0.5)


def _odds(word: str, ranked: Ranked) -> float:
    """The log odds that a word is a mistake; −inf of one that can be none."""
    if all(candidate == word for candidate, _ in ranked):
        return -np.inf
    p_word = min(max(dict(ranked).get(word, 0.0), SUREST), 1 - SUREST)
    return float(np.log((1 - p_word) / p_word))


def _lift(word: str, ranked: Ranked, alone: Alone) -> float:
    """Nats of the context for the most probable other word; 0 where they are not known."""
    best, p_best = next((row for row in ranked if row[0] != word), ("", 0.0))
    without_context = alone(word, best) if best else None
    if without_context is None:
        return 0.0
    p_word = max(dict(ranked).get(word, 0.0), TINY)
    lift = np.log(max(p_best, TINY) / p_word) - without_context
    return float(np.clip(lift, -FARTHEST, FARTHEST))
