"""What parameters may be: kinds, bounds, words."""

from __future__ import annotations

from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from fstce.errors import ParameterError
from fstce.parameters.rules import (
    FLAG,
    FUNCTION,
    PATH,
    choice,
    instance,
    integer,
    mapping,
    real,
    sequence,
)

HUGE = 10**400


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        (integer(), [0, -3, np.int64(2)], [True, np.True_, 1.0, nan, "1", None, [], HUGE]),
        (integer(1, 3), [1, 3, np.int8(2)], [0, 4, 2.0, False, -1]),
        (integer(0, 2**64), [2**64, 0], [2**64 + 1]),
        (
            real(),
            [0, -1.5, np.float32(2), 1e308],
            [inf, -inf, nan, HUGE, True, "1", 1j, None, [1.0]],
        ),
        (real(0, 1), [0, 1, 0.5], [-1e-9, 1.1, nan]),
        (real(0, 1, below=True), [0, 0.5], [1, 1.0]),
        (real(0, inf, above=True), [inf, 1e-300], [0, -1, nan, HUGE]),
        (FLAG, [True, False, np.False_], [0, 1, "yes", None]),
        (choice("a", "b"), ["a", "b"], ["c", "A", "", None, ["a"], 0]),
        (PATH, ["a", Path("a")], ["", "a\0b", b"a", 3, None]),
        (FUNCTION, [print, lambda: 0], ["print", 3, None]),
        (
            sequence(),
            [[], (), {1}, np.zeros(2), range(3)],
            ["ab", b"ab", {}, 3, iter([]), np.array(3)],
        ),
        (sequence(real(), least=1), [[1, 2.0], np.ones(2)], [[], ["x"], [nan], [None]]),
        (mapping(real(0)), [{}, {"a": 1}], [[], {"a": -1}, {"a": "x"}, "ab"]),
        (mapping(real(), "a"), [{"a": 1}, {}], [{"b": 1}, {1: 1}]),
        (instance("a path", "PurePath"), [Path("a")], ["a", Path]),
        (instance("what adds", method="append"), [[1]], [list, (), None]),
        (integer(1).or_none(), [1, None], [0, "None"]),
        (choice("all") | integer(1), ["all", 7], ["some", 0]),
        ((choice("all") | integer(1)).or_none(), ["all", 7, None], ["some", 0]),
    ],
)
def test_a_rule_admits_what_it_says(rule, good, bad) -> None:
    assert [value for value in good if not rule.admits(value)] == []
    assert [value for value in bad if rule.admits(value)] == []
    for value in bad:
        with pytest.raises(ParameterError, match=r"(?s)^x=.*: (give|choose) "):
            rule.check(x=value)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (integer(), "a whole number"),
        (integer(1), "a whole number from 1"),
        (integer(1, 3).or_none(), "a whole number from 1 to 3, or None"),
        (real(), "a number that is finite"),
        (real(0, above=True), "a number above 0"),
        (real(0, 1, below=True), "a number from 0 to below 1"),
        (choice("words") | integer(1), "one of words, or a whole number from 1"),
        (sequence(choice("a", "b"), least=1), "a sequence that is not empty, each one of a, b"),
        (mapping(real(0), "a", "b"), "a mapping with keys among a, b, each a number from 0"),
    ],
)
def test_what_is_allowed_is_told_in_words(rule, words: str) -> None:
    assert rule.allowed == words


def test_a_value_is_shown_in_one_short_line() -> None:
    for value in (np.zeros((50, 50)), "x" * 1000, 10**5000, HUGE):
        with pytest.raises(ParameterError) as caught:
            integer(0, 5).check(k=value)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 120
    with pytest.raises(ParameterError, match=r"give a whole number from 1, below 2\*\*31"):
        integer(1).check(k=HUGE)


def test_an_unknown_choice_gets_the_nearest_or_all() -> None:
    formats = choice("penn", "conllu")
    with pytest.raises(
        ParameterError, match=r"format='conlu': choose one of .*; did you mean 'conllu'"
    ):
        formats.check(format="conlu")
    with pytest.raises(ParameterError, match=r"format='zzz': choose one of penn, conllu$"):
        formats.check(format="zzz")
