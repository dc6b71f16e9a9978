"""How a verb reads text: the options that every verb that reads has, and what they come to.

They are added to the verbs as they are loaded, so that each has the same ones with the same words;
what reads asks :func:`reading` for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fstce.console.options import (
    SHARED,
    AsJson,
    Format,
    Jobs,
    KBest,
    Memory,
    TagColumn,
    TagColumnOption,
    Words,
    option,
)
from fstce.console.output import count, note, remark
from fstce.console.streams import Flow, standard_input

if TYPE_CHECKING:
    from fstce.corpora import Sentence, TagDictionary, TextReader
    from fstce.corpora.faults import Faults
    from fstce.corpora.passages import Passage


# What becomes of what cannot be read.
FaultyPolicy = Literal["raise", "skip", "pass"]


@dataclass
class Reading:
    """How text is read in one run: options of every verb that reads, within which it runs."""

    raw: Annotated[
        bool | None,
        option(
            "--raw/--tokenized",
            "Whether plain text is cut into words and sentences; by default unless its punctuation "
            "stands alone between blanks.",
            panel=SHARED,
        ),
    ] = None
    tokenizer: Annotated[
        str | None,
        option("--tokenizer COMMAND", "Answers each line with its words, blanks between.", SHARED),
    ] = None
    faulty: Annotated[
        FaultyPolicy,
        option(
            "--faulty",
            "What cannot be read: stop there, leave it out, or pass it through; by default verbs "
            "that train or score stop, and those that answer a text pass it through.",
            SHARED,
            show_default=False,
        ),
    ] = "raise"
    encoding: Annotated[
        str,
        option("--encoding", "Of the input, and of dictionaries and lists not in UTF-8.", SHARED),
    ] = "utf-8"
    format: Annotated[
        Format | None,
        option(
            "--input-format FORMAT",
            "How the input is written; by default as its suffix or its first lines say: penn, "
            "conllu, conllx, tagged, vertical, table, jsonl, apertium, cg, plain.",
            SHARED,
        ),
    ] = None
    tag_column: TagColumnOption = None

    def __post_init__(self) -> None:
        if self.encoding != "utf-8":
            from fstce.corpora.documents import check_encoding

            check_encoding(self.encoding)

    @contextmanager
    def followed(self) -> Iterator[None]:
        """While it lasts text is read so; then say how words were found and what was left out."""
        from fstce.corpora.documents import ENCODING

        outer = _CURRENT.set(self)
        outer_encoding = ENCODING.set(self.encoding)
        try:
            yield
        finally:
            _CURRENT.reset(outer)
            ENCODING.reset(outer_encoding)

        self.report()

    @cached_property
    def faults(self) -> Faults:
        """The faults of the run."""
        from fstce.corpora.faults import Faults

        return Faults(self.faulty, note)

    @cached_property
    def text(self) -> TextReader:
        """The reader of plain text of the run."""
        from fstce.corpora import TextReader
        from fstce.processes.line_program import LineProgram

        program = None if self.tokenizer is None else LineProgram(self.tokenizer)
        return TextReader(raw=self.raw, tokenizer=program)

    def leave_words(self) -> None:
        """Cut a text at white space alone, which is no guess about it.

        Others tell its words apart.
        """
        self.text.tokenized = True
        self.text.raw = False

    def use(self, model: Any) -> None:
        """Cut words as in the training text of a model."""
        from fstce.corpora import Conventions

        conventions = getattr(model, "tokenization_", {}).get("conventions")
        if conventions is not None:
            self.text.conventions = Conventions.from_dict(conventions)

    def column_of(self, model: Any) -> TagColumn | None:
        """The column of a model's tags: the one that is asked for, or that of its training."""
        return self.tag_column or getattr(model, "tokenization_", {}).get("tag_column")

    def sentences(self, spec: str, *, by_suffix: bool = False) -> Iterator[Sentence]:
        """The sentences of a corpus as they are read; ``-`` is standard input.

        ``by_suffix``: whether it is a corpus besides the input, written as its own suffix says.
        """
        from fstce.corpora import iter_corpus

        resolved = self._resolved(spec, None if by_suffix else self.format)
        return iter_corpus(*resolved, text=self.text, faults=self.faults)

    def passages(self, spec: str, plain: str = "plain") -> Iterator[Passage]:
        """The sentences with what stands around them; `plain`: the format of other text."""
        from fstce.corpora.read import iter_passages

        resolved = self._resolved(spec, self.format)
        return iter_passages(*resolved, text=self.text, faults=self.faults, plain=plain)

    def _resolved(self, spec: str, format: str | None) -> tuple[Any, str | None, str, str | None]:
        source: Any = standard_input() if spec == "-" else spec
        if isinstance(source, Flow):
            self.text.lookahead = source.ready
        return source, format, self.encoding, self.tag_column

    def record(
        self, sentences: Sequence[Sentence], dictionary: TagDictionary | None = None
    ) -> dict[str, Any]:
        """The conventions and faults of a text, for the model that is trained on it.

        Of a tagger with a dictionary also the column that the tags came from, where one did.
        """
        from fstce.corpora import recognize

        running = "text" in vars(self) and self.text.cut
        conventions = self.text.conventions if running else recognize(sentences)
        faults = self.faults.summary()
        record: dict[str, Any] = {"conventions": conventions.to_dict()}
        if faults:
            record["faults"] = faults
        if dictionary is None:
            return record

        tagset = set(dictionary.tagset)
        columns = {
            s.tag_column for s in sentences if s.tag_column and tagset.issuperset(s.tags or ())
        }
        columns = columns or {dictionary.tag_column} - {""}
        if len(columns) == 1:
            record["tag_column"] = columns.pop()
        return record

    def report(self) -> None:
        """Say how words were found, where that could be doubted, and what was left out."""
        read = vars(self)
        if "text" in read and self.text.tokenized and self.text.raw is None:
            remark(f"read as {self.text} (--raw cuts it)")
        elif "text" in read and self.text.cut:
            remark(f"read as {self.text} (--tokenized leaves it)")
        if "faults" in read and self.faults.count and not self.faults.reported_by_caller:
            places = count(self.faults.count, "place")
            fate = "skip" if self.faults.lost == self.faults.count else self.faulty
            remark(f"{places} that could not be read: {_FATE[fate]}")


_FATE = {"raise": "reported", "skip": "left out", "pass": "passed through as it is"}
_CURRENT: ContextVar[Reading | None] = ContextVar("reading", default=None)


def reading() -> Reading:
    """How text is read in this run."""
    current = _CURRENT.get()
    if current is None:
        current = Reading()
        _CURRENT.set(current)
    return current


def shared_options(
    *,
    around: Reading,
    words: Words = None,
    memory: Memory = None,
    k: KBest = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Take the options that many verbs share: what ``fstce --help`` describes."""
