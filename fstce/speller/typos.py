"""Files of typos, as GiellaLT and others keep them: what was typed, tab, what was meant."""

from __future__ import annotations

import os

from fstce.corpora.documents import lines_of
from fstce.errors import CorpusError

Typo = tuple[str, str]


def read_typos(path: str | os.PathLike[str]) -> tuple[Typo, ...]:
    """Lines of typed, tab, meant, each pair once; further columns and lines that begin with # are left out.

    A line without a tab, or with one side empty or both alike, is left out as well, if any line has a pair.
    """
    pairs: dict[Typo, None] = {}
    for line in lines_of(path):
        typed, meant = (*(column.strip() for column in line.split("\t")[:2]), "")[:2]
        if not line.startswith("#") and typed and meant and typed != meant:
            pairs[typed, meant] = None
    if not pairs:
        raise CorpusError(f"{path}: holds no typo; give lines of what was typed, tab, what was meant")
    return tuple(pairs)
