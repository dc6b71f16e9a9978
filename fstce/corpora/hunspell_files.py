"""The two files of a hunspell dictionary: stems with flags, and what each flag does to a stem.

They are read as hunspell reads them: flags are bytes of the file, numbers or letters, columns are
parted by blanks and tabs alone, and after a table that is not as long as it says nothing more is
read. With COMPLEXPREFIXES all is turned around, letters and sides, so that suffixes are again what
may be twofold.

Source: hunspell(5), https://github.com/hunspell/hunspell
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from fstce.corpora.documents import check_encoding
from fstce.corpora.words import fault, is_fit
from fstce.errors import CorpusError, ParameterError
from fstce.storage.atomic import read_bytes

Flags = frozenset[str]
_NO_FLAGS: Flags = frozenset()
_CODECS = {"tis620-2533": "tis-620", "iscii-devanagari": "utf-8"}
_NUMBER = re.compile(r"\s*([0-9]{1,9})")
_SLASH = re.compile(r"(?<=[^\\])/|(?<=^/).")  # behind one that begins a line flags begin at once
_MORPHOLOGY = re.compile(r"\t|(?<=[^ \t])[ \t]+(?=..:)")
_ANY_BACKWARDS = r"(?:[^\0-\x7f][\0-\x7f]?|(?<![^\0-\x7f])[\0-\x7f])"
_LETTER = re.compile(r"\[(\^?)([^\]]*)\]|(.)")


class Rule(NamedTuple):
    """An affix: letters that it strips and adds, and what it asks of so many at the word's edge.

    ``crosses``: whether affixes of the other side may stand with it. ``leads``: the flags of the
    form.
    """

    strip: str
    add: str
    condition: re.Pattern[str]
    letters: int
    crosses: bool
    leads: Flags


@dataclass
class Dictionary:
    """The contents of the files, all strings turned around where ``mirrored``.

    ``settings``: the values of each line that is no affix, by its name. ``suffixes``, ``prefixes``:
    the rules of each flag. ``stems``: by their flags. ``banned``: stems whose first flags forbid
    them. ``left_out``: what of the files was not read, in words.
    """

    encoding: str
    settings: dict[str, list[list[str]]] = field(default_factory=dict)
    suffixes: dict[str, list[Rule]] = field(default_factory=dict)
    prefixes: dict[str, list[Rule]] = field(default_factory=dict)
    stems: dict[Flags, list[str]] = field(default_factory=dict)
    banned: set[str] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)

    def setting(self, name: str, default: str = "") -> str:
        """The value of the last line of a name."""
        values = [row[0] for row in self.settings.get(name, ()) if row]
        return values[-1] if values else default

    @cached_property
    def mirrored(self) -> bool:
        """Whether prefixes may be twofold."""
        return "COMPLEXPREFIXES" in self.settings

    def flag(self, text: str) -> str:
        """The first flag that a text spells."""
        return next(iter(self._split(text)), "")

    def flags(self, text: str) -> Flags:
        """All flags that a text spells, or that its number is an alias for."""
        if self._aliases:
            place = leading_number(text)
            if not 0 < place < len(self._aliases):
                return _NO_FLAGS
            text = self._aliases[place]
        return frozenset(self._split(text))

    def _split(self, text: str) -> list[str]:
        if not text:
            return []
        if self._flag_type == "num":
            return [str(leading_number(number) & 0xFFFF) for number in text.split(",")]

        codes = text.encode(self.encoding, "surrogateescape").decode("latin-1")
        if self._flag_type == "utf-8":
            return list(codes.encode("latin-1").decode("utf-8", "replace"))
        if self._flag_type == "long":
            return [codes[at : at + 2] for at in range(0, len(codes) - 1, 2)]
        return list(codes)

    @cached_property
    def _aliases(self) -> list[str]:
        """Behind their number the flags that each place stands for."""
        return ["".join(row[:1]) for row in self.settings.get("AF", ())]

    @cached_property
    def _flag_type(self) -> str:
        return self.setting("FLAG").lower()

    def letters(self, text: str) -> str:
        """The letters of a word or affix, without those that are ignored."""
        if self._ignored:
            text = text.translate(self._ignored)
        return text[::-1] if self.mirrored else text

    @cached_property
    def _ignored(self) -> dict[int, str]:
        return dict.fromkeys(map(ord, self.setting("IGNORE")), "")

    def role(self, *names: str) -> Flags:
        """The flags of some roles."""
        flags = (self.flag(self.setting(name)) for name in names)
        return frozenset(flag for flag in flags if flag)


def read_dictionary(path: Path) -> Dictionary:
    """The dictionary of a ``.dic`` file, its ``.aff`` file next to it."""
    dictionary = _read_affixes(path.with_suffix(".aff"))
    _read_stems(path, dictionary)
    return dictionary


def _read_affixes(path: Path) -> Dictionary:
    try:
        raw = read_bytes(path, CorpusError)
    except CorpusError as error:
        raise CorpusError(f"{error}: it has the affix rules of a hunspell dictionary") from None

    raw = raw.removeprefix(codecs.BOM_UTF8)
    [name, *_] = re.findall(rb"^SET[ \t]+(\S+)", raw + b"\nSET ISO8859-1", re.MULTILINE)
    dictionary = Dictionary(_codec(name.decode("latin-1"), path))
    lines = _lines(raw, dictionary.encoding, path)

    # Whatever an affix line needs may stand behind it.
    for _, (name, *values) in _rows(lines):
        if name not in ("SFX", "PFX"):
            dictionary.settings.setdefault(name, []).append(values)
    broken = _read_rules(dictionary, lines)
    if broken:
        dictionary.left_out.append(f"what follows {path.name}:{broken}, a table of another length")
    return dictionary


def _read_rules(dictionary: Dictionary, lines: list[str]) -> int:
    """Take in the affixes; the line of a table that is not as long as it says, or 0.

    Hunspell reads nothing behind it.
    """
    after = 0
    for number, fields in _rows(lines):
        if number <= after or fields[0] not in ("SFX", "PFX"):
            continue

        size = leading_number("".join(fields[3:4]))
        table = [_columns(line) for line in lines[number : number + size]]
        flag = dictionary.flag("".join(fields[1:2]))
        if (
            not size
            or len(table) < size
            or not all(len(row) > 3 and dictionary.flag(row[1]) == flag for row in table)
        ):
            return number

        is_suffix = (fields[0] == "SFX") != dictionary.mirrored
        rules = dictionary.suffixes
        if not is_suffix:
            rules = dictionary.prefixes
        crosses = fields[2].startswith("Y")
        made = [_rule(dictionary, row, is_suffix, crosses) for row in table]
        fit = [rule for rule in made if not rule.add or is_fit(rule.add)]
        rules.setdefault(flag, []).extend(fit)
        if len(fit) < len(made):
            unfit = len(made) - len(fit)
            dictionary.left_out.append(f"{unfit:,} rules whose letters can be in no word")
        after = number + len(table)
    return 0


def _rule(dictionary: Dictionary, fields: list[str], is_suffix: bool, crosses: bool) -> Rule:
    strip = "" if fields[2] == "0" else fields[2]
    add, _, leads = fields[3].partition("/")
    add = dictionary.letters(add)
    asked = [*fields, "."][4]

    by_bytes = dictionary.encoding == "utf-8"
    condition, letters = _condition(asked, is_suffix, dictionary.mirrored, by_bytes)
    return Rule(
        strip[::-1] if dictionary.mirrored else strip,
        "" if add == "0" else add,
        condition,
        max(letters, len(strip) + 1),  # one more tells whether the word is longer
        crosses,
        dictionary.flags(leads),
    )


@lru_cache(maxsize=1 << 14)
def _condition(
    text: str, at_end: bool, mirrored: bool, by_bytes: bool
) -> tuple[re.Pattern[str], int]:
    """The pattern of a condition, and its most letters: each itself, any, or of a set.

    Backwards hunspell takes for any letter one of one byte along with one of several.
    """
    letters = [] if text == "." else _LETTER.findall(text)
    if mirrored:
        letters.reverse()
    patterns = [_letter_pattern(*letter) for letter in letters]
    if not at_end:
        return re.compile(f"^(?:{''.join(patterns)})", re.DOTALL), len(letters)

    most = len(letters)
    if by_bytes:
        most += patterns.count(".")
        patterns = [_ANY_BACKWARDS if pattern == "." else pattern for pattern in patterns]
    return re.compile(f"(?:{''.join(patterns)})$", re.DOTALL), most


def _letter_pattern(negated: str, members: str, letter: str) -> str:
    if letter:
        return letter if letter == "." else re.escape(letter)
    if not members:
        return "." if negated else "(?!)"
    return f"[{negated}{re.escape(members)}]"


def _read_stems(path: Path, dictionary: Dictionary) -> None:
    """Take in the stems that are one word."""
    raw = read_bytes(path, CorpusError).removeprefix(codecs.BOM_UTF8)
    lines = _lines(raw, dictionary.encoding, path)
    if lines and leading_number(lines[0]):
        del lines[0]

    flags_of = cache(dictionary.flags)
    first_flags: dict[str, Flags] = {}
    forbidden = dictionary.role("FORBIDDENWORD")
    reasons = Counter[str]()
    for line in lines:
        if "\t" in line or ":" in line:
            line = _MORPHOLOGY.split(line, maxsplit=1)[0]
        stem, _, flags = line.partition("/")
        if not stem or stem[-1] == "\\":  # a slash of the stem
            stem, *parts = _SLASH.split(line, maxsplit=1)
            stem, flags = stem.replace("\\/", "/"), "".join(parts)
        reason = fault(stem)
        if reason is not None:
            reasons[reason] += 1
            continue
        stem = dictionary.letters(stem)
        dictionary.stems.setdefault(flags_of(flags), []).append(stem)
        if forbidden:
            first_flags.setdefault(stem, flags_of(flags))

    dictionary.banned = {stem for stem, of in first_flags.items() if of & forbidden}
    del reasons["it is empty"]
    dictionary.left_out.extend(f"{n:,} stems ({reason})" for reason, n in reasons.items())


def _codec(name: str, path: Path) -> str:
    """Python's name of an encoding that hunspell names."""
    codec = name.lower().removeprefix("microsoft-")
    codec = _CODECS.get(codec, codec)
    try:
        check_encoding(codec)
    except ParameterError as error:
        raise CorpusError(f"{path}: is not in {name[:40]}, as its SET line says: {error}") from None
    return codec


def _lines(raw: bytes, encoding: str, path: Path) -> list[str]:
    """The lines, in which a byte that is no text is a lone surrogate."""
    try:
        text = raw.decode(encoding, "surrogateescape")
    except UnicodeError as error:  # of encodings in which one byte does not say so by itself
        raise CorpusError(f"{path}: is not in {encoding}, as its SET line says: {error}") from None
    return [line.rstrip("\r") for line in text.split("\n")]


def _rows(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The columns of each line that begins with a name, by its number."""
    for number, line in enumerate(lines, 1):
        if line[:1].isupper():
            yield number, _columns(line)


def _columns(line: str) -> list[str]:
    return re.findall("[^ \t]+", line)


def leading_number(text: str) -> int:
    """The number that a text begins with, 0 where there is none."""
    digits = _NUMBER.match(text)
    return int(digits[1]) if digits else 0
