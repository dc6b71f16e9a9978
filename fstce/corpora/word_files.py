"""Files of words, for spellers, correctors and neighborhoods: one reader, which says what it read.

============  ====================================================================================
``list``      a word, or several of a phrase, a line
``counts``    word and count, parted by a tab, a blank, comma or semicolon, or count and word, as
              ``uniq -c`` has them; the first line may name the columns
``unimorph``  lemma, form, features: the forms and lemmas
``text``      running text, whose words are counted; one that begins a sentence with a capital
              counts in small letters, too
``hunspell``  ``.dic``, its ``.aff`` next to it
============  ====================================================================================

A file that may be two of these is asked about, not guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from fstce.corpora.casing import capitals
from fstce.corpora.documents import expanded, lines_of
from fstce.corpora.formats import recognized
from fstce.corpora.hunspell import COMPOUNDS, read_hunspell
from fstce.corpora.tables import MOST, table_rows
from fstce.corpora.words import is_fit
from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.numeric.types import PathName

NAMES = {
    "list": "a list",
    "counts": "words with counts",
    "unimorph": "a table of UniMorph",
    "text": "a text, words that begin its sentences in small letters, too",
    "hunspell": "hunspell's dictionary",
    "acceptor": "an acceptor",
}
FORMATS = tuple(NAMES)
ASK = "say which: --lexicon-format"
MOSTLY = 0.9  # of the lines of a file that are of its kind; the others are named as faults
PHRASE = 3  # words of a line at most that may be one of a list
_NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_COUNTED = re.compile(
    # perhaps behind a rank, the word a second time, as in the lists of Leipzig
    rf"(?:(?:[0-9]+\t)?(?P<word>(?!\".+\"|[0-9]+ +\S+ +[0-9])[^\t]*[^\s:;,])(?:\t(?P=word)(?=\t))?"
    rf"(?:\t| *[;,] *|:? +)(?P<count>{_NUMBER})"
    rf"|\s*(?P<n>{_NUMBER})(?:\s+| *[;,] *)(?P<w>[^\s;,]+))\s*"
)
_HEADER = re.compile(
    r"(?:[^\t]+\t)?[^\t]+[\t;,] *(?:counts?|freq|frequency|n|number|occurrences|times)", re.I
)
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
# Small letters stand behind a first mark alone; no string is matched in two ways.
_FEATURES = re.compile(
    r"(?=.*[A-Z])[A-Z0-9{}/+.()-][A-Z0-9{}.()-]*(?:[/+][A-Za-z0-9{}/+.()-]*)?"
    r"(?:[;|][A-Za-z0-9{}/+.()-]+)*"
)
_WORD = re.compile(r"[^\W\d_](?:[\w\u0300-\u036f'’:\u200c\u200d-]*\w)?")
# What parts columns, or stems of hunspell from flags, or words of a program's list
_PARTED = re.compile(r"[\"/|=;:<>\[]|.,|^'.*'$")
_STOP = re.compile(r"[.!?:;,…।。！？]\s*$")
STOPS = frozenset(".!?…")  # one of them before a word begins a sentence
Row = tuple[int, str]


@dataclass(frozen=True)
class WordFile:
    """The words of a file with their counts, 1 where it has none.

    ``format``: what it was taken for, of :data:`FORMATS`. ``left_out``: what is not among them, in
    words. ``compounds``: what may be asked for by :meth:`with_compounds`.
    """

    name: str
    format: str
    counts: dict[str, int]
    left_out: tuple[str, ...] = ()
    compounds: Container[str] = ()

    def __str__(self) -> str:
        words = f"{self.name}: {NAMES[self.format]}, {len(self.counts):,} words"
        return f"{words}; left out: {', '.join(self.left_out)}" if self.left_out else words

    def only(self, fits: Callable[[str], bool], unfit_words: str) -> WordFile:
        """The file with those words that fit; the others are left out, so called."""
        counts = {word: count for word, count in self.counts.items() if fits(word)}
        unfit = len(self.counts) - len(counts)
        if not counts:
            raise CorpusError(f"{self.name}: holds no word but {unfit:,} {unfit_words}")
        if not unfit:
            return self
        return replace(self, counts=counts, left_out=(*self.left_out, f"{unfit:,} {unfit_words}"))

    def with_compounds(self, words: Iterable[str]) -> WordFile:
        """The file with those of some words that are compounds of its own, in small letters, too."""
        if COMPOUNDS not in self.left_out:
            return self
        forms = {form for word in words for form in (word, word.lower())}
        met = sorted(form for form in forms.difference(self.counts) if form in self.compounds)
        others = [reason for reason in self.left_out if reason != COMPOUNDS]
        left_out = (*others, f"{COMPOUNDS} but {len(met):,} that are used")
        return replace(self, counts=self.counts | dict.fromkeys(met, 1), left_out=left_out)

    def symbols(self) -> WordFile:
        """The file with those words that can be symbols."""
        return self.only(is_fit, "that are no single word")


def read_word_file(
    path: PathName, format: str | None = None, error: type[FstceError] = CorpusError
) -> WordFile:
    """The words of a file.

    Parameters
    ----------
    path : path
    format : one of FORMATS, optional
        What it is; else the file is asked.
    error : type
        What is raised where a line is none of its kind, with file and line.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "words.tsv")
    >>> _ = path.write_text("the\\t1.5e3\\ncat\\t12\\n")
    >>> read_word_file(path).counts
    {'the': 1500, 'cat': 12}
    """
    if format not in (None, *FORMATS):
        raise ParameterError(f"format={format!r}: give one of {', '.join(FORMATS)}")
    path = expanded(path)
    if format == "hunspell" or (format is None and path.suffix.lower() == ".dic"):
        words, left_out, compounds = read_hunspell(path)
        counts = dict.fromkeys(words, 1)
        return WordFile(str(path), "hunspell", counts, tuple(left_out), compounds)

    rows = [(number, "\t".join(row)) for number, row in table_rows(lines_of(path, error))]
    if not rows:
        raise error(f"{path}: holds no word; give a word a line, words with counts, or a text")
    number, first = rows[0]
    if "\r" in first or first.startswith('{"'):
        raise error(
            f"{path}:{number}: JSON, or line ends of old Macs; give lines, a word or a word and "
            "its count on each"
        )
    if _HEADER.fullmatch(first.strip()) and any(_COUNTED.fullmatch(line) for _, line in rows[1:2]):
        rows = rows[1:]
    format = format or _format_of(rows, path, error)
    return WordFile(str(path), format, _READ[format](rows, path, error))


def _format_of(rows: list[Row], path: Path, error: type[FstceError]) -> str:
    lines = [line.rstrip() for _, line in rows]
    cells = [line.split("\t") for line in lines]
    n = MOSTLY * len(rows)

    tabs = sum(len(row) > 1 for row in cells)
    if sum(len(row) in (3, 4) and _FEATURES.fullmatch(row[2]) is not None for row in cells) >= n:
        return "unimorph"
    counted = sum(_COUNTED.fullmatch(line) is not None for line in lines)
    # One row with a count makes a table one of counts, so that a faulty row is named.
    if counted >= n or (counted and tabs >= n) or tabs == counted > 0:
        return "counts"
    if tabs >= n:
        raise error(f"{path}:{rows[0][0]}: a table whose second column is no count; {ASK}")

    sizes = [len(line.split()) for line in lines]
    if sizes.count(1) >= n:
        if len(set(lines)) < len(lines) / 2:
            raise error(f"{path}: a list whose words repeat, or a text a word a line; {ASK}")
        parted = sum(map(bool, map(_PARTED.search, lines)))
        if parted > (1 - MOSTLY) * len(lines) or lines[0] == str(len(lines) - 1):
            raise error(f"{path}: a list, a table without tabs, or hunspell's .dic; {ASK}")
        return "list"
    if len(rows) > 1 and max(sizes) <= PHRASE and not any(map(_STOP.search, lines)):
        raise error(f"{path}: a list of phrases, or a text of short lines; {ASK}")
    kind, _ = recognized(iter(rows), str(path))
    if kind != "plain":
        raise error(f"{path}: no text alone, but annotated ({kind}); give its words, or {ASK}")
    return "text"


def _listed(rows: list[Row], *_: object) -> dict[str, int]:
    return dict.fromkeys((line.split("\t")[0].strip() for _, line in rows), 1)


def _counted(rows: list[Row], path: Path, error: type[FstceError]) -> dict[str, int]:
    """Words with counts, which add up; fractions are made whole numbers by the smallest."""
    counts: dict[str, float] = {}
    fractions = []
    for number, line in rows:
        match = _COUNTED.fullmatch(line.rstrip())
        text = (match["count"] or match["n"]) if match else ""
        count = _number(text)
        if match is None or count is None:
            cell = line.rstrip().split("\t")[-1] if "\t" in line.rstrip() else ""
            raise error(
                f"{path}:{number}: {cell[:40]!r} is no count; a line is a word, a tab and its count"
            )
        word = (match["word"] or match["w"]).strip()
        counts[word] = counts.get(word, 0) + count
        if not text.isdecimal():
            fractions.append(text)

    if fractions and all(map(_THOUSANDS.fullmatch, fractions)):
        raise error(
            f"{path}: counts like {fractions[0]} may be of thousands or fractions; write "
            f"{fractions[0].replace('.', '')}, or {fractions[0]}0"
        )
    smallest = min((count for count in counts.values() if count), default=1)
    scale = 1 / smallest if smallest < 1 else 1
    return {word: round(count * scale) for word, count in counts.items()}


def _number(text: str) -> float | None:
    """A count, whole where it is written so; None where it is none, or too large."""
    if not text or float(text) > MOST:
        return None
    return int(text) if text.isdecimal() else float(text)


def _inflected(rows: list[Row], path: Path, error: type[FstceError]) -> dict[str, int]:
    words: dict[str, int] = {}
    for number, line in rows:
        cells = line.split("\t")
        if len(cells) < 3:
            raise error(f"{path}:{number}: a line of UniMorph is a lemma, a form, and features")
        for cell in (cells[1].strip(), cells[0].strip()):
            if cell not in ("", "—", "-"):  # no such form
                words[cell] = 1
    return words


def _of_text(rows: list[Row], *_: object) -> dict[str, int]:
    counts = Counter[str]()
    for row in rows:
        line = row[1]
        end = 0
        for match in _WORD.finditer(line):
            word = match.group()
            counts[word] += 1
            begins = not end or not STOPS.isdisjoint(line[end : match.start()])
            if begins and capitals(word) == "first":
                counts[word.lower()] += 1
            end = match.end()
    return dict(counts)


_READ: dict[str, Callable[[list[Row], Path, type[FstceError]], dict[str, int]]] = {
    "list": _listed,
    "counts": _counted,
    "unimorph": _inflected,
    "text": _of_text,
}


def added(files: Iterable[WordFile]) -> dict[str, int]:
    """The words of several files, their counts added up."""
    counts = Counter[str]()
    for file in files:
        counts.update(file.counts)
    return dict(counts)
