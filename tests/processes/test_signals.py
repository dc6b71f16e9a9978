"""Ctrl-C at any step of work in threads and processes: it ends, and what waits for it ends, too."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from patience import patience
from sent_work import closures_are_sent

from fstce.processes.signals import ENDING, undisturbed

# Interrupts at one step after another of the main thread, until the work ends before the step comes.
INTERRUPTED = """
import itertools, signal, sys
from fstce.processes.workers import Child, crew, pool

def threads():
    with crew(2) as each:
        return list(each(abs, [-1, -2]))

def processes():
    with pool(2, abs) as submit:
        answers = [submit(item) for item in (-1, -2)]
        return [answer.result() for answer in answers]

def child():
    process = Child(send, 1)
    try:
        process.start()
        return [process.pipe.recv(), 2]
    finally:
        process.kill()

def send(pipe, item):
    pipe.send(item)

def trace(frame, event, argument):
    global left
    name = frame.f_code.co_filename
    if "threading" not in name and "concurrent" not in name and "processes" not in name:
        return None
    if event == "call":
        frame.f_trace_lines = "processes" in name
    if event in ("line", "return"):
        left -= 1
        if left == 0:
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)
    return trace

sys.unraisablehook = lambda what: None  # Ctrl-C in a callback
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it
work = {"threads": threads, "processes": processes, "child": child}[sys.argv[1]]
step = int(sys.argv[2])
interrupted = 0
for last in itertools.count(1, step):
    left = last
    sys.settrace(trace)
    try:
        assert work() == [1, 2]
    except KeyboardInterrupt:
        interrupted += 1
    finally:
        sys.settrace(None)
    if left > 0:
        break
print(interrupted)
"""


@pytest.mark.parametrize(
    ("work", "step", "least"),
    [
        ("threads", 1, 50),
        ("processes", 3, 30),
        pytest.param("child", 3, 3, marks=closures_are_sent),
    ],
)
def test_ctrl_c_at_any_step_leaves_nobody_waiting(work: str, step: int, least: int) -> None:
    arguments = [sys.executable, "-c", INTERRUPTED, work, str(step)]
    ended = subprocess.run(arguments, capture_output=True, text=True, timeout=patience(120))
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) >= least


class Heard(Exception):
    """Raised by the handlers of these tests."""


def hear(number: int, frame: object) -> None:
    raise Heard(signal.Signals(number).name)


@pytest.fixture
def heard() -> object:
    """Handlers that raise, and after the test those from before."""
    before = {number: signal.signal(number, hear) for number in ENDING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("number", ENDING)
def test_a_signal_is_heard_after_the_block_and_all_handlers_are_back(
    number: signal.Signals,
) -> None:
    done = False
    with pytest.raises(Heard, match=number.name), undisturbed():
        signal.raise_signal(number)
        done = True

    assert done
    assert all(signal.getsignal(one) is hear for one in ENDING)


@pytest.mark.usefixtures("heard")
def test_a_signal_is_heard_although_the_block_fails() -> None:
    with pytest.raises(Heard), undisturbed():
        signal.raise_signal(signal.SIGINT)
        raise ValueError


@pytest.mark.usefixtures("heard")
def test_an_interruption_of_the_holding_itself_leaves_no_handler_of_its_own() -> None:
    for last in range(1, 60):
        left = last

        def trace(frame: object, event: str, argument: object) -> object:
            nonlocal left
            left -= event == "line"
            if left == 0 and event == "line":
                sys.settrace(None)
                signal.raise_signal(signal.SIGTERM)
            return trace

        sys.settrace(trace)
        try:
            with undisturbed():
                pass
        except Heard:
            pass
        finally:
            sys.settrace(None)
        assert all(signal.getsignal(one) is hear for one in ENDING), f"at line {last}"
