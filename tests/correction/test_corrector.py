"""The corrector from text to corrections: training, parameters, limits, criteria, streams."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
import pytest

from fstce import TagDictionary
from fstce.corpora import sample
from fstce.correction import corrector as module
from fstce.correction.corrector import Corrector
from fstce.correction.decoding import Correction
from fstce.correction.factors.columns import COLUMNS
from fstce.correction.mistakes.corruption import corrupted, random_edits
from fstce.correction.parameters import CORRECTOR
from fstce.correction.reader import Settings
from fstce.errors import CorpusError, NotFittedError, ParameterError
from fstce.evaluation.correction import correction_scores
from fstce.speller.channel import Channel

TEXT = [list(sentence.words) for sentence in sample()[:200]]
TRUE = [list(sentence.words) for sentence in sample()[200:215]]
OBSERVED = [found.observed for found in corrupted(TRUE, random_edits(), 5, 0.3)]


@pytest.fixture(scope="module")
def corrector() -> Corrector:
    return Corrector(criterion="contrastive").fit(TEXT)


@pytest.fixture(scope="module")
def plain() -> Corrector:
    return Corrector(criterion="none").fit(TEXT)


@pytest.mark.parametrize("criterion", CORRECTOR["criterion"].choices)
def test_mistyped_training_text_is_put_right(criterion: str) -> None:
    true = TEXT[:40]
    observed = [found.observed for found in corrupted(true, random_edits(), 2, 0.3)]
    found = Corrector(criterion=criterion).fit(TEXT).predict(observed)
    scores = correction_scores(observed, true, found)
    assert scores.error_rate < scores.error_rate_before / 2
    assert scores.correction.precision > 0.7


def test_a_dictionary_or_tags_make_the_structure() -> None:
    tags = [list(sentence.tags or ()) for sentence in sample()[:200]]
    dictionary = TagDictionary.from_corpus(sample()[:200])
    trained: dict[str, Any] = {"criterion": "contrastive", "held_out": 0.0, "spell": 1}
    by_tags = Corrector(**trained).fit(TEXT, tags)
    by_dictionary = Corrector(**trained).fit(TEXT, dictionary=dictionary)
    by_words = Corrector(**trained).fit(TEXT)
    assert by_tags.tagger_ is not None and by_dictionary.tagger_ is not None
    assert set(by_tags.tagger_.tags_) == set(by_dictionary.tagger_.tags_)
    assert by_words.tagger_ is not None and "the" in by_words.tagger_.tags_
    for given in ({"tags": tags}, {"dictionary": dictionary}):
        with pytest.warns(
            UserWarning, match="criterion='none': n-grams learn nothing from tags or a"
        ):
            Corrector(held_out=0.0).fit(TEXT, **given)


def test_predictions_are_those_of_corrections(corrector: Corrector) -> None:
    corrector.set_params(adapt=False)  # to other sentences, which would be others
    found = corrector.correct(OBSERVED)
    assert corrector.predict(OBSERVED) == [list(one.words) for one in found]
    assert list(corrector.correct_each(iter(OBSERVED))) == found
    assert [one.observed for one in found] == [tuple(row) for row in OBSERVED]
    assert corrector.score(OBSERVED, TRUE) == correction_scores(
        OBSERVED, TRUE, corrector.predict(OBSERVED)
    ).correction.f(0.5)
    corrector.set_params(adapt=True)


def test_batches_do_not_show_but_by_what_they_tell(
    corrector: Corrector, monkeypatch: pytest.MonkeyPatch
) -> None:
    corrector.set_params(adapt=False)
    whole = corrector.predict(OBSERVED)
    monkeypatch.setattr(module, "BATCH", 7)
    assert corrector.predict(OBSERVED) == whole
    corrector.set_params(adapt=True)


def test_equal_seeds_give_equal_models() -> None:
    first, again = (Corrector(criterion="contrastive", seed=3).fit(TEXT[:80]) for _ in range(2))
    assert first.tagger_ is not None and again.tagger_ is not None
    assert np.array_equal(first.tagger_.theta_, again.tagger_.theta_)
    assert first.exponents_ == again.exponents_


def test_at_threshold_one_a_text_stays(corrector: Corrector) -> None:
    sure = Corrector(**corrector.get_params()).set_params(threshold=1.0)
    sure.__dict__.update(
        {k: v for k, v in vars(corrector).items() if k.endswith("_") or k.startswith("_")}
    )
    for found in sure.correct(OBSERVED):
        assert all(change.probability >= 1.0 for change in found.changes)


def test_a_higher_threshold_changes_no_more(plain: Corrector) -> None:
    changed = []
    for threshold in (0.0, 0.5, 0.9, 1.0):
        plain.set_params(threshold=threshold)
        changed.append(sum(len(found.changes) for found in plain.correct(OBSERVED)))
    plain.set_params(threshold=None)
    assert changed == sorted(changed, reverse=True) and changed[0] > changed[-1]


def test_marks_that_were_left_out_come_back() -> None:
    text = [
        row.split()
        for row in ("well , the cat sat .", "yes , the hat is here .", "no , a cat sat .")
    ] * 100
    marks = Corrector(spell=0, punctuation=1, rate=0.3).fit(text)
    assert marks.predict([["well", "the", "cat", "sat", "."]]) == [text[0]]
    assert marks.exponents_["ngrams"] > 0


def test_a_lexicon_gives_more_words() -> None:
    [found] = (
        Corrector(criterion="none").fit(TEXT, lexicon={"zebra": 50}).correct([["the", "zebrra"]])
    )
    assert ("zebra" in dict(found.alternatives[1])) and found.words == ("the", "zebra")


def test_exponents_are_learnt_from_held_out_text_or_given(plain: Corrector) -> None:
    assert set(plain.exponents_) == set(COLUMNS)
    assert plain.tuning_ is not None and plain.tuning_.after > plain.tuning_.before
    assert plain.tuning_.sentences > 0 and plain.tuning_.mistakes > 0
    given = Corrector(criterion="none", exponents={"edited": 9.0}).fit(TEXT)
    assert given.exponents_ == {**module.FIRST, "edited": 9.0} and given.tuning_ is None
    apart = Corrector(criterion="none", exponents={"spaces": 0}).fit(TEXT)
    assert apart.tuning_ is not None and apart.exponents_["spaces"] == 0
    assert apart.exponents_["edited"] != module.FIRST["edited"]
    few = Corrector(criterion="none", held_out=0.0).fit(TEXT)
    assert few.exponents_ == module.FIRST and few.tuning_ is None


def test_a_sentence_beyond_a_limit_stays_and_is_told(
    plain: Corrector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [OBSERVED[0], ["the"] * 50, OBSERVED[1]]
    wanted = plain.correct([OBSERVED[0], OBSERVED[1]])
    small = plain.neighborhood(weighted=True).changed(limit=40)
    plain.save(tmp_path / "plain")
    limited = Corrector.load(tmp_path / "plain")
    monkeypatch.setattr(Settings, "neighborhood", lambda settings, *_: small)
    with pytest.warns(UserWarning, match="left as it is"):
        found = limited.correct(rows)
    assert [found[0], found[2]] == wanted
    assert (
        found[1] == Correction(tuple(rows[1]), tuple(rows[1])) and found[1].decoder == "unchanged"
    )


def test_odd_words_stay(plain: Corrector) -> None:
    row = ["x" * 10_000, "-LRB-", "123", "%%", "ﬀ", "日本", "the"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plain.predict([row]) == [row]


def test_a_word_never_seen_stays_itself(plain: Corrector) -> None:
    [found] = plain.correct([["Qwxyzzy", "."]])
    assert found.words == ("Qwxyzzy", ".") and found.alternatives[0] == (
        ("Qwxyzzy", pytest.approx(1.0)),
    )


def test_it_can_be_pickled(corrector: Corrector) -> None:
    assert pickle.loads(pickle.dumps(corrector)).predict(OBSERVED[:5]) == corrector.predict(
        OBSERVED[:5]
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"spell": 4}, "give a whole number from 0 to 3"),
        ({"spell": 0}, "words are corrected or marks; set one of them to 0"),
        ({"punctuation": 1}, "spell=2 and punctuation=1: words are corrected or marks"),
        ({"ngrams": 4}, "ngrams=.*: give a whole number from 0 to 3"),
        ({"criterion": "joint"}, "criterion"),
        ({"threshold": 1.5}, "from 0 to"),
        ({"held_out": "half"}, "from 0 to"),
        ({"mistakes": ["typos"]}, "each one of random, confusables"),
        ({"exponents": {"luck": 1.0}}, "names among model, ngrams"),
        ({"seed": -1}, "seed"),
        ({"threshold": -1}, "threshold=-1: give a number from 0 to 1"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Corrector(**parameters).fit(TEXT[:5])


def test_wrong_text_is_refused(plain: Corrector) -> None:
    for text in ([], [[]], ["a string"], [["<s>"]], [["two words"]]):
        with pytest.raises(CorpusError):
            Corrector().fit(text)
        if text:
            with pytest.raises(CorpusError):
                plain.predict(text)
    for lexicon in ({"two words": 1}, {"the": -1}, {"the": 0.5}):
        with pytest.raises(ParameterError, match="lexicon"):
            Corrector().fit(TEXT, lexicon=lexicon)
    with pytest.raises(CorpusError, match="tags"):
        Corrector(criterion="em").fit(TEXT, [["DT"]])
    with pytest.raises(NotFittedError):
        Corrector().predict(OBSERVED)
    assert plain.predict([]) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"spell": 1}, {"spell": 2}),
        ({"prune": 0.5}, {"prune": 0.0}),
        ({"user_dictionary": ("ol",)}, {"user_dictionary": ()}),
        ({"channel": None}, {"channel": Channel(0.1, 0.1, 0.1, 0.1)}),
    ],
)
def test_a_parameter_changed_after_training_is_heeded(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    observed = [["teh", "ol", "amn", "sat"]]
    corrector = Corrector(held_out=0, criterion="none", **before).fit(TEXT)
    first = corrector.correct(observed)
    assert corrector.set_params(**after).correct(observed) != first
    assert corrector.set_params(**before).correct(observed) == first


def test_a_mark_that_stands_apart_is_not_taken_for_its_like() -> None:
    """Of two full stops around a quotation mark each has a probability of its own."""
    text = [
        row.split() for row in ("it broke . ''", "he ran .", "it ran . ''", "she broke it .")
    ] * 20
    corrector = Corrector(spell=0, punctuation=1, criterion="none", marks=[".", "''"]).fit(text)
    assert corrector.predict([["it", "broke", ".", "''"]]) == [["it", "broke", ".", "''"]]


def test_a_training_that_fails_leaves_what_was_learnt() -> None:
    def stop(step: Any) -> None:
        raise KeyboardInterrupt

    fresh = Corrector(spell=1, criterion="contrastive")
    with pytest.raises(KeyboardInterrupt):
        fresh.fit(TEXT[:60], monitor=stop)
    with pytest.raises(NotFittedError):
        fresh.predict(OBSERVED[:1])
    corrector = fresh.fit(TEXT[:100])
    before, exponents = corrector.predict(OBSERVED), corrector.exponents_
    with pytest.raises(KeyboardInterrupt):
        corrector.fit(TEXT[100:], lexicon={"zebra": 3}, monitor=stop)
    assert corrector.predict(OBSERVED) == before and corrector.exponents_ == exponents
    assert corrector.lexicon_ == {}


def test_held_out_sentences_beyond_a_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Corrector(criterion="none").fit(TEXT)
    assert whole.tuning_ is not None
    neighborhood = Settings.neighborhood

    def limited(settings: Settings, *model: Any) -> Any:
        return neighborhood(settings, *model).changed(limit=9)  # states: eight words

    monkeypatch.setattr(Settings, "neighborhood", limited)
    some = Corrector(criterion="none").fit(TEXT)
    short = 3 * sum(len(row) <= 8 for row in TEXT[-20:])
    assert (
        some.tuning_ is not None and 0 < some.tuning_.sentences <= short < whole.tuning_.sentences
    )


def test_the_automata_of_the_training_are_let_go(corrector: Corrector) -> None:
    assert corrector.tagger_ is not None and not hasattr(corrector.tagger_, "_compiled")


def test_a_budget_changes_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fstce.wfsa.building.SHARD_ARCS", 3000)
    quick = Corrector(criterion="contrastive", held_out=0)
    text = TEXT[:20]
    quick.fit(text)
    whole = quick.tagger_.theta_.tobytes()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    quick.fit(text, memory=1)
    assert quick.tagger_.theta_.tobytes() == whole and not any(tmp_path.iterdir())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(ParameterError, match=r"none: no temporary files there.*TMPDIR"):
        quick.fit(text, memory=1)
    with pytest.raises(ParameterError, match="memory='much'"):
        quick.fit(text, memory="much")


def test_by_default_n_grams_correct_alone(plain: Corrector) -> None:
    """Whatever the size of the text."""
    assert Corrector().criterion == "none" and Corrector().fit(TEXT[:9]).tagger_ is None
    corrector = Corrector().fit(TEXT)
    assert corrector.tagger_ is None and corrector.correct(OBSERVED) == plain.correct(OBSERVED)


def test_the_threshold_by_default_is_one_of_words(plain: Corrector) -> None:
    same = plain.correct(OBSERVED)
    assert plain.set_params(threshold=module.THRESHOLD).predict(OBSERVED) == [
        list(row.words) for row in same
    ]
    plain.set_params(threshold=None)


def test_sentences_read_in_parts_are_corrected_the_same(
    plain: Corrector, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = plain.correct(OBSERVED)
    for size in (1, 20, 45):
        monkeypatch.setattr(module, "MOST_WORDS", size)
        for row, like in zip(plain.correct(OBSERVED), wanted, strict=True):
            assert row.words == like.words
            for ranked, alike in zip(row.alternatives, like.alternatives, strict=True):
                assert dict(ranked) == pytest.approx(dict(alike), abs=1e-9)


def test_composed_and_decomposed_words_are_one_and_stay_in_their_form() -> None:
    """A decomposed lexicon knew no composed word, and what was typed so no lexicon."""

    def apart(word: str) -> str:
        return normalize("NFD", word)

    text = [row.split() for row in ("le café est ouvert .", "la fête est belle .")] * 30
    lexicon = {apart("été"): 50, apart("école"): 40, "école": 2}
    corrector = Corrector(held_out=0).fit(text, lexicon=lexicon)
    assert corrector.lexicon_ == {"été": 50, "école": 42} and corrector.known(apart("fête"))
    assert corrector.predict([["écol", "est"]]) == [["école", "est"]]
    observed = ["la", apart("fêt"), "est", apart("café")]
    [correction] = corrector.correct([observed])
    assert correction.observed == tuple(observed)
    assert correction.words == ("la", apart("fête"), "est", apart("café"))
    assert [(row.observed, row.words) for row in correction.changes] == [
        ((apart("fêt"),), (apart("fête"),))
    ]


def test_a_mark_that_is_there_is_not_put_twice() -> None:
    """Training took two full stops for nearer to the truth than one."""
    corrector = Corrector(spell=0, punctuation=1).fit(TEXT * 3)
    assert [row.changes for row in corrector.correct([["He", "said", "it", "is", "old", "."]])] == [
        ()
    ]
    assert corrector.exponents_["marks"] < corrector.exponents_["channel"]
