"""A word n-gram model: interpolated Kneser–Ney, over sorted arrays, asked for many n-grams at once.

It is the rival that a corrector has to beat on the same text, and may also weight the
lattices that a corrector trains and decodes with. Words that training did not see share
the probability of ``<unk>``, the mass that the unigrams leave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.words import checked_rows
from fstce.errors import CorpusError
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Rows, Sentences

BOUNDARY, UNKNOWN = 0, 1  # word numbers; words of the text follow


class _Level(NamedTuple):
    """N-grams of one length: their discounted shares, and what their histories leave."""

    codes: Ints
    share: Floats
    histories: Ints
    left: Floats


class NgramModel:
    """Interpolated Kneser–Ney smoothing (Kneser & Ney 1995; Chen & Goodman 1999, §3), order 1 to 3.

    p(w | h) = max(c(hw) − D, 0) / c(h) + left(h) · p(w | h′), where h′ is the shorter
    history, lower orders count the distinct words before an n-gram instead of its tokens,
    and D = n₁ / (n₁ + 2·n₂) for each order, n₁ and n₂ being the n-grams of count 1 and 2.

    ``unknown``: words of the text that count as unknown ones.
    """

    def __init__(self, sentences: Sentences, order: int = 3, unknown: Collection[str] = ()) -> None:
        unknown = frozenset(unknown)
        rows = checked_rows(sentences)
        if not any(rows):
            raise CorpusError("a word n-gram model needs text: give at least one sentence")
        self.order = order
        self.words: tuple[str, ...] = tuple(
            word for word in dict.fromkeys(chain.from_iterable(rows)) if word not in unknown
        )
        self._number = {word: i for i, word in enumerate(self.words, UNKNOWN + 1)}
        self._levels = self._count(_running([self.ids(row) for row in rows], order))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The counts as plain arrays by name, for :meth:`of_arrays`."""
        arrays = {}
        for n, level in enumerate(self._levels, 1):
            for name, array in level._asdict().items():
                arrays[f"{name}{n}"] = array
        return arrays

    @classmethod
    def of_arrays(
        cls, words: Iterable[str], order: int, arrays: Mapping[str, NDArray[Any]]
    ) -> NgramModel:
        """The model of these words, in order, and of what :meth:`arrays` gave."""
        model = cls.__new__(cls)
        model.order = order
        model.words = tuple(words)
        model._number = {word: i for i, word in enumerate(model.words, UNKNOWN + 1)}
        model._levels = []
        for n in range(1, order + 1):
            level = _Level._make(arrays[f"{name}{n}"] for name in _Level._fields)
            _check_level(level, model.size**n)
            model._levels.append(level)
        return model

    @property
    def size(self) -> int:
        """How many word numbers there are, with boundary and unknown word."""
        return UNKNOWN + 1 + len(self.words)

    def ids(self, words: Iterable[str]) -> Ints:
        """The number of each word; 1 for a word that training did not see."""
        return np.array([self._number.get(word, UNKNOWN) for word in words], dtype=np.int64)

    def ids_in_any_case(self, words: Iterable[str]) -> Ints:
        """The number of each word, or of that in other capitals where training saw these alone.

        >>> model = NgramModel(["the cat sat".split()])
        >>> model.ids_in_any_case(["The", "CAT", "dog"]).tolist()
        [2, 3, 1]
        """
        number = self._number
        lower = self._lower
        numbers = [number.get(word) or lower.get(word.lower(), UNKNOWN) for word in words]
        return np.array(numbers, dtype=np.int64)

    @cached_property
    def _lower(self) -> dict[str, int]:
        """The number of each word by its small letters; of several the first that the text has."""
        numbers: dict[str, int] = {}
        for word, number in self._number.items():
            if word == word.lower():
                numbers[word] = number
            else:
                numbers.setdefault(word.lower(), number)
        return numbers

    def log_probabilities(self, ngrams: NDArray[np.integer[Any]]) -> Floats:
        """log p(last word | the words before) of each row, nats.

        ``ngrams`` (N, order): word numbers; boundaries before a sentence's first word. Fewer
        columns ask the model of shorter n-grams that this one falls back to.
        """
        rows = np.asarray(ngrams, dtype=np.int64)
        unigrams = self._levels[0]
        p = _look_up(unigrams.codes, unigrams.share, rows[:, -1], 0.0)
        p[rows[:, -1] == UNKNOWN] += unigrams.left[0]  # what the unigrams leave belongs to it

        for length, level in enumerate(self._levels[1 : rows.shape[1]], 2):
            share = _look_up(level.codes, level.share, self._code(rows[:, -length:]), 0.0)
            history = self._code(rows[:, -length:-1])
            p = share + _look_up(level.histories, level.left, history, 1.0) * p
        return np.asarray(np.log(p), dtype=np.float64)

    def side_by_side(self, first: str, second: str) -> bool:
        """Whether the text has two words next to each other, in any case."""
        a, b = self._lower.get(first.lower()), self._lower.get(second.lower())
        if a is None or b is None or not len(self._pairs):
            return False
        code = a * self.size + b
        place = int(np.searchsorted(self._pairs, code))
        return place < len(self._pairs) and int(self._pairs[place]) == code

    @cached_property
    def _pairs(self) -> Ints:
        """The codes of the text's bigrams, each word by the number that all its cases share."""
        if self.order < 2:
            return np.zeros(0, dtype=np.int64)
        number = np.arange(self.size)
        number[UNKNOWN + 1 :] = [self._lower[word.lower()] for word in self.words]
        a, b = np.divmod(self._levels[1].codes, self.size)
        return np.unique(number[a] * self.size + number[b])

    def log_likelihoods(self, sentences: Rows) -> Floats:
        """log p of each sentence with its end, nats, shape (sentences,)."""
        if not sentences:
            return np.zeros(0)
        sentence = np.repeat(np.arange(len(sentences)), [len(row) + 1 for row in sentences])
        running = _running([self.ids(row) for row in sentences], self.order)
        return total(sentence, self.log_probabilities(running), len(sentences))

    def _code(self, ngrams: Ints) -> Ints:
        code = np.zeros(len(ngrams), dtype=np.int64)
        for column in ngrams.T:
            code = code * self.size + column
        return code

    def _count(self, running: Ints) -> list[_Level]:
        """The levels from unigrams up; lower orders count the distinct n-grams one word longer."""
        levels = []
        rows, times = np.unique(running, axis=0, return_counts=True)
        for length in range(self.order, 0, -1):
            levels.append(self._level(rows, times.astype(np.float64)))
            if length > 1:
                rows, times = np.unique(rows[:, 1:], axis=0, return_counts=True)
        return levels[::-1]

    def _level(self, rows: Ints, times: Floats) -> _Level:
        discount = _discount(times)
        histories, history = np.unique(self._code(rows[:, :-1]), return_inverse=True)
        totals = np.bincount(history, times)
        discounted = np.maximum(times - discount, 0.0)

        codes = self._code(rows)
        order = np.argsort(codes)
        left = 1 - np.bincount(history, discounted) / totals
        return _Level(codes[order], (discounted / totals[history])[order], histories, left)


def _check_level(level: _Level, end: int) -> None:
    """Raise ValueError unless keys ascend below `end` and values are shares."""
    for keys, values in ((level.codes, level.share), (level.histories, level.left)):
        is_typed = keys.dtype == np.int64 and values.dtype == np.float64
        if not (
            is_typed
            and keys.ndim == 1
            and keys.shape == values.shape != (0,)
            and 0 <= keys[0] <= keys[-1] < end
            and np.all(np.diff(keys) > 0)
            and np.all((values >= 0) & (values <= 1))
        ):
            raise ValueError("the n-grams and their shares in the n-gram model do not fit")


def _running(sentences: Sequence[Ints], order: int) -> Ints:
    """All n-grams of the sentences with their boundaries, shape (words + sentences, order)."""
    before = np.full(max(order - 1, 1), BOUNDARY)
    text = np.concatenate([np.concatenate((before, row, [BOUNDARY])) for row in sentences])

    is_last = np.ones(len(text), dtype=bool)
    sizes = np.array([len(before) + len(row) + 1 for row in sentences])
    starts = np.cumsum(sizes) - sizes
    is_last[(starts[:, None] + np.arange(len(before))).ravel()] = False
    return text[np.flatnonzero(is_last)[:, None] + np.arange(1 - order, 1)]


def _discount(times: Floats) -> float:
    n_once, n_twice = np.bincount(np.minimum(times, 3).astype(np.int64), minlength=4)[1:3].tolist()
    return n_once / (n_once + 2 * n_twice) if n_once and n_twice else 0.5


def _look_up(keys: Ints, values: Floats, wanted: Ints, missing: float) -> Floats:
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], missing)
