"""The words of a hunspell dictionary: stems with the affixes that their flags allow.

By hunspell's rules, in layers: stems; stems with a suffix; with two, the second one of a flag that
the first leads to; and with a prefix, alone or across suffixes. Compounds are left out, and so is
what is no single word. Stems with the same flags are taken at once: which rules fit one is
remembered by its edge, since a rule asks for no more than its condition and what it strips, and
what the same rules fit gets each affix in one go.

Source: hunspell 1.7, ``affixmgr.cxx`` and ``affentry.cxx``, https://github.com/hunspell/hunspell
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, compress, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fstce.corpora.compounds import Compounds
from fstce.corpora.hunspell_files import Dictionary, Flags, Rule, read_dictionary
from fstce.errors import CorpusError
from fstce.numeric.types import PathName

WORDS = 5_000_000  # words at most of a lexicon
COMPOUNDS = "compounds"  # as what was left out
LAYERS = ("stems", "suffixed forms", "forms of two suffixes", "prefixed forms")
BLOCK = 1 << 20  # forms that are compared at a time
Groups = Iterable[tuple[Flags, list[str]]]  # flags, and the stems that have them


class Words(NamedTuple):
    """Words, stems before their forms, what was left out, each said in words, and compounds."""

    words: list[str]
    left_out: list[str]
    compounds: Container[str]


@dataclass(frozen=True, eq=False)
class Change:
    """Letters that go from an edge, and what is added instead by each of some rules of a flag.

    Each is equal to itself alone, so that words are quickly parted by the changes that fit them.
    """

    flag: str
    cut: int
    adds: list[str]
    crosses: bool
    leads: Flags


def _changes(flag: str, rules: Iterable[Rule]) -> dict[re.Pattern[str], list[Change]]:
    """The changes by rules that strip alike, by their condition; those that are alike as one."""
    alike: dict[Any, list[str]] = {}
    for rule in rules:
        key = rule.condition, len(rule.strip), rule.crosses, rule.leads
        alike.setdefault(key, []).append(rule.add)

    changes: dict[re.Pattern[str], list[Change]] = {}
    for (condition, cut, crosses, leads), adds in alike.items():
        changes.setdefault(condition, []).append(Change(flag, cut, adds, crosses, leads))
    return changes


def _met(changes: Mapping[re.Pattern[str], list[Change]], edge: str) -> list[Change]:
    """The changes whose condition an edge meets."""
    met: list[Change] = []
    for condition, of_condition in changes.items():
        if condition.search(edge):
            met += of_condition
    return met


class Side:
    """The affixes of one side, and what they make of many words at once.

    Which of a flag fit a word is remembered by the edge of the word that its rules ask for; and
    which of these strip the same letters by as few as those ask for.
    """

    def __init__(self, dictionary: Dictionary, at_end: bool) -> None:
        rules = dictionary.suffixes if at_end else dictionary.prefixes
        self._at_end = at_end
        # Letters beyond what is stripped, at least.
        self._left = 0 if "FULLSTRIP" in dictionary.settings else 1
        self.flags: Flags = frozenset(rules)
        self.leads: dict[str, Flags] = {
            flag: frozenset().union(*(rule.leads for rule in of_flag))
            for flag, of_flag in rules.items()
        }
        self._edges = {flag: self._edge(of_flag) for flag, of_flag in rules.items()}
        self._fitting = {flag: self._asking(flag, of_flag) for flag, of_flag in rules.items()}

    def _edge(self, rules: Iterable[Rule]) -> slice:
        """The letters of a word that some rules ask for."""
        letters = max((rule.letters for rule in rules), default=1)
        return slice(-letters, None) if self._at_end else slice(letters)

    def _asking(self, flag: str, rules: Iterable[Rule]) -> Callable[[str], tuple[Change, ...]]:
        """A function from an edge to the changes of a flag that fit it."""
        rules_of_strip: dict[str, list[Rule]] = {}
        for rule in rules:
            rules_of_strip.setdefault(rule.strip, []).append(rule)
        asked = {
            strip: (self._edge(alike), cache(partial(_met, _changes(flag, alike))))
            for strip, alike in rules_of_strip.items()
        }
        cuts = sorted(set(map(len, asked)))

        @cache
        def fitting(edge: str) -> tuple[Change, ...]:
            changes: list[Change] = []
            for cut in cuts:
                if len(edge) - cut >= self._left:
                    strip = edge[len(edge) - cut :] if self._at_end else edge[:cut]
                    if strip in asked:
                        letters, met = asked[strip]
                        changes += met(edge[letters])
            return tuple(changes)

        return fitting

    def changes(self, flags: Flags, words: Iterable[str]) -> Iterator[tuple[Change, list[str]]]:
        """Each change by the affixes of some flags, and the words that it fits."""
        for flag in sorted(flags & self.flags):  # in one order, always
            edge = self._edges[flag]
            fitting = self._fitting[flag]
            words_of_edge: dict[str, list[str]] = defaultdict(list)
            for word in words:
                words_of_edge[word[edge]].append(word)

            words_of_changes: dict[tuple[Change, ...], list[str]] = defaultdict(list)
            for letters, alike in words_of_edge.items():
                words_of_changes[fitting(letters)] += alike
            for changes, alike in words_of_changes.items():
                for change in changes:
                    yield change, alike

    def forms(self, change: Change, words: Iterable[str]) -> Iterator[list[str]]:
        """The words with each affix of a change that fits them."""
        if self._at_end:
            heads = [word[: len(word) - change.cut] for word in words]
            return ([f"{head}{add}" for head in heads] for add in change.adds)
        tails = [word[change.cut :] for word in words]
        return ([f"{add}{tail}" for tail in tails] for add in change.adds)

    def that_lead_to(self, flags: Flags) -> Flags:
        """The flags some of whose affixes lead to some of these."""
        return frozenset(flag for flag, leads in self.leads.items() if leads & flags)


class Forms:
    """The forms of a dictionary's entries, those of stems with the same flags at once."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._suffixes = Side(dictionary, at_end=True)
        self._prefixes = Side(dictionary, at_end=False)
        self._needs = dictionary.role("NEEDAFFIX")
        self._joined = dictionary.role("ONLYINCOMPOUND")
        self._circumfix = dictionary.role("CIRCUMFIX")

    def layers(self, groups: Groups) -> Iterator[Iterator[list[str]]]:
        """For each of :data:`LAYERS` its forms, some at a time."""
        groups = [(flags, stems) for flags, stems in groups if not flags & self._joined]
        yield (stems for flags, stems in groups if not flags & self._needs)
        suffixed = (self._suffixes.forms(*changed) for changed in self._suffixing(groups))
        yield chain.from_iterable(suffixed)
        yield self._twice_suffixed(groups)
        yield self._prefixed(groups)

    def _suffixing(self, groups: Groups) -> Iterator[tuple[Change, list[str]]]:
        """Suffixes that may stand alone, and the stems that they fit."""
        hidden = self._needs | self._joined | self._circumfix
        for flags, stems in groups:
            for change, alike in self._suffixes.changes(flags, stems):
                if not change.leads & hidden:
                    yield change, alike

    def _twice_suffixed(self, groups: Groups) -> Iterator[list[str]]:
        """Forms of two suffixes. Hunspell asks only that the first leads to the second."""
        hidden = self._joined | self._circumfix
        leading = self._suffixes.that_lead_to(self._suffixes.flags)
        for flags, stems in groups:
            for inner, alike in self._suffixes.changes(flags & leading, stems):
                if not inner.leads & hidden:
                    for second, forms in self._second_suffixes(inner, alike):
                        yield from self._suffixes.forms(second, forms)

    def _second_suffixes(
        self, inner: Change, stems: Iterable[str]
    ) -> Iterator[tuple[Change, list[str]]]:
        """Suffixes that a first one leads to, and the forms of the first that they fit."""
        if inner.leads & self._suffixes.flags:
            for forms in self._suffixes.forms(inner, stems):
                yield from self._suffixes.changes(inner.leads, forms)

    def _prefixed(self, groups: Groups) -> Iterator[list[str]]:
        """Forms with a prefix, which a suffix may lead to, or may lead to a suffix."""
        hidden = self._needs | self._joined
        # What leads to a prefix, at once or by another suffix.
        once = self._suffixes.that_lead_to(self._prefixes.flags)
        prefixable = self._prefixes.flags | once | self._suffixes.that_lead_to(once)
        for flags, stems in groups:
            if not flags & prefixable:
                continue
            for prefix, alike in self._prefixes.changes(flags, stems):
                if not prefix.leads & hidden:
                    yield from self._prefixes.forms(prefix, alike)

            for inner, alike in self._suffixes.changes(flags | self._licensed(flags), stems):
                if not inner.leads & self._joined:
                    yield from self._across(flags, inner, alike)
                    yield from self._across_two(flags, inner, alike)

    def _licensed(self, flags: Flags) -> Flags:
        """The flags that prefixes of some flags lead to."""
        prefixing = flags & self._prefixes.flags
        return frozenset().union(*map(self._prefixes.leads.__getitem__, prefixing))

    def _across(self, flags: Flags, inner: Change, stems: list[str]) -> Iterator[list[str]]:
        """Stems of some flags with a suffix, and prefixes before them."""
        for prefix, forms in self._crossing(inner, stems, flags | inner.leads):
            is_hidden = prefix.leads & (self._joined | inner.leads & self._needs)
            if not is_hidden and self._go_with(prefix, inner, flags):
                yield from self._prefixes.forms(prefix, forms)

    def _across_two(self, flags: Flags, inner: Change, stems: list[str]) -> Iterator[list[str]]:
        """Stems of some flags with two suffixes, and prefixes before them."""
        is_free = inner.flag in flags and not inner.leads & self._circumfix
        for second, firsts in self._second_suffixes(inner, stems):
            if is_free:
                for prefix, forms in self._crossing(second, firsts, second.leads):
                    yield from self._prefixes.forms(prefix, forms)
            if inner.crosses:
                crossing = (flags | inner.leads) - second.leads
                for prefix, forms in self._crossing(second, firsts, crossing):
                    if self._go_with(prefix, inner, flags):
                        yield from self._prefixes.forms(prefix, forms)

    def _go_with(self, prefix: Change, suffix: Change, flags: Flags) -> bool:
        """Whether a suffix is of the stem's flags or the prefix's, both or neither circumfix."""
        circumfixes = bool(prefix.leads & self._circumfix) + bool(suffix.leads & self._circumfix)
        return circumfixes != 1 and suffix.flag in flags | prefix.leads

    def _crossing(
        self, suffix: Change, words: list[str], flags: Flags
    ) -> Iterator[tuple[Change, list[str]]]:
        """Prefixes of some flags that may stand with a suffix, and the forms that they fit."""
        if suffix.crosses and flags & self._prefixes.flags:
            for forms in self._suffixes.forms(suffix, words):
                for prefix, alike in self._prefixes.changes(flags, forms):
                    if prefix.crosses:
                        yield prefix, alike


def hunspell_words(path: PathName) -> list[str]:
    """All words of a hunspell dictionary, by its ``.dic`` file: stems before their forms.

    Warns of what :func:`read_hunspell` leaves out.
    """
    words, left_out, _ = read_hunspell(path)
    if left_out:
        warnings.warn(f"{path}: left out: {', '.join(left_out)}", stacklevel=2)
    return words


def read_hunspell(path: PathName) -> Words:
    """The words of a hunspell dictionary, by its ``.dic`` file, and what was left out.

    Where there are more than :data:`WORDS`, prefixed forms are left out, then those of two
    suffixes: Arabic's dictionary has fifty million.
    """
    dic = Path(path)
    dictionary = read_dictionary(dic)
    left_out = dictionary.left_out

    forms = Forms(dictionary)
    compounds = Compounds(dictionary)
    forbidden = dictionary.role("FORBIDDENWORD")
    groups = [(flags, stems) for flags, stems in dictionary.stems.items() if not flags & forbidden]
    banned = [(flags, stems) for flags, stems in dictionary.stems.items() if flags & forbidden]
    words, n_stems, layers = _formed(forms, groups, compounds)
    if layers < len(LAYERS):
        forms_of = f"{LAYERS[layers]} and what is made of them"
        left_out.append(f"{forms_of} (there are more than {WORDS:,} words)")

    banned_forms = chain.from_iterable(chain.from_iterable(islice(forms.layers(banned), layers)))
    refused = set(banned_forms).difference(words[:n_stems]) | dictionary.banned
    if "FULLSTRIP" in dictionary.settings:
        refused.add("")
    if refused:
        words = [word for word in words if word not in refused]
    if dictionary.mirrored:
        words = [word[::-1] for word in words]

    if not words:
        raise CorpusError(f"{dic}: holds no word; give the .dic file of a hunspell dictionary")
    if compounds or "COMPOUNDRULE" in dictionary.settings:
        left_out.append(COMPOUNDS)
    return Words(words, left_out, compounds or ())


def _formed(forms: Forms, groups: Groups, compounds: Compounds) -> tuple[list[str], int, int]:
    """The stems and their forms, how many stems there are, and how many layers have room."""
    distinct = _Distinct()
    words = distinct.words
    n_stems = 0
    for number, layer in enumerate(forms.layers(groups)):
        before = len(words)
        has_room = distinct.add(chain.from_iterable(layer))
        if number == 0:
            n_stems = len(words)
        elif not has_room:
            del words[before:]
            if number == 1:
                hidden = set(chain.from_iterable(stems for _, stems in groups)).difference(words)
                words += (stem for stem in sorted(hidden) if any(compounds.suffixed(stem)))
                n_stems = len(words)
            return words, n_stems, number
    return words, n_stems, len(LAYERS)


class _Distinct:
    """Words in the order that they were added in, each once.

    A set of all would lie scattered in memory, and take a quarter of it. Of all hashes in order
    those that repeat are neighbors, and few: these words are compared.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        self._hashes = np.zeros(0, np.uint32)

    def add(self, forms: Iterator[str]) -> bool:
        """Add forms; whether that were all, with at most :data:`WORDS`."""
        while block := list(islice(forms, BLOCK)):
            fresh = np.fromiter(map(hash, block), np.int64, len(block)).astype(np.uint32)
            hashes = np.concatenate((self._hashes, fresh))
            ordered = np.sort(hashes)
            repeated = np.zeros(1 << 24, bool)
            repeated[ordered[1:][ordered[1:] == ordered[:-1]] >> 8] = True
            alike = np.flatnonzero(repeated[hashes >> 8])

            n_before = len(self.words)
            earlier, later = np.split(alike, [np.searchsorted(alike, n_before)])
            seen = {self.words[place] for place in earlier.tolist()}
            is_new = np.ones(len(block), bool)
            for place in (later - n_before).tolist():
                is_new[place] = block[place] not in seen
                seen.add(block[place])
            self.words += compress(block, is_new.tolist())
            self._hashes = np.concatenate((self._hashes, fresh[is_new]))
            if len(self.words) > WORDS:
                return False
        return True
