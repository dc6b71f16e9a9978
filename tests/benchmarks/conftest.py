"""One thread for every measurement, and the measured numbers in one line each at the end."""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import pytest

LINES: list[str] = []


@pytest.fixture
def report() -> list[str]:
    """Lines to be printed after the run."""
    return LINES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in LINES:
        terminalreporter.write_line(line)
