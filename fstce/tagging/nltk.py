"""Taggers as NLTK knows them: ``nltk.tag.api.TaggerI``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from fstce.errors import MissingToolError
from fstce.numeric.types import Sentences

Tagged = list[tuple[str, str]]


class Predicting(Protocol):
    """What the view needs of a tagger."""

    def predict(self, sentences: Sentences) -> list[list[str]]:
        """The tags of each sentence's words."""
        ...


def nltk_tagger(tagger: Predicting) -> Any:
    """The tagger as an ``nltk.tag.api.TaggerI``, which brings ``accuracy``, ``confusion`` and the like.

    >>> from fstce import Tagger
    >>> tagger = Tagger(order=1).fit([["a", "dog"]], dictionary={"a": "D", "dog": "N"})
    >>> nltk_tagger(tagger).tag("a dog".split())
    [('a', 'D'), ('dog', 'N')]
    """
    try:
        from nltk.tag.api import TaggerI
    except ImportError:
        raise MissingToolError("NLTK is not installed: pip install fstce[nltk]") from None
    return type("NltkTagger", (_View, TaggerI), {"__doc__": _View.__doc__})(tagger)


class _View:
    """An fstce tagger under NLTK's method names; `tagger` is the tagger itself."""

    def __init__(self, tagger: Predicting) -> None:
        self.tagger = tagger

    def tag(self, tokens: Sequence[str]) -> Tagged:
        """The words of one sentence with their tags."""
        return self.tag_sents([tokens])[0]

    def tag_sents(self, sentences: Iterable[Sequence[str]]) -> list[Tagged]:
        """The words of each sentence with their tags, in one batch; a sentence may be empty."""
        rows = [list(sentence) for sentence in sentences]
        full = [row for row in rows if row]
        found = iter(self.tagger.predict(full) if full else [])
        return [list(zip(row, next(found), strict=True)) if row else [] for row in rows]

    def __repr__(self) -> str:
        return f"<NLTK view of {self.tagger!r}>"
