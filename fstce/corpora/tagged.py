r"""Tagged text: a sentence a line, each word with a slash and its tag; or a word a line, a tab, its tag.

The last slash of a token separates, so ``1/2/CD`` is the word ``1/2``. The Penn
convention's ``\/`` stands for a slash inside a word; it never separates and is kept as it
is. Where each token has an underscore, and not each a slash, underscores
do, as taggers for Java write them. Blank lines are skipped.

In *vertical* text an empty line or ``</s>`` ends a sentence, other lines of markup are skipped, and
what stands behind the tag (lemma, chunk) is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from fstce.corpora.conll import blocks
from fstce.corpora.formats import MARKUP
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import clean_word
from fstce.errors import CorpusError

_UNDERSCORED = re.compile(r".+_[^_]+")


def tagged_sentence(line: str, source: str) -> Sentence | None:
    """The sentence of one line, None of a blank one.

    >>> tagged_sentence("the/DT dog/NN", "a.pos:1").tags
    ('DT', 'NN')
    """
    tokens = line.split()
    if not tokens:
        return None
    under = all(map(_UNDERSCORED.fullmatch, tokens)) and not all("/" in token for token in tokens)
    pairs = [_split(token, "_" if under else "/", source) for token in tokens]
    words, tags = zip(*pairs, strict=True)
    return Sentence(words, tags=tags, source=source)


vertical_blocks = partial(blocks, ends=("", "</s>"))


def vertical_sentence(block: Sequence[tuple[int, str]], name: str) -> Sentence | None:
    """The sentence of a block of vertical text, None where it has no word."""
    rows = [(number, line) for number, line in block if line.strip() and not MARKUP.fullmatch(line.strip())]
    pairs = [_columns(line, f"{name}:{number}") for number, line in rows]
    if not pairs:
        return None
    words, tags = zip(*pairs, strict=True)
    return Sentence(words, tags=tags, source=f"{name}:{rows[0][0]}")


def _columns(line: str, source: str) -> tuple[str, str]:
    word, tag, *_ = [*(line.split("\t") if "\t" in line else line.split()), "", ""]
    if not word.strip() or not tag.strip():
        raise CorpusError(f"{source}: the line {line.strip()[:40]!r} is not of the form word, tab, tag")
    return clean_word(word.strip(), source), clean_word(tag.strip(), source)


def _split(token: str, separator: str, source: str) -> tuple[str, str]:
    word, _, tag = token.rpartition(separator)
    if not word or not tag or word.endswith("\\"):
        raise CorpusError(f"{source}: the token {token!r} is not of the form word/TAG")
    return clean_word(word, source), clean_word(tag, source)
