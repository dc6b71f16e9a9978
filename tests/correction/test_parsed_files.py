"""A parsed corrector saved and loaded is the same, to the bit; a damaged one is refused in one clear line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from parsed_cases import CHANNEL, NAMED, OBSERVED, TAGS, TEXT

from fstce import Corrector, DependencyParser, ParsedCorrector
from fstce.console.models import load
from fstce.errors import ModelFileError, NotFittedError
from fstce.speller.channel import Channel
from fstce.storage.folder import MANIFEST, write_manifest

GRAMMAR = {"grammar-model.json", "grammar-weights.npz", "grammar-weights.tsv"}
OWN = {"model.json", "words.tsv", "signatures.tsv"}


def makes() -> dict[str, Callable[[], ParsedCorrector]]:
    """Correctors of every make."""
    generative = DependencyParser(criterion="em", start="klein-manning", annealing=(0.5, 1))
    confused = Channel(0.5, 1.5)
    return {
        "exponents": lambda: ParsedCorrector(longest=5, exponents=NAMED).fit(TEXT, TAGS),
        "em": lambda: ParsedCorrector(generative).fit(TEXT, TAGS),
        "channel": lambda: ParsedCorrector(channel=confused, spell=2).fit(TEXT, TAGS),
    }


def states(corrector: ParsedCorrector) -> list[Any]:
    """All that correcting depends on."""
    short = [row for row in OBSERVED if len(row) < 6]
    return [
        *corrector.correct(short, alternatives=9),
        corrector.parse(OBSERVED),
        corrector.exponents_,
        list(corrector.vocabulary_.items()),
        corrector.parser_.theta_.tobytes(),
        corrector.parser_.model_.tags,
    ]


@pytest.mark.parametrize("make", makes())
def test_what_is_loaded_corrects_to_the_bit_as_what_was_saved(make: str, tmp_path: Path) -> None:
    corrector = makes()[make]()
    corrector.save(tmp_path / "model")
    loaded = ParsedCorrector.load(tmp_path / "model")
    assert states(loaded) == states(corrector)
    assert repr(loaded) == repr(corrector)
    loaded.save(tmp_path / "again")
    files = {file.name: file.read_bytes() for file in (tmp_path / "model").iterdir()}
    assert {file.name: file.read_bytes() for file in (tmp_path / "again").iterdir()} == files
    makes()[make]().save(tmp_path / "again")  # equal models are equal files, and replace each other
    assert {file.name: file.read_bytes() for file in (tmp_path / "again").iterdir()} == files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("parsed") / "model"
    corrector = ParsedCorrector(channel=CHANNEL, longest=5, exponents=NAMED)
    corrector.fit(TEXT, TAGS).save(place)
    return place


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    return copytree(folder, tmp_path / "model")


def resealed(place: Path, **entries: Any) -> None:
    """Write the manifest anew, so that only the content is wrong and no digest."""
    content = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    (place / MANIFEST).unlink()
    ours = ("parameters", "exponents")
    write_manifest(place, "parsed corrector", {**{name: content[name] for name in ours}, **entries})


def load_error(place: Path) -> str:
    with pytest.raises(ModelFileError) as caught:
        ParsedCorrector.load(place)
    message = str(caught.value)
    assert "\n" not in message and str(place) in message
    return message


def test_a_folder_holds_these_files(folder: Path) -> None:
    assert {file.name for file in folder.iterdir()} == OWN | GRAMMAR


def test_both_kinds_of_correctors_are_loaded(folder: Path, tmp_path: Path) -> None:
    ordinary = Corrector(held_out=0).fit(TEXT)
    ordinary.save(tmp_path / "ordinary")
    assert isinstance(load(folder), ParsedCorrector) and isinstance(
        load(tmp_path / "ordinary"), Corrector
    )
    DependencyParser(max_iterations=1).fit(TAGS).save(tmp_path / "grammar")
    with pytest.raises(ModelFileError, match="kind 'dependency parser', not a corrector"):
        Corrector.load(tmp_path / "grammar")
    with pytest.raises(ModelFileError, match="kind 'parsed corrector', not a corrector"):
        Corrector.load(folder)
    with pytest.raises(ModelFileError, match="kind 'corrector', not a parsed corrector"):
        ParsedCorrector.load(tmp_path / "ordinary")
    with pytest.raises(ModelFileError, match="does not replace"):
        ordinary.save(folder)


def test_only_what_is_trained_can_be_saved(tmp_path: Path) -> None:
    place = tmp_path / "model"
    with pytest.raises(NotFittedError):
        ParsedCorrector().save(place)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["words.tsv", "signatures.tsv", "grammar-weights.npz"])
def test_a_damaged_or_missing_file_is_named(copied: Path, name: str) -> None:
    whole = (copied / name).read_bytes()
    (copied / name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert name in load_error(copied)
    (copied / name).unlink()
    assert name in load_error(copied)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("words.tsv", "the\tD\t3\nthe\tD\t4\n", "words.tsv:2: not a word"),
        ("words.tsv", "the\tD\n", "words.tsv:1: not a word"),
        ("words.tsv", "the\tD\t-1\n", "words.tsv:1: not a word"),
        ("words.tsv", "the\tD\t0\n", "words.tsv:1: not a word"),
        ("words.tsv", "<s>\tD\t3\n", "words.tsv:1: not a word"),
        ("words.tsv", "the\tD\t3\n", "do not fit"),
        (
            "words.tsv",
            "the\tD\t3\ndogs\tN\t9\nrun\tV\t9\noh\tUH\t1\n",
            "other tags than the grammar",
        ),
        ("words.tsv", "", "do not fit"),
        ("signatures.tsv", "UNK-LC\tX\t1\n", "do not fit"),
        ("signatures.tsv", "UNK-LC\tD\t99\n", "do not fit"),
        ("signatures.tsv", "", "do not fit"),
        ("grammar-weights.npz", "no archive", "changed or cut off"),
    ],
)
def test_a_file_that_is_no_such_thing_is_refused(
    copied: Path, name: str, content: str, message: str
) -> None:
    (copied / name).write_text(content, encoding="utf-8")
    resealed(copied)
    found = load_error(copied)
    assert message in found
    if (
        "changed" in message
    ):  # told by the manifest of the model inside, by the name that the file has here
        assert str(copied / name) in found


def test_a_part_that_is_missing_from_the_list_is_named(copied: Path) -> None:
    (copied / "grammar-model.json").unlink()
    resealed(copied)
    assert "does not list grammar-model.json" in load_error(copied)


def test_pickled_arrays_are_not_unpickled(copied: Path) -> None:
    """Nor is a grammar believed whose own manifest was left as it was."""
    np.savez(copied / "grammar-weights.npz", theta=np.array([{}], dtype=object))
    resealed(copied)
    assert "grammar-weights.npz" in load_error(copied)


@pytest.mark.parametrize(
    "entries",
    [
        {"exponents": {"model": 1.0}},
        {"exponents": None},
        {"parameters": {"spell": 1}},
        {"parameters": None},
    ],
)
def test_entries_that_do_not_fit_are_refused(copied: Path, entries: dict[str, Any]) -> None:
    resealed(copied, **entries)
    assert "save it again" in load_error(copied)


def test_parameters_out_of_range_are_refused(copied: Path) -> None:
    content = json.loads((copied / MANIFEST).read_text(encoding="utf-8"))
    for wrong in (
        {"spell": 0},
        {"parser": {"sigma": 1}},
        {"channel": {"substitution": -1}},
        {"strange": 1},
    ):
        resealed(copied, parameters={**content["parameters"], **wrong})
        assert "do not fit" in load_error(copied)
