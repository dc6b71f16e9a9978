"""How words are spelt: a character n-gram model, for words that no lexicon has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from fstce.correction.factors.ngrams import NgramModel
from fstce.numeric.types import Floats


class SpellingModel:
    """log p(spelling) of unknown words, from the characters of rare ones.

    Words that a text has once are most like those that it has not (Good 1953), so that the
    model is trained on them; on all words where fewer than a hundred are that rare.

    Parameters
    ----------
    counts : mapping of str to int
        The words of a text and how often it has them.

    Examples
    --------
    >>> model = SpellingModel({"walking": 1, "talking": 1, "walked": 1})
    >>> likely, unlikely = model(["talked", "tklaed"])
    >>> bool(likely > unlikely)
    True
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        rare = [word for word, count in counts.items() if count == 1]
        self._model = NgramModel(map(list, rare if len(rare) >= 100 else counts), order=3)
        self._known: dict[str, float] = {}

    def __call__(self, words: Iterable[str]) -> Floats:
        """log p of the spelling of each word, nats, shape (words,)."""
        rows = list(words)
        new = [word for word in dict.fromkeys(rows) if word not in self._known]
        self._known.update(zip(new, self._model.log_likelihoods(new).tolist(), strict=True))
        return np.array([self._known[word] for word in rows], dtype=np.float64)
