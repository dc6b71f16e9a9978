"""Saved models answer as they did, and what does not fit in their folders is refused by name."""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from saved_cases import NAMES, ONE_OF_EACH, answers, kind_of, saved_models

from fstce.errors import ModelFileError
from fstce.storage.folder import MANIFEST, digest_of, own_digest

__all__ = ["saved_models"]


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_model_answers_as_it_did(name: str, saved_models: Path, tmp_path: Path) -> None:
    expected = json.loads((saved_models / "expected.json").read_text(encoding="utf-8"))[name]
    assert answers(kind_of(name).load(saved_models / name)) == expected

    # Saved again, over a copy of itself too, it is the same model.
    again = copytree(saved_models / name, tmp_path / name)
    kind_of(name).load(saved_models / name).save(again)
    assert answers(kind_of(name).load(again)) == expected


def sealed(folder: Path, content: dict[str, Any], name: str = MANIFEST) -> None:
    """Write a manifest with the right digest, so that only its content is wrong."""
    content["digest"] = own_digest(content)
    (folder / name).write_text(json.dumps(content), encoding="utf-8")


def places(content: dict[str, Any]) -> Iterator[tuple[str | int, ...]]:
    """Every entry and every parameter of a manifest."""
    free = ("format", "format_version", "fstce_version", "digest")
    yield from ((entry,) for entry in content if entry not in free)
    yield from (("parameters", parameter) for parameter in content["parameters"])

    inner: list[tuple[str | int, ...]] = [("tagger", "parameters", "order")]
    yield from (place for place in inner if content.get(place[0]))


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_values_of_a_wrong_type_in_a_manifest(
    name: str, saved_models: Path, tmp_path: Path
) -> None:
    whole = (saved_models / name / MANIFEST).read_text(encoding="utf-8")
    folder = copytree(saved_models / name, tmp_path / name)
    for *outer, last in places(json.loads(whole)):
        content = json.loads(whole)
        inner = content
        for key in outer:
            inner = inner[key]
        # No entry is a mapping of this but weights to start from, and these are all that may be mappings.
        mappings = ("exponents", "files", "start", "text", "reading_tags")
        wrong = 7 if last in mappings else {"a": 1}
        inner[last] = "much" if last == "sigma2" else wrong
        sealed(folder, content)
        with pytest.raises(ModelFileError) as caught:
            kind_of(name).load(folder)
        assert str(folder) in str(caught.value) and "\n" not in str(caught.value), (outer, last)


NUMBERS = {"corrector-words": "exponents", "parsed-corrector": "exponents", "parser": "training"}


@pytest.mark.parametrize("number", [math.nan, math.inf, -1e300])
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_number_in_a_manifest(
    name: str, number: float, saved_models: Path, tmp_path: Path
) -> None:
    """A corrector was read with an exponent of NaN, and ended with an error of numpy."""
    whole = (saved_models / name / MANIFEST).read_text(encoding="utf-8")
    places = [key for key, value in json.loads(whole)[NUMBERS[name]].items() if is_real(value)]
    folder = copytree(saved_models / name, tmp_path / name)
    for place in places:
        content = json.loads(whole)
        content[NUMBERS[name]][place] = number
        sealed(folder, content)
        with pytest.raises(ModelFileError, match=str(folder)):
            kind_of(name).load(folder)
    assert places


def is_real(value: Any) -> bool:
    return isinstance(value, float)


def test_a_parameter_that_there_is_not_is_refused(saved_models: Path, tmp_path: Path) -> None:
    folder = copytree(saved_models / "tagger-hmm", tmp_path / "model")
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    content["parameters"]["guess"] = True
    sealed(folder, content)
    with pytest.raises(ModelFileError, match="guess"):
        kind_of("tagger").load(folder)


def bomb(members: dict[str, bytes], large: str) -> bytes:
    """An archive of these members, of which one claims to be an array of 8 TB."""
    header = io.BytesIO()
    shape = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(header, shape)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        for member, content in members.items():
            file.writestr(member, header.getvalue() + bytes(10_000) if member == large else content)
    return written.getvalue()


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_no_array_takes_more_memory_than_its_file_has_bytes_for(
    name: str, saved_models: Path, tmp_path: Path
) -> None:
    folder = copytree(saved_models / name, tmp_path / name)
    for archive in sorted(folder.glob("*.npz")):
        whole = archive.read_bytes()
        with zipfile.ZipFile(archive) as file:
            members = {member: file.read(member) for member in file.namelist()}
        for member in filter(re.compile(r"\.npy$").search, members):
            archive.write_bytes(bomb(members, member))
            reseal(folder)
            with pytest.raises(ModelFileError) as caught:
                kind_of(name).load(folder)
            message = str(caught.value)
            assert str(archive) in message and member.removesuffix(".npy") in message
            assert "float64 of shape (1000000000000,)" in message

        archive.write_bytes(whole)
        reseal(folder)
        kind_of(name).load(folder)


def reseal(folder: Path) -> None:
    """Give every manifest the digests of its files, those of parts first."""
    for manifest in sorted(folder.glob(f"*{MANIFEST}"), key=lambda path: -len(path.name)):
        content = json.loads(manifest.read_text(encoding="utf-8"))
        prefix = manifest.name.removesuffix(MANIFEST)
        content["files"] = {
            name: digest_of(folder / f"{prefix}{name}") for name in content["files"]
        }
        sealed(folder, content, manifest.name)


@pytest.mark.parametrize("weight", [math.nan, math.inf, 1e15, -1e300])
@pytest.mark.parametrize("name", ["tagger-spelling", "parser"])
def test_what_is_no_weight_is_refused(
    name: str, weight: float, saved_models: Path, tmp_path: Path
) -> None:
    """With weights of 1e15 a tagger warned of invalid values, with 1e308 it ended in numpy."""
    folder = copytree(saved_models / name, tmp_path / name)
    arrays = dict(np.load(folder / "weights.npz"))
    arrays["theta"][-1] = weight
    np.savez(folder / "weights.npz", **arrays)
    reseal(folder)
    with pytest.raises(ModelFileError, match="theta has a value that is no weight"):
        kind_of(name).load(folder)
