"""Which class a new one joins."""

import numpy as np

from fstce.induction.learner import ClassIndex


def rows(*units):
    return np.array([[unit, -1] for unit in units], np.int32)


def index(threshold):
    made = ClassIndex(threshold)
    made.add(100, rows(1, 2, 3, 4, 5, 6))
    made.add(101, rows(1, 2, 3))
    made.add(101, rows(3))
    return made


def test_the_threshold():
    new = rows(2, 3, 9)
    assert index(2 / 3).nearest(new) == 100
    assert index(2 / 3 + 0.01).nearest(new) is None


def test_the_largest_overlap_wins_and_of_equals_the_oldest():
    assert index(0.1).nearest(rows(4, 5, 3)) == 100
    assert index(0.1).nearest(rows(2, 3)) == 100
    assert index(0.1).nearest(rows(7)) is None


def test_the_smaller_set_measures():
    made = index(1.0)
    made.add(102, rows(8, 9))
    assert made.nearest(rows(8, 9, 10, 11, 12)) == 102


def test_without_a_threshold_nothing_joins():
    assert index(None).nearest(rows(1, 2, 3)) is None
