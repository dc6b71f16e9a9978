"""Products of latent grammars from a plan to a folder: files, page, resuming, kept grammars, failures."""

from __future__ import annotations

import csv
import io
import json
import shutil
from dataclasses import replace
from json import loads
from pathlib import Path
from typing import Any

import pytest

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import sample
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation import evalb_scores
from fstce.reproduction.products import EXPERIMENT
from fstce.reproduction.products_trials import ProductsPlan, parts

TRIALS = 10  # of two parts: a cycle, two seeds, a product and a sum


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> ProductsPlan:
    path = tmp_path_factory.mktemp("products") / "trees.mrg"
    path.write_text("".join(f"{sentence.tree}\n" for sentence in sample()[:100]), encoding="utf-8")
    few = {"cycles": 1, "grammars": 2, "iterations": (3, 1, 1), "cutoff": 8}
    return ProductsPlan(str(path), **few, products=(2,), sums=(2,))


def run(folder: Path, plan: ProductsPlan, **options: Any) -> tuple[list[Path], list[Any]]:
    told: list[Any] = []
    return EXPERIMENT.reproduce(
        plan, folder, monitor=lambda *heard: told.append(heard), **options
    ), told


def results(folder: Path) -> dict[str, Any]:
    """The log but for times and memory."""
    found = {}
    for record in map(loads, (folder / "trials.jsonl").read_bytes().splitlines()[1:]):
        found[json.dumps(record["settings"], sort_keys=True)] = record["result"]
    return found


def table(folder: Path, name: str) -> list[dict[str, str]]:
    return list(
        csv.DictReader(
            io.StringIO((folder / f"{name}.csv").read_text(encoding="utf-8"), newline="")
        )
    )


def place_of(folder: Path, seed: int) -> Path:
    (place,) = (folder / "grammars").glob(f"seed-{seed}-*")
    return place


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, plan: ProductsPlan) -> Any:
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("products") / "report"
    files, told = run(folder, plan, command="fstce reproduce products <trees>")
    return folder, files, told


def test_all_files_are_there_and_the_page_is_last(report: Any) -> None:
    _, files, told = report
    names = {
        "cycles",
        "singles",
        "products",
        "combinations",
        "subcategories",
        "categories",
    }
    assert {file.stem for file in files if file.suffix == ".csv"} == names
    assert files[-1].name == "index.html"
    page = files[-1].read_text(encoding="utf-8")
    assert "fstce reproduce products &lt;trees&gt;" in page and "10 sentences" in page
    assert [total for _, total, record in told if record is None] == [2, TRIALS]


def test_scores_are_those_of_the_library(report: Any, plan: ProductsPlan) -> None:
    folder = report[0]
    divided = parts(plan.corpus)
    members = [LatentGrammar.load(place_of(folder, seed)) for seed in (1, 2)]
    settings = {"split_iterations": 3, "merge_iterations": 1, "smooth_iterations": 1}
    own = LatentGrammar(cycles=1, seed=2, **settings).fit(divided.train)
    assert members[1].predict(divided.test) == own.predict(divided.test)
    gold = [sentence.tree for sentence in divided.test]
    for name, parser in (("1", members[0]), ("2", GrammarProduct(members))):
        scores = evalb_scores(gold, parser.predict(divided.test), disagreement="gold")
        row = next(row for row in table(folder, "products") if row["grammars"] == name)
        assert float(row["test: F1"]) == pytest.approx(scores.up_to(8).total().f1)
        assert float(row["test: exact"]) == pytest.approx(scores.up_to(8).total().exact)
        low, high = map(float, row["test: 95 % of F1"].split("–"))
        assert low <= scores.up_to(8).total().f1 <= high


def test_a_finished_run_is_not_run_again(report: Any, plan: ProductsPlan, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(report[0], folder)
    before = results(folder)
    _, told = run(folder, plan)
    assert [(done, total) for done, total, _ in told] == [(2, 2), (TRIALS, TRIALS)]
    assert results(folder) == before
    assert (folder / "cycles.csv").read_bytes() == (report[0] / "cycles.csv").read_bytes()


def test_a_cut_log_is_made_up_for_on_two_processes(
    report: Any, plan: ProductsPlan, tmp_path: Path
) -> None:
    folder = tmp_path / "cut"
    shutil.copytree(report[0], folder)
    whole = (folder / "trials.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    (folder / "trials.jsonl").write_bytes(b"".join(lines[:-3]) + lines[-3][:20])
    run(folder, plan, jobs=2)
    assert results(folder) == results(report[0])
    for seed in (1, 2):
        for file in place_of(folder, seed).iterdir():
            assert file.read_bytes() == (place_of(report[0], seed) / file.name).read_bytes()


def test_the_grammars_of_two_plans_lie_side_by_side(
    report: Any, plan: ProductsPlan, tmp_path: Path
) -> None:
    folder = tmp_path / "two"
    shutil.copytree(report[0], folder)
    _, told = run(folder, replace(plan, cycles=0))
    assert told[0][:2] == (0, 2)
    _, told = run(folder, plan)
    assert [(done, total) for done, total, _ in told] == [(2, 2), (TRIALS, TRIALS)]
    assert (folder / "products.csv").read_bytes() == (report[0] / "products.csv").read_bytes()


def test_another_treebank_is_refused(report: Any, plan: ProductsPlan, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    shutil.copytree(report[0], folder)
    path = tmp_path / "trees.mrg"
    text = Path(plan.corpus).read_text(encoding="utf-8")
    path.write_text(text.replace("(PP ", "(XP "), encoding="utf-8")
    with pytest.raises(ParameterError, match="to begin anew"):
        run(folder, replace(plan, corpus=str(path)))


def test_what_cannot_be_divided(tmp_path: Path, plan: ProductsPlan) -> None:
    (tmp_path / "few.mrg").write_text("(S (NN dog))\n" * 8, encoding="utf-8")
    with pytest.raises(CorpusError, match="too few sentences: none for the part 'development'"):
        run(tmp_path / "b", replace(plan, corpus=str(tmp_path / "few.mrg")))
    (tmp_path / "flat.pos").write_text("a/DT dog/NN\n" * 20, encoding="utf-8")
    with pytest.raises(CorpusError, match=r"flat\.pos:1: the sentence has no tree"):
        run(tmp_path / "c", replace(plan, corpus=str(tmp_path / "flat.pos")))
    assert not list(tmp_path.glob("[abc]"))
