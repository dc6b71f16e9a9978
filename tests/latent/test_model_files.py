"""Latent grammars as folders: bit for bit, without pickle, and refused where damaged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from fstce import DependencyParser, GrammarProduct, LatentGrammar
from fstce.corpora import sample
from fstce.errors import ModelFileError, NotFittedError, ParameterError
from fstce.latent.latent_grammar import ARRAYS, DESCRIBED
from fstce.latent.model.files import to_arrays

TEXT = [["the", "lamp", "is", "small"]]
FILES = (DESCRIBED, ARRAYS)


@pytest.fixture(scope="module")
def grammar() -> LatentGrammar:
    quick = {"split_iterations": 4, "merge_iterations": 2, "smooth_iterations": 1}
    return LatentGrammar(cycles=1, seed=5, **quick).fit(sample()[:80])


@pytest.fixture
def folder(grammar: LatentGrammar, tmp_path: Path) -> Path:
    grammar.save(tmp_path / "m")
    return tmp_path / "m"


def test_what_is_loaded_is_what_was_saved(grammar: LatentGrammar, folder: Path) -> None:
    found = LatentGrammar.load(folder)
    assert found.get_params() == grammar.get_params()
    (ours, words), (theirs, other_words) = (
        to_arrays(grammar.hierarchy_),
        to_arrays(found.hierarchy_),
    )
    assert words == other_words and set(ours) == set(theirs)
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
    assert found.predict(TEXT) == grammar.predict(TEXT)
    assert [step.log_likelihood for step in found.history_] == [
        s.log_likelihood for s in grammar.history_
    ]


def test_settings_of_the_training_are_saved_as_it_was_begun(
    grammar: LatentGrammar, folder: Path, tmp_path: Path
) -> None:
    """Else a loaded grammar would go on with settings that it was not begun with."""
    changed = grammar.after(1).set_params(seed=7, rule_smoothing=0.5, max_length=50)
    changed.save(tmp_path / "changed")
    loaded = LatentGrammar.load(tmp_path / "changed")
    assert loaded.get_params() == {**grammar.get_params(), "max_length": 50}
    assert loaded.resume(sample()[:80]).cycles == 1
    with pytest.raises(ParameterError, match="begun with seed=5, not 7"):
        loaded.set_params(seed=7, cycles=2).resume(sample()[:80])
    GrammarProduct([changed]).save(tmp_path / "product")
    assert GrammarProduct.load(tmp_path / "product").members()[0].seed == 5


def test_equal_grammars_are_equal_files(
    grammar: LatentGrammar, folder: Path, tmp_path: Path
) -> None:
    again = LatentGrammar(**grammar.get_params()).fit(sample()[:80])
    again.save(tmp_path / "again")
    for file in folder.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), file.name


def test_no_file_is_a_pickle(folder: Path) -> None:
    assert sorted(file.name for file in folder.iterdir()) == sorted([*FILES, "model.json"])
    with np.load(folder / "grammars.npz", allow_pickle=False) as arrays:
        assert all(arrays[name].dtype.kind in "if" for name in arrays.files)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", ["cut", "missing", "other"])
def test_damage_is_named(folder: Path, name: str, how: str) -> None:
    path = folder / name
    content = path.read_bytes()
    if how == "missing":
        path.unlink()
    else:
        path.write_bytes(content[: len(content) // 2] if how == "cut" else content + b" ")
    with pytest.raises(ModelFileError, match=name):
        LatentGrammar.load(folder)


def test_parts_that_do_not_fit(grammar: LatentGrammar, folder: Path) -> None:
    from fstce.storage.folder import write_manifest

    entries = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    (folder / "model.json").unlink()
    entries["parameters"]["cycles"] = 3
    kept = {"parameters": entries["parameters"], "course": entries["course"]}
    write_manifest(folder, "latent grammar", kept)
    with pytest.raises(ModelFileError, match="2 grammars for 3 cycles"):
        LatentGrammar.load(folder)


def test_other_kinds_and_no_models(grammar: LatentGrammar, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="not a dependency parser"):
        DependencyParser.load(folder)
    with pytest.raises(ModelFileError, match="no such folder"):
        LatentGrammar.load(tmp_path / "none")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(ModelFileError, match="not replaced"):
        grammar.save(tmp_path / "mine")
    with pytest.raises(NotFittedError):
        LatentGrammar().save(tmp_path / "untrained")
