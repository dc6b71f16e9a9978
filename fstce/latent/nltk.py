"""Latent grammars as NLTK knows parsers: ``nltk.parse.api.ParserI``, lists of words in, ``nltk.Tree`` out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from fstce.corpora import Tree
from fstce.errors import MissingToolError
from fstce.numeric.types import Sentences


class TreePredictor(Protocol):
    """A latent grammar or a product of several."""

    def predict(self, sentences: Sentences) -> list[Tree]:
        """The best tree of each sentence."""


def nltk_parser(parser: TreePredictor) -> Any:
    """The grammar, or the product, as an NLTK parser."""
    try:
        from nltk.parse.api import ParserI
    except ImportError:
        raise MissingToolError("NLTK is not installed: pip install fstce[nltk]") from None
    return type("NltkTreeParser", (_TreeView, ParserI), {"__doc__": _TreeView.__doc__})(parser)


class _TreeView:
    """An fstce grammar under NLTK's method names; `parser` is the grammar itself."""

    def __init__(self, parser: TreePredictor) -> None:
        self.parser = parser

    def parse(self, tokens: Iterable[str]) -> Iterator[Any]:
        """The best tree of a sentence; nothing of an empty one."""
        from nltk.tree import Tree

        words = list(tokens)
        for tree in self.parser.predict([words]) if words else ():
            done: list[Any] = []
            opened: list[tuple[str, int]] = []
            for item in tree.walk():
                if item is None:
                    label, start = opened.pop()
                    done[start:] = [Tree(label, done[start:])]
                elif isinstance(item, str):
                    done.append(item)
                else:
                    opened.append((item.label, len(done)))
            yield done[0]

    def grammar(self) -> None:
        """No grammar of NLTK's kind; its rules are those of ``fstce latent show``."""

    def __repr__(self) -> str:
        return f"<NLTK view of {self.parser!r}>"
