"""The text as arrays: packing, slots, rewriting."""

import numpy as np
import pytest

from fstce.errors import CorpusError
from fstce.induction.text import CLOSER, CONTEXT, DEAD, END, OPENER, START, Text, Units, packed

A, X, Y = 3, 4, 5
CLASS = 9


def text(sentences, max_length=3, boundaries=False, context_expressions=True):
    """Sentences of the words a (a context unit), x and y."""
    units = Units(["a", "x", "y"])
    made = Text(
        packed([list(words) for words in sentences], units), max_length, context_expressions
    )
    made.set_kind([A], CONTEXT)
    if boundaries:
        made.set_kind([START], OPENER)
        made.set_kind([END], CLOSER)
    return made


def places(text):
    slots = text.slots(np.arange(len(text.unit)))
    return list(zip(slots.left.tolist(), slots.right.tolist(), strict=True))


def living(text):
    return [int(unit) for unit in text.unit if unit != DEAD]


def test_sentences_end_to_end():
    assert text(["ax", "", "y"]).unit.tolist() == [START, A, X, END, START, END, START, Y, END]
    with pytest.raises(CorpusError, match="the corpus is empty"):
        text([])


def test_a_slot_reaches_the_next_context_unit_within_its_sentence():
    assert places(text(["axa", "axya", "axyxya"])) == [(1, 3), (6, 9)]
    assert places(text(["xa", "ax"])) == []
    assert places(text(["xa", "ax"], boundaries=True)) == [(0, 2), (5, 7)]


def test_runs_of_context_units_are_expressions_of_every_length():
    assert places(text(["aaaa"])) == [(1, 3), (1, 4), (2, 4)]
    assert places(text(["aaaa"], max_length=1)) == [(1, 3), (2, 4)]
    assert places(text(["aaaa"], context_expressions=False)) == []
    assert places(text(["axaa"])) == [(1, 3)]


@pytest.mark.parametrize(("side", "after"), [(-1, [CLASS, A]), (0, [A, CLASS, A]), (1, [A, CLASS])])
def test_rewriting_with_and_without_a_context_unit(side, after):
    made = text(["axya"])
    slots = made.places(A, A, None)
    assert made.expressions(slots, side).tolist()[0][:2] == {-1: [A, X]}.get(side, [X, Y])
    position = made.rewrite(slots, CLASS, side)
    assert living(made) == [START, *after, END]
    assert position.tolist() == [1 if side < 0 else 2]
    assert made.end[position].tolist() == [5 if side > 0 else 4]
    order, at = [], 0
    while at < len(made.unit):
        order.append(int(made.unit[at]))
        at = int(made.next[at])
    assert order == living(made)


def test_a_class_alone_in_its_own_pattern_is_no_place():
    made = text(["axa"])
    made.rewrite(made.places(A, A, None), CLASS, 0)
    assert len(made.places(A, A, CLASS).left) == 0
    assert len(made.places(A, A, None).left) == 1


def test_before_names_all_from_which_a_slot_may_reach():
    made = text(["axxxxa", "a"], max_length=2)
    assert made.before(np.array([5], np.int32)).tolist() == [2, 3, 4, 5]
    assert made.before(np.array([9], np.int32)).tolist() == [8, 9]
