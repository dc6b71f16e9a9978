"""Plain text, running or tokenized: a line break ends a sentence, blank lines are skipped."""

from __future__ import annotations

from collections.abc import Iterator

from fstce.corpora.documents import Lines
from fstce.corpora.faults import Faults
from fstce.corpora.running_text import TextReader
from fstce.corpora.sentence import Sentence


def read_plain(
    lines: Lines, name: str, faults: Faults | None = None, reader: TextReader | None = None
) -> Iterator[Sentence]:
    """The sentences of a plain text.

    ``faults``: takes lines that cannot be read; by default they are raised. ``reader``: how words are found;
    by default as in English where the text looks like running text. Returns words; of running text also the
    text and their places in it.

    >>> lines = iter([(1, "We walk ."), (2, ""), (3, "It rains , it 's late .")])
    >>> [sentence.source for sentence in read_plain(lines, "a.txt")]
    ['a.txt:1', 'a.txt:3']
    >>> [str(sentence) for sentence in read_plain(iter([(1, "It rains, so stay. It's late.")]), "b.txt")]
    ['It rains , so stay .', "It 's late ."]
    """
    yield from (TextReader() if reader is None else reader)(lines, name, faults)
