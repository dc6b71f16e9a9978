import re

import pytest

from fstce.errors import ParameterError
from fstce.reporting import Series, charts, line_chart

pytest.importorskip("matplotlib")

LABELS = {"title": "Title", "x_label": "words", "y_label": "% right"}


@pytest.fixture
def axes_of(monkeypatch):
    """The axes that a chart was drawn into, after it was drawn."""
    kept = []
    draw = charts.draw

    def keeping(title, name, size, paint):
        def paint_and_keep(figure, axes):
            paint(figure, axes)
            kept.append(axes)

        return draw(title, name, size, paint_and_keep)

    monkeypatch.setattr(charts, "draw", keeping)

    def drawn(chart, *given, **named):
        chart(*given, **named)
        return kept[-1]

    return drawn


def data_lines(axes):
    """The lines that stand in the data's units, by their markers."""
    return [line for line in axes.lines if line.get_transform() == axes.transData and len(line.get_xdata())]


def test_lines_show_their_points(axes_of):
    series = {"CE": ([2, 1, 3], [80, 70, None]), "paper": Series([1], [71], dashed=True, like="CE")}
    ce, paper = data_lines(axes_of(line_chart, series, **LABELS))
    assert (ce.get_xdata().tolist(), ce.get_ydata().tolist()) == ([1, 2], [70, 80])
    assert (ce.get_linestyle(), paper.get_linestyle()) == ("-", "--")
    assert ce.get_color() == paper.get_color()
    assert (ce.get_marker(), paper.get_markerfacecolor()) == (paper.get_marker(), "white")


def test_every_name_is_written_once(texts_of):
    series = {"CE & co": ([1, 2], [70, 80]), "EM": ([1], [60]), "none": ([1], [None])}
    texts = texts_of(line_chart(series, **LABELS))
    for text in ("Title", "words", "% right", "CE & co", "EM"):
        assert texts.count(text) == 1
    assert "none" not in texts


def test_names_stand_in_the_order_of_their_lines(axes_of):
    series = {
        "low": ([1, 2], [9, 1]),
        "tie 1": ([1, 2], [1, 5]),
        "tie 2": ([1, 2], [0, 5]),
        "high": ([1], [8]),
    }
    [legend] = axes_of(line_chart, series, **LABELS).figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["high", "tie 1", "tie 2", "low"]


def test_axes(axes_of):
    axes = axes_of(
        line_chart,
        {"a": ([12000, 96000], [50, 90])},
        log_x=True,
        x_ticks={12000: "12K", 96000: "96K"},
        **LABELS,
    )
    assert axes.get_xscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["12K", "96K"]
    assert list(axes.get_xticks(minor=True)) == []


def test_ticks_without_names_are_numbers(texts_of):
    texts = texts_of(line_chart({"a": ([1000, 2000], [-1, 1])}, x_ticks=[1000, 2000], **LABELS))
    assert {"1,000", "2,000", "−1"} <= set(texts)


def test_a_band_spans_low_to_high(axes_of):
    series = {"a": Series([1, 2], [5, 6], low=[4, 5], high=[7, 9]), "b": ([1, 2], [3, 3])}
    [band] = axes_of(line_chart, series, **LABELS).collections
    corners = band.get_paths()[0].vertices
    assert corners.min(axis=0).tolist() == [1, 4]
    assert corners.max(axis=0).tolist() == [2, 9]


def test_the_picture_grows_with_its_names():
    def size(n, letters):
        svg = line_chart({f"{i:0{letters}d}": ([1], [i]) for i in range(n)}, **LABELS).svg
        return [float(x) for x in re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups()]

    small, many, long = size(3, 5), size(40, 5), size(3, 40)
    assert many[1] > 1.5 * small[1]
    assert long[0] > 1.2 * small[0]


def test_nothing_to_draw_says_so(texts_of):
    assert "no data" in texts_of(line_chart({"a": ([], [])}, **LABELS))
    assert "no data" not in texts_of(line_chart({"a": ([1], [1])}, **LABELS))


def test_bad_series_are_named():
    with pytest.raises(ParameterError, match="series 'a'"):
        line_chart({"a": ([1], [1, 2])}, **LABELS)
