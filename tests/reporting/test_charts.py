import re
import subprocess
import sys

import pytest

from fstce.errors import MissingToolError
from fstce.reporting.charts import line_chart

matplotlib = pytest.importorskip("matplotlib")

LABELS = {
    "name": "chart",
    "title": "PRP$ and WP$: a chart",
    "x_label": "words",
    "y_label": "% right",
    "x_ticks": {1: "1", 2: "2"},
}
SERIES = {"a": ([1, 2], [3, 4]), "PRP$ WP$": ([1, 2], [4, 4])}


@pytest.fixture
def axes_of(monkeypatch):
    """The axes that a chart was drawn into, after it was drawn."""
    from matplotlib.figure import Figure

    kept = []

    class Kept(Figure):
        def add_subplot(self, *given, **named):
            kept.append(super().add_subplot(*given, **named))
            return kept[-1]

    monkeypatch.setattr("matplotlib.figure.Figure", Kept)

    def drawn(series, **named):
        line_chart(series, **LABELS | named)
        return kept[-1]

    return drawn


@pytest.fixture(scope="module")
def drawn():
    """A chart that is drawn once."""
    return line_chart(SERIES, **LABELS)


def test_lines_show_their_points(axes_of):
    em, ce = axes_of({"EM": ([1], [70]), "CE": ([1, 2], [80, 90])}).lines
    assert (ce.get_xdata().tolist(), ce.get_ydata().tolist()) == ([1, 2], [80, 90])
    assert (em.get_xdata().tolist(), em.get_ydata().tolist()) == ([1], [70])
    assert ce.get_color() != em.get_color() and ce.get_marker() != em.get_marker()


def test_series_without_points_are_left_out_but_keep_their_colour(axes_of):
    [line] = axes_of({"none": ([], []), "a": ([1], [1])}).lines
    assert (line.get_label(), line.get_color()) == ("a", "#D55E00")


def test_looks_differ_for_twenty_series(axes_of):
    lines = axes_of({str(i): ([1], [1]) for i in range(20)}).lines
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 20


def test_every_name_is_written_once(texts_of):
    series = {"CE & co": ([1, 2], [70, 80]), "EM": ([1], [60]), "none": ([], [])}
    texts = texts_of(line_chart(series, **LABELS))
    for text in ("PRP$ and WP$: a chart", "words", "% right", "CE & co", "EM"):
        assert texts.count(text) == 1
    assert "none" not in texts


def test_names_stand_in_the_order_of_their_lines(axes_of):
    series = {
        "low": ([1, 2], [9, 1]),
        "tie 1": ([1, 2], [1, 5]),
        "tie 2": ([1, 2], [0, 5]),
        "high": ([1], [8]),
    }
    [legend] = axes_of(series).figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["high", "tie 1", "tie 2", "low"]


def test_axes(axes_of):
    axes = axes_of({"a": ([12000, 96000], [50, 90])}, x_ticks={12000: "12K", 96000: "96K"})
    assert axes.get_xscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["12K", "96K"]
    assert list(axes.get_xticks(minor=True)) == []


def test_the_picture_grows_with_its_names():
    def size(n, letters):
        svg = line_chart({f"{i:0{letters}d}": ([1], [i]) for i in range(n)}, **LABELS).svg
        return [float(x) for x in re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups()]

    small, many, long = size(3, 5), size(40, 5), size(3, 40)
    assert many[1] > 1.5 * small[1]
    assert long[0] > 1.2 * small[0]


def test_the_same_numbers_give_the_same_bytes_whatever_the_users_settings(drawn):
    assert line_chart(SERIES, **LABELS) == drawn
    with matplotlib.rc_context({"font.size": 20, "xtick.major.size": 20, "patch.linewidth": 9}):
        assert line_chart(SERIES, **LABELS) == drawn
        assert matplotlib.rcParams["font.size"] == 20


def test_another_process_draws_the_same_bytes(drawn):
    program = (
        "import sys; from fstce.reporting.charts import line_chart;"
        f"sys.stdout.write(line_chart({SERIES!r}, **{LABELS!r}).svg)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == drawn.svg


def test_the_file_says_nothing_of_matplotlib(drawn):
    assert not re.search("<metadata|matplotlib.org|<script", drawn.svg)


def test_text_is_text_with_a_fallback(drawn, texts_of):
    assert drawn.title in texts_of(drawn)
    families = set(re.findall(r"font-family: ([^;\"]+)|font: [^'\"]*('[^;\"]+)", drawn.svg))
    assert families
    assert all("".join(family).endswith("sans-serif") for family in families)


def test_tags_are_no_formulas(drawn, texts_of):
    assert texts_of(drawn).count("PRP$ WP$") == texts_of(drawn).count("PRP$ and WP$: a chart") == 1


def test_names():
    assert line_chart(SERIES, **LABELS).name == "chart"


def test_pyplot_is_not_loaded():
    program = (
        "import sys; import fstce.reporting; assert 'matplotlib' not in sys.modules;"
        f"from fstce.reporting.charts import line_chart; line_chart({{}}, **{LABELS!r});"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_without_matplotlib(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingToolError, match=r"pip install 'fstce\[plot\]'"):
        line_chart(SERIES, **LABELS)


def test_letters_that_the_font_lacks_make_no_noise(recwarn, texts_of):
    picture = line_chart({"東京": ([1], [2])}, **LABELS)
    assert "東京" in texts_of(picture)
    assert not recwarn.list
