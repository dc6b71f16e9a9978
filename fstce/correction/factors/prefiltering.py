"""Candidates that no context makes probable are left out before a lattice is built, once a word.

Under unigrams the places of a sentence are independent, so that what
:mod:`fstce.correction.factors.candidate_lattices` would leave out of a lattice first can be said of
each observed word alone, and remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fstce.correction.factors.columns import COLUMNS, OF_UNKNOWN, Factors, unknown_columns
from fstce.correction.mistakes.candidates import MOST, Candidates
from fstce.numeric.kernels import total
from fstce.numeric.types import Bools, Floats, Ints
from fstce.storage.memo import Numbered

WIDER = 10  # times as many candidates are looked at beyond one edit


class PrefilteredCandidates(Candidates):
    """Candidates without those of less posterior probability under unigrams, alone in a sentence.

    ``exponents`` is (columns,). ``least``: the posterior probability that keeps a candidate, as of
    :func:`fstce.correction.factors.candidate_lattices.pruned`; the word itself is always kept.
    ``options``: as of :class:`fstce.correction.mistakes.candidates.Candidates`.
    """

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        k: int,
        *,
        factors: Factors,
        exponents: Floats,
        least: float,
        **options: Any,
    ) -> None:
        self._most = options.pop("limit", MOST)
        super().__init__(vocabulary, k, limit=self._most * (WIDER if k > 1 else 1), **options)
        self._factors = factors
        self._least = least
        self._exponent = dict(zip(COLUMNS, exponents.tolist(), strict=True))
        self._alone = Numbered(self._scores_alone)

    def log_ratio(self, observed: str, other: str) -> float | None:
        """log p(other) / p(observed) of words under unigrams; None if the other is no candidate."""
        entry = self.entries([observed])[0]
        places = np.flatnonzero(entry.spelling == self._number.get(other, -1))
        if not len(places) or self._factors.ngrams is None:
            return None

        rows = np.array([0, places[0]])
        score = self._scores(np.array([False, True]), entry.spelling[rows], entry.cost[rows])
        return float(score[1] - score[0])

    def _forms(self, word: str) -> list[tuple[str, str]]:
        if len(word) == 1 or self._factors.common(word):  # of one letter an edit leaves nothing
            return []
        return super()._forms(word)

    def _reach(self, form: str) -> int:
        """One edit of a known word: it has been intended, or missed by one."""
        return 1 if self._factors.known(form) else self.k

    def _chosen(self, words: Sequence[str], observed: Ints, spelling: Ints, cost: Floats) -> Bools:
        """By p(candidate | observed) under unigrams and what needs no history."""
        if self._least <= 0 or self._factors.ngrams is None:
            return np.ones(len(observed), dtype=bool)

        is_own = np.diff(observed, prepend=-1) > 0
        first = np.flatnonzero(is_own)
        score = self._scores(~is_own, spelling, cost)
        weight = np.exp(score - np.maximum.reduceat(score, first)[observed])
        posterior = weight / total(observed, weight, len(words))[observed]
        posterior[is_own] = np.inf

        order = np.lexsort((-posterior, observed))
        rank = np.empty(len(observed), dtype=np.int64)
        rank[order] = np.arange(len(observed)) - first[observed]
        return np.asarray((posterior >= self._least) & (rank < self._most))

    def _scores(self, is_other: Bools, spelling: Ints, cost: Floats) -> Floats:
        """The scores of candidates of observed words, shape (candidates,)."""
        exponent = self._exponent
        changed = np.where(cost > 0, exponent["edited"], exponent["accents"]) * is_other
        return self._alone.of(spelling) - exponent["channel"] * cost - changed

    def _scores_alone(self, spelling: Ints) -> Floats:
        """The scores of spellings, whatever was observed, shape (spellings,)."""
        model = self._factors.ngrams
        if model is None:
            return np.zeros(len(spelling))

        words = [self.spellings[i] for i in spelling.tolist()]
        log_p = model.log_probabilities(model.ids_in_any_case(words)[:, None])
        exponents = np.array([self._exponent[name] for name in ("ngrams", *OF_UNKNOWN)])
        return np.asarray(exponents @ np.vstack([log_p, unknown_columns(words, self._factors)]))
