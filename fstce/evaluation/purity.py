"""What induced classes hold: tag sequences, gold categories; which tags stand at the edges of phrases.

Spans are (label, start, end) over the words of a sentence, as :meth:`Tree.spans` and
:func:`constituents` give them; tags are those of the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from fstce.errors import CorpusError
from fstce.evaluation.bracket_scores import Span, percent
from fstce.numeric.types import Rows

SpanRows = Sequence[Iterable[Span]]
START, END = "<start>", "<end>"
NO_CATEGORY = "–"


class ClassProfile(NamedTuple):
    """The occurrences of one class.

    ``n``: how many there are. ``sequences``: their gold tags. ``categories``: their gold categories;
    :data:`NO_CATEGORY` where no gold constituent is around the same words, and the lowest where several are.
    """

    n: int
    sequences: Counter[tuple[str, ...]]
    categories: Counter[str]

    @property
    def sequence(self) -> tuple[str, ...]:
        """The most frequent tag sequence, of equals the first in the alphabet."""
        return min(self.sequences, key=lambda name: (-self.sequences[name], name))

    @property
    def sequence_share(self) -> float:
        """The percentage of occurrences with that tag sequence."""
        return percent(self.sequences[self.sequence], self.n)

    @property
    def category(self) -> str:
        """The most frequent gold category, constituent or not."""
        return min(self.categories, key=lambda name: (-self.categories[name], name))

    @property
    def category_share(self) -> float:
        """The percentage of occurrences with that category."""
        return percent(self.categories[self.category], self.n)

    @property
    def constituent_share(self) -> float:
        """The percentage of occurrences that are gold constituents."""
        return percent(self.n - self.categories[NO_CATEGORY], self.n)


class Purity(NamedTuple):
    """Percentages of all occurrences: in the most frequent sequence, category of their class; how many."""

    sequences: float
    categories: float
    constituents: float
    n_occurrences: int
    n_classes: int


class EdgeTags(NamedTuple):
    """The tags before, first in, last in and after the phrases of one category."""

    left: Counter[str]
    start: Counter[str]
    end: Counter[str]
    right: Counter[str]


def class_profiles(induced: SpanRows, tags: Rows, gold: SpanRows) -> dict[str, ClassProfile]:
    """The gold tag sequences and categories of induced classes, the largest class first.

    ``induced``: class, start and end of each span of each sentence. ``tags``: a gold tag a word. ``gold``:
    the gold constituents, parents first.
    """
    _check_rows(tags, induced, "induced spans")
    _check_rows(tags, gold, "gold spans")
    sequences: dict[str, Counter[tuple[str, ...]]] = {}
    categories: dict[str, Counter[str]] = {}
    for number, (spans, row, right) in enumerate(zip(induced, tags, gold, strict=True), 1):
        kinds, category = tuple(row), {(start, end): label for label, start, end in right}
        for label, start, end in spans:
            _check_span(label, start, end, len(kinds), number)
            sequences.setdefault(label, Counter())[kinds[start:end]] += 1
            categories.setdefault(label, Counter())[category.get((start, end), NO_CATEGORY)] += 1
    profiles = {
        label: ClassProfile(found.total(), found, categories[label]) for label, found in sequences.items()
    }
    return dict(sorted(profiles.items(), key=lambda row: (-row[1].n, row[0])))


def purity(profiles: Iterable[ClassProfile]) -> Purity:
    """The purity of all classes together: Σ over classes of the largest part, of all occurrences."""
    rows = list(profiles)
    n = sum(row.n for row in rows)
    return Purity(
        percent(sum(row.sequences[row.sequence] for row in rows), n),
        percent(sum(row.categories[row.category] for row in rows), n),
        percent(sum(row.n - row.categories[NO_CATEGORY] for row in rows), n),
        n,
        len(rows),
    )


def edge_tags(
    spans: SpanRows, tags: Rows, categories: Collection[str] = ("NP", "VP", "PP")
) -> dict[str, EdgeTags]:
    """How often each tag stands left of, at the start, at the end and right of phrases.

    ``categories``: the labels of the phrases. Returns by category; the ends of the sentence count as the tags
    :data:`START` and :data:`END`.
    """
    _check_rows(tags, spans, "spans")
    found = {name: EdgeTags(Counter(), Counter(), Counter(), Counter()) for name in categories}
    for number, (row, phrases) in enumerate(zip(tags, spans, strict=True), 1):
        padded = (START, *row, END)
        for label, start, end in phrases:
            _check_span(label, start, end, len(row), number)
            if label in found:
                places = (start, start + 1, end, end + 1)
                for counter, place in zip(found[label], places, strict=True):
                    counter[padded[place]] += 1
    return found


def _check_rows(tags: Rows, spans: SpanRows, name: str) -> None:
    if len(tags) != len(spans):
        raise CorpusError(f"{len(tags)} sentences of tags but {len(spans)} of {name}")


def _check_span(label: str, start: int, end: int, n: int, number: int) -> None:
    if not 0 <= start < end <= n:
        raise CorpusError(
            f"sentence {number}: the span ({start}, {end}) of {label} is not within its {n} words"
        )
