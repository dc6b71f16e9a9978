"""The hidden Markov model as a log-linear tagger whose weights are log-probabilities.

p(x, y) = Π p(tag | history) · p(word | tag): the n-grams with one history form a
distribution over the next tag or the end, the words of one tag, ``<unk>`` among them,
another (Merialdo 1994). All else, the sums, the machines, the decoding, is that of any
log-linear tagger.
"""

from __future__ import annotations

import numpy as np

from fstce.numeric.types import Ints
from fstce.wfsa.features import TagFeatures


def distributions(features: TagFeatures) -> Ints:
    """The number of the distribution that each weight belongs to, shape (features,).

    Each spelling feature is one of its own, so that its weight stays zero: an HMM has none.
    """
    history = (features.ngrams - 1) // (len(features.tags) + 1)
    number = np.unique(history, return_inverse=True)[1]
    first = int(number.max()) + 1 if len(number) else 0
    words = first + np.unique(features.tag, return_inverse=True)[1]
    last = int(words.max()) + 1 if len(words) else first
    return np.concatenate((number, words, last + np.arange(len(features.spelling))))
