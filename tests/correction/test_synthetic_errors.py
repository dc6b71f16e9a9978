"""What is mistyped on purpose, and how much is held out for it."""

from __future__ import annotations

from fstce.correction.synthetic_errors import held_out_size, mistyped


def test_few_sentences_are_not_held_out() -> None:
    assert [held_out_size(n, 0.1) for n in (0, 99, 100, 10_001)] == [0, 0, 10, 1000]


def test_kinds_of_mistakes_come_one_after_another() -> None:
    rows = [["well", ",", "yesterday", "it", "rained"]] * 20
    made = mistyped(rows, ["random", "drop"], [","], seed=1, rate=1.0)
    assert all("," not in row and len(row) == 4 for row in made)
    assert made == mistyped(rows, ["random", "drop"], [","], seed=1, rate=1.0)
