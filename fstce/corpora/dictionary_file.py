r"""Tagging dictionaries as text: a word, a tab, its tags separated by spaces.

A line that begins with a hash and a space is a comment, which no word can be mistaken
for. Four comments with a tab are read: ``# tagset``, ``# open_class``, ``# unseen`` and ``# order``,
behind which ``usual first`` says that every word's usual tag stands first. In a single line
``VB > NN`` says so, and ``NN:45 VB:3`` how often the word has each tag.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from fstce.corpora.documents import lines_of
from fstce.corpora.tables import COMMENT, table_rows
from fstce.errors import DictionaryError
from fstce.storage.atomic import write_whole

_HEADERS = ("tagset", "open_class", "unseen")
_READ = (*_HEADERS, "order")
_USUAL_FIRST, _BEFORE = "usual first", ">"
_COUNTED = re.compile(r"(.+):(\d+\.?\d*(?:e-?\d+)?|\.\d+)")


def read_dictionary(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The parts of a dictionary file: ``words`` and, where the file gives them, ``counts`` and the headers.

    ``path``: a text file in UTF-8.
    """
    lines = lines_of(path, DictionaryError)
    headers = _headers(lines)
    ordered = headers.pop("order", None) == _USUAL_FIRST
    words: dict[str, list[str]] = {}
    counts: dict[str, dict[str, float]] = {}
    usual: dict[str, str] = {}
    for number, fields in table_rows(lines):
        word, tags = _entry(fields, f"{path}:{number}")
        tags, counted = counts_of(tags)
        if counted:
            counts[word] = counted
        elif tags[1:2] == [_BEFORE] and len(tags) > 2:
            tags = [tag for tag in tags if tag != _BEFORE]
            usual[word] = tags[0]
        elif ordered and len(tags) > 1:
            usual[word] = tags[0]
        check_tags(f"{path}:{number}: word {word!r}", tags, headers.get("tagset", tags))
        if word in words:
            raise DictionaryError(
                f"{path}:{number}: the word {word!r} is listed a second time; join its tags"
            )
        words[word] = tags
    if not words and "tagset" not in headers:
        raise DictionaryError(f"{path}: lists no word")
    return {**headers, "words": words, "counts": counts, "usual": usual}


def counts_of(tags: list[str]) -> tuple[list[str], dict[str, float]]:
    """The tags of a word, and how often it has each where all of them say so.

    >>> counts_of(["NN:45", "VB:3"]), counts_of(["NN", ":"])
    ((['NN', 'VB'], {'NN': 45.0, 'VB': 3.0}), (['NN', ':'], {}))
    """
    matches = [match for tag in tags if (match := _COUNTED.fullmatch(tag))]
    counts: dict[str, float] = {}
    for match in matches if len(matches) == len(tags) else ():
        counts[match[1]] = counts.get(match[1], 0.0) + float(match[2])
    return (list(counts), counts) if counts else (tags, counts)


def write_dictionary(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Write the parts of a dictionary as text."""
    headers = {name: data[name] for name in _HEADERS}
    lines = [f"{COMMENT}{name}\t{_joined(value)}\n" for name, value in headers.items()]
    lines += [f"{word}\t{_joined(_known(word, data))}\n" for word in data["words"]]
    write_whole(path, "".join(lines), DictionaryError)


def check_tags(where: str, tags: Iterable[str], tagset: Collection[str]) -> None:
    """Raise DictionaryError, with the nearest tag, unless all tags are in the tagset."""
    for tag in tags:
        if tag not in tagset:
            near = difflib.get_close_matches(tag, list(tagset), n=1, cutoff=0.0)
            hint = f"; the nearest is {near[0]!r}" if near else ", which is empty"
            raise DictionaryError(f"{where}: tag {tag!r} is not in the tagset{hint}")


def split_tags(text: str) -> list[str]:
    """Tags separated by blanks or commas; a comma alone is a tag.

    >>> split_tags("NN,VB JJ"), split_tags(", NN")
    (['NN', 'VB', 'JJ'], [',', 'NN'])
    """
    parts = text.split()
    return [tag for part in parts for tag in ([part] if not part.strip(",") else part.split(",")) if tag]


def _headers(lines: list[str]) -> dict[str, Any]:
    found = [line.removeprefix(COMMENT).partition("\t") for line in lines if line.startswith(COMMENT)]
    values = {name: value.strip() for name, tab, value in found if tab and name in _READ}
    return {name: value if name in ("unseen", "order") else value.split() for name, value in values.items()}


def _entry(fields: list[str], where: str) -> tuple[str, list[str]]:
    if len(fields) == 1:
        raise DictionaryError(f"{where}: the word {fields[0]!r} has no tags; write word, tab, tags")
    if len(fields) > 2:
        raise DictionaryError(f"{where}: {len(fields)} fields where two are due: word, tab, tags with spaces")
    word, tags = fields[0], split_tags(fields[1])
    if not word.strip() or not tags:
        raise DictionaryError(f"{where}: the field of the {'word' if tags else 'tags'} is empty")
    return word, tags


def _known(word: str, data: Mapping[str, Any]) -> list[str]:
    """A word's tags with what is known of how often it has them."""
    tags, counts = data["words"][word], data.get("counts", {}).get(word)
    usual = data.get("usual", {}).get(word)
    if counts is not None:
        return [f"{tag}:{counts[tag]!r}".removesuffix(".0") for tag in tags]
    return tags if usual is None else [usual, _BEFORE, *(tag for tag in tags if tag != usual)]


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)
