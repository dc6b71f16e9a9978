"""Classes of words by what stands next to them in raw text, as features for a tagger of few labels.

A word is the vector of its left and right neighbors, weighed by positive pointwise mutual
information, in the space of the greatest singular values; k-means puts the vectors into classes of
several grains. As a gazetteer they tell a conditional random field that learns from a hundred tagged
sentences how words behave that these do not have.

Source: Schütze (1995); clusters as features: Koo et al. (2008), Turian et al. (2010).
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.rows import checked_sentences
from fstce.numeric.types import Floats, Rows, Sentences

GRAINS = (20, 50, 150)  # classes
FREQUENT, DIMENSIONS = 300, 30
EDGE, OTHER, FIRST = 0, 1, 2  # neighbors that are no frequent words


def word_classes(sentences: Sentences) -> TagDictionary:
    """The classes of the words of a raw text, for ``Tagger(gazetteer=…)``.

    Returns of each word one class of each grain, as ``20:7``.

    >>> text = [f"{a} {n} {v}".split() for a in ("a", "the") for n in ("cat", "dog") for v in ("ran", "sat")]
    >>> classes = word_classes(text)
    >>> classes["cat"] == classes["dog"], classes["cat"] == classes["ran"]
    (True, False)
    """
    from scipy.cluster.vq import kmeans2  # takes half a second; applying a model need not wait

    rows = checked_sentences(sentences)
    number = {word: i for i, word in enumerate(dict.fromkeys(word for row in rows for word in row))}
    with threadpool_limits(1, "blas"):  # for the same bits with any number of threads
        points = _reduced(mutual_information(neighbor_counts(rows, number)))
        # Distinct points, so that there are never more classes than these.
        distinct, own = np.unique(points.round(9), axis=0, return_inverse=True)
        columns = [
            (grain, kmeans2(distinct, min(grain, len(distinct)), minit="++", seed=0)[1][own.ravel()])
            for grain in GRAINS
        ]
    names = [[f"{grain}:{c}" for c in column.tolist()] for grain, column in columns]
    return TagDictionary(dict(zip(number, zip(*names, strict=True), strict=True)))


def neighbor_counts(rows: Rows, number: dict[str, int]) -> sp.csr_matrix:
    """How often each word has each frequent word to its left, then to its right.

    Returns on each side the first two columns are an end of the sentence and all other words, (words, 2 (2 +
    frequent)).
    """
    counted = Counter(word for row in rows for word in row)
    frequent = {word: FIRST + i for i, (word, _) in enumerate(counted.most_common(FREQUENT))}
    width = FIRST + len(frequent)
    word = np.array([number[w] for row in rows for w in row])
    framed = [[EDGE, *(frequent.get(w, OTHER) for w in row), EDGE] for row in rows]
    left = np.array([n for row in framed for n in row[:-2]])
    right = np.array([n for row in framed for n in row[2:]])
    entries = np.ones(2 * len(word))
    index = (np.tile(word, 2), np.concatenate((left, width + right)))
    return sp.csr_matrix((entries, index), shape=(len(number), 2 * width))


def mutual_information(counts: sp.csr_matrix) -> sp.csr_matrix:
    """max(0, log P(w, c) / P(w) P(c)) of every entry, nats, shape as `counts`."""
    found = counts.tocoo()
    words, contexts = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
    # log n(w, c) N / n(w) n(c)
    ratio = np.log(found.data * counts.sum() / (words[found.row] * contexts[found.col]))
    return sp.csr_matrix((np.maximum(ratio, 0.0), (found.row, found.col)), shape=counts.shape)


def _reduced(matrix: sp.csr_matrix) -> Floats:
    """The rows in the space of the greatest singular values, each of length one or zero."""
    rank = min(DIMENSIONS, min(matrix.shape) - 1)
    if rank < 1:
        return np.zeros((matrix.shape[0], 1))
    from scipy.sparse.linalg import svds  # takes half a second; applying a model need not wait

    left, values, _ = svds(matrix, k=rank, v0=np.ones(min(matrix.shape)))
    points = left * values
    length = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points / np.where(length > 0, length, 1.0))
