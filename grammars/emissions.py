"""Emissions: the machine that writes for each word the tags that its dictionary entry allows.

One state, an arc for every (word, tag); ``</s>`` writes the boundary, and ``<sigma>``,
any word, writes every tag that some word has.

Source: Smith & Eisner (2005a), §4.
To try: ``fstce tagger export MODEL FOLDER``
"""

from __future__ import annotations

import numpy as np

from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.machines.symbols import END_ID, SIGMA_ID
from fstce.numeric.types import Floats, Ints


def build(word: Ints, tag: Ints, n_tags: int, weight: Floats | None = None) -> pynini.Fst:
    """The transducer from word ids to tag labels (tag + 1), sorted by word.

    ``word``, ``tag`` (pairs,): the allowed pairs. ``n_tags``: the number T of tags; the boundary's label is T
    + 1. ``weight`` (pairs,): −log weights of the pairs.
    """
    tags = np.unique(tag)
    words = np.concatenate((word, [END_ID], np.full(len(tags), SIGMA_ID)))
    labels = np.concatenate((tag, [n_tags], tags)) + 1
    cost = np.zeros(len(words)) if weight is None else np.append(weight, np.zeros(1 + len(tags)))
    state = np.zeros(len(words), dtype=np.int64)
    return arrays_to_fst(Arrays(0, np.zeros(1), state, words, labels, cost, state)).arcsort("ilabel")
