"""Compounds by hunspell's rules: words of which parts may begin, stand within, and end one.

There are too many to list, so a word is asked about. A part is a stem, or one with a suffix, which
the last part may have, and an earlier one where COMPOUNDPERMITFLAG says so. Hunspell accepts more:
parts with prefixes or two suffixes, COMPOUNDRULE, three equal letters written as two.

Source: hunspell 1.7, ``AffixMgr::compound_check``, https://github.com/hunspell/hunspell
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, cached_property

from fstce.corpora.hunspell_files import Dictionary, Flags, Rule, leading_number

LONGEST = 100  # letters of a compound
BEGIN, INSIDE, END = "COMPOUNDBEGIN", "COMPOUNDMIDDLE", "COMPOUNDEND"


class Compounds:
    """The compounds of a dictionary: a container of words; and which letters have a suffix."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._needing = dictionary.role("NEEDAFFIX")
        self._barred = dictionary.role("COMPOUNDFORBIDFLAG")
        self._roles = {
            place: dictionary.role("COMPOUNDFLAG", place) for place in (BEGIN, INSIDE, END)
        }
        self._least = max(leading_number(dictionary.setting("COMPOUNDMIN", "3")), 1)
        self._most = leading_number(dictionary.setting("COMPOUNDWORDMAX", str(LONGEST)))
        patterns = dictionary.settings.get("CHECKCOMPOUNDPATTERN", ())
        self._apart = [(row[0], row[1]) for row in patterns if len(row) > 1]
        self._is_part = cache(self._part_is)

    def __bool__(self) -> bool:
        """Whether there may be any."""
        ends = self._roles[BEGIN] and self._roles[END]
        return bool(ends) and not self._dictionary.mirrored

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str) or not self or len(word) > LONGEST:
            return False
        if word in self._dictionary.banned:
            return False

        ends = range(self._least, len(word) - self._least + 1)
        # Where the latest part begins and ends.
        parts = {(0, end) for end in ends if self._is_part(word[:end], BEGIN)}
        seen: set[tuple[int, int]] = set()
        for _ in range(self._most - 1):
            if any(self._continues(word, *part, len(word), END) for part in parts):
                return True
            seen |= parts
            longer = {
                (at, end)
                for start, at in parts
                for end in ends
                if end >= at + self._least and self._continues(word, start, at, end, INSIDE)
            }
            parts = longer - seen
        return False

    def _continues(self, word: str, start: int, at: int, end: int, place: str) -> bool:
        """Whether letters from a place on may be the next part behind those from the start."""
        left = word[start:at]
        right = word[at:end]
        if not self._is_part(right, place):
            return False

        settings = self._dictionary.settings
        joint = word[at - 1 : at + 1]
        if "CHECKCOMPOUNDDUP" in settings and right.startswith(left):
            return False
        if "CHECKCOMPOUNDCASE" in settings and joint != joint.lower() and "-" not in joint:
            return False
        if "CHECKCOMPOUNDTRIPLE" in settings and joint[0] * 3 in word[max(at - 2, 0) : at + 2]:
            return False
        return not any(left.endswith(a) and right.startswith(b) for a, b in self._apart)

    def _part_is(self, part: str, place: str) -> bool:
        """Whether letters may be a part of a place."""
        role = self._roles[place]
        if any(flags & role and not flags & self._needing for flags in self._stems.get(part, ())):
            return True
        suffixed = self.suffixed(part, place == END)
        return any(flags & role and not flags & self._barred for flags in suffixed)

    def suffixed(self, letters: str, is_last: bool = True) -> Iterator[Flags]:
        """The flags of each stem and suffix that make letters, at the end of a word or before."""
        for end in range(1, len(letters) + 1):
            for flag, rule in self._suffixes.get((letters[end:], is_last), ()):
                stem = letters[:end] + rule.strip
                if rule.condition.search(stem):
                    entries = self._stems.get(stem, ())
                    yield from (flags | rule.leads for flags in entries if flag in flags)

    @cached_property
    def _stems(self) -> dict[str, list[Flags]]:
        """The flags of each entry of a stem."""
        # Two parts at most may have such stems, by the number of their syllables.
        left_out = self._dictionary.role("FORBIDDENWORD", "COMPOUNDROOT")
        flags_of = defaultdict(list)
        for flags, stems in self._dictionary.stems.items():
            if not flags & left_out:
                for stem in stems:
                    flags_of[stem].append(flags)
        return flags_of

    @cached_property
    def _suffixes(self) -> dict[tuple[str, bool], list[tuple[str, Rule]]]:
        """The suffixes that a part may have, by what they add and whether it is the last one."""
        role = self._dictionary.role
        hidden = self._needing | role("CIRCUMFIX")
        rules = defaultdict(list)
        for flag, of_flag in self._dictionary.suffixes.items():
            for rule in of_flag:
                if not rule.leads & (hidden | role("ONLYINCOMPOUND")):
                    rules[rule.add, True].append((flag, rule))
                if rule.leads & role("COMPOUNDPERMITFLAG") and not rule.leads & hidden:
                    rules[rule.add, False].append((flag, rule))
        return rules
