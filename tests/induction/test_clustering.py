"""Which class a new one joins."""

import numpy as np
import pytest

from fstce.induction import Options
from fstce.induction.learner import ClassIndex


def rows(*units):
    return np.array([[unit, -1] for unit in units], np.int32)


def index(overlap, threshold):
    made = ClassIndex(Options(overlap=overlap, overlap_threshold=threshold))
    made.add(100, rows(1, 2, 3, 4, 5, 6))
    made.add(101, rows(1, 2, 3))
    made.add(101, rows(3))
    return made


@pytest.mark.parametrize(("overlap", "share"), [("containment", 2 / 3), ("jaccard", 2 / 4), ("dice", 4 / 6)])
def test_the_measures(overlap, share):
    new = rows(2, 3, 9)
    assert index(overlap, share).nearest(new) in (100, 101)
    assert index(overlap, share + 0.01).nearest(new) is None


def test_the_largest_overlap_wins_and_of_equals_the_oldest():
    assert index("jaccard", 0.1).nearest(rows(2, 3)) == 101
    assert index("containment", 0.1).nearest(rows(2, 3)) == 100
    assert index("containment", 0.1).nearest(rows(7)) is None


def test_without_a_threshold_nothing_joins():
    assert index("dice", None).nearest(rows(1, 2, 3)) is None
