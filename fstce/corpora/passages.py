"""Sentences with the lines that they stand on, so that a text can be written back as it came.

What is no sentence (blank lines, comments between blocks, places that cannot be read) is a passage
too: whoever changes the sentences writes everything else as it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from fstce.corpora import conll
from fstce.corpora.conll import Block, blocks
from fstce.corpora.documents import check_text, checked
from fstce.corpora.faults import Faults
from fstce.corpora.formats import Lines
from fstce.corpora.penn import sentence_of, sound_trees
from fstce.corpora.running_text import TextReader
from fstce.corpora.sentence import Sentence
from fstce.corpora.spreadsheet import Read, read_table
from fstce.corpora.streams import READERS, Part, StreamSentence, stream_of
from fstce.corpora.tagged_text import (
    json_sentence,
    tagged_blocks,
    tagged_sentence,
    vertical_blocks,
    vertical_sentence,
)
from fstce.errors import CorpusError

Value = TypeVar("Value")
Result = list[Sentence] | Sentence | None
ReadBlock = Callable[[Block, str], Result]
_TOKENS = ("^", '"<')  # with which those of streams begin
# Lines, and what they hold: a sentence, several, none, or what is wrong with them.
Found = tuple[tuple[str, ...], Result | CorpusError]


class Passage(NamedTuple):
    """A sentence, or what stands between two.

    ``sentence``: none where there is none, or none that can be read. ``lines``: the lines as they
    came, with their ends; empty where a line holds several sentences.
    """

    sentence: Sentence | None
    lines: tuple[str, ...] = ()
    fault: str = ""
    format: str = ""

    @property
    def columns(self) -> bool:
        """Whether the lines are numbered rows of ten columns, some of which can be replaced."""
        rows = [line for line in self.lines if line[:1].isdecimal()]
        return bool(rows) and all(line.count("\t") == 9 for line in rows)


def passages(
    lines: Lines,
    name: str,
    format: str,
    tag_column: str | None = None,
    text: TextReader | None = None,
    faults: Faults | None = None,
    encoding: str = "utf-8",
) -> Iterator[Passage]:
    r"""The passages of numbered lines that keep their ends, and their bytes that are no text."""
    text = text or TextReader()
    faults = faults or Faults()
    parts: Iterable[Found]
    errors: dict[int, CorpusError] = {}  # of lines that are no text
    if format == "penn":
        parts = _of_trees(checked(lines, name, encoding, errors), name, faults, errors)
    elif format == "table":
        rows = read_table(checked(lines, name, encoding, errors), name, text, tag_column)
        parts = _of_rows(rows, errors)
    elif format in ("conllu", "conllx"):
        parts = _of_columns(lines, name, conll.BlockReader(format, tag_column), encoding)
    elif format in READERS:
        parts = _of_stream(READERS[format](lines, name), name, encoding)
    else:
        parts = _of_blocks(lines, name, format, text, encoding)

    for block, result in parts:
        if isinstance(result, CorpusError):
            faults.add(result, lost=not block)
            if faults.policy == "pass":
                yield Passage(None, block, str(result), format)
            else:  # an empty passage: there is no need to wait for more
                yield Passage(None, format=format)
        elif not faults.fatal:
            sentences = result if isinstance(result, list) else [result]
            # The markup of vertical text is that of its layout.
            if len(sentences) > 1 or (sentences == [None] and format == "vertical"):
                block = ()
            for sentence in sentences or [None]:
                yield Passage(sentence, block, format=format)


def _of_columns(lines: Lines, name: str, read: conll.BlockReader, encoding: str) -> Iterator[Found]:
    """The sentences of blocks of columns, each up to an empty line."""
    for block in blocks(lines, {""}.__contains__):
        result = _attempt(partial(_read, read, block, name, encoding))
        # Columns in another order are not to be replaced.
        yield _texts(block) if read.is_usual else (), result

    if all(read.n_tagged[column] for column in conll.TAGS):
        counts = " and ".join(f"{read.n_tagged[tags]:,} {tags.upper()}" for tags in conll.TAGS)
        warnings.warn(
            f"{name}: as tags {counts} were read, for some sentences lack XPOS; "
            "choose a column (--tag-column upos)",
            stacklevel=2,
        )


def _of_blocks(
    lines: Lines, name: str, format: str, text: TextReader, encoding: str
) -> Iterator[Found]:
    """The sentences of lines, or of blocks of lines up to one that ends a sentence."""
    groups: Iterable[Block] = ([line] for line in lines)
    read: ReadBlock = json_sentence
    if format == "vertical":
        groups = vertical_blocks(lines, text.lookahead(), name)
        read = vertical_sentence
    elif format == "tagged":
        groups = tagged_blocks(lines, text.lookahead(), name)
        read = tagged_sentence
    elif format == "plain":
        groups = ([line] for line in text.decided(lines))
        read = partial(_of_line, text)

    for block in groups:
        yield _texts(block), _attempt(partial(_read, read, block, name, encoding))


def _of_line(text: TextReader, block: Block, name: str) -> list[Sentence]:
    """The sentences of a line of plain text; raises CorpusError for one of a stream."""
    ((number, line),) = block
    if line.startswith(_TOKENS) and (stream := stream_of([line])):
        raise CorpusError(
            f"{name}:{number}: readings of an analyzer, behind other text; read all of it "
            f"as a stream (--input-format {stream})"
        )
    return text.sentences(line, f"{name}:{number}")


def _texts(block: Block) -> tuple[str, ...]:
    return tuple(line for _, line in block)


def _read(read: ReadBlock, block: Block, name: str, encoding: str) -> Result:
    """What the lines of a block hold."""
    for number, line in block:
        check_text(line, f"{name}:{number}", encoding)
    return read([(number, line.rstrip("\r\n")) for number, line in block], name)


def _attempt(read: Callable[[], Value]) -> Value | CorpusError:
    """The result, or the error."""
    try:
        return read()
    except CorpusError as error:
        return error


def _of_stream(parts: Iterable[Part], name: str, encoding: str) -> Iterator[Found]:
    """Sentences of a stream with their bytes, and what stands between them."""
    for text, sentence in parts:
        where = sentence.source if isinstance(sentence, StreamSentence) else name
        is_text = _attempt(partial(check_text, text.replace("\0", ""), where, encoding))
        yield (text,), is_text or sentence


def _first_error(lines: range, errors: Mapping[int, CorpusError]) -> CorpusError | None:
    """The error of the first of some lines that is no text."""
    return next((errors[line] for line in lines if line in errors), None)


def _of_rows(
    rows: Iterable[tuple[int, Read]], errors: Mapping[int, CorpusError]
) -> Iterator[Found]:
    """The sentences of a table, each up to the line on which it ends."""
    before = 0
    try:
        for line, read in rows:
            yield (), _first_error(range(before + 1, line + 1), errors) or _attempt(read)
            before = line
    except CorpusError as error:  # of the header, perhaps because it is no text
        raise next(iter(errors.values()), error) from None


def _of_trees(
    lines: Lines, name: str, faults: Faults, errors: Mapping[int, CorpusError]
) -> Iterator[Found]:
    """Trees, and what is none with its lines; in the end a warning names those without a word."""
    wordless: list[str] = []
    any_tree = False
    for where, tree, text in sound_trees(lines, name, faults):
        if errors:
            first = int(where.rpartition(":")[2])
            tree = _first_error(range(first, first + 1 + text.count("\n")), errors) or tree
        if isinstance(tree, CorpusError):
            yield tuple(f"{line}\n" for line in text.removesuffix("\n").split("\n")), tree
        elif tree is None:
            wordless.append(where)
            yield (), None
        else:
            any_tree = True
            yield (), sentence_of(tree, where)

    # A file without any tree is an error of the reader's.
    if wordless and any_tree and not faults.fatal:
        named = ", ".join([*wordless[:5], *["…"] * (len(wordless) > 5)])
        warnings.warn(
            f"{named}: {len(wordless)} tree(s) of empty elements alone left out", stacklevel=2
        )
