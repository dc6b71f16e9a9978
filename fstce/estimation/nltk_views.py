"""Taggers and parsers as NLTK knows them: ``nltk.tag.api.TaggerI``, ``nltk.parse.api.ParserI``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fstce.errors import CorpusError, optional

Tagged = list[tuple[str, str]]


def nltk_tagger(tagger: Any) -> Any:
    """The tagger as an ``nltk.tag.api.TaggerI``, which brings ``accuracy``, ``confusion`` and the
    like.

    >>> from fstce import Tagger
    >>> tagger = Tagger(order=1).fit([["a", "dog"]], dictionary={"a": "D", "dog": "N"})
    >>> nltk_tagger(tagger).tag("a dog".split())
    [('a', 'D'), ('dog', 'N')]
    """
    return _viewed("NltkTagger", _TaggerView, "nltk.tag.api", "TaggerI")(tagger)


def nltk_parser(parser: Any) -> Any:
    """The parser as an ``nltk.parse.api.ParserI``, of sentences that are (word, tag) pairs.

    >>> from fstce import DependencyParser
    >>> parser = DependencyParser().fit([["DT", "NN"], ["NN"]])
    >>> graph = next(nltk_parser(parser).parse([("a", "DT"), ("dog", "NN")]))
    >>> sorted(graph.nodes[address]["word"] for address in (1, 2))
    ['a', 'dog']
    """
    return _viewed("NltkParser", _ParserView, "nltk.parse.api", "ParserI")(parser)


def nltk_tree_parser(parser: Any) -> Any:
    """The grammar, or the product of grammars, as an ``nltk.parse.api.ParserI``.

    >>> from fstce import LatentGrammar
    >>> from fstce.corpora import sample
    >>> grammar = LatentGrammar(cycles=0).fit(sample()[:8])
    >>> next(nltk_tree_parser(grammar).parse(["the", "lamp"])).leaves()
    ['the', 'lamp']
    """
    return _viewed("NltkTreeParser", _TreeView, "nltk.parse.api", "ParserI")(parser)


def _viewed(name: str, view: type, module: str, interface: str) -> type:
    """The view as a class that NLTK takes for one of its own."""
    api = optional(module, "NLTK is not installed: pip install fstce[nltk]")
    return type(name, (view, getattr(api, interface)), {"__doc__": view.__doc__})


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
        """The best tree of a tagged sentence, as NLTK's DependencyGraph.

        Nothing of an empty one.
        """
        from nltk.parse.dependencygraph import DependencyGraph

        pairs = list(tokens)
        for pair in pairs:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise CorpusError(f"{pair!r} is no (word, tag) pair; tag the words first")
        if pairs:
            heads = self.parser.predict([[tag for _, tag in pairs]])[0]
            rows = (
                f"{w}\t{t}\t{h}\t{'dep' if h else 'ROOT'}"
                for (w, t), h in zip(pairs, heads, strict=True)
            )
            yield DependencyGraph("\n".join(rows), cell_separator="\t")

    def grammar(self) -> None:
        """No grammar of NLTK's kind; the weights are in ``parser.weights()``."""

    def __repr__(self) -> str:
        return f"<NLTK view of {self.parser!r}>"


class _TreeView(_ParserView):
    """An fstce grammar under NLTK's method names; `parser` is the grammar itself."""

    def parse(self, tokens: Iterable[str]) -> Iterator[Any]:  # type: ignore[override]
        """The best tree of a sentence; nothing of an empty one."""
        from nltk.tree import Tree

        words = list(tokens)
        for tree in self.parser.predict([words]) if words else ():
            yield tree.fold(lambda node, children: Tree(node.label, children))

    def grammar(self) -> None:
        """No grammar of NLTK's kind; its rules are ``parser.hierarchy_.finest.rules``."""
