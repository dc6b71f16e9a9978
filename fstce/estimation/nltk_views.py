"""Taggers and parsers as NLTK knows them: ``nltk.tag.api.TaggerI``, ``nltk.parse.api.ParserI``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from fstce.errors import CorpusError, optional
from fstce.numeric.types import Sentences, Words

Tagged = list[tuple[str, str]]


class _View:
    """An fstce model under NLTK's method names; `model` is the model itself."""

    api: ClassVar[tuple[str, str]] = "nltk.parse.api", "ParserI"

    def __init__(self, model: Any) -> None:
        self.model = model

    def __repr__(self) -> str:
        return f"<NLTK view of {self.model!r}>"


def nltk_view(view: type[_View], model: Any) -> Any:
    """The model under this view, as an object that NLTK takes for one of its own."""
    module, interface = view.api
    api = optional(module, "NLTK is not installed: pip install fstce[nltk]")
    return type(view.__name__, (view, getattr(api, interface)), {"__doc__": view.__doc__})(model)


class NltkTagger(_View):
    """An fstce tagger, to which NLTK brings ``accuracy``, ``confusion`` and the like.

    >>> from fstce import Tagger
    >>> tagger = Tagger(order=1).fit([["a", "dog"]], dictionary={"a": "D", "dog": "N"})
    >>> nltk_view(NltkTagger, tagger).tag("a dog".split())
    [('a', 'D'), ('dog', 'N')]
    """

    api: ClassVar[tuple[str, str]] = "nltk.tag.api", "TaggerI"

    def tag(self, tokens: Words) -> Tagged:
        """The words of one sentence with their tags."""
        return self.tag_sents([tokens])[0]

    def tag_sents(self, sentences: Sentences) -> list[Tagged]:
        """The words of each sentence with their tags, in one batch; a sentence may be empty."""
        rows = [list(sentence) for sentence in sentences]
        predicted = iter(self.model.predict([row for row in rows if row]))
        return [list(zip(row, next(predicted), strict=True)) if row else [] for row in rows]


class NltkParser(_View):
    """An fstce parser of sentences that are (word, tag) pairs.

    >>> from fstce import DependencyParser
    >>> parser = DependencyParser().fit([["DT", "NN"], ["NN"]])
    >>> graph = next(nltk_view(NltkParser, parser).parse([("a", "DT"), ("dog", "NN")]))
    >>> sorted(graph.nodes[address]["word"] for address in (1, 2))
    ['a', 'dog']
    """

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
            heads = self.model.predict([[tag for _, tag in pairs]])[0]
            rows = (
                f"{w}\t{t}\t{h}\t{'dep' if h else 'ROOT'}"
                for (w, t), h in zip(pairs, heads, strict=True)
            )
            yield DependencyGraph("\n".join(rows), cell_separator="\t")

    def grammar(self) -> None:
        """No grammar of NLTK's kind; the weights are in ``model.weights()``."""
