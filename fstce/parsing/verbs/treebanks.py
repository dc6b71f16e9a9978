"""Treebanks as the options ask for them.

Read, without punctuation, short, in the grammar's own tags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fstce.chart.shape import ChartSizeError
from fstce.console.options import TagColumnOption, option
from fstce.console.output import count, remark
from fstce.console.reading import reading
from fstce.console.texts import words_of_file
from fstce.corpora import Sentence, dependency_corpus
from fstce.corpora.dependencies import DependencyCorpus
from fstce.errors import CorpusError, MachineError

# What a grammar calls a word.
TagSource = Literal["tag", "word", "coarse"]
# How sentences are prepared where neither a model nor an option says it; no punctuation is the
# usual one.
USUAL: dict[str, Any] = {"tags": "tag", "tag_column": None, "punctuation": None}
MAX_LENGTH_HELP = (
    "The most words of a sentence, counted without punctuation; longer ones are left out."
)


@dataclass(frozen=True)
class Preparation:
    """How sentences become what a grammar sees.

    ``how``: what a model keeps of it, for those who parse with the model; see `USUAL`.
    """

    how: dict[str, Any]
    max_length: int | None = None

    def iterate(self, spec: str) -> Iterator[Sentence]:
        """The sentences of a corpus as they are read; ``-`` is standard input."""
        return reading().sentences(spec, self.how["tag_column"])

    def apply(self, sentences: Iterable[Sentence], **options: Any) -> DependencyCorpus:
        """The sentences prepared; the options are those of `dependency_corpus`."""
        read = list(sentences)
        for sentence in read:
            if sentence.tags is None and self.how["tags"] != "word":
                raise CorpusError(
                    f"{sentence.source}: the sentence has no tags; tag it first, or take its words "
                    "for tags with --tags word"
                )
        how = {name: value for name, value in self.how.items() if name != "tag_column"}
        return dependency_corpus(read, max_length=self.max_length, **how, **options)


@dataclass(frozen=True)
class PreparationOptions:
    """How sentences are prepared: with a model as in its training, but for what is given."""

    tags: Annotated[
        TagSource | None,
        option(
            "--tags",
            "What the grammar calls a word: its tag, the word itself, or the coarse class of its "
            "Penn Treebank tag; by default its tag, with a model as in training.",
        ),
    ] = None
    tag_column: TagColumnOption = None
    punctuation: Annotated[
        str | None,
        option(
            "--punctuation FILE|none",
            "A file with the tags to remove as punctuation, or none to remove nothing; by default "
            "those of the Penn Treebank and of Universal Dependencies.",
        ),
    ] = None

    def preparation(self, saved: Mapping[str, Any], max_length: int | None = None) -> Preparation:
        """The options that are given, else those that the model keeps."""
        asked = {name: value for name, value in vars(self).items() if value is not None}
        if self.punctuation is not None:
            none = self.punctuation.lower() == "none"
            hint = "name a file of tags"
            tags = () if none else words_of_file("--punctuation", self.punctuation, hint)
            asked["punctuation"] = sorted(tags)
        how = {name: asked.get(name, saved.get(name, usual)) for name, usual in USUAL.items()}
        return Preparation(how, max_length)


@contextmanager
def placed(corpus: DependencyCorpus) -> Iterator[None]:
    """While it lasts a chart that is too large is that of the longest sentence,
    by file and line.
    """
    try:
        yield
    except ChartSizeError as error:
        longest = max(corpus, key=len)
        where = f"{longest.original.source}, {len(longest)} words"
        raise MachineError(f"{where}: {error}; --max-length leaves longer sentences out") from None


def first_fault(faults: Sequence[str]) -> str:
    """The first of some messages, and how many more there are."""
    if len(faults) == 1:
        return faults[0]
    return f"{faults[0]} (and {count(len(faults) - 1, 'more such sentence')})"


def check_some(corpus: DependencyCorpus, spec: str, max_length: int | None) -> None:
    """Say how many sentences were left out, and why; raise CorpusError if none is left."""
    reasons = [
        (corpus.n_long, f"of more than {max_length} words"),
        (corpus.n_empty, "with nothing but punctuation"),
        (len(corpus.faults), "whose heads are no tree"),
    ]
    dropped = ", ".join(f"{number:,} {reason}" for number, reason in reasons if number)

    if not len(corpus):
        read = count(corpus.n_read, "sentence")
        why = "see --max-length and --punctuation"
        if corpus.faults:
            why = first_fault(corpus.faults)
        raise CorpusError(f"{spec}: of {read} none is left: {dropped}; {why}")

    if dropped:
        remark(f"left out of {corpus.n_read:,} sentences: {dropped}")
    if corpus.faults:
        remark(f"left out: {first_fault(corpus.faults)}")
