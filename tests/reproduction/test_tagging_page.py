"""What the page says in words and shows in curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fstce.reproduction import tagging, tagging_tables
from fstce.reproduction.tagging_tables import choices
from fstce.reproduction.tagging_trials import TaggingPlan

Make = Callable[..., dict[str, Any]]
PLAN = TaggingPlan(
    "sample", (24_000,), 200, criteria=("conditional", "em", "trans1"), dictionaries=("full", "count:2")
)


@pytest.fixture
def diluted(record: Make) -> Callable[..., Any]:
    """Records of TRANS1 in Table 3 from (dictionary, spelling, selected, oracle) accuracies."""

    def made(*rows: tuple[str, bool, float, float]) -> Any:
        return [
            record(
                "trans1",
                held_out,
                all,
                all,
                table="table3",
                coarse=True,
                dictionary=d,
                spelling=s,
                sigma2=all,
            )
            for d, s, selected, oracle in rows
            for held_out, all in ((-1.0, selected), (-2.0, oracle))
        ]

    return made


def test_how_much_spelling_wins_back(diluted: Callable[..., Any]) -> None:
    chosen = diluted(
        ("full", False, 90.0, 92.0), ("count:2", False, 70.0, 84.0), ("count:2", True, 85.0, 86.0)
    )
    assert tagging_tables.recovered(PLAN, choices(chosen)).rows == (
        ("words seen at least twice", "selected", 90.0, 70.0, 20.0, 85.0, 15.0, 75.0),
        ("words seen at least twice", "most accurate", 92.0, 84.0, 8.0, 86.0, 2.0, 25.0),
    )


def test_where_nothing_is_lost_nothing_is_won_back(diluted: Callable[..., Any]) -> None:
    chosen = diluted(
        ("full", False, 90.0, 92.0), ("count:2", False, 91.0, 92.0), ("count:2", True, 85.0, 86.0)
    )
    lost_and_regained = [(row[4], *row[6:]) for row in tagging_tables.recovered(PLAN, choices(chosen)).rows]
    assert lost_and_regained == [(-1.0, -6.0, None), (0.0, -6.0, None)]


@pytest.mark.parametrize(
    "rows",
    [
        [("count:2", False, 70.0, 84.0), ("count:2", True, 85.0, 86.0)],
        [("full", False, 90.0, 92.0), ("full", True, 91.0, 92.0)],
        [("full", False, 90.0, 92.0), ("count:2", False, 70.0, 84.0)],
        [],
    ],
    ids=["no whole dictionary", "no diluted one", "no spelling", "nothing"],
)
def test_where_it_is_not_known_nothing_is_said(diluted: Callable[..., Any], rows: list[Any]) -> None:
    assert not tagging_tables.recovered(PLAN, choices(diluted(*rows))).rows


def test_the_summary_ranks_what_learnt_without_labels(record: Make) -> None:
    records = [
        record("conditional", -1.0, 99.0),
        record("em", -1.0, 55.5, smoothing=0.1),
        record("trans1", -1.0, 77.25),
    ]
    page = tagging.EXPERIMENT.page(PLAN, records, "fstce reproduce tagging --fresh")
    assert page.summary.endswith("chosen without labels: TRANS1 77.2, EM 55.5.")
    html = page.to_html()
    assert "<code>fstce reproduce tagging --fresh</code>" in html
    assert "σ²</dt><dd>0.1, 1, 10, 100, none</dd>" in html


def test_a_plan_without_figure2(diluted: Callable[..., Any]) -> None:
    plan = TaggingPlan("sample", (24_000,), 200, criteria=(), dictionaries=("full",))
    page = tagging.EXPERIMENT.page(plan, diluted(("full", False, 90.0, 92.0)), "")
    assert page.summary == ""
    assert "paper’s Figure 2" not in page.to_html()
    assert [table.name for table in page.tables] == ["table3", "side-analyses"]


def test_curves_put_none_and_zero_beyond_the_grid(record: Make) -> None:
    pytest.importorskip("matplotlib")
    chosen = choices(
        [record("trans1", -1.0, 70.0, sigma2=value) for value in (0.1, 10.0, None)]
        + [record("em", -1.0, 50.0, smoothing=value) for value in (0.0, 0.01, 1.0)]
    )
    found = {"TRANS1": chosen["figure2", 24_000, False, "full", False, "trans1"], "CRF": None}
    series, ticks = tagging._curves(found, "ambiguous")
    assert (list(series), series["TRANS1"].xs, series["TRANS1"].ys) == (
        ["TRANS1"],
        [0.1, 10.0, 100.0],
        [70.0] * 3,
    )
    assert ticks == {0.1: "0.1", 10.0: "10", 100.0: "none"}
    series, ticks = tagging._curves({"EM": chosen["figure2", 24_000, False, "full", False, "em"]}, "all")
    assert series["EM"].xs == [0.001, 0.01, 1.0]
    assert ticks == {0.001: "0", 0.01: "0.01", 1.0: "1"}


def test_an_amount_of_text_is_a_curve(record: Make) -> None:
    pytest.importorskip("matplotlib")
    plan = TaggingPlan("sample", (12_000, 24_000), 200, criteria=("em", "trans1"), dictionaries=())
    records = [record("trans1", -1.0, 70.0), record("trans1", -1.0, 60.0, words=12_000)]
    page = tagging.EXPERIMENT.page(plan, [*records, record("em", -1.0, 50.0)], "")
    (curve,) = (picture for picture in page.pictures if picture.name == "figure2-curve")
    assert ">TRANS1<" in curve.svg
    assert ">12,000<" in curve.svg
    assert ">EM<" not in curve.svg  # one point is no curve
