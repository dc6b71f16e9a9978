"""``fstce tagger tag``: text in, tagged text out, in batches, as many lines as came."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, prod
from typing import Annotated, Any, Literal

from fstce.console.applying import Answered, Applying, each
from fstce.console.models import load
from fstce.console.options import Model, helped, option
from fstce.console.output import count, note, remark
from fstce.console.reading import reading
from fstce.console.texts import read
from fstce.corpora import Sentence, conllu_sentence
from fstce.corpora.conll import UPOS, replace_tags, with_misc
from fstce.corpora.passages import Passage
from fstce.corpora.streams import StreamSentence
from fstce.corpora.tables import csv_text
from fstce.corpora.tagged_text import tagged_line
from fstce.errors import ParameterError
from fstce.numeric.kernels import places
from fstce.tagging.guesser import Guesser
from fstce.tagging.product import the_one
from fstce.tagging.readings import ReadingTags, rewritten
from fstce.tagging.tagger import Engine, Tagger
from fstce.tagging.verbs.training import TaggerDecoding

STREAMS = ("apertium", "cg")
AS_THEY_ARE = ("conll", "conllu", *STREAMS)  # blank lines of which are written as they came

ARCS = 250_000  # of the product automata of a batch
# Which readings of a token are written.
Order = Literal["best", "ranked", "weighted"]
# How tagged text is written.
Notation = Literal["word/tag", "tsv", "csv", "conllu", "jsonl"]
SEPARATORS = {"tsv": "\t", "csv": ","}  # of tables, with quotation marks as spreadsheets read them
Writer = Callable[[list[Passage]], Iterable[str]]


@dataclass(frozen=True)
class Scaling:
    """How weights of readings are written."""

    weight_scale: Annotated[
        float, option("--weight-scale NUMBER", "What weights are multiplied by.")
    ] = 1.0
    weight_digits: Annotated[
        int, option("--weight-digits N", "Decimals of a weight; 0 for whole numbers.", min=0)
    ] = 6

    def __post_init__(self) -> None:
        if not 0 < self.weight_scale < inf:
            raise ParameterError(f"--weight-scale {self.weight_scale}: it is above 0, and finite")

    def written(self, nats: float) -> str:
        """A weight as text."""
        return f"{self.weight_scale * nats:.{self.weight_digits}f}"


@dataclass(frozen=True)
class Output:
    """How tags are written, and what finds them."""

    output_format: Annotated[
        Notation | None,
        option("--output-format", "word/tag unless --proba asks for a table.", show_default=False),
    ] = None
    proba: Annotated[
        bool,
        option(
            "--proba",
            "Add the posterior probability of each tag; for tsv, csv, conllu and jsonl.",
        ),
    ] = False
    engine: Annotated[
        Engine,
        option(
            "--engine",
            "openfst: composition and shortest path, sentence by sentence; the same, slowly.",
        ),
    ] = "numpy"

    def __post_init__(self) -> None:
        if self.engine != "numpy" and self.proba:
            raise ParameterError("--engine openfst writes the best tags alone: without --proba")
        if self.proba and self.output_format == "word/tag":
            raise ParameterError(
                "--proba needs a place of its own: use --output-format tsv, csv, conllu or jsonl"
            )

    @property
    def notation(self) -> Notation:
        """How text is written that does not come out as it came."""
        return self.output_format or ("tsv" if self.proba else "word/tag")


@dataclass(frozen=True)
class StreamOutput:
    """What is written of a stream of readings, which comes out as it came."""

    readings: Annotated[
        Order | None,
        option(
            "--readings",
            "Of a stream of readings, which comes out as it came: the best of each token "
            "alone, the default, all of them, the best first, or these with their weights <W:x>, "
            "−log probability.",
            show_default=False,
        ),
    ] = None
    guess: Annotated[
        str | None,
        option(
            "--guess STREAM",
            "Give unknown words of a stream readings, marked <guess>, by the endings of this "
            "one's words.",
        ),
    ] = None
    null_flush: Annotated[
        bool,
        option(
            "--null-flush -z",
            "As of lt-proc: behind a NUL all that came before is written. Streams are "
            "written so without it, too.",
        ),
    ] = False


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
  fstce tagger tag model text.txt --engine openfst
  lt-proc -w swe.automorf.bin < text | fstce tagger tag m --readings ranked
""")
def tag(
    model: Model,
    decoding: TaggerDecoding,
    applying: Applying,
    scaling: Scaling,
    output: Output,
    streams: StreamOutput,
) -> None:
    if streams.readings != "weighted" and scaling != Scaling():
        raise ParameterError("weights are written by --readings weighted alone")
    if streams != StreamOutput() and output != Output():
        raise ParameterError(
            "--readings, --guess and --null-flush write the stream as it came: without "
            "--output-format, --proba and --engine"
        )

    tagger = load(model, "tagger", **decoding)
    usual = "upos" if UPOS.issuperset(tagger.tags_) else "xpos"
    column = reading().column_of(tagger) or usual
    write: Writer = partial(_best, tagger, output=output, column=column)
    if output == Output():
        guesser = _guesser(tagger, streams.guess)
        order = streams.readings
        write = partial(
            _streams, tagger, otherwise=write, order=order, weight=scaling.written, guesser=guesser
        )

    if output.notation in SEPARATORS:
        columns = ("word", "tag", "probability")[: 2 + output.proba]
        print(SEPARATORS[output.notation].join(columns))

    written = applying.written(
        partial(_tagged, write=write),
        reading().passages(applying.text),
        partial(_as_it_came, notation=output.output_format),
        size=partial(_share, tagger),
    )
    _report(tagger, (passage.sentence for passage, _ in written if passage.sentence is not None))


def _report(tagger: Tagger, sentences: Iterable[Sentence]) -> None:
    """Go through the sentences as they are tagged; then say which words and tags are foreign."""
    rule = ReadingTags(tagger.reading_tags)
    words = 0
    unlisted = 0
    tags_of_readings = set[str]()
    for sentence in sentences:
        words += len(sentence)
        lacking = [word for word in sentence if word not in tagger.dictionary_]
        if lacking:
            forms = tagger.dictionary_.listed_forms([sentence])
            unlisted += sum(word not in forms for word in lacking)
        if isinstance(sentence, StreamSentence):
            tags_of_readings.update(*map(rule.choices, sentence.tokens))

    if tags_of_readings and tags_of_readings.isdisjoint(tagger.tags_):
        tags = f"{' '.join(tagger.tags_[:9])}: they have {' '.join(sorted(tags_of_readings)[:9])}"
        note(f"no reading has a tag of the model's, {tags}")
    listed = f"{unlisted:,} of them not" if unlisted else "all"
    remark(f"{count(words, 'word')}, {listed} in the model's dictionary" if words else "no words")


def _share(tagger: Tagger, passage: Passage) -> float:
    """The share of the arcs of a batch that a sentence takes: its words' tags, in n-grams."""
    sizes = [len(tagger.dictionary_.lookup(word)) for word in passage.sentence or ()]
    return sum(prod(sizes[max(i - tagger.order + 1, 0) : i + 1]) for i in range(len(sizes))) / ARCS


def _tagged(batch: list[Passage], write: Writer) -> list[Answered]:
    """The text to write for each sentence, or the sentence as it came if it is too large."""

    def tagged(passages: list[Passage]) -> list[Answered]:
        return list(map(Answered, write(passages)))

    def untagged(passage: Passage, error: str) -> Answered:
        line = passage.sentence.source.rpartition(":")[2] if passage.sentence is not None else ""
        warning = f"line {line} is passed through untagged: {error}"
        return Answered("".join(passage.lines) or f"{passage.sentence}\n", warning)

    return each(tagged, untagged, batch)


def _as_it_came(passage: Passage, notation: Notation | None) -> Answered:
    """Lines that are no sentence, as they came.

    A blank line of a text without the blanks, and none in JSON.
    """
    lines = "".join(passage.lines)
    is_stream = notation is None and passage.format in STREAMS
    if lines == "\ufeff" and notation != "conllu" and not is_stream:
        lines = ""  # the mark of a file that this is no more
    elif passage.lines and not lines.strip() and passage.format not in AS_THEY_ARE:
        lines = "\n"
    return Answered(lines.lstrip("\n") if notation == "jsonl" else lines)


def _guesser(tagger: Tagger, stream: str | None) -> Guesser | None:
    """Readings of unknown words by the endings of a stream's words."""
    if stream is None:
        return None
    sentences = [row for row in read(stream, by_suffix=True) if isinstance(row, StreamSentence)]
    if not sentences:
        raise ParameterError(f"--guess {stream}: it is no stream of readings")
    return Guesser(sentences, ReadingTags(tagger.reading_tags))


def _streams(
    tagger: Tagger,
    batch: list[Passage],
    otherwise: Writer,
    order: Order | None,
    weight: Callable[[float], str],
    guesser: Guesser | None,
) -> Iterable[str]:
    """Streams of readings as streams, other text as another writer writes it."""
    rows = [passage.sentence for passage in batch]
    streams = [sentence for sentence in rows if isinstance(sentence, StreamSentence)]
    if len(streams) == len(batch):
        return rewritten(tagger, streams, order or "best", weight, guesser)
    if order is not None or guesser is not None:
        raise ParameterError(
            "--readings and --guess: the text is no stream of readings, as lt-proc -w, vislcg3 "
            "and hfst-tokenise --giella-cg write them"
        )
    return otherwise(batch)


def _best(tagger: Tagger, batch: list[Passage], output: Output, column: str) -> Iterable[str]:
    """The tags alone; in rows of CoNLL-U in the places of theirs."""
    rows = [passage.sentence for passage in batch if passage.sentence is not None]
    predict = tagger.predict
    if output.engine != "numpy":  # which a product of taggers does not know
        predict = partial(the_one(tagger, "--engine openfst").predict, engine=output.engine)
    number = places(tagger.tags_)
    tables = iter(tagger.predict_proba(rows) if output.proba else ())

    for passage, sentence, tags in zip(batch, rows, predict(rows), strict=True):
        if output.notation == "conllu" and passage.columns and not output.proba:
            yield "".join(replace_tags(passage.lines, tags, column))
            continue

        pairs = zip(next(tables, ()), tags, strict=output.proba)
        chances = [f"{row[number[tag]]:.4f}" for row, tag in pairs]
        yield tagged_block(sentence, tags, chances, output.notation, column)


def tagged_block(
    words: Sentence,
    tags: Sequence[str],
    chances: Sequence[str],
    notation: Notation,
    tag_column: str,
) -> str:
    """A tagged sentence, with the posterior probability of each tag as text, or with none."""
    if notation == "word/tag":
        return tagged_line(words, tags) + "\n"
    if notation in SEPARATORS:
        columns = filter(None, (words, tags, chances))
        return csv_text(zip(*columns, strict=True), SEPARATORS[notation]) + "\n"
    if notation == "jsonl":
        record: dict[str, Any] = {"words": list(words), "tags": list(tags)}
        if chances:
            record["probabilities"] = list(map(float, chances))
        return json.dumps(record, ensure_ascii=False) + "\n"
    # CoNLL-U: ten columns; of running text also how it is written
    tagged = Sentence(words.words, tags=tags, text=words.text, spans=words.spans)
    lines = conllu_sentence(tagged, tag_column=tag_column).split("\n")
    misc = [f"Probability={chance}" for chance in chances] or [""] * len(tags)
    return "\n".join(with_misc(lines, misc))
