"""Products of several members' beliefs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.numeric.types import Floats


def multiplied(tables: Sequence[Floats]) -> Floats:
    """Π of the members' probabilities, each row normalized; the mean where all are zero."""
    with np.errstate(divide="ignore"):
        logs = sum(np.log(table) for table in tables)
    logs = np.asarray(logs)
    best = logs.max(axis=1, keepdims=True)
    # Where every tag has probability zero for some member, the mean decides.
    weight = np.where(np.isfinite(best), np.exp(logs - np.where(np.isfinite(best), best, 0.0)), sum(tables))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))
