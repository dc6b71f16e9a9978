"""Models of format version 1, saved by fstce 0.1.0: they load, and answer as they did then.

``golden/models/make.py`` shows how they were made.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from fstce import (
    Corrector,
    DependencyParser,
    DirectedAlignment,
    GrammarProduct,
    LatentGrammar,
    ParsedCorrector,
    Tagger,
)
from fstce.corpora import sample
from fstce.errors import ModelFileError
from fstce.storage.folder import MANIFEST, digest_of, own_digest, write_manifest

GOLDEN = Path(__file__).parent / "golden" / "models"
EXPECTED = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
KINDS: dict[str, Any] = {
    "tagger": Tagger,
    "parser": DependencyParser,
    "latent": LatentGrammar,
    "product": GrammarProduct,
    "induction": DirectedAlignment,
    "corrector": Corrector,
    "parsed": ParsedCorrector,
}

TEXT = [sentence for sentence in sample() if len(sentence) <= 8]
UNSEEN = [
    *(list(sentence.words) for sentence in TEXT[60:66]),
    ["Zebras", "unbelievably", "ran", "."],
]
UNSEEN_TAGS = [*(list(sentence.tags) for sentence in TEXT[60:66]), ["NEW", "NN", "VB"]]
OBSERVED = [
    ["the", "lmap", "is", "smalll", "."],
    ["she", "opend", "teh", "door"],
    ["a", "zebra", "ran"],
]


def answers(model: Any) -> dict[str, Any]:
    """What a model says of the unseen sentences, as JSON has it."""
    said: dict[str, Any] = {}
    if isinstance(model, Tagger):
        said["predict"] = model.predict(UNSEEN)
        said["k_best"] = model.k_best(UNSEEN, 2)
        said["proba"] = [table.max(axis=1).tolist() for table in model.predict_proba(UNSEEN)]
        said["objective"] = model.training_.objective
    elif isinstance(model, DependencyParser):
        said["predict"] = model.predict(UNSEEN_TAGS)
        said["k_best"] = model.k_best(UNSEEN_TAGS, 2)
        said["objective"] = model.training_.objective
        said["left_out"] = model.n_skipped_
    elif isinstance(model, LatentGrammar | GrammarProduct):
        said["predict"] = [str(tree) for tree in model.predict(UNSEEN)]
        said["log_likelihood"] = model.log_likelihood(UNSEEN).tolist()
    elif isinstance(model, DirectedAlignment):
        said["predict"] = [str(tree) for tree in model.predict(UNSEEN)]
        said["grammar"] = str(model.grammar_)
        said["resumed"] = str(model.set_params(iterations=15).resume().grammar_)
    else:
        found = model.correct(OBSERVED, alternatives=3)
        said["correct"] = [[c.words, c.changes, c.alternatives, c.decoder] for c in found]
        said["exponents"] = model.exponents_
        if isinstance(model, ParsedCorrector):
            said["parse"] = model.parse(OBSERVED)
    return json.loads(json.dumps(said, default=asdict))


def comparable(said: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """Of a corrector what later versions keep: its corrections, its exponents, tags and heads.

    One with a grammar has the words of the best triple, which not all decoders of the first version had.
    Which words are candidates, and so how probable each is, may improve (0.2.0: a known word's other
    capitals are none). `observed` was `typed`.
    """
    if "correct" not in said:
        return said
    rows = zip(said["correct"], like["correct"], strict=True)
    kept = {
        "correct": [
            [words, [(c.get("observed", c.get("typed")), c["words"]) for c in changes]]
            for (words, changes, *_), (*_, decoder) in rows
            if "parse" not in said or decoder == "best"
        ]
    }
    kept["exponents"] = {name: said["exponents"][name] for name in like["exponents"]}
    kept["parse"] = [rest for _, *rest in said.get("parse", [])]
    return kept


def check_same(found: Any, expected: Any) -> None:
    """Equal, numbers within rounding."""
    if isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            check_same(one, other)
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys()
        check_same(list(found.values()), [expected[name] for name in found])
    else:
        assert found == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EXPECTED)
def test_a_model_of_the_first_version_answers_as_it_did(name: str, tmp_path: Path) -> None:
    kind, like = KINDS[name.partition("-")[0]], EXPECTED[name]
    expected = comparable(like, like)
    check_same(comparable(answers(kind.load(GOLDEN / name)), like), expected)
    # Saved again, over a copy of itself too, it is the same model.
    again = copytree(GOLDEN / name, tmp_path / name)
    kind.load(GOLDEN / name).save(again)
    check_same(comparable(answers(kind.load(again)), like), expected)


def resealed(folder: Path, change: Callable[[dict[str, Any]], None] = lambda content: None) -> None:
    """Change the manifest and give it the right digests, so that only the content is wrong."""
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    change(content)
    (folder / MANIFEST).unlink()
    head = ("format", "format_version", "kind", "fstce_version", "files", "digest")
    entries = {name: value for name, value in content.items() if name not in head}
    write_manifest(folder, content["kind"], entries)


ONE_OF_EACH = (
    *("tagger-spelling", "parser", "latent", "product", "induction"),
    *("corrector-words", "parsed-corrector"),
)


def places(content: dict[str, Any]) -> list[tuple[str | int, ...]]:
    """Every entry and every parameter of a manifest."""
    free = ("format", "format_version", "fstce_version", "digest")
    found: list[tuple[str | int, ...]] = [(entry,) for entry in content if entry not in free]
    found += [("parameters", parameter) for parameter in content["parameters"]]
    inner: list[tuple[str | int, ...]] = [("members", 0), ("tagger", "parameters", "order")]
    return found + [place for place in inner if place[0] in content and content[place[0]]]


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_values_of_a_wrong_type_in_a_manifest(name: str, tmp_path: Path) -> None:
    kind = KINDS[name.partition("-")[0]]
    whole = (GOLDEN / name / MANIFEST).read_text(encoding="utf-8")
    folder = copytree(GOLDEN / name, tmp_path / name)
    for *outer, last in places(json.loads(whole)):
        if kind.FORMER.get(last, last) is None:
            continue  # a parameter that there is no longer
        content = json.loads(whole)
        inner = content
        for key in outer:
            inner = inner[key]
        # No entry is a mapping of this but weights to start from, and these are all that may be mappings.
        inner[last] = 7 if last in ("preparation", "exponents", "files", "start") else {"a": 1}
        content["digest"] = own_digest(content)
        (folder / MANIFEST).write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(ModelFileError) as caught:
            kind.load(folder)
        assert str(folder) in str(caught.value) and "\n" not in str(caught.value), (outer, last)


def test_flags_and_numbers_as_the_first_version_took_them(tmp_path: Path) -> None:
    """0.1.0 trained with ``Tagger(spelling=1, rare=True)`` and the like."""
    folder = copytree(GOLDEN / "tagger-spelling", tmp_path / "model")
    resealed(folder, lambda content: content["parameters"].update(spelling=1, rare=True, oov=1.0))
    tagger = Tagger.load(folder)
    assert (tagger.spelling, tagger.rare, tagger.oov) == (True, 1, True)
    check_same(answers(tagger), EXPECTED["tagger-spelling"])


ARCHIVES = sorted(path.relative_to(GOLDEN) for path in GOLDEN.glob("*/*.npz"))


@pytest.mark.parametrize(
    "archive", [path for path in ARCHIVES if path.parts[0] in ONE_OF_EACH], ids=str
)
def test_no_array_takes_more_memory_than_its_file_has_bytes_for(
    archive: Path, tmp_path: Path
) -> None:
    """In version-1 folders, whose manifests do not say what the arrays are."""
    name = archive.parts[0]
    with zipfile.ZipFile(GOLDEN / archive) as file:
        members = {member: file.read(member) for member in file.namelist()}
    for number, bomb in enumerate(member for member in members if member.endswith(".npy")):
        folder = copytree(GOLDEN / name, tmp_path / str(number))
        header = io.BytesIO()
        shape = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
        np.lib.format.write_array_header_1_0(header, shape)
        with zipfile.ZipFile(folder / archive.name, "w", zipfile.ZIP_DEFLATED) as file:
            for member, content in members.items():
                file.writestr(
                    member, header.getvalue() + bytes(10_000) if member == bomb else content
                )
        listed = archive.name.rpartition("-")[2]
        inner = folder / archive.name.replace(listed, MANIFEST)
        if inner.name != MANIFEST and inner.exists():
            content = json.loads(inner.read_text(encoding="utf-8"))
            content["files"][listed] = digest_of(folder / archive.name)
            content["digest"] = own_digest(content)
            inner.write_text(json.dumps(content), encoding="utf-8")
        resealed(folder)
        with pytest.raises(ModelFileError) as caught:
            KINDS[name.partition("-")[0]].load(folder)
        message = str(caught.value)
        assert str(folder / archive.name) in message and bomb.removesuffix(".npy") in message
        assert (
            "says float64 of shape (1000000000000,), 8,000,000,000,000 bytes, but has 10,000"
            in message
        )
