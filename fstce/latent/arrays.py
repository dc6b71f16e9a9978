"""Two computations on arrays of subcategories that the grammar, its training and its charts share."""

from __future__ import annotations

import numpy as np

from fstce.numeric.types import Floats, Ints


def offsets_of(sizes: Ints) -> Ints:
    """Where each block of these sizes begins, and where the last one ends.

    >>> offsets_of(np.array([1, 2, 4])).tolist()
    [0, 1, 3, 7]
    """
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])


def mixing(sides: Ints, weight: float) -> Floats:
    """The matrix W with p′ = W p over subcategories whose sides these are.

    ``sides`` is (n,). ``weight``: α: what goes to the siblings; a subcategory without siblings keeps all.

    >>> mixing(np.array([0, 0, 0, 1]), 0.1)
    array([[0.9 , 0.05, 0.05, 0.  ],
           [0.05, 0.9 , 0.05, 0.  ],
           [0.05, 0.05, 0.9 , 0.  ],
           [0.  , 0.  , 0.  , 1.  ]])
    """
    same = (sides[:, None] == sides[None, :]).astype(np.float64)
    siblings = same - np.eye(len(sides))
    counts = siblings.sum(axis=1)
    share = np.divide(weight, counts, out=np.zeros(len(sides)), where=counts > 0)
    matrix = siblings * share[:, None]
    np.fill_diagonal(matrix, 1.0 - matrix.sum(axis=1))
    return matrix
