"""Lists of misspellings: what people typed and what they meant."""

from __future__ import annotations

import os
from importlib import resources

from fstce.corpora.documents import lines_of
from fstce.errors import CorpusError, MissingToolError

Misspelling = tuple[str, str]  # typed, meant


def read_misspellings(path: str | os.PathLike[str]) -> tuple[Misspelling, ...]:
    """Lines of misspelling, tab, word; several words that may be meant are separated by commas."""
    found = []
    for number, line in enumerate(lines_of(path), 1):
        if not line.strip():
            continue
        typed, _, words = line.partition("\t")
        meant = [word.strip() for word in words.split(",")]
        if not typed.strip() or not all(meant):
            raise CorpusError(
                f"{path}:{number}: expected a misspelling and the word meant, separated by a tab"
            )
        found += [(typed, word) for word in meant if word != typed]
    if not found:
        raise CorpusError(f"{path}: holds no misspelling; give lines of misspelling, tab, word")
    return tuple(found)


def codespell() -> tuple[Misspelling, ...]:
    """The list of the package codespell, where it is installed.

    Raises
    ------
    MissingToolError
        It is not.
    """
    try:
        files = resources.files("codespell_lib").joinpath("data", "dictionary.txt")
    except ImportError:
        raise MissingToolError(
            "codespell, which has the list of misspellings, is not installed; install it with: "
            "python -m pip install codespell"
        ) from None
    rows = (line.partition("->") for line in files.read_text(encoding="utf-8").splitlines())
    return tuple(
        (typed, word.strip())
        for typed, _, words in rows
        for word in words.split(",")
        if word.strip().isalpha()  # a reason may stand behind the last comma
    )
