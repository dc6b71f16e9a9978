"""Neighborhoods that take words from a vocabulary: those of like frequency, or the commonest.

A builder that says ``NEEDS = "vocabulary"`` is given one: ``build(symbols, vocabulary)``, and
``introduces(words, vocabulary)`` says which words it may put into a sentence of these words,
so that the machine of a sentence has the sentence's words and those few, never the whole
vocabulary. The vocabulary is a file of words, ``sub1band(words.tsv)``, or is counted from
the text that is expanded (:meth:`Neighborhood.for_text`), as estimators do.

``OPTIONS`` of a builder's file are further arguments by name, each with what reads it from
text: with ``OPTIONS = {"width": int}`` an expression may say ``sub1band(words.tsv, width=20)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fstce.corpora.vocabulary import Vocabulary
from fstce.errors import NeighborhoodError
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood, Sentence

NEEDS = "vocabulary"
_SIGNS = frozenset("|&@(),='\" \t")


class OverVocabulary(Neighborhood):
    """A neighborhood that takes words from a vocabulary.

    ``build``: from symbols and vocabulary, and options, to a transducer. ``introducing``: from
    words and vocabulary, and options, to words. ``readers``: the options, each with what reads it
    from text.

    >>> from fstce import neighborhood
    >>> vocabulary = Vocabulary({"the": 9, "a": 8, "cat": 3, "dog": 3})
    >>> band = neighborhood("sub1band").with_vocabulary(vocabulary).with_options(width=2)
    >>> sorted(band("a cat".split()).strings())
    [('a', 'a'), ('a', 'cat'), ('a', 'dog'), ('cat', 'cat'), ('the', 'cat')]
    """

    build: Callable[..., pynini.Fst]

    def __init__(
        self,
        build: Callable[..., pynini.Fst],
        introducing: Callable[..., Iterable[str]],
        name: str,
        *,
        readers: Mapping[str, Callable[[str], Any]] | None = None,
    ) -> None:
        super().__init__(build, name)
        self.introducing = introducing
        self.readers: dict[str, Callable[[str], Any]] = dict(readers or {})
        self.vocabulary: Vocabulary | None = None
        self.options: dict[str, Any] = {}

    @property
    def wants_vocabulary(self) -> bool:
        """Whether a vocabulary is still to be given."""
        return self.vocabulary is None

    def machine_over(self, symbols: Symbols, sentence: Sentence | None = None) -> pynini.Fst:
        """The builder's machine over an alphabet and the vocabulary."""
        return self._built(symbols, self._known(), sentence=sentence, **self.options)

    def introduced(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words that the builder may put into a sentence of these words."""
        return tuple(dict.fromkeys(self.introducing(words, self._known(), **self.options)))

    def _known(self) -> Vocabulary:
        if self.vocabulary is None:
            bare = self.name.partition("(")[0]
            raise NeighborhoodError(
                f"{self.name} needs a vocabulary: name a file of words, {bare}(words.tsv), or give "
                "it the text's with for_text(sentences)"
            )
        return self.vocabulary

    def with_vocabulary(self, vocabulary: Vocabulary) -> OverVocabulary:
        """A copy over this vocabulary."""
        return self.changed(vocabulary=vocabulary)

    def with_options(self, **options: Any) -> OverVocabulary:
        """A copy with these arguments of its builder; text is read as the file says."""
        read = {name: self._option(name, value) for name, value in options.items()}
        return self.changed(options={**self.options, **read})

    def _option(self, name: str, value: Any) -> Any:
        if name not in self.readers:
            choices = f"known: {', '.join(self.readers)}" if self.readers else "it has none"
            raise NeighborhoodError(f"{self.name} has no option {name!r}; {choices}")
        if not isinstance(value, str):
            return value
        try:
            return self.readers[name](value)
        except ValueError as error:
            raise NeighborhoodError(f"{self.name}: {name}={value}: {error}") from None


def with_arguments(
    neighborhood: Neighborhood, path: Sequence[str], options: Mapping[str, str]
) -> OverVocabulary:
    """The neighborhood over a file's vocabulary, if there is one, with options.

    Its name is the expression that says so.
    """
    if not isinstance(neighborhood, OverVocabulary):
        raise NeighborhoodError(
            f"{neighborhood.name} takes no vocabulary and no options; leave the brackets out"
        )
    result = neighborhood.with_options(**options)
    for file in path:
        result = result.with_vocabulary(Vocabulary.read(file))
    written = [*map(quoted, path), *(f"{name}={quoted(options[name])}" for name in options)]
    return result.changed(name=f"{quoted(neighborhood.name)}({', '.join(written)})", spelt=True)


def quoted(name: str) -> str:
    """A name or path as it stands within an expression.

    >>> print(quoted("my words.txt"), quoted("words.txt"))
    'my words.txt' words.txt
    """
    return repr(name) if _SIGNS & set(name) else name
