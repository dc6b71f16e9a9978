"""The parsed corrector: its training, its limits, its errors.

That it corrects as every triple says is tested with the readings, beside their brute-force twin.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parsed_cases import CHANNEL, NAMED, OBSERVED, TAGS, TEXT

from fstce import DependencyParser
from fstce.correction.decoding import Change, Correction
from fstce.correction.mistakes.channel import Channel
from fstce.correction.parsed.corrector import FIRST, ParsedCorrector
from fstce.correction.parsed.parsed_model import ParsedModel
from fstce.errors import CorpusError, MachineError, NotFittedError, ParameterError

CORPUS = [row.split() for row in ("the dog barks", "the cats run", "a dog runs", "the cat barks")] * 6
CORPUS_TAGS = [row.split() for row in ("DT NN VBZ", "DT NNS VBP", "DT NN VBZ", "DT NN VBZ")] * 6


@pytest.fixture(scope="module")
def corrector() -> ParsedCorrector:
    return ParsedCorrector(channel=CHANNEL, exponents=NAMED).fit(TEXT, TAGS)


def test_a_threshold_makes_only_sure_changes(corrector: ParsedCorrector) -> None:
    free = corrector.correct(OBSERVED)
    surest = max(change.probability for found in free for change in found.changes)
    params = {**corrector.get_params(), "threshold": surest}
    strict = ParsedCorrector(**params).fit(TEXT, TAGS).correct(OBSERVED)
    kept = [change for found in strict for change in found.changes]
    assert kept == [c for found in free for c in found.changes if c.probability >= surest]
    assert len(kept) < sum(len(found.changes) for found in free)
    for found in strict:
        assert [i for i, (a, b) in enumerate(zip(found.typed, found.words, strict=True)) if a != b] == [
            change.start for change in found.changes
        ]


def test_what_is_learnt_corrects_unseen_mistakes() -> None:
    corrector = ParsedCorrector(held_out=0.5).fit(CORPUS, CORPUS_TAGS)
    assert corrector.tuning_ is not None and corrector.tuning_.after > corrector.tuning_.before
    assert corrector.tuning_.sentences == 36 and corrector.tuning_.mistakes > 0
    typed = [["the", "dgo", "baarks"], ["a", "cta", "runs"]]
    true = [["the", "dog", "barks"], ["a", "cat", "runs"]]
    assert corrector.predict(typed) == true
    assert corrector.score(typed, true) == 1.0
    assert corrector.predict(CORPUS[:4]) == CORPUS[:4]


def test_the_exponents_are_learnt_from_what_was_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    trained, tuned = [], []
    parts, tune = ParsedCorrector._trained_model, ParsedCorrector._tuned
    monkeypatch.setattr(
        ParsedCorrector,
        "_trained_model",
        lambda self, rows, *rest: trained.append(rows) or parts(self, rows, *rest),
    )
    monkeypatch.setattr(
        ParsedCorrector, "_tuned", lambda self, of, rows: tuned.append(rows) or tune(self, of, rows)
    )
    ParsedCorrector(held_out=0.5).fit(CORPUS, CORPUS_TAGS)
    assert trained == [CORPUS[:12], CORPUS]
    assert tuned == [CORPUS[12:]]


@pytest.mark.parametrize("limit", [2000, 0])
def test_nothing_is_learnt_from_a_chart_beyond_the_limit(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where correction would leave the sentence to another, too."""
    long = ["the", "dog"] * 10
    rows, tags = [*CORPUS, long, *CORPUS[:3]], [*CORPUS_TAGS, ["DT", "NN"] * 10, *CORPUS_TAGS[:3]]
    rule = {"held_out": 0.5, "train_longest": 3}
    assert ParsedCorrector(**rule).fit(rows, tags).tuning_.sentences == 3 * 14
    learn = ParsedModel.learn_exponents

    def limited(*args: Any) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr("fstce.chart.shape.HYPEREDGE_LIMIT", limit)
            return learn(*args)

    monkeypatch.setattr(ParsedModel, "learn_exponents", limited)
    found = ParsedCorrector(**rule).fit(rows, tags)
    if limit:
        assert found.tuning_.sentences == 3 * 13 and 0 < found.tuning_.mistakes < 3 * 13 * 3
    else:
        assert found.tuning_ is None and found.exponents_ == FIRST


class Stopped(Exception):
    """What ends a training."""


@pytest.mark.parametrize("at", [1, 2])
def test_training_that_fails_leaves_what_was_there(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    corrector = ParsedCorrector(held_out=0.5).fit(CORPUS, CORPUS_TAGS)
    learnt = dict(vars(corrector))
    found = corrector.correct([["the", "dgo"]])
    train, calls = DependencyParser.fit, iter(range(1, 3))

    def stopped(self: DependencyParser, *args: Any, **kwargs: Any) -> DependencyParser:
        if next(calls) == at:
            raise Stopped
        return train(self, *args, **kwargs)

    monkeypatch.setattr(DependencyParser, "fit", stopped)
    with pytest.raises(Stopped):
        corrector.fit(CORPUS[::-1], CORPUS_TAGS[::-1])
    assert vars(corrector) == learnt
    assert corrector.correct([["the", "dgo"]]) == found


@pytest.mark.parametrize(
    "changed", [{"spell": 2}, {"limit": 1}, {"damerau": False}, {"channel": Channel(transposition=3.0)}]
)
def test_parameters_of_the_candidates_may_change_after_training(
    changed: dict[str, Any], tmp_path: Path
) -> None:
    corrector = ParsedCorrector(exponents=NAMED).fit(TEXT, TAGS)
    first = corrector.correct(OBSERVED), corrector.parse(OBSERVED)
    now = corrector.set_params(**changed).correct(OBSERVED), corrector.parse(OBSERVED)
    corrector.save(tmp_path / "model")
    loaded = ParsedCorrector.load(tmp_path / "model")
    assert now == (loaded.correct(OBSERVED), loaded.parse(OBSERVED))
    assert now[0] != first[0]
    anew = ParsedCorrector(exponents=NAMED).get_params()
    assert corrector.set_params(**anew).correct(OBSERVED) == first[0]
    with pytest.raises(ParameterError, match="spell=0"):
        corrector.set_params(spell=0).parse(OBSERVED)


def test_candidates_are_remembered_while_their_parameters_stay(corrector: ParsedCorrector) -> None:
    corrector.correct(OBSERVED)
    before = corrector._model
    corrector.parse(OBSERVED)
    assert corrector._model is before


def test_the_tags_of_the_context_choose_the_word() -> None:
    """Both candidates are as frequent; only one's tag is what the grammar expects."""
    text = [row.split() for row in ("the bat hits", "we bet now", "the hat hits", "we sit now")] * 6
    tags = [row.split() for row in ("DT NN VB", "PR VB RB", "DT NN VB", "PR VB RB")] * 6
    known = {"edited": 0.0, "length": 0.0, "unknown": 30.0}
    corrector = ParsedCorrector(exponents={**known, "model": 1.0}).fit(text, tags)
    assert corrector.predict([["the", "bft", "hits"], ["we", "bft", "now"]]) == [
        ["the", "bat", "hits"],
        ["we", "bet", "now"],
    ]
    blind = ParsedCorrector(exponents={**known, "model": 0.0}).fit(text, tags)
    found = blind.predict([["the", "bft", "hits"], ["we", "bft", "now"]])
    assert found[0][1] == found[1][1]


def test_training_is_that_of_the_given_parser() -> None:
    generative = DependencyParser(criterion="em", start="klein-manning", max_iterations=3)
    corrector = ParsedCorrector(generative).fit(TEXT, TAGS)
    alone = DependencyParser(criterion="em", start="klein-manning", max_iterations=3).fit(TAGS)
    assert np.array_equal(corrector.parser_.theta_, alone.theta_)
    assert not hasattr(generative, "theta_")
    heads = [[2, 3, 0], [2, 0, 4, 2], [2, 3, 0], [0], [2, 3, 0]]
    supervised = ParsedCorrector(DependencyParser(criterion="correction")).fit(TEXT, TAGS, heads=heads)
    assert supervised.parser_.weights()["root", "V"] > supervised.parser_.weights()["root", "D"]


def test_weighted_neighborhoods_train_another_grammar(corrector: ParsedCorrector) -> None:
    weighted = ParsedCorrector(exponent=1.0, exponents=NAMED, channel=CHANNEL).fit(TEXT, TAGS)
    assert not np.allclose(weighted.parser_.theta_, corrector.parser_.theta_)


def test_the_grammar_learns_from_short_sentences_only() -> None:
    corrector = ParsedCorrector(train_longest=3).fit([*TEXT, ["dogs"] * 4], [*TAGS, ["N"] * 4])
    short = ParsedCorrector(train_longest=3).fit(TEXT, TAGS)
    assert corrector.emissions_.counts["dogs"] == short.emissions_.counts["dogs"] + 4
    raised = r"is longer than train_longest=3: raise it \(on the command line, --max-length\)"
    with pytest.raises(CorpusError, match=f"every sentence {raised}"):
        ParsedCorrector(train_longest=3).fit([["dogs"] * 4], [["N"] * 4])
    rows = [*[["dogs"] * 4] * 10, *[["dogs"]] * 10]
    with pytest.raises(CorpusError, match=f"every sentence that is not held out {raised}"):
        ParsedCorrector(train_longest=3, held_out=0.5).fit(rows, [["N"] * len(row) for row in rows])


class Loud:
    """Corrects by shouting."""

    def correct(self, sentences: Any, *, alternatives: int = 5) -> list[Correction]:
        return [
            Correction(
                tuple(row), tuple(word.upper() for word in row), (Change(0, 1, (row[0],), ("X",), 1.0),)
            )
            for row in sentences
        ]


def test_long_sentences_are_left_alone_each_with_a_warning(corrector: ParsedCorrector) -> None:
    short = ParsedCorrector(**{**corrector.get_params(), "longest": 2}).fit(TEXT, TAGS)
    long = [["the", "dgos", "rnu"], ["the"] * 7]
    with pytest.warns(UserWarning, match="a sentence is left as it is: ") as raised:
        found = short.correct([long[1], ["dgos"], long[0]])
    assert [str(warning.message).partition(": ")[2] for warning in raised] == [
        "the the the the the … has 7 words, too many for a chart (at most 2)",
        "the dgos rnu has 3 words, too many for a chart (at most 2)",
    ]
    assert [found[0], found[2]] == [Correction(tuple(row), tuple(row)) for row in reversed(long)]
    assert found[1] == corrector.correct([["dgos"]])[0]
    other = ParsedCorrector(**{**short.get_params(), "other": Loud()}).fit(TEXT, TAGS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert other.predict([long[0], ["dgos"]])[0] == ["THE", "DGOS", "RNU"]


def test_a_chart_beyond_the_limit_leaves_its_sentence_alone(
    corrector: ParsedCorrector, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = corrector.correct(OBSERVED)
    monkeypatch.setattr("fstce.chart.shape.HYPEREDGE_LIMIT", 40)
    with pytest.warns(UserWarning, match="left as it is: sentence 1: a chart of"):
        found = corrector.correct(OBSERVED)
    assert found[0] == Correction(tuple(OBSERVED[0]), tuple(OBSERVED[0]))
    assert found[1:] == whole[1:]
    with pytest.raises(MachineError, match="sentence 52: a chart of"):
        corrector.parse([["wug"]] * 51 + OBSERVED)
    monkeypatch.setattr(corrector, "other", Loud())
    assert corrector.predict(OBSERVED)[0] == ["THE", "DGOS", "RNU"]


def test_warnings_are_in_the_order_of_the_sentences(
    corrector: ParsedCorrector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of whatever reason, so that a stream can tell which line is meant."""
    monkeypatch.setattr("fstce.chart.shape.HYPEREDGE_LIMIT", 40)
    monkeypatch.setattr(corrector, "longest", 4)
    chart, long = ["the", "dgos", "rnu"], ["the"] * 5
    with pytest.warns(UserWarning) as raised:
        found = corrector.correct([long, chart, ["wug"], chart, long])
    assert ["too many" in str(warning.message) for warning in raised] == [True, False, False, True]
    assert [correction.decoder for correction in found] == [*["unchanged"] * 2, "words", *["unchanged"] * 2]


def test_no_sentence_has_no_correction(corrector: ParsedCorrector) -> None:
    assert corrector.correct([]) == corrector.parse([]) == []


def test_what_was_corrected_before_changes_nothing() -> None:
    """Not even which of two equally probable words is chosen: candidates are numbered as they are met."""
    text = [row.split() for row in ("cat runs", "car runs", "cap runs")] * 2
    tags = [["N", "V"]] * 6
    exponents = {**NAMED, "edited": 0.0, "length": 0.0, "spelling": 0.0}
    typed = [["Caq", "runs"]]
    fresh = ParsedCorrector(exponents=exponents).fit(text, tags).correct(typed)
    assert len({round(p, 12) for word, p in fresh[0].alternatives[0] if word != "Caq"}) == 1
    used = ParsedCorrector(exponents=exponents).fit(text, tags)
    used.correct([["Cat", "runs"]])
    assert used.correct(typed) == fresh


def test_batches_change_nothing(corrector: ParsedCorrector) -> None:
    many = OBSERVED * 30
    found = corrector.correct(many)
    assert [row.words for row in found] == [row.words for row in corrector.correct(OBSERVED)] * 30
    assert corrector.parse(many) == corrector.parse(OBSERVED) * 30


def test_equal_trainings_are_equal() -> None:
    first, second = (ParsedCorrector(held_out=0.5).fit(CORPUS, CORPUS_TAGS) for _ in range(2))
    assert first.exponents_ == second.exponents_
    assert np.array_equal(first.parser_.theta_, second.parser_.theta_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"spell": 0}, "spell=0: give a whole number from 1"),
        ({"tags": 1.5}, "tags=1.5"),
        ({"longest": 0}, "longest=0"),
        ({"threshold": 2}, "threshold=2: give a number from 0 to 1"),
        ({"seed": -1}, "seed=-1"),
        ({"held_out": 1.0}, "held_out=1.0: give a number from 0 to below 1"),
        ({"decoder": "k-best"}, "decoder='k-best': choose one of words, best, sum"),
        (
            {"exponents": {"ngrams": 1.0}},
            "exponents={'ngrams': 1.0}: give a mapping",
        ),
        ({"exponents": {"model": -1.0}}, "exponents={'model': -1.0}: give a mapping of numbers from 0"),
    ],
)
def test_parameters_out_of_range_are_named(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ParsedCorrector(**parameters).fit(TEXT, TAGS)


def test_input_that_does_not_fit_is_refused(corrector: ParsedCorrector) -> None:
    with pytest.raises(CorpusError, match="5 sentences but 4 rows of tags"):
        ParsedCorrector().fit(TEXT, TAGS[:4])
    with pytest.raises(CorpusError, match="sentence 4 has 1 words and 3 tags"):
        ParsedCorrector().fit(TEXT, [*TAGS[:3], TAGS[0], TAGS[4]])
    with pytest.raises(CorpusError, match="5 sentences but 1 rows of heads"):
        ParsedCorrector().fit(TEXT, TAGS, heads=[[0]])
    with pytest.raises(CorpusError, match="sentence 1 is empty"):
        corrector.predict([[]])
    with pytest.raises(NotFittedError):
        ParsedCorrector().predict(OBSERVED)
