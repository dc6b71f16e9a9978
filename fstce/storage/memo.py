"""What has been computed of keys before, within a bound on how many are remembered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from fstce.numeric.types import Floats, Ints

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
_UNKNOWN = object()


def remembered(
    memory: dict[Key, Value],
    keys: Sequence[Key],
    limit: int,
    compute: Callable[[list[Key]], Iterable[Value]],
) -> list[Value]:
    """The value of each key; those that are not in `memory` are computed together and kept there.

    Where more than `limit` would be kept, all that was known before is forgotten.

    >>> squares = {2: 4}
    >>> remembered(squares, [3, 2, 3], 10, lambda new: [n * n for n in new])
    [9, 4, 9]
    >>> remembered(squares, [4], 2, lambda new: [n * n for n in new]), squares
    ([16], {4: 16})
    """
    values: dict[Key, Any] = {key: memory.get(key, _UNKNOWN) for key in keys}
    new = [key for key, value in values.items() if value is _UNKNOWN]
    if new:
        computed = dict(zip(new, compute(new), strict=True))
        if len(memory) + len(new) > limit:
            memory.clear()
        # What is returned is read from `values`: another thread may forget what is known at any
        # time.
        memory.update(computed)
        values.update(computed)
    return [values[key] for key in keys]


class Numbered:
    """A value for each number from 0 up, computed when it is asked for first.

    ``compute``: the values of some distinct numbers, shape (numbers,).

    >>> squares = Numbered(lambda numbers: numbers**2)
    >>> squares.of(np.array([3, 2, 3])).tolist()
    [9.0, 4.0, 9.0]
    """

    def __init__(self, compute: Callable[[Ints], Any]) -> None:
        self._compute = compute
        self._values: Floats = np.zeros(0)

    def of(self, numbers: Ints) -> Floats:
        """The value of each number, shape (numbers,)."""
        most = int(numbers.max(initial=-1)) + 1
        size = len(self._values)
        if most > size:  # by its half: number after number, all would be copied each time
            self._values = np.append(self._values, np.full(most + most // 2 - size, np.nan))

        new = np.unique(numbers[np.isnan(self._values[numbers])])
        if len(new):
            self._values[new] = self._compute(new)
        return self._values[numbers]
