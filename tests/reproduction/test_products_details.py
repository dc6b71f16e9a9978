"""What single grammars are good at, from records made by hand."""

from __future__ import annotations

from typing import Any

from fstce.reproduction.products_details import breakdown, shares
from fstce.reproduction.products_scores import Scored
from fstce.reproduction.products_trials import ProductsPlan

PLAN = ProductsPlan(cycles=1, grammars=2, products=(2,), sums=(), trees=())


def parsed(members: str, combination: str, matched: int) -> dict[str, Any]:
    settings = {"experiment": "parse", "part": "test", "members": members, "combination": combination}
    counts = [[10, 10, matched, 1, 0, 0, 1, 1, matched, 0, 10, 9, 0, 0]]
    labels = {"NP": [30, 30, 2 * matched], "QP": [3, 3, 1], "VP": [20, 40, matched]}
    result = {"counts": counts, "lengths": [20], "labels": labels}
    return {"settings": {**settings, "after": 1}, "result": result}


def trained(seed: int, noun: list[float]) -> dict[str, Any]:
    of_symbols = {"ROOT": [1.0], "@NP": [0.5, 0.5], "NP": [0.9, 0.1], "NN": noun, "DT": [1.0, 0.0]}
    return {"settings": {"experiment": "train", "seed": seed}, "result": {"shares": of_symbols}}


def test_labels_of_single_grammars_and_their_product() -> None:
    records = [parsed("1", "single", 6), parsed("2", "single", 7), parsed("1 2", "product", 9)]
    table = breakdown(Scored(PLAN, records))
    # QP has too few gold brackets.
    assert list(table.columns) == ["part", "grammar", "F1", "exact match", "NP", "VP"]
    assert [list(row) for row in table.rows][2] == ["test", "product of 2", 90.0, 0.0, 60.0, 30.0]
    assert [list(row)[1] for row in table.rows] == ["seed 1", "seed 2", "product of 2"]


def test_shares_of_the_symbols_that_are_split_most() -> None:
    table = shares(Scored(PLAN, [trained(1, [0.5, 0.3, 0.2]), trained(2, [0.6, 0.4])]))
    assert list(table.columns) == ["symbol", "grammar", "1", "2", "3"]
    assert [list(row)[:3] for row in table.rows] == [
        ["NN", "seed 1", 50.0],
        ["NN", "seed 2", 60.0],
        ["NP", "seed 1", 90.0],
        ["NP", "seed 2", 90.0],
    ]
    assert list(table.rows[1])[-1] is None


def test_records_of_before_have_neither() -> None:
    records = [parsed("1", "single", 6), trained(1, [1.0])]
    for record in records:
        record["result"].pop("labels", None)
        record["result"].pop("shares", None)
    scored = Scored(PLAN, records)
    assert not breakdown(scored).rows and not shares(scored).rows
