"""The layout of drawings: no label on another, the longest path straight, in no time."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest
from machine_cases import lattice_fst
from patience import patience

from fstce import neighborhood
from fstce.errors import MachineError
from fstce.machines.drawing import to_svg
from fstce.machines.layered import RADIUS, layout, longest
from fstce.machines.sketch import sketch

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", ["del1word", "trans1", "del1subseq"])
def test_no_two_labels_lie_on_one_another(name: str) -> None:
    texts = list(ET.fromstring(to_svg(lattice_fst(name))).iter(f"{SVG}text"))
    boxes = [
        (float(str(t.get("x"))), float(str(t.get("y"))), 3.0 * len(str(t.text))) for t in texts
    ]
    for (x1, y1, w1), (x2, y2, w2) in combinations(boxes, 2):
        assert abs(x1 - x2) > w1 + w2 or abs(y1 - y2) > 12


WORDS = "the old man who lived near the river often told his children long stories about the great war in europe"


@pytest.mark.parametrize(
    ("name", "words"), [("delortrans1", 20), ("del1subseq", 12), ("trans1", 20)]
)
def test_labels_of_long_sentences_have_boxes_of_their_own(name: str, words: int) -> None:
    """Boxes as a browser of 1280 px shows them: where a picture is wider, all of it shrinks alike."""
    fst = neighborhood(name)(WORDS.split()[:words]).to_fst()
    drawn = sketch(fst)
    placed = layout(drawn)
    left, top, width, height = placed.box
    assert width <= 1280 * 1.3  # letters of 13 px are at least 10 px high
    boxes = [
        (c.at[0] - c.width / 2, c.at[1] - 7, c.at[0] + c.width / 2, c.at[1] + 7)
        for c in placed.curves
    ]
    for one in boxes:
        assert (
            left <= one[0] and one[2] <= left + width and top <= one[1] and one[3] <= top + height
        )
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for x, y in placed.states.values():
        for a in boxes:
            assert (
                x + RADIUS <= a[0] or a[2] <= x - RADIUS or y + RADIUS <= a[1] or a[3] <= y - RADIUS
            )


def test_the_longest_path_is_a_straight_line() -> None:
    drawn = sketch(neighborhood("del1subseq")(WORDS.split()[:12]).to_fst())
    placed = layout(drawn)
    path = longest(drawn.states, [(a, b) for a, b, _ in drawn.arcs])
    assert len(path) == 13
    assert {placed.states[state][1] for state in path} == {0.0}
    assert [placed.states[state][0] for state in path] == sorted(
        placed.states[state][0] for state in path
    )


@pytest.mark.parametrize("words", [20, 30, 200])
def test_a_notebook_never_waits(words: int) -> None:
    lattice = neighborhood("del1subseq")([f"w{i}" for i in range(words)])
    began = time.monotonic()
    html = lattice._repr_html_()
    assert time.monotonic() - began < patience(5)
    assert ("<svg" in html) == (words < 200)
    assert words < 200 or "ask for strings(limit), count(), or a page" in html


def test_what_passes_too_many_columns_says_what_to_ask() -> None:
    with pytest.raises(MachineError, match=r"pass 21,556 columns, more than 10,000; .*shorter"):
        to_svg(neighborhood("del1subseq")([f"w{i}" for i in range(40)]).to_fst())
