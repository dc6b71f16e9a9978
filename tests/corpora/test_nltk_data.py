"""NLTK's corpora: where they are looked for, and what is said when they are not there."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from fstce.corpora import read_corpus
from fstce.errors import CorpusError, MissingToolError

_TREE = "\n( (S (PRP We) (VBP walk)) )\n"


def _search(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    data = pytest.importorskip("nltk.data")
    folder.chmod(0o700)
    monkeypatch.setattr(data, "path", [str(folder)])


def test_without_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    monkeypatch.setitem(sys.modules, "nltk.data", None)
    with pytest.raises(MissingToolError, match=r"pip install fstce\[nltk\]"):
        read_corpus("nltk:treebank")


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
