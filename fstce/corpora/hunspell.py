"""The words of a hunspell dictionary: stems with the affixes that their flags allow.

By hunspell's rules, in layers: stems; stems with a suffix; with two, the second one of a flag that
the first leads to; and with a prefix, alone or across suffixes. Compounds are left out, and so is
what is no single word. What the rules of a flag make of a word is remembered by the word's edge,
since a rule asks for no more of it than its condition and what it strips.

Source: hunspell 1.7, ``affixmgr.cxx`` and ``affentry.cxx``, https://github.com/hunspell/hunspell
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from fstce.corpora.hunspell_files import Dictionary, Flags, Rule, read_dictionary
from fstce.errors import CorpusError
from fstce.numeric.types import PathName

WORDS = 5_000_000  # words at most of a lexicon
CLUSTER = re.compile("[\U00100000-\U0010ffff]").search
LAYERS = ("stems", "suffixed forms", "forms of two suffixes", "prefixed forms")
Entry = tuple[str, Flags]


class Words(NamedTuple):
    """Words, stems before their forms, and what was left out, each said in words."""

    words: list[str]
    left_out: list[str]


class Change(NamedTuple):
    """Letters that go from an edge, and what is added instead by each of some rules."""

    cut: int
    adds: tuple[str, ...]
    crosses: bool
    leads: Flags


class Side:
    """The affixes of one side, and what they make of words."""

    def __init__(
        self,
        rules: Mapping[str, Sequence[Rule]],
        at_end: bool,
        fullstrip: bool,
        looked_up: Callable[[str], str],
    ) -> None:
        self.rules = rules
        self._looked_up = looked_up
        self.flags: frozenset[str] = frozenset(rules)
        self.at_end = at_end
        self.longest: dict[str, int] = {flag: _longest(of_flag) for flag, of_flag in rules.items()}
        self._shortest = -1 if fullstrip else 0  # letters of a word beyond what is stripped of it
        self._asking = {flag: _asking(of_flag) for flag, of_flag in rules.items()}
        self._changes: dict[str, dict[str, list[Change]]] = {flag: {} for flag in rules}
        self._own: dict[Flags, list[str]] = {}

    def own(self, flags: Flags) -> list[str]:
        """Flags that have affixes of this side, in one order, always."""
        if flags not in self._own:
            self._own[flags] = sorted(flags & self.flags)
        return self._own[flags]

    def changes(self, flag: str, word: str) -> list[Change]:
        """Changes of a word by the rules of a flag."""
        letters = self.longest[flag]
        edge = word[-letters:] if self.at_end else word[:letters]
        changes = self._changes[flag]
        if edge not in changes:
            changes[edge] = self._made(flag, edge)
        return changes[edge]

    def _made(self, flag: str, edge: str) -> list[Change]:
        edge = self._looked_up(edge)
        made: list[Change] = []
        for letters, rules in self._asking[flag].items():
            if len(edge) - letters <= self._shortest:
                continue
            strip = edge[len(edge) - letters :] if self.at_end else edge[:letters]
            for condition, changes in rules.get(strip, ()):
                if condition(edge):
                    made += changes
        return made

    def forms(self, word: str, change: Change) -> Iterable[str]:
        """The word with each affix of a change."""
        if self.at_end:
            return map(word[: len(word) - change.cut].__add__, change.adds)
        tail = word[change.cut :]
        return (add + tail for add in change.adds)


def _longest(rules: Iterable[Rule]) -> int:
    """The most letters at an edge that one of the rules asks for."""
    return max((rule.letters for rule in rules), default=0)


def _asking(rules: Iterable[Rule]) -> dict[int, dict[str, list[tuple[Any, list[Change]]]]]:
    """The changes of rules by what they strip and ask for; those that are alike as one."""
    alike: dict[Any, dict[Any, list[str]]] = {}
    for rule in rules:
        adds = alike.setdefault((rule.strip, rule.condition), {})
        adds.setdefault((rule.crosses, rule.leads), []).append(rule.add)

    asking: dict[int, dict[str, list[tuple[Any, list[Change]]]]] = {}
    for (strip, condition), crossing in alike.items():
        changes = [Change(len(strip), tuple(adds), *leads) for leads, adds in crossing.items()]
        rules_of_strip = asking.setdefault(len(strip), {})
        rules_of_strip.setdefault(strip, []).append((condition.search, changes))
    return asking


class Forms:
    """The forms that the entries of a dictionary have."""

    def __init__(self, dictionary: Dictionary) -> None:
        options = dictionary.fullstrip, dictionary.looked_up
        self.suffixes: Side = Side(dictionary.suffixes, True, *options)
        self.prefixes: Side = Side(dictionary.prefixes, False, *options)
        self.needs: frozenset[str] = dictionary.role("NEEDAFFIX")
        self.joined: frozenset[str] = dictionary.role("ONLYINCOMPOUND")
        self.circumfix: frozenset[str] = dictionary.role("CIRCUMFIX")

    def layers(self, entries: Sequence[Entry]) -> Iterator[Iterator[Iterable[str]]]:
        """For each of :data:`LAYERS` its forms, some at a time."""
        words = [entry for entry in entries if not entry[1] & self.joined]
        yield ((stem,) for stem, flags in words if not flags & self.needs)
        yield self._suffixed(words)
        yield self._twice_suffixed(words)
        yield self._prefixed(words)

    def _suffixed(self, entries: Sequence[Entry]) -> Iterator[Iterable[str]]:
        return (self.suffixes.forms(stem, change) for stem, change in self._suffixing(entries))

    def _suffixing(self, entries: Sequence[Entry]) -> Iterator[tuple[str, Change]]:
        """Stems, and what a suffix that may stand alone makes of them."""
        hidden = self.needs | self.joined | self.circumfix
        for stem, flags in entries:
            for flag in self.suffixes.own(flags):
                for change in self.suffixes.changes(flag, stem):
                    if not change.leads & hidden:
                        yield stem, change

    def suffixed_among(self, entries: Sequence[Entry], words: Iterable[str]) -> Iterator[str]:
        """Words that are suffixed forms, of which there are too many to make all."""
        ends: dict[str, set[str]] = {}
        for word in words:
            for at in range(len(word) + 1):
                ends.setdefault(word[:at], set()).add(word[at:])
        sets: dict[int, frozenset[str]] = {}
        for stem, change in self._suffixing(entries):
            head = stem[: len(stem) - change.cut]
            if head in ends:
                at = id(change.adds)  # which live as long as their side
                if at not in sets:
                    sets[at] = frozenset(change.adds)
                yield from map(head.__add__, ends[head] & sets[at])

    def _twice_suffixed(self, entries: Sequence[Entry]) -> Iterator[Iterable[str]]:
        """Forms of two suffixes. Hunspell asks only that the first leads to the second."""
        hidden = self.joined | self.circumfix
        leading = self._that_lead_to(self.suffixes.flags)
        for stem, flags in entries:
            for flag in self.suffixes.own(flags & leading):
                for inner in self.suffixes.changes(flag, stem):
                    if not inner.leads & hidden:
                        for form, second in self._again(stem, inner):
                            yield self.suffixes.forms(form, second)

    def _that_lead_to(self, flags: Flags) -> Flags:
        """The flags of suffixes some of which lead to some of these."""
        suffixes = self.suffixes.rules.items()
        leading = (flag for flag, rules in suffixes if any(rule.leads & flags for rule in rules))
        return frozenset(leading)

    def _again(self, stem: str, inner: Change) -> Iterator[tuple[str, Change]]:
        """A stem with a suffix, and each second suffix that the first leads to."""
        flags = self.suffixes.own(inner.leads)
        for form in self.suffixes.forms(stem, inner) if flags else ():
            for flag in flags:
                for second in self.suffixes.changes(flag, form):
                    yield form, second

    def _prefixed(self, entries: Sequence[Entry]) -> Iterator[Iterable[str]]:
        """Forms with a prefix, which a suffix may lead to, or may lead to a suffix."""
        hidden = self.needs | self.joined
        # What leads to a prefix, at once or by another suffix.
        once = self._that_lead_to(self.prefixes.flags)
        prefixable = self.prefixes.flags | once | self._that_lead_to(once)
        for stem, flags in entries:
            if not flags & prefixable:
                continue
            for flag in self.prefixes.own(flags):
                for change in self.prefixes.changes(flag, stem):
                    if not change.leads & hidden:
                        yield self.prefixes.forms(stem, change)

            for flag in self.suffixes.own(flags | self._licensed(flags)):
                for inner in self.suffixes.changes(flag, stem):
                    if not inner.leads & self.joined:
                        yield from self._across(stem, flags, flag, inner)
                        yield from self._across_two(stem, flags, flag, inner)

    def _licensed(self, flags: Flags) -> Flags:
        """The flags of suffixes that prefixes of some flags lead to."""
        licensed: Flags = frozenset()
        for flag in self.prefixes.own(flags):
            licensed = licensed.union(*(rule.leads for rule in self.prefixes.rules[flag]))
        return licensed & self.suffixes.flags

    def _across(self, stem: str, flags: Flags, flag: str, inner: Change) -> Iterator[Iterable[str]]:
        """A stem with a suffix of a flag, and prefixes before them."""
        if not inner.crosses:
            return
        head = stem[: len(stem) - inner.cut]
        for prefix, forms in self._crossing(head, inner.adds, flags | inner.leads):
            both_need = inner.leads & prefix.leads & self.needs
            if both_need or prefix.leads & self.joined:
                continue
            if (flag in flags or flag in prefix.leads) and self._meet(prefix, inner):
                yield forms

    def _across_two(
        self, stem: str, flags: Flags, flag: str, inner: Change
    ) -> Iterator[Iterable[str]]:
        """A stem with two suffixes, the first of a flag, and prefixes before them."""
        is_free = flag in flags and not inner.leads & self.circumfix
        for form, second in self._again(stem, inner):
            if not second.crosses:
                continue
            head = form[: len(form) - second.cut]
            if is_free:
                for _, forms in self._crossing(head, second.adds, second.leads):
                    yield forms
            if inner.crosses:
                crossing = (flags | inner.leads) - second.leads
                for prefix, forms in self._crossing(head, second.adds, crossing):
                    if self._meet(prefix, inner) and (flag in flags or flag in prefix.leads):
                        yield forms

    def _meet(self, prefix: Change, suffix: Change) -> bool:
        """Whether both or neither are parts of a circumfix."""
        return bool(prefix.leads & self.circumfix) == bool(suffix.leads & self.circumfix)

    def _crossing(
        self, head: str, adds: Sequence[str], flags: Flags
    ) -> Iterator[tuple[Change, Iterable[str]]]:
        """Prefixes that cross, on forms of one head: at once where they ask for no more than it."""
        for flag in self.prefixes.own(flags):
            if len(head) >= self.prefixes.longest[flag]:
                for prefix in self.prefixes.changes(flag, head):
                    for start in self.prefixes.forms(head, prefix) if prefix.crosses else ():
                        yield prefix, map(start.__add__, adds)
                continue
            for add in adds:
                for prefix in self.prefixes.changes(flag, head + add):
                    if prefix.crosses:
                        yield prefix, self.prefixes.forms(head + add, prefix)


def hunspell_words(path: PathName) -> list[str]:
    """All words of a hunspell dictionary, by its ``.dic`` file: stems before their forms.

    Warns of what :func:`read_hunspell` leaves out.
    """
    words, left_out = read_hunspell(path)
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
    left_out = list(dictionary.left_out)

    forms = Forms(dictionary)
    forbidden = dictionary.forbidden
    entries = [entry for entry in dictionary.entries if not entry[1] & forbidden]
    banned = [entry for entry in dictionary.entries if entry[1] & forbidden]
    words, stems, layers = _formed(forms, entries)
    if layers < len(LAYERS):
        forms_of = f"{LAYERS[layers]} and what is made of them"
        left_out.append(f"{forms_of} (there are more than {WORDS:,} words)")

    looked_up = dictionary.looked_up
    as_looked_up: dict[str, str] = {}  # by the word as it is written
    if dictionary.clusters:
        as_looked_up = {word: looked_up(word) for word in words if CLUSTER(word)}
        stems = len(set(map(looked_up, islice(words, stems))))
        words = dict.fromkeys(map(looked_up, words))

    _drop_refused(words, stems, dictionary, islice(forms.layers(banned), layers))
    clustered = [word for word, form in as_looked_up.items() if form in words]
    if dictionary.mirrored:
        words = dict.fromkeys(word[::-1] for word in words)
        clustered = [word[::-1] for word in clustered]
    as_written = dictionary.as_written()
    words.update(dict.fromkeys(word.translate(as_written) for word in clustered))

    converted = _converted(words, dictionary.converted)
    for form in converted:
        del words[form]
    if converted:
        left_out.append(f"{len(converted):,} words that ICONV respells")
    if not words:
        raise CorpusError(f"{dic}: holds no word; give the .dic file of a hunspell dictionary")
    return Words(list(words), left_out)


def _formed(forms: Forms, entries: Sequence[tuple[str, Flags]]) -> tuple[dict[str, None], int, int]:
    """The stems and their forms, how many stems there are, and how many layers have room."""
    stems, *layers = forms.layers(entries)
    words = dict.fromkeys(chain.from_iterable(stems))
    listed = len(words)

    for number, layer in enumerate(layers, 1):
        before = len(words)
        if _add(words, chain.from_iterable(layer)):
            continue
        words = dict.fromkeys(islice(words, before))
        if number == 1:
            hidden = {stem for stem, _ in entries if stem not in words}
            words.update(dict.fromkeys(forms.suffixed_among(entries, hidden)))
            listed = len(words)
        return words, listed, number
    return words, listed, len(LAYERS)


def _add(words: dict[str, None], forms: Iterator[str]) -> bool:
    """Add forms; whether that were all, with at most :data:`WORDS` words."""
    while some := list(islice(forms, 1 << 16)):
        words.update(dict.fromkeys(some))
        if len(words) > WORDS:
            return False
    return True


def _drop_refused(
    words: dict[str, None],
    n_stems: int,
    dictionary: Dictionary,
    layers: Iterable[Iterable[Iterable[str]]],
) -> None:
    """Take out the forms of forbidden stems that are no stems themselves: the first so many are.

    Of the entries of one stem the first decides.
    """
    words.pop("", None)  # FULLSTRIP may leave nothing
    if not dictionary.forbidden:
        return
    looked_up = dictionary.looked_up
    stems = set(islice(words, n_stems))
    for form in map(looked_up, chain.from_iterable(chain.from_iterable(layers))):
        if form not in stems:
            words.pop(form, None)
    flags_of_first = {looked_up(stem): flags for stem, flags in reversed(dictionary.entries)}
    for stem, flags in flags_of_first.items():
        if flags & dictionary.forbidden:
            words.pop(stem, None)


def _converted(words: Iterable[str], conversions: Mapping[str, str]) -> list[str]:
    """Words for which hunspell looks up other ones, which it does not have."""
    if not conversions:
        return []
    listed = words if isinstance(words, dict) else set(words)
    patterns = sorted(conversions, key=len, reverse=True)
    typed = re.compile("|".join(map(_anchored, patterns)))
    by_letters = {pattern.strip("_"): conversions[pattern] for pattern in reversed(patterns)}
    return [
        word
        for word in listed
        if typed.search(word) and typed.sub(lambda match: by_letters[match[0]], word) not in listed
    ]


def _anchored(pattern: str) -> str:
    """A conversion as a pattern: ``_`` is the begin or the end of a word."""
    begins = pattern.startswith("_")
    ends = pattern.endswith("_")
    return f"{'^' * begins}{re.escape(pattern.strip('_'))}{'$' * ends}"
