"""The words of a hunspell dictionary: the stems of its ``.dic`` file with the affixes of its ``.aff`` file.

A ``.dic`` file lists stems with flags, the ``.aff`` file has the rules of each flag: what is stripped, what
is added, and what the stem must end in. The words are the stems with every suffix, these with every suffix
that it leads to, and prefixes on all. Compounds, and affixes with an apostrophe, which are tokens of their
own, are left out. What the rules of a flag make of a word is remembered by the word's edge, since a rule
asks for no more of it than its condition and what it strips.

Source: hunspell(5), https://github.com/hunspell/hunspell
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from fstce.corpora.documents import check_encoding
from fstce.corpora.tables import whole_number
from fstce.corpora.words import is_spelt
from fstce.errors import CorpusError, ParameterError
from fstce.storage.atomic import read_bytes

Flags = frozenset[str]
HIDDEN = ("NEEDAFFIX", "ONLYINCOMPOUND", "FORBIDDENWORD", "PSEUDOROOT")
_LETTER = re.compile(r"(\[(\^?)([^\]]+)\]|.)")
WORDS = 5_000_000  # words at most of a lexicon
LAYERS = ("stems", "suffixed forms", "forms of two suffixes", "prefixed forms")
Flagged = tuple[str, Flags]


class Rule(NamedTuple):
    """What an affix strips from a word and adds to it, where its edge meets a condition of so many letters.

    ``leads``: the flags of the form.
    """

    strip: str
    add: str
    condition: re.Pattern[str]
    letters: int
    leads: Flags


class Affix(NamedTuple):
    """The rules of a flag: whether they are of suffixes, and combine with affixes on the other side."""

    suffix: bool
    crosses: bool
    rules: list[Rule]


class Affixes(NamedTuple):
    """What an ``.aff`` file says: the affixes of each flag, how flags are written, which hide a stem."""

    of_flag: dict[str, Affix]
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
            affixes.aliases.extend(
                [] if not affixes.aliases and fields[1].isdecimal() else fields[1:2]
            )
        elif name in HIDDEN and len(fields) > 1:
            affixes = affixes._replace(hidden=hidden | affixes.flags(fields[1]))
        elif name in ("SFX", "PFX"):
            _add_rule(affixes, fields, f"{path}:{number}")
    return affixes


def _add_rule(affixes: Affixes, fields: list[str], where: str) -> None:
    """A header, which says whether the flag crosses, or a rule.

    Rules that add more than letters are left out: what has an apostrophe is a token of its own.
    """
    known = affixes.of_flag.get(fields[1]) if len(fields) > 1 else None
    if known is None:
        if len(fields) < 4 or not fields[3].isdecimal():
            raise CorpusError(
                f"{where}: expected the first line of an affix: its kind, flag, Y or N, number"
            )
        affixes.of_flag[fields[1]] = Affix(fields[0] == "SFX", fields[2] == "Y", [])
        return
    if len(fields) < 4:
        raise CorpusError(
            f"{where}: expected a rule: its kind, flag, what is stripped, what is added"
        )
    add, _, leads = fields[3].partition("/")
    strip, add = ("" if text == "0" else text for text in (fields[2], add))
    if all(letter.isalpha() or letter == "-" for letter in add):
        condition, letters = _condition(" ".join(fields[4:5]), known.suffix)
        rule = Rule(strip, add, condition, max(letters, len(strip)), affixes.flags(leads))
        known.rules.append(rule)


@cache
def _condition(text: str, suffix: bool) -> tuple[re.Pattern[str], int]:
    """What a condition asks of how many letters: each is itself, ``.``, or a set in brackets."""
    letters = _LETTER.findall(text) if text != "." else []
    spelt = "".join(
        f"[{sign}{re.escape(some)}]" if some else one if one == "." else re.escape(one)
        for one, sign, some in letters
    )
    return re.compile(f"(?:{spelt})$" if suffix else f"^(?:{spelt})"), len(letters)


def read_stems(path: Path, affixes: Affixes) -> list[Flagged]:
    """The stems of a ``.dic`` file that are spelt with letters, with their flags."""
    text = _decoded(read_bytes(path, CorpusError), affixes.encoding, path)
    flags_of = cache(affixes.flags)
    lines = text.splitlines()[1:]  # the first has their number
    entries = (line.split("\t")[0].split(" ")[0].strip().partition("/") for line in lines)
    stems = [(stem, flags_of(flags)) for stem, _, flags in entries if is_spelt(stem)]
    if not stems:
        raise CorpusError(f"{path}: holds no word; give the .dic file of a hunspell dictionary")
    return stems


def _decoded(raw: bytes, encoding: str, path: Path) -> str:
    try:
        check_encoding(encoding)
        return raw.decode(encoding).lstrip("\ufeff")
    except (ParameterError, UnicodeError) as error:
        raise CorpusError(
            f"{path}: is not in {encoding[:40]}, as its SET line says: {error}"
        ) from None


def hunspell_words(path: str | os.PathLike[str]) -> list[str]:
    """All words of a hunspell dictionary, by its ``.dic`` file: stems before their forms.

    Where they are more than :data:`WORDS`, prefixed forms are left out, then those of two suffixes, with
    a warning: Arabic's dictionary has fifty million.
    """
    dic = Path(path)
    affixes = read_affixes(dic.with_suffix(".aff"))
    words: dict[str, None] = {}
    for name, forms in zip(LAYERS, layers(affixes, read_stems(dic, affixes)), strict=True):
        before = len(words)
        for form, flags in forms:
            if flags & affixes.hidden:
                continue
            words[form] = None
            if before and len(words) > WORDS:
                left = " and ".join(LAYERS[LAYERS.index(name) :])
                warnings.warn(
                    f"{dic}: has more than {WORDS:,} forms; its {left} are left out", stacklevel=2
                )
                return list(islice(words, before))
    if not words:
        raise CorpusError(f"{dic}: all of its stems need affixes that it has not; it holds no word")
    return list(words)


def layers(affixes: Affixes, stems: Sequence[Flagged]) -> Iterator[Iterable[Flagged]]:
    """Stems, their suffixed forms, those of two suffixes, and prefixes on all, with their flags."""
    known = affixes.of_flag
    prefixes = frozenset(
        flag for flag, affix in known.items() if affix.crosses and not affix.suffix
    )

    @cache
    def own(flags: Flags, suffix: bool, crossing: bool) -> list[tuple[str, int]]:
        """Those of some flags that have affixes of one side, with how many letters their rules ask for."""
        return [
            (flag, max([1, *(rule.letters for rule in known[flag].rules)]))
            for flag in sorted(flags & known.keys())  # in one order, always
            if known[flag].suffix == suffix and (known[flag].crosses or not crossing)
        ]

    @cache
    def made(flag: str, edge: str) -> list[tuple[int, str, Flags]]:
        """What the rules of a flag strip from a word and add to it, with the flags of the form."""
        suffix, _, rules = known[flag]
        has = edge.endswith if suffix else edge.startswith
        applied = (rule for rule in rules if has(rule.strip) and rule.condition.search(edge))
        return [
            (len(r.strip), r.add, r.leads)
            for r in sorted(applied, key=lambda rule: len(rule.strip))
        ]

    def affixed(
        words: Iterable[Flagged], suffix: bool, crossing: bool = False
    ) -> Iterator[Flagged]:
        """Every word with every affix of one side."""
        for word, flags in words:
            for flag, n in own(flags, suffix, crossing):
                for strip, add, leads in made(flag, word[-n:] if suffix else word[:n]):
                    yield word[: len(word) - strip] + add if suffix else add + word[strip:], leads

    def crossed(words: Iterable[Flagged]) -> Iterator[Flagged]:
        """Suffixed forms of words with prefixes that cross, which they keep."""
        for word, flags in words:
            if kept := flags & prefixes:
                yield from (
                    (form, kept) for form, _ in affixed([(word, flags)], True, crossing=True)
                )

    yield stems
    yield affixed(stems, suffix=True)
    leading = [form for form in affixed(stems, suffix=True) if form[1]]
    yield affixed(leading, suffix=True)
    yield affixed(chain(stems, crossed(stems), crossed(leading)), suffix=False)
