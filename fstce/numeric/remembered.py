"""What has been computed of keys before, within a bound on how many are remembered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
_UNKNOWN = object()


def remembered(
    known: dict[Key, Value], keys: Sequence[Key], limit: int, compute: Callable[[list[Key]], Iterable[Value]]
) -> list[Value]:
    """The value of each key; those that are not `known` are computed together and kept there.

    Where more than `limit` would be kept, all that was known before is forgotten.

    Examples
    --------
    >>> squares = {2: 4}
    >>> remembered(squares, [3, 2, 3], 10, lambda new: [n * n for n in new])
    [9, 4, 9]
    >>> remembered(squares, [4], 2, lambda new: [n * n for n in new]), squares
    ([16], {4: 16})
    """
    values: dict[Key, Any] = {key: known.get(key, _UNKNOWN) for key in keys}
    new = [key for key, value in values.items() if value is _UNKNOWN]
    if new:
        computed = dict(zip(new, compute(new), strict=True))
        if len(known) + len(new) > limit:
            known.clear()
        # What is returned is read from `values`: another thread may forget what is known at any time.
        known.update(computed)
        values.update(computed)
    return [values[key] for key in keys]
