"""Shards in memory, in files, built by many and summed in threads: one set of bits, and errors by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fstce import Tagger
from fstce.errors import CorpusError, ParameterError, ShardError
from fstce.estimation.resources import Forecast
from fstce.wfsa import building

TEXT = [
    row.split()
    for row in (
        *(
            "the cat saw the saw",
            "the saw saw the cat",
            "a dog saw",
            "the dog saw a cat",
            "dog saw the cat",
        ),
        *(
            "cat saw",
            "the saw saw a dog saw",
            "saw the saw",
            "a cat saw a dog",
            "a saw saw the saw",
        ),
    )
]
DICTIONARY = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V")}


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "SHARD_ARCS", 60)


def fitted(
    kind: str = "trans1", jobs: int | None = None, criterion: str = "contrastive", **place: Any
) -> Tagger:
    tagger = Tagger(kind, criterion=criterion, jobs=jobs, max_iterations=8)
    text, dictionary = place.pop("text", TEXT), place.pop("dictionary", DICTIONARY)
    return tagger.fit(
        text, dictionary=dictionary, counts=place.pop("counts", None), resources=place
    )


@pytest.mark.parametrize(
    ("kind", "criterion"),
    [
        ("trans1", "contrastive"),
        ("auto", "contrastive"),
        ("del1word", "contrastive"),
        ("trans1", "em"),
    ],
)
def test_one_set_of_bits_wherever_automata_lie_and_however_many_work(
    kind: str, criterion: str, tmp_path: Path
) -> None:
    alone = fitted(kind, criterion=criterion)
    for place in ({}, {"memory": 1}, {"shards": tmp_path / "s"}, {"shards": tmp_path / "s"}):
        found = fitted(kind, jobs=2, criterion=criterion, **place)
        assert_array_equal(found.theta_, alone.theta_)
        assert found.training_.objective == alone.training_.objective


LABELLED = {
    "conditional": ["identity"],
    "supervised-contrastive": ["trans1", "length"],
}
FEATURES: dict[str, dict[str, Any]] = {
    "words": {},
    "spelling": {"spelling": True},
    "form": {"features": ("form",)},
    "gazetteer": {"gazetteer": {"cat": "animal", "dog": "animal"}},
    "parts": {"parts": "|"},
}


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize(
    ("criterion", "kind"), [(name, kind) for name, kinds in LABELLED.items() for kind in kinds]
)
def test_tagged_sentences_with_any_features_have_one_set_of_bits(
    criterion: str, kind: str, features: str, order: int, tmp_path: Path
) -> None:
    if features == "parts" and order != 2:
        pytest.skip("parts weigh bigrams")
    gold = [[("D", "N", "V")[len(word) % 3] for word in row] for row in TEXT]
    dictionary = {word: ("D", "N", "V") for row in TEXT for word in row}
    options = {"criterion": criterion, "order": order, "max_iterations": 8, **FEATURES[features]}

    def trained(**resources: Any) -> Tagger:
        tagger = Tagger(kind, **options)
        return tagger.fit(TEXT, gold, dictionary=dictionary, resources=resources)

    alone = trained()
    for place in ({"memory": 1}, *2 * [{"shards": tmp_path / "s", "jobs": 2}]):
        found = trained(**place)
        assert_array_equal(found.theta_, alone.theta_)
        assert found.training_.objective == alone.training_.objective


def test_temporary_files_end_with_the_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    fitted(memory="1K")
    assert list(tmp_path.iterdir()) == []


def test_counts_stand_for_repeated_sentences() -> None:
    counts = [1 + number % 3 for number in range(len(TEXT))]
    repeated = [row for row, count in zip(TEXT, counts, strict=True) for _ in range(count)]
    assert_array_equal(fitted(counts=counts).theta_, fitted(text=repeated).theta_)


@pytest.mark.parametrize("counts", [[1], [1.5] * 10, [0] * 10, "x"])
def test_counts_that_are_none_are_refused(counts: Any) -> None:
    with pytest.raises(CorpusError, match=r"count"):
        fitted(counts=counts)


@pytest.mark.parametrize("memory", ["much", 0, "0G", "1.2.3G", True, -1])
def test_a_budget_that_is_none_is_refused(memory: Any) -> None:
    with pytest.raises(ParameterError, match="give a size, as 500M or 2G"):
        fitted(memory=memory)


def test_a_forecast_comes_before_and_the_shards_are_told() -> None:
    class Told:
        forecasts: list[Forecast] = []
        sentences = words = 0

        def planned(self, forecast: Forecast) -> None:
            self.forecasts.append(forecast)

        def built(self, sentences: int, words: int) -> None:
            self.sentences, self.words = self.sentences + sentences, self.words + words

    told = Told()
    objective = Tagger("trans1").compile(TEXT, dictionary=DICTIONARY, resources={"building": told})
    (forecast,) = told.forecasts
    arcs = sum(batch.n_arcs for batch in objective.denominators[0].batches)
    assert forecast.arcs == pytest.approx(arcs, rel=0.2)
    assert forecast.seconds > 0
    assert (told.sentences, told.words) == (len(TEXT), sum(map(len, TEXT)))


def test_sums_in_threads_are_those_of_one() -> None:
    tagger = Tagger("trans1")
    objective = tagger.compile(TEXT, dictionary=DICTIONARY)
    threaded = Tagger("trans1", jobs=3).compile(TEXT, dictionary=DICTIONARY)
    for seed in range(3):
        theta = np.random.default_rng(seed).normal(0, 30, tagger.features_.size)
        (value, slope), (other, bits) = objective(theta), threaded(theta)
        assert value == other
        assert_array_equal(slope, bits)


def test_a_folder_of_shards_serves_another_training_too(tmp_path: Path) -> None:
    """Its files are written again, and what is not theirs is left alone."""
    (tmp_path / "letter.txt").write_text("dear")
    fitted(shards=tmp_path)
    found = fitted("del1word", text=TEXT[:-1], shards=tmp_path)
    assert_array_equal(found.theta_, fitted("del1word", text=TEXT[:-1]).theta_)
    assert (tmp_path / "letter.txt").read_text() == "dear"


def test_a_place_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(
        ShardError, match=r"file/s: cannot be made \(Not a directory\); name another folder"
    ):
        fitted(shards=tmp_path / "file" / "s")
