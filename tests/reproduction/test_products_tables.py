"""The tables of the products from records made by hand, and the published numbers typed twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fstce.errors import ParameterError
from fstce.evaluation import bootstrap, compare
from fstce.evaluation.bracket_scores import BracketCounts, statistic
from fstce.reporting.tables import Divider
from fstce.reproduction import products as tables
from fstce.reproduction.products import EXPERIMENT, Scored, paper
from fstce.reproduction.products_trials import PARTS, ProductsPlan

PLAN = ProductsPlan(cycles=1, grammars=2, products=(2,), sums=(2,))
F1 = statistic(BracketCounts, "f1")


def counts(seed: int) -> list[list[int]]:
    """Twelve sentences of ten gold and ten predicted brackets, of which some match."""
    rng = np.random.default_rng(seed)
    matched = rng.integers(4, 11, 12)
    return [[10, 10, int(m), 1, int(m == 10), 0, 1, 1, int(m), 10, 9, 0, 0] for m in matched]


def record(seed: int, **settings: Any) -> dict[str, Any]:
    result = {"counts": counts(seed), "lengths": [20] * 10 + [41] * 2}
    result |= {"f1": 80.0 + seed, "exact": 20.0, "by_category": {"NP": 70.0 + seed, "VP": 60.0}}
    return {"settings": {"cycles": 1, **settings}, "result": result, "seconds": 3.0}


def parse(seed: int, part: str, members: str, combination: str, after: int = 1) -> dict[str, Any]:
    given = {"part": part, "members": members, "combination": combination, "after": after}
    return record(seed, experiment="parse", **given)


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {
            "settings": {"experiment": "train", "seed": seed, "cycles": 1},
            "result": {"subcategories": [4, 6 + seed], "sizes": {"NP": 4 + seed, "ROOT": 1}},
            "seconds": 10.0,
        }
        for seed in (1, 2)
    ]
    for i, part in enumerate(PARTS):
        found += [
            parse(10 + i, part, "1", "single", 0),
            parse(20 + i, part, "1", "single"),
            parse(30 + i, part, "2", "single"),
            parse(40 + i, part, "1 2", "product"),
            parse(50 + i, part, "1 2", "sum"),
        ]
    return found


@pytest.fixture(scope="module")
def scored(records: list[dict[str, Any]]) -> Scored:
    return Scored(PLAN, records)


def f1(seed: int, sentences: int = 10) -> float:
    rows = np.array(counts(seed))[:sentences].sum(axis=0)
    return 200 * rows[2] / (rows[0] + rows[1])


def row(table: Any, name: Any) -> dict[str, Any]:
    found = next(row for row in table.rows if not isinstance(row, Divider) and row[0] == name)
    return dict(zip(table.columns, found, strict=True))


def test_cycles(scored: Scored) -> None:
    first, second = (row(tables.by_cycle(scored), name) for name in ("0 (X-bar)", "1"))
    assert (first["subcategories"], second["subcategories"]) == (4, 7)
    assert (first["development: F1"], second["test: F1"]) == (f1(10), f1(21))
    assert (first["Berkeley: test F1"], second["Berkeley: test F1"]) == (63.6, 74.8)
    ends = bootstrap(counts(21)[:10], F1)
    assert second["test: 95 % of F1"] == f"{ends.low:.1f}–{ends.high:.1f}"


def test_singles(scored: Scored) -> None:
    table = tables.singles(scored)
    assert row(table, "mean")["test: F1"] == pytest.approx((f1(21) + f1(31)) / 2)
    assert row(table, "least")["test: F1"] == min(f1(21), f1(31))
    assert [row(table, name)["Berkeley: test F1"] for name in ("least", "mean", "greatest")] == [
        85.4,
        86.5,
        87.1,
    ]


def test_products(scored: Scored) -> None:
    table = tables.products(scored)
    assert (row(table, 1)["test: F1"], row(table, 2)["test: F1"]) == (f1(21), f1(41))
    assert (row(table, 1)["Petrov: test F1"], row(table, 2)["Petrov: test F1"]) == (90.2, None)


def test_combinations(scored: Scored) -> None:
    table = tables.combinations(scored)
    rules = [one.text for one in table.rows if isinstance(one, Divider)]
    assert rules == ["2 grammars: product of posteriors against their sum"]
    found = compare(counts(41)[:10], counts(51)[:10], F1)
    cells = row(table, "test F1")
    assert (cells["product"], cells["sum"], cells["p"]) == (f1(41), f1(51), found.p)
    assert (cells["low"], cells["high"]) == (found.low, found.high)
    assert cells["difference"] == pytest.approx(f1(41) - f1(51))
    assert all(text in table.note for text in ("91.2 and 90.7", "product 91.7 and sum 91.3"))


def test_failed_trials_leave_gaps_and_are_told(records: list[dict[str, Any]]) -> None:
    broken = [
        {**r, "error": "out of memory"} if r["settings"].get("combination") == "sum" else r
        for r in records
    ]
    for one in broken:
        if "error" in one:
            one.pop("result")
    found = tables.combinations(Scored(PLAN, broken))
    assert not any(
        cell == "test F1" for cell in [r[0] for r in found.rows[:2] if not isinstance(r, Divider)]
    )
    plan = replace(PLAN, corpus="sample")
    page = EXPERIMENT.page(plan, broken, "fstce")
    assert "2 trials failed" in page.to_html() and "out of memory" in page.to_html()
    with pytest.raises(ParameterError, match=r"nothing was parsed: .*combination=sum after=1: out"):
        EXPERIMENT.page(plan, [one for one in broken if "error" in one], "fstce")


def test_other_treebanks_have_no_berkeley_numbers(records: list[dict[str, Any]]) -> None:
    other = Scored(replace(PLAN, corpus="sample"), records)
    assert row(tables.by_cycle(other), "1")["Berkeley: test F1"] is None


def test_the_published_numbers() -> None:
    cycles = [paper("berkeley", "cycles", n) for n in range(7)]
    assert cycles == [63.6, 74.8, 82.1, 84.6, 86.8, 85.1, 84.7]
    assert [paper("berkeley", "product", n) for n in (4, 8)] == [89.0, 88.5]
    assert paper("berkeley", "product", 8, "development") == 88.0
    assert [paper("petrov", "product", n) for n in (1, 8)] == [90.2, 91.8]
    assert paper("petrov", "product", 7) is None


def test_subcategories_of_each_category(scored: Scored) -> None:
    assert [tuple(row) for row in tables.subcategories(scored).rows] == [
        ("NP", 5.5, pytest.approx(0.5**0.5)),
        ("ROOT", 1.0, 0.0),
    ]


def test_scores_by_phrase(scored: Scored) -> None:
    rows = [tuple(row) for row in tables.by_category(scored).rows]
    assert rows == [
        ("seed 1", 100.0, 20.0, 90.0, 60.0, None, None),
        ("seed 2", 110.0, 20.0, 100.0, 60.0, None, None),
        ("product of 2", 120.0, 20.0, 110.0, 60.0, None, None),
    ]


def test_the_correlation_of_both_parts_is_that_of_the_seeds(records: list[dict[str, Any]]) -> None:
    plan = replace(PLAN, grammars=4, products=())
    extra = [
        parse(30 + 7 * seed + i, part, str(seed), "single")
        for seed in (3, 4)
        for i, part in enumerate(PARTS)
    ]
    table = tables.singles(Scored(plan, [*records, *extra]))
    scores = np.array([[row[1], row[4]] for row in table.rows[:4]], dtype=float)
    wanted = np.corrcoef(scores.T)[0, 1]
    assert f"correlation of F1 on both parts: {wanted:.2f} (Petrov: 0.34)" in table.note
    assert "correlation" not in tables.singles(Scored(PLAN, records)).note
