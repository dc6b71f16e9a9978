"""``fstce tagger tag``: text in, tagged text out, in batches, as many lines as came."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fstce.cli.options import DecoderName, Decoding, Format, FormatOption, Model, Quiet
from fstce.cli.output import count, note
from fstce.cli.streams import batches
from fstce.cli.tagger.notation import Notation, Writer, writer
from fstce.cli.texts import flat, unknown
from fstce.errors import MachineError

if TYPE_CHECKING:
    from fstce.corpora.documents import Document
    from fstce.tagging.tagger import Tagger

Line = list[str]


def tag(
    model: Model,
    text: Annotated[str, typer.Argument(metavar="[INPUT]", help="A text; - is standard input.")] = "-",
    format: FormatOption = None,
    output_format: Annotated[
        Notation | None,
        typer.Option("--output-format", help="word/tag unless --proba asks for a table.", show_default=False),
    ] = None,
    decoder: Decoding = DecoderName.viterbi,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the posterior probability of each tag; for tsv and conllu.")
    ] = False,
    k: Annotated[
        int | None,
        typer.Option("--k", min=1, help="The N best tag sequences, each behind its log weight and a tab."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Tag a text: one sentence a line, words separated by spaces.

    Lines come out in the order in which they came in, blank ones too. Words that the
    model's dictionary does not list are counted at the end, on standard error.

    \b
    Examples:
      echo "the old clock stopped ." | fstce tagger tag model
      fstce tagger tag model text.txt --output-format tsv --proba
      fstce tagger tag model text.txt --decoder posterior > tagged.pos
      fstce tagger tag model trees.mrg --output-format conllu
      echo "the old clock stopped ." | fstce tagger tag model --k 3
    """
    from fstce.tagging.tagger import Tagger

    write = writer(output_format, decoder, proba, k)
    tagger = Tagger.load(model).set_params(decoder=decoder.value)
    tally = _Tally(tagger)
    number = 1
    for lines in batches(_lines(text, format), text):
        _write_lines(lines, write, tagger, number)
        tally.add(lines)
        number += len(lines)
    if not quiet:
        tally.tell()


def _write_lines(lines: list[Line], write: Writer, tagger: Tagger, first: int) -> None:
    """Tag the lines that hold words, and put the blank ones back between them."""
    sentences = [line for line in lines if line]
    try:
        blocks = iter(list(write(tagger, sentences)) if sentences else [])
    except MachineError:
        numbered = [(n, line) for n, line in enumerate(lines, first) if line]
        blocks = iter([_alone(line, n, write, tagger) for n, line in numbered])
    sys.stdout.writelines(next(blocks) if line else "\n" for line in lines)
    sys.stdout.flush()


def _alone(line: Line, number: int, write: Writer, tagger: Tagger) -> str:
    """One line tagged; passed through as it is, with a warning, where it is too large."""
    try:
        (block,) = write(tagger, [line])
    except MachineError as error:
        note(f"line {number} is passed through untagged: {error}")
        return " ".join(line) + "\n"
    return block


def _lines(text: str, format: Format | None) -> Iterator[Line]:
    """The words of every line; in a treebank, of every sentence."""
    from fstce.corpora import iter_corpus
    from fstce.corpora.documents import from_file, from_stream

    source = sys.stdin.buffer if text == "-" else text
    if not _is_plain(text, format):
        return (list(sentence) for sentence in iter_corpus(source, format and format.value))
    return _plain(from_stream(sys.stdin.buffer) if text == "-" else from_file(Path(text)))


def _is_plain(text: str, format: Format | None) -> bool:
    """Whether the input is lines of words, blank ones among them, rather than a treebank."""
    from fstce.corpora.formats import format_of

    readable = text == "-" or (Path(text).is_file() and Path(text).suffix.lower() != ".zip")
    return readable and (format.value if format else format_of(text)) == "plain"


def _plain(document: Document) -> Iterator[Line]:
    from fstce.corpora.words import clean_word

    for number, line in document.lines():
        yield [clean_word(word, f"{document.name}:{number}") for word in line.split()]


class _Tally:
    """Counts the words that the dictionary does not list."""

    def __init__(self, tagger: Tagger) -> None:
        self._dictionary = tagger.dictionary_
        self._words = 0
        self._unknown = 0
        self._types: set[str] = set()

    def add(self, lines: Iterable[Line]) -> None:
        """Count a batch."""
        words = list(flat(lines))
        missing = unknown(words, self._dictionary)
        self._words += len(words)
        self._unknown += len(missing)
        self._types.update(missing)

    def tell(self) -> None:
        """Say what was counted."""
        words = count(self._words, "word")
        if not self._unknown:
            note(f"{words}, all in the model's dictionary")
            return
        choice = len(self._dictionary.lookup(next(iter(self._types))))
        note(
            f"{words}, {self._unknown:,} of them ({count(len(self._types), 'type')}) not in the model's "
            f"dictionary: these could take {count(choice, 'tag')} each"
        )
