"""Which of overlapping slots are rewritten."""

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fstce.induction.text import Slots, joined, leftmost


def columns(lefts, lengths):
    left, length = np.array(lefts, np.int32), np.array(lengths, np.int32)
    return Slots(left, left + 1, left + length, left + length + 1, length)


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(1, 3)), max_size=12), st.sampled_from([0, 1])
)
def test_leftmost_is_the_greedy_choice(pairs, attached):
    pairs = sorted(set(pairs))
    slots = columns([left for left, _ in pairs], [length for _, length in pairs])
    used_until = slots.right + attached
    expected, used = [], 0
    for (left, _), until in zip(pairs, used_until.tolist(), strict=True):
        expected.append(left >= used)
        used = until if expected[-1] else used
    assert leftmost(slots, used_until).tolist() == expected


def test_joined_by_position_and_then_by_length():
    slots = joined([columns([7, 2], [1, 2]), columns([2], [1])])
    assert list(zip(slots.left.tolist(), slots.length.tolist(), strict=True)) == [
        (2, 1),
        (2, 2),
        (7, 1),
    ]


def test_a_chain_of_slots_takes_one_pass():
    """A line of one word 30,000 times took a minute, a round of all slots for each that stays."""
    many = 100_000
    columns = np.arange(many), np.arange(many) + 1, np.arange(many) + 1, np.arange(many) + 2
    slots = Slots(*(column.astype(np.int32) for column in columns), np.ones(many, np.int32))
    began = time.process_time()
    kept = leftmost(slots, slots.right)
    assert time.process_time() - began < 1
    assert np.flatnonzero(kept).tolist() == list(range(0, many, 2))
