"""Attachment scores of dependency trees, and two trees that need no grammar.

Every word counts once, the root too, whose link to 0 is right if the root is. So the
directed score is the unlabeled attachment score (UAS) of the CoNLL-18 shared task where
gold and predicted words are the same. Undirected, a link is right if the gold tree joins
the same two words, in either direction, as in Klein & Manning (2004). Scores are shares
of all words of the corpus, not means over its sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from fstce.corpora.words import check_aligned
from fstce.errors import CorpusError
from fstce.numeric.types import Bools, Ints, Rows
from fstce.parameters.rules import POSITIVE

Trees = Sequence[Sequence[int]]


class Attachment(NamedTuple):
    """Percentages right, and of how much.

    Attributes
    ----------
    directed : float
        Of words: with the gold head.
    undirected : float
        Of words: whose link joins two words that the gold tree joins.
    root : float
        Of sentences: with the gold root.
    exact : float
        Of sentences: with all heads right.
    n_words, n_sentences : int
    """

    directed: float
    undirected: float
    root: float
    exact: float
    n_words: int
    n_sentences: int


class TagScore(NamedTuple):
    """Words of one tag: percent with the gold head, directed and undirected; how many."""

    directed: float
    undirected: float
    n_words: int


class _Links(NamedTuple):
    """The links of all words, end to end: word, gold and predicted head, what is right."""

    word: Ints
    gold: Ints
    predicted: Ints
    sentence: Ints
    directed: Bools
    undirected: Bools


def attachment(gold: Trees, predicted: Trees) -> Attachment:
    """The attachment scores of predicted trees, in percent.

    Parameters
    ----------
    gold, predicted : sequence of sequences of int
        For each sentence the head of each word, from 1; 0 is the root.

    Raises
    ------
    CorpusError
        They differ in sentences or words, there are none, or a head is outside its sentence.

    Examples
    --------
    >>> attachment([[2, 0, 2, 2]], [[0, 1, 2, 2]])
    Attachment(directed=50.0, undirected=75.0, root=0.0, exact=0.0, n_words=4, n_sentences=1)
    """
    links = _links(gold, predicted)
    n = len(gold)
    wrong = np.bincount(links.sentence[~links.directed], minlength=n)
    roots_differ = (links.gold == 0) != (links.predicted == 0)
    other_root = np.bincount(links.sentence[roots_differ], minlength=n)

    return Attachment(
        _percent(links.directed),
        _percent(links.undirected),
        _percent(other_root == 0),
        _percent(wrong == 0),
        len(links.word),
        n,
    )


def by_tag(gold: Trees, predicted: Trees, tags: Rows) -> dict[str, TagScore]:
    """The attachment scores of each tag, or gold relation, in percent, the most frequent first.

    ``gold``, ``predicted``: as of :func:`attachment`. ``tags``: a tag a word.
    """
    links = _links(gold, predicted)
    check_aligned(gold, tags, "tags", "gold heads")
    words = list(chain.from_iterable(tags))
    names, number, count = np.unique(words, return_inverse=True, return_counts=True)

    scores: dict[str, TagScore] = {}
    for i in np.argsort(-count, kind="stable"):
        here = number == i
        directed, undirected = _percent(links.directed[here]), _percent(links.undirected[here])
        scores[str(names[i])] = TagScore(directed, undirected, int(count[i]))
    return scores


def neutral_edge_direction(gold: Trees, predicted: Trees) -> float:
    """NED: percent of the words whose predicted head is their gold head, dependent or head's head.

    Schwartz, Abend, Reichart & Rappoport (2011): what two ways of annotating a pair of words,
    either of which may be the head, make of one analysis counts as the same.

    ``gold``, ``predicted``: as of :func:`attachment`.
    """
    links = _links(gold, predicted)
    first = np.arange(len(links.word)) - links.word + 1  # of each word's sentence
    above = np.where(links.gold > 0, links.gold[first + np.maximum(links.gold, 1) - 1], -1)
    return _percent(links.undirected | (links.predicted == above))


def attach_next(n: int) -> tuple[int, ...]:
    """The tree in which each of n words attaches to the next; the last is the root.

    >>> attach_next(3)
    (2, 3, 0)
    """
    POSITIVE.check(n=n)
    return (*range(2, n + 1), 0)


def attach_previous(n: int) -> tuple[int, ...]:
    """The tree in which each of n words attaches to the previous; the first is the root."""
    POSITIVE.check(n=n)
    return tuple(range(n))


def _links(gold: Trees, predicted: Trees) -> _Links:
    check_aligned(gold, predicted, "predicted heads", "gold heads")
    length = np.array([len(row) for row in gold], dtype=np.int64)
    if not length.sum():
        raise CorpusError("there are no heads to compare")

    sentence = np.repeat(np.arange(len(length)), length)
    first = (np.cumsum(length) - length)[sentence]
    word = np.arange(length.sum()) - first + 1
    in_gold = np.array([*chain.from_iterable(gold)], dtype=np.int64)
    in_predicted = np.array([*chain.from_iterable(predicted)], dtype=np.int64)
    for name, heads in (("gold", in_gold), ("predicted", in_predicted)):
        outside = np.flatnonzero((heads < 0) | (heads > length[sentence]))
        if len(outside):
            at = outside[0]
            where = f"sentence {sentence[at] + 1}: the {name} head {heads[at]}"
            raise CorpusError(f"{where} is outside its {length[sentence[at]]} words")

    directed = in_gold == in_predicted
    # The root's link joins no two words: it is turned round by no other.
    above = in_gold[first + np.maximum(in_predicted, 1) - 1]
    reverse = (in_predicted > 0) & (above == word)
    return _Links(word, in_gold, in_predicted, sentence, directed, directed | reverse)


def _percent(right: Bools) -> float:
    """The mean in percent; NaN of nothing."""
    return 100.0 * float(right.mean()) if right.size else float("nan")
