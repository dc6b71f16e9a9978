"""CoNLL-U out: sentences as lines, and columns of a file that is already CoNLL-U replaced.

A :class:`Sentence` keeps words, tags, heads and relations; what it does not keep is
written ``_``. What replaces columns passes everything else of a file through as it is:
comments, lemmas, features, multiword ranges, empty nodes, enhanced dependencies.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fstce.corpora.conll import blocks
from fstce.corpora.formats import check_choice
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import clean_word
from fstce.errors import CorpusError

_OPEN_CLASSES = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB")
_CLOSED_CLASSES = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ")
UPOS = frozenset((*_OPEN_CLASSES, *_CLOSED_CLASSES, "PUNCT", "SYM", "X"))
_SPACES = re.compile(r" {2,}")


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
    _check_heads(above, len(sentence), where)
    _check_length(deprels, len(sentence), "relations", where)
    upos, xpos = _tag_columns(sentence.tags or empty, tag_column)
    rows = zip(sentence, upos, xpos, above or empty, deprels or empty, strict=True)
    lines = [f"# {line}" for comment in comments for line in comment.splitlines()]
    ranges, spacing = written(sentence)
    if sentence.spans is not None:
        lines.append(f"# text = {sentence.text}")
    for number, (word, coarse, fine, head, relation) in enumerate(rows, 1):
        lines += ranges.get(number, ())
        columns = (clean_word(word, where), "_", coarse, fine, "_", head, relation, "_", spacing[number - 1])
        lines.append("\t".join(map(str, (number, *columns))))
    return "\n".join(lines) + "\n\n"


def written(sentence: Sentence) -> tuple[dict[int, list[str]], list[str]]:
    """How a sentence's words are written: the lines of ranges before words, and the MISC of each word.

    >>> spans = [(0, 2), (0, 2), (3, 6), (6, 7)]
    >>> ranges, misc = written(Sentence(["de", "le", "lac", "!"], text="du lac!", spans=spans))
    >>> [line.split() for line in ranges[1]], misc
    ([['1-2', 'du', '_', '_', '_', '_', '_', '_', '_', '_']], ['_', '_', 'SpaceAfter=No', '_'])
    """
    spans = sentence.spans
    if spans is None:
        return {}, ["_"] * len(sentence)
    touches = {start for start, _ in spans}
    ranges: dict[int, list[str]] = {}
    misc: list[str] = []
    for number, (start, end) in enumerate(spans, 1):
        several = spans.count((start, end))
        space = "SpaceAfter=No" if end in touches else "_"
        if several > 1 and spans.index((start, end)) == number - 1:
            row = (f"{number}-{number + several - 1}", sentence.text[start:end], *"_______", space)
            ranges[number] = ["\t".join(row)]
        misc.append("_" if several > 1 else space)
    return ranges, misc


def replace_heads(lines: Iterable[str], heads: Iterable[Sequence[int] | None]) -> Iterator[str]:
    """The lines of a CoNLL-U file with other heads, without line ends.

    Where any head of a sentence changes, its relations become ``root`` and ``dep``; everything
    else stays as it is, enhanced dependencies too.

    ``heads``: for each sentence the head of each word, or None to leave it as it is.

    >>> rows = ["# text = Dogs bark", "1 Dogs dog NOUN _ _ 0 root _ _", "2 bark bark VERB _ _ 1 obj _ _"]
    >>> for line in replace_heads([row.replace(" ", "\\t") for row in rows], [[2, 0]]):
    ...     print(line.replace("\\t", " "))
    # text = Dogs bark
    1 Dogs dog NOUN _ _ 2 dep _ _
    2 bark bark VERB _ _ 0 root _ _
    """
    remaining, number = deque(heads), 0
    for block in blocks(enumerate(lines, 1)):
        rows = [line.rstrip("\r\n") for _, line in block]
        if any(map(_is_word, rows)):
            number += 1
            if not remaining:
                raise CorpusError(f"sentence {number}: there are no heads for it")
            rows = _with_heads(rows, remaining.popleft(), f"sentence {number}")
        yield from rows
    if remaining:
        raise CorpusError(f"there are heads for more than the {number} sentences of the file")


def replace_tags(lines: Sequence[str], tags: Sequence[str], column: str | None = None) -> list[str]:
    r"""The lines of one sentence of CoNLL-U with other tags, everything else byte for byte.

    ``column``: by default UPOS if all are tags of Universal Dependencies.

    >>> replace_tags(["# text = Hi", "1\tHi\thi\tX\tUH\tA=b\t0\troot\t_\tN=1"], ["INTJ"])
    ['# text = Hi', '1\tHi\thi\tINTJ\tUH\tA=b\t0\troot\t_\tN=1']
    """
    upos, _ = _tag_columns(tags, column)
    return _with_columns(lines, {3 if upos is tags else 4: tags})


def with_misc(lines: Sequence[str], added: Sequence[str]) -> list[str]:
    r"""Lines of CoNLL-U with something more in the last column of each word.

    >>> with_misc(["1\tHi\tN=1"], ["P=0.5"])
    ['1\tHi\tN=1|P=0.5']
    """
    last = [_columns(line)[-1].rstrip("\r\n") for line in lines if _is_word(line)]
    values = [
        old if not more else more if old == "_" else f"{old}|{more}"
        for old, more in zip(last, added, strict=True)
    ]
    return _with_columns(lines, {-1: values})


def relations(heads: Sequence[int]) -> tuple[str, ...]:
    """The relations of Universal Dependencies for links of which nothing else is known."""
    return tuple("dep" if head else "root" for head in heads)


def _tag_columns(tags: Sequence[str], column: str | None) -> tuple[Sequence[str], Sequence[str]]:
    if column is None:
        column = "upos" if UPOS.issuperset(tags) else "xpos"
    check_choice("tag_column", column, ("xpos", "upos"))
    empty = ("_",) * len(tags)
    return (tags, empty) if column == "upos" else (empty, tags)


def _check_length(column: Sequence[object] | None, n: int, name: str, where: str) -> None:
    if column is not None and len(column) != n:
        raise CorpusError(f"{where}: {len(column)} {name} for {n} words")


def _check_heads(heads: Sequence[int] | None, n: int, where: str) -> None:
    _check_length(heads, n, "heads", where)
    for number, head in enumerate(heads or (), 1):
        if not 0 <= head <= n or head == number:
            raise CorpusError(
                f"{where}: head {head} of word {number} is the word itself or outside its {n} words"
            )


def _with_heads(lines: list[str], heads: Sequence[int] | None, where: str) -> list[str]:
    """The lines of a sentence with these heads; as they are for None, or where no head changes."""
    if heads is None:
        return lines
    above = tuple(map(int, heads))
    rows = [_columns(line) for line in lines if _is_word(line)]
    _check_heads(above, len(rows), where)
    wrong = next((row for row in rows if len(row) != 10), None)
    if wrong is not None:
        raise CorpusError(f"{where}: {len(wrong)} columns where CoNLL-U has 10, separated by tabs")
    spelt = [str(head) for head in above]
    same = [row[6] for row in rows] == spelt
    return lines if same else _with_columns(lines, {6: spelt, 7: relations(above)})


def _with_columns(lines: Iterable[str], columns: Mapping[int, Sequence[str]]) -> list[str]:
    """The lines of a sentence with other values of its words in some columns; line ends stay."""
    values, replaced = {place: iter(column) for place, column in columns.items()}, []
    for line in lines:
        if _is_word(line):
            content = line.rstrip("\r\n")
            row = _columns(content)
            for place, column in values.items():
                row[place] = next(column)
            line = "\t".join(row) + line[len(content) :]
        replaced.append(line)
    return replaced


def _is_word(line: str) -> bool:
    """Whether a line is that of a word: no comment, range or empty node."""
    return _columns(line)[0].isdecimal()


def _columns(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else _SPACES.split(line)
