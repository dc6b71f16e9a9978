"""What the form of a word says of its tag: P(T | form), learnt from the rare words of a treebank.

A softmax regression over word types: affixes of one to five characters, length and signs
(``grammars.word_form``), the signature, and of a capitalized word whether its lower-case form is
known. A type counts once, its tags in the shares that the treebank gives it.
Affixes need no list and serve any language with a script of letters, where signatures are English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.signatures import signature
from fstce.estimation.log_linear import indicators, log_softmax, softmax_regression
from fstce.grammars import word_form
from fstce.numeric.remembered import remembered
from fstce.numeric.types import Floats, Ints

_REMEMBERED = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class WordForms:
    """P(T | form of the word) over tags.

    ``weights`` is (n_features, n_tags).
    """

    names: tuple[str, ...]
    weights: NDArray[np.float32]
    _number: dict[str, int] = field(init=False)
    _found: dict[str, Floats] = field(init=False)

    def __post_init__(self) -> None:
        """Number the features."""
        object.__setattr__(self, "_number", {name: i for i, name in enumerate(self.names)})
        object.__setattr__(self, "_found", {})

    @classmethod
    def of_words(cls, words: Sequence[str], tag_counts: Ints, known: Callable[[str], bool]) -> WordForms:
        """Learnt from words and how often each has each tag, shape (n_words, n_tags)."""
        described = [features(word, known) for word in words]
        # What one word alone has says nothing of another.
        counted = Counter(chain.from_iterable(described))
        names = tuple(name for name, count in counted.items() if count > 1)
        number = {name: i for i, name in enumerate(names)}
        target = tag_counts / np.maximum(tag_counts.sum(axis=1, keepdims=True), 1)
        return cls(names, softmax_regression(indicators(described, number), target).astype(np.float32))

    def probabilities(self, words: Sequence[str], known: Callable[[str], bool]) -> list[Floats]:
        """P(T | form) of each word, shape (n_tags,) each; `known` is as in training."""

        def guessed(new: list[str]) -> Floats:
            scores = indicators([features(word, known) for word in new], self._number) @ self.weights
            return np.exp(log_softmax(scores))

        return remembered(self._found, words, _REMEMBERED, guessed)


def features(word: str, known: Callable[[str], bool]) -> list[str]:
    """What the form of a word has; `known` is asked for the lower-case form."""
    lowered = ["lower-case form known" if known(word.lower()) else "lower-case form unknown"]
    capital = word[:1].isupper()
    return [*_affixes(word), signature(word, False, known), *(lowered if capital else ())]


@lru_cache(maxsize=1 << 14)  # every grammar of a product asks of the same words
def _affixes(word: str) -> tuple[str, ...]:
    return word_form.build(word)
