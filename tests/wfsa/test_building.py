"""Shards in memory, in files, built by many and summed in threads: one set of bits, and errors by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fstce import Tagger
from fstce.errors import CorpusError, ParameterError, ShardError
from fstce.estimation.resources import WORKING, Forecast, Resources, to_bytes
from fstce.processes.memory import own_memory
from fstce.storage.folder import own_digest
from fstce.storage.packed import open_packed, write_packed
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


def test_two_trainings_without_automata_share_a_folder_of_shards(tmp_path: Path) -> None:
    gold = [["D"] * len(row) for row in TEXT]
    tags = ("D", *(f"t{i}" for i in range(20)))
    dictionary = {word: tags for row in TEXT for word in row}
    place = {"shards": tmp_path / "s"}
    for sigma2 in (1.0, 2.0):
        tagger = Tagger(criterion="conditional", order=2, sigma2=sigma2, max_iterations=3)
        tagger.fit(TEXT, gold, dictionary=dictionary, resources=place)
    fitted(**place)
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange/mine.txt").write_text("mine")
    with pytest.raises(ShardError, match="holds something else"):
        fitted(shards=tmp_path / "strange")


def test_temporary_files_end_with_the_training(tmp_path: Path) -> None:
    fitted(memory="1K", scratch=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_built_is_not_built_again_and_other_weights_of_the_prior_may_use_it(
    tmp_path: Path,
) -> None:
    fitted(shards=tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    tagger = Tagger("trans1", sigma2=0.1, spelling=True, max_iterations=3)
    tagger.fit(TEXT, dictionary=DICTIONARY, resources={"shards": tmp_path})
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == times


def end_building(monkeypatch: pytest.MonkeyPatch, folder: Path, **place: Any) -> None:
    """Begin a training over shards, and end it when four files are there."""
    pack = building.pack_products

    def failing(*given: Any) -> Any:
        if len(list(folder.rglob("*.npy"))) == 4:
            raise KeyboardInterrupt
        return pack(*given)

    with monkeypatch.context() as patch:
        patch.setattr(building, "pack_products", failing)
        with pytest.raises(KeyboardInterrupt):
            fitted(shards=folder, **place)


def test_building_goes_on_where_it_was_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = fitted()
    end_building(monkeypatch, tmp_path)
    there = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npy")}
    assert len(there) == 4
    assert_array_equal(fitted(shards=tmp_path).theta_, whole.theta_)
    assert {path: path.stat().st_mtime_ns for path in there} == there
    manifest = json.loads((tmp_path / "part-1" / "manifest.json").read_text())
    assert [row.keys() for row in manifest["shards"]] == [{"observed", "contrasted"}] * len(
        manifest["shards"]
    )


@pytest.mark.parametrize("change", ["another", "exchanged", "cut off", "gone"])
def test_shards_that_a_training_left_are_built_again_where_they_have_changed(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sound automata, too: of other sentences, or with two of their cells exchanged."""
    whole = fitted()
    end_building(monkeypatch, tmp_path)
    file = tmp_path / "part-1" / "000000-contrasted.npy"
    if change == "another":
        file.write_bytes(file.with_name("000001-contrasted.npy").read_bytes())
    elif change == "exchanged":
        arrays = {key: np.array(array) for key, array in open_packed(file).items()}
        arrays["cell"][:2] = arrays["cell"][1::-1]
        write_packed(file, arrays)
    elif change == "cut off":
        file.write_bytes(file.read_bytes()[:-8])
    else:
        file.unlink()
    (tmp_path / "part-1" / "000123-mine.npy").write_text("a file of the user's")
    assert_array_equal(fitted(shards=tmp_path).theta_, whole.theta_)
    assert (tmp_path / "part-1" / "000123-mine.npy").exists()


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"text": TEXT[:-1]}, "another corpus"),
        ({"dictionary": {**DICTIONARY, "cat": ("N", "V")}}, "another dictionary"),
        ({"kind": "del1word"}, "another neighborhood"),
        ({"criterion": "em"}, "another"),
    ],
)
def test_shards_of_something_else_are_refused_by_name(
    other: dict[str, Any], what: str, tmp_path: Path
) -> None:
    fitted(shards=tmp_path)
    with pytest.raises(ShardError, match=f"part-1: these are the shards of {what}"):
        fitted(shards=tmp_path, **other)


@pytest.mark.parametrize("damage", ["missing", "cut off", "altered"])
def test_a_damaged_shard_is_named(damage: str, tmp_path: Path) -> None:
    fitted(shards=tmp_path)
    path = sorted(tmp_path.rglob("*.npy"))[1]
    data = path.read_bytes()
    path.unlink()
    if damage == "cut off":
        path.write_bytes(data[:-64])
    elif damage == "altered":
        path.write_bytes(data[:-100] + b"x" + data[-99:])
    with pytest.raises(ShardError, match=f"{path.name}: the shard is (missing|damaged)"):
        fitted(shards=tmp_path)


def rewritten(folder: Path, change: Any) -> None:
    """Change a manifest as someone would who knows how it is sealed."""
    path = folder / "manifest.json"
    content = json.loads(path.read_text())
    change(content)
    content["digest"] = own_digest(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content["shards"].append(content["shards"][0]),
        lambda content: content["shards"].__setitem__(1, content["shards"][0]),
        lambda content: content["shards"].pop(),
        lambda content: content["shards"].reverse(),
        lambda content: content["shards"][0].pop("observed"),
        lambda content: content["shards"][0]["observed"].update(
            file="../part-1/000000-observed.npy"
        ),
        lambda content: content["shards"][0]["observed"].pop("digest"),
        lambda content: content.update(shards=7),
        lambda content: content.update(made_of=None),
        lambda content: content.update(format=1),
        lambda content: content.update(kind="fstce model"),
    ],
)
def test_a_manifest_that_lists_something_else_is_refused(change: Any, tmp_path: Path) -> None:
    fitted(shards=tmp_path)
    rewritten(tmp_path / "part-1", change)
    with pytest.raises(ShardError, match=r"manifest.json: damaged \(.*\); remove the folder"):
        fitted(shards=tmp_path)


def test_a_manifest_that_was_changed_is_refused(tmp_path: Path) -> None:
    fitted(shards=tmp_path)
    path = tmp_path / "part-1" / "manifest.json"
    path.write_text(path.read_text().replace('"file": "', '"file": "1'))
    with pytest.raises(ShardError, match="changed since it was written"):
        fitted(shards=tmp_path)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(ShardError, match="holds something else"):
        fitted(shards=tmp_path)


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


def test_what_is_there_already_is_told_as_built(tmp_path: Path) -> None:
    class Told:
        sentences = words = 0

        def planned(self, forecast: Forecast) -> None:
            pass

        def built(self, sentences: int, words: int) -> None:
            self.sentences, self.words = self.sentences + sentences, self.words + words

    fitted(shards=tmp_path)
    told = Told()
    Tagger("trans1").compile(
        TEXT, dictionary=DICTIONARY, resources={"shards": tmp_path, "building": told}
    )
    assert (told.sentences, told.words) == (len(TEXT), sum(map(len, TEXT)))


def test_a_place_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(
        ShardError, match=r"file/s: cannot be made \(Not a directory\); name another folder"
    ):
        fitted(shards=tmp_path / "file" / "s")


def test_a_damaged_manifest_is_told(tmp_path: Path) -> None:
    fitted(shards=tmp_path)
    (tmp_path / "part-1" / "manifest.json").write_text("[7]")
    with pytest.raises(ShardError, match=r"manifest.json: damaged \(.*\); remove the folder"):
        fitted(shards=tmp_path)


@pytest.mark.parametrize(
    ("size", "bytes_"),
    [
        ("1500", 1500),
        ("2 KB", 2000),
        ("1.5M", 1_500_000),
        ("3g", 3 * 10**9),
        ("1T", 10**12),
        (7, 7),
        (None, None),
    ],
)
def test_sizes(size: str | int | None, bytes_: int | None) -> None:
    assert to_bytes(size) == bytes_


def test_temporary_files_lie_where_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Resources(scratch=tmp_path).place == tmp_path
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    assert Resources().place == tmp_path / "t"
    own = own_memory() + WORKING
    assert Resources(memory=2 * own).fits(own / 2) and not Resources(memory=2 * own).fits(2 * own)
    assert not Resources(memory=own // 2).fits(1.0)
    assert (
        Resources(memory=2 * own).least == 0 and 0.8 < Resources(memory=own // 2).least / own < 1.2
    )
    assert not Resources(shards=tmp_path).fits(1.0)
