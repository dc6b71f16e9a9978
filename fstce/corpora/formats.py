"""Formats of texts: by the suffix of a file, by its first lines, and what is no corpus at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import PurePath

from fstce.corpora.lookups import is_lookup
from fstce.corpora.streams import stream_of
from fstce.corpora.tables import is_header
from fstce.errors import CorpusError

Lines = Iterator[tuple[int, str]]
SUFFIXES: dict[str, tuple[str, ...]] = {
    "penn": (
        ".mrg",
        ".prd",
        ".psd",
        ".penn",
        ".ptb",
        ".tree",
        ".trees",
        ".parse",
        ".cfg",
        ".brackets",
    ),
    "conllu": (".conllu", ".conllup", ".cupt"),
    "conllx": (".conll", ".conllx", ".dp"),
    "tagged": (".pos", ".tagged"),
    "vertical": (".vert", ".vrt", ".tt"),
    "table": (".csv",),
    "jsonl": (".jsonl", ".ndjson"),
    "apertium": (),
    "cg": (),
    "plain": (".txt",),
}
_COMPRESSION = (".gz", ".bz2", ".xz")
# What files begin with that hold no text as it is, and what to do about them.
_NO_TEXT: dict[bytes, str] = {
    b"%PDF-": "a PDF document: take its text out (pdftotext)",
    b"{\\rtf": "a document in rich text (RTF): save it as plain text in UTF-8 (.txt)",
    b"%!PS": "a document in PostScript: take its text out (ps2txt)",
    b"PK\x03\x04": "a document of an office program (.docx, .odt, .xlsx, .epub) or a zip archive: "
    "save a document as plain text in UTF-8 (.txt), a spreadsheet as .csv; name an archive .zip",
    b"\xd0\xcf\x11\xe0": "a document of an office program: save it as plain text in UTF-8 (.txt), "
    "a spreadsheet as .csv",
    b"HFST\0": "a machine of HFST: name it .hfst, as a --dictionary; as a list, print its words "
    "(hfst-fst2strings)",
    b"\xd6\xfd\xb2\x7e": "a machine of OpenFst: name it .fst",
    b"LTTB": "a machine of lttoolbox: print it (lt-expand of its source, or lt-print)",
    b"SQLite format 3": "a database: export its table as .csv",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"7z\xbc\xaf\x27\x1c": "an archive of 7-Zip: unpack it",
    b"\x28\xb5\x2f\xfd": "compressed by Zstandard: unpack it, or compress it with xz",
}
# What texts of other programs are, with what to do about them, and a line with which they begin.
_FOREIGN: dict[str, re.Pattern[str]] = {
    "no text, but a document in XML or HTML: save its text alone, as .txt": re.compile(
        r"(?i)\s*<(?:\?xml|!doctype|html|tei|svg|\w+[^>]*\sxmlns)\b"
    ),
    "subtitles: take their text out, without numbers and times": re.compile(
        r"WEBVTT\b|[\d:,.]+ --> [\d:,.]+"
    ),
    "an export file of NEGRA: convert it to brackets (.mrg) or to CoNLL-U": re.compile(
        r"#FORMAT \d|#BO[ST]\b"
    ),
    "marked lines of Toolbox or USFM: take the words of one marker out, as of \\tx: "
    "sed -n 's/^.tx //p'": re.compile(r"\\(?:_sh|ref|id|tx|lx|t)\b"),
    "a TextGrid of Praat: save the text of a tier alone, as .txt": re.compile(
        r'File type = "ooTextFile'
    ),
    "readings in lines of CG-3 (niceline): convert them (cg-conv --in-niceline)": re.compile(
        r"\S+\t\[[^\]\t]+\](?: \S+)+"
    ),
    "annotations of brat, which belong to a text: give that (.txt)": re.compile(
        r"T\d+\t\S+ \d+ \d+[\t;]"
    ),
    "a table of UniMorph (lemma, form, features): no corpus, but a dictionary (--dictionary)": (
        re.compile(r"[^\t]+\t[^\t]+\t[A-Z][A-Z0-9.]*;[A-Z0-9.;+/{},-]+(?:\t[^\t]*)?\s*$")
    ),
    "columns of CoNLL-2008 or 2009, more than ten: convert them to CoNLL-U": re.compile(
        r"1(?:\t[^\t]*){10,}$"
    ),
    "columns of CoNLL-2012: convert them to CoNLL-U, or its trees to brackets (.mrg)": re.compile(
        r"#begin document\b"
    ),
    "a source of lexc: compile it (hfst-lexc), and give the machine": re.compile(
        r"Multichar_Symbols\b|LEXICON \S+\s*$"
    ),
    "a transcript in CHAT: take the speakers' lines out (flo, of CLAN)": re.compile(
        r"@(?:UTF8|Begin|Font)\b"
    ),
}
_LOOKUP = (
    "words and their analyses, as a lookup gives them: no corpus, but a dictionary "
    "(--dictionary); of a text use lt-proc or hfst-tokenise --giella-cg"
)
_JSON = (
    'JSON, but no sentences; one a line is {"words": ["the", "dog"], "tags": ["DT", "NN"]}; text '
    "that only begins so is read by --input-format plain"
)
_NUMBERED = (
    "columns with the number of each word before it: name them in a first line (id, form, tag), or "
    "say what they are (--input-format conllx, or vertical where the numbers are words)"
)
_JSON_START = re.compile(r'\s*(?:\[\s*)*(?:\{\s*"[^"]*"\s*:|[\[{]\s*$|\[\s*")')
_COMMENT = re.compile(r"# (?:sent_id|text|newdoc|newpar|global\.columns)\b")
_BRACKETS = re.compile(r"\s*\(\s*(?:[^\s()]+\s*)?(?:\(|$)")
_COLUMNS = re.compile(r"\d+(?:[-.]\d+)?(?:\t[^\t]*){9}$")
_VERTICAL = re.compile(r"[^\t ]+\t(?:[^\W\d_][\w$|+:.-]*|[^\w\s]+)(?:\t[^\t]*)*")
WORDS = ("words", "tokens")  # the names of the list of a record's words
MARKUP = re.compile(r"<[/!?A-Za-z][^>]*>|-DOCSTART-(?:\s.*)?")
# Lines before the first word: markup, and that of streams, which may reach over several.
_NO_WORDS = re.compile(rf"{MARKUP.pattern}|={{5,}}|\[[^\]^]*\]?|\]|:(?:\\n|\s)*")
_NUMBER = re.compile(r"\d+\s*")
# Columns with blanks for tabs: of the CoNLL tasks of 2000 to 2003, and a word with its tag.
_CHUNK_COLUMNS = re.compile(r"\S+ (?:[^\sa-z]+ (?:\S+ )*O|(?:\S+ )+[BI]-\w+)\s*")
_ONE_TAG = r"(?:[A-Z][A-Z$|+:-]*|[#$.,:]|``|'')"
_WORD_AND_TAG = re.compile(rf"\S+ {_ONE_TAG}\s*")
_WORD_AND_NAME = re.compile(r"\S+ [A-Z]{2,}\$?\s*")  # "Yes ." may be all that has come yet
_TAG = re.compile(_ONE_TAG)
# A tag of any tagset, where every word has one.
_ANY_TAG = re.compile(r"[^\W\d][^/]*|[^\w\s/]+")
_LONE_MARKS = frozenset(("", *"\"'%&*+-/=@_`~«»“”„‘’…–—#"))
_ENOUGH = 5  # lines that tell columns from words
_LOOKED_AT = 1000  # lines at most, until one says something


def suffix_of(name: str) -> str:
    """The last suffix that does not say how a file is compressed, in lower case."""
    path = PurePath(name.lower())
    return path.with_suffix("").suffix if path.suffix in _COMPRESSION else path.suffix


def known_format(name: str) -> str | None:
    """The format that a file's suffix says, None if it says nothing or only that it is text."""
    suffix = suffix_of(name)
    return next(
        (f for f, suffixes in SUFFIXES.items() if suffix in suffixes and f != "plain"), None
    )


def check_is_text(start: bytes, name: str) -> None:
    """Raise CorpusError if a file's first line is that of a known form of file that is no text.

    Or of a text whose lines end as on old Macs: it would be one line.
    """
    if b"\r" in start.rstrip(b"\r\n") and not start.endswith(b"\n"):
        raise CorpusError(f"{name}: line ends of old Macs: convert them (tr '\\r' '\\n')")
    for magic, advice in _NO_TEXT.items():
        if start.startswith(magic):
            raise CorpusError(f"{name}: no text, but {advice}")


def recognized(lines: Lines, name: str) -> tuple[str, Lines]:
    """The format that the first lines of a text have, and all its lines.

    Raises CorpusError, with what to do, where it is known to be no corpus.
    """
    first_lines = _up_to_words(lines)
    if not first_lines:
        return "plain", lines
    start = first_lines[-1][1]
    stream = stream_of([start])
    if stream is not None and not start.startswith('{"'):  # its words may look like a stream
        return stream, chain(first_lines, lines)

    if _NUMBER.fullmatch(start):  # of a subtitle, before its times
        first_lines += islice(lines, 1)
    for advice, beginning in _FOREIGN.items():
        if any(beginning.match(line) for _, line in first_lines):
            raise CorpusError(f"{name}: {advice}")

    format = _format_of(start.rstrip("\r\n"), name)
    if format == "vertical" and start.startswith("1\t"):
        first_lines += islice(lines, 1)
        if first_lines[-1][1].startswith("2\t"):
            raise CorpusError(f"{name}: {_NUMBERED}")
    if format == "plain" and _WORD_AND_NAME.fullmatch(start):
        following = list(islice(lines, _ENOUGH))
        first_lines += following
        rows = [line for _, line in following if line.strip()]
        if len(rows) > 1 and all(map(_WORD_AND_TAG.fullmatch, rows)):
            format = "vertical"
    return format, chain(first_lines, lines)


def _up_to_words(lines: Lines) -> list[tuple[int, str]]:
    """The first lines, up to one that says something: no markup, no comment, no lone mark."""
    first_lines = []
    for number, line in lines:
        first_lines.append((number, line))
        comment = line.startswith("#") and not _COMMENT.match(line) and not _VERTICAL.match(line)
        is_mark = line.strip() in _LONE_MARKS  # which no analyzer knows, before a stream's tokens
        says_something = not (comment or is_mark or _NO_WORDS.fullmatch(line.strip()))
        if says_something or stream_of([line]) or len(first_lines) == _LOOKED_AT:
            break
    return first_lines


def _format_of(line: str, name: str) -> str:
    """The format of a text by its first line that says something."""
    tokens = [token for token in line.split() if token not in ("[", "]")]
    looks_numbered = len(tokens) == 10 and tokens[0] == "1" and tokens.count("_") > 1

    if _COMMENT.match(line) or _COLUMNS.match(line) or looks_numbered:
        return "conllu"  # with blanks for tabs it is refused
    if _BRACKETS.match(line) and not _has_text_behind(line):
        return "penn"
    if _JSON_START.match(line):
        return _json_format(line, name)
    if is_header(line):
        return "table"
    if is_lookup([line]):
        raise CorpusError(f"{name}: {_LOOKUP}")
    if _VERTICAL.fullmatch(line) or _CHUNK_COLUMNS.fullmatch(line):
        return "vertical"
    is_tagged = any(_all_tagged(tokens, separator) for separator in "/_|")
    return "tagged" if is_tagged else "plain"


def _json_format(line: str, name: str) -> str:
    """``jsonl`` for a sentence in JSON; raises CorpusError for other JSON."""
    with suppress(ValueError, RecursionError):
        if is_record(json.loads(line)):
            return "jsonl"
    raise CorpusError(f"{name}: {_JSON}")


def is_record(record: object) -> bool:
    """Whether an object of JSON is a sentence."""
    return isinstance(record, dict) and any(isinstance(record.get(name), list) for name in WORDS)


def _all_tagged(tokens: Sequence[str], separator: str) -> bool:
    """Whether each token is a word and what looks like a tag."""
    parts = [token.rpartition(separator) for token in tokens]
    pattern = _TAG
    if separator == "/" and len(parts) > 1 and not any("//" in token[1:] for token in tokens):
        pattern = _ANY_TAG
    return bool(parts) and all(word and pattern.fullmatch(tag) for word, _, tag in parts)


def _has_text_behind(line: str) -> bool:
    """Whether anything but a bracket follows the closing one of the first."""
    depth = 0
    for bracket in re.finditer(r"[()]", line):
        depth += {"(": 1, ")": -1}[bracket[0]]
        if depth == 0:
            return line[bracket.end() :].strip()[:1] not in ("", "(")
    return False
