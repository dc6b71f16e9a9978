"""Sizes, budgets, and what fits into them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.estimation.resources import WORKING, Resources, to_bytes
from fstce.processes.memory import own_memory


@pytest.mark.parametrize(
    ("size", "bytes_"),
    [
        ("1500", 1500),
        ("2 KB", 2000),
        ("1.5M", 1_500_000),
        ("3g", 3 * 10**9),
        ("1T", 10**12),
        (7, 7),
        (None, None),
    ],
)
def test_sizes(size: str | int | None, bytes_: int | None) -> None:
    assert to_bytes(size) == bytes_


def test_temporary_files_lie_where_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    assert Resources().place == tmp_path / "t"
    own = own_memory() + WORKING
    assert Resources(memory=2 * own).fits(own / 2) and not Resources(memory=2 * own).fits(2 * own)
    assert not Resources(memory=own // 2).fits(1.0)
    assert (
        Resources(memory=2 * own).least == 0 and 0.8 < Resources(memory=own // 2).least / own < 1.2
    )
    assert not Resources(shards=tmp_path).fits(1.0)
