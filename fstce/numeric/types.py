"""The types that signatures name: arrays, sentences, paths, functions of the weights."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Ints32 = NDArray[np.int32]
    Bools = NDArray[np.bool_]
else:  # who reads a text names arrays and makes none: numpy takes a tenth of a second to import
    Floats = Ints = Ints32 = Bools = Any

PathName = str | os.PathLike[str]
Words = Sequence[str]
Rows = Sequence[Words]
Sentences = Iterable[Words]
ValueAndGradient = tuple[float, Floats]  # in nats, shape of θ
Term = Callable[[Floats], ValueAndGradient]  # θ → a value in nats and its gradient, shape of θ
