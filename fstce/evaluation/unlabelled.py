"""Unlabeled brackets of induced trees, punctuation out: precision, recall, crossing, recall by category.

What counts is a choice on which the literature differs. Here by default, as in Klein &
Manning (2002), brackets that cannot be wrong do not count (single words, the whole
sentence), nor does a bracket count twice. EVALB counts all of these: `single_words`,
`whole` and `repeated` together give its counts. Punctuation is what the gold tags say it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from fstce.corpora.trees import Tree
from fstce.errors import CorpusError
from fstce.evaluation.bracket_scores import (
    GOLD,
    MATCHED,
    BracketScores,
    SpanCounts,
    category_rows,
    join,
    score_sentences,
)
from fstce.evaluation.brackets import (
    Brackets,
    Numbers,
    around_same,
    distinct,
    matches,
    pack,
    select,
    without_labels,
)
from fstce.evaluation.constituents import PUNCTUATION, Constituents, constituents
from fstce.evaluation.evalb_parameters import collins
from fstce.numeric.types import Ints

Spans = Iterable[tuple[int, int] | tuple[str, int, int]]
_OUTER = frozenset({"TOP", "ROOT", "S1"})
_BLOCK = 4096


def unlabelled_scores(
    gold: Sequence[Tree | Constituents],
    predicted: Sequence[Tree | Spans],
    *,
    punctuation: Collection[str] = PUNCTUATION,
    single_words: bool = False,
    whole: bool = False,
    repeated: bool = False,
) -> BracketScores[SpanCounts]:
    """The scores of brackets without labels, against gold trees.

    Parameters
    ----------
    gold : sequence of Tree or of Constituents
        Who scores several times against the same trees finds their :func:`constituents` once.
    predicted : sequence of Tree or of spans
        A tree over all words of the gold tree or over those without punctuation (next to Constituents
        over these alone); or spans (start, end) or (label, start, end) over these.
    punctuation : collection of str
        The gold tags whose words are taken out.
    single_words : bool
        Whether brackets around one word count.
    whole : bool
        Whether brackets around all words count.
    repeated : bool
        Whether several brackets around the same words count as several.

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
    if len(gold) != len(predicted):
        raise CorpusError(f"{len(gold)} gold trees but {len(predicted)} predicted")
    if not gold:
        raise CorpusError("there are no trees to compare")
    numbers = Numbers(collins().category)
    shards = []
    for first in range(0, len(gold), _BLOCK):
        right = [
            one if isinstance(one, Constituents) else constituents(one, punctuation)
            for one in gold[first : first + _BLOCK]
        ]
        rows = zip(gold[first:], right, predicted[first : first + _BLOCK], strict=False)
        found = [
            _spans(tree, kept, spans, punctuation, n) for n, (tree, kept, spans) in enumerate(rows, first + 1)
        ]
        shards.append(_score(right, found, numbers, (single_words, whole, repeated)))
    return join(shards, numbers.names)


def _spans(
    gold: Tree | Constituents,
    right: Constituents,
    predicted: Tree | Spans,
    punctuation: Collection[str],
    number: int,
) -> list[tuple[int, int, int]]:
    if isinstance(predicted, Tree):
        words = predicted.leaves()
        if isinstance(gold, Tree) and len(words) == len(right.words) + len(right.deleted):
            kept = [tag not in punctuation for _, tag in gold.pos()]
            found = constituents(predicted, kept=kept)
        else:
            found = constituents(predicted, deleted=())
        if found.words != right.words:
            raise CorpusError(
                f"sentence {number}: the predicted tree has other words than the gold tree: {' '.join(words)}"
            )
        return [(0, start, end) for label, start, end in found.spans if label not in _OUTER]
    n = len(right.words)
    spans = [(0, span[-2], span[-1]) for span in predicted]
    for _, start, end in spans:
        if not 0 <= start < end <= n:
            raise CorpusError(
                f"sentence {number}: the span ({start}, {end}) is not within its {n} words; "
                "spans count the words without punctuation"
            )
    return spans


def _score(
    right: Sequence[Constituents],
    found: Sequence[list[tuple[int, int, int]]],
    numbers: Numbers,
    options: tuple[bool, bool, bool],
) -> BracketScores[SpanCounts]:
    single_words, whole, repeated = options
    n_words = np.array([len(row.words) for row in right])
    rows = [
        [(numbers[label], start, end) for label, start, end in row.spans if label not in _OUTER]
        for row in right
    ]
    gold, predicted = (_counted(pack(side, n_words), n_words, single_words, whole) for side in (rows, found))
    bare = without_labels(gold)
    if not repeated:
        gold, bare, predicted = distinct(gold), distinct(bare), distinct(predicted)
    hit = select(gold, around_same(gold, predicted))
    return score_sentences(
        SpanCounts,
        bare,
        predicted,
        matches(bare, predicted),
        n_words,
        np.ones(len(right), dtype=bool),
        category_rows((gold, GOLD), (hit, MATCHED)),
    )


def _counted(brackets: Brackets, n_words: Ints, single_words: bool, whole: bool) -> Brackets:
    width, length = brackets.end - brackets.start, n_words[brackets.sentence]
    return select(brackets, (single_words | (width > 1)) & (whole | (width < length)))
