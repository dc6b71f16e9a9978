"""Files of typos, as GiellaLT and others keep them: what was observed, tab, what was intended."""

from __future__ import annotations

import os

from fstce.corpora.documents import lines_of
from fstce.errors import CorpusError

Typo = tuple[str, str]


def read_typos(path: str | os.PathLike[str]) -> tuple[Typo, ...]:
    """Lines of observed, tab, intended, each pair once; more columns and lines that begin with # are skipped.

    A line without a tab, or with one side empty or both alike, is left out as well, if any line has a pair.
    """
    pairs: dict[Typo, None] = {}
    for line in lines_of(path):
        observed, intended = (*(column.strip() for column in line.split("\t")[:2]), "")[:2]
        if not line.startswith("#") and observed and intended and observed != intended:
            pairs[observed, intended] = None
    if not pairs:
        raise CorpusError(f"{path}: holds no typo; give lines of misspelling, tab, intended word")
    return tuple(pairs)
