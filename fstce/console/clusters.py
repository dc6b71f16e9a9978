"""Dask clusters, by the address of their scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fstce.errors import MissingToolError, ParameterError

PATIENCE = "15s"


@contextmanager
def connected(address: str | None) -> Iterator[Any]:
    """A client of the scheduler, None where no address is given.

    >>> with connected(None) as client:
    ...     print(client)
    None
    """
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise MissingToolError("--dask needs Dask: pip install 'fstce[dask]'") from None
    connect: Any = Client  # which has no types
    try:
        client = connect(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ParameterError(f"--dask {address}: no scheduler answers there ({error})") from None
    with client:
        yield client
