"""How words are spelt, for words that no lexicon has: of what characters, and of what known words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from fstce.correction.factors.derived import DerivedWords, Stems
from fstce.correction.factors.ngrams import NgramModel
from fstce.numeric.types import Floats

ENOUGH = 100  # words that are rare, to learn from them alone
MANY = 2000  # words are enough to learn what such are made of
HALVES = 2  # of them, each told by the characters of the other


class SpellingModel:
    """log p(spelling) of unknown words, from rare ones: (1 − λ) p(characters) + λ p(made of known words).

    Words that a text has once are most like those that it has not (Good 1953), so that the
    model is trained on them; on all words where fewer than a hundred are that rare.

    ``counts``: the words of a text and how often it has them. ``known``: the words that others may be made
    of; see :mod:`fstce.correction.factors.derived`.

    >>> model = SpellingModel({"walking": 1, "talking": 1, "walked": 1})
    >>> likely, unlikely = model(["talked", "tklaed"])
    >>> bool(likely > unlikely)
    True
    """

    def __init__(self, counts: Mapping[str, int], known: Stems = ()) -> None:
        rare = [word for word, count in counts.items() if count == 1]
        words = rare if len(rare) >= ENOUGH else list(counts)
        self._model = NgramModel(map(list, words), order=3)
        whole = [word for word in words if "-" not in word]  # others are known by their parts
        whole = whole[:: max(len(whole) // MANY, 1)]
        learns = len(known) and len(whole) >= ENOUGH
        self._derived = DerivedWords(whole, _by_others(whole), known) if learns else None
        self._known: dict[str, float] = {}

    def __call__(self, words: Iterable[str]) -> Floats:
        """log p of the spelling of each word, nats, shape (words,)."""
        rows = list(words)
        new = [word for word in dict.fromkeys(rows) if word not in self._known]
        self._known.update(zip(new, self._log_p(new).tolist(), strict=True))
        return np.array([self._known[word] for word in rows], dtype=np.float64)

    def _log_p(self, words: list[str]) -> Floats:
        characters = self._model.log_likelihoods(words)
        if self._derived is None or not words:
            return characters
        return np.logaddexp(np.log1p(-self._derived.share) + characters, self._derived(words))


def _by_others(words: list[str]) -> Floats:
    """log p of each word by the characters of the other half of the words, so that it knows none of them."""
    found = np.zeros(len(words))
    for half in range(HALVES):
        others = NgramModel([list(word) for i, word in enumerate(words) if i % HALVES != half], order=3)
        found[half::HALVES] = others.log_likelihoods(words[half::HALVES])
    return found
