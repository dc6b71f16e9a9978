"""Dask clusters, by the address of their scheduler."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fstce.errors import MissingToolError, ParameterError

PATIENCE = 10.0  # seconds in which whoever listens must say who it is


@contextmanager
def connected(address: str | None) -> Iterator[Any]:
    """A client of the scheduler, None where no address is given."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise MissingToolError("--dask needs Dask: pip install 'fstce[dask]'") from None
    for logger in ("distributed", "distributed.client"):  # what goes wrong is said in one line
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    connect: Any = Client  # which has no types
    try:
        asyncio.run(_greet(address))  # a client would wait for ever
        client = connect(address, timeout=PATIENCE)
    except Exception as error:  # of the network, of TLS, of what does not speak as Dask does
        reason = " ".join(str(error).split()) or f"nothing is said in {PATIENCE:g} seconds"
        if isinstance(error, MemoryError):  # for a message of as many bytes as the first eight say
            reason = "what answers does not speak as Dask does"
        raise ParameterError(
            f"--dask {address}: no scheduler answers there ({reason}); "
            "start one and repeat the command: a training over --shards is resumed"
        ) from None
    with client:
        yield client


async def _greet(address: str) -> None:
    """Ask who listens at an address; raises where that is no scheduler."""
    from distributed import Security, rpc

    security: Any = Security
    arguments = security().get_connection_args("client")
    if address.startswith("tls:") and arguments.get("ssl_context") is None:
        raise ValueError("tls needs a certificate: see distributed.comm.tls in Dask's configuration")
    connect: Any = rpc
    async with connect(address, connection_args=arguments, timeout=PATIENCE) as listener:
        identity = await asyncio.wait_for(listener.identity(), PATIENCE)
    if not isinstance(identity, dict) or identity.get("type") != "Scheduler":
        raise ValueError("what answers is none")
