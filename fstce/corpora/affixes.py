"""Hunspell's dictionaries: the stems of a ``.dic`` file, the rules of the ``.aff`` file next to it.

A ``.dic`` file lists stems with flags, the ``.aff`` file has the rules of each flag: what is stripped, what
is added, and what the stem must end in. Compounds, and affixes with an apostrophe, which are tokens of
their own, are left out; :mod:`fstce.corpora.hunspell` makes the words.

Source: hunspell(5), https://github.com/hunspell/hunspell
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import regex

from fstce.corpora.documents import check_encoding
from fstce.corpora.tables import whole_number
from fstce.errors import CorpusError, ParameterError
from fstce.storage.inputs import read_bytes

BRACKETS = frozenset({"-LRB-", "-RRB-", "-LCB-", "-RCB-", "-LSB-", "-RSB-"})
_SPELT = regex.compile(r"[\p{L}\p{M}\u200c\u200d]+(?:[-‐‑][\p{L}\p{M}\u200c\u200d]+)*")

Flags = frozenset[str]
HIDDEN = ("NEEDAFFIX", "ONLYINCOMPOUND", "FORBIDDENWORD", "PSEUDOROOT")
_CONDITION = re.compile(r"\[\^?[^\]]+\]|.")


class AffixRule(NamedTuple):
    """An affix of one flag.

    ``suffix``, ``crosses``: whether it is a suffix, and whether it combines with affixes on the other side.
    ``condition``: of each letter at the stem's edge: itself, ``.``, or a set in brackets.
    """

    suffix: bool
    crosses: bool
    strip: str
    add: str
    condition: tuple[str, ...]
    leads: Flags


class Affixes(NamedTuple):
    """What an ``.aff`` file says: the rules of each flag, how flags are written, which hide a stem."""

    rules: dict[str, list[AffixRule]]
    style: str
    aliases: list[str]
    hidden: Flags
    encoding: str

    def flags(self, text: str) -> Flags:
        """The flags that a text spells."""
        if self.aliases and text.isdecimal():
            number = whole_number(text) or 0
            text = self.aliases[number - 1] if 0 < number <= len(self.aliases) else ""
        if self.style == "num":
            return frozenset(text.split(","))
        return frozenset(re.findall("..", text) if self.style == "long" else text)


def read_affixes(path: Path) -> Affixes:
    """The rules of an ``.aff`` file."""
    try:
        raw = read_bytes(path, CorpusError)
    except CorpusError as error:
        raise CorpusError(f"{error}: it has the affix rules of a hunspell dictionary") from None
    found = re.search(rb"^SET\s+(\S+)", raw, re.MULTILINE)
    encoding = found[1].decode("latin-1") if found else "latin-1"
    affixes = Affixes({}, "short", [], frozenset(), encoding)
    for number, line in enumerate(_decoded(raw, encoding, path).splitlines(), 1):
        fields = line.split()
        if not fields or line.startswith("#"):
            continue
        name, hidden = fields[0], affixes.hidden
        if name == "FLAG" and len(fields) > 1:
            affixes = affixes._replace(style=fields[1].lower())
        elif name == "AF" and len(fields) > 1:
            affixes.aliases.extend([] if not affixes.aliases and fields[1].isdecimal() else fields[1:2])
        elif name in HIDDEN and len(fields) > 1:
            affixes = affixes._replace(hidden=hidden | affixes.flags(fields[1]))
        elif name in ("SFX", "PFX"):
            _add_rule(affixes, fields, f"{path}:{number}")
    return affixes


def _add_rule(affixes: Affixes, fields: list[str], where: str) -> None:
    """A header, which says whether the flag crosses, or a rule."""
    known = affixes.rules.get(fields[1]) if len(fields) > 1 else None
    if known is None:
        if len(fields) < 4 or not fields[3].isdecimal():
            raise CorpusError(f"{where}: expected the first line of an affix: its kind, flag, Y or N, number")
        affixes.rules[fields[1]] = [AffixRule(fields[0] == "SFX", fields[2] == "Y", "", "", (), frozenset())]
        return
    if len(fields) < 4:
        raise CorpusError(f"{where}: expected a rule: its kind, flag, what is stripped, what is added")
    add, _, leads = fields[3].partition("/")
    strip, add = ("" if text == "0" else text for text in (fields[2], add))
    condition = fields[4] if len(fields) > 4 else "."
    known.append(
        known[0]._replace(
            strip=strip, add=add, condition=tuple(_CONDITION.findall(condition)), leads=affixes.flags(leads)
        )
    )


def read_stems(path: Path, affixes: Affixes) -> Iterator[tuple[str, Flags]]:
    """The stems of a ``.dic`` file that are spelt with letters, with their flags."""
    text = _decoded(read_bytes(path, CorpusError), affixes.encoding, path)
    known: dict[str, Flags] = {"": frozenset()}
    empty = True
    for line in text.splitlines()[1:]:  # the first has their number
        entry = line.split("\t")[0].split(" ")[0].strip()
        stem, _, flags = entry.partition("/")
        if is_spelt(stem):
            if flags not in known:
                known[flags] = affixes.flags(flags)
            empty = False
            yield stem, known[flags]
    if empty:
        raise CorpusError(f"{path}: holds no word; give the .dic file of a hunspell dictionary")


def is_used(rule: AffixRule) -> bool:
    """Whether a rule adds letters alone: what has an apostrophe is a token of its own."""
    return all(letter.isalpha() or letter == "-" for letter in rule.add)


def _decoded(raw: bytes, encoding: str, path: Path) -> str:
    try:
        check_encoding(encoding)
        return raw.decode(encoding).lstrip("\ufeff")
    except (ParameterError, UnicodeError) as error:
        raise CorpusError(f"{path}: is not in {encoding[:40]}, as its SET line says: {error}") from None


@lru_cache(maxsize=1 << 16)
def is_spelt(word: str) -> bool:
    """Whether a token is made of letters alone, perhaps with hyphens between them.

    >>> [is_spelt(word) for word in ("half-baked", "47th", "N.Y.", "n't", "'s", "-LRB-", "x")]
    [True, False, False, False, False, False, True]
    """
    return _SPELT.fullmatch(word) is not None and word not in BRACKETS
