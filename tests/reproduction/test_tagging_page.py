"""What the page says in words and shows in curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fstce.reporting.tables import Divider
from fstce.reproduction import tagging
from fstce.reproduction import tagging_tables as tables
from fstce.reproduction.material import material
from fstce.reproduction.run import ReportPage
from fstce.reproduction.tagging_tables import choices
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
                sigma2=sigma2,
            )
            for d, s, selected, oracle in rows
            for held_out, all, sigma2 in ((-1.0, selected, 1.0), (-2.0, oracle, 10.0))
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
    assert [table.name for table in page.tables] == ["table3", "dictionaries"]


def test_curves_have_a_step_for_each_point_of_the_grid(
    record: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(PLAN, dictionaries=(), sigma2=(None, 0.1, 10.0), smoothing=(0.0, 0.01, 1.0))
    records = [record("trans1", -1.0, 70.0, sigma2=value) for value in plan.sigma2]
    records += [record("em", -1.0, 50.0, smoothing=value) for value in plan.smoothing]
    drawn: dict[str, Any] = {}

    def chart(_: Any, caption: str, series: Any, **options: Any) -> None:
        drawn[options["name"]] = (series, options["x_ticks"], options["circles"])

    monkeypatch.setattr(ReportPage, "chart", chart)
    tagging.EXPERIMENT.page(plan, records, "")
    series, ticks, circles = drawn["figure2-sigma2"]
    assert series == {
        "CRF (supervised)": ([], []),
        "EM": ([], []),
        "TRANS1": ((1.0, 10.0, 100.0), (70.0,) * 3),
    }
    assert ticks == {1.0: "0.1", 10.0: "10", 100.0: "none"}
    assert circles == [(100.0, 70.0)]  # of equally good ones the first of the plan, without a prior
    series, ticks, _ = drawn["figure2-smoothing"]
    assert series["EM"] == ((1.0, 10.0, 100.0), (50.0,) * 3)
    assert ticks == {1.0: "none", 10.0: "0.01", 100.0: "1"}


def test_figure3_has_a_picture_for_each_dictionary(diluted: Callable[..., Any]) -> None:
    pytest.importorskip("matplotlib")
    rows = [(name, spelt, 70.0, 80.0) for name in ("full", "count:2") for spelt in (False, True)]
    page = tagging.EXPERIMENT.page(replace(PLAN, criteria=()), diluted(*rows), "")
    pictures = {picture.name: picture.svg for picture in page.pictures}
    assert set(pictures) == {"figure3-full-sigma2", "figure3-count-2-sigma2"}
    assert all(">TRANS1 + spelling<" in svg for svg in pictures.values())


def test_listed_and_rare_words_stand_apart(diluted: Callable[..., Any]) -> None:
    rows = [
        ("full", False, 94.0, 94.0),
        ("count:2", False, 80.0, 84.0),
        ("count:2", True, 90.0, 91.5),
    ]
    records = diluted(*rows)
    for record in records[4:]:
        record["result"] |= {"listed": 95.0, "rare": 70.0}
    (row,) = (
        row for row in tables.apart(PLAN, choices(records)).rows if not isinstance(row, Divider)
    )
    assert list(row[1:5]) == [None, None, 95.0, 70.0]
    assert row[5] == pytest.approx(75.0)  # (91.5 − 84) of (94 − 84)


def test_how_hard_the_dictionaries_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "is_papers", lambda corpus: True)
    table = tables.dictionaries(PLAN)
    text = material("sample", True, 24_000, 200, "count:2")
    row = table.rows[1]
    assert row[3] == text.dictionary.ambiguity(text.train)
    ambiguous = sum(
        len(text.dictionary.lookup(word)) > 1 for sentence in text.train for word in sentence
    )
    assert row[2] == ambiguous
    assert list(row[4:]) == [56.6, 14780.0, 4.4]
