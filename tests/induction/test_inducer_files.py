"""An inducer as a folder: back whole, damage found, resumed."""

import errno
import io
import json

import numpy as np
import pytest

from fstce import DependencyParser
from fstce.corpora import sample
from fstce.errors import ModelFileError, NotFittedError
from fstce.induction.inducer import GRAMMAR, KIND, RULES, DirectedAlignment
from fstce.storage.folder import MANIFEST, write_manifest

SAMPLE = sample()[:120]
FILES = (GRAMMAR, RULES)


@pytest.fixture(scope="module")
def inducer():
    return DirectedAlignment(iterations=20, punctuation=(",", "."), max_length=4).fit(SAMPLE)


@pytest.fixture
def folder(inducer, tmp_path):
    inducer.save(tmp_path / "model")
    return tmp_path / "model"


def load_error(folder):
    with pytest.raises(ModelFileError) as caught:
        DirectedAlignment.load(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def resealed(folder, changed=None):
    """The folder with digests that fit what is in it now."""
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).unlink()
    entries = {name: content[name] for name in ("parameters", "stopped")}
    write_manifest(folder, KIND, {**entries, **(changed or {})})


def test_it_comes_back_whole(inducer, folder):
    loaded = DirectedAlignment.load(folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted((*FILES, MANIFEST))
    assert loaded.get_params() == inducer.get_params()
    assert str(loaded.grammar_) == str(inducer.grammar_)
    assert loaded.predict(SAMPLE) == inducer.predict(SAMPLE)
    assert loaded.stopped_ == "iterations"


def test_it_can_be_resumed(folder):
    loaded = DirectedAlignment.load(folder).set_params(iterations=35).resume()
    whole = DirectedAlignment(iterations=35, punctuation=(",", "."), max_length=4).fit(SAMPLE)
    assert str(loaded.grammar_) == str(whole.grammar_)


def test_equal_models_are_equal_files(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("time.localtime", lambda *_: (2031, 1, 1, 1, 1, 1, 0, 1, 0))
    DirectedAlignment(iterations=20, punctuation=(".", ","), max_length=4).fit(SAMPLE).save(
        tmp_path / "again"
    )
    DirectedAlignment.load(folder).save(tmp_path / "third")
    for name in (*FILES, MANIFEST):
        assert (folder / name).read_bytes() == (tmp_path / "third" / name).read_bytes(), name
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name


def test_what_there_is_to_read(inducer, folder):
    rules = (folder / "rules.txt").read_text(encoding="utf-8")
    assert rules == f"{inducer.grammar_}\n"


def test_an_interrupted_induction_can_be_saved(tmp_path):
    def interrupt(iteration, step):
        raise KeyboardInterrupt

    inducer = DirectedAlignment()
    with pytest.raises(KeyboardInterrupt):
        inducer.fit(SAMPLE, monitor=interrupt)
    inducer.save(tmp_path / "model")
    loaded = DirectedAlignment.load(tmp_path / "model")
    assert (loaded.stopped_, len(loaded.grammar_.steps)) == ("interrupted", 1)


def test_no_failing_open_costs_the_good_model(inducer, folder, monkeypatch):
    """ZipFile's mode "a" began an empty archive where it could not open what was there."""
    opened, other = io.open, DirectedAlignment.load(folder).set_params(iterations=21).resume()
    for at in range(1, 30):
        calls, wanted = [], 20

        def failing(*arguments, calls=calls, at=at, **options):
            calls.append(arguments)
            if len(calls) == at:
                raise OSError(errno.EMFILE, "Too many open files")
            return opened(*arguments, **options)

        with monkeypatch.context() as patch:
            patch.setattr(io, "open", failing)
            try:
                other.save(folder)
                wanted = 21  # ZipFile tries "w" in two ways
            except ModelFileError as error:
                assert "Too many open files" in str(error)
        assert len(DirectedAlignment.load(folder).grammar_.steps) == wanted
        inducer.save(folder)
        if len(calls) < at:
            break
    assert 5 < at < 29


def test_nothing_learnt(tmp_path):
    with pytest.raises(NotFittedError):
        DirectedAlignment().save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_other_kinds(inducer, folder, tmp_path):
    DependencyParser(max_iterations=1).fit([["A", "B"]]).save(tmp_path / "parser")
    assert "'dependency parser', not a constituent grammar" in load_error(tmp_path / "parser")
    with pytest.raises(ModelFileError, match="which a constituent grammar does not replace"):
        inducer.save(tmp_path / "parser")


@pytest.mark.parametrize("name", FILES)
def test_damage(folder, name):
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    assert f"{name}: changed or cut off" in load_error(folder)
    (folder / name).unlink()
    assert f"{name}: missing" in load_error(folder)


@pytest.mark.parametrize(
    "changed",
    [{"parameters": {"colour": "red"}}, {"parameters": 7}, {"parameters": {"max_length": 0}}],
)
def test_senseless_entries(folder, changed):
    resealed(folder, changed)
    assert "do not fit each other" in load_error(folder)


def test_a_grammar_without_its_text(folder):
    with np.load(folder / "grammar.npz") as file:
        arrays = {name: file[name] for name in file.files if name != "described"}
    np.savez(folder / "grammar.npz", **arrays)
    resealed(folder)
    assert "grammar.npz: lacks the array 'described'" in load_error(folder)
