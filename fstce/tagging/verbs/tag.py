"""``fstce tagger tag``: text in, tagged text out, in batches, as many lines as came, in any notation."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import StringIO
from math import prod
from typing import Annotated, Literal

import typer

from fstce.console.applying import Applying
from fstce.console.models import load
from fstce.console.options import KBest, Model, helped
from fstce.console.output import count, note
from fstce.console.reading import reading
from fstce.console.texts import flat, unknown
from fstce.corpora import Sentence, conllu_sentence
from fstce.corpora.conll import UPOS, replace_tags, with_misc
from fstce.corpora.passages import Passage
from fstce.errors import MachineError, ParameterError
from fstce.numeric.types import Rows
from fstce.tagging.tagger import Tagger
from fstce.tagging.verbs.training import TaggerDecoding

Line = list[str]

ARCS = 250_000  # of the product automata of a batch
MOST_TYPES = 100_000  # unknown words that are distinguished, so that memory is bounded


@helped("""Tag a text: one sentence a line comes out.

Running text is cut into words and sentences as the training text was. Lines come out in
the order in which they came in, blank ones too; CoNLL-U into CoNLL-U changes the tags and
nothing else. Words that the model's dictionary does not list are counted at the end, on
standard error.

\b
Examples:
  echo "the old clock stopped ." | fstce tagger tag model
  fstce tagger tag model text.txt --output-format tsv --proba
  fstce tagger tag model text.txt --decoder posterior > tagged.pos
  fstce tagger tag model trees.mrg --output-format conllu
  echo "the old clock stopped ." | fstce tagger tag model --k 3
""")
def tag(
    model: Model,
    decoding: TaggerDecoding,
    applying: Applying,
    output_format: Annotated[
        Notation | None,
        typer.Option("--output-format", help="word/tag unless --proba asks for a table.", show_default=False),
    ] = None,
    proba: Annotated[
        bool,
        typer.Option("--proba", help="Add the posterior probability of each tag; for tsv, conllu and jsonl."),
    ] = False,
    k: KBest = None,
) -> None:
    write = writer(output_format, decoding.get("decoder"), proba, k)
    tagger = load(model, "tagger", **decoding)
    column = _column(tagger) if output_format == "conllu" and not proba else None
    tally = _Tally(tagger)
    if output_format == "csv":
        sys.stdout.write(HEADER)
    in_columns, as_data = output_format == "conllu", output_format in DATA
    for batch, blocks in applying.answers(
        partial(_tagged, write=write, tagger=tagger, column=column),
        reading().passages(applying.text),
        size=partial(_share, tagger),
    ):
        for _, warning in blocks:
            if warning:
                note(warning)
        tagged = iter(block for block, _ in blocks)
        sys.stdout.writelines(
            next(tagged) if p.sentence is not None else _as_it_came(p, in_columns).lstrip("\n" * as_data)
            for p in batch
        )
        tally.add(p.sentence for p in batch if p.sentence is not None)
    if not applying.quiet:
        tally.tell()


def _column(tagger: Tagger) -> str:
    """The column of CoNLL that the tags are written into."""
    return reading().tag_column or ("upos" if UPOS.issuperset(tagger.tags_) else "xpos")


def _share(tagger: Tagger, passage: Passage) -> float:
    """What part of the arcs of a batch a sentence takes: its words' tags, in n-grams."""
    sizes = [len(tagger.dictionary_.lookup(word)) for word in passage.sentence or ()]
    return sum(prod(sizes[max(i - tagger.order + 1, 0) : i + 1]) for i in range(len(sizes))) / ARCS


def _tagged(batch: list[Passage], write: Writer, tagger: Tagger, column: str | None) -> list[tuple[str, str]]:
    """What is written of each sentence, and a warning of one that is too large and comes out as it came."""
    passages = [passage for passage in batch if passage.sentence is not None]
    try:
        return [(block, "") for block in _blocks(passages, write, tagger, column)] if passages else []
    except MachineError as error:
        if len(passages) > 1:
            return [pair for passage in passages for pair in _tagged([passage], write, tagger, column)]
        block = "".join(passages[0].lines) or f"{passages[0].sentence}\n"
        return [(block, f"line {_line(passages[0])} is passed through untagged: {error}")]


def _blocks(passages: list[Passage], write: Writer, tagger: Tagger, column: str | None) -> Iterable[str]:
    """The sentences with their tags; where they stand in columns, with this one replaced."""
    sentences = [passage.sentence for passage in passages if passage.sentence is not None]
    if column is None or not all(passage.columns for passage in passages):
        return write(tagger, sentences)
    rows = zip(passages, tagger.predict(sentences), strict=True)
    return ("".join(replace_tags(passage.lines, tags, column)) for passage, tags in rows)


def _as_it_came(passage: Passage, in_columns: bool) -> str:
    """What is no sentence; a blank line of a text without the blanks."""
    lines = "".join(passage.lines)
    if lines == "\ufeff" and not in_columns:
        return ""  # the mark of a file that this is no more
    return lines if passage.format.startswith("conll") or lines.strip() or not passage.lines else "\n"


def _line(passage: Passage) -> str:
    """The number of a sentence's line."""
    return passage.sentence.source.rpartition(":")[2] if passage.sentence is not None else ""


class _Tally:
    """Counts the words that the dictionary does not list."""

    def __init__(self, tagger: Tagger) -> None:
        self._dictionary = tagger.dictionary_
        self._words = 0
        self._unknown = 0
        self._types: set[str] = set()

    def add(self, lines: Iterable[Sequence[str]]) -> None:
        """Count a batch."""
        words = list(flat(lines))
        missing = unknown(words, self._dictionary)
        self._words += len(words)
        self._unknown += len(missing)
        if len(self._types) < MOST_TYPES:
            self._types.update(missing)

    def tell(self) -> None:
        """Say what was counted."""
        words = count(self._words, "word")
        if not self._words:
            note("no words")
            return
        if not self._unknown:
            note(f"{words}, all in the model's dictionary")
            return
        sizes = sorted({len(self._dictionary.lookup(word)) for word in self._types})
        choice = f"{sizes[0]} to {sizes[-1]} tags" if len(sizes) > 1 else count(sizes[0], "tag")
        types = count(len(self._types), "type") + ("" if len(self._types) < MOST_TYPES else " or more")
        note(
            f"{words}, {self._unknown:,} of them ({types}) not in the model's "
            f"dictionary: these could take {choice} each"
        )


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


def _slashed(words: Sequence[str], tags: Sequence[str], chances: Sequence[str]) -> str:
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
    "word/tag": _slashed,
    "tsv": _table,
    "conllu": _conllu,
    "csv": _row,
    "jsonl": _json,
}
