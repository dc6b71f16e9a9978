"""The words of a hunspell dictionary, its rules applied to one stem after another.

They are the stems with every suffix, these with every suffix that it leads to, and prefixes on all. What the
rules of a flag make of a word is remembered by the word's edge, since a rule asks for no more of it than
its condition and what it strips.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from fstce.corpora.affixes import Affixes, AffixRule, Flags, is_used, read_affixes, read_stems
from fstce.errors import CorpusError

WORDS = 5_000_000  # words at most of a lexicon
LAYERS = ("stems", "suffixed forms", "forms of two suffixes", "prefixed forms")

Flagged = tuple[str, Flags]


class _Edged(NamedTuple):
    """The rules of a flag for words with some letter at their edge.

    ``length``: how many letters at the edge they ask for. ``made``: for each such edge what is stripped, what
    is added, and the flags of the form.
    """

    rules: dict[str, list[AffixRule]]
    length: int
    made: dict[str, list[tuple[int, str, Flags]]]


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
        if not _added(forms, words, WORDS):
            names = made.names()  # by the rules: to try them could take minutes
            left = " and ".join(names[names.index(name) :])
            warnings.warn(f"{dic}: has more than {WORDS:,} forms; its {left} are left out", stacklevel=2)
            return list(islice(words, before))
    if not words:
        raise CorpusError(f"{dic}: all of its stems need affixes that it has not; it holds no word")
    return list(words)


def _added(forms: Iterable[str], words: dict[str, None], most: int) -> bool:
    """Add forms to the words; False as soon as these are too many, unless they were none before."""
    first = not words
    for form in forms:
        words[form] = None
        if len(words) > most and not first:
            return False
    return True


class _Forms:
    """What affixes make of words."""

    def __init__(self, affixes: Affixes) -> None:
        self._affixes = affixes
        self._edged: dict[tuple[str, str], _Edged] = {}
        self._flags: dict[tuple[Flags, bool, bool], list[str]] = {}

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
            letter = word[-1:] if suffix else word[:1]
            for flag in self._of_side(flags, suffix, crossing):
                edged = self._edged.get((flag, letter)) or self._at(flag, letter, suffix)
                edge = word[-edged.length :] if suffix else word[: edged.length]
                made = edged.made.get(edge)
                if made is None:
                    made = edged.made[edge] = list(_made(edged, edge, suffix))
                for strip, add, leads in made:
                    if suffix:
                        yield word[: len(word) - strip] + add, leads
                    else:
                        yield add + word[strip:], leads

    def _at(self, flag: str, letter: str, suffix: bool) -> _Edged:
        """The rules of a flag for words with this letter at their edge."""
        place = -1 if suffix else 0
        used = [rule for rule in self._affixes.rules[flag][1:] if is_used(rule)]
        rules = [rule for rule in used if _has((rule.strip or rule.condition or ".")[place], letter)]
        length = max([1, *(max(len(rule.condition), len(rule.strip)) for rule in rules)])
        by_strip: dict[str, list[AffixRule]] = {}
        for rule in rules:
            by_strip.setdefault(rule.strip, []).append(rule)
        return self._edged.setdefault((flag, letter), _Edged(by_strip, length, {}))

    def _of_side(self, flags: Flags, suffix: bool, crossing: bool) -> list[str]:
        """Those of some flags that have affixes of one side."""
        key = flags, suffix, crossing
        if key not in self._flags:
            heads = {flag: self._affixes.rules[flag][0] for flag in flags if flag in self._affixes.rules}
            self._flags[key] = [
                flag
                for flag, head in heads.items()
                if head.suffix == suffix and (head.crosses or not crossing)
            ]
        return self._flags[key]


def _made(edged: _Edged, edge: str, suffix: bool) -> Iterator[tuple[int, str, Flags]]:
    """What the rules make of words with such an edge."""
    for strip in range(len(edge) + 1):
        for rule in edged.rules.get(edge[len(edge) - strip :] if suffix else edge[:strip], ()):
            if _applies(rule, edge, suffix):
                yield strip, rule.add, rule.leads


def _applies(rule: AffixRule, edge: str, suffix: bool) -> bool:
    """Whether a word with this edge, which has what is stripped, has next to it what the condition says."""
    strip = len(rule.strip)
    sets = () if rule.condition == (".",) else rule.condition
    if suffix:
        sets, adjacent = sets[: max(len(sets) - strip, 0)][::-1], edge[: len(edge) - strip][::-1]
    else:
        sets, adjacent = sets[strip:], edge[strip:]
    return len(adjacent) >= len(sets) and all(map(_has, sets, adjacent))


def _has(one: str, letter: str) -> bool:
    """Whether a letter is one of a condition: itself, any, or one of those in brackets."""
    if not one.startswith("["):
        return one in (".", letter)
    return (letter in one.strip("[]^")) != one.startswith("[^")
