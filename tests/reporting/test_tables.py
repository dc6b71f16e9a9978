import csv
import io
import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.errors import ParameterError
from fstce.reporting.tables import Divider, Table

# Python 3.10's csv module does not read NUL.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
NUMBER = st.floats() | st.integers()


def read_csv(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def small(**changes):
    rows = [["EM", 60.449, 1], ["CE", 79.04, None], ["LENGTH", 79.02, 3]]
    return replace(Table("small", "Accuracy", ["model", "%", "arcs"], rows), **changes)


@given(st.lists(st.tuples(TEXT, NUMBER | TEXT, NUMBER | st.none()), max_size=5), TEXT)
def test_csv_round_trip(rows, heading):
    table = Table("t", "", [heading, f"{heading}1", f"{heading}2"], rows)
    head, *body = read_csv(table.to_csv())
    assert head == list(table.columns)
    for (first, second, third), found in zip(rows, body, strict=True):
        assert found[0] == first
        assert found[1] == (second if isinstance(second, str) else repr(second))
        assert found[2] == ("" if third is None else repr(third))


def test_csv_has_all_digits_and_crlf():
    table = Table("t", "", ["x", "y"], [["a,b", 1 / 3], ['say "c"', math.nan]])
    assert table.to_csv() == 'x,y\r\n"a,b",0.3333333333333333\r\n"say ""c""",nan\r\n'


def test_rules_are_a_column_in_csv(results):
    rows = read_csv(results.to_csv())
    assert rows[0] == ["group", "model", "%", "arcs"]
    assert [row[0] for row in rows[1:]] == ["45 tags", "45 tags", "17 tags", "17 tags"]
    assert read_csv(replace(results, group="tags").to_csv())[0][0] == "tags"


def test_rows_before_the_first_rule_have_no_group():
    table = Table("t", "", ["x"], [["a"], Divider("r"), ["b"]])
    assert read_csv(table.to_csv())[1:] == [["", "a"], ["r", "b"]]
    assert table.groups() == [[0], [1, 2]]


def test_best_marks_what_is_shown_alike():
    assert small().best("%").mark == {(1, 1), (2, 1)}
    assert small(decimals=2).best("%").mark == {(1, 1)}
    assert small(decimals={"%": None}).best("%").mark == {(1, 1)}
    assert small().best("%", "arcs", lowest=True).mark == {(0, 1), (0, 2)}
    assert small().best("%", among=[0]).mark == {(0, 1)}
    assert small(mark=[(2, 0)]).best("%", among=[0]).mark == {(2, 0), (0, 1)}


def test_best_is_found_in_each_group(results):
    assert results.mark == {(1, 1), (5, 1)}


@given(st.lists(st.floats(-100, 100) | st.none() | st.just(math.nan), min_size=1), st.booleans())
def test_best_is_the_extreme(numbers, lowest):
    table = Table("t", "", ["x"], [[number] for number in numbers], decimals=3).best(
        "x", lowest=lowest
    )
    known = [x for x in numbers if x is not None and not math.isnan(x)]
    expected = (
        f"{(min if lowest else max)(known):.3f}".replace("-0.000", "0.000") if known else None
    )
    shown = [
        None if x is None or math.isnan(x) else f"{x:.3f}".replace("-0.000", "0.000")
        for x in numbers
    ]
    assert {row for row, _ in table.mark} == {
        i for i, x in enumerate(shown) if x is not None and x == expected
    }


def test_columns_of_numbers_stand_right():
    table = Table(
        "t", "", ["a", "b", "c", "d"], [["x", "n/a", None, 1], Divider("r"), ["y", 2.0, None, "z"]]
    )
    assert table.sides == ["left", "right", "left", "right"]


def test_decimals_by_column():
    table = Table("t", "", ["a", "b", "c"], [[1.25, 0.5, 2.0]], decimals={"a": 3, "b": None})
    assert [table.shown(cell, i) for i, cell in enumerate(table.rows[0])] == ["1.250", "0.5", "2.0"]
    assert Table("t", "", ["a"], [], decimals=None).shown(0.125, 0) == "0.125"


def test_a_table_is_frozen_and_does_not_share_its_rows():
    rows = [["a", np.float64(1)], ["b", np.int32(2)]]
    table = Table("t", "", ["x", "y"], rows)
    rows[0][0] = "changed"
    rows.append(["c", 2])
    assert repr(table.rows) == "(('a', 1.0), ('b', 2))"
    with pytest.raises(FrozenInstanceError):
        table.title = "other"


def test_a_table_may_be_empty():
    table = Table("t", "T", ["x", "y"], [])
    assert table.to_csv() == "x,y\r\n"
    assert "<tbody>" not in table.to_html()


@pytest.mark.parametrize("row", [["a", 1], "abcd"])
def test_a_row_of_another_length_is_refused(row):
    with pytest.raises(ParameterError, match="is no row of"):
        small(rows=[["a", 1, 2], row])
