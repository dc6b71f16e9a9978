"""A tagger saved and loaded is the same tagger, bit for bit; a damaged one is refused in one clear line."""

import io
import json
import os
import pickle
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from patience import patience

from fstce import Neighborhood, TagDictionary, Tagger, neighborhood
from fstce.corpora import sample
from fstce.errors import ModelFileError, NeighborhoodError, NotFittedError, ParameterError
from fstce.machines.text import read_symbols
from fstce.storage.folder import MANIFEST, write_manifest
from fstce.transducers import del1word

SENTENCES = sample()
TRAINING = [sentence for sentence in SENTENCES if len(sentence) <= 9][:60]
UNSEEN = SENTENCES[200:230]
FILES = ["guess.npz", "tags.syms", "weights.npz", "words.syms"]


def trained(**parameters):
    dictionary = TagDictionary.from_corpus(SENTENCES, first=150)
    return Tagger(**{"order": 2, "max_iterations": 10, **parameters}).fit(
        TRAINING, dictionary=dictionary
    )


def resealed(folder, entries=()):
    """Write the manifest anew, so that only the content is wrong and no digest."""
    path = folder / MANIFEST
    content = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    ours = ("parameters", "order", "tags", "spellings", "missing", "training", "dictionary")
    write_manifest(folder, "tagger", {**{name: content[name] for name in ours}, **dict(entries)})


def rearranged(folder, **arrays):
    """Replace arrays of the weights, and all digests."""
    with np.load(folder / "weights.npz") as archive:
        np.savez(folder / "weights.npz", **{**archive, **arrays})
    resealed(folder)


def load_error(folder):
    with pytest.raises(ModelFileError) as caught:
        Tagger.load(folder)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture(scope="module")
def tagger():
    return trained(spelling=True, seed=3, start="random")


@pytest.fixture
def folder(tagger, tmp_path):
    tagger.save(tmp_path / "model")
    return tmp_path / "model"


class TestRoundTrip:
    @pytest.mark.parametrize("order", [1, 2, 3])
    @pytest.mark.parametrize("spelling", [False, True])
    def test_weights_and_answers_are_identical(self, tmp_path, order, spelling):
        tagger = trained(order=order, spelling=spelling)
        tagger.save(tmp_path / "model")
        loaded = Tagger.load(tmp_path / "model")
        assert loaded.theta_.tobytes() == tagger.theta_.tobytes()
        assert loaded.predict(UNSEEN) == tagger.predict(UNSEEN)
        for left, right in zip(
            loaded.predict_proba(UNSEEN), tagger.predict_proba(UNSEEN), strict=True
        ):
            assert left.tobytes() == right.tobytes()

    def test_learned_attributes(self, tagger, folder):
        loaded = Tagger.load(folder)
        assert loaded.get_params() == tagger.get_params()
        assert loaded.tags_ == tagger.tags_
        assert loaded.dictionary_ == tagger.dictionary_
        assert loaded.features_.names == tagger.features_.names
        assert loaded.training_.objective == tagger.training_.objective
        assert loaded.training_.stopped == tagger.training_.stopped
        course = [
            (step.iteration, step.objective, step.gradient_norm) for step in tagger.training_.steps
        ]
        assert [
            (s.iteration, s.objective, s.gradient_norm) for s in loaded.training_.steps
        ] == course

    def test_the_objective_is_the_same(self, tagger, folder):
        value, gradient = Tagger.load(folder).objective(UNSEEN, tagger.theta_)
        expected, slope = tagger.objective(UNSEEN, tagger.theta_)
        assert value == pytest.approx(expected, rel=1e-12)
        assert gradient == pytest.approx(slope, rel=1e-9, abs=1e-12)

    def test_equal_models_are_equal_files(self, folder, tmp_path):
        trained(spelling=True, seed=3, start="random").save(tmp_path / "again")
        for name in (*FILES, MANIFEST):
            assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name

    def test_loaded_model_can_be_saved(self, folder, tmp_path):
        Tagger.load(folder).save(tmp_path / "again")
        assert (folder / MANIFEST).read_bytes() == (tmp_path / "again" / MANIFEST).read_bytes()

    def test_earlier_model_is_replaced(self, folder):
        other = trained(order=1)
        other.save(folder)
        assert Tagger.load(folder).order == 1

    def test_numpy_parameters(self, tmp_path):
        tagger = trained(sigma2=np.float64(0.1), order=np.int64(2), spelling=np.bool_(False))
        tagger.save(tmp_path / "model")
        assert Tagger.load(tmp_path / "model").get_params() == tagger.get_params()

    def test_weights_of_ones_own(self, tmp_path):
        tagger = Tagger(order=1)
        tagger.compile(TRAINING, dictionary=TagDictionary.from_corpus(SENTENCES))
        tagger.theta_ = np.linspace(-1, 1, tagger.features_.size)
        tagger.save(tmp_path / "model")
        assert Tagger.load(tmp_path / "model").theta_.tolist() == tagger.theta_.tolist()


class TestFiles:
    def test_folder(self, folder):
        assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, MANIFEST])

    def test_symbols(self, tagger, folder):
        words = (folder / "words.syms").read_text(encoding="utf-8").splitlines()
        assert words[:6] == [
            *("<epsilon>\t0", "<sigma>\t1", "<s>\t2", "</s>\t3", "<unk>\t4"),
            f"{TRAINING[0][0]}\t5",
        ]
        assert [symbol for _, symbol in read_symbols(folder / "tags.syms")] == [
            "<epsilon>",
            *tagger.tags_,
        ]

    def test_manifest_summarizes_the_training(self, tagger, folder):
        training = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["training"]
        assert training["objective"] == tagger.training_.objective
        assert training["iterations"] == len(tagger.training_.steps) - 1
        assert training["stopped"] == tagger.training_.stopped


class TestNeighborhood:
    def test_object_is_saved_by_name(self, tmp_path):
        trained(neighborhood=neighborhood("del1word")).save(tmp_path / "model")
        assert Tagger.load(tmp_path / "model").neighborhood == "del1word"

    @pytest.mark.parametrize(("name", "saved"), [("mine", "mine"), ("trans1", "trans1 [own]")])
    def test_own_neighborhood_predicts_but_has_no_objective(self, tmp_path, name, saved):
        own = Neighborhood(del1word.build, name, equivariant=True)
        tagger = trained(neighborhood=own)
        tagger.save(tmp_path / "model")
        loaded = Tagger.load(tmp_path / "model")
        assert loaded.neighborhood == saved
        assert loaded.predict(UNSEEN) == tagger.predict(UNSEEN)
        with pytest.raises(NeighborhoodError, match="unknown neighborhood"):
            loaded.objective(TRAINING, loaded.theta_)
        loaded.set_params(neighborhood=own)
        expected, _ = tagger.objective(TRAINING, tagger.theta_)
        assert loaded.objective(TRAINING, loaded.theta_)[0] == pytest.approx(expected, rel=1e-12)


class TestUnfitted:
    def test_untrained(self, tmp_path):
        with pytest.raises(NotFittedError, match="not trained yet"):
            Tagger().save(tmp_path / "model")
        assert not (tmp_path / "model").exists()

    def test_compiled_for_another_corpus(self, folder):
        tagger = Tagger.load(folder)
        tagger.compile(TRAINING[:5], dictionary=tagger.dictionary_)
        with pytest.raises(NotFittedError, match="not trained yet"):
            tagger.save(folder)


class TestDamage:
    @pytest.mark.parametrize("name", FILES)
    def test_missing_file(self, folder, name):
        (folder / name).unlink()
        assert f"{name}: missing, the model is incomplete" in load_error(folder)

    @pytest.mark.parametrize("name", FILES)
    def test_cut_off_file(self, folder, name):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: len(content) // 2])
        assert f"{name}: changed or cut off" in load_error(folder)

    @pytest.mark.parametrize("name", FILES)
    def test_changed_byte(self, folder, name):
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)
        assert f"{name}: changed or cut off" in load_error(folder)

    def test_foreign_folder(self, tmp_path):
        (tmp_path / "thesis.tex").write_text("", encoding="utf-8")
        assert "this folder is no fstce model" in load_error(tmp_path)

    def test_pickle_in_the_archive(self, folder):
        rearranged(folder, theta=np.array([{"a": 1}], dtype=object))
        message = load_error(folder)
        assert "weights.npz: damaged, or not written by fstce" in message
        assert "plain arrays only" in message

    def test_pickle_in_place_of_the_archive(self, folder):
        (folder / "weights.npz").write_bytes(pickle.dumps({"theta": [1.0]}))
        resealed(folder)
        assert "weights.npz: damaged, or not written by fstce" in load_error(folder)

    def test_no_code_runs_on_load(self, folder, tmp_path):
        class Bomb:
            def __reduce__(self):
                return open, (str(tmp_path / "exploded"), "w")

        rearranged(folder, theta=np.array([Bomb()], dtype=object))
        load_error(folder)
        assert not (tmp_path / "exploded").exists()

    @pytest.mark.parametrize("array", [np.zeros(3), np.zeros((2, 2))])
    def test_array_in_place_of_the_archive(self, folder, array):
        buffer = io.BytesIO()
        np.save(buffer, array)
        (folder / "weights.npz").write_bytes(buffer.getvalue())
        resealed(folder)
        assert "weights.npz: damaged, or not written by fstce" in load_error(folder)

    def test_archive_that_lacks_an_array(self, folder):
        with zipfile.ZipFile(folder / "weights.npz", "w"):
            pass
        resealed(folder)
        assert "weights.npz: lacks the array 'theta'" in load_error(folder)

    def test_smuggled_parameter(self, folder):
        resealed(folder, {"parameters": {"colour": "red"}})
        assert "do not fit each other" in load_error(folder)
        assert "colour" in load_error(folder)

    @pytest.mark.parametrize(
        "entry", ["parameters", "order", "tags", "spellings", "training", "dictionary"]
    )
    def test_senseless_entry(self, folder, entry):
        resealed(folder, {entry: 7})
        load_error(folder)

    def test_tags_of_another_model(self, folder):
        resealed(folder, {"tags": ["A", "B"]})
        assert "tags.syms: not the tags of the model" in load_error(folder)

    @pytest.mark.parametrize("tags", [["DT"], ["DT", "DT"], ["no tag"], "DT", [["DT"]], 3])
    def test_guesses_of_other_tags(self, folder, tags):
        guess = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["guess"]
        resealed(folder, {"guess": {**guess, "tags": tags}})
        load_error(folder)

    def test_symbols_with_gaps(self, folder):
        lines = (folder / "words.syms").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / "words.syms").write_text("".join(lines[:-2] + lines[-1:]), encoding="utf-8")
        resealed(folder)
        assert "words.syms: its ids are not 0, 1, 2" in load_error(folder)

    def test_symbols_that_are_none(self, folder):
        (folder / "words.syms").write_text("a b c\n", encoding="utf-8")
        resealed(folder)
        assert "words.syms:1: 3 fields" in load_error(folder)


class TestWeightsThatDoNotFit:
    def test_length_of_theta(self, tagger, folder):
        rearranged(folder, theta=tagger.theta_[:-1])
        assert (
            f"weights.npz: {len(tagger.theta_) - 1} weights for {len(tagger.theta_)} features"
            in load_error(folder)
        )

    def test_types(self, tagger, folder):
        rearranged(folder, theta=tagger.theta_.astype(np.float32))
        assert "weights.npz: theta is float32 of shape" in load_error(folder)
        rearranged(folder, theta=tagger.theta_, word=tagger.features_.word[None])
        assert "weights.npz: word is int64 of shape (1, " in load_error(folder)

    def test_infinite_weight(self, tagger, folder):
        rearranged(
            folder, theta=np.where(np.arange(len(tagger.theta_)) == 5, np.nan, tagger.theta_)
        )
        assert "theta has a value that is no weight" in load_error(folder)

    @pytest.mark.parametrize(
        ("name", "what"),
        [
            ("ngrams", "an n-gram has no such number"),
            ("word", "a word has no such number"),
            ("tag", "a tag has no such number"),
            ("spelling", "a spelling has no such number"),
            ("spelling_tag", "a tag has no such number"),
        ],
    )
    @pytest.mark.parametrize("number", [-1, 10**9])
    def test_out_of_range(self, tagger, folder, name, what, number):
        array = getattr(tagger.features_, name).copy()
        array[3] = number
        rearranged(folder, **{name: array})
        assert f"weights.npz: {what}" in load_error(folder)

    @pytest.mark.parametrize(
        ("names", "what"),
        [
            (("ngrams",), "the n-grams"),
            (("word", "tag"), "the pairs"),
            (("spelling", "spelling_tag"), "the pairs"),
        ],
    )
    def test_out_of_order(self, tagger, folder, names, what):
        rearranged(folder, **{name: getattr(tagger.features_, name)[::-1] for name in names})
        assert f"weights.npz: {what} are out of order" in load_error(folder)

    def test_lengths_of_pairs(self, tagger, folder):
        rearranged(folder, tag=tagger.features_.tag[:-1])
        assert "some pairs lack their tag" in load_error(folder)

    def test_order(self, folder):
        resealed(folder, {"order": 4})
        assert "the order of the n-grams is 4" in load_error(folder)


def test_parameters_that_exclude_each_other_are_neither_saved_nor_loaded(tmp_path):
    tagger = trained(criterion="em")
    tagger.save(tmp_path / "m")
    path = tmp_path / "m" / MANIFEST
    parameters = json.loads(path.read_text(encoding="utf-8"))["parameters"]
    resealed(tmp_path / "m", {"parameters": {**parameters, "spelling": True}})
    with pytest.raises(
        ModelFileError, match=r"m: the parts of the model do not fit each other \(an HMM"
    ):
        Tagger.load(tmp_path / "m")
    with pytest.raises(ParameterError, match="no features of spelling"):
        tagger.set_params(spelling=True).save(tmp_path / "n")
    assert not (tmp_path / "n").exists()


def test_two_processes_train_the_same_bits(tmp_path):
    """One seed, another hash seed and another number of workers: the same file."""
    for seed in ("1", "2"):
        command = [
            sys.executable,
            "-m",
            "fstce",
            "tagger",
            "train",
            "sample",
            "--words",
            "300",
            "--max-iterations",
            "6",
            "--spelling",
            "--quiet",
        ]
        command += ["--start", "random", "--jobs", seed, "--output", str(tmp_path / seed)]
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, timeout=patience(120)
        )
    first, second = ((tmp_path / seed / "weights.npz").read_bytes() for seed in ("1", "2"))
    assert first == second
