"""What answers at the address of a cluster and is none is told in one line, soon."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from patience import patience

from fstce.console import applying
from fstce.errors import ParameterError

distributed = pytest.importorskip("distributed")


@pytest.fixture(params=["silent", "random"])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    """A port of this machine at which somebody listens who says nothing, or anything."""
    ended = threading.Event()

    def talk(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            while not ended.wait(0.05):
                if request.param == "random":
                    connection.sendall(os.urandom(1000))

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(server.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        ended.set()
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_what_is_no_scheduler_is_told_soon(
    scheme: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "PATIENCE", 2.0)
    address, began = f"{scheme}://127.0.0.1:{port}", time.monotonic()
    with pytest.raises(ParameterError) as caught, applying.connected(address):
        pass
    assert time.monotonic() - began < patience(10)
    assert f"--dask {address}: no scheduler answers there (" in str(caught.value)
    assert "--resume goes on with a training" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["", "tcp://127.0.0.1", "foo://a:1", "tcp://[::1", "127.0.0.1:1", "ucx://a:1"]
)
def test_what_is_no_address_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "PATIENCE", 2.0)
    with (
        pytest.raises(ParameterError, match="no scheduler answers there"),
        applying.connected(address),
    ):
        pass


def test_a_worker_is_no_scheduler() -> None:
    near = {"n_workers": 1, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**near) as cluster:
        worker = next(iter(cluster.scheduler_info["workers"]))
        with (
            pytest.raises(ParameterError, match="what answers is none"),
            applying.connected(worker),
        ):
            pass
        with applying.connected(cluster.scheduler_address) as client:
            assert client.submit(int, "7").result() == 7


def test_without_an_address_there_is_no_client() -> None:
    with applying.connected(None) as client:
        assert client is None
