r"""Tagged text, in and out: ``word/TAG`` tokens, a word and its tag a line, JSON lines.

In ``word/TAG`` the last slash separates, so ``1/2/CD`` is the word ``1/2``; a slash behind a
backslash separates nothing. The Penn convention's ``\/`` inside a word is kept as it is; a
word that ends in backslashes has each of them twice, a slash in a tag has a backslash before it.
Where each token has an underscore or a bar, and not each a slash, these separate.

The tagged files of the Penn Treebank bracket chunks (``[ the/DT dog/NN ]``), which are skipped;
in such a file a sentence goes over lines, to an empty one or a rule of equals signs
(:func:`chunked_blocks`).

In *vertical* text an empty line, ``</s>`` or a token tagged ``SENT`` ends a sentence, other lines
of markup are skipped, and what stands behind the tag is not looked at. A *line of JSON* is an
object with ``words``, perhaps with ``tags``, ``heads`` and ``deprels``, as ``fstce tagger tag
--output-format jsonl`` writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from fstce.corpora.conll import blocks
from fstce.corpora.formats import MARKUP, WORDS, Lines, is_record
from fstce.corpora.sentence import Sentence, sentence_of_rows
from fstce.corpora.tables import TAG, TAGSETS, unquoted_row
from fstce.corpora.words import clean_word
from fstce.errors import CorpusError
from fstce.numeric.types import Rows

PEEK = 100  # lines that are looked at for chunks, at most
# Brackets that are no tokens and no tags, perhaps without a blank to their words.
_CHUNK_MARK = re.compile(r"(?<!\S)\[(?!/)|(?<![\s/])\](?!\S)|(?<!\S)\](?!/)")
_CHUNK = re.compile(r"(?<!\S)\[ |(?<!\S)\[(?:[^\s/]+/[^\s/\]]+ )*[^\s/]+/[^\s/\]]+\](?!\S)")
_RULE = re.compile(r"={5,}")
_NO_TOKENS = re.compile(r"\s*(?:={5,}|\*x\*.*)\s*")  # a rule, a line of Brown's about its text
_SEPARATOR = re.compile(r"(?<!\\)((?:\\\\)*)/")
_STOP = re.compile(r"/\.[\s\]]*$")
_ONE_TAG = re.compile(r"[A-Z][A-Z\d$|:.+-]*|[^\w\s]+|\d+")
_NAME_COLUMNS = "name the columns in a first line (word, lemma, tag), in a .tsv"
_CLOSING = ("''/''", "-RRB-/")
_SENTENCE_END = re.compile(r"(?:[^\t]+\tSENT(?:\t.*)?|</s>|)")  # SENT: TreeTagger's last tag
# Of each list of a record its names, the first its own, and the type of what it holds.
_COLUMNS: tuple[tuple[tuple[str, ...], type], ...] = (
    (WORDS, str),
    ((*TAG, "pos_tags"), str),
    (("heads", "head"), int),
    (("deprels", "deprel"), str),
)


def tagged_sentence(block: Sequence[tuple[int, str]], name: str) -> Sentence | None:
    """The sentence of lines of tagged tokens, None where they hold none."""
    tokens = []
    for number, line in block:
        if len(block) > 1:  # of a text with chunks
            if _NO_TOKENS.fullmatch(line):
                continue
            line = _CHUNK_MARK.sub(" ", line)
        tokens += [(f"{name}:{number}", token) for token in line.split()]
    is_slashed = all("/" in token for _, token in tokens)
    for mark in "" if is_slashed else "_|":
        rows = [(where, *token.rpartition(mark)[::2]) for where, token in tokens]
        if all(word and tag for _, word, tag in rows):
            return sentence_of_rows(rows)
    return sentence_of_rows([(where, *_at_slash(token, where)) for where, token in tokens])


def _at_slash(token: str, where: str) -> tuple[str, str]:
    word, _, tag = token.rpartition("/")
    has_escapes = "\\" in token
    if has_escapes:
        ends = [separator.end() for separator in _SEPARATOR.finditer(token)]
        end = max(ends, default=1)
        word, tag = token[: end - 1], token[end:]
    if not word or not tag:
        raise CorpusError(f"{where}: the token {token!r} is not of the form word/TAG")

    if not has_escapes:
        return word, tag
    bare = word.rstrip("\\")
    word = bare + "\\" * ((len(word) - len(bare)) // 2)
    return word, re.sub(r"(\\*)\\/", lambda match: match[1][::2] + "/", tag)


def tagged_line(words: Sequence[str], tags: Sequence[str]) -> str:
    r"""A sentence as ``word/TAG`` tokens, which are read as the same words and tags.

    >>> print(tagged_line(["1/2", "\\"], ["CD", "a/b"]))
    1/2/CD \\/a\/b
    """
    tokens = []
    for word, tag in zip(words, tags, strict=True):
        doubled = "\\" * (len(word) - len(word.rstrip("\\")))
        escaped = re.sub(r"(\\*)/", r"\1\1\\/", tag)
        tokens.append(f"{word}{doubled}/{escaped}")
    return " ".join(tokens)


def tagged_blocks(lines: Lines, most: int, name: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each sentence: one, or several where one of the first has a chunk or is a rule.

    ``most``: how many are looked at: those that are there.
    """
    first = list(islice(lines, min(most, PEEK)))
    rows = [line.strip() for _, line in first]
    tokens = " ".join(rows).split()
    for mark in "/_|":
        if place := place_of_lemmas([token.split(mark) for token in tokens]):
            raise CorpusError(
                f"{name}: tokens of three parts, the {place} a lemma, as {tokens[0]!r}: leave it "
                "out (the/DT)"
            )
    lines = chain(first, lines)
    if any(_CHUNK.match(row) or _RULE.fullmatch(row) for row in rows):
        return chunked_blocks(lines)
    return ([line] for line in lines)


def chunked_blocks(lines: Lines) -> Iterator[list[tuple[int, str]]]:
    """The lines of each sentence of a text with chunks, with what stands behind it.

    A rule or two empty lines end a sentence, and so does one, but before a closing quotation mark
    and between two chunks: there only behind a full stop. Where none has followed a full stop yet,
    that ends a sentence with its line.
    """
    block: list[tuple[int, str]] = []
    last = ""  # line with words
    n_empty = 0
    has_gaps = False  # behind full stops

    for number, line in lines:
        text = line.strip()
        is_gap = not text or _RULE.fullmatch(text) is not None
        if is_gap:
            n_empty += 1 + bool(text)
        elif last:
            has_stopped = _STOP.search(last) is not None
            has_gaps |= has_stopped and n_empty > 0
            is_between = last.endswith("]") and text.startswith("[") and not has_stopped
            if max(n_empty, has_stopped and not has_gaps) > (
                is_between or text.startswith(_CLOSING)
            ):
                yield [*block, (number, "")]
                block = []

        if not is_gap:
            last = text
            n_empty = 0
        block.append((number, line))

    if block:
        yield [*block, (number, "")]


def place_of_lemmas(rows: Rows) -> str:
    """Which cell behind the word, of rows of a word and others, is its lemma; nothing of others.

    It begins as the word, in most rows; in texts of tags alone it is the same.

    >>> place_of_lemmas([("Dogs", "dog", "NNS"), ("bark", "bark", "VBP"), ("the", "the", "DT")])
    'second'
    """
    rows = [row for row in rows if any(map(str.isalnum, row[0][1:])) and len({*row}) > 1]
    if len(rows) < 3:
        return ""
    for place, name in ((2, "third"), (1, "second")):
        n_alike = sum(
            row[place][:2].casefold() in ("", row[0][:2].casefold())
            for row in rows
            if len(row) > place
        )
        if 2 * n_alike > len(rows):
            return name
    return ""


def vertical_blocks(lines: Lines, most: int, name: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each sentence of a vertical text.

    A full stop ends one, where none of the first lines does by itself, as by TreeTagger for German.
    ``most``: how many are looked at: those that are there.
    """
    first_lines = list(islice(lines, most))
    rows = "\n".join(line.strip() for _, line in first_lines).strip().split("\n")
    cells = [row.split("\t") for row in rows if "\t" in row]
    first, second = ([row[place] for row in cells] for place in (0, 1))
    is_swapped = all(map(_ONE_TAG.fullmatch, first)) and not all(map(_ONE_TAG.fullmatch, second))
    fault = ""
    if place_of_lemmas(cells) == "second":
        fault = "lemmas in the second column"
    elif (is_swapped and len(cells) > 2) or (len(cells) > 1 and all(map(str.isdecimal, first))):
        fault = "tags or numbers in the first column"
    if fault:
        raise CorpusError(f"{name}: {fault}: {_NAME_COLUMNS}")
    end = _SENTENCE_END
    if not any(map(end.fullmatch, rows)):
        end = re.compile(rf"{end.pattern}|[.!?…。]+\t.*")
    return blocks(chain(first_lines, lines), end.fullmatch)


def vertical_sentence(block: Sequence[tuple[int, str]], name: str) -> Sentence | None:
    """The sentence of a block of vertical text, None where it has no word."""
    lines = [row for row in block if row[1].strip() and not MARKUP.fullmatch(row[1].strip())]
    data = [row for row in lines if not row[1].startswith("# ")]
    if not data or any("\t" in line for _, line in data):  # else it may be a word with its tag
        lines = data
    rows = [(f"{name}:{number}", line) for number, line in lines]
    return sentence_of_rows([(where, *_columns(line, where)) for where, line in rows])


def _columns(line: str, where: str) -> tuple[str, str]:
    cells = unquoted_row(line.split("\t"))
    if len(cells) == 1:
        cells = line.split()
    word, tag, *_ = (*cells, "", "")
    if not word.strip() or not tag.strip():
        raise CorpusError(
            f"{where}: the line {line.strip()[:40]!r} is not of the form word, tab, tag"
        )
    return word.strip(), tag.strip()


def json_sentence(block: Sequence[tuple[int, str]], name: str) -> Sentence | None:
    """The sentence of a line of JSON, None of a blank one."""
    ((number, line),) = block
    where = f"{name}:{number}"
    if not line.strip():
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{where}: is no JSON ({error})") from None
    if not is_record(record):
        raise CorpusError(
            f'{where}: {line.strip()[:40]!r} is no sentence; one is {{"words": […], "tags": […]}}'
        )

    columns: dict[str, Any] = {}
    tag_column = ""
    for names, type_of_cell in _COLUMNS:
        called = next((name for name in names if record.get(name) is not None), None)
        if called is None:
            continue
        cells = record[called]
        if not isinstance(cells, list) or not all(type(cell) is type_of_cell for cell in cells):
            raise CorpusError(f"{where}: {called!r} is no list of {type_of_cell.__name__}s")
        if type_of_cell is str:
            cells = [clean_word(cell, where) for cell in cells]
        columns[names[0]] = cells
        tag_column = called if called in TAGSETS else tag_column
    return Sentence(**columns, source=where, tag_column=tag_column)
