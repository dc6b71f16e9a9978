"""Lexicons by the name of a language, or from a file of words or a machine.

``english`` and others are the lists of pyspellchecker (MIT; counts from OpenSubtitles), of the
extra ``compare``. Of hunspell's dictionaries words of letters alone are taken: the others are
several tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fstce.corpora.documents import lines_of
from fstce.corpora.tables import bundled_rows, table_rows
from fstce.corpora.word_files import WordFile, read_word_file
from fstce.corpora.words import fault, is_fit, is_spelt
from fstce.errors import CorpusError, optional
from fstce.numeric.types import PathName
from fstce.speller.lexicon import is_acceptor, lexicon_of

LOOKS_LIKE = 0.1  # share of a text's words


@cache
def languages() -> dict[str, list[str]]:
    """Of each language by its name the code, and often words of which its text is full."""
    return {name: fields for name, *fields in bundled_rows("languages.tsv", "fstce.speller")}


def language_of(counts: Mapping[str, int]) -> str | None:
    """The language that a text looks to be in, None if it looks like none.

    >>> language_of({"the": 9, "cat": 5, "of": 3, "and": 4, "sat": 20}), language_of({"kedi": 9})
    ('english', None)
    """
    size = max(sum(counts.values()), 1)
    shares = {}
    for name, (_, *words) in languages().items():
        text = " ".join(words)
        spellings = f"{text} {text.title()}".split()
        shares[name] = sum(counts.get(word, 0) for word in spellings) / size
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= LOOKS_LIKE else None


def lexicon_file(spec: PathName, format: str | None = None) -> WordFile:
    """The words of a lexicon with their counts, and what it was taken for.

    ``spec``: a language of :func:`languages`, a file of words, or an acceptor. A word without a
    count counts once.
    """
    name = str(spec)
    if not Path(name).exists():
        code, *_ = languages().get(name.lower(), [""])
        if not code:
            raise CorpusError(
                f"{name}: there is no such lexicon; give a file, or one of {', '.join(languages())}"
            )
        return WordFile(f"{name.title()} of pyspellchecker", "counts", package_lexicon(code))
    if is_acceptor(name, format):
        lexicon = lexicon_of(Path(name))
        return WordFile(name, "acceptor", lexicon.counts()).symbols()
    file = read_word_file(name, format)
    if file.format == "hunspell":
        return file.only(is_spelt, "that are not of letters alone")
    return file.symbols()


def read_words(path: PathName, what: str = "word") -> tuple[str, ...]:
    """The words of a file, one a line; a mark may have a remark behind a tab."""
    found: dict[str, None] = {}
    for number, fields in table_rows(lines_of(path)):
        word = (fields[0] if what != "word" else "\t".join(fields)).strip()
        if not is_fit(word):
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
    return {word: int(count) for word, count in counts.items() if is_fit(word)}
