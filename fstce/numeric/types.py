"""The types that signatures name: arrays, sentences, paths, functions of the weights."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Bools = NDArray[np.bool_]
PathName = str | os.PathLike[str]
Rows = Sequence[Sequence[str]]
Sentences = Iterable[Sequence[str]]
Term = Callable[[Floats], tuple[float, Floats]]  # θ → a value in nats and its gradient, shape of θ
