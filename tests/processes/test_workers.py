"""Threads: answers in order, and rounds of work."""

from __future__ import annotations

from fstce.processes.workers import crew, in_threads


def test_answers_come_in_the_order_of_the_items() -> None:
    for jobs in (1, 2):
        assert list(in_threads(len, ["a", "bc"], jobs)) == [1, 2]


def test_a_crew_ends_each_round_before_the_next() -> None:
    found: list[int] = []
    with crew(2) as each:
        list(each(found.append, [1]))
        list(each(found.append, [2]))
    assert found == [1, 2]
