r"""Tagging dictionaries that people have: tables, JSON, UniMorph, Wiktionary, lookups.

====================  ==================================================================
``.tsv``              word, tab, tags separated by spaces: what is also written; or word, tag,
                      count, a tag a row
with a header         ``word`` or ``form``, and ``tag``, ``tags``, ``pos`` or ``upos``, perhaps
                      ``count``; commas or tabs
``.csv``              word, tags; a word may have several rows
a lookup              what ``hfst-lookup``, ``flookup -x`` or ``lt-expand`` print: the first symbol
                      like a tag
``.json`` ``.jsonl``  objects with ``word`` and ``pos``, one a line (wiktextract) or in a list
UniMorph              lemma, form, ``V;PST;…``: what stands before the first ``;`` is the tag
Wiktionary's table    language, word, part of speech, definition
====================  ==================================================================

Of Wiktionary's forms the names of tables and templates are left out, and pieces of words.

How often a word has each tag is known of ``.tsv`` and of a column ``count``.
UniMorph and Wiktionary do not say it: their rows stand in the order of paradigms and etymologies.

``NOUN|VERB``, or with a slash or a semicolon, is two tags where all that a mark parts in a column
are tags that stand there alone, or of Universal Dependencies or the Penn Treebank; else it is one.

In ``.tsv`` a line that begins with a hash and a space is a comment, which no word can be mistaken
for, and a remark may stand behind the tags. Four comments with a tab are read: ``# tagset``,
``# open_class``, ``# unseen`` and ``# tag_column``. ``VB > NN`` says that VB is a word's usual
tag, ``NN:45 VB:3`` how often it has each.
"""

from __future__ import annotations

import difflib
import json
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import Any

from fstce.corpora.conll import UPOS
from fstce.corpora.documents import is_file, lines_of
from fstce.corpora.lookups import is_lookup, looked_up
from fstce.corpora.streams import stream_of
from fstce.corpora.tables import (
    COMMENT,
    TAG,
    WORD,
    cell,
    column,
    csv_text,
    table_of,
    table_rows,
    tag_names,
    tagset_of,
    unquoted_row,
)
from fstce.corpora.tagged_text import place_of_lemmas
from fstce.corpora.tagset import coarse_map
from fstce.errors import CorpusError, DictionaryError
from fstce.numeric.types import PathName
from fstce.storage.atomic import write_whole

SUFFIXES = frozenset({".tsv", ".csv", ".json", ".jsonl", ".unimorph", ".um"})
_COUNT = ("count", "counts", "frequency", "freq", "tokens", "n")
# Of wiktextract: rows of a table that are no forms, and entries of pieces of words.
_NO_FORM = frozenset(
    {"table-tags", "inflection-template", "class", "romanization", "transliteration"}
)
_PIECES = frozenset(
    {"affix", "prefix", "suffix", "infix", "interfix", "circumfix", "combining_form", "root"}
)
Pair = tuple[str, list[str]]
_HEADERS = ("tagset", "open_class", "unseen", "tag_column")
# Rows without a header, and where their words, tags and counts stand.
_UNIMORPH = re.compile(
    r"(?=(?s:.)*\t[^\t\n]*;)(?:(?:[^\t\n]*\t){2}[^\t\n]*(?:\t[^\t\n]*)?(?:\n|$))+"
)
_WORD_TAG_COUNT = re.compile(r"(?:[^\t\n]+\t[^\t\n]+\t[1-9]\d*\s*(?:\n|$))+")
_WIKTIONARY = re.compile(r"([^\t\n]*)(?:\t[^\t\n]*){3}(?:\n\1(?:\t[^\t\n]*){3})*")
_PLACES = {_UNIMORPH: (1, 2, None), _WORD_TAG_COUNT: (0, 1, 2), _WIKTIONARY: (1, 2, None)}
_WORD_AND_TAGS = re.compile(r"[^\t ]+\t[^\t]*[^\t ](\t\d+)?")
_REMARK = re.compile(r"(?<=\S)\s+#\s.*")
_LONE_MARK = re.compile(r"(?<=\w)[|/;](?!\S)|(?<=\s)[|/;](?=\s)")  # between tags and blanks
_HALF_IN_MARKS = re.compile(
    r"(?=.*\w)(?:[^\]]*\[[^\]]*|[^\[]*\][^\[]*|[^}]*\{[^}]*|[^{]*\}[^{]*|\"[^\"]*|[^\"]*\")"
)
# Tags with letters or digits, with commas between or around them.
_LIST = re.compile(r",*[^,]*[^\W_,][^,]*(?:,+[^,]*[^\W_,][^,]*)*,*")
BETWEEN_TAGS = re.compile("[|/;]")
_COUNTED = re.compile(r"(.+)[:(](\d+\.?\d*(?:e[-+]?\d+)?|\.\d+)\)?")
_NUMBER = re.compile(r"\(?\d[\d.,]*%?\)?|.*:\d+[|/;].*")
_ENTRY = re.compile(r"\s*\[?\s*\{.*\"(word|form)\"\s*:", re.DOTALL)
_MANY = 30  # words, with almost as many tags
_ENOUGH = 1000  # words that tell whether lemmas are among the tags


def is_dictionary(path: str) -> bool:
    """Whether a file looks like a dictionary rather than like a corpus."""
    lines: list[str] = []
    with suppress(DictionaryError):
        lines = lines_of(path, DictionaryError, {}) if is_file(path) else []
    first_lines = _first_lines(lines)
    start = "".join(first_lines[:1])
    if stream_of([start]) or '"words": [' in start:
        return False
    if not SUFFIXES.isdisjoint(PurePath(path.lower()).suffixes[-2:]):
        return True
    text = "\n".join(first_lines)
    is_table = any(form.fullmatch(text) for form in (_UNIMORPH, _WIKTIONARY))
    return is_table or is_lookup(first_lines) or _is_listing(lines)


def _is_listing(lines: Sequence[str]) -> bool:
    """Whether lines list words as no text does.

    Objects with a word; or rows that are there once, none of them blank: words and their tags, with
    or without a header.
    """
    if _ENTRY.match("".join(lines[:5])):
        return True
    rows = [row for row in "\n".join(lines).strip().split("\n") if not row.startswith(COMMENT)]
    if not rows or "" in rows or len(set(rows)) < len(rows):
        return False
    header = re.split("[\t,]", rows[0])
    if None not in (column(header, WORD), column(header, TAG)):
        return len(header) == 2 or column(header, _COUNT) is not None
    return all(map(_WORD_AND_TAGS.fullmatch, rows))


def _first_lines(lines: Iterable[str]) -> list[str]:
    """The first lines but blank ones."""
    return list(islice(filter(str.strip, lines), 20))


def read_dictionary(path: Path, tag_column: str | None) -> dict[str, Any]:
    """The parts of a dictionary file, whose first lines show its form: ``words``, and others.

    ``tag_column``: that of the tags, in a table that has several.
    """
    lines = lines_of(path, DictionaryError)
    first_lines = _first_lines(lines)
    named_json = not {".json", ".jsonl"}.isdisjoint(PurePath(path.name.lower()).suffixes)
    start = "".join(first_lines[:5]).lstrip()
    if start[:1] in "{[" and (named_json or _ENTRY.match(start)):
        return _from_json(lines, path)
    try:
        pairs, heading = _pairs(lines, first_lines, path, tag_names(tag_column))
        data = _from_tsv(lines, path) if pairs is None else _joined(pairs, path)
    except CorpusError as error:
        raise DictionaryError(str(error)) from None
    if "tagset" not in data:
        _check_are_tags(data["words"], path)
    return {"tag_column": heading, **data}


def _check_are_tags(words: Mapping[str, list[str]], path: Path) -> None:
    """Raise DictionaryError where what stands in the place of tags is something else."""
    word_of_tag = {tag: word for word, tags in words.items() for tag in tags}
    for tag, word in word_of_tag.items():
        if _NUMBER.fullmatch(tag):
            raise DictionaryError(
                f"{path}: the word {word!r} has the number {tag} for a tag; counts stand behind "
                "tags (NN:45 VB:3) or in a column that is called count"
            )

    (first, tags), *others = words.items()
    fault = ""
    if len(words) > 2 and all(map(_NUMBER.fullmatch, words)):
        fault = "numbers for words"
    elif place_of_lemmas([(word, *tags) for word, tags in islice(words.items(), _ENOUGH)]):
        fault = "lemmas among the tags"
    elif any(map(_HALF_IN_MARKS.fullmatch, word_of_tag)):
        fault = "brackets or quotation marks around tags"
    elif others and first.lower() in WORD and all(map({*tags}.isdisjoint, dict(others).values())):
        fault = "a header that names no column of tags"
    if fault:
        raise DictionaryError(
            f"{path}: {fault}; write word, tab, tags, or name the columns first (word, tag, count)"
        )

    alone = {tags[0] for tags in words.values() if len(tags) == 1}
    if len(words) > _MANY and 2 * len(alone) < len(word_of_tag):
        warnings.warn(
            f"{path}: most tags stand only with others; if what blanks or commas part is one tag "
            "(N sg), join it (N.sg)",
            stacklevel=2,
        )
    if len(words) > _MANY and len(word_of_tag) > 0.9 * len(words):
        raise DictionaryError(
            f"{path}: {len(word_of_tag):,} tags of {len(words):,} words; the column holds no tags "
            "but lemmas, translations or definitions: name that of the tags (word, tag)"
        )


def _pairs(
    lines: Sequence[str], first_lines: list[str], path: Path, tag_names: Sequence[str]
) -> tuple[Iterable[Pair] | None, str]:
    """The words and tags of rows, None of a table of word, tab, tags; which of two tagsets."""
    if is_lookup(first_lines):
        return looked_up(lines, str(path)), ""

    mark, header, rows = table_of(enumerate(lines, 1), str(path))
    word, tag, count = (column(header, names) for names in (WORD, tag_names, _COUNT))
    tagset = ""
    if word is not None and tag is not None:
        next(rows)
        tagset = tagset_of(header, tag)
    elif form := next((form for form in _PLACES if form.fullmatch("\n".join(first_lines))), None):
        word, tag, count = _PLACES[form]
        if form is _UNIMORPH:
            rows = (
                (number, row[:2] + [features.split(";")[0] for features in row[2:]])
                for number, row in rows
                if cell(row, 1).strip("-‐–—")  # dashes stand for a form that there is not
            )
    elif mark != "\t" and len(header) > 1:
        word, tag, count = 0, 1, None
    else:
        return None, ""
    return _columns(rows, word, tag, path, count), tagset


def _columns(
    rows: Iterable[tuple[int, list[str]]], word: int, tag: int, path: Path, count: int | None
) -> Iterator[Pair]:
    """The words and tags of two columns of a table, with counts of a third if there is one."""
    for number, row in rows:
        if not any(map(str.strip, row)):
            continue
        if len(row) <= max(word, tag, count or 0):
            raise DictionaryError(
                f"{path}:{number}: {len(row)} columns, but the tags are in {tag + 1}"
            )

        tags = split_tags(row[tag])
        if count is not None:
            tags = [f"{name}:{row[count].strip()}" for name in tags]
            if not counts_of(tags)[1]:
                raise DictionaryError(
                    f"{path}:{number}: {row[count]!r} is no count of {row[tag]!r}"
                )
        yield row[word].strip(), tags


def _from_json(lines: list[str], path: Path) -> dict[str, Any]:
    try:
        data = json.loads("\n".join(lines))
    except (ValueError, RecursionError):
        data = []
        for number, line in enumerate(lines, 1):
            try:
                if line.strip():
                    data.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                where = f"{path}:{number}" if data else str(path)
                raise DictionaryError(f"{where}: is no JSON ({error})") from None

    rows = data if isinstance(data, list) else [data]
    numbered = enumerate(rows, 1)
    return _joined(
        (pair for n, row in numbered for pair in _entry(row, f"{path}: entry {n}")), path
    )


def _entry(row: Any, where: str) -> Iterator[Pair]:
    """A word and its part of speech, and its other forms; nothing of a redirect."""
    # wiktextract has the part of speech in "pos", and in "tags" something else
    names = row if isinstance(row, Mapping) else {}
    if "redirect" in names:
        return
    word = next((key for key in WORD if key in names), None)
    tag = next((key for key in ("pos", *TAG) if key in names), None)
    if tag is None or not isinstance(names.get(word), str):
        raise DictionaryError(f"{where}: {str(row)[:60]!r} is no object with word and pos")

    tags = row[tag] if isinstance(row[tag], list) else split_tags(str(row[tag] or ""))
    if not all(isinstance(name, str) for name in tags):
        raise DictionaryError(f"{where}: {str(tags)[:40]!r} are no tags of {row[word]!r}")
    if _PIECES.isdisjoint(tags):
        yield from _whole(row[word], tags)
        for form in row.get("forms") or ():
            if isinstance(form, Mapping) and _NO_FORM.isdisjoint(form.get("tags", ())):
                text = str(form.get("form", ""))
                if text.strip("-‐–—"):  # dashes stand for a form that there is not
                    yield from _whole(text, tags)


def _whole(word: str, tags: list[str]) -> Iterator[Pair]:
    """The word with its tags, unless a hyphen says that it is a piece of one."""
    if word.strip("-‐") == word or not word.strip("-‐–—"):
        yield word, tags


def _joined(pairs: Iterable[Pair], path: Path) -> dict[str, Any]:
    """The tags of all rows of a word; words of several parts are left out, as no token is one."""
    words: dict[str, list[str]] = {}
    for word, tags in pairs:
        if word and tags and not re.search(r"\s", word):
            words.setdefault(word, []).extend(tags)
    if not words:
        raise DictionaryError(f"{path}: lists no word")

    counts: dict[str, dict[str, float]] = {}
    for word, tags in words.items():
        words[word], by_tag = counts_of(tags)
        if by_tag:
            counts[word] = by_tag
    return {"words": _with_lists_split(words, counts, path), "counts": counts}


def _from_tsv(lines: list[str], path: Path) -> dict[str, Any]:
    """The parts that :func:`write_dictionary` has written, or any table of word, tab, tags."""
    headers = _headers(lines)
    is_ours = "tagset" in headers
    tagset = set(headers.get("tagset", ()))
    mark = _mark_of_usual(tagset)
    words: dict[str, list[str]] = {}
    counts: dict[str, dict[str, float]] = {}
    usual: dict[str, str] = {}
    repeated = ""

    for number, fields in table_rows(lines):
        where = f"{path}:{number}"
        word, tags = _fields(fields, where, is_ours)
        if re.search(r"\s", word) and not is_ours:
            continue  # of several parts, as no token is

        by_tag: dict[str, float] = {}
        if not tagset.issuperset(tags):
            tags, by_tag = counts_of(tags)
        if by_tag:
            counts[word] = by_tag
        elif tags[1:2] == [mark] and len(tags) > 2:
            tags = [tag for tag in tags if tag != mark]
            usual[word] = tags[0]
        if is_ours:
            check_tags(f"{where}: word {word!r}", tags, headers["tagset"])

        if word in words:
            repeated = repeated or (
                f"{where}: the word {word!r} is listed a second time; join its tags, or, if the "
                "columns look swapped, write first the word, then its tags"
            )
            if is_ours or by_tag:
                raise DictionaryError(repeated)
        words[word] = list(dict.fromkeys((*words.get(word, ()), *tags)))

    # a row for each tag of a word, unless the first column looks like tags
    if repeated and len(words) <= len(set(chain.from_iterable(words.values()))):
        raise DictionaryError(repeated)
    if not words and not is_ours:
        raise DictionaryError(f"{path}: lists no word")
    if not is_ours:
        words = _with_lists_split(words, counts, path)
    return {**headers, "words": words, "counts": counts, "usual": usual}


def _with_lists_split(
    words: dict[str, list[str]], counts: Mapping[str, object], path: Path
) -> dict[str, list[str]]:
    """Words with ``NOUN|VERB`` as two tags, if the whole column shows that it is; else a warning."""
    tagset = {tag for tags in words.values() for tag in tags if "=" not in tag}  # no features
    known = {tag for tag in tagset if not BETWEEN_TAGS.search(tag)} | UPOS | coarse_map().keys()
    for mark in "|/;":
        parts = {tag: tag.split(mark) for tag in tagset if mark in tag.strip(mark)}
        if not parts:
            continue
        if counts or not known.issuperset(chain.from_iterable(parts.values())):
            warnings.warn(
                f"{path}: tags like {min(parts)} are read as one each; put blanks between tags of "
                "which a word may have any",
                stacklevel=2,
            )
            continue
        for word, tags in words.items():
            lists = (parts.get(tag, [tag]) for tag in tags)
            words[word] = list(dict.fromkeys(chain.from_iterable(lists)))
    return words


def _headers(lines: Iterable[str]) -> dict[str, Any]:
    """The values of the comments that are read."""
    headers: dict[str, Any] = {}
    for line in lines:
        name, tab, value = line.removeprefix(COMMENT).partition("\t")
        if line.startswith(COMMENT) and tab and name in _HEADERS:
            headers[name] = value.split() if name in _HEADERS[:2] else value.strip()
    return headers


def counts_of(tags: list[str]) -> tuple[list[str], dict[str, float]]:
    """The tags of a word, and how often it has each where all of them say so."""
    counts: dict[str, float] = {}
    for tag in tags:
        match = _COUNTED.fullmatch(tag)
        if match is None:
            return tags, {}
        counts[match[1]] = counts.get(match[1], 0.0) + float(match[2])
    return list(counts), counts


def write_dictionary(path: PathName, data: Mapping[str, Any]) -> None:
    """Write the parts of a dictionary as text; into a ``.csv`` its words and their tags alone."""
    if Path(path).suffix.lower() == ".csv":
        for tag in data["tagset"]:
            parts = split_tags(BETWEEN_TAGS.sub(" ", tag)) or [tag]
            if counts_of(parts) != ([tag], {}):
                raise DictionaryError(
                    f"{path}: a .csv cannot have the tag {tag!r}, which would be read as something "
                    "else: write a .tsv"
                )
        rows = [(word, " ".join(tags)) for word, tags in data["words"].items()]
        write_whole(path, csv_text([("word", "tags"), *rows]), DictionaryError)
        return

    lines = [f"{COMMENT}{name}\t{' '.join(data[name])}\n" for name in _HEADERS[:2]]
    lines += [f"{COMMENT}{name}\t{data[name]}\n" for name in _HEADERS[2:] if name in data]
    lines += [f"{word}\t{' '.join(_counted_tags(word, data))}\n" for word in data["words"]]
    write_whole(path, "".join(lines), DictionaryError)


def nearest(tag: str, tagset: Collection[str]) -> str:
    """The tag of a tagset that is most like another one, whatever their capitals.

    >>> nearest("noun", ["NOUN", "VERB", "no"])
    'NOUN'
    """
    tag_of_letters = {known.casefold(): known for known in sorted(tagset)}
    (letters,) = difflib.get_close_matches(tag.casefold(), tag_of_letters, n=1, cutoff=0.0)
    return tag_of_letters[letters]


def check_tags(where: str, tags: Iterable[str], tagset: Collection[str]) -> None:
    """Raise DictionaryError, with the nearest tag, unless all tags are in the tagset."""
    for tag in tags:
        if tag not in tagset:
            hint = f"; the nearest is {nearest(tag, tagset)!r}" if tagset else ", which is empty"
            raise DictionaryError(f"{where}: tag {tag!r} is not in the tagset{hint}")


def split_tags(text: str) -> list[str]:
    """Tags separated by blanks or commas; a comma with marks alone belongs to its tag.

    >>> split_tags("NN,VB JJ"), split_tags(", NN"), split_tags("$, J,--")
    (['NN', 'VB', 'JJ'], [',', 'NN'], ['$,', 'J,--'])
    """
    if "," not in text and not BETWEEN_TAGS.search(text):
        return text.split()
    tags: list[str] = []
    for part in _LONE_MARK.sub(" ", text).split():
        if _LIST.fullmatch(part):
            tags += filter(None, part.split(","))
        else:
            tags.append(part)
    return tags


def _fields(fields: list[str], where: str, is_ours: bool) -> tuple[str, list[str]]:
    """A word and its tags, separated by blanks, in others' files also by commas."""
    if not is_ours:
        fields = unquoted_row(fields)
    if len(fields) == 1:
        raise DictionaryError(f"{where}: the word {fields[0]!r} has no tags; write word, tab, tags")
    if len(fields) > 2:
        raise DictionaryError(
            f"{where}: {len(fields)} fields where two are due: word, tab, tags with spaces; a "
            "table of other columns names them in its first line (word, lemma, tag)"
        )

    word = fields[0]
    if is_ours:
        tags = fields[1].split()
    else:
        word = word.strip()
        tags = split_tags(_REMARK.sub("", fields[1]))
    if not word.strip() or not tags:
        raise DictionaryError(f"{where}: the field of the {'word' if tags else 'tags'} is empty")
    return word, tags


def _counted_tags(word: str, data: Mapping[str, Any]) -> list[str]:
    """A word's tags with what is known of how often it has them."""
    tags = data["words"][word]
    counts = data.get("counts", {}).get(word)
    zeros = ""
    while counts is not None:
        counted = [f"{tag}:{zeros}{counts[tag]!r}".removesuffix(".0") for tag in tags]
        if not set(counted).issubset(data["tagset"]):  # else they read as tags
            return counted
        zeros += "0"

    usual = data.get("usual", {}).get(word)
    if usual is None:
        return list(tags)
    return [usual, _mark_of_usual(data["tagset"]), *(tag for tag in tags if tag != usual)]


def _mark_of_usual(tagset: Collection[str]) -> str:
    """What stands behind a word's usual tag: ``>``, or as many of them as are no tag."""
    mark = ">"
    while mark in tagset:
        mark += ">"
    return mark
