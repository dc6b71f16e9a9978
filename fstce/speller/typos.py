"""Files of typos, as GiellaLT and others keep them: observed, tab, intended; or tables.

Wikipedia's list for machines has an arrow in the tab's place.
"""

from __future__ import annotations

import os

from fstce.corpora.documents import lines_of
from fstce.corpora.tables import named_columns, unquoted_row
from fstce.errors import CorpusError
from fstce.numeric.types import PathName

Typo = tuple[str, str]
OBSERVED = ("typo", "misspelling", "misspelled", "observed", "error", "wrong", "source")
INTENDED = ("correction", "corrected", "intended", "correct", "right", "target", "word")


def read_typos(path: PathName) -> tuple[Typo, ...]:
    """The pairs of a file of observed, tab or ->, intended; several words are parted by ", ".

    Or of a table with a header (``typo``, ``correction``), or with commas (``.csv``). More columns
    are skipped, and lines that begin with # or a number; so is a line without a second column, or
    with one side empty or both alike, if any line has a pair.
    """
    lines = lines_of(path)
    is_table = ".csv" in os.fspath(path).lower()
    table = named_columns(lines, OBSERVED, INTENDED, where=os.fspath(path), is_table=is_table)
    if table is None:
        split = [unquoted_row(line.split("\t" if "\t" in line else "->")) for line in lines]
        rows = [[cells[0].strip(), cells[1].strip()] for cells in split if len(cells) > 1]
    else:
        rows = [cells for _, cells in table]

    pairs: dict[Typo, None] = {}
    for observed, words in rows:
        for intended in words.split(", "):
            is_word = observed and not (observed.startswith("#") or observed.isdecimal())
            if is_word and intended and observed != intended:
                pairs[observed, intended] = None
    if not pairs:
        raise CorpusError(f"{path}: holds no typo; give lines of misspelling, tab, intended word")
    return tuple(pairs)
