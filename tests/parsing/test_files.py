"""A parser saved and loaded is the same parser, bit for bit; a damaged one is refused in one clear line."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from parsing_cases import CORPUS, GOLD, random_theta, trained

from fstce import DependencyParser, Neighborhood, Tagger
from fstce.errors import ModelFileError, NeighborhoodError, NotFittedError
from fstce.parsing.criteria import CRITERIA
from fstce.storage.folder import MANIFEST, write_manifest
from fstce.transducers import del1word

FILES = ["weights.npz", "weights.tsv"]
UNSEEN = [*CORPUS, ("X", "V", "N"), ("N", "D", "D", "V")]


def resealed(folder, entries=()):
    """Write the manifest anew, so that only the content is wrong and no digest."""
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).unlink()
    ours = ("parameters", "tags", "left_out", "training")
    kept = {name: content[name] for name in ours}
    write_manifest(folder, "dependency parser", {**kept, **dict(entries)})


def rearranged(folder, **arrays):
    np.savez(folder / "weights.npz", **arrays)
    resealed(folder)


def load_error(folder, kind=DependencyParser):
    with pytest.raises(ModelFileError) as caught:
        kind.load(folder)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture(scope="module")
def parser():
    return trained("contrastive", start="random", seed=3, sigma2=0.5)


@pytest.fixture
def folder(parser, tmp_path):
    parser.save(tmp_path / "model")
    return tmp_path / "model"


class TestRoundTrip:
    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_weights_and_answers_are_identical(self, tmp_path, criterion):
        parser = trained(criterion, smoothing=0.0, annealing=(0.5, 1))
        parser.save(tmp_path / "model")
        loaded = DependencyParser.load(tmp_path / "model")
        assert loaded.theta_.tobytes() == parser.theta_.tobytes()
        assert loaded.predict(UNSEEN) == parser.predict(UNSEEN)
        assert loaded.k_best(UNSEEN, 3) == parser.k_best(UNSEEN, 3)
        for left, right in zip(
            loaded.predict_proba(UNSEEN), parser.predict_proba(UNSEEN), strict=True
        ):
            assert left.tobytes() == right.tobytes()
        assert loaded.measure(CORPUS, GOLD) == parser.measure(CORPUS, GOLD)
        assert loaded.get_params() == parser.get_params()

    def test_probabilities_of_zero(self, tmp_path):
        parser = trained("joint", smoothing=0.0)
        assert np.isneginf(parser.theta_).any()
        parser.save(tmp_path / "model")
        assert DependencyParser.load(tmp_path / "model").theta_.tobytes() == parser.theta_.tobytes()

    def test_learned_attributes(self, tmp_path):
        corpus, gold = [*CORPUS, ("V", "N", "N", "D")], [*GOLD, (3, 4, 0, 3)]
        parser = DependencyParser(criterion="conditional").fit(
            corpus, gold, tags=("V", "N", "D", "X")
        )
        parser.save(tmp_path / "model")
        loaded = DependencyParser.load(tmp_path / "model")
        assert loaded.model_.tags == tuple("VNDX")
        assert loaded.n_skipped_ == 1
        assert loaded.weights() == parser.weights()
        assert loaded.training_.objective == parser.training_.objective
        assert loaded.training_.stopped == parser.training_.stopped
        courses = (
            [(step.iteration, step.objective, step.gradient_norm) for step in one.training_.steps]
            for one in (loaded, parser)
        )
        assert next(courses) == next(courses)

    def test_the_objective_is_the_same_and_training_can_go_on(self, parser, folder):
        loaded, theta = DependencyParser.load(folder), random_theta(1)
        assert loaded.objective(CORPUS, theta)[0] == parser.objective(CORPUS, theta)[0]
        assert loaded.initial_weights().tobytes() == parser.initial_weights().tobytes()
        assert loaded.fit(CORPUS).theta_.tobytes() == parser.theta_.tobytes()

    def test_a_loaded_model_can_be_saved(self, folder, tmp_path):
        DependencyParser.load(folder).save(tmp_path / "again")
        for name in (*FILES, MANIFEST):
            assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name

    def test_an_earlier_model_is_replaced(self, folder):
        trained("em").save(folder)
        assert DependencyParser.load(folder).criterion == "em"

    def test_numpy_parameters(self, tmp_path):
        parser = trained("em", smoothing=np.float64(0.5), seed=np.int64(2))
        parser.save(tmp_path / "model")
        assert DependencyParser.load(tmp_path / "model").get_params() == parser.get_params()

    def test_weights_of_ones_own(self, tmp_path):
        parser = DependencyParser()
        parser.compile(CORPUS)
        parser.theta_ = random_theta(6)
        parser.save(tmp_path / "model")
        loaded = DependencyParser.load(tmp_path / "model")
        assert loaded.theta_.tobytes() == parser.theta_.tobytes()
        assert not hasattr(loaded, "training_")

    def test_tags_that_are_not_ascii(self, tmp_path):
        parser = DependencyParser().fit([["动词", "名词"], ["İsim"]])
        parser.save(tmp_path / "model")
        assert DependencyParser.load(tmp_path / "model").model_.tags == parser.model_.tags


class TestFolder:
    def test_files(self, folder):
        assert sorted(path.name for path in folder.iterdir()) == [MANIFEST, *FILES]

    def test_weights_to_read(self, parser, folder):
        rows = [
            line.split("\t") for line in (folder / "weights.tsv").read_text("utf-8").splitlines()
        ]
        assert {tuple(name.split(" ")): float(weight) for weight, name in rows} == parser.weights()

    def test_summary_of_the_training(self, parser, folder):
        training = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["training"]
        assert training["objective"] == parser.training_.objective
        assert training["iterations"] == len(parser.training_.steps) - 1

    @pytest.mark.parametrize(("name", "saved"), [("mine", "mine"), ("trans1", "trans1 [own]")])
    def test_own_neighborhood_predicts_but_has_no_objective(self, tmp_path, name, saved):
        own = Neighborhood(del1word.build, name, equivariant=True)
        parser = trained("contrastive", neighborhood=own)
        parser.save(tmp_path / "model")
        loaded = DependencyParser.load(tmp_path / "model")
        assert loaded.neighborhood == saved
        assert loaded.predict(UNSEEN) == parser.predict(UNSEEN)
        with pytest.raises(NeighborhoodError, match="unknown neighborhood"):
            loaded.objective(CORPUS, loaded.theta_)
        loaded.set_params(neighborhood=own)
        assert loaded.objective(CORPUS, loaded.theta_)[0] == pytest.approx(
            parser.training_.objective
        )

    def test_untrained(self, tmp_path):
        parser = DependencyParser()
        parser.compile(CORPUS)
        with pytest.raises(NotFittedError, match="not trained yet"):
            parser.save(tmp_path / "model")
        assert not (tmp_path / "model").exists()


class TestOtherKinds:
    def test_a_tagger_is_no_parser(self, tmp_path):
        Tagger(order=1).fit([["a"]], dictionary={"a": "A"}).save(tmp_path / "tagger")
        message = load_error(tmp_path / "tagger")
        assert message.endswith("a model of kind 'tagger', not a dependency parser")

    def test_a_parser_is_no_tagger(self, folder):
        assert load_error(folder, Tagger).endswith(
            "a model of kind 'dependency parser', not a tagger"
        )

    def test_neither_replaces_the_other(self, parser, folder, tmp_path):
        tagger = Tagger(order=1).fit([["a"]], dictionary={"a": "A"})
        tagger.save(tmp_path / "tagger")
        with pytest.raises(ModelFileError, match="which a tagger does not replace"):
            tagger.save(folder)
        with pytest.raises(ModelFileError, match="which a dependency parser does not replace"):
            parser.save(tmp_path / "tagger")
        assert DependencyParser.load(folder).theta_.tobytes() == parser.theta_.tobytes()

    def test_a_foreign_folder(self, tmp_path):
        (tmp_path / "thesis.tex").write_text("", encoding="utf-8")
        assert "this folder is no fstce model" in load_error(tmp_path)

    def test_no_folder(self, tmp_path):
        assert "no such folder" in load_error(tmp_path / "nowhere")


class TestDamage:
    @pytest.mark.parametrize("name", FILES)
    def test_missing_file(self, folder, name):
        (folder / name).unlink()
        assert f"{name}: missing, the model is incomplete" in load_error(folder)

    @pytest.mark.parametrize("name", FILES)
    def test_changed_byte(self, folder, name):
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)
        assert f"{name}: changed or cut off" in load_error(folder)

    def test_cut_off_manifest(self, folder):
        text = (folder / MANIFEST).read_text(encoding="utf-8")
        (folder / MANIFEST).write_text(text[: len(text) // 2], encoding="utf-8")
        assert "model.json: damaged" in load_error(folder)

    def test_pickle_in_place_of_the_archive(self, folder):
        (folder / "weights.npz").write_bytes(pickle.dumps({"theta": [1.0]}))
        resealed(folder)
        assert "weights.npz: damaged, or not written by fstce" in load_error(folder)

    def test_no_code_runs_on_load(self, folder, tmp_path):
        class Bomb:
            def __reduce__(self):
                return open, (str(tmp_path / "exploded"), "w")

        rearranged(folder, theta=np.array([Bomb()], dtype=object))
        assert "weights.npz: damaged, or not written by fstce" in load_error(folder)
        assert not (tmp_path / "exploded").exists()

    @pytest.mark.parametrize("array", [np.zeros(45), np.zeros((2, 2))])
    def test_array_in_place_of_the_archive(self, folder, array):
        with (folder / "weights.npz").open("wb") as file:
            np.save(file, array)
        resealed(folder)
        assert "weights.npz: damaged, or not written by fstce" in load_error(folder)

    def test_archive_without_weights(self, folder):
        rearranged(folder, other=np.zeros(45))
        assert "weights.npz: lacks the array 'theta'" in load_error(folder)

    @pytest.mark.parametrize(
        ("theta", "message"),
        [
            (np.zeros(44), "theta has shape (44,); this model has 45 features"),
            (np.zeros((45, 1)), "theta is float64 of shape (45, 1)"),
            (
                np.zeros(45, dtype=np.float32),
                "theta is float32 of shape (45,)",
            ),
            (np.full(45, np.nan), "theta has a value that is no weight"),
            (np.full(45, np.inf), "theta has a value that is no weight"),
        ],
    )
    def test_weights_that_do_not_fit(self, folder, theta, message):
        rearranged(folder, theta=theta)
        assert message in load_error(folder)

    @pytest.mark.parametrize(
        "entries",
        [
            {"parameters": {"colour": "red"}},
            {"parameters": 7},
            {"tags": 7},
            {"tags": ["N"]},
            {"tags": ["N", "N", "V"]},
            {"tags": [["N"], ["V"], ["D"]]},
            {"left_out": "some"},
            {"left_out": None},
            {"training": 7},
            {"training": {"objective": 1.0}},
            {"text": {"tag_column": "lemma"}},
        ],
    )
    def test_senseless_entry(self, folder, entries):
        resealed(folder, entries)
        load_error(folder)
