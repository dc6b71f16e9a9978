"""The array and sentence types that signatures name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Bools = NDArray[np.bool_]
Rows = Sequence[Sequence[str]]
Sentences = Iterable[Sequence[str]]
