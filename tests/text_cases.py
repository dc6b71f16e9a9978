"""Texts of a treebank as they were written, and how well a tokenizer finds their words again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from fstce.corpora import Sentence
from fstce.corpora.documents import checked, from_file
from fstce.corpora.faults import Faults
from fstce.corpora.formats import Lines
from fstce.corpora.passages import passages as passages_of
from fstce.corpora.running_text import TextReader

Span = tuple[int, int]


def checked_lines(path: Path, data: bytes, encoding: str = "utf-8") -> list[tuple[int, str]]:
    """The lines of a file of these bytes, which is written."""
    path.write_bytes(data)
    return list(checked(from_file(path).lines(encoding), str(path), encoding))


def sentences_of(
    lines: Lines, name: str, format: str, faults: Faults | None = None, **options: Any
) -> Iterator[Sentence]:
    """The sentences of numbered lines; what cannot be read is raised at the end, if faults are."""
    faults = faults or Faults()
    for passage in passages_of(lines, name, format, faults=faults, **options):
        if passage.sentence is not None:
            yield passage.sentence
    faults.finish()


def passages(
    sentences: Sequence[Sentence], n: int = 5
) -> Iterator[tuple[str, list[Span], list[Span]]]:
    """Every n sentences as a line of text, with the spans of its words and of its sentences."""
    for at in range(0, len(sentences), n):
        text, words, whole = "", list[Span](), list[Span]()
        for sentence in sentences[at : at + n]:
            start = len(text)
            words += [(a + start, b + start) for a, b in sorted(set(sentence.spans or ()))]
            whole.append((words[-sentence_width(sentence)][0], words[-1][1]))
            text += f"{sentence.text} "
        yield text.rstrip(), words, whole


def sentence_width(sentence: Sentence) -> int:
    return len(set(sentence.spans or ()))


def found_by(reader: TextReader, text: str) -> tuple[list[Span], list[Span]]:
    """The spans of words and sentences that our reader finds in a line."""
    words, whole, at = list[Span](), list[Span](), 0
    for sentence in reader.sentences(text, "text:1"):
        at = text.index(sentence.text, at)
        words += [(at + a, at + b) for a, b in sorted(set(sentence.spans or ()))]
        whole.append((at, at + len(sentence.text)))
        at += len(sentence.text)
    return words, whole


def f1(gold: Iterable[Iterable[Span]], found: Iterable[Iterable[Span]]) -> float:
    """The harmonic mean of precision and recall, in percent."""
    pairs = [(set(a), set(b)) for a, b in zip(gold, found, strict=True)]
    same, total = sum(len(a & b) for a, b in pairs), sum(len(a) + len(b) for a, b in pairs)
    return 200 * same / total if total else 100.0


def written(sentence: Sentence) -> str:
    """A sentence of the Penn Treebank as a writer would set it."""
    text = " ".join(sentence.words).replace("-LRB- ", "(").replace(" -RRB-", ")")
    text = text.replace("`` ", '"').replace(" ''", '"')
    for mark in [",", ".", ";", ":", "?", "!", "n't", "'s", "'m", "'d", "'ll", "'re", "'ve", "'"]:
        text = text.replace(f" {mark}", mark)
    return text
