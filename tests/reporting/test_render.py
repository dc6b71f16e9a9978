import html
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.reporting.render import escaped_lines
from fstce.reporting.tables import MISSING, shown
from fstce.svg import clean, escaped


@pytest.mark.parametrize(
    ("cell", "decimals", "text"),
    [
        (79.449, 1, "79.4"),
        (79.451, 1, "79.5"),
        (79.449, 0, "79"),
        (-0.04, 1, "0.0"),
        (-0.06, 1, "−0.1"),
        (-1234567.891, 2, "−1,234,567.89"),
        (2866364, 1, "2,866,364"),
        (-3, 1, "−3"),
        (0.1, None, "0.1"),
        (1e-05, None, "1e-05"),
        (24000.0, None, "24,000"),
        (math.inf, 1, "∞"),
        (-math.inf, 1, "−∞"),
        (math.nan, 1, MISSING),
        (None, 1, MISSING),
        ("", 1, ""),
        ("1.0", 3, "1.0"),
    ],
)
def test_shown(cell, decimals, text):
    assert shown(cell, decimals) == text


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 6))
def test_a_shown_number_is_the_rounded_number(number, decimals):
    text = shown(number, decimals)
    assert float(text.replace("−", "-").replace(",", "")) == float(f"{number:.{decimals}f}")
    assert text != "−0" and not re.fullmatch(r"−0\.0*", text)


@given(st.text())
def test_escaped_text_holds_no_markup(text):
    assert not set('<>"') & set(escaped(text))
    assert html.unescape(escaped(text)) == clean(text) or "\r" in text


def test_line_breaks_of_all_systems():
    assert escaped_lines("a\nb\r\nc\rd") == "a<br>b<br>c<br>d"


def test_what_cannot_be_shown_is_marked():
    assert clean("a\x00b\x1b[1m\ud800\uffff\tc\n") == "a\ufffdb\ufffd[1m\ufffd\ufffd\tc\n"
