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
from fstce.numeric.types import Ints
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
    check_aligned(gold, predicted, "predicted heads", "gold heads")
    length = np.array([len(row) for row in gold], dtype=np.int64)
    n_words = int(length.sum())
    if not n_words:
        raise CorpusError("there are no heads to compare")

    sentence = np.repeat(np.arange(len(length)), length)
    in_gold, in_predicted = (
        _heads(trees, name, length[sentence], sentence)
        for trees, name in ((gold, "gold"), (predicted, "predicted"))
    )
    directed = in_gold == in_predicted

    # The root's link joins no two words: it is turned round by no other.
    first = (np.cumsum(length) - length)[sentence]
    above = in_gold[first + np.maximum(in_predicted, 1) - 1]
    reverse = (in_predicted > 0) & (above == np.arange(n_words) - first + 1)

    wrong = np.bincount(sentence[~directed], minlength=len(length))
    roots_differ = (in_gold == 0) != (in_predicted == 0)
    other_root = np.bincount(sentence[roots_differ], minlength=len(length))
    rights = (directed, directed | reverse, other_root == 0, wrong == 0)
    shares = [100.0 * float(right.mean()) for right in rights]
    return Attachment._make((*shares, n_words, len(length)))


def _heads(trees: Trees, name: str, length: Ints, sentence: Ints) -> Ints:
    """The heads of all words, end to end; raises CorpusError for one outside its sentence."""
    heads = np.array([*chain.from_iterable(trees)], dtype=np.int64)
    outside = np.flatnonzero((heads < 0) | (heads > length))
    if len(outside):
        at = outside[0]
        where = f"sentence {sentence[at] + 1}: the {name} head {heads[at]}"
        raise CorpusError(f"{where} is outside its {length[at]} words")
    return heads


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
