"""Taggers and dependency parsers as NLTK knows them: ``nltk.tag.api.TaggerI``, ``nltk.parse.api.ParserI``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fstce.errors import CorpusError, optional

_MISSING = "NLTK is not installed: pip install fstce[nltk]"
Tagged = list[tuple[str, str]]


def nltk_tagger(tagger: Any) -> Any:
    """The tagger as an ``nltk.tag.api.TaggerI``, which brings ``accuracy``, ``confusion`` and the like.

    >>> from fstce import Tagger
    >>> tagger = Tagger(order=1).fit([["a", "dog"]], dictionary={"a": "D", "dog": "N"})
    >>> nltk_tagger(tagger).tag("a dog".split())
    [('a', 'D'), ('dog', 'N')]
    """
    api = optional("nltk.tag.api", _MISSING)
    return type("NltkTagger", (_TaggerView, api.TaggerI), {"__doc__": _TaggerView.__doc__})(tagger)


def nltk_parser(parser: Any) -> Any:
    """The parser as an ``nltk.parse.api.ParserI``, of sentences that are (word, tag) pairs.

    >>> from fstce import DependencyParser
    >>> parser = DependencyParser().fit([["DT", "NN"], ["NN"]])
    >>> graph = next(nltk_parser(parser).parse([("a", "DT"), ("dog", "NN")]))
    >>> sorted(graph.nodes[address]["word"] for address in (1, 2))
    ['a', 'dog']
    """
    api = optional("nltk.parse.api", _MISSING)
    return type("NltkParser", (_ParserView, api.ParserI), {"__doc__": _ParserView.__doc__})(parser)


class _TaggerView:
    """An fstce tagger under NLTK's method names; `tagger` is the tagger itself."""

    def __init__(self, tagger: Any) -> None:
        self.tagger = tagger

    def tag(self, tokens: Sequence[str]) -> Tagged:
        """The words of one sentence with their tags."""
        return self.tag_sents([tokens])[0]

    def tag_sents(self, sentences: Iterable[Sequence[str]]) -> list[Tagged]:
        """The words of each sentence with their tags, in one batch; a sentence may be empty."""
        rows = [list(sentence) for sentence in sentences]
        predicted = iter(self.tagger.predict([row for row in rows if row]))
        return [list(zip(row, next(predicted), strict=True)) if row else [] for row in rows]

    def __repr__(self) -> str:
        return f"<NLTK view of {self.tagger!r}>"


class _ParserView:
    """An fstce parser under NLTK's method names; `parser` is the parser itself."""

    def __init__(self, parser: Any) -> None:
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
