"""Vocabularies: words with their counts, from a text or a file, and which are as frequent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from functools import cache, cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

from fstce.corpora.shipped import sample
from fstce.corpora.word_files import read_word_file
from fstce.errors import CorpusError, NeighborhoodError
from fstce.numeric.types import Sentences
from fstce.parameters.rules import POSITIVE


class Vocabulary(Counter[str]):
    """Words with their counts, the most frequent first; equals stay in the order given.

    ``counts``: a list without counts is taken as in order of frequency. ``classes``: of words,
    such as the tags that they may take, for `near`.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]  # as what a builder remembers answers by

    def __init__(
        self, counts: Mapping[str, int], classes: Mapping[str, Hashable] | None = None
    ) -> None:
        super().__init__(dict(sorted(counts.items(), key=lambda item: -item[1])))
        self.classes = classes
        self._nearest = cache(self._in_reach)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self), self.classes)

    @classmethod
    def of(cls, sentences: Sentences) -> Vocabulary:
        """The words of a text, counted."""
        return cls(Counter(chain.from_iterable(sentences)))

    @classmethod
    def read(cls, path: Path | str) -> Vocabulary:
        """The words of a file of :mod:`fstce.corpora.word_files`.

        Raises NeighborhoodError for its faults.
        """
        try:
            return cls(read_word_file(path, error=NeighborhoodError).symbols().counts)
        except CorpusError as error:
            raise NeighborhoodError(str(error)) from None

    def near(self, word: str, number: int, reach: int) -> tuple[str, ...]:
        """The other words whose ranks of frequency are nearest to a word's.

        ``number``: how many at most. ``reach``: how many ranks away they are at most. Of words
        that have classes only those of another class than the word's, and none without a class.

        >>> classes = {"the": "D", "a": "D", "cat": "N"}
        >>> words = Vocabulary({"the": 9, "a": 8, "wug": 4, "cat": 3}, classes)
        >>> words.near("the", 2, reach=3), Vocabulary(words).near("the", 2, reach=3)
        (('cat',), ('a', 'wug'))
        """
        POSITIVE.check(width=number)
        return self._nearest(word, number, reach)

    def _in_reach(self, word: str, number: int, reach: int) -> tuple[str, ...]:
        if word not in self:
            return ()
        rank = self._rank[word]
        away = range(1, min(reach, len(self)) + 1)
        ranks = chain.from_iterable((rank - d, rank + d) for d in away)
        others = (self._ranked[at] for at in ranks if 0 <= at < len(self))
        if self.classes is not None:
            classes = self.classes
            own = classes.get(word)
            others = (other for other in others if classes.get(other, own) != own)
        return tuple(islice(others, number))

    @cached_property
    def _ranked(self) -> list[str]:
        return list(self)

    @cached_property
    def _rank(self) -> dict[str, int]:
        return {word: rank for rank, word in enumerate(self)}


@cache
def sample_vocabulary() -> Vocabulary:
    """The words of the bundled sample, counted."""
    return Vocabulary.of(sentence.words for sentence in sample())
