"""The parsed corrector: the best triple of all, its training, its limits, its errors."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from parsed_cases import (
    CHANNEL,
    EMISSIONS,
    EXPONENTS,
    MODEL,
    NAMED,
    OBSERVED,
    SENTENCES,
    SOME,
    TAGS,
    TEXT,
    THETA,
    Brute,
    spelt,
)

from fstce import DependencyParser
from fstce.correction.decoding import Correction
from fstce.correction.parsed import Emissions, ParsedCorrector, TaggedSpell, tagged
from fstce.errors import CorpusError, MachineError, NotFittedError, ParameterError
from fstce.machines.symbols import Symbols
from fstce.speller.channel import Channel

CORPUS = [
    row.split() for row in ("the dog barks", "the cats run", "a dog runs", "the cat barks")
] * 6
CORPUS_TAGS = [row.split() for row in ("DT NN VBZ", "DT NNS VBP", "DT NN VBZ", "DT NN VBZ")] * 6


@pytest.fixture(scope="module")
def corrector() -> ParsedCorrector:
    return ParsedCorrector(channel=CHANNEL, exponents=NAMED).fit(TEXT, TAGS)


def tiny(theta: np.ndarray = THETA, **parameters: Any) -> ParsedCorrector:
    """A corrector with these weights of the grammar, which the brute-force twin has, too."""
    corrector = ParsedCorrector(channel=CHANNEL, **parameters).fit(TEXT, TAGS)
    names = dict(zip(MODEL.names, theta.tolist(), strict=True))
    corrector.parser_.theta_ = np.array([names[name] for name in corrector.parser_.model_.names])
    return corrector


TINY = tiny(exponents=NAMED)


@SOME
@given(SENTENCES, EXPONENTS)
def test_the_best_triple_is_that_of_eq_11(
    sentences: list[list[str]], exponents: np.ndarray
) -> None:
    TINY.exponents_ = dict(zip(TINY.COLUMNS, exponents.tolist(), strict=True))
    for row, (words, tags, heads) in zip(sentences, TINY.parse(sentences), strict=True):
        score = Brute(row).score(exponents)
        found = [
            value for triple, value in score.items() if triple == (tuple(words), tuple(tags), heads)
        ]
        assert found == [pytest.approx(max(score.values()))]
    assert [list(one.words) for one in TINY.correct(sentences)] == [
        best[0] for best in TINY.parse(sentences)
    ]


def test_changes_lead_from_what_was_observed_to_the_best_words() -> None:
    TINY.exponents_ = dict(NAMED)
    for one, row, (words, _, _) in zip(
        TINY.correct(OBSERVED), OBSERVED, TINY.parse(OBSERVED), strict=True
    ):
        differ = [
            (i, (a,), (b,)) for i, (a, b) in enumerate(zip(row, words, strict=True)) if a != b
        ]
        assert [(change.start, change.observed, change.words) for change in one.changes] == differ
        assert (one.observed, one.words, one.decoder) == (tuple(row), tuple(words), "best")


def test_the_tags_of_a_word_are_a_distribution() -> None:
    """Known words and one of each signature, and what stands for all others, have all the mass of a tag."""
    mass = np.zeros(len(EMISSIONS.tags))
    for word in EMISSIONS.counts:
        tag, log_p = EMISSIONS(word)
        mass[tag] += np.exp(log_p)
    assert np.all(mass < 1) and mass.sum() > 1
    assert [EMISSIONS.tags[t] for t in EMISSIONS("the")[0]] == ["D"]
    with pytest.raises(CorpusError, match="no word is rare"):
        Emissions({("the", "D"): 1}, {})


def test_the_neighbourhood_has_any_tag_of_any_candidate() -> None:
    kind = TaggedSpell(TEXT, spelt(), EMISSIONS)
    lattices = list(kind.expand(TAGS, Symbols(EMISSIONS.tags)))
    for words, tags, lattice in zip(TEXT, TAGS, lattices, strict=True):
        candidates = spelt().candidates.of(words)
        may = [
            {t for row in candidates[w] for t in EMISSIONS(row.word, not i)[0]}
            for i, w in enumerate(words)
        ]
        assert lattice.accepts(tags)
        assert lattice.count() == np.prod([len(tags) for tags in may])


def test_a_place_keeps_its_most_probable_tags() -> None:
    every = tagged(OBSERVED, spelt(), EMISSIONS, np.ones(6), most=99)
    few = tagged(OBSERVED, spelt(), EMISSIONS, np.ones(6), most=1)
    strength = every.score + EMISSIONS.log_prior[every.tag]
    best = [
        np.flatnonzero(every.place == i)[strength[every.place == i].argmax()]
        for i in np.unique(every.place)
    ]
    assert few.tag.tolist() == every.tag[best].tolist() and len(few.place) == len(
        list(chain(*OBSERVED))
    )


class Stopped(Exception):
    """What ends a training."""


def test_training_that_fails_leaves_what_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    corrector = ParsedCorrector().fit(CORPUS, CORPUS_TAGS)
    found = corrector.correct([["the", "dgo"]])
    learnt = dict(vars(corrector))

    def stopped(self: DependencyParser, *args: Any, **kwargs: Any) -> DependencyParser:
        raise Stopped

    monkeypatch.setattr(DependencyParser, "fit", stopped)
    with pytest.raises(Stopped):
        corrector.fit(CORPUS[::-1], CORPUS_TAGS[::-1])
    assert vars(corrector) == learnt
    assert corrector.correct([["the", "dgo"]]) == found


@pytest.mark.parametrize("changed", [{"spell": 2}, {"channel": Channel(transposition=30.0)}])
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


def test_the_tags_of_the_context_choose_the_word() -> None:
    """Both candidates are as frequent; only one's tag is what the grammar expects."""
    text = [row.split() for row in ("the bat hits", "we bet now", "the hat hits", "we sit now")] * 6
    tags = [row.split() for row in ("DT NN VB", "PR VB RB", "DT NN VB", "PR VB RB")] * 6
    known = {"edited": 0.0, "unknown": 30.0}
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


def test_the_grammar_learns_from_short_sentences_only() -> None:
    corrector = ParsedCorrector(train_longest=3).fit([*TEXT, ["dogs"] * 4], [*TAGS, ["N"] * 4])
    short = ParsedCorrector(train_longest=3).fit(TEXT, TAGS)
    assert corrector.emissions_.counts["dogs"] == short.emissions_.counts["dogs"] + 4
    raised = r"is longer than train_longest=3: raise it, or cut the sentences"
    with pytest.raises(CorpusError, match=f"every sentence {raised}"):
        ParsedCorrector(train_longest=3).fit([["dogs"] * 4], [["N"] * 4])


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
    assert [correction.decoder for correction in found] == [
        *["unchanged"] * 2,
        "best",
        *["unchanged"] * 2,
    ]


def test_no_sentence_has_no_correction(corrector: ParsedCorrector) -> None:
    assert corrector.correct([]) == corrector.parse([]) == []


def test_batches_change_nothing(corrector: ParsedCorrector) -> None:
    many = OBSERVED * 30
    found = corrector.correct(many)
    assert [row.words for row in found] == [row.words for row in corrector.correct(OBSERVED)] * 30
    assert corrector.parse(many) == corrector.parse(OBSERVED) * 30


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"spell": 0}, "spell=0: give a whole number from 1"),
        ({"longest": 0}, "longest=0"),
        (
            {"exponents": {"ngrams": 1.0}},
            "exponents={'ngrams': 1.0}: give a mapping",
        ),
        (
            {"exponents": {"model": -1.0}},
            "exponents={'model': -1.0}: give a mapping of numbers from 0",
        ),
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
    with pytest.raises(CorpusError, match="sentence 1 is empty"):
        corrector.predict([[]])
    with pytest.raises(NotFittedError):
        ParsedCorrector().predict(OBSERVED)


def test_what_was_corrected_before_changes_nothing() -> None:
    """Not even which of two equally probable words is chosen: candidates are numbered as they are met."""
    text = [row.split() for row in ("cat runs", "car runs", "cap runs")] * 2
    tags = [["N", "V"]] * 6
    exponents = {**NAMED, "edited": 0.0}
    fresh = ParsedCorrector(exponents=exponents).fit(text, tags).correct([["Caq", "runs"]])
    used = ParsedCorrector(exponents=exponents).fit(text, tags)
    used.correct([["Cat", "runs"]])
    assert used.correct([["Caq", "runs"]]) == fresh


def test_equal_trainings_are_equal() -> None:
    first, second = (ParsedCorrector(exponents=NAMED).fit(CORPUS, CORPUS_TAGS) for _ in range(2))
    np.testing.assert_array_equal(first.parser_.theta_, second.parser_.theta_)
    assert first.correct([["the", "dgo", "barks"]]) == second.correct([["the", "dgo", "barks"]])
