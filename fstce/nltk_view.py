"""A tagger as NLTK knows them, for code that wants an ``nltk.tag.api.TaggerI``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fstce.errors import MissingToolError

if TYPE_CHECKING:
    from fstce.tagging import Tagger

Tagged = list[tuple[str, str]]


def nltk_tagger(tagger: Tagger) -> Any:
    """The tagger as an ``nltk.tag.api.TaggerI``, which brings ``accuracy``, ``confusion`` and the like.

    Parameters
    ----------
    tagger : Tagger
        Trained.

    Raises
    ------
    NotFittedError
        The tagger is not trained.
    MissingToolError
        NLTK is not installed.

    Examples
    --------
    >>> from fstce import Tagger
    >>> tagger = Tagger(order=1).fit([["a", "dog"]], dictionary={"a": "D", "dog": "N"})
    >>> nltk_tagger(tagger).tag("a dog".split())
    [('a', 'D'), ('dog', 'N')]
    """
    tagger._check_fitted("theta_")
    try:
        from nltk.tag.api import TaggerI
    except ImportError:
        raise MissingToolError("NLTK is not installed: pip install fstce[nltk]") from None
    return type("NltkTagger", (_View, TaggerI), {"__doc__": _View.__doc__})(tagger)


class _View:
    """An fstce tagger under NLTK's method names; `tagger` is the tagger itself."""

    def __init__(self, tagger: Tagger) -> None:
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
