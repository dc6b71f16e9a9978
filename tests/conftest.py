"""Fixtures for the whole suite: treebanks that lie outside the project, or a skip by name."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from fstce.corpora import Sentence, read_corpus

pytest_plugins = ["program"]

# A busy machine is slow now and then: no example fails by the clock. `make thorough` tries more examples,
# and as many as a person says: `EXAMPLES=10000 make thorough`.
settings.register_profile("everyday", deadline=None, max_examples=40)
settings.register_profile(
    "thorough", deadline=None, max_examples=int(os.environ.get("EXAMPLES", 500))
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


OUTSIDE = {"shared_data", "nltk_home"}
BROWSER = {"browse", "opened"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What steps of their own run: corpora from outside, browsers (`make pages`), the reproductions."""
    papers = Path(__file__).parent / "reproduction"
    for item in items:
        if papers in item.path.parents:
            item.add_marker(pytest.mark.papers)
        uses = set(getattr(item, "fixturenames", ()))
        if OUTSIDE & uses:
            item.add_marker(pytest.mark.corpora)
        if BROWSER & uses:
            item.add_marker(pytest.mark.pages)


@pytest.fixture(scope="session", autouse=True)
def _temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a test, or a process that it starts, leaves behind lies in a folder that pytest clears."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path_factory.mktemp("t")))
        patch.setattr(tempfile, "tempdir", None)
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of corpora next to the project."""
    if not _SHARED.is_dir():
        pytest.skip("no folder ../shared/data with corpora")
    return _SHARED


@pytest.fixture(scope="session")
def nltk_home() -> Path:
    """The folder of NLTK's data, put first on NLTK's search path."""
    data = pytest.importorskip("nltk.data")
    given = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    folders = [Path(folder) for folder in (*given, str(_SHARED / "nltk_data")) if folder]
    home = next((folder for folder in folders if (folder / "corpora").is_dir()), None)
    if home is None:
        pytest.skip("no NLTK data: set NLTK_DATA or make ../shared/data/nltk_data")
    data.path.insert(0, str(home))
    return home


def _nltk_corpus(home: Path, name: str) -> list[Sentence]:
    if not any((home / "corpora" / file).exists() for file in (name, f"{name}.zip")):
        pytest.skip(f"no NLTK corpus {name} in {home.name}")
    return read_corpus(f"nltk:{name}")


@pytest.fixture(scope="session")
def nltk_treebank(nltk_home: Path) -> list[Sentence]:
    """The Penn Treebank sample: 3,914 parsed sentences."""
    return _nltk_corpus(nltk_home, "treebank")


@pytest.fixture(scope="session")
def nltk_dependency_treebank(nltk_home: Path) -> list[Sentence]:
    """The same sentences with dependency heads."""
    return _nltk_corpus(nltk_home, "dependency_treebank")


@pytest.fixture(scope="session")
def nltk_brown(nltk_home: Path) -> list[Sentence]:
    """The Brown corpus, tagged."""
    return _nltk_corpus(nltk_home, "brown")
