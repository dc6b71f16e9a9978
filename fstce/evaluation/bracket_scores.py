"""Constituents over the words that count, and their counts by sentence, as any score needs them.

Words are deleted by their tags (empty elements, punctuation), and the spans close over them; a
phrase left without words is none.

Every score is a ratio of sums over the sentences, never a mean of the sentences' scores. A ratio of
nothing is NaN. A bracket is (label, start, end) over the words of its sentence, or (start, end)
where labels do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import count
from operator import attrgetter, not_
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from fstce.corpora.dependencies import PUNCTUATION_TAGS
from fstce.corpora.trees import Tree
from fstce.errors import CorpusError
from fstce.numeric.types import Floats, Ints

EMPTY = "-NONE-"
PUNCTUATION = PUNCTUATION_TAGS | {EMPTY}
Span = tuple[str, int, int]


class Constituents(NamedTuple):
    """A sentence without the words that do not count.

    Attributes
    ----------
    words, tags : tuple of str
        Those that count.
    spans : tuple of (str, int, int)
        Each phrase as label, start and end over these words, parents first, as
        :meth:`Tree.spans` gives them.
    deleted : tuple of str
        The tags of the words that do not count.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    spans: tuple[Span, ...]
    deleted: tuple[str, ...]


def constituents(
    tree: Tree, deleted: Collection[str] = PUNCTUATION, kept: Sequence[bool] | None = None
) -> Constituents:
    """The constituents of a tree over the words that count.

    Parameters
    ----------
    tree : Tree
    deleted : collection of str
        The tags of the words that do not count; by default empty elements and punctuation.
    kept : sequence of bool, optional
        For each word whether it counts, in place of `deleted`.

    Returns
    -------
    Constituents

    Raises
    ------
    CorpusError
        A word without a tag.

    Examples
    --------
    >>> from fstce.corpora import parse_tree
    >>> found = constituents(parse_tree("(S (`` ``) (NP (PRP We)) (, ,) (VP (VBP walk)) (. .))"))
    >>> found.words, found.spans
    (('We', 'walk'), (('S', 0, 2), ('NP', 0, 1), ('VP', 1, 2)))
    """
    are_deleted = map(not_, kept or ())

    def is_deleted(tag: str) -> bool:
        return tag in deleted if kept is None else next(are_deleted)

    pairs, spans, tags_of_others = tree.read_off(is_deleted)
    words, tags = zip(*pairs, strict=True) if pairs else ((), ())
    if "" in tags:
        word = words[tags.index("")]
        raise CorpusError(f"the word {word!r} has no tag; a word goes with its tag: (NN dog)")
    longer = [span for span in spans if span[1] < span[2]]
    return Constituents(words, tags, tuple(longer), tuple(tags_of_others))


@dataclass(frozen=True)
class CategoryCounts:
    """The brackets of one category."""

    gold: int
    predicted: int
    matched: int

    @property
    def precision(self) -> float:
        """Of the predicted brackets, the percentage that match."""
        return percent(self.matched, self.predicted)

    @property
    def recall(self) -> float:
        """Of the gold brackets, the percentage that are matched."""
        return percent(self.matched, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 2 matched / (gold + predicted)."""
        return percent(2 * self.matched, self.gold + self.predicted)


@dataclass(frozen=True)
class SpanCounts(CategoryCounts):
    """The brackets of sentences.

    ``gold``, ``predicted``, ``matched``: brackets. ``sentences``: those that are scored.
    ``complete``: sentences whose brackets are those of the gold tree. ``crossing``: predicted
    brackets that cross a gold bracket. ``no_crossing``, ``two_crossing``: sentences without any,
    with at most two.
    """

    sentences: int
    complete: int
    crossing: int
    no_crossing: int
    two_crossing: int

    @property
    def exact(self) -> float:
        """The percentage of sentences with all brackets right and no other."""
        return percent(self.complete, self.sentences)

    @property
    def average_crossing(self) -> float:
        """Crossing brackets a sentence."""
        return percent(self.crossing, self.sentences) / 100

    @property
    def without_crossing(self) -> float:
        """The percentage of sentences without crossing brackets."""
        return percent(self.no_crossing, self.sentences)

    @property
    def two_or_less_crossing(self) -> float:
        """The percentage of sentences with at most two crossing brackets."""
        return percent(self.two_crossing, self.sentences)


@dataclass(frozen=True)
class BracketCounts(SpanCounts):
    """Counts of EVALB; `matched` and `complete` are by labels.

    ``unlabelled_matched``: the same whatever the labels. ``words``, ``right_tags``: the words that
    count, and those with the gold tag. ``skipped``: sentences without a parse: they count nowhere
    else. ``errors``: sentences whose deleted words differ on the two sides: they count nowhere
    else.
    """

    unlabelled_matched: int
    words: int
    right_tags: int
    skipped: int
    errors: int

    @property
    def unlabelled(self) -> CategoryCounts:
        """The brackets whatever their labels, with their precision, recall and F1."""
        return CategoryCounts(self.gold, self.predicted, self.unlabelled_matched)

    @property
    def tagging_accuracy(self) -> float:
        """Of the words that count, the percentage with the gold tag."""
        return percent(self.right_tags, self.words)


def columns(kind: type[CategoryCounts]) -> tuple[str, ...]:
    """The names of the counts, in the order of the columns of a matrix of them."""
    return tuple(field.name for field in fields(kind))


def statistic(kind: type[CategoryCounts], name: str) -> Callable[[Floats], Floats]:
    """A score as a function of sums, for :func:`fstce.evaluation.bootstrap`.

    ``kind``: the class of the counts. ``name``: one of its scores; ``"unlabelled.f1"`` goes by way
    of another. Returns from sums (…, fields) to scores (…).
    """

    def score(sums: Floats) -> Floats:
        value = attrgetter(name)(kind(*np.moveaxis(np.asarray(sums), -1, 0)))
        return np.asarray(value, dtype=np.float64)

    return score


def percent(part: Any, whole: Any) -> Any:
    """The part in percent of the whole, NaN of nothing; of arrays elementwise."""
    if isinstance(whole, np.ndarray):
        with np.errstate(invalid="ignore", divide="ignore"):
            return 100.0 * part / whole
    return 100.0 * part / whole if whole else float("nan")


Counts = TypeVar("Counts", bound=SpanCounts)


class SentenceScore(NamedTuple):
    """One sentence: its words, as a limit of length counts them; its counts that are not 0.

    ``labels``: the categories of its gold, of its predicted and of its matched brackets. ``fault``:
    why it cannot be scored.
    """

    length: int
    counts: Mapping[str, int]
    labels: Sequence[Sequence[str]] = ((), (), ())
    fault: str = ""


@dataclass(frozen=True, eq=False)
class BracketScores(Generic[Counts]):
    """The counts of each sentence.

    ``kind``: what the sums are: :class:`BracketCounts` or :class:`SpanCounts`. ``sentences``: one
    by one.
    """

    kind: type[Counts]
    sentences: Sequence[SentenceScore]

    def __len__(self) -> int:
        """The number of sentences, whether scored or not."""
        return len(self.sentences)

    @cached_property
    def matrix(self) -> Ints:
        """The counts of each, for :func:`fstce.evaluation.bootstrap`: (sentences, fields)."""
        names = columns(self.kind)
        rows = [[row.counts.get(name, 0) for name in names] for row in self.sentences]
        return np.array(rows, dtype=np.int64).reshape(-1, len(names))

    @property
    def lengths(self) -> Ints:
        """The words of each, as a limit of length counts them, (sentences,)."""
        return np.array([row.length for row in self.sentences])

    def up_to(self, n: int) -> BracketScores[Counts]:
        """The sentences of at most n words."""
        return BracketScores(self.kind, [row for row in self.sentences if row.length <= n])

    def total(self) -> Counts:
        """The sums over all sentences, with precision, recall, F1 and the other scores."""
        return self.kind(*self.matrix.sum(axis=0).tolist())

    def by_category(self) -> dict[str, CategoryCounts]:
        """The brackets of each category, the most frequent in gold first."""
        gold, predicted, matched = Counter[str](), Counter[str](), Counter[str]()
        for row in self.sentences:
            for counts, labels in zip((gold, predicted, matched), row.labels, strict=True):
                counts.update(labels)

        names = sorted({*gold, *predicted}, key=lambda name: (-gold[name], -predicted[name], name))
        return {name: CategoryCounts(gold[name], predicted[name], matched[name]) for name in names}

    def statistic(self, name: str) -> Callable[[Floats], Floats]:
        """A score, by its name in `kind`, as a function of sums: :func:`statistic`."""
        return statistic(self.kind, name)


def numbered(gold: Sequence[Any], predicted: Sequence[Any]) -> Iterator[tuple[int, Any, Any]]:
    """The number of each sentence, from 1, with its two sides, which must be as long."""
    if len(gold) != len(predicted):
        raise CorpusError(f"{len(gold)} gold trees but {len(predicted)} predicted")
    if not gold:
        raise CorpusError("there are no trees to compare")
    return zip(count(1), gold, predicted)


def matches(gold: Sequence[Any], predicted: Sequence[Any]) -> list[Any]:
    """The brackets on both sides; n in gold and m in predicted match min(n, m) times."""
    unmatched = Counter(gold)
    matched = []
    for bracket in predicted:
        times = unmatched.get(bracket, 0)
        if times:
            unmatched[bracket] = times - 1
            matched.append(bracket)
    return matched


def span_counts(gold: Collection[Any], predicted: Collection[Any], matched: int) -> dict[str, int]:
    """The counts of :class:`SpanCounts` of one sentence; the gold brackets (a, b) are a tree's.

    A bracket (a, b) crosses (s, e) if a < s < b < e or s < a < e < b; one that the tree has crosses
    none.
    """
    right = set(gold)
    crossing = 0
    for bracket in predicted:
        if bracket not in right:
            start, end = bracket
            crossing += any(a < start < b < end or start < a < end < b for a, b in right)

    return {
        "gold": len(gold),
        "predicted": len(predicted),
        "matched": matched,
        "sentences": 1,
        "complete": len(gold) == len(predicted) == matched,
        "crossing": crossing,
        "no_crossing": crossing == 0,
        "two_crossing": crossing <= 2,
    }
