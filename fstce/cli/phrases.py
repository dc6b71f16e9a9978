"""Phrase-structure trees: read from treebanks, found in texts, written as brackets or drawn as text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from fstce.cli.options import Format
from fstce.cli.reading import reading
from fstce.cli.streams import batches
from fstce.cli.texts import read
from fstce.errors import CorpusError

if TYPE_CHECKING:
    from fstce.corpora import Sentence, Tree

_BRACKETS = {"(": "-LRB-", ")": "-RRB-", "{": "-LCB-", "}": "-RCB-", "[": "-LSB-", "]": "-RSB-"}


class PhraseNotation(str, Enum):
    """How phrases are written."""

    penn = "penn"
    text = "text"


PhraseOutput = Annotated[
    PhraseNotation,
    typer.Option("--output-format", help="Penn trees, one a line; or drawn as text."),
]


def phrase_writer(notation: PhraseNotation) -> Callable[[Tree], str]:
    """What writes a phrase-structure tree."""
    if notation is PhraseNotation.penn:
        return lambda tree: f"{tree}\n"
    return lambda tree: f"{tree.pretty()}\n\n"


def sentence_batches(text: str, format: Format | None) -> Iterator[list[Sentence]]:
    """The sentences of a text, many at a time; ``-`` is standard input.

    In place of a line that cannot be read the failed parse of EVALB is written.
    """
    empty = True
    for batch in batches(reading().passages(text, format), text):
        sentences: list[Sentence] = []
        for passage in batch:
            empty = empty and passage.sentence is None
            if passage.sentence is not None:
                sentences.append(passage.sentence)
            elif passage.fault:
                if sentences:
                    yield sentences
                sentences = []
                sys.stdout.write("(())\n")
        if sentences:
            yield sentences
    if empty:
        raise CorpusError(f"{text}: holds no sentence")


def spelt(words: Sequence[str]) -> list[str]:
    """Words as treebanks spell them: brackets have names.

    >>> spelt(("see", "(", "1(a", ")"))
    ['see', '-LRB-', '1-LRB-a', '-RRB-']
    """
    return [_BRACKETS.get(word) or word.replace("(", "-LRB-").replace(")", "-RRB-") for word in words]


def read_trees(corpus: str, format: Format | None = None) -> list[Sentence]:
    """The sentences of a treebank; raises CorpusError, with file and line, where one has no tree."""
    sentences = read(corpus, format)
    for sentence in sentences:
        if sentence.tree is None:
            raise CorpusError(
                f"{sentence.source}: has no phrase-structure tree; grammars are learnt from and compared "
                "with Penn Treebank brackets (.mrg, or --input-format penn)"
            )
    return sentences


def trees_of(sentences: Sequence[Sentence]) -> list[Tree]:
    """Their trees."""
    return [sentence.tree for sentence in sentences if sentence.tree is not None]
