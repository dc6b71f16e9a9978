"""Which format a file has, and which files of a folder or archive are read.

A file's format follows from its suffix, behind which another may tell how it is compressed;
with no known suffix from its first lines, plain text being what is left. In a folder only
known suffixes count, unless the format is given and none has its suffix; ``.txt`` only where
nothing else is found (treebanks come with a licence in it), and ``.prd`` only without ``.mrg``
(the Penn Treebank has every tree in both, without tags in ``.prd``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import PurePath

from fstce.corpora.tables import is_header
from fstce.errors import CorpusError

SUFFIXES: dict[str, tuple[str, ...]] = {
    "penn": (".mrg", ".prd", ".psd", ".penn", ".ptb", ".tree", ".trees", ".parse", ".cfg", ".brackets"),
    "conllu": (".conllu",),
    "conllx": (".conll", ".conllx", ".dp"),
    "tagged": (".pos", ".tagged"),
    "vertical": (".vert", ".vrt", ".tt"),
    "table": (".csv",),
    "plain": (".txt",),
}

COMPRESSED = (".gz", ".bz2", ".xz")
_COMMENT = re.compile(r"# (?:sent_id|text|newdoc|newpar|global\.columns)\b")
_ABOUT = re.compile(r"(?i)(licen[cs]e|readme|copying|changelog|makefile|index)\b")
_BRACKETS = re.compile(r"\s*\(\s*(?:[^\s()]+\s*)?(?:\(|$)")
_COLUMNS = re.compile(r"\d+(?:[-.]\d+)?(?:\t[^\t]*){9}$")
_VERTICAL = re.compile(r"[^\t ]+\t(?:[A-Z][\w$|+:.-]*|[$#.,:()`'\"]+)(?:\t[^\t]*)*")
MARKUP = re.compile(r"<[/!?A-Za-z][^>]*>|-DOCSTART-(?:\s.*)?")
_TAG = re.compile(r"[A-Z][A-Z$|+:-]*|[#$.,:]|``|''")


def known_format(name: str) -> str | None:
    """The format that a file's suffix says, None if it says nothing or only that it is text."""
    suffix = _suffix(name)
    return next((f for f, suffixes in SUFFIXES.items() if suffix in suffixes and f != "plain"), None)


def recognized(lines: Iterator[tuple[int, str]]) -> tuple[str, Iterator[tuple[int, str]]]:
    r"""The format that the first lines of a text have, and all its lines.

    Brackets around brackets are trees; ten columns that begin with a number, and comments such
    as ``# sent_id``, CoNLL-U; a header that names columns of words and tags, a table; a line of
    which every word has a slash (or an underscore) and a tag, tagged text; a word, a tab and a
    tag, vertical text.
    """
    read: list[tuple[int, str]] = []
    for number, line in lines:
        read.append((number, line))
        comment = line.startswith("#") and not _COMMENT.match(line) and not _VERTICAL.match(line)
        if line.strip() and not comment and not MARKUP.fullmatch(line.strip()):
            break
    last = read[-1][1] if read else ""
    if _COMMENT.match(last) or _COLUMNS.match(last):
        format = "conllu"
    elif _BRACKETS.match(last) and not _has_text_behind(last):
        format = "penn"
    elif is_header(last):
        format = "table"
    elif _VERTICAL.fullmatch(last.rstrip("\r\n")):
        format = "vertical"
    else:
        format = "tagged" if any(map(partial(_all_tagged, last.split()), "/_")) else "plain"
    return format, chain(read, lines)


def _all_tagged(tokens: Sequence[str], separator: str) -> bool:
    """Whether each token is a word and what looks like a tag."""
    parts = [token.rpartition(separator) for token in tokens]
    return bool(parts) and all(word and _TAG.fullmatch(tag) for word, _, tag in parts)


def _has_text_behind(line: str) -> bool:
    """Whether anything but a bracket follows the closing one of the first."""
    depth = 0
    for found in re.finditer(r"[()]", line):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return line[found.end() :].strip()[:1] not in ("", "(")
    return False


def _suffix(name: str) -> str:
    """The last suffix that does not say how a file is compressed, in lower case."""
    path = PurePath(name.lower())
    return path.with_suffix("").suffix if path.suffix in COMPRESSED else path.suffix


def choose_members(names: Sequence[str], format: str | None, where: str) -> tuple[list[str], str]:
    """The files to read among the members of a folder or archive, and their one format.

    ``format``: the format asked for, None to infer it. Returns the chosen names, in order.
    """
    sought = SUFFIXES[format] if format else tuple(chain.from_iterable(SUFFIXES.values()))
    known = [name for name in names if _suffix(name) in sought]
    if format and not known:
        known = [name for name in names if not _ABOUT.match(PurePath(name).name)]
        if known:
            return known, format
    found = sorted({kind for name in known if (kind := known_format(name))}) or ["plain"]
    if not known:
        raise CorpusError(f"{where}: no file to read; sought the suffixes {' '.join(sought)}")
    if len(found) > 1:
        raise CorpusError(f"{where}: files of several formats ({', '.join(found)}); choose one with format=")
    chosen = [name for name in known if (known_format(name) or "plain") == found[0]]
    if any(name.lower().endswith(".mrg") for name in chosen):
        chosen = [name for name in chosen if not name.lower().endswith(".prd")]
    return chosen, found[0]
