"""Hunspell's dictionaries as machines: stems ∘ affix rules, for the languages that LibreOffice has.

A ``.dic`` file lists stems with flags, the ``.aff`` file beside it has the rules of each flag: what
is stripped, what is added, and what the stem must end in. A rule is a small transducer, a flag the
union of its rules, and the forms of a language are the union over the flags of

    stems with the flag ∘ rules of the flag

once for suffixes, once more for what suffixes lead to, and once for prefixes. Compounds, and affixes
with an apostrophe, which are tokens of their own, are left out.

Source: hunspell(5), https://github.com/hunspell/hunspell
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import pynini

from fstce.corpora.documents import check_encoding
from fstce.corpora.tables import whole_number
from fstce.correction.mistakes.casing import is_spelt
from fstce.errors import CorpusError, ParameterError
from fstce.machines import algebra
from fstce.machines.image import arrays_to_fst
from fstce.machines.trie import prefix_tree
from fstce.storage.inputs import read_bytes

Flags = frozenset[str]
Words: TypeAlias = "list[str] | pynini.Fst"
FORMS = 20_000_000  # states at most of a language; more is a fault of the files
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
        """The flags that a text spells.

        >>> sorted(Affixes({}, "long", [], frozenset(), "utf-8").flags("AaBb"))
        ['Aa', 'Bb']
        """
        if self.aliases and text.isdecimal():
            number = whole_number(text) or 0
            text = self.aliases[number - 1] if 0 < number <= len(self.aliases) else ""
        if self.style == "num":
            return frozenset(text.split(","))
        return frozenset(re.findall("..", text) if self.style == "long" else text)


def hunspell_machine(path: str | os.PathLike[str]) -> pynini.Fst:
    """All words of a hunspell dictionary, by its ``.dic`` file, as a minimal acceptor of their code points.

    :func:`fstce.correction.affixed.hunspell_words` has the same words as strings, sooner.
    """
    dic = Path(path)
    affixes = read_affixes(dic.with_suffix(".aff"))
    stems: dict[Flags, list[str]] = defaultdict(list)
    for stem, flags in read_stems(dic, affixes):
        stems[flags].append(stem)
    letters = {*chain.from_iterable(chain.from_iterable(stems.values()))}
    forms = _Forms(affixes, letters).forms(stems)
    if not forms:
        raise CorpusError(f"{dic}: all of its stems need affixes that it has not; it holds no word")
    return algebra.to_lattice(pynini.union(*forms), "the words of a hunspell dictionary", FORMS)


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


class _Forms:
    """The machines of flags over one alphabet."""

    def __init__(self, affixes: Affixes, letters: set[str]) -> None:
        self._affixes = affixes
        used = [rule for rules in affixes.rules.values() for rule in rules[1:] if is_used(rule)]
        letters |= {letter for rule in used for letter in rule.strip + rule.add}
        self._letters = sorted(letters)
        self._any = _letter_set(self._letters)
        self._all = pynini.closure(self._any).optimize()
        self._machines: dict[tuple[str, Flags], pynini.Fst] = {}

    def forms(self, stems: dict[Flags, list[str]]) -> list[pynini.Fst]:
        """Stems, their suffixed forms, those of two suffixes, and prefixes on all."""
        prefixes = frozenset(flag for flag, rules in self._affixes.rules.items() if not rules[0].suffix)
        crossing = frozenset(flag for flag in prefixes if self._affixes.rules[flag][0].crosses)
        bare = [(kept, _united(own.values())) for kept, own in _by(prefixes, stems).items() if kept]
        once, crossed = self._suffixed(stems, crossing)
        twice, more = self._suffixed(_grouped(once), crossing)
        prefixed = self._affixed(_grouped([*bare, *crossed, *more]), suffix=False)
        hidden = self._affixes.hidden
        shown = [own for flags, own in stems.items() if not flags & hidden]
        affixed = [fst for flags, fst in (*once, *twice, *prefixed) if not flags & hidden]
        return [*([_united(shown)] if shown else []), *affixed]

    def _suffixed(
        self, stems: Mapping[Flags, Words], crossing: Flags
    ) -> tuple[list[tuple[Flags, pynini.Fst]], list[tuple[Flags, pynini.Fst]]]:
        """Suffixed forms with the flags that they lead to, and those that keep their stem's prefixes."""
        crossed = [
            (kept, form)
            for kept, own in _by(crossing, stems).items()
            if kept
            for _, form in self._affixed(own, suffix=True, crossing=True)
        ]
        return self._affixed(stems, suffix=True), crossed

    def _affixed(
        self, stems: Mapping[Flags, Words], suffix: bool, crossing: bool = False
    ) -> list[tuple[Flags, pynini.Fst]]:
        """stems with a flag ∘ its rules, for every flag of one side."""
        having: dict[str, list[Words]] = defaultdict(list)
        for flags, own in stems.items():
            for flag in flags:
                having[flag].append(own)
        found = []
        for flag, rules in self._affixes.rules.items():
            if flag not in having or rules[0].suffix != suffix or (crossing and not rules[0].crosses):
                continue
            bare = _united(having[flag])
            for leads in dict.fromkeys(rule.leads for rule in rules[1:] if is_used(rule)):
                form = pynini.compose(bare, self._of_flag(flag, leads)).project("output").rmepsilon()
                if form.start() >= 0 and form.num_states():
                    found.append((leads, form.connect()))  # determinized once, in their union
        return found

    def _of_flag(self, flag: str, leads: Flags) -> pynini.Fst:
        """The union of the rules of a flag that lead to the same flags."""
        key = flag, leads
        if key not in self._machines:
            rules = [r for r in self._affixes.rules[flag][1:] if r.leads == leads and is_used(r)]
            self._machines[key] = pynini.union(*map(self._of_rule, rules)).optimize().arcsort("ilabel")
        return self._machines[key]

    def _of_rule(self, rule: AffixRule) -> pynini.Fst:
        """Σ* · condition · (strip : add), or the other way around."""
        sets = () if rule.condition == (".",) else rule.condition
        strip = len(rule.strip)
        # The condition includes what is stripped: it is what the stem has at its edge.
        kept = sets[: max(len(sets) - strip, 0)] if rule.suffix else sets[strip:]
        beside = reduce(pynini.concat, map(self._set, kept), _string(""))
        change = pynini.cross(_string(rule.strip), _string(rule.add))
        return self._all + beside + change if rule.suffix else change + beside + self._all

    def _set(self, one: str) -> pynini.Fst:
        """A letter, any letter, or the letters in brackets."""
        if one == ".":
            return self._any
        if not one.startswith("["):
            return _string(one)
        named = set(one.strip("[]^"))
        letters = [c for c in self._letters if (c in named) != one.startswith("[^")]
        return _letter_set(letters or ["\0"])


def is_used(rule: AffixRule) -> bool:
    """Whether a rule adds letters alone: what has an apostrophe is a token of its own."""
    return all(letter.isalpha() or letter == "-" for letter in rule.add)


def _grouped(forms: Iterable[tuple[Flags, pynini.Fst]]) -> dict[Flags, pynini.Fst]:
    found: dict[Flags, list[pynini.Fst]] = defaultdict(list)
    for flags, fst in forms:
        if flags:
            found[flags].append(fst)
    return {flags: _united(parts) for flags, parts in found.items()}


def _by(flags: Flags, stems: Mapping[Flags, Words]) -> dict[Flags, dict[Flags, Words]]:
    """Stems by those of some flags that they have."""
    found: dict[Flags, dict[Flags, Words]] = defaultdict(dict)
    for own, words in stems.items():
        found[own & flags][own] = words
    return found


def _united(parts: Iterable[Words]) -> pynini.Fst:
    """A minimal acceptor of words that are machines, or strings yet."""
    machines: list[pynini.Fst] = []
    words: list[str] = []
    for part in parts:
        if isinstance(part, list):
            words.extend(part)
        else:
            machines.append(part)
    if words:
        strings = [np.frombuffer(word.encode("utf-32-le"), dtype=np.int32) for word in words]
        machines.append(arrays_to_fst(prefix_tree(strings)).minimize())
        if len(machines) == 1:
            return machines[0]
    return pynini.union(*machines).optimize()


def _string(text: str) -> pynini.Fst:
    return pynini.accep(pynini.escape(text), token_type="utf8")


def _letter_set(letters: Iterable[str]) -> pynini.Fst:
    return pynini.union(*map(_string, letters)).optimize()


def _decoded(raw: bytes, encoding: str, path: Path) -> str:
    try:
        check_encoding(encoding)
        return raw.decode(encoding).lstrip("\ufeff")
    except (ParameterError, UnicodeError) as error:
        raise CorpusError(f"{path}: is not in {encoding[:40]}, as its SET line says: {error}") from None
