"""Classes of words by what stands next to them in raw text, as features for a tagger of few labels.

A word is the vector of its left and right neighbors, weighed by positive pointwise mutual
information, in the space of the greatest singular values; k-means puts the vectors into classes of
several grains. As a gazetteer they tell a conditional random field that learns from a hundred
tagged sentences how words behave that these do not have.

Source: Schütze (1995); clusters as features: Koo et al. (2008), Turian et al. (2010).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import checked_sentences
from fstce.numeric.types import Floats, Sentences
from fstce.tagging.unknown_words import Neighbors

GRAINS = (20, 50, 150)  # classes
FREQUENT, DIMENSIONS = 300, 30


def word_classes(sentences: Sentences) -> TagDictionary:
    """The classes of the words of a raw text, for ``Tagger(gazetteer=…)``.

    Returns of each word one class of each grain, as ``20:7``.

    >>> from itertools import product
    >>> text = list(product(("a", "the"), ("cat", "dog"), ("ran", "sat")))
    >>> classes = word_classes(text)
    >>> classes["cat"] == classes["dog"], classes["cat"] == classes["ran"]
    (True, False)
    """
    from scipy.cluster.vq import kmeans2  # takes half a second; applying a model need not wait

    neighbors = Neighbors.of_text(checked_sentences(sentences), FREQUENT)
    with threadpool_limits(1, "blas"):  # for the same bits with any number of threads
        points = _reduced(mutual_information(neighbors.counts[:-1]))
        # Distinct points, so that there are never more classes than these.
        distinct, own = np.unique(points.round(9), axis=0, return_inverse=True)
        columns = [
            (
                grain,
                kmeans2(distinct, min(grain, len(distinct)), minit="++", seed=0)[1][own.ravel()],
            )
            for grain in GRAINS
        ]
    names = [[f"{grain}:{c}" for c in column.tolist()] for grain, column in columns]
    return TagDictionary(dict(zip(neighbors.row, zip(*names, strict=True), strict=True)))


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
