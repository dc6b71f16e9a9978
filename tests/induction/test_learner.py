"""The table of patterns against a recount, its growth, and its order of equals."""

import numpy as np
import pytest

from fstce.errors import ParameterError
from fstce.induction import learner
from fstce.induction.learner import PatternTable
from fstce.induction.text import CONTEXT, Text, Units, packed


def counted(lines, contexts):
    sentences = [line.split() for line in lines]
    units = Units.of_text(sentences)
    text = Text(packed(sentences, units), 5)
    numbers = units.numbers(contexts)
    text.set_kind(numbers, CONTEXT)
    table = PatternTable()
    for unit in numbers.tolist():
        table.admit(unit)
    table.add(text, text.slots(np.arange(len(text.unit))), 1)
    return units, text, table


def test_the_most_frequent_pattern_and_of_equals_the_first_by_its_units():
    units, _, table = counted(["b x a", "b y a", "a x b", "a y b", "a x a"], ["b", "a"])
    left, right, count = table.best()
    assert (units.name(left), units.name(right), count) == ("a", "b", 2)
    assert table.total == 5


def test_counting_out_leaves_nothing():
    _, text, table = counted(["a x b y a"], ["a", "b"])
    table.add(text, text.slots(np.arange(len(text.unit))), -1)
    assert (table.total, int(np.abs(table.counts).sum()), table.best()) == (0, 0, (0, 0, 0))


def test_the_class_of_a_pattern_is_not_counted_in_it():
    units, text, table = counted(["a x b", "a x b"], ["a", "b"])
    left, right = units.numbers(["a", "b"]).tolist()
    everywhere = np.arange(len(text.unit))
    table.add(text, text.slots(everywhere), -1)
    text.rewrite(text.places(left, right, None), units.first_class, 0)
    assert table.class_of(left, right) is None
    table.set_class(left, right, units.first_class)
    table.add(text, text.slots(everywhere), 1)
    assert (table.total, table.class_of(left, right)) == (0, units.first_class)


def test_more_context_units_than_at_first(monkeypatch):
    words = [f"w{i:03}" for i in range(100)]
    units, _, table = counted([f"{word} , {word}" for word in words], words)
    assert table.total == 100
    assert table.best() == (*units.numbers(["w000"] * 2).tolist(), 1)
    monkeypatch.setattr(learner, "LARGEST", 128)
    with pytest.raises(ParameterError, match="more than 128 units became context units"):
        counted([" ".join(f"v{i}" for i in range(200))], [f"v{i}" for i in range(200)])
