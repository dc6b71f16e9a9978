"""Dependency parsers as NLTK knows them: ``nltk.parse.api.ParserI``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from fstce.errors import CorpusError, MissingToolError
from fstce.numeric.types import Sentences


class Predicting(Protocol):
    """What the view needs of a parser."""

    def predict(self, sentences: Sentences) -> list[tuple[int, ...]]:
        """The head of each word of each sentence."""
        ...


def nltk_parser(parser: Predicting) -> Any:
    """The parser as an ``nltk.parse.api.ParserI``, of sentences that are (word, tag) pairs.

    >>> from fstce import DependencyParser
    >>> parser = DependencyParser().fit([["DT", "NN"], ["NN"]])
    >>> graph = next(nltk_parser(parser).parse([("a", "DT"), ("dog", "NN")]))
    >>> sorted(graph.nodes[address]["word"] for address in (1, 2))
    ['a', 'dog']
    """
    try:
        from nltk.parse.api import ParserI
    except ImportError:
        raise MissingToolError("NLTK is not installed: pip install fstce[nltk]") from None
    return type("NltkParser", (_ParserView, ParserI), {"__doc__": _ParserView.__doc__})(parser)


class _ParserView:
    """An fstce parser under NLTK's method names; `parser` is the parser itself."""

    def __init__(self, parser: Predicting) -> None:
        self.parser = parser

    def parse(self, tokens: Iterable[tuple[str, str]]) -> Iterator[Any]:
        """The best tree of a tagged sentence, as NLTK's DependencyGraph; nothing of an empty one."""
        from nltk.parse.dependencygraph import DependencyGraph

        pairs = list(tokens)
        for pair in pairs:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise CorpusError(f"{pair!r} is no (word, tag) pair; tag the words first")
        if pairs:
            heads = self.parser.predict([[tag for _, tag in pairs]])[0]
            rows = (
                f"{w}\t{t}\t{h}\t{'dep' if h else 'ROOT'}" for (w, t), h in zip(pairs, heads, strict=True)
            )
            yield DependencyGraph("\n".join(rows), cell_separator="\t")

    def grammar(self) -> None:
        """No grammar of NLTK's kind; the weights are in ``parser.weights()``."""

    def __repr__(self) -> str:
        return f"<NLTK view of {self.parser!r}>"
