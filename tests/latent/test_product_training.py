"""Members of a product in their folder: kept after every cycle, gone on with, refused if foreign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import Sentence, sample
from fstce.errors import ModelFileError, ParameterError

QUICK: dict[str, Any] = {
    "cycles": 2,
    "split_iterations": 3,
    "merge_iterations": 1,
    "smooth_iterations": 1,
}


@pytest.fixture(scope="module")
def treebank() -> list[Sentence]:
    return sample()[:60]


def train_grammars(
    grammars: list[LatentGrammar], text: list[Sentence], parts: Path | None = None, **options: Any
) -> list[LatentGrammar]:
    return GrammarProduct(grammars, jobs=1).fit(text, parts=parts, **options).grammars_


def members(n: int = 2, **changes: Any) -> list[LatentGrammar]:
    return [LatentGrammar(**{**QUICK, "seed": seed, **changes}) for seed in range(n)]


@pytest.fixture(scope="module")
def whole(treebank: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "p"
    GrammarProduct(members(), jobs=1).fit(treebank).save(folder)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_are_gone_on_with(
    treebank: list[Sentence], whole: Path, tmp_path: Path, jobs: int
) -> None:
    parts, heard = tmp_path / "parts", []
    parts.mkdir()
    members()[0].fit(treebank, checkpoint=parts / "1")
    LatentGrammar(**{**QUICK, "seed": 1, "cycles": 1}).fit(treebank, checkpoint=parts / "2")
    if jobs == 2:  # killed between the two renames of a save
        (parts / "2").rename(parts / ".2.fstce-old")
    product = GrammarProduct(members(), jobs=jobs)
    product.fit(treebank, monitor=lambda *told: heard.append(told), parts=parts)
    assert sorted(done for done, _, _ in heard) == [0, 1, 2]
    assert {told["settings"]["seed"] for _, _, told in heard if told} == {0, 1}
    assert not (parts / ".2.fstce-old").exists()
    product.set_params(jobs=1).save(tmp_path / "p")
    assert files(tmp_path / "p") == files(whole)
    assert [LatentGrammar.load(parts / name).trained_cycles for name in ("1", "2")] == [2, 2]


def test_without_parts_nothing_stays(
    treebank: list[Sentence], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = train_grammars(members(1, cycles=0), treebank)
    assert found[0].trained_cycles == 0 and list(tmp_path.iterdir()) == []


def test_other_ways_to_parse_do_not_matter(treebank: list[Sentence], tmp_path: Path) -> None:
    train_grammars(members(), treebank, tmp_path)
    found = train_grammars(members(max_length=50), treebank, tmp_path)
    assert [(one.seed, one.max_length) for one in found] == [(0, 50), (1, 50)]


def test_foreign_parts_are_refused(treebank: list[Sentence], tmp_path: Path) -> None:
    train_grammars(members(), treebank, tmp_path)
    with pytest.raises(ParameterError, match=r"the grammar was begun with other trees"):
        train_grammars(members(), treebank[1:], tmp_path)
    with pytest.raises(ParameterError, match=r"the grammar was begun with rule_smoothing"):
        train_grammars(members(rule_smoothing=0.1), treebank, tmp_path)
    (tmp_path / "2" / "grammars.npz").write_bytes(b"")
    with pytest.raises(ModelFileError, match=r"grammars\.npz"):
        train_grammars(members(), treebank, tmp_path)
