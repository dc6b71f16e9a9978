r"""Tagging dictionaries as text: a word, a tab, its tags separated by spaces.

A line that begins with a hash and a space is a comment, which no word can be mistaken
for. Three comments with a tab are read: ``# tagset``, ``# open_class`` and ``# unseen``.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from fstce.corpora.documents import from_file
from fstce.corpora.tables import COMMENT, table_rows
from fstce.errors import CorpusError, DictionaryError
from fstce.storage.atomic import write_whole

_HEADERS = ("tagset", "open_class", "unseen")


def read_dictionary(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The parts of a dictionary file: ``words`` and, where the file gives them, the headers.

    ``path``: a text file in UTF-8.
    """
    lines = _lines(Path(path))
    headers = _headers(lines)
    words: dict[str, list[str]] = {}
    for number, fields in table_rows(lines):
        word, tags = _entry(fields, f"{path}:{number}")
        check_tags(f"{path}:{number}: word {word!r}", tags, headers.get("tagset", tags))
        if word in words:
            raise DictionaryError(
                f"{path}:{number}: the word {word!r} is listed a second time; join its tags"
            )
        words[word] = tags
    if not words and "tagset" not in headers:
        raise DictionaryError(f"{path}: lists no word")
    return {**headers, "words": words}


def write_dictionary(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Write the parts of a dictionary as text."""
    headers = {name: data[name] for name in _HEADERS}
    lines = [f"{COMMENT}{name}\t{_joined(value)}\n" for name, value in headers.items()]
    lines += [f"{word}\t{_joined(tags)}\n" for word, tags in data["words"].items()]
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


def _lines(path: Path) -> list[str]:
    try:
        return [line for _, line in from_file(path).lines()]
    except CorpusError as error:
        raise DictionaryError(str(error)) from None


def _headers(lines: list[str]) -> dict[str, Any]:
    found = [line.removeprefix(COMMENT).partition("\t") for line in lines if line.startswith(COMMENT)]
    values = {name: value.strip() for name, tab, value in found if tab and name in _HEADERS}
    return {name: value if name == "unseen" else value.split() for name, value in values.items()}


def _entry(fields: list[str], where: str) -> tuple[str, list[str]]:
    if len(fields) == 1:
        raise DictionaryError(f"{where}: the word {fields[0]!r} has no tags; write word, tab, tags")
    if len(fields) > 2:
        raise DictionaryError(f"{where}: {len(fields)} fields where two are due: word, tab, tags with spaces")
    word, tags = fields[0], split_tags(fields[1])
    if not word.strip() or not tags:
        raise DictionaryError(f"{where}: the field of the {'word' if tags else 'tags'} is empty")
    return word, tags


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)
