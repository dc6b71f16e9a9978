"""Models whose manifest or one of whose files is the input, sealed again: refused, or applied."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

# fstce is imported late, where atheris sees its branches.
MANIFEST = "model.json"
TOKENS = ["the", "dog", "barks", "."]
TAGS = ["DT", "NN", "VBZ", "."]
Input = tuple[str, Callable[[Path], object], Callable[[], list[bytes]]]


def _of_speller(model: Any) -> None:
    assert len(model.suggest(["dgo"])) == 1


def _of_predictor(row: list[str], model: Any) -> None:
    assert len(model.predict([row])) == 1


APPLIED: dict[str, Callable[[Any], None]] = {
    "tagger": partial(_of_predictor, TOKENS),
    "hmm": partial(_of_predictor, TOKENS),
    "parser": partial(_of_predictor, TAGS),
    "latent": partial(_of_predictor, TOKENS),
    "product": partial(_of_predictor, TOKENS),
    "constituents": partial(_of_predictor, TAGS),
    "corrector": partial(_of_predictor, TOKENS),
    "speller": _of_speller,
}
FILES = (
    ("corrector", "vocabulary.tsv"),
    ("parser", "weights.tsv"),
    ("constituents", "rules.txt"),
    ("speller", "errors.json"),
    ("speller", "lexicon.fst"),
    ("latent", "grammar.json"),
    ("tagger", "words.syms"),
)
ARRAYS = (
    ("tagger", "weights.npz"),
    ("tagger", "guess.npz"),
    ("parser", "weights.npz"),
    ("latent", "grammars.npz"),
    ("constituents", "grammar.npz"),
    ("corrector", "ngrams.npz"),
    ("corrector", "lexicon.npz"),
)


def inputs(models: Path, scratch: Callable[[], Path]) -> Iterator[Input]:
    """Name, reader and seeds of each: manifests, files, and arrays by a number and their bytes.

    ``models``: the folder of the specimens, made when a seed is first asked for.
    """

    def specimen(kind: str) -> Path:
        from tests.campaign import specimens

        specimens.make(models)
        return models / kind

    def applied(kind: str, file: str, path: Path) -> None:
        folder = scratch() / f"model-{kind}-{file}"
        if not folder.exists():
            shutil.copytree(specimen(kind), folder)
        _seal(specimen(kind), folder, file, path.read_bytes())
        from fstce.console.models import load

        APPLIED[kind](load(folder))

    def seeds(kind: str, file: str) -> list[bytes]:
        return _seeds(specimen(kind) / file)

    for kind, file in (*((kind, MANIFEST) for kind in APPLIED), *FILES, *ARRAYS):
        yield f"{kind}.{file}", partial(applied, kind, file), partial(seeds, kind, file)


def _seeds(path: Path) -> list[bytes]:
    """A file as it is; of an archive each array, after the byte of its number."""
    if path.suffix != ".npz":
        return [path.read_bytes()]
    with zipfile.ZipFile(path) as archive:
        return [bytes([i]) + archive.read(name) for i, name in enumerate(archive.namelist())]


def _seal(healthy: Path, folder: Path, file: str, data: bytes) -> None:
    """Write a damaged file into a copy of a model, with digests that agree."""
    from tests.campaign.models import sealed

    if file.endswith(".npz"):
        data = _repacked(healthy / file, data)
    (folder / MANIFEST).write_bytes((healthy / MANIFEST).read_bytes())
    (folder / file).write_bytes(data)
    sealed(folder, lambda manifest: None)


def _repacked(archive: Path, data: bytes) -> bytes:
    """An archive of arrays with the bytes of one in another's place."""
    packed = io.BytesIO()
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(packed, "w") as new:
        names = old.namelist()
        replaced = names[data[0] % len(names)] if data else ""
        for name in names:
            new.writestr(name, data[1:] if name == replaced else old.read(name))
    return packed.getvalue()
