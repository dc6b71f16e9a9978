"""A sentence: words, and whatever annotation its corpus gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from sys import intern
from typing import overload

from fstce.corpora.conventions import Conventions
from fstce.corpora.links import tree_svg
from fstce.corpora.trees import Tree
from fstce.corpora.words import clean_word, instances
from fstce.errors import CorpusError
from fstce.parameters.overview import Overview
from fstce.parameters.rules import POSITIVE
from fstce.svg import escaped


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Sentence(Sequence[str], metaclass=Overview):
    """A sequence of words that also carries tags, heads, relations, a tree and its source.

    Wherever a list of words is wanted, a sentence will do. Two sentences are equal if
    words and annotation are; source, text, spans and conventions do not count.

    Parameters
    ----------
    words : iterable of str
        At least one word; kept as a tuple, as are the other columns.
    tags : iterable of str, optional
        A tag a word.
    heads : iterable of int, optional
        The number of each word's head, from 1; 0 is the root.
    deprels : iterable of str, optional
        The relation of each word to its head.
    tree : Tree, optional
        A phrase structure over the words.
    source : str
        File and line, for messages: ``"wsj_0001.mrg:2"``.
    text : str
        The sentence as it is written, with its spacing, where the corpus has that.
    spans : iterable of (int, int), optional
        Where each word stands in `text`; words that are written as one (``du``) share a span.
    conventions : Conventions, optional
        By which running text was cut into these words.
    tag_column : str
        Where the tags come from, in files that have several columns of them: upos or xpos.

    Raises
    ------
    CorpusError
        No words, a string for the words, or an annotation of another length.

    Examples
    --------
    >>> sentence = Sentence(["the", "dog", "barks"], tags=["DT", "NN", "VBZ"])
    >>> len(sentence), sentence[1], sentence[1:]
    (3, 'dog', ('dog', 'barks'))
    >>> sentence
    Sentence(words=('the', 'dog', 'barks'), tags=('DT', 'NN', 'VBZ'))

    A notebook draws one with heads or a tree: ``Sentence(words, heads=parser.predict([tags])[0])``.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...] | None = None
    heads: tuple[int, ...] | None = None
    deprels: tuple[str, ...] | None = None
    tree: Tree | None = None
    source: str = field(default="", compare=False)
    text: str = field(default="", compare=False, repr=False)
    spans: tuple[tuple[int, int], ...] | None = field(default=None, compare=False, repr=False)
    conventions: Conventions | None = field(default=None, compare=False, repr=False)
    tag_column: str = field(default="", compare=False, repr=False)

    def __init__(
        self,
        words: Iterable[str],
        tags: Iterable[str] | None = None,
        heads: Iterable[int] | None = None,
        deprels: Iterable[str] | None = None,
        tree: Tree | None = None,
        source: str = "",
        text: str = "",
        spans: Iterable[tuple[int, int]] | None = None,
        conventions: Conventions | None = None,
        tag_column: str = "",
    ) -> None:
        """Take what is given; see the class."""
        given = (words, tags, heads, deprels, tree, source, text, spans, conventions, tag_column)
        for column, value in zip(fields(Sentence), given, strict=True):
            object.__setattr__(self, column.name, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        """Make tuples and compare their lengths."""
        where = self.source or "sentence"
        n = 0
        for name in ("words", "tags", "heads", "deprels", "spans"):
            items = getattr(self, name)
            if isinstance(items, str):
                raise CorpusError(
                    f"{where}: {name} is the string {items!r}; give a list, one item a word"
                )
            column = None if items is None else tuple(items)
            if not (n or column):
                raise CorpusError(f"{where}: a sentence needs at least one word")
            if column is not None:
                n = n or len(column)
                if len(column) != n:
                    raise CorpusError(f"{where}: {len(column)} {name} for {n} words")
            object.__setattr__(self, name, column)

        with suppress(TypeError):  # of strings of one's own class, which are not shared
            # A large text repeats its words.
            object.__setattr__(self, "words", tuple(map(intern, self.words)))

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        """The words in order."""
        return iter(self.words)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        """A word, or a tuple of words."""
        return self.words[index]

    def __str__(self) -> str:
        """The words with spaces between."""
        return " ".join(self.words)

    def __repr__(self) -> str:
        """The parts that the sentence has."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self) if f.repr)
        shown = ", ".join(f"{name}={value!r}" for name, value in values if value not in (None, ""))
        return f"Sentence({shown})"

    def _repr_html_(self) -> str | None:
        """The tree in lines, or a picture of the links to the heads; without either None."""
        if self.tree is not None:
            return f"<pre>{escaped(self.tree.pretty())}</pre>"
        if self.heads is not None:
            return tree_svg(self.words, self.heads, self.tags)._repr_html_()
        return None


class TaggedSentence(Sentence):
    """A sentence that has tags, for type checkers; none is made of this class."""

    __slots__ = ()
    tags: tuple[str, ...]


def sentence_of_rows(
    rows: Sequence[tuple[str, str, str | None]], tag_column: str = ""
) -> Sentence | None:
    """The sentence of rows (file and line, word, perhaps a tag), None of none."""
    if not rows:
        return None
    words = [clean_word(word, where) for where, word, _ in rows]
    tags = [clean_word(tag, where) for where, _, tag in rows if tag is not None]
    return Sentence(words, tags=tags or None, source=rows[0][0], tag_column=tag_column)


def first_words(sentences: Iterable[Sentence], n: int) -> list[Sentence]:
    """Whole sentences from the start until they hold at least `n` words.

    Parameters
    ----------
    sentences : iterable of Sentence
        Read no further than needed.
    n : int
        How many words are wanted; a shorter corpus is returned whole.

    Returns
    -------
    list of Sentence

    Raises
    ------
    ParameterError
        `n` is below 1.

    Examples
    --------
    >>> corpus = [Sentence(["We", "walk"]), Sentence(["It", "rains", "."]), Sentence(["No"])]
    >>> [str(sentence) for sentence in first_words(corpus, 3)]
    ['We walk', 'It rains .']
    """
    POSITIVE.check(n=n)
    chosen: list[Sentence] = []
    words = 0
    for sentence in instances(sentences, Sentence):
        chosen.append(sentence)
        words += len(sentence)
        if words >= n:
            break
    return chosen
