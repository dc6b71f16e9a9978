"""Plain text: one sentence a line, words separated by white space, blank lines skipped."""

from __future__ import annotations

from collections.abc import Iterator

from fstce.corpora.documents import Lines
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import clean_word


def read_plain(lines: Lines, name: str) -> Iterator[Sentence]:
    """The sentences of a plain text.

    Parameters
    ----------
    lines : iterator of (int, str)
        Numbered lines.
    name : str
        What messages call the text.

    Yields
    ------
    Sentence
        Words only.

    Examples
    --------
    >>> lines = iter([(1, "We walk ."), (2, ""), (3, "It rains .")])
    >>> [sentence.source for sentence in read_plain(lines, "a.txt")]
    ['a.txt:1', 'a.txt:3']
    """
    for number, line in lines:
        source = f"{name}:{number}"
        words = tuple(clean_word(word, source) for word in line.split())
        if words:
            yield Sentence(words, source=source)
