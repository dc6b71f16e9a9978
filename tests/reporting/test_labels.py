from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.reporting.figures import PALETTE, draw
from fstce.reporting.labels import End, darker, label_ends, spread

PLACES = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def spread_by_minimax(wanted, gap, low, high):
    """Isotonic regression by its minimax formula: max over a ≤ i of min over b ≥ i of the mean of a…b."""
    order = np.argsort(wanted, kind="stable")
    free = [wanted[j] - i * gap for i, j in enumerate(order)]
    n = len(free)
    placed = np.empty(n)
    for i, j in enumerate(order):
        q = max(min(np.mean(free[a : b + 1]) for b in range(i, n)) for a in range(i + 1))
        placed[j] = min(max(q, low), high - (n - 1) * gap) + i * gap
    return placed


@given(PLACES, st.floats(0, 0.125))
def test_spread_is_isotonic_regression(wanted, gap):
    np.testing.assert_allclose(spread(wanted, gap, 0, 1), spread_by_minimax(wanted, gap, 0, 1), atol=1e-12)


@given(PLACES, st.floats(0, 1))
def test_spread_keeps_order_distance_and_bounds(wanted, gap):
    placed = spread(wanted, gap, 0, 1)
    order = np.argsort(wanted, kind="stable")
    room = min(gap, 1 / max(len(wanted) - 1, 1))
    assert (np.diff(placed[order]) >= room - 1e-12).all()
    assert placed.min() >= -1e-12
    assert placed.max() <= 1 + 1e-12


def test_spread_leaves_what_has_room():
    assert spread([0.9, 0.1, 0.5], 0.2, 0, 1).tolist() == [0.9, 0.1, 0.5]
    assert spread([], 0.2, 0, 1).size == 0


@pytest.mark.parametrize("colour", PALETTE)
def test_text_can_be_read_on_white(colour):
    def linear(channel):
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    dark = darker(colour)
    r, g, b = (linear(int(dark[i : i + 2], 16) / 255) for i in (1, 3, 5))
    assert 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) > 4.45


def test_labels_do_not_overlap_and_stand_outside_the_axes():
    pytest.importorskip("matplotlib")
    found = {}

    def paint(figure, axes):
        axes.plot([0, 1], [0, 1])
        label_ends(figure, axes, [End(1, y, f"a long name {y}", "#000000") for y in (0.5, 0.51, 0.52, 2, -1)])
        figure.draw_without_rendering()
        found["boxes"] = [text.get_window_extent() for text in axes.texts]
        found["axes"], found["figure"] = axes.get_window_extent(), figure.bbox

    draw("t", None, (5, 3), paint)
    boxes = sorted(found["boxes"], key=lambda box: box.y0)
    assert len(boxes) == 5
    assert all(low.y1 <= high.y0 for low, high in pairwise(boxes))
    assert all(found["axes"].x1 < box.x0 and box.x1 <= found["figure"].x1 for box in boxes)
