"""Formats of texts: by the suffix of a file, or by its first lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, takewhile
from pathlib import PurePath

from fstce.corpora.foreign import known_text, not_running
from fstce.corpora.lookups import is_lookup
from fstce.corpora.streams import stream_of
from fstce.corpora.tables import is_header
from fstce.errors import CorpusError

Lines = Iterator[tuple[int, str]]
_SUFFIXES = {
    "penn": ".mrg .prd .psd .penn .ptb .tree .trees .parse .cfg .brackets",
    "conllu": ".conllu .conllup .cupt",
    "conllx": ".conll .conllx .dp",
    "tagged": ".pos .tagged",
    "vertical": ".vert .vrt .tt",
    "table": ".csv",
    "jsonl": ".jsonl .ndjson",
    "apertium": "",
    "cg": "",
    "plain": ".txt",
}
SUFFIXES = {format: tuple(suffixes.split()) for format, suffixes in _SUFFIXES.items()}
_COMPRESSION = (".gz", ".bz2", ".xz")
_LOOKUP = (
    "words and their analyses, as a lookup gives them: no corpus, but a dictionary "
    "(--dictionary); of a text use lt-proc or hfst-tokenise --giella-cg"
)
_JSON = (
    'JSON, but no sentences; one a line is {"words": ["the", "dog"], "tags": ["DT", "NN"]}; text '
    "that only begins so is read by --input-format plain"
)
_JSON_START = re.compile(r'\s*(?:\[\s*)*(?:\{\s*"[^"]*"\s*:|[\[{]\s*$|\[\s*")')
_COMMENT = re.compile(r"# (?:sent_id|text|newdoc|newpar|global\.columns)\b")
_BRACKETS = re.compile(r"\s*\(\s*(?:[^\s()]+\s*)?(?:\(|$)")
# Ten columns, the first a number; perhaps with blanks for tabs, to be refused.
_COLUMNS = re.compile(r"\d+(?:[-.]\d+)?(?:\t[^\t]*){9}$|(?=.*\s_\s.*_)\s*1\s+(?:\S+\s+){8}\S+\s*$")
_WITH_WORDS = re.compile(rf'{_COLUMNS.pattern}|\{{"|\s*\([\s(]*[^\s()^]+ \(')
_VERTICAL = re.compile(r"[^\t ]+\t(?:[^\W\d_][\w$|+:.-]*|[^\w\s]+)(?:\t[^\t]*)*")
WORDS = ("words", "tokens")  # the names of the list of a record's words
MARKUP = re.compile(r"(?:<[/!?A-Za-z][^>]*>\s*)+|-DOCSTART-(?:\s.*)?")
# Lines before the first word: markup, and that of streams, which may reach over several; a lone
# mark, which no analyzer knows.
_NO_WORDS = re.compile(
    rf"[\"'%&*+\-/=@_`~«»“”„‘’…–—#]?|{MARKUP.pattern}|={{5,}}|\[[^\]^]*\]?|\]|:.*"
)
_NUMBER = re.compile(r"\d+\s*")
# Columns with blanks for tabs: of the CoNLL tasks of 2000 to 2003, and a word with its tag.
_CHUNK_COLUMNS = re.compile(r"\S+ (?:[^\sa-z]+ (?:\S+ )*O|(?:\S+ )+[BI]-\w+)\s*")
_ONE_TAG = r"(?:[A-Z][A-Z\d$|+:-]*|[#$.,:]|``|'')"
_WORD_AND_TAG = re.compile(rf"\S+ {_ONE_TAG}\s*")
# "Yes ." may be all that has come yet.
_WORD_AND_NAME = re.compile(r"\S+ (?:[A-Z]{2,}\$?|[BIES]-\w+|O)\s*")
_TAG = re.compile(_ONE_TAG)
# A tag of any tagset, where every word has one.
_ANY_TAG = re.compile(r"[^\W\d][^/]*|[^\w\s/]+")
_ENOUGH = 5  # lines that tell columns from words
_LOOKED_AT = 1000  # lines at most, until one says something
_LOOKED_INTO = 40  # lines that tell running text from other text


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


def recognized(lines: Lines, name: str) -> tuple[str, Lines]:
    """The format that the first lines of a text have, and all its lines.

    Raises CorpusError, with what to do, where it is known to be no corpus.
    """
    first_lines = _up_to_words(lines)
    if not first_lines:
        return "plain", lines
    start = first_lines[-1][1]
    stream = stream_of([start])
    if stream is not None and not _WITH_WORDS.match(start):  # which may look like a stream
        return stream, chain(first_lines, lines)

    if _NUMBER.fullmatch(start):  # of a subtitle, before its times
        first_lines += islice(lines, 1)
    if advice := known_text([line for _, line in first_lines]):
        raise CorpusError(f"{name}: {advice}")

    format = _format_of(start.rstrip("\r\n"), name)
    if format == "plain" and _WORD_AND_NAME.fullmatch(start):
        following = list(islice(lines, _ENOUGH))
        first_lines += following
        rows = [line for _, line in following if line.strip()]
        if len(rows) > 1 and all(map(_WORD_AND_TAG.fullmatch, rows)):
            format = "vertical"
    return format, chain(first_lines, lines)


def running(lines: Lines, name: str, ready: Callable[[], int]) -> Lines:
    """The lines of running text, of which the first few have been looked at.

    ``ready``: how many are there. Raises CorpusError, with what to do, where they are something
    else, or such lines follow the first.
    """
    first_lines = list(islice(lines, min(ready(), _LOOKED_INTO)))
    rows = [(number, line.strip()) for number, line in first_lines if line.strip()]
    if advice := not_running([row for _, row in rows]):
        raise CorpusError(f"{name}: {advice}; as it is, it is read by --input-format plain")

    following = rows[1 : _ENOUGH + 1]
    formats = takewhile("plain".__ne__, (_format_of(row, name) for _, row in following))
    if following and len(seen := list(formats)) == len(following):
        raise CorpusError(
            f"{name}:{following[0][0]}: other text before lines of --input-format {seen[0]}; take "
            "it away, or read all by --input-format plain"
        )
    return chain(first_lines, lines)


def _up_to_words(lines: Lines) -> list[tuple[int, str]]:
    """The first lines, up to one that says something: no markup, no comment, no lone mark."""
    first_lines = []
    for number, line in lines:
        first_lines.append((number, line))
        comment = line.startswith("#") and not _COMMENT.match(line) and not _VERTICAL.match(line)
        says_something = not (comment or _NO_WORDS.fullmatch(line.strip()))
        if says_something or stream_of([line]) or len(first_lines) == _LOOKED_AT:
            break
    return first_lines


def _format_of(line: str, name: str) -> str:
    """The format of a text by its first line that says something."""
    tokens = [token for token in line.split() if token not in ("[", "]")]
    if _COMMENT.match(line) or _COLUMNS.match(line):
        return "conllu"
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
    if any(_all_tagged(tokens, separator) for separator in "/_|"):
        return "tagged"
    return "plain"


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
