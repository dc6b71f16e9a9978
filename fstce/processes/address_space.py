"""Address space, asked for before compiled code takes it.

Such code has no way to say that there is none.
"""

from __future__ import annotations

import mmap

SLACK = 24 << 20  # bytes: what one operation of OpenFst on a machine of ordinary size may take


def check_room(nbytes: int = SLACK) -> None:
    """Raise MemoryError where so many bytes are not left: OpenFst would abort, OpenBLAS wait for
    ever.

    >>> check_room(1 << 60)
    Traceback (most recent call last):
    MemoryError: no room for 1,152,921,504,606,846,976 bytes
    """
    try:
        mmap.mmap(-1, nbytes).close()
    except OSError:
        raise MemoryError(f"no room for {nbytes:,} bytes") from None
