"""One bounded memory of what has been computed of keys."""

from __future__ import annotations

from fstce.storage.memo import remembered


def test_a_thread_that_forgets_meanwhile_takes_nothing_away() -> None:
    known = {1: 1, 2: 4}

    def squares(new: list[int]) -> list[int]:
        known.clear()
        return [n * n for n in new]

    assert remembered(known, [2, 3, 1], 10, squares) == [4, 9, 1]


def test_only_new_keys_are_computed_and_each_once() -> None:
    asked: list[list[int]] = []

    def squares(new: list[int]) -> list[int]:
        asked.append(new)
        return [n * n for n in new]

    known: dict[int, int] = {}
    assert remembered(known, [3, 2, 3], 3, squares) == [9, 4, 9]
    assert remembered(known, [5, 2, 4], 3, squares) == [25, 4, 16]
    assert asked == [[3, 2], [5, 4]]
    assert known == {5: 25, 4: 16}
