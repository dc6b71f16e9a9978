"""Lexicons by name or file: lists of installed packages, hunspell's dictionaries, tables of counts.

===========================  ==================================================================
``english`` and others       the list of pyspellchecker (MIT; counts from OpenSubtitles), of the
                             extra ``compare``
``en_US.dic``                hunspell's dictionary, with ``en_US.aff`` next to it; each of
                             LibreOffice's languages has one, under a licence of its own
any other file               lines of word, tab, count
===========================  ==================================================================
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from fstce.corpora.documents import lines_of
from fstce.corpora.hunspell import hunspell_words
from fstce.corpora.tables import table_rows
from fstce.corpora.vocabulary import read_word_counts
from fstce.corpora.words import fault, is_spelt
from fstce.errors import CorpusError, optional

LANGUAGES = {
    "arabic": "ar",
    "basque": "eu",
    "dutch": "nl",
    "english": "en",
    "french": "fr",
    "german": "de",
    "italian": "it",
    "latvian": "lv",
    "persian": "fa",
    "portuguese": "pt",
    "russian": "ru",
    "spanish": "es",
}

# Words of which running text is full, and which stand in no other of these languages so often.
COMMON = {
    "dutch": "de het een van en niet dat zijn",
    "english": "the of and to that is was with",
    "french": "le les des et est une dans du",
    "german": "der die und das ist nicht den mit",
    "italian": "il di che è per della non gli",
    "portuguese": "o que não do da em uma os",
    "spanish": "el los que las del por una y",
}
LOOKS_LIKE = 0.1  # share of a text's words


def language_of(counts: Mapping[str, int]) -> str | None:
    """The language of :data:`COMMON` that a text looks to be in, None if it looks like none.

    >>> language_of({"the": 9, "cat": 5, "of": 3, "and": 4, "sat": 20}), language_of({"kedi": 9})
    ('english', None)
    """
    size = max(sum(counts.values()), 1)
    shares = {
        name: sum(counts.get(word, 0) + counts.get(word.title(), 0) for word in words.split())
        / size
        for name, words in COMMON.items()
    }
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= LOOKS_LIKE else None


def read_lexicon(spec: str | os.PathLike[str]) -> dict[str, int]:
    """The words of a lexicon with their counts, as :meth:`fstce.Corrector.fit` takes them.

    ``spec``: a language of :data:`LANGUAGES`, a ``.dic`` file, or a table of word, tab, count. Returns a
    dictionary without counts counts each word once.
    """
    name = str(spec)
    if name.lower() in LANGUAGES and not Path(name).exists():
        return package_lexicon(LANGUAGES[name.lower()])
    if name.endswith(".dic"):
        return dict.fromkeys(filter(is_spelt, hunspell_words(spec)), 1)
    if not Path(name).exists():
        raise CorpusError(
            f"{name}: there is no such lexicon; give a file, or one of {', '.join(sorted(LANGUAGES))}"
        )
    return read_word_counts(Path(spec))


def read_words(path: str | os.PathLike[str], what: str = "word") -> tuple[str, ...]:
    """The words of a file, one a line; what follows a tab is a remark to a mark, and no word otherwise."""
    found: dict[str, None] = {}
    for number, fields in table_rows(lines_of(path)):
        word = (fields[0] if what != "word" else "\t".join(fields)).strip()
        if fault(word) is not None:
            raise CorpusError(f"{path}:{number}: expected one {what}, not {word!r}: {fault(word)}")
        found[word] = None
    return tuple(found)


def package_lexicon(language: str) -> dict[str, int]:
    """The list of pyspellchecker, of a language by its code."""
    checker = optional(
        "spellchecker",
        "pyspellchecker, which has the list of words, is not installed; install it with: "
        "python -m pip install pyspellchecker",
        "SpellChecker",
    )
    counts = checker(language=language).word_frequency.dictionary
    return {word: int(count) for word, count in counts.items() if fault(word) is None}
