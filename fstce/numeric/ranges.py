"""Runs of consecutive numbers."""

from __future__ import annotations

import numpy as np

from fstce.numeric.types import Ints


def ranges(first: Ints, length: Ints) -> Ints:
    """The numbers first[i] … first[i] + length[i] − 1, for every i, in one array."""
    skipped = np.cumsum(length) - length
    return np.repeat(first - skipped, length) + np.arange(length.sum())
