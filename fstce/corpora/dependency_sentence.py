"""The words of a sentence that a dependency grammar sees, and the way back to the others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fstce.corpora.sentence import Sentence
from fstce.errors import CorpusError


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DependencySentence(Sentence):
    """The words of a sentence that a grammar sees, and where they stood in the original.

    As a :class:`Sentence`, with heads that number the words that are kept. ``kept``: the position of each
    word in the original, from 0, ascending. ``original``: the sentence as it was read.
    """

    kept: tuple[int, ...] = field(kw_only=True)
    original: Sentence = field(kw_only=True)

    def __init__(
        self, words: Iterable[str], *columns: Any, kept: Iterable[int], original: Sentence, **named: Any
    ) -> None:
        """As a sentence; see the class."""
        Sentence.__init__(self, words, *columns, **named)
        places = tuple(kept)
        if len(places) != len(self) or not set(places) <= set(range(len(original))):
            raise CorpusError(
                f"{self.source or self}: {len(self)} words cannot stand at {places} of {original}"
            )
        object.__setattr__(self, "kept", places)
        object.__setattr__(self, "original", original)

    def restore(self, heads: Sequence[int]) -> tuple[int, ...]:
        """Heads of all words of the original from heads of those that are kept.

        A removed word attaches to the nearest word before it that is kept, or else to the
        first that is kept: what was a projective tree remains one.

        ``heads``: one for each word of this sentence, from 1; 0 is the root. Returns one for each word of the
        original, from 1.
        """
        if len(heads) != len(self) or not all(0 <= head <= len(self) for head in heads):
            raise CorpusError(f"{self.source or self}: {tuple(heads)} are not heads of {len(self)} words")
        number = (0, *(place + 1 for place in self.kept))
        whole = []
        for place in range(len(self.original)):
            before = bisect_right(self.kept, place)
            is_kept = before and self.kept[before - 1] == place
            whole.append(number[heads[before - 1]] if is_kept else number[max(before, 1)])
        return tuple(whole)
