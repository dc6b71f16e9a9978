"""CoNLL-U and CoNLL-X in, a line at a time, so that messages have it; CoNLL-U out.

Multiword ranges and empty nodes are no words; ``_`` means missing. Ranges and ``SpaceAfter=No``
say how the words were written, which the sentence keeps as its text and spans. Files called CoNLL-X
may also have the three or four columns of the older dependency formats: word, tag, head
and perhaps relation, without numbers and without comments. White space inside a word is
written ``_``, because symbol files separate their columns by it.

What replaces columns of a file passes everything else of it through as it is: comments, lemmas,
features, multiword ranges, empty nodes, enhanced dependencies. What a :class:`Sentence` does not
keep is written ``_``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from fstce.corpora.links import check_columns
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import clean_word
from fstce.errors import CorpusError
from fstce.parameters.rules import choice

_FULL = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")
_SHORT = ("form", "xpos", "head", "deprel")
_SPACES = re.compile(r" {2,}")
LONGEST = 9  # digits of a word's number
_HEAD = re.compile(rf"[0-9]{{1,{LONGEST}}}")
_NO_WORD = re.compile(
    rf"{_HEAD.pattern}[-.][1-9][0-9]{{0,{LONGEST - 1}}}"
)  # a range or an empty node
_MISSING = ("", "_")
_OPEN_CLASSES = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB")
_CLOSED_CLASSES = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ")
UPOS = frozenset((*_OPEN_CLASSES, *_CLOSED_CLASSES, "PUNCT", "SYM", "X"))


Row = dict[str, Any]  # of a word: its place, number and columns, None where missing
Block = Sequence[tuple[int, str]]


def blocks(
    lines: Iterable[tuple[int, str]], ends: Collection[str] = ("",)
) -> Iterator[list[tuple[int, str]]]:
    """Numbered lines up to one that ends a sentence, an empty one, and that one."""
    block: list[tuple[int, str]] = []
    for number, line in lines:
        block.append((number, line))
        if line.strip() in ends:
            yield block
            block = []
    if block:
        yield block


def sentence_of(
    block: Block, name: str, format: str, tag_column: str | None = None
) -> Sentence | None:
    """The sentence of a block, from the line of its first word; None where it has no word.

    ``format``: ``CoNLL-U``, or ``CoNLL-X``, whose POSTAG counts as ``"xpos"`` and CPOSTAG as ``"upos"``.
    ``tag_column``: of the tags; by default XPOS where every word of the sentence has one, else UPOS.
    """
    rows: list[Row] = []
    for number, line in block:
        if line.strip() and (row := _row(line, f"{name}:{number}", len(rows) + 1, format)):
            rows.append(row)
    for row in rows:
        head, number = row["head"], row["number"]
        if head is not None and (head > len(rows) or head == number):
            fault = (
                "the word itself"
                if head == number
                else f"outside its sentence of {len(rows)} words"
            )
            raise CorpusError(f"{row['where']}: head {head} of word {number} is {fault}")
    if not rows:
        return None
    lacks = {
        name: [row for row in rows if row[name] is None]
        for name in ("upos", "xpos", "head", "deprel")
    }
    if 0 < len(lacks["head"]) < len(rows):
        row = lacks["head"][0]
        raise CorpusError(
            f"{row['where']}: word {row['number']} has no head, others of its sentence have one"
        )
    if tag_column is not None and lacks[tag_column]:
        where = lacks[tag_column][0]["where"]
        raise CorpusError(f"{where}: no {tag_column.upper()} here; choose another tag_column")
    whole: dict[str, Any] = {
        name: None if lacking else [row[name] for row in rows] for name, lacking in lacks.items()
    }
    written = [line.split("\t") for _, line in block]
    return Sentence(
        [row["form"] for row in rows],
        tags=whole["xpos"] or whole["upos"] if tag_column is None else whole[tag_column],
        heads=whole["head"],
        deprels=whole["deprel"],
        source=rows[0]["where"],
        **_layout([row for row in written if len(row) == 10 and row[0][:1] != "#"], len(rows)),
    )


def _row(line: str, where: str, number: int, format: str) -> Row | None:
    """The row of a word; None of a comment, a range or an empty node."""
    cells = _cells(line)
    is_older = format == "CoNLL-X"
    is_short = is_older and len(cells) in (3, 4)
    if line.startswith("#") and not is_short:
        return None
    if not (is_short or len(cells) == 10 or (is_older and len(cells) == 8)):
        widths = " (or 8, 4 or 3)" if is_older else ""
        raise CorpusError(
            f"{where}: {len(cells)} columns where {format} has 10, separated by tabs{widths}"
        )
    texts = dict(zip(_SHORT if is_short else _FULL, cells, strict=False))
    name = texts.get("id", str(number))
    first, _, last = name.partition("-")
    if _NO_WORD.fullmatch(name) and not (last and int(last) < int(first)):
        return None
    if name != str(number):
        raise CorpusError(
            f"{where}: the word is numbered {name[:LONGEST] or '_'} where {number} is due"
        )
    if not texts["form"]:
        raise CorpusError(f"{where}: the column of the word is empty")
    columns: Row = {"where": where, "number": number, "form": clean_word(texts["form"], where)}
    for column in ("upos", "xpos", "head", "deprel"):
        text = texts.get(column, "_")
        columns[column] = None if text in _MISSING else clean_word(text, where)
    if columns["head"] is not None:
        if not _HEAD.fullmatch(columns["head"]):
            raise CorpusError(
                f"{where}: head {texts['head'][:LONGEST]!r} is not the number of a word"
            )
        columns["head"] = int(columns["head"])
    return columns


def _layout(rows: list[list[str]], n: int) -> dict[str, Any]:
    """The text that ten columns spell, and the span of each word in it."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    end = last = 0  # last: the last word of the range that was read
    for number, form, *_, misc in rows:
        first, dash, until = number.partition("-")
        if not first.isdecimal():
            continue  # an empty node
        if dash or int(first) > last:
            pieces.append(form if "SpaceAfter=No" in misc else f"{form} ")
            span = (end, end + len(form))
            end += len(pieces[-1])
            last = int(until) if until.isdecimal() else last
        if not dash:
            spans.append(span)
    return {"text": "".join(pieces).rstrip(), "spans": spans} if len(spans) == n else {}


def conllu_sentence(
    sentence: Sentence,
    heads: Sequence[int] | None = None,
    deprels: Sequence[str] | None = None,
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
        The head of each word, from 1; 0 is the root.
    deprels : sequence of str, optional
        By default the sentence's own where the heads are its own too; for other heads
        ``root`` and the unspecified ``dep``, since its relations would no longer be true.
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
    if deprels is None:
        deprels = sentence.deprels if above == sentence.heads else relations(above or ())
    check_columns(sentence, above, where, relations=deprels)
    upos, xpos = _tag_cells(sentence.tags or empty, tag_column)
    rows = zip(sentence, upos, xpos, above or empty, deprels or empty, strict=True)
    lines = [f"# {line}" for comment in comments for line in comment.splitlines()]
    ranges, spacing = written(sentence)
    if sentence.spans is not None:
        lines.append(f"# text = {sentence.text}")
    for number, (word, coarse, fine, head, relation) in enumerate(rows, 1):
        lines += ranges.get(number, ())
        columns = (
            clean_word(word, where),
            "_",
            coarse,
            fine,
            "_",
            head,
            relation,
            "_",
            spacing[number - 1],
        )
        lines.append("\t".join(map(str, (number, *columns))))
    return "\n".join(lines) + "\n\n"


def written(sentence: Sentence) -> tuple[dict[int, list[str]], list[str]]:
    """How a sentence's words are written: the lines of ranges before words, and the MISC of each word."""
    spans = sentence.spans
    if spans is None:
        return {}, ["_"] * len(sentence)
    touches = {start for start, _ in spans}
    ranges: dict[int, list[str]] = {}
    misc: list[str] = []
    for (start, end), group in groupby(spans):
        number, n = len(misc) + 1, len(list(group))
        space = "SpaceAfter=No" if end in touches else "_"
        if n > 1:
            row = (f"{number}-{number + n - 1}", sentence.text[start:end], *"_______", space)
            ranges[number] = ["\t".join(row)]
        misc += [space if n == 1 else "_"] * n
    return ranges, misc


def replace_heads(lines: Sequence[str], heads: Sequence[int]) -> list[str]:
    r"""The lines of one sentence of CoNLL-U with other heads, from 1; 0 is the root.

    Where any head changes, the relations become ``root`` and ``dep``; everything else stays as it is,
    enhanced dependencies too.
    """
    rows = [_cells(line.rstrip("\r\n")) for line in lines if _is_word(line)]
    check_columns(rows, heads)
    wrong = next((row for row in rows if len(row) != 10), None)
    if wrong is not None:
        raise CorpusError(f"{len(wrong)} columns where CoNLL-U has 10, separated by tabs")
    spelt = [str(head) for head in heads]
    same = [row[6] for row in rows] == spelt
    return list(lines) if same else _with_cells(lines, {6: spelt, 7: relations(heads)})


def replace_tags(lines: Sequence[str], tags: Sequence[str], column: str | None = None) -> list[str]:
    r"""The lines of one sentence of CoNLL-U with other tags, everything else byte for byte.

    ``column``: by default UPOS if all are tags of Universal Dependencies.

    >>> replace_tags(["# text = Hi", "1\tHi\thi\tX\tUH\tA=b\t0\troot\t_\tN=1"], ["INTJ"])
    ['# text = Hi', '1\tHi\thi\tINTJ\tUH\tA=b\t0\troot\t_\tN=1']
    """
    upos, _ = _tag_cells(tags, column)
    return _with_cells(lines, {3 if upos is tags else 4: tags})


def with_misc(lines: Sequence[str], added: Sequence[str]) -> list[str]:
    r"""Lines of CoNLL-U with something more in the last column of each word.

    >>> with_misc(["1\tHi\tN=1"], ["P=0.5"])
    ['1\tHi\tN=1|P=0.5']
    """
    last = [_cells(line)[-1].rstrip("\r\n") for line in lines if _is_word(line)]
    values = [
        old if not more else more if old == "_" else f"{old}|{more}"
        for old, more in zip(last, added, strict=True)
    ]
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
    values, replaced = {place: iter(column) for place, column in columns.items()}, []
    for line in lines:
        if _is_word(line):
            content = line.rstrip("\r\n")
            row = _cells(content)
            for place, column in values.items():
                row[place] = next(column)
            line = "\t".join(row) + line[len(content) :]
        replaced.append(line)
    return replaced


def _is_word(line: str) -> bool:
    """Whether a line is that of a word: no comment, range or empty node."""
    return _cells(line)[0].isdecimal()


def _cells(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else _SPACES.split(line)
