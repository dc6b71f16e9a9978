"""Taggers and parsers as NLTK knows them: ``nltk.tag.api.TaggerI`` and ``nltk.parse.api.ParserI``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fstce.errors import CorpusError, MissingToolError

if TYPE_CHECKING:
    from fstce.parsing.parser import DependencyParser
    from fstce.tagging.tagger import Tagger

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


def nltk_parser(parser: DependencyParser) -> Any:
    """The parser as an ``nltk.parse.api.ParserI``, of sentences that are (word, tag) pairs.

    Raises
    ------
    NotFittedError
        The parser is not trained.
    MissingToolError
        NLTK is not installed.

    Examples
    --------
    >>> from fstce import DependencyParser
    >>> parser = DependencyParser().fit([["DT", "NN"], ["NN"]])
    >>> graph = next(nltk_parser(parser).parse([("a", "DT"), ("dog", "NN")]))
    >>> sorted(graph.nodes[address]["word"] for address in (1, 2))
    ['a', 'dog']
    """
    parser._check_fitted("theta_")
    try:
        from nltk.parse.api import ParserI
    except ImportError:
        raise MissingToolError("NLTK is not installed: pip install fstce[nltk]") from None
    return type("NltkParser", (_ParserView, ParserI), {"__doc__": _ParserView.__doc__})(parser)


class _ParserView:
    """An fstce parser under NLTK's method names; `parser` is the parser itself."""

    def __init__(self, parser: DependencyParser) -> None:
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
