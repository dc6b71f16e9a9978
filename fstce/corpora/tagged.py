r"""Tagged text: one sentence a line, each word followed by a slash and its tag.

The last slash of a token separates, so ``1/2/CD`` is the word ``1/2``. The Penn
convention's ``\/`` stands for a slash inside a word; it never separates and is kept as it
is. Blank lines are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from fstce.corpora.documents import Lines
from fstce.corpora.faults import Faults
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import clean_word
from fstce.errors import CorpusError


def read_tagged(lines: Lines, name: str, faults: Faults | None = None) -> Iterator[Sentence]:
    """The sentences of a text in ``word/TAG`` notation.

    Parameters
    ----------
    lines : iterator of (int, str)
        Numbered lines.
    name : str
        What messages call the text.
    faults : Faults, optional
        Takes lines that cannot be read; by default they are raised.

    Yields
    ------
    Sentence
        Words and tags.

    Raises
    ------
    CorpusError
        A token without a slash, or with nothing before or after it.

    Examples
    --------
    >>> next(read_tagged(iter([(1, "the/DT dog/NN")]), "a.pos")).tags
    ('DT', 'NN')
    """
    faults = faults or Faults()
    for number, line in lines:
        sentence = faults.attempt(tagged_sentence, line, f"{name}:{number}")
        if sentence is not None:
            yield sentence
    faults.finish()


def tagged_sentence(line: str, source: str) -> Sentence | None:
    """The sentence of one line, None of a blank one."""
    pairs = [_split(token, source) for token in line.split()]
    if not pairs:
        return None
    words, tags = zip(*pairs, strict=True)
    return Sentence(words, tags=tags, source=source)


def _split(token: str, source: str) -> tuple[str, str]:
    word, _, tag = token.rpartition("/")
    if not word or not tag or word.endswith("\\"):
        raise CorpusError(f"{source}: the token {token!r} is not of the form word/TAG")
    return clean_word(word, source), clean_word(tag, source)
