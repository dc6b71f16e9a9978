"""Phrase-structure trees: read from treebanks, found in texts, written as brackets or drawn as text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import typer

from fstce.console.applying import Applying
from fstce.console.output import note
from fstce.console.reading import reading
from fstce.console.texts import read
from fstce.corpora import Sentence, Tree
from fstce.corpora.documents import checked, from_file
from fstce.corpora.passages import Passage
from fstce.corpora.penn import read_parses
from fstce.corpora.words import BRACKETS
from fstce.errors import CorpusError

Answer = TypeVar("Answer")


# How phrases are written.
PhraseNotation = Literal["penn", "text", "svg"]
PhraseOutput = Annotated[
    PhraseNotation,
    typer.Option("--output-format", help="Penn trees, one a line; drawn as text; one SVG picture of all."),
]


def phrase_writer(notation: PhraseNotation) -> Callable[[Tree], str]:
    """What writes a phrase-structure tree."""
    if notation == "penn":
        return lambda tree: f"{tree}\n"
    if notation == "svg":
        return lambda tree: tree.svg()
    return lambda tree: f"{tree.pretty()}\n\n"


_SIZE = re.compile(r'<svg xmlns="[^"]*" width="(\d+)" height="(\d+)"')
FAILED = "(())\n"  # what EVALB takes for a sentence without a parse
TOGETHER = 200  # sentences of a batch


def phrases(
    write: Callable[[list[Sentence]], tuple[list[str], Answer]],
    applying: Applying,
    notation: PhraseNotation = "penn",
) -> Iterator[tuple[list[Sentence], Answer]]:
    """Write what is found in each sentence of a text; ``-`` is standard input.

    In place of a line that cannot be read the failed parse of EVALB is written. Pictures are
    written as one at the end.

    ``write``: from sentences to what is written of each, and what else is to be known. Returns what else is
    to be known of them.
    """

    def work(batch: list[Passage]) -> tuple[list[str], Answer | None]:
        sentences = [passage.sentence for passage in batch if passage.sentence is not None]
        return write(sentences) if sentences else ([], None)

    passages = reading().passages(applying.text)
    reading().faults.told_by_caller = True  # with what is written in their place
    fate = "left out" if notation == "svg" else f"written as {FAILED.strip()}, a failed parse"
    pictures = list[str]()
    for batch, (blocks, known) in applying.answers(work, passages, most=TOGETHER):
        for passage in batch:
            if passage.fault:
                note(f"{passage.fault}: {fate}")
        if notation == "svg":
            pictures += blocks
        else:
            answers = iter(blocks)
            sys.stdout.writelines(
                next(answers) if passage.sentence is not None else FAILED if passage.fault else ""
                for passage in batch
            )
        if known is not None:
            yield [passage.sentence for passage in batch if passage.sentence is not None], known
    if pictures:
        sys.stdout.write(stacked(pictures))


def stacked(pictures: Sequence[str]) -> str:
    """SVG documents of known size as one, each below the one before it."""
    if len(pictures) == 1:
        return pictures[0]
    parts, width, top = [], 0, 0
    for picture in pictures:
        size = _SIZE.match(picture)
        if size is None:
            raise ValueError("a picture does not begin with its size")
        parts.append(picture.replace("<svg ", f'<svg y="{top}" ', 1))
        width, top = max(width, int(size[1])), top + int(size[2])
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}">\n'
    return f"{head}{''.join(parts)}</svg>\n"


def spelt(words: Sequence[str]) -> list[str]:
    """Words as treebanks spell them: brackets have names."""
    return [BRACKETS.get(word) or word.replace("(", "-LRB-").replace(")", "-RRB-") for word in words]


def read_trees(corpus: str) -> list[Sentence]:
    """The sentences of a treebank; raises CorpusError, with file and line, where one has no tree."""
    sentences = read(corpus)
    for sentence in sentences:
        if sentence.tree is None:
            raise CorpusError(
                f"{sentence.source}: has no phrase-structure tree; grammars are learned from and compared "
                "with Penn Treebank brackets (.mrg, or --input-format penn)"
            )
    return sentences


def read_parsed(path: Path) -> list[Tree | None]:
    """The trees that a parser has written, None for each sentence without a parse (``(())``)."""
    how = reading()
    lines = checked(from_file(path).lines(how.encoding), str(path), how.encoding, how.faults)
    return list(read_parses(lines, str(path), how.faults))


def trees_of(sentences: Sequence[Sentence]) -> list[Tree]:
    """Their trees."""
    return [sentence.tree for sentence in sentences if sentence.tree is not None]
