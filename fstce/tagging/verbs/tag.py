"""``fstce tagger tag``: text in, tagged text out, in batches, as many lines as came."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from math import prod
from typing import Annotated

import typer

from fstce.console.applying import Applying
from fstce.console.models import load
from fstce.console.options import FormatOption, KBest, Model, helped
from fstce.console.output import count, note
from fstce.console.reading import reading
from fstce.console.texts import flat, unknown
from fstce.corpora.conll import UPOS, replace_tags
from fstce.corpora.passages import Passage
from fstce.errors import MachineError
from fstce.tagging.tagger import Tagger
from fstce.tagging.verbs.notation import DATA, HEADER, Notation, Writer, writer
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
    format: FormatOption = None,
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
        reading().passages(applying.text, format),
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
