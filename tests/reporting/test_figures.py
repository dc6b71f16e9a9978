import re
import subprocess
import sys

import pytest

from fstce.errors import MissingToolError, ParameterError
from fstce.reporting import Picture, line_chart

matplotlib = pytest.importorskip("matplotlib")

LABELS = {"title": "PRP$ and WP$: a chart", "x_label": "x", "y_label": "y"}
CHARTS = {
    "line": lambda **more: line_chart({"a": ([1, 2], [3, 4]), "b": ([1, 2], [4, 4])}, **LABELS, **more),
    "formulas": lambda **more: line_chart({"PRP$ WP$": ([1, 2], [3, 4])}, **{**LABELS, "title": "t"}, **more),
}


@pytest.fixture(params=sorted(CHARTS), scope="module")
def chart(request):
    return CHARTS[request.param]


@pytest.fixture(scope="module")
def drawn(chart):
    """A chart that is drawn once."""
    return chart()


def test_the_same_numbers_give_the_same_bytes_whatever_the_users_settings(chart, drawn):
    assert chart() == drawn
    with matplotlib.rc_context({"font.size": 20, "xtick.major.size": 20, "patch.linewidth": 9}):
        assert chart() == drawn
        assert matplotlib.rcParams["font.size"] == 20


def test_another_process_draws_the_same_bytes():
    program = (
        "import sys; from fstce.reporting import line_chart;"
        "sys.stdout.write(line_chart({'a': ([1, 2], [3, 4])}, title='t', x_label='x', y_label='y').svg)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    drawn = line_chart({"a": ([1, 2], [3, 4])}, title="t", x_label="x", y_label="y")
    assert done.stdout == drawn.svg


def test_svg_stands_in_html(chart, svg_of):
    first, second = chart(name="first"), chart(name="second")
    assert first.svg.startswith("<svg ")
    assert not re.search("<metadata|matplotlib.org|<script", first.svg)
    ids = [node.get("id") for one in (first, second) for node in svg_of(one).iter() if node.get("id")]
    assert len(ids) == len(set(ids)) > 20
    referred = set(re.findall(r"(?:url\(|href=\")#([^)\"]+)", first.svg + second.svg))
    assert referred <= set(ids)
    addresses = set(re.findall(r"https?://[^\"\s<]+", first.svg))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_text_is_text_with_a_fallback(drawn, texts_of):
    assert drawn.title in texts_of(drawn)
    families = set(re.findall(r"font-family: ([^;\"]+)|font: [^'\"]*('[^;\"]+)", drawn.svg))
    assert families
    assert all("".join(family).endswith("sans-serif") for family in families)


def test_tags_are_no_formulas(texts_of):
    assert "PRP$ and WP$: a chart" in texts_of(CHARTS["line"]())
    assert texts_of(CHARTS["formulas"]()).count("PRP$ WP$") == 1


def test_png(drawn):
    png = drawn.png
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert b"Software" not in png


def test_names():
    assert CHARTS["line"]().name == "prp-and-wp-a-chart"
    assert CHARTS["line"](name="figure-2").name == "figure-2"
    with pytest.raises(ParameterError, match="picture 'a/b'"):
        CHARTS["line"](name="a/b")
    with pytest.raises(ParameterError, match="picture 'a b'"):
        Picture("a b", "", "<svg/>")


def test_notebooks_show_the_svg():
    assert Picture("a", "", "<svg/>")._repr_svg_() == "<svg/>"


def test_pyplot_is_not_loaded():
    program = (
        "import sys; import fstce.reporting; assert 'matplotlib' not in sys.modules;"
        "from fstce.reporting import line_chart; line_chart({}, title='t', x_label='x', y_label='y');"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_without_matplotlib(chart, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingToolError, match=r"pip install 'fstce\[plot\]'"):
        chart()


def test_letters_that_the_font_lacks_make_no_noise(recwarn, texts_of):
    picture = line_chart({"東京": ([1], [2])}, **LABELS)
    assert "東京" in texts_of(picture)
    assert not recwarn.list
