"""The tables of records made by hand: which cells, which published numbers, which notes."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from typing import Any

import pytest

from fstce.evaluation import random_accuracy
from fstce.reporting.tables import Table
from fstce.reproduction import tagging_tables as tables
from fstce.reproduction.material import material
from fstce.reproduction.tagging_tables import choices
from fstce.reproduction.tagging_trials import TaggingPlan

Make = Callable[..., dict[str, Any]]
PLAN = TaggingPlan(
    "sample",
    (24_000, 300),
    200,
    criteria=("conditional", "trans1", "em"),
    dictionaries=("count:2",),
)


@pytest.fixture(autouse=True)
def as_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the sample were the paper's text."""
    monkeypatch.setattr(tables, "is_papers", lambda corpus: True)


def rows_of(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.to_csv(), newline="")))


def marked(table: Table) -> set[Any]:
    """The cells that stand out."""
    return {table.rows[row][column] for row, column in table.mark}  # type: ignore[index]


@pytest.fixture
def records(record: Make) -> Any:
    """Two grids of Figure 2 at 24,000 words, one of Table 3 with and one without spelling."""
    coarse = {"table": "table3", "coarse": True, "dictionary": "count:2"}
    return [
        record("conditional", -9.0, 99.5, sigma2=0.1),
        record("conditional", -8.0, 99.25, sigma2=1.0),
        record("trans1", -3.0, 77.125, sigma2=0.1, result={"note": 0.25}),
        record("trans1", -4.0, 78.5, sigma2=None),
        record("trans1", -3.0, 50.0, 71.5, **coarse),
        record("trans1", -3.0, 50.0, 88.5, spelling=True, **coarse),
        record("em", -math.inf, 40.0, 66.5, smoothing=0.0, **coarse),
        record("em", -30.0, 39.0, 66.25, smoothing=1.0, **coarse),
    ]


@pytest.fixture
def chosen(records: Any) -> Any:
    return choices(records)


def test_figure2(chosen: Any) -> None:
    table = tables.figure2(PLAN, chosen)
    rows = {row["criterion"]: row for row in rows_of(table)}
    assert list(rows) == ["CRF (supervised)", "TRANS1", "EM", "random"]
    crf, trans1 = rows["CRF (supervised)"], rows["TRANS1"]
    assert [float(crf[c]) for c in ("24K: sel.", "24K: oracle")] == [99.25, 99.5]
    assert [float(trans1[c]) for c in ("24K: sel.", "24K: oracle")] == [77.125, 78.5]
    assert [float(trans1[f"24K: paper {c}"]) for c in ("sel.", "oracle")] == [77.2, 77.2]
    assert [float(rows["EM"][f"24K: paper {c}"]) for c in ("sel.", "oracle")] == [55.5, 58.0]
    assert [rows["EM"][c] for c in ("24K: sel.", "24K: oracle", "300: sel.")] == ["", "", ""]


def test_the_random_row_is_chance_on_that_text(chosen: Any) -> None:
    row = rows_of(tables.figure2(PLAN, chosen))[-1]
    assert row["24K: paper sel."] == "35.1"
    for words, size in ((24_000, "24K"), (300, "300")):
        text = material("sample", False, words, 200, "full")
        chance = random_accuracy(text.train, text.gold, text.dictionary).ambiguous
        assert float(row[f"{size}: sel."]) == float(row[f"{size}: oracle"]) == chance


def test_supervised_and_chance_do_not_compete(chosen: Any, record: Make) -> None:
    table = tables.figure2(PLAN, chosen)
    assert marked(table) == {77.125, 78.5}
    plan = TaggingPlan("sample", (24_000,), 200, criteria=("supervised-contrastive", "trans1"))
    supervised = choices(
        [record("supervised-contrastive", -1.0, 95.0), record("trans1", -1.0, 70.0)]
    )
    assert marked(tables.figure2(plan, supervised)) == {70.0}


def test_sizes_that_round_alike_stay_apart() -> None:
    plan = TaggingPlan("sample", (2_000, 2_500, 999), 200, criteria=("em",))
    assert tables.figure2(plan, {}).columns[1::4] == ("2K: sel.", "2,500: sel.", "999: sel.")


def test_table3(chosen: Any) -> None:
    table = tables.table3(PLAN, chosen)
    rows = {row["criterion"]: row for row in rows_of(table)}
    assert list(rows) == ["TRANS1", "EM", "random"]
    assert {row["group"] for row in rows.values()} == {"dictionary: count:2"}
    kinds = [
        f"{features}: {kind}"
        for features in ("trigram", "+ spelling")
        for kind in ("sel.", "oracle")
    ]
    assert [rows["TRANS1"][kind] for kind in kinds] == ["71.5", "71.5", "88.5", "88.5"]
    paper = [kind.replace(": ", ": paper ") for kind in kinds]
    assert [rows["TRANS1"][kind] for kind in paper] == ["77.0", "78.6", "78.7", "90.1"]
    assert [rows["EM"][kind] for kind in kinds] == ["66.25", "66.5", "", ""]
    assert [rows["EM"][kind] for kind in paper] == ["70.1", "70.9", "", ""]
    text = material("sample", True, 24_000, 200, "count:2")
    chance = random_accuracy(text.train, text.gold, text.dictionary).all
    assert [rows["random"][kind] for kind in kinds] == [repr(chance), repr(chance), "", ""]
    assert "the first 24,000 words" in table.note


def test_another_dictionary_has_no_published_numbers(record: Make) -> None:
    plan = TaggingPlan("sample", (300,), 200, dictionaries=("count:5",))
    found = record(
        "trans1", -1.0, 1.0, 70.5, table="table3", words=300, coarse=True, dictionary="count:5"
    )
    row = rows_of(tables.table3(plan, choices([found])))[1]
    assert (row["trigram: sel."], row["trigram: paper sel."]) == ("70.5", "")


def test_cross_table() -> None:
    found = {
        "trans1": {"trans1": -0.125, "length": -5.5},
        "em": {"trans1": -math.inf, "length": -4.25},
    }
    table = tables.cross_table(found)
    assert rows_of(table) == [
        {"model": "TRANS1", "TRANS1": "-0.125", "LENGTH": "-5.5"},
        {"model": "EM", "TRANS1": "-inf", "LENGTH": "-4.25"},
    ]
    assert table.mark == {(0, 1), (1, 2)}


def test_the_papers_numbers_stand_beside_its_own_text_alone(
    chosen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    plan = PLAN
    assert tables.figure2(plan, chosen).columns == (
        "criterion",
        "24K: sel.",
        "24K: oracle",
        "300: sel.",
        "300: oracle",
    )
    assert not any("paper" in column for column in tables.table3(plan, chosen).columns)
    assert "paper" not in tables.figure2(plan, chosen).note + tables.table3(plan, chosen).note
