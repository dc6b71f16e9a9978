"""What a corrector must beat."""

from __future__ import annotations

import sys

import pytest

from examples.experiments.correction_baselines import (
    left_alone,
    most_frequent,
    pyspellchecker,
    symspellpy,
)
from fstce.correction.mistakes.candidates import Candidates
from fstce.errors import MissingToolError

VOCABULARY = {"the": 9, "ten": 3, "tea": 5, "cat": 4, "Cats": 1, "London": 2}
OBSERVED = ["Teh", "caat", "tez", "sat", "9", ",", "cat", "THEE", "Cats"]


def test_nothing_is_changed() -> None:
    assert left_alone([OBSERVED]) == [OBSERVED]


def test_the_nearest_then_the_most_frequent_of_unknown_words_alone() -> None:
    [corrected] = most_frequent(Candidates(VOCABULARY, 2))([OBSERVED])
    assert corrected == ["The", "cat", "tea", "cat", "9", ",", "cat", "THE", "Cats"]


@pytest.mark.parametrize("package", [pyspellchecker, symspellpy])
def test_packages_correct_with_the_same_vocabulary(package) -> None:
    pytest.importorskip("spellchecker" if package is pyspellchecker else "symspellpy")
    [corrected] = package(VOCABULARY)([OBSERVED])
    assert corrected == ["The", "cat", "tea", "cat", "9", ",", "cat", "THE", "Cats"]


def test_pyspellchecker_has_a_vocabulary_of_its_own() -> None:
    pytest.importorskip("spellchecker")
    assert pyspellchecker()([["becuase", "Recieve"]]) == [["because", "Receive"]]


@pytest.mark.parametrize(
    ("package", "module"), [(pyspellchecker, "spellchecker"), (symspellpy, "symspellpy")]
)
def test_a_missing_package_is_told(monkeypatch, package, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingToolError, match="pip install"):
        package(VOCABULARY)
