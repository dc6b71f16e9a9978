"""Known words for known words: what context tells, and what stays."""

from __future__ import annotations

import numpy as np
import pytest

from fstce import Corrector
from fstce.correction.decoding import Change, Correction
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.real_words import FEATURES, RealWordModel, RealWords

TEXT = ["the cat sat on the mat", "a form from the office", "we came from the town", "fill in the form now"]
ROWS = [row.split() for row in TEXT * 9]


def real(rows: list[list[str]] = ROWS) -> RealWords:
    counts = {word: 9 for row in rows for word in row}
    return RealWords(NgramModel(rows), {}, Candidates(counts, 1, damerau=True), counts.__contains__)


def test_pairs_have_the_context_of_three_ngrams_less_unigrams() -> None:
    words = real()
    found = words.pairs([["we", "came", "form", "the", "town"]])
    row = found.others.index("from")
    ngrams, typed = NgramModel(ROWS), ["we", "came", "form", "the", "town"]
    meant = [*typed[:2], "from", *typed[3:]]
    alone = ngrams.log_probabilities(ngrams.ids(["from", "form"])[:, None])
    difference = ngrams.log_probability(meant) - ngrams.log_probability(typed)
    feature = dict(zip(FEATURES, found.features[row].tolist(), strict=True))
    assert found.sentence[row] == 0 and found.place[row] == 2
    assert feature["context"] == pytest.approx(difference - (alone[0] - alone[1]))
    assert feature["unigrams"] == pytest.approx(alone[0] - alone[1])
    assert (feature["before"], feature["behind"], feature["one"]) == (0.0, 0.0, 1.0)


def test_practice_teaches_what_the_context_is_worth() -> None:
    model = real().learned(ROWS, (0, 1, 2))
    assert model is not None and model.weights[FEATURES.index("context")] > 0
    typed = ("we", "came", "form", "the", "town")
    [found] = real().corrected([Correction(typed, typed)], model)
    assert found.words == ("we", "came", "from", "the", "town")
    assert (found.changes[0].typed, found.changes[0].words) == (("form",), ("from",))
    assert real().learned([["zebra"]], (0,)) is None


def test_what_no_context_can_reach_is_not_asked_and_changes_nothing() -> None:
    words, typed = real(), [["we", "came", "form", "the", "town"], ["the", "mat", "sat"]]
    model = RealWordModel((1.0, 0.5, *[0.0] * (len(FEATURES) - 3), -1.0), 14.0)
    every, some = words.pairs(typed), words.pairs(typed, model)
    asked = {(i, j, w) for i, j, w in zip(some.sentence, some.place, some.others, strict=True)}
    odds = every.features @ np.array(model.weights)
    sure = [row for row in range(len(odds)) if odds[row] >= model.least]
    assert {(every.sentence[i], every.place[i], every.others[i]) for i in sure} <= asked


def test_words_keep_their_places_beside_other_changes() -> None:
    typed, words = ("w", "e", "came", "form", "the", "town"), ("we", "came", "form", "the", "town")
    one = Correction(typed, words, (Change(0, 2, ("w", "e"), ("we",), 0.9),), ((),) * 6)
    model = RealWordModel((1.0, *[0.0] * (len(FEATURES) - 1)), 0.5)
    [found] = real().corrected([one], model)
    assert found.words == ("we", "came", "from", "the", "town")
    assert [(change.start, change.end, change.words) for change in found.changes] == [
        (0, 2, ("we",)),
        (3, 4, ("from",)),
    ]


def test_a_corrector_learns_and_saves_them_and_keeps_what_shall_stay(tmp_path) -> None:
    corrector = Corrector(criterion="none").fit(ROWS * 10)
    typed = [["we", "came", "form", "the", "town"]]
    assert corrector.real_words_ is not None
    assert corrector.predict(typed) == [["we", "came", "from", "the", "town"]]
    corrector.save(tmp_path / "m")
    again = Corrector.load(tmp_path / "m")
    assert again.real_words_ == corrector.real_words_ and again.predict(typed) == corrector.predict(typed)
    assert again.set_params(real_words=False).correct(typed)[0].decoder == "words"
    kept = again.set_params(real_words=True, never=["form"]).predict(typed)
    assert kept == typed
