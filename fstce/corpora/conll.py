"""CoNLL-U and CoNLL-X in, a line at a time, so that messages have it; CoNLL-U out.

Multiword ranges and empty nodes are no words; ``_`` means missing. Ranges and ``SpaceAfter=No``
say how the words were written, which the sentence keeps as its text and spans. A comment
``# global.columns`` names other columns (CoNLL-U Plus). Files called CoNLL-X may also have the
three or four columns of the older dependency formats: word, tag, head and perhaps relation,
without numbers and without comments. White space inside a word is written ``_``, because
symbol files separate their columns by it.

What replaces columns of a file passes everything else of it through as it is: comments, lemmas,
features, multiword ranges, empty nodes, enhanced dependencies. What a :class:`Sentence` does not
keep is written ``_``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from fstce.corpora.links import check_columns
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import clean_word
from fstce.errors import CorpusError
from fstce.parameters.rules import choice

_FULL = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_OLDER = _FULL[:8]
TAGS = ("xpos", "upos")
_SHORT = ("form", "xpos", "head", "deprel")
_GLOBAL = re.compile(r"#\s*global\.columns\s*=(.*)")
LONGEST = 9  # digits of a word's number
_HEAD = re.compile(rf"[0-9]{{1,{LONGEST}}}")
# A range or an empty node
_NO_WORD = re.compile(rf"{_HEAD.pattern}[-.][1-9][0-9]{{0,{LONGEST - 1}}}")
_MISSING = ("", "_")
_OPEN_CLASSES = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB")
CLOSED_CLASSES = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ")
UPOS = frozenset((*_OPEN_CLASSES, *CLOSED_CLASSES, "PUNCT", "SYM", "X"))


Row = dict[str, Any]  # of a word: its place, number and columns, None where missing
Block = Sequence[tuple[int, str]]


def blocks(
    lines: Iterable[tuple[int, str]], ends: Callable[[str], object]
) -> Iterator[list[tuple[int, str]]]:
    """Numbered lines up to one that ends a sentence, and that one."""
    block: list[tuple[int, str]] = []
    for number, line in lines:
        block.append((number, line))
        if ends(line.strip()):
            yield block
            block = []
    if block:
        yield block


class BlockReader:
    """From the lines of a block to its sentence, in a file that may name its columns.

    ``format``: ``conllu``, or ``conllx``, whose POSTAG counts as ``"xpos"`` and CPOSTAG as
    ``"upos"``. ``tag_column``: of the tags; by default XPOS where every word of the sentence has
    one, else UPOS.
    """

    def __init__(self, format: str, tag_column: str | None = None) -> None:
        self.is_older: bool = format == "conllx"
        self.tag_column = tag_column
        self.columns: tuple[str, ...] = _FULL
        self.n_tagged: Counter[str] = Counter()  # sentences by the column of their tags
        self._has_words = False

    @property
    def is_usual(self) -> bool:
        """Whether the columns are those of CoNLL-U, in which some can be replaced."""
        return self.columns == _FULL

    def __call__(self, block: Block, name: str) -> Sentence | None:
        """The sentence, from the line of its first word; None where the block has no word."""
        rows: list[Row] = []
        cells_of_lines: list[dict[str, str]] = []
        for number, line in block:
            where = f"{name}:{number}"
            self._take_columns(line, where)
            cells = self._cells(line, where)
            if cells is None:
                continue
            cells_of_lines.append(cells)
            if row := _row(cells, where, len(rows) + 1):
                rows.append(row)

        if not rows:
            return None
        self._has_words = True
        _take_heads(rows)
        complete = {
            name: [row[name] for row in rows]
            for name in ("upos", "xpos", "head", "deprel")
            if all(row[name] is not None for row in rows)
        }
        column = self.tag_column
        if column is None:
            column = next((name for name in TAGS if name in complete), "upos")
        if self.tag_column is not None and column not in complete:
            where = next(row["where"] for row in rows if row[column] is None)
            raise CorpusError(f"{where}: no {column.upper()} here; choose another tag_column")
        self.n_tagged[column] += column in complete

        return Sentence(
            [row["form"] for row in rows],
            tags=complete.get(column),
            tag_column=column if column in complete else "",
            heads=complete.get("head"),
            deprels=complete.get("deprel"),
            source=rows[0]["where"],
            **_layout(cells_of_lines, len(rows)),
        )

    def _take_columns(self, line: str, where: str) -> None:
        """Read the comment of CoNLL-U Plus that names the columns, if a line is that.

        Behind words of CoNLL-U it is a comment as any other.
        """
        match = _GLOBAL.fullmatch(line)
        if match is None or (self._has_words and self.is_usual):
            return
        columns = tuple(match[1].lower().split())
        if "form" not in columns or len({*columns}) < len(columns):
            raise CorpusError(
                f"{where}: global.columns names no column FORM, so there are no words, or one twice"
            )
        self.columns = columns

    def _cells(self, line: str, where: str) -> dict[str, str] | None:
        """The cells of a line by their columns; None of a comment or a blank line."""
        cells = line.split("\t")
        if self.is_older and len(cells) == 1:
            cells = line.split()
        is_short = self.is_older and len(cells) in (3, 4)
        if not line.strip() or (line.startswith("#") and not is_short):
            return None

        columns = self.columns
        if self.is_older and len(cells) == len(_OLDER):
            columns = _OLDER
        if is_short:
            columns = _SHORT[: len(cells)]
        if len(cells) != len(columns):
            format = "CoNLL-U"
            if self.is_older:
                format = "CoNLL-X"
            if not self.is_usual:
                format = "CoNLL-U Plus by its global.columns"
            raise CorpusError(
                f"{where}: {len(cells)} columns where {format} has {len(columns)}"
                f"{' (or 8, 4 or 3)' * self.is_older}, separated by tabs"
            )
        return dict(zip(columns, cells, strict=True))


def _row(cells: Mapping[str, str], where: str, number: int) -> Row | None:
    """The row of a word; None of a range or an empty node."""
    name = cells.get("id", str(number))
    first, _, last = name.partition("-")
    if _NO_WORD.fullmatch(name) and not (last and int(last) < int(first)):
        return None
    if name != str(number):
        raise CorpusError(
            f"{where}: the word is numbered {name[:LONGEST] or '_'} where {number} is due"
        )
    if not cells["form"]:
        raise CorpusError(f"{where}: the column of the word is empty")

    row: Row = {"where": where, "form": clean_word(cells["form"], where)}
    for column in ("upos", "xpos", "head", "deprel"):
        text = cells.get(column, "_")
        row[column] = None if text in _MISSING else clean_word(text, where)
    return row


def _take_heads(rows: Sequence[Row]) -> None:
    """Read the heads as numbers.

    Raises CorpusError unless all words or none have one, another word of the sentence or 0.
    """
    for number, row in enumerate(rows, 1):
        where, text = row["where"], row["head"]
        if (text is None) != (rows[0]["head"] is None):
            raise CorpusError(f"{where}: some words of the sentence have a head, others have none")
        if text is None:
            continue

        if not _HEAD.fullmatch(text):
            raise CorpusError(
                f"{where}: head {text[:LONGEST]!r} is not the number of a word; call a file "
                "of columns without heads, the word first, .vert"
            )
        row["head"] = int(text)
        if row["head"] == number:
            raise CorpusError(f"{where}: head {text} of word {number} is the word itself")
        if row["head"] > len(rows):
            raise CorpusError(
                f"{where}: head {text} of word {number} is outside its sentence of "
                f"{len(rows)} words"
            )


def _layout(rows: Sequence[Mapping[str, str]], n: int) -> dict[str, Any]:
    """The text that the columns of n words spell, and the span of each word in it."""
    if any("misc" not in row for row in rows):
        return {}
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    end = 0
    last = 0  # the last word of the range that was read
    for row in rows:
        form = row["form"]
        first, dash, until = row.get("id", str(len(spans) + 1)).partition("-")
        if not first.isdecimal():
            continue  # an empty node

        if dash or int(first) > last:
            gap = "" if "SpaceAfter=No" in row["misc"] else " "
            pieces.append(form + gap)
            span = (end, end + len(form))
            end += len(pieces[-1])
            if until.isdecimal():
                last = int(until)
        if not dash:
            spans.append(span)

    if len(spans) != n:
        return {}
    return {"text": "".join(pieces).rstrip(), "spans": spans}


def conllu_sentence(
    sentence: Sentence,
    heads: Sequence[int] | None = None,
    *,
    tag_column: str | None = None,
    comments: Iterable[str] = (),
) -> str:
    """A sentence as a block of CoNLL-U, with the empty line that ends it.

    Parameters
    ----------
    sentence : Sentence
        Words and tags; heads and relations too where none are given.
    heads : sequence of int, optional
        The head of each word, from 1; 0 is the root. With other heads than the sentence's own the
        relations become ``root`` and ``dep``, since its own would no longer be true.
    tag_column : {"xpos", "upos"}, optional
        Where the tags go; by default UPOS if all are tags of Universal Dependencies.
    comments : iterable of str
        Lines to put before the words, without the ``#``.

    Returns
    -------
    str

    Raises
    ------
    CorpusError
        More or fewer heads or relations than words, or a head outside the sentence.
    ParameterError
        An unknown tag column.

    Examples
    --------
    >>> block = conllu_sentence(Sentence(["Dogs", "bark"], tags=["NNS", "VBP"]), [2, 0])
    >>> print(block.replace("\\t", " "), end="")
    1 Dogs _ _ NNS _ 2 dep _ _
    2 bark _ _ VBP _ 0 root _ _
    <BLANKLINE>
    """
    where = sentence.source or str(sentence)
    empty = ("_",) * len(sentence)
    above = sentence.heads if heads is None else tuple(map(int, heads))

    deprels = sentence.deprels if above == sentence.heads else relations(above or ())
    check_columns(sentence, above, where)
    upos, xpos = _tag_cells(sentence.tags or empty, tag_column)
    rows = zip(sentence, upos, xpos, above or empty, deprels or empty, strict=True)

    lines = [f"# {line}" for line in re.split(r"[\r\n]+", "\n".join(comments)) if line]
    ranges, spacing = written(sentence)
    if sentence.spans is not None:
        lines.append(f"# text = {sentence.text}")
    for number, (word, coarse, fine, head, relation) in enumerate(rows, 1):
        lines += ranges.get(number, ())
        form = clean_word(word, where)
        space = spacing[number - 1]
        columns = (number, form, "_", coarse, fine, "_", head, relation, "_", space)
        lines.append("\t".join(map(str, columns)))
    return "\n".join(lines) + "\n\n"


def written(sentence: Sentence) -> tuple[dict[int, list[str]], list[str]]:
    """The lines of ranges before words, and the MISC of each: how words are written."""
    spans = sentence.spans
    if spans is None:
        return {}, ["_"] * len(sentence)
    touches = {start for start, _ in spans}
    ranges: dict[int, list[str]] = {}
    misc: list[str] = []

    for (start, end), group in groupby(spans):
        n = len(list(group))
        number = len(misc) + 1
        space = "SpaceAfter=No" if end in touches else "_"
        if n > 1:
            row = (f"{number}-{number + n - 1}", sentence.text[start:end], *"_______", space)
            ranges[number] = ["\t".join(row)]
            misc += ["_"] * n
        else:
            misc.append(space)
    return ranges, misc


def replace_heads(lines: Sequence[str], heads: Sequence[int]) -> list[str]:
    r"""The lines of one sentence of CoNLL-U with other heads, from 1; 0 is the root.

    Where any head changes, the relations become ``root`` and ``dep``; everything else stays as it
    is, enhanced dependencies too.
    """
    rows = [line.rstrip("\r\n").split("\t") for line in lines if _is_word(line)]
    check_columns(rows, heads)
    column = [str(head) for head in heads]
    if [row[6] for row in rows] == column:
        return list(lines)
    return _with_cells(lines, {6: column, 7: relations(heads)})


def replace_tags(lines: Sequence[str], tags: Sequence[str], column: str | None = None) -> list[str]:
    r"""The lines of one sentence of CoNLL-U with other tags, everything else byte for byte.

    ``column``: by default UPOS if all are tags of Universal Dependencies.

    >>> replace_tags(["# text = Hi", "1\tHi\thi\tX\tUH\tA=b\t0\troot\t_\tN=1"], ["INTJ"])
    ['# text = Hi', '1\tHi\thi\tINTJ\tUH\tA=b\t0\troot\t_\tN=1']
    """
    upos, xpos = _tag_cells(tags, column)
    return _with_cells(lines, {3: upos} if upos is tags else {4: xpos})


def with_misc(lines: Sequence[str], added: Sequence[str]) -> list[str]:
    r"""Lines of CoNLL-U with something more in the last column of each word.

    >>> with_misc(["1\tHi\tN=1"], ["P=0.5"])
    ['1\tHi\tN=1|P=0.5']
    """
    last = [line.split("\t")[-1].rstrip("\r\n") for line in lines if _is_word(line)]
    values = []
    for old, more in zip(last, added, strict=True):
        present = [part for part in (old, more) if part not in _MISSING]
        values.append("|".join(present) or "_")
    return _with_cells(lines, {-1: values})


def relations(heads: Sequence[int]) -> tuple[str, ...]:
    """The relations of Universal Dependencies for links of which nothing else is known."""
    return tuple("dep" if head else "root" for head in heads)


def _tag_cells(tags: Sequence[str], column: str | None) -> tuple[Sequence[str], Sequence[str]]:
    if column is None:
        column = "upos" if UPOS.issuperset(tags) else "xpos"
    choice("xpos", "upos").check(tag_column=column)
    empty = ("_",) * len(tags)
    return (tags, empty) if column == "upos" else (empty, tags)


def _with_cells(lines: Iterable[str], columns: Mapping[int, Sequence[str]]) -> list[str]:
    """The lines of a sentence with other values of its words in some columns; line ends stay."""
    values = {place: iter(column) for place, column in columns.items()}
    replaced: list[str] = []

    for line in lines:
        if _is_word(line):
            content = line.rstrip("\r\n")
            row = content.split("\t")
            for place, column in values.items():
                row[place] = next(column)
            line = "\t".join(row) + line[len(content) :]
        replaced.append(line)
    return replaced


def _is_word(line: str) -> bool:
    """Whether a line is that of a word: no comment, range or empty node."""
    return line.split("\t", 1)[0].isdecimal()
