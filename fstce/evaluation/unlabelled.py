"""Unlabeled brackets of induced trees, punctuation out: precision, recall, crossing.

What counts is a choice on which the literature differs. Here by default, as in Klein &
Manning (2002), brackets that cannot be wrong do not count (single words, the whole
sentence), nor does a bracket count twice. Punctuation is what the gold tags say it is.

Trees that need no grammar stand here too: left- and right-branching, random. A binary tree of n
words has n − 1 spans.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from fstce.corpora.trees import Tree
from fstce.errors import CorpusError
from fstce.evaluation.bracket_scores import (
    PUNCTUATION,
    BracketScores,
    Constituents,
    SentenceScore,
    SpanCounts,
    constituents,
    numbered,
    span_counts,
)
from fstce.evaluation.evalb import COLLINS
from fstce.parameters.rules import POSITIVE

Spans = Iterable[tuple[int, int] | tuple[str, int, int]]
_OUTER = frozenset({"TOP", "ROOT", "S1"})


def unlabelled_scores(
    gold: Sequence[Tree | Constituents],
    predicted: Sequence[Tree | Spans],
    *,
    single_words: bool = False,
) -> BracketScores[SpanCounts]:
    """The scores of brackets without labels, against gold trees.

    Parameters
    ----------
    gold : sequence of Tree or of Constituents
        Who scores several times against the same trees finds their :func:`constituents` once.
    predicted : sequence of Tree or of spans
        A tree over all words of the gold tree or over those without punctuation (next to
        Constituents over these alone); or spans (start, end) or (label, start, end) over these.
    single_words : bool
        Whether brackets around one word count.

    Returns
    -------
    BracketScores of SpanCounts
        By sentence; ``.by_category()`` has the recall of each gold category, in which every
        gold bracket of the category is found that has a predicted bracket around its words.

    Raises
    ------
    CorpusError
        The numbers of sentences or the words of a sentence differ, or a span is outside.

    Examples
    --------
    >>> from fstce.corpora import parse_tree
    >>> gold = parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ eats) (NP (NN fish))) (. .))")
    >>> scores = unlabelled_scores([gold], [[(0, 4), (1, 4), (2, 4)]])
    >>> scores.total().precision, scores.total().recall, scores.total().average_crossing
    (50.0, 50.0, 1.0)
    >>> scores.by_category()["VP"].recall
    100.0
    """
    category = cache(COLLINS.category)
    least = 1 if single_words else 2
    rows = []
    for number, tree, prediction in numbered(gold, predicted):
        kept: list[bool] | None = None
        right = tree
        if not isinstance(tree, Constituents):
            kept = [tag not in PUNCTUATION for _, tag in tree.pos()]
            right = constituents(tree)

        widths = range(least, len(right.words))
        spans = [span for span in right.spans if span[0] not in _OUTER]
        in_gold = {(category(label), a, b) for label, a, b in spans if b - a in widths}
        predicted_spans = _spans(right, kept, prediction, number)
        in_parse = {(a, b) for a, b in predicted_spans if b - a in widths}
        rows.append(_score(len(right.words), in_gold, in_parse))
    return BracketScores(SpanCounts, rows)


def _score(
    n: int, gold: set[tuple[str, int, int]], predicted: set[tuple[int, int]]
) -> SentenceScore:
    """The score of a sentence of n words by its brackets."""
    bare = {(start, end) for _, start, end in gold}
    counts = span_counts(bare, predicted, len(bare & predicted))
    recalled = [label for label, start, end in gold if (start, end) in predicted]
    return SentenceScore(n, counts, ([label for label, *_ in gold], (), recalled))


def _spans(
    gold: Constituents, kept: Sequence[bool] | None, predicted: Tree | Spans, number: int
) -> list[tuple[int, int]]:
    """The spans of a prediction over the words that count: those `kept` of the gold tree's."""
    if isinstance(predicted, Tree):
        words = predicted.leaves()
        has_all_words = kept is not None and len(words) == len(kept)
        sides = constituents(predicted, (), kept if has_all_words else None)
        if sides.words != gold.words:
            raise CorpusError(
                f"sentence {number}: the predicted tree has other words than the gold tree: "
                f"{' '.join(words)}"
            )
        return [(start, end) for label, start, end in sides.spans if label not in _OUTER]

    n = len(gold.words)
    spans = [(span[-2], span[-1]) for span in predicted]
    for start, end in spans:
        if not 0 <= start < end <= n:
            raise CorpusError(
                f"sentence {number}: the span ({start}, {end}) is not within its {n} words; "
                "spans count the words without punctuation"
            )
    return spans


SpanTree = tuple[tuple[int, int], ...]  # (start, end) from 0 of two words or more, parents first


def left_branching(n: int) -> SpanTree:
    """The binary tree in which every phrase but the first word grows to the left."""
    POSITIVE.check(n=n)
    return tuple((0, end) for end in range(n, 1, -1))


def right_branching(n: int) -> SpanTree:
    """The binary tree in which every phrase but the last word grows to the right.

    >>> right_branching(4)
    ((0, 4), (1, 4), (2, 4))
    """
    POSITIVE.check(n=n)
    return tuple((start, n) for start in range(n - 1))


def random_binary(n: int, generator: np.random.Generator) -> SpanTree:
    """A binary tree drawn uniformly from all binary trees of n words.

    A random order of n leaves and n − 1 nodes has exactly one rotation that spells a tree in
    preorder (the cycle lemma), and every tree is as likely as any other.

    ``generator``: used anew for each tree: one generator for a corpus.
    """
    POSITIVE.check(n=n)
    # Open places: a node fills one and opens two, a leaf fills one.
    steps = generator.permutation(np.repeat((1, -1), (n - 1, n)))
    steps = np.roll(steps, -int(np.argmin(np.cumsum(steps))) - 1)
    places, leaves = np.cumsum(steps), np.cumsum(steps < 0)
    # A node ends with the leaf that fills the last place that was not open before it.
    ends = ((i, i + np.argmax(places[i:] == places[i] - 2)) for i in np.flatnonzero(steps > 0))
    return tuple((int(leaves[start]), int(leaves[end])) for start, end in ends)
