r"""Tagging dictionaries as text: a word, a tab, its tags separated by spaces.

A line that begins with a hash and a space is a comment, which no word can be mistaken
for. Four comments with a tab are read: ``# tagset``, ``# open_class``, ``# unseen`` and ``# order``,
behind which ``usual first`` says that the tags of each word stand in this order. Where it is known
how often a word has each tag, its tags are written ``NN:45 VB:3``.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from fstce.corpora.documents import lines_of
from fstce.corpora.tables import COMMENT, table_rows
from fstce.errors import DictionaryError
from fstce.storage.atomic import write_whole

_HEADERS = ("tagset", "open_class", "unseen")
_READ = (*_HEADERS, "order")
_USUAL_FIRST = "usual first"
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
    for number, fields in table_rows(lines):
        word, tags = _entry(fields, f"{path}:{number}")
        counted = counts_of(tags) or (shares_by_order(tags) if ordered and len(tags) > 1 else {})
        if counted:
            counts[word], tags = counted, list(counted)
        check_tags(f"{path}:{number}: word {word!r}", tags, headers.get("tagset", tags))
        if word in words:
            raise DictionaryError(
                f"{path}:{number}: the word {word!r} is listed a second time; join its tags"
            )
        words[word] = tags
    if not words and "tagset" not in headers:
        raise DictionaryError(f"{path}: lists no word")
    return {**headers, "words": words, "counts": counts}


def counts_of(tags: Sequence[str]) -> dict[str, float]:
    """How often a word has each tag, where all of them say so; else nothing.

    >>> counts_of(["NN:45", "VB:3"]), counts_of(["NN", ":"])
    ({'NN': 45.0, 'VB': 3.0}, {})
    """
    matches = [match for tag in tags if (match := _COUNTED.fullmatch(tag))]
    counts: dict[str, float] = {}
    for match in matches if len(matches) == len(tags) else ():
        counts[match[1]] = counts.get(match[1], 0.0) + float(match[2])
    return counts


def shares_by_order(tags: Sequence[str]) -> dict[str, float]:
    """The share of each of a word's tags, of which no more is known than that the usual one stands first.

    Half-way from equal shares, the least that an order says, to their mean where all shares in that order
    are equally likely (the broken stick; MacArthur 1957): s_i = 1/2k + 1/2k Σ_(j ≥ i) 1/j of k tags.

    >>> shares_by_order(["NN", "VB"])
    {'NN': 0.625, 'VB': 0.375}
    """
    tags, k = list(dict.fromkeys(tags)), len(set(tags))
    return {tag: (1 + sum(1 / j for j in range(i, k + 1))) / (2 * k) for i, tag in enumerate(tags, 1)}


def write_dictionary(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Write the parts of a dictionary as text."""
    headers = {name: data[name] for name in _HEADERS}
    lines = [f"{COMMENT}{name}\t{_joined(value)}\n" for name, value in headers.items()]
    counts = data.get("counts", {})
    lines += [
        f"{word}\t{_joined(_with_counts(tags, counts.get(word)))}\n" for word, tags in data["words"].items()
    ]
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


def _with_counts(tags: list[str], counts: Mapping[str, float] | None) -> list[str]:
    return tags if counts is None else [f"{tag}:{counts[tag]!r}".removesuffix(".0") for tag in tags]


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)
