"""Batches of what streams in."""

from __future__ import annotations

from fstce.console.streams import batches


def test_batches_are_as_large_as_memory_and_number_allow() -> None:
    assert [len(batch) for batch in batches(range(1200), "my.txt")] == [500, 500, 200]
    assert [len(batch) for batch in batches(range(5), "my.txt", lambda item: 0.4)] == [3, 2]
