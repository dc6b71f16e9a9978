"""NLTK's corpora: where they are looked for, and what is said when they are not there."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fstce.corpora import read_corpus
from fstce.corpora.read import nltk_places
from fstce.errors import CorpusError

_TREE = "\n( (S (PRP We) (VBP walk)) )\n"


def _search(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    folder.chmod(0o700)
    monkeypatch.setattr("fstce.corpora.read.nltk_places", lambda: [folder])


PLACES = """
from fstce.corpora.read import nltk_places
ours = [str(place) for place in nltk_places()]
import sys
assert "nltk" not in sys.modules
import nltk.data
assert ours == nltk.data.path, (ours, nltk.data.path)
"""


@pytest.mark.parametrize("given", ["", "/one", "/one:/another"])
def test_where_nltk_looks_is_known_without_it(given: str) -> None:
    pytest.importorskip("nltk.data")
    environment = {**os.environ, "NLTK_DATA": given}
    subprocess.run([sys.executable, "-c", PLACES], check=True, env=environment)


def test_without_the_corpus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _search(monkeypatch, tmp_path)
    with pytest.raises(
        CorpusError, match=r"nltk:brown: .*set NLTK_DATA .*nltk\.download\('brown'\)"
    ):
        read_corpus("nltk:brown")


@pytest.mark.parametrize("zipped", [False, True])
def test_a_corpus_is_found_as_folder_and_as_archive(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, zipped: bool
) -> None:
    texts = {"treebank/combined/wsj_0001.mrg": _TREE, "treebank/parsed/wsj_0001.prd": "(S We walk)"}
    folder = tmp_path / "corpora"
    folder.mkdir(mode=0o700)
    if zipped:
        with zipfile.ZipFile(folder / "treebank.zip", "w") as archive:
            for name, text in texts.items():
                archive.writestr(name, text)
    for name, text in () if zipped else texts.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    _search(monkeypatch, tmp_path)
    (sentence,) = read_corpus("nltk:treebank")
    assert sentence.words == ("We", "walk")
    assert sentence.source.endswith("combined/wsj_0001.mrg:2")


def test_where_a_program_told_nltk_to_look_we_look_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``nltk.data.path`` is a list that scripts add to; the environment alone is read without NLTK."""
    data = pytest.importorskip("nltk.data")
    (tmp_path / "corpora").mkdir()
    monkeypatch.delenv("NLTK_DATA", raising=False)
    monkeypatch.setattr(data, "path", [str(tmp_path)])
    assert nltk_places() == [tmp_path]
