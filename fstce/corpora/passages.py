r"""Sentences with the lines that they stand on, so that a text can be written back as it came.

What is no sentence (blank lines, comments between blocks, places that cannot be read) is a passage
too: whoever changes the sentences writes everything else as it is.

In *tagged* text the last slash of a token separates, so ``1/2/CD`` is the word ``1/2``; the Penn
convention's ``\/`` stands for a slash inside a word, and is kept as it is. Where each token has an
underscore, and not each a slash, underscores do. In *vertical* text an empty line or ``</s>`` ends
a sentence, other lines of markup are skipped, and what stands behind the tag is not looked at.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from fstce.corpora import conll
from fstce.corpora.conll import Block, blocks
from fstce.corpora.documents import MARKUP, Lines, check_text, checked
from fstce.corpora.faults import Faults
from fstce.corpora.penn import sentence_of, sound_trees
from fstce.corpora.running_text import TextReader
from fstce.corpora.sentence import Sentence, sentence_of_rows
from fstce.corpora.spreadsheet import read_table
from fstce.corpora.streams import READERS, Part, StreamSentence
from fstce.errors import CorpusError

_ENDS = {
    "conllu": ("",),
    "conllx": ("",),
    "vertical": ("", "</s>"),
}  # where a sentence has several lines
Result = TypeVar("Result")
# Lines, and what they hold: a sentence, several, none, or what is wrong with them.
Found = tuple[tuple[str, ...], list[Sentence] | Sentence | CorpusError | None]
_UNDERSCORED = re.compile(r".+_[^_]+")


def tagged_sentence(line: str, source: str) -> Sentence | None:
    """The sentence of one line, None of a blank one."""
    tokens = line.split()
    under = all(map(_UNDERSCORED.fullmatch, tokens)) and not all("/" in token for token in tokens)
    return sentence_of_rows(
        [(source, *_split(token, "_" if under else "/", source)) for token in tokens]
    )


def vertical_sentence(block: Sequence[tuple[int, str]], name: str) -> Sentence | None:
    """The sentence of a block of vertical text, None where it has no word."""
    rows = [
        (f"{name}:{number}", line)
        for number, line in block
        if line.strip() and not MARKUP.fullmatch(line.strip())
    ]
    return sentence_of_rows([(where, *_columns(line, where)) for where, line in rows])


def _columns(line: str, source: str) -> tuple[str, str]:
    word, tag, *_ = [*(line.split("\t") if "\t" in line else line.split()), "", ""]
    if not word.strip() or not tag.strip():
        raise CorpusError(
            f"{source}: the line {line.strip()[:40]!r} is not of the form word, tab, tag"
        )
    return word.strip(), tag.strip()


def _split(token: str, separator: str, source: str) -> tuple[str, str]:
    word, _, tag = token.rpartition(separator)
    if not word or not tag or word.endswith("\\"):
        raise CorpusError(f"{source}: the token {token!r} is not of the form word/TAG")
    return word, tag


class Passage(NamedTuple):
    """A sentence, or what stands between two.

    ``sentence``: none where there is none, or none that can be read. ``lines``: the lines as they came, with
    their ends; empty where a line holds several sentences.
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
    text, faults = text or TextReader(), faults or Faults()
    read: dict[str, Callable[[Block], list[Sentence] | Sentence | None]] = {
        "plain": lambda rows: text.sentences(rows[0][1], f"{name}:{rows[0][0]}"),
        "tagged": lambda rows: tagged_sentence(rows[0][1], f"{name}:{rows[0][0]}"),
        "vertical": lambda rows: vertical_sentence(rows, name),
        "conllu": lambda rows: conll.sentence_of(rows, name, "CoNLL-U", tag_column),
        "conllx": lambda rows: conll.sentence_of(rows, name, "CoNLL-X", tag_column),
    }

    def of_block(block: Block) -> list[Sentence] | Sentence | None:
        for number, line in block:
            check_text(line, f"{name}:{number}", encoding)
        return read[format]([(number, line.rstrip("\r\n")) for number, line in block])

    found: Iterable[Found]
    if format == "penn":
        found = _of_trees(checked(lines, name, encoding, faults), name, faults)
    elif format == "table":
        rows = read_table(checked(lines, name, encoding, faults), name, text)
        found = (((), _attempt(row)) for row in rows)
    elif format in READERS:
        found = _of_stream(READERS[format](lines, name), name, encoding)
    else:
        lines = text.decided(lines) if format == "plain" else lines
        groups = blocks(lines, _ENDS[format]) if format in _ENDS else ([line] for line in lines)
        found = (
            (tuple(line for _, line in group), _attempt(partial(of_block, group)))
            for group in groups
        )
    for whole, result in found:
        if isinstance(result, CorpusError):
            faults.add(result)
            passed = (
                faults.policy == "pass"
            )  # what is left out is an empty passage: there is no need to wait
            yield (
                Passage(None, whole, str(result), format)
                if passed
                else Passage(None, format=format)
            )
        elif not faults.fatal:
            parts = result if isinstance(result, list) else [result]
            # The markup of vertical text is that of its layout.
            own = () if len(parts) > 1 or (parts == [None] and format == "vertical") else whole
            yield from (Passage(sentence, own, format=format) for sentence in parts or [None])


def _attempt(read: Callable[[], Result]) -> Result | CorpusError:
    """What is read, or the error."""
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


def _of_trees(lines: Lines, name: str, faults: Faults) -> Iterator[Found]:
    """Trees, and what is none with its lines; in the end a warning names those without a word."""
    wordless: list[str] = []
    any_tree = False
    for where, found, text in sound_trees(lines, name, faults):
        if isinstance(found, CorpusError):
            yield tuple(f"{text.removesuffix(chr(10))}\n".splitlines(keepends=True)), found
        elif found is None:
            wordless.append(where)
            yield (), None
        else:
            any_tree = True
            yield (), sentence_of(found, where)
    if (
        wordless and any_tree and not faults.fatal
    ):  # a file without any tree is an error of the reader's
        named = ", ".join(wordless[:5]) + (", …" if len(wordless) > 5 else "")
        warnings.warn(
            f"{named}: {len(wordless)} tree(s) of empty elements alone left out", stacklevel=2
        )
