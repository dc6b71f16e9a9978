"""States: what is saved is what is loaded, whatever happens meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstce.errors import ModelFileError
from fstce.storage.folder import MANIFEST, write_manifest
from fstce.storage.state import State, load_state, parameters_of, save_state, text_file


def state(number: int = 1, **parts: State) -> State:
    entries = {"number": number, "parameters": {"order": 2, "annealing": [0.5, 1.0]}}
    arrays = {"weights.npz": {"theta": np.full(3, float(number)), "word": np.arange(2)}}
    return State("toy", entries, arrays, {"notes.txt": text_file(f"Number {number}\n")}, parts)


def loaded(folder: Path) -> State:
    return load_state(folder, "toy", lambda found: found)


def error_of(action: Callable[[], object]) -> str:
    with pytest.raises(ModelFileError) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message
    return message


def resealed(folder: Path, **entries: Any) -> None:
    """Write the manifest anew, so that only its content is wrong and no digest."""
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).unlink()
    ours = {name: content[name] for name in ("number", "parameters")}
    write_manifest(folder, "toy", {**ours, **entries})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_state(state(1, part=state(2, inner=state(3)), other=state(4)), tmp_path / "model")
    return tmp_path / "model"


def check(found: State, number: int) -> None:
    assert found.kind == "toy" and found.entry("number", int) == number
    assert found.archive("weights.npz")["theta"].tolist() == [number] * 3
    assert found.path("notes.txt").read_text(encoding="utf-8") == f"Number {number}\n"


def test_models_within_models(folder: Path) -> None:
    found = loaded(folder)
    check(found, 1)
    check(found.part("part", "toy"), 2)
    check(found.part("part", "toy").part("inner", "toy"), 3)
    check(found.part("other", "toy"), 4)
    assert sorted(file.name for file in folder.iterdir()) == sorted(
        f"{prefix}{name}"
        for prefix in ("", "part-", "part-inner-", "other-")
        for name in ("model.json", "weights.npz", "notes.txt")
    )


def test_a_part_is_a_model_of_its_own(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    for file in folder.glob("part-*"):
        (tmp_path / "part" / file.name.removeprefix("part-")).write_bytes(file.read_bytes())
    check(loaded(tmp_path / "part"), 2)


def test_what_is_not_there_is_named(folder: Path) -> None:
    found = loaded(folder)
    for action, name in (
        (lambda: found.path("words.syms"), "words.syms"),
        (lambda: found.archive("ngrams.npz"), "ngrams.npz"),
        (lambda: found.part("third", "toy"), "third-model.json"),
    ):
        assert f"{folder / MANIFEST}: does not list {name}" in error_of(action)
    assert "of a model of kind 'toy', not a tagger" in error_of(
        lambda: found.part("part", "tagger")
    )


@pytest.mark.parametrize("name", ["part-model.json", "part-inner-weights.npz", "other-notes.txt"])
def test_damage_in_a_part_is_named_even_with_an_outer_manifest_that_fits(
    folder: Path, name: str
) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(bytes(content))
    assert str(folder / name) in error_of(lambda: loaded(folder))
    resealed(folder)
    assert str(folder / name) in error_of(lambda: loaded(folder))


@pytest.mark.parametrize(
    ("wrong", "kinds"),
    [("1", (int,)), (True, (int,)), (1.5, (int,)), (None, (dict,)), ([], (dict,))],
)
def test_entries_of_a_wrong_type(folder: Path, wrong: Any, kinds: tuple[type, ...]) -> None:
    resealed(folder, number=wrong)
    message = error_of(
        lambda: load_state(folder, "toy", lambda found: found.entry("number", *kinds))
    )
    assert "do not fit each other (number is" in message


@pytest.mark.parametrize(
    "error", [ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError]
)
def test_contradictions_are_told_as_such(folder: Path, error: type[Exception]) -> None:
    def build(found: State) -> None:
        raise error("colour")

    assert f"{folder}: the parts of the model do not fit" in error_of(
        lambda: load_state(folder, "toy", build)
    )


def test_a_model_that_is_replaced_while_it_is_read_is_read_again(folder: Path) -> None:
    seen = []

    def build(found: State) -> State:
        seen.append(found.entry("number", int))
        if len(seen) == 1:
            save_state(state(7), folder)
            found.archive("weights.npz")["theta"]
        return found

    check(load_state(folder, "toy", build), 7)
    assert seen == [1, 7]


def test_a_model_that_is_replaced_all_the_time(folder: Path) -> None:
    def build(found: State) -> State:
        save_state(state(found.entry("number", int) + 1), folder)
        return found

    assert "saved anew while it was read; load it again" in error_of(
        lambda: load_state(folder, "toy", build)
    )
    check(loaded(folder), 6)


def test_parameters() -> None:
    assert parameters_of({"parameters": {"a": [1, 2], "b": None}}) == {"a": (1, 2), "b": None}
    with pytest.raises(TypeError, match="what stands as the parameters is"):
        parameters_of({"parameters": 7})
