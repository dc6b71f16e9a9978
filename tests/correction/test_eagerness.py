"""Eagerness in both directions, the precision that held-out mistakes promise, words that stay."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from fstce.correction.corrector import Corrector
from fstce.correction.eagerness import GRID
from fstce.errors import ParameterError

TEXT = [
    row.split() for row in ("they want this one", "this is what they want", "is this thin", "they think so")
]
TYPED = [row.split() for row in ("thi is what they want", "they wnat thin one", "is thig so")]


@pytest.fixture(scope="module")
def corrector() -> Corrector:
    return Corrector(criterion="none").fit(TEXT * 30)


def changes(corrector: Corrector, **parameters: object) -> int:
    neutral = {"eagerness": None, "precision": None, "own_words": None, "never": None, "decoder": "words"}
    corrector.set_params(**{**neutral, **parameters})
    return sum(len(found.changes) for found in corrector.correct(TYPED))


def test_more_eager_changes_more(corrector: Corrector) -> None:
    counts = [changes(corrector, eagerness=e) for e in (0.001, 0.05, 0.5, 0.95, 1.0)]
    assert counts == sorted(counts) and 0 < counts[0] < counts[-1]


def test_a_mistake_that_may_be_one_of_many_words_stays() -> None:
    rows = [["a", word, "b"] for word in ("bat", "cat", "fat", "hat", "rat")] * 9
    corrector = Corrector(criterion="none", held_out=0).fit(rows)
    [found] = corrector.correct([["a", "zat", "b"]])
    assert dict(found.alternatives[1])["bat"] > dict(found.alternatives[1]).get("zat", 0.0)
    assert list(found.words) == ["a", "zat", "b"]
    assert corrector.set_params(threshold=0.01).predict([["a", "zat", "b"]]) != [["a", "zat", "b"]]


def test_a_precision_is_the_greatest_eagerness_that_had_it(corrector: Corrector) -> None:
    assert corrector.tuning_ is not None and [row[0] for row in corrector.tuning_.curve] == list(GRID)
    for precision in (0.5, 0.99):
        right = [e for e, share, _ in corrector.tuning_.curve if share >= precision]
        assert changes(corrector, precision=precision) == changes(corrector, eagerness=max(right))


def test_what_cannot_be_asked_is_told(corrector: Corrector) -> None:
    with pytest.raises(ParameterError, match="needs the decoder 'words'"):
        changes(corrector, eagerness=0.5, decoder="best")
    few = Corrector(criterion="none", precision=0.9, held_out=0).fit(TEXT)
    with pytest.raises(ParameterError, match="nothing was held out to learn it from"):
        few.correct(TYPED)


def test_own_words_stay_and_may_be_meant_and_others_are_never_touched(corrector: Corrector) -> None:
    changes(corrector, own_words=("wnat", "quokka"), never=("thig",))
    assert corrector.known("Quokka")
    found = corrector.predict([["they", "wnat", "Thig"], ["this", "is", "quokkka"]])
    assert found == [["they", "wnat", "Thig"], ["this", "is", "quokka"]]
    changes(corrector)
    assert not corrector.known("quokka")


def test_the_curve_is_saved(corrector: Corrector, tmp_path: Path) -> None:
    changes(corrector, eagerness=0.7, never=("thig",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corrector.save(tmp_path / "model")
    again = Corrector.load(tmp_path / "model")
    assert again.tuning_ == corrector.tuning_ and again.correct(TYPED) == corrector.correct(TYPED)
