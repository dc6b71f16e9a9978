"""Sentences with the lines that they stand on, so that a text can be written back as it came.

What is no sentence (blank lines, comments between blocks, places that cannot be read) is a passage
too: whoever changes the sentences writes everything else as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fstce.corpora.conll import blocks, conllu_sentence_of, conllx_sentence_of
from fstce.corpora.documents import Lines, check_text
from fstce.corpora.faults import Faults
from fstce.corpora.penn import sentence_of, sound_trees, sources
from fstce.corpora.running_text import TextReader
from fstce.corpora.sentence import Sentence
from fstce.corpora.tagged import tagged_sentence, vertical_blocks, vertical_sentence
from fstce.corpora.trees import Tree
from fstce.errors import CorpusError


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
    tag_column: str | None,
    text: TextReader,
    faults: Faults,
    encoding: str = "utf-8",
) -> Iterator[Passage]:
    r"""The passages of numbered lines that keep their ends, and their bytes that are no text.

    >>> given = iter([(1, "It's late. Go!\n"), (2, "\n")])
    >>> for passage in passages(given, "a.txt", "plain", None, TextReader(), Faults("pass")):
    ...     print(passage.sentence, passage.lines)
    It 's late . ()
    Go ! ()
    None ('\n',)
    """
    if format == "plain":
        lines = text.decided(lines)

    def read(rows: list[tuple[int, str]]) -> Sequence[Sentence | None]:
        number, line = rows[0]
        if format == "plain":
            return text.sentences(line, f"{name}:{number}")
        if format == "tagged":
            return [tagged_sentence(line, f"{name}:{number}")]
        if format == "vertical":
            return [vertical_sentence(rows, name)]
        block = conllu_sentence_of if format == "conllu" else conllx_sentence_of
        return [block(rows, name, tag_column)]

    if format == "penn":
        yield from _of_trees(lines, name, faults)
        return
    for group in _GROUPS.get(format, _single)(lines):
        given = tuple(line for _, line in group)
        try:
            for number, line in group:
                check_text(line, f"{name}:{number}", encoding)
            found = [s for s in read([(n, line.rstrip("\r\n")) for n, line in group]) if s is not None]
        except CorpusError as error:
            faults.add(error)
            passed = faults.policy == "pass"  # what is left out is an empty passage: there is no need to wait
            yield Passage(None, given, str(error), format) if passed else Passage(None, format=format)
            continue
        if faults.fatal:
            continue
        if not found:  # the markup of vertical text is that of its layout
            yield Passage(None, () if format == "vertical" else given, format=format)
        own = given if len(found) == 1 else ()
        yield from (Passage(sentence, own, format=format) for sentence in found)


def _single(lines: Lines) -> Iterator[list[tuple[int, str]]]:
    return ([line] for line in lines)


_GROUPS: dict[str, Callable[[Lines], Iterator[list[tuple[int, str]]]]] = {
    "conllu": blocks,
    "conllx": blocks,
    "vertical": vertical_blocks,
}


def _of_trees(lines: Lines, name: str, faults: Faults) -> Iterator[Passage]:
    """Trees, and what is none with its lines."""
    for source in sources(lines, name):
        for where, found, text in sound_trees(source, faults):
            if isinstance(found, CorpusError) and faults.policy == "pass":
                given = text if text.endswith("\n") else f"{text}\n"
                yield Passage(None, tuple(given.splitlines(keepends=True)), str(found), "penn")
            elif isinstance(found, Tree):
                yield Passage(sentence_of(found, where), format="penn")
            else:
                yield Passage(None, format="penn")
