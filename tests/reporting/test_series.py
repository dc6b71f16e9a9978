import numpy as np
import pytest

from fstce.errors import ParameterError
from fstce.reporting import Series
from fstce.reporting.charts import lines

NAN, INF = float("nan"), float("inf")


def test_points_are_sorted_and_gaps_left_out():
    [line] = lines({"a": ([3, 1, NAN, 2, 4, 5], [30, 10, 5, None, 40, INF])})
    assert line.xs.tolist() == [1, 3, 4]
    assert line.ys.tolist() == [10, 30, 40]
    assert line.low.tolist() == line.high.tolist() == line.ys.tolist()


def test_bands_go_with_their_points():
    [line] = lines({"a": Series([2, 1], [5, 6], low=[4, NAN], high=[7, 8])})
    np.testing.assert_array_equal(line.low, [NAN, 4])
    np.testing.assert_array_equal(line.high, [8, 7])


def test_series_without_points_are_left_out_but_keep_their_colour():
    full, gone = lines({"a": ([1], [1]), "none": ([], []), "b": ([1], [2])}), lines({"none": ([1], [None])})
    assert [line.name for line in full] == ["a", "b"]
    assert [line.look["color"] for line in full] == ["#0072B2", "#009E73"]
    assert gone == []


def test_like_takes_colour_and_marker():
    paper, other, ours = lines(
        {
            "paper": Series([1], [1], dashed=True, like="ours"),
            "other": ([1], [2]),
            "ours": ([1], [3]),
        }
    )
    assert [paper.look[part] == ours.look[part] for part in ("color", "marker")] == [True, True]
    assert (paper.dashed, paper.look["markerfacecolor"]) == (True, "white")
    assert other.look["color"] != ours.look["color"]


def test_looks_differ_for_twenty_series():
    found = lines({str(i): ([1], [1]) for i in range(20)})
    assert len({(line.look["color"], line.look["marker"]) for line in found}) == 20


@pytest.mark.parametrize(
    ("series", "message"),
    [
        ({"a": ([1, 2], [1])}, "series 'a': .* rows of one length"),
        ({"a": Series([1], [1], low=[1, 2])}, "rows of one length"),
        ({"a": (1, 2)}, "rows of one length"),
        ({"a": ([1], ["x"])}, "series 'a': holds something that is no number"),
        ({"a": ([[1], [1, 2]], [1])}, "no number"),
        ({"a": Series([1], [1], like="b")}, "like='b' names no series"),
        ({"a": Series([1], [1], like="a")}, "like='a' names no series"),
    ],
)
def test_bad_series_are_named(series, message):
    with pytest.raises(ParameterError, match=message):
        lines(series)


def test_logarithmic_axes_have_no_zero():
    assert lines({"a": ([0, 1], [None, 1])}, log_x=True)
    with pytest.raises(ParameterError, match="series 'a': x = 0 has no place on a logarithmic axis"):
        lines({"a": ([0, 1], [1, 1])}, log_x=True)
