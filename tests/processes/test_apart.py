"""Work apart: its result comes back whole, and where it ends its process, that one alone."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.errors import MachineError
from fstce.processes.apart import apart
from fstce.processes.workers import FORKS

pytestmark = pytest.mark.skipif(not FORKS, reason="nothing is forked here")


@settings(max_examples=5, deadline=None)
@given(st.binary(max_size=1 << 18))
def test_the_result_comes_back_whole(data: bytes) -> None:
    assert apart(lambda: data, "x") == data


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL])
def test_what_ends_the_process_ends_another_alone(number: signal.Signals) -> None:
    def end() -> bytes:
        os.kill(os.getpid(), number)
        return b""

    refusal = rf"x: needs more memory than it may take, .*{number.name}"
    with pytest.raises(MachineError, match=refusal):
        apart(end, "x")


def test_a_refusal_of_the_work_is_its_own() -> None:
    def refuse() -> bytes:
        raise MachineError("x: arc types differ")

    with pytest.raises(MachineError, match=r"^x: arc types differ$"):
        apart(refuse, "x")
