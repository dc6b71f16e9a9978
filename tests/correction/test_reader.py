"""The reader of sentences: when it is made anew, what it remembers, what is too long for it."""

from __future__ import annotations

from typing import Any

import pytest

from fstce.corpora import sample
from fstce.correction.corrector import Corrector
from fstce.correction.mistakes.corruption import corrupted, random_edits
from fstce.speller.channel import Channel

TEXT = [list(sentence.words) for sentence in sample()[:200]]
TRUE = [list(sentence.words) for sentence in sample()[200:215]]
OBSERVED = [made.observed for made in corrupted(TRUE, random_edits(), 5, 0.3)]


@pytest.fixture(scope="module")
def plain() -> Corrector:
    return Corrector().fit(TEXT)


@pytest.mark.parametrize(
    "changed",
    [
        {"spell": 1},
        {"prune": 1e-2},
        {"channel": Channel(insertion=2.0)},
        {"user_dictionary": ["xyzzy"]},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_it_is_made_anew_where_a_setting_changes(plain: Corrector, changed: dict[str, Any]) -> None:
    reader = plain._reader()
    before = {name: getattr(plain, name) for name in changed}
    assert plain.set_params(**changed)._reader() is not reader
    reader = plain.set_params(**before)._reader()
    assert plain.set_params(threshold=0.2, adapt=False)._reader() is reader
    plain.set_params(threshold=None, adapt=True)


def test_exponents_and_the_model_are_settings(plain: Corrector) -> None:
    reader = plain._reader()
    exponent = plain.exponents_["spaces"]
    plain.exponents_["spaces"] = 0.0
    assert plain._reader() is not reader and not plain._reader().settings.spacing
    plain.exponents_["spaces"] = exponent
    reader = plain._reader()
    assert plain._reader() is reader
    assert Corrector().fit(TEXT[:30])._reader().model is not reader.model


def test_what_is_remembered_of_new_words_is_bounded(
    plain: Corrector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It grew by 8 KB a new word, for ever."""
    monkeypatch.setattr("fstce.correction.reader.REMEMBERED", 300)
    wanted = plain.predict(OBSERVED)
    readers = set()
    for i in range(20):
        plain.predict([[f"xq{'abcdefghijklmnopqrst'[i]}{end}" for end in "abcdefghijklmnop"] * 2])
        reader = plain._reader()
        readers.add(id(reader))
        assert len(reader.neighborhood.candidates.spellings) <= 300 + 100
    assert len(readers) > 1 and plain.predict(OBSERVED) == wanted


def test_a_sentence_of_too_many_words_stays_and_others_do_not(plain: Corrector) -> None:
    rows = [OBSERVED[0], ["the"] * 2001, OBSERVED[1]]
    wanted = plain.predict([OBSERVED[0], OBSERVED[1]])
    with pytest.warns(UserWarning, match="2,001 words; at most 2,000"):
        assert plain.predict(rows) == [wanted[0], rows[1], wanted[1]]
