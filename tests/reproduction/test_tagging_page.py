"""What the page says in words and shows in curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fstce.reproduction import tagging
from fstce.reproduction.run import ReportPage
from fstce.reproduction.tagging_trials import TaggingPlan

Make = Callable[..., dict[str, Any]]
PLAN = TaggingPlan(
    "sample",
    (24_000,),
    200,
    criteria=("conditional", "em", "trans1"),
    dictionaries=("full", "count:2"),
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


def test_the_page_begins_with_what_was_run(record: Make) -> None:
    records = [record("conditional", -1.0, 99.0), record("em", -1.0, 55.5, smoothing=0.1)]
    page = tagging.EXPERIMENT.page(PLAN, records, "fstce reproduce tagging --quick")
    html = page.to_html()
    assert "<code>fstce reproduce tagging --quick</code>" in html
    assert "<dt>sigma2</dt><dd>0.1,1.0,10.0,100.0,None</dd>" in html


def test_a_plan_without_figure2(diluted: Callable[..., Any]) -> None:
    plan = TaggingPlan("sample", (24_000,), 200, criteria=(), dictionaries=("full",))
    page = tagging.EXPERIMENT.page(plan, diluted(("full", False, 90.0, 92.0)), "")
    assert "paper’s Figure 2" not in page.to_html()
    assert [table.name for table in page.tables] == ["table3"]


def test_curves_have_a_step_for_each_point_of_the_grid(
    record: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(PLAN, dictionaries=(), sigma2=(None, 0.1, 10.0), smoothing=(0.0, 0.01, 1.0))
    records = [record("trans1", -1.0, 70.0, sigma2=value) for value in plan.sigma2]
    records += [record("em", -1.0, 50.0, smoothing=value) for value in plan.smoothing]
    drawn: dict[str, Any] = {}

    def chart(_: Any, caption: str, series: Any, **options: Any) -> None:
        drawn[options["name"]] = (series, options["x_ticks"])

    monkeypatch.setattr(ReportPage, "chart", chart)
    tagging.EXPERIMENT.page(plan, records, "")
    series, ticks = drawn["figure3-sigma2"]
    assert series == {
        "CRF (supervised)": ([], []),
        "EM": ([], []),
        "TRANS1": ([1.0, 10.0, 100.0], [70.0] * 3),
    }
    assert ticks == {1.0: "0.1", 10.0: "10", 100.0: "none"}
    series, ticks = drawn["figure3-hmm"]
    assert series["EM"] == ([1.0, 10.0, 100.0], [50.0] * 3)
    assert ticks == {1.0: "none", 10.0: "0.01", 100.0: "1"}


def test_an_amount_of_text_is_a_curve(record: Make) -> None:
    pytest.importorskip("matplotlib")
    plan = TaggingPlan("sample", (12_000, 24_000), 200, criteria=("em", "trans1"), dictionaries=())
    records = [record("trans1", -1.0, 70.0), record("trans1", -1.0, 60.0, words=12_000)]
    page = tagging.EXPERIMENT.page(plan, [*records, record("em", -1.0, 50.0)], "")
    (curve,) = (picture for picture in page.pictures if picture.name == "figure2-curve")
    assert ">TRANS1<" in curve.svg
    assert ">12,000<" in curve.svg
    assert ">EM<" not in curve.svg  # one point is no curve
