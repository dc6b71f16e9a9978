"""What EVALB leaves out and what it takes as the same: its parameter files.

The default is ``COLLINS.prm`` (``grammars/collins_prm.tsv``). A file in EVALB's own
syntax, such as ``new.prm``, is read by :func:`read_parameters`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from fstce.corpora.documents import lines_of
from fstce.corpora.tables import bundled_rows
from fstce.errors import ParameterError

_SETS = ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL")
_PAIRS = ("EQ_LABEL", "EQ_WORD")
# Labeled and unlabeled scores are both counted, and errors are raised, whatever these say.
_IDLE = frozenset({"DEBUG", "MAX_ERROR", "LABELED"})


@dataclass(frozen=True)
class EvalbParameters:
    """The conventions of a parameter file.

    ``deleted``: tags whose words are taken out, and labels of brackets that do not count.
    ``deleted_for_length``: tags whose words do not count for the length of a sentence. ``same_label``,
    ``same_word``: for a label or word that counts as another, that other. ``quotes``: tags between which the
    quotes ``'``, ``"`` and ``/`` may be mistaken: such a word is kept on both sides where only one would
    delete it. ``cutoff``: the longest sentence of the second summary.
    """

    deleted: frozenset[str] = frozenset()
    deleted_for_length: frozenset[str] = frozenset()
    same_label: Mapping[str, str] = field(default_factory=dict)
    same_word: Mapping[str, str] = field(default_factory=dict)
    quotes: frozenset[str] = frozenset()
    cutoff: int = 40

    def category(self, label: str) -> str:
        """The label as it is compared: without function tags and indices, its equals as one.

        >>> collins().category("NP-SBJ-1"), collins().category("PRT")
        ('NP', 'ADVP')
        """
        plain = label.split("-", 1)[0].split("=", 1)[0]
        return self.same_label.get(plain, plain)


@cache
def collins() -> EvalbParameters:
    """The conventions of ``COLLINS.prm``: no punctuation, no empty elements, ADVP = PRT."""
    return _parameters(bundled_rows("collins_prm.tsv"), "collins_prm.tsv")


def read_parameters(path: str | os.PathLike[str]) -> EvalbParameters:
    """The conventions of a parameter file in EVALB's syntax.

    ``path``: one keyword and its value a line; a line that begins with a hash is a comment.
    """
    lines = lines_of(path, ParameterError)
    return _parameters(([] if line.startswith("#") else line.split() for line in lines), os.fspath(path))


def _parameters(rows: Iterable[list[str]], name: str) -> EvalbParameters:
    sets: dict[str, set[str]] = {kind: set() for kind in _SETS}
    pairs: dict[str, dict[str, str]] = {kind: {} for kind in _PAIRS}
    cutoff = EvalbParameters.cutoff
    for number, row in enumerate(rows, 1):
        keyword, *values = " ".join(row).split() or [""]
        if keyword in _SETS and len(values) == 1:
            sets[keyword].add(values[0])
        elif keyword in _PAIRS and len(values) == 2:
            _join(pairs[keyword], *values)
        elif keyword == "CUTOFF_LEN" and len(values) == 1 and values[0].isdecimal():
            cutoff = int(values[0])
        elif keyword and keyword not in _IDLE:
            raise ParameterError(f"{name}:{number}: {' '.join(row)!r} is no parameter of EVALB")
    deleted, deleted_for_length, quotes = (frozenset(sets[kind]) for kind in _SETS)
    same_label, same_word = (pairs[kind] for kind in _PAIRS)
    return EvalbParameters(deleted, deleted_for_length, same_label, same_word, quotes, cutoff)


def _join(same: dict[str, str], first: str, second: str) -> None:
    """Make the classes of two labels one, called by the name of the first's."""
    kept, lost = same.get(first, first), same.get(second, second)
    same.update({label: kept for label, name in same.items() if name == lost})
    same.update({first: kept, second: kept, lost: kept})
