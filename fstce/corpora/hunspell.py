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
_CONDITION = re.compile(r"\[\^?[^\]]+\]|.")
WORDS = 5_000_000  # words at most of a lexicon
LAYERS = ("stems", "suffixed forms", "forms of two suffixes", "prefixed forms")
Flagged = tuple[str, Flags]


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


def _decoded(raw: bytes, encoding: str, path: Path) -> str:
    try:
        check_encoding(encoding)
        return raw.decode(encoding).lstrip("\ufeff")
    except (ParameterError, UnicodeError) as error:
        raise CorpusError(f"{path}: is not in {encoding[:40]}, as its SET line says: {error}") from None


def hunspell_words(path: str | os.PathLike[str]) -> list[str]:
    """All words of a hunspell dictionary, by its ``.dic`` file: stems before their forms.

    Where they are more than :data:`WORDS`, prefixed forms are left out, then those of two suffixes, with
    a warning: Arabic's dictionary has fifty million.
    """
    dic = Path(path)
    affixes = read_affixes(dic.with_suffix(".aff"))
    made = _Forms(affixes)
    words: dict[str, None] = {}
    for name, forms in made.layers(list(read_stems(dic, affixes))):
        before = len(words)
        for form in forms:
            words[form] = None
            if before and len(words) > WORDS:
                names = made.names()  # by the rules: to try them could take minutes
                left = " and ".join(names[names.index(name) :])
                warnings.warn(f"{dic}: has more than {WORDS:,} forms; its {left} are left out", stacklevel=2)
                return list(islice(words, before))
    if not words:
        raise CorpusError(f"{dic}: all of its stems need affixes that it has not; it holds no word")
    return list(words)


class _Forms:
    """What affixes make of words; what the rules of a flag make, by the edge that they ask for.

    Rules that add more than letters are left out: what has an apostrophe is a token of its own.
    """

    def __init__(self, affixes: Affixes) -> None:
        self._affixes = affixes
        self._rules: dict[str, list[AffixRule]] = {}
        self._edge: dict[str, int] = {}
        for flag, (_, *rules) in affixes.rules.items():
            used = [rule for rule in rules if all(letter.isalpha() or letter == "-" for letter in rule.add)]
            self._rules[flag] = sorted(used, key=lambda rule: len(rule.strip))
            self._edge[flag] = max([1, *(max(len(rule.condition), len(rule.strip)) for rule in used)])
        self._of_side, self._made = cache(self._of_side_anew), cache(self._made_anew)

    def names(self) -> list[str]:
        """Of the layers that the rules can make."""
        rules = self._affixes.rules.values()
        twice = any(rule.leads for own in rules for rule in own[1:] if own[0].suffix)
        some = [any(own[0].suffix for own in rules), twice, not all(own[0].suffix for own in rules)]
        return [LAYERS[0], *(name for name, there in zip(LAYERS[1:], some, strict=True) if there)]

    def layers(self, stems: Sequence[Flagged]) -> Iterator[tuple[str, Iterable[str]]]:
        """Stems, their suffixed forms, those of two suffixes, and prefixes on all."""
        yield LAYERS[0], self._shown(stems)
        yield LAYERS[1], self._shown(self._affixed(stems, suffix=True))
        leading = [form for form in self._affixed(stems, suffix=True) if form[1]]
        yield LAYERS[2], self._shown(self._affixed(leading, suffix=True))
        words = chain(stems, self._crossed(stems), self._crossed(leading))
        yield LAYERS[3], self._shown(self._affixed(words, suffix=False))

    def _shown(self, forms: Iterable[Flagged]) -> Iterator[str]:
        hidden = self._affixes.hidden
        return (form for form, flags in forms if not flags & hidden)

    def _crossed(self, words: Iterable[Flagged]) -> Iterator[Flagged]:
        """Suffixed forms of words with prefixes that cross, which they keep."""
        crossing = frozenset(
            flag for flag, rules in self._affixes.rules.items() if not rules[0].suffix and rules[0].crosses
        )
        for word, flags in words:
            kept = flags & crossing
            if kept:
                yield from ((form, kept) for form, _ in self._affixed([(word, flags)], True, crossing=True))

    def _affixed(self, words: Iterable[Flagged], suffix: bool, crossing: bool = False) -> Iterator[Flagged]:
        """Every word with every affix of one side."""
        for word, flags in words:
            for flag, n in self._of_side(flags, suffix, crossing):
                for strip, add, leads in self._made(flag, word[-n:] if suffix else word[:n]):
                    yield word[: len(word) - strip] + add if suffix else add + word[strip:], leads

    def _made_anew(self, flag: str, edge: str) -> list[tuple[int, str, Flags]]:
        """What the rules of a flag strip from a word and add to it, with the flags of the form."""
        applied = (rule for rule in self._rules[flag] if _applies(rule, edge))
        return [(len(rule.strip), rule.add, rule.leads) for rule in applied]

    def _of_side_anew(self, flags: Flags, suffix: bool, crossing: bool) -> list[tuple[str, int]]:
        """Those of some flags that have affixes of one side, with how many letters their rules ask for."""
        rules = self._affixes.rules
        heads = ((flag, rules[flag][0]) for flag in sorted(flags & rules.keys()))  # in one order, always
        return [
            (flag, self._edge[flag])
            for flag, head in heads
            if head.suffix == suffix and (head.crosses or not crossing)
        ]


def _applies(rule: AffixRule, edge: str) -> bool:
    """Whether a word with these letters at its edge has what is stripped, and meets the condition."""
    sets = () if rule.condition == (".",) else rule.condition
    letters = edge[-len(sets) :] if rule.suffix else edge[: len(sets)]
    has = edge.endswith if rule.suffix else edge.startswith
    return has(rule.strip) and len(edge) >= len(sets) and all(map(_has, sets, letters))


def _has(one: str, letter: str) -> bool:
    """Whether a letter is one of a condition: itself, any, or one of those in brackets."""
    if not one.startswith("["):
        return one in (".", letter)
    return (letter in one.strip("[]^")) != one.startswith("[^")
