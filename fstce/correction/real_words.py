"""Known words for known words: which of them another known word, an edit away, was meant for.

A lattice's exponents are learnt from mistakes that are mostly no words, and trust the context as much as
those need it. Whether a known word w stands for another one v is asked apart, by a logistic regression

    log odds(v was meant, w is typed, in a context) = b + Σ weight · feature

learnt from held-out sentences in which known words are taken for each other on purpose. A word is changed
where the odds exceed what they are in all but one of two thousand clean words, out of fold.
Features: how much better v fits into the three n-grams around it than w, less what the unigrams say of
both, and that; the shares of both in the lexicon; whether the text has them, and w beside the words here;
the cost of the edit, letters, capitals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.correction.decoding import Change, Correction
from fstce.correction.factors.ngrams import BOUNDARY, UNKNOWN, NgramModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.casing import is_spelt
from fstce.correction.mistakes.corruption import real_words
from fstce.numeric.remembered import remembered
from fstce.numeric.types import Bools, Floats, Ints

FEATURES = (
    *("context", "unigrams", "lexicon", "typed", "other_in_text", "typed_in_text"),
    *("cost", "letters", "capital", "before", "behind", "one"),
)
ALONE = FEATURES[1:9]  # those that need no context
FREQUENT = 1e-6  # share in the lexicon of words that stand for each other, or the text has them
DAMAGED = 5e-4  # of clean held-out words are changed at most
RATE = 0.1  # of the known words with neighbours that are mistaken in practice
LARGEST = 15.0  # nats that a context says, at most: what cannot be reached with them is not asked
RIDGE = 1.0
REMEMBERED = 100_000


class RealWordModel(NamedTuple):
    """What practice has learnt.

    ``least``: the log odds from which on a word is changed.
    """

    weights: tuple[float, ...]
    least: float


class _Others(NamedTuple):
    """What a known word may stand for: words, their numbers in the n-grams, what needs no context."""

    words: list[str]
    number: Ints
    alone: Floats  # shape (others, features of ALONE)


_NONE = _Others([], np.zeros(0, np.int64), np.zeros((0, len(ALONE))))


class Pairs(NamedTuple):
    """Words of sentences with others that may have been meant, R of them.

    ``sentence``, ``place`` is (R,). ``features`` is (R, features).
    """

    sentence: Ints
    place: Ints
    others: list[str]
    features: Floats


class RealWords:
    """Known words that may stand for other known words.

    ``near``: the words that may be meant; see :func:`neighbours`.
    """

    def __init__(
        self,
        ngrams: NgramModel,
        lexicon: Mapping[str, int],
        near: Candidates,
        known: Callable[[str], bool],
    ) -> None:
        self._ngrams, self._lexicon, self._near, self._known = ngrams, lexicon, near, known
        self._total = np.log(sum(lexicon.values()) + 1)
        self._others: dict[str, _Others] = {}
        self._reached: tuple[RealWordModel | None, dict[str, _Others]] = None, {}

    def learned(self, rows: Sequence[Sequence[str]], seeds: Sequence[int]) -> RealWordModel | None:
        """What mistakes made on purpose in held-out sentences teach; None where there are none."""
        practice = [[row.typed for row in real_words(rows, self._near, seed, RATE)] for seed in seeds]
        tables = [self.pairs(typed) for typed in practice]
        right = np.concatenate([_meant(found, rows) for found in tables])
        features = np.concatenate([found.features for found in tables])
        half = np.concatenate([found.sentence for found in tables]) % 2
        if not all(right[half == side].any() for side in (0, 1)):
            return None
        clean = self.pairs(rows)
        score = np.zeros(len(clean.place))
        for side in (0, 1):
            weights = _regression(features[half != side], right[half != side])
            own = clean.sentence % 2 == side
            score[own] = clean.features[own] @ weights
        best = np.sort(_best_of_each(clean, score))
        least = max(
            float(best[max(len(best) - 1 - int(DAMAGED * sum(map(len, rows))), 0)]), 0.0
        )  # more probable than not, at least
        return RealWordModel(tuple(_regression(features, right).tolist()), least)

    def pairs(self, sentences: Sequence[Sequence[str]], model: RealWordModel | None = None) -> Pairs:
        """All pairs of sentences; with a model those alone that some context may make probable enough."""
        words = dict.fromkeys(word for row in sentences for word in row)
        others = dict(zip(words, self._others_of(list(words), model), strict=True))
        flat = [others[word] for row in sentences for word in row]
        size = np.array([len(found.words) for found in flat], dtype=np.int64)
        if not size.sum():
            return Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), [], np.zeros((0, len(FEATURES))))
        rows = [self._ngrams.ids_in_any_case(row) for row in sentences]
        edge = np.full(2, BOUNDARY)
        text = np.concatenate([np.concatenate((edge, row, edge)) for row in rows])
        length = np.array([len(row) for row in sentences])
        sentence = np.repeat(np.arange(len(rows)), length)
        place = np.concatenate([np.arange(n) for n in length])
        at = (np.cumsum(length + 4) - length - 2)[sentence] + place
        pair = np.repeat(np.arange(len(flat)), size)
        number = np.concatenate([found.number for found in flat])
        alone = np.concatenate([found.alone for found in flat])
        features = self._features(text, at[pair], number, alone)
        return Pairs(sentence[pair], place[pair], [w for found in flat for w in found.words], features)

    def corrected(self, found: Sequence[Correction], model: RealWordModel) -> list[Correction]:
        """Corrections in which known words, too, give way to others that were meant."""
        pairs = self.pairs([one.words for one in found], model)
        odds = pairs.features @ np.array(model.weights)
        wanted = np.flatnonzero(odds >= model.least)
        best: dict[tuple[int, int], int] = {}
        for row in wanted[np.argsort(odds[wanted], kind="stable")].tolist():
            best[int(pairs.sentence[row]), int(pairs.place[row])] = row
        places: dict[int, dict[int, tuple[str, float]]] = {}
        for (sentence, place), row in best.items():
            p = float(1 / (1 + np.exp(-odds[row])))
            places.setdefault(sentence, {})[place] = pairs.others[row], p
        return [_changed(one, places[i]) if i in places else one for i, one in enumerate(found)]

    def _others_of(self, words: Sequence[str], model: RealWordModel | None) -> list[_Others]:
        """What words may stand for; with a model, what some context may make probable enough."""
        if model is None:
            return remembered(self._others, words, REMEMBERED, self._found)
        if self._reached[0] != model:
            self._reached = model, {}
        return remembered(self._reached[1], words, REMEMBERED, partial(self._found, model=model))

    def _found(self, words: Sequence[str], model: RealWordModel | None = None) -> list[_Others]:
        """What words may stand for, and all that is said of them without a context."""
        asked = [w for w in words if is_spelt(w) and self._known(w)]
        entries = self._near.entries(asked)
        size = np.array([len(entry[0]) - 1 for entry in entries], dtype=np.int64)
        if not size.sum():
            return [_NONE] * len(words)
        spelling, cost = (np.concatenate([entry[i][1:] for entry in entries]) for i in (0, 1))
        others = [self._near.spellings[i] for i in spelling.tolist()]
        alone, number = self._alone(asked, others, np.repeat(np.arange(len(asked)), size), cost)
        kept = np.flatnonzero(np.ones(len(others)) if model is None else _reachable(alone, model))
        others, number, alone = [others[i] for i in kept.tolist()], number[kept], alone[kept]
        bounds = np.searchsorted(kept, np.append(0, np.cumsum(size))).tolist()
        found = {
            w: _Others(others[a:b], number[a:b], alone[a:b])
            for w, (a, b) in zip(asked, pairwise(bounds), strict=True)
        }
        return [found.get(word, _NONE) for word in words]

    def _alone(
        self, words: Sequence[str], others: Sequence[str], of: Ints, cost: Floats
    ) -> tuple[Floats, Ints]:
        """The features of pairs that need no context, shape (pairs, ALONE), and the others' numbers.

        Each of the others is one of the word with the number that `of` says.
        """
        number, own = self._ngrams.ids_in_any_case(others), self._ngrams.ids_in_any_case(words)
        log_p, own_log_p = (self._ngrams.log_probabilities(ids[:, None]) for ids in (number, own))
        share, own_share = (np.array([self._log_share(w) for w in row]) for row in (others, words))
        length = np.log([len(word) for word in words])
        capital = np.array([word[:1].isupper() for word in words])
        known = number != UNKNOWN, (own != UNKNOWN)[of]
        likely = log_p - own_log_p[of], share - own_share[of], own_share[of]
        return np.column_stack((*likely, *known, cost, length[of], capital[of])), number

    def _log_share(self, word: str) -> float:
        """The log of a word's share in the lexicon."""
        count = self._lexicon.get(word, self._lexicon.get(word.lower(), 0))
        return float(np.log(count + 1) - self._total)

    def _features(self, text: Ints, at: Ints, number: Ints, alone: Floats) -> Floats:
        """Shape (pairs, features); `text` has two boundaries around each sentence, `at` is a place in it."""
        places, pair = np.unique(at, return_inverse=True)  # a typed word is asked for once, not for each pair
        difference = self._around(text, at, number) - self._around(text, places, text[places])[pair]
        before = self._ngrams.has_pairs(np.stack((text[places - 1], text[places]), 1))
        behind = self._ngrams.has_pairs(np.stack((text[places], text[places + 1]), 1))
        context = np.minimum(difference - alone[:, 0], LARGEST)
        return np.column_stack((context, alone, before[pair], behind[pair], np.ones(len(at))))

    def _around(self, text: Ints, at: Ints, number: Ints) -> Floats:
        """log p of the three n-grams that have a word, these numbers in its place; nats, shape (places,)."""
        order, asked = self._ngrams.order, self._ngrams.log_probabilities
        first, second = (text[at - 2], text[at - 1], number), (text[at - 1], number, text[at + 1])
        log_p = asked(np.stack(first, 1)[:, -order:]) + asked(np.stack(second, 1)[:, -order:])
        ends = text[at + 1] == BOUNDARY  # and nothing stands behind it
        last = np.stack((number, text[at + 1], text[at + 2]), 1)[~ends]
        log_p[~ends] += asked(last[:, -order:])
        return log_p


def neighbours(
    vocabulary: Mapping[str, int], lexicon: Mapping[str, int], candidates: Callable[..., Candidates]
) -> Candidates:
    """The words that may be meant for each other: those of the text, and what the lexicon has often."""
    least = FREQUENT * sum(lexicon.values())
    often = {word: count for word, count in lexicon.items() if count >= least}
    return candidates({**often, **{word: count for word, count in vocabulary.items() if is_spelt(word)}})


def _reachable(alone: Floats, model: RealWordModel) -> Bools:
    """Which of the others some context may make probable enough, by their features without one."""
    weight = dict(zip(FEATURES, model.weights, strict=True))
    most = max(weight["context"], 0.0) * LARGEST + max(weight["before"], 0.0) + max(weight["behind"], 0.0)
    score = alone @ np.array([weight[name] for name in ALONE]) + weight["one"] + most
    return np.asarray(score >= model.least)


def _meant(found: Pairs, rows: Sequence[Sequence[str]]) -> Bools:
    true = (rows[i][j] for i, j in zip(found.sentence.tolist(), found.place.tolist(), strict=True))
    return np.array([word == other for word, other in zip(true, found.others, strict=True)], dtype=bool)


def _best_of_each(pairs: Pairs, score: Floats) -> Floats:
    """The greatest score of each word."""
    if not len(score):
        return np.zeros(1)
    key = pairs.sentence * (int(pairs.place.max(initial=0)) + 1) + pairs.place
    _, word = np.unique(key, return_inverse=True)
    best = np.full(int(word.max()) + 1, -np.inf)
    np.maximum.at(best, word, score)
    return best


def _regression(features: Floats, right: Bools) -> Floats:
    """The weights of a logistic regression of features that are scaled alike, shape (features,)."""
    from scipy.optimize import minimize  # takes half a second; applying a model need not wait

    mean, scale = features.mean(axis=0), features.std(axis=0)
    mean[-1], scale[-1] = 0.0, 1.0
    scaled = (features - mean) / np.where(scale > 0, scale, np.inf)

    def loss(weights: Floats) -> tuple[float, Floats]:
        score = scaled @ weights
        p = np.exp(-np.logaddexp(0.0, -score))
        value = np.logaddexp(0.0, score).sum() - score[right].sum() + RIDGE * weights @ weights
        return float(value), scaled.T @ (p - right) + 2 * RIDGE * weights

    found = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B").x
    weights = found / np.where(scale > 0, scale, np.inf)
    weights[-1] -= mean[:-1] @ weights[:-1]
    return np.asarray(weights)


def _changed(one: Correction, others: Mapping[int, tuple[str, float]]) -> Correction:
    """The correction with some of its words, by their places, changed to others."""
    words, ranked = list(one.words), list(one.alternatives)
    typed_at = _typed_places(one)
    made = []
    for place, (other, p) in others.items():
        at = typed_at.get(place)
        if at is None:
            continue  # it was changed already
        made.append(Change(at, at + 1, (words[place],), (other,), p))
        if at < len(ranked) and ranked[at]:
            rest = tuple(row for row in ranked[at] if row[0] not in (other, words[place]))
            ranked[at] = ((other, p), (words[place], 1 - p), *rest)[: len(ranked[at])]
        words[place] = other
    changes = tuple(sorted((*one.changes, *made), key=lambda change: (change.start, change.end)))
    return replace(one, words=tuple(words), changes=changes, alternatives=tuple(ranked))


def _typed_places(one: Correction) -> dict[int, int]:
    """The place in the typed sentence of each corrected word that no change made."""
    found: dict[int, int] = {}
    i = j = 0
    for change in (*one.changes, None):
        end = len(one.typed) if change is None else change.start
        found.update(zip(range(j, j + end - i), range(i, end), strict=True))
        if change is not None:
            i, j = change.end, j + end - i + len(change.words)
    return found
