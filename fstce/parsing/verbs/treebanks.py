"""Treebanks as grammars see them: tags of short sentences without punctuation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fstce.chart.shape import ChartSizeError
from fstce.console.output import count, remark
from fstce.corpora.dependencies import DependencyCorpus
from fstce.errors import CorpusError, MachineError
from fstce.parsing.parser import DependencyParser

Columns = tuple[list[tuple[str, ...]], list[tuple[int, ...]]]
MAX_LENGTH_HELP = (
    "The most words of a sentence, counted without punctuation; longer ones are left out."
)


@contextmanager
def placed(corpus: DependencyCorpus) -> Iterator[None]:
    """While it lasts, say the longest sentence's file and line where a chart is too large."""
    try:
        yield
    except ChartSizeError as error:
        longest = max(corpus, key=len)
        where = f"{longest.original.source}, {len(longest)} words"
        raise MachineError(f"{where}: {error}; --max-length leaves longer sentences out") from None


def report_unseen(tags: Counter[str], parser: DependencyParser) -> None:
    """Of the tags of some words, say which training did not see."""
    unseen = {tag: times for tag, times in tags.items() if tag not in parser.model_.tags}
    if not unseen:
        return
    names = list(unseen)
    listed = " ".join(names[:10]) + " …" * (len(names) > 10)
    remark(
        f"{sum(unseen.values()):,} of {count(tags.total(), 'word')} have "
        f"{count(len(names), 'tag')} that training did not see ({listed}): they attach anywhere, "
        "with weight zero"
    )
    if unseen == tags:
        remark("no tag is the model's: was it trained with another --tag-column?")


def first_fault(faults: Sequence[str]) -> str:
    """The first of some messages, and how many more there are."""
    if len(faults) == 1:
        return faults[0]
    return f"{faults[0]} (and {count(len(faults) - 1, 'more such sentence')})"


def columns(corpus: DependencyCorpus) -> Columns:
    """Tags and heads; no heads where a sentence has none."""
    rows = [sentence.tags or () for sentence in corpus]
    return rows, [sentence.heads or () for sentence in corpus]


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
        why = ""
        if corpus.faults:
            why = f"; {first_fault(corpus.faults)}"
        elif corpus.n_long:
            why = "; see --max-length"
        raise CorpusError(f"{spec}: of {read} none is left: {dropped}{why}")

    if dropped:
        remark(f"left out of {corpus.n_read:,} sentences: {dropped}")
    if corpus.faults:
        remark(f"left out: {first_fault(corpus.faults)}")
