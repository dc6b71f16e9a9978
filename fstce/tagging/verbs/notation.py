"""How tagged sentences are written: ``word/tag`` lines, tables, or the k best with their log weights."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import StringIO
from typing import Literal

from fstce.corpora import Sentence, conllu_sentence
from fstce.corpora.conll import with_misc
from fstce.errors import ParameterError
from fstce.numeric.types import Rows
from fstce.tagging.tagger import Tagger

Writer = Callable[["Tagger", "Rows"], Iterable[str]]


# How tagged text is written.
Notation = Literal["word/tag", "tsv", "conllu", "csv", "jsonl"]


def writer(notation: Notation | None, decoder: str | None, proba: bool, k: int | None) -> Writer:
    """From a tagger and sentences to a block of text for each sentence, as the options ask."""
    chosen = notation or ("tsv" if proba else "word/tag")
    if k is not None:
        _check_k(chosen, decoder, proba)
        return partial(_k_best, k=k)
    if proba and chosen in ("word/tag", "csv"):
        raise ParameterError("--proba needs a place of its own: use --output-format tsv, conllu or jsonl")
    return partial(_best, notation=chosen, proba=proba)


def slashed(words: Sequence[str], tags: Sequence[str]) -> str:
    """A sentence in ``word/tag`` notation."""
    return " ".join(f"{word}/{tag}" for word, tag in zip(words, tags, strict=True))


def _check_k(notation: Notation, decoder: str | None, proba: bool) -> None:
    if notation != "word/tag":
        raise ParameterError("--k lists whole tag sequences: use --output-format word/tag, without --proba")
    if decoder not in (None, "viterbi"):
        raise ParameterError("--k lists the best tag sequences: use --decoder viterbi")


def _k_best(tagger: Tagger, sentences: Rows, k: int) -> Iterable[str]:
    for words, best in zip(sentences, tagger.k_best(sentences, k), strict=True):
        yield "".join(f"{weight:.6f}\t{slashed(words, tags)}\n" for tags, weight in best)


def _best(tagger: Tagger, sentences: Rows, notation: Notation, proba: bool) -> Iterable[str]:
    tagged = tagger.predict(sentences)
    chances = _chances(tagger, sentences, tagged) if proba else [[""] * len(tags) for tags in tagged]
    block = _BLOCKS[notation]
    for words, tags, row in zip(sentences, tagged, chances, strict=True):
        yield block(words, tags, row)


def _chances(tagger: Tagger, sentences: Rows, tagged: list[list[str]]) -> list[list[str]]:
    """The posterior probability of each tag, as text."""
    column = {tag: i for i, tag in enumerate(tagger.tags_)}
    tables = tagger.predict_proba(sentences)
    return [
        [f"{row[column[tag]]:.4f}" for row, tag in zip(table, tags, strict=True)]
        for table, tags in zip(tables, tagged, strict=True)
    ]


def _line(words: Sequence[str], tags: Sequence[str], chances: Sequence[str]) -> str:
    return slashed(words, tags) + "\n"


def _table(words: Sequence[str], tags: Sequence[str], chances: Sequence[str]) -> str:
    rows = zip(words, tags, chances, strict=True)
    return "".join("\t".join(filter(None, row)) + "\n" for row in rows) + "\n"


def _conllu(words: Sequence[str], tags: Sequence[str], chances: Sequence[str]) -> str:
    """Ten columns, the tag as XPOS; of running text also how it is written."""
    original = words if isinstance(words, Sentence) else Sentence(words)
    sentence = Sentence(original.words, tags=tags, text=original.text, spans=original.spans)
    lines = conllu_sentence(sentence, tag_column="xpos").split("\n")
    return "\n".join(with_misc(lines, [f"Probability={chance}" if chance else "" for chance in chances]))


def _row(words: Sequence[str], tags: Sequence[str], chances: Sequence[str]) -> str:
    """A sentence a row, below HEADER."""
    block = StringIO()
    csv.writer(block, lineterminator="\n").writerow((" ".join(words), " ".join(tags)))
    return block.getvalue()


def _json(words: Sequence[str], tags: Sequence[str], chances: Sequence[str]) -> str:
    record = {"words": list(words), "tags": list(tags)}
    probabilities = {"probabilities": [float(chance) for chance in chances]} if any(chances) else {}
    return json.dumps({**record, **probabilities}, ensure_ascii=False) + "\n"


HEADER = "sentence,tags\n"
DATA = ("csv", "jsonl")  # without blank lines
_BLOCKS = {
    "word/tag": _line,
    "tsv": _table,
    "conllu": _conllu,
    "csv": _row,
    "jsonl": _json,
}
