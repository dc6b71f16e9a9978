"""Brooks' experiments from a plan to a folder: files, tables, the page, resuming, failures."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from dataclasses import replace
from json import loads
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from patience import patience

from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.evaluation import right_branching, unlabelled_scores
from fstce.evaluation.bracket_scores import SpanCounts
from fstce.reproduction import distribution_trials
from fstce.reproduction.distribution import EXPERIMENT, NAMES, untrained
from fstce.reproduction.distribution_trials import DistributionPlan, treebank
from fstce.reproduction.run import published

TINY = DistributionPlan("sample", iterations=30)
TRIALS = 4
TABLES = ("systems", "recall", "contexts", "nouns")
SYSTEMS = ("FWB", "DA", "DAcluster", "DA_STOP")


def run(
    folder: Path, plan: DistributionPlan = TINY, **options: Any
) -> tuple[list[Path], list[Any]]:
    told: list[Any] = []
    files = EXPERIMENT.reproduce(plan, folder, monitor=lambda *heard: told.append(heard), **options)
    return files, told


def records(folder: Path) -> list[dict[str, Any]]:
    return [*map(loads, (folder / "trials.jsonl").read_bytes().splitlines()[1:])]


def base(folder: Path, system: str) -> dict[str, Any]:
    """The result of a system as it is, after all iterations."""
    return next(r["result"] for r in records(folder) if r["settings"]["system"] == system)


def table(folder: Path, name: str) -> list[dict[str, str]]:
    return list(
        csv.DictReader(
            io.StringIO((folder / f"{name}.csv").read_text(encoding="utf-8"), newline="")
        )
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("distribution") / "report"
    files, told = run(folder, command="fstce reproduce distribution <sample>")
    return folder, files, told


def test_all_files_are_there_and_the_page_is_last(report: Any) -> None:
    folder, files, told = report
    tables = {f"{name}.csv" for name in TABLES}
    assert {path.name for path in files} == tables | {"index.html"}
    assert files[-1] == folder / "index.html"
    assert [done for done, _, _ in told] == list(range(TRIALS + 1))


def test_the_systems_table_is_made_of_the_log(report: Any) -> None:
    folder = report[0]
    rows = {row["system"]: row for row in table(folder, "systems")}
    assert set(rows) == {"left-branching", "right-branching", "random", *SYSTEMS}
    for system, name in NAMES.items():
        result = base(folder, system)
        scores = [result[score] for score in ("precision", "recall", "f1", "crossing")]
        assert [float(rows[name][c]) for c in ("UP", "UR", "F1", "crossing")] == pytest.approx(
            scores
        )
        numbers = published("distribution", "system")[system,]
        paper = [numbers[score] for score in ("precision", "recall", "f1")]
        assert [float(rows[name][f"paper: {c}"]) for c in ("UP", "UR", "F1")] == paper
        assert rows[name]["paper: CB"] == str(numbers["crossing"])
        assert float(rows[name]["CB"]) == pytest.approx(result["crossing_sentences"])


def test_the_published_rows_are_the_papers() -> None:
    rows = {
        name: list(row.values()) for (name,), row in published("distribution", "system").items()
    }
    assert rows == {
        "fwb": [30.0, 11.0, 16.0, 0.36, 11.81, 20.88, 0.10],
        "da": [23.3, 8.0, 11.9, 0.30, 10.83, 9.58, 0.67],
        "da-cluster": [23.6, 8.1, 12.0, 0.30, 10.79, 9.89, 0.73],
        "da-stop": [33.6, 14.1, 19.8, 0.42, 18.11, 9.78, 18.19],
    }


def test_trees_without_learning(report: Any) -> None:
    bank, found = treebank("sample"), untrained("sample", 0)
    right_scores = unlabelled_scores(bank.trees, [right_branching(n) for n in bank.lengths])
    right = right_scores.total()
    assert found["right-branching"]["f1"] == right.f1
    crossing = [SpanCounts(*row).crossing > 0 for row in right_scores.matrix.tolist()]
    assert found["right-branching"]["crossing_sentences"] == pytest.approx(np.mean(crossing))
    assert found["left-branching"]["f1"] < found["random"]["f1"] < found["right-branching"]["f1"]


def test_recall_counts_gold_constituents(report: Any) -> None:
    rows = {row["system"]: row for row in table(report[0], "recall")}
    assert float(rows["DA_STOP"]["PP"]) == pytest.approx(
        base(report[0], "da-stop")["recall_of"]["PP"]
    )
    assert float(rows["DA_STOP"]["PP"]) > 5 * float(rows["DA"]["PP"])
    assert rows["FWB"]["paper: PP"] == "0.1"


def test_the_page(report: Any) -> None:
    page = (report[0] / "index.html").read_text(encoding="utf-8")
    assert "fstce reproduce distribution &lt;sample&gt;" in page
    assert page.count("<figure") == 0


def test_running_again_learns_nothing(report: Any, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(report[0], folder)
    files, told = run(folder, command="fstce reproduce distribution <sample>")
    assert told == [(TRIALS, TRIALS, None)]
    for path in files:
        assert path.read_bytes() == (report[0] / path.name).read_bytes(), path.name


@pytest.mark.usefixtures("without_matplotlib")
def test_an_interrupted_run_is_taken_up_again_on_two_processes(report: Any, tmp_path: Path) -> None:
    def interrupt(done: int, total: int, record: Any) -> None:
        if done == 2:
            raise KeyboardInterrupt

    plan = TINY
    with pytest.raises(KeyboardInterrupt):
        EXPERIMENT.reproduce(plan, tmp_path, monitor=interrupt)
    assert len(records(tmp_path)) == 2 and not (tmp_path / "index.html").exists()
    _, told = run(tmp_path, plan, jobs=2)
    assert [done for done, _, _ in told] == list(range(2, 5))
    for name in ("systems", "recall"):
        assert table(tmp_path, name) == table(report[0], name)


def test_one_system_without_pictures(tmp_path: Path, without_matplotlib: None) -> None:
    plan = replace(TINY, systems=("fwb",))
    files, told = run(tmp_path, plan)
    assert told[-1][:2] == (1, 1)
    assert {path.stem for path in files} == {*TABLES, "index"}
    assert "<figure" not in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_bad_treebanks_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("no trees\n")
    for corpus in (str(tmp_path / "plain.txt"), str(tmp_path / "missing.mrg")):
        with pytest.raises(CorpusError, match=corpus):
            EXPERIMENT.reproduce(replace(TINY, corpus=corpus), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_treebank_of_one_sentence(tmp_path: Path, without_matplotlib: None) -> None:
    (tmp_path / "one.mrg").write_text("(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))\n")
    run(tmp_path / "report", replace(TINY, corpus=str(tmp_path / "one.mrg")))
    rows = {row["system"]: row for row in table(tmp_path / "report", "systems")}
    assert rows["DA_STOP"]["UR"] == "0.0"


@pytest.mark.usefixtures("without_matplotlib")
def test_failed_trials_are_told_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = TINY
    measured = distribution_trials.measured

    def failing(bank: Any, spans: Any) -> Any:
        if any(span[0] == "C2" for row in spans for span in row):
            raise FstceError("sentence 7 is <odd>")
        return measured(bank, spans)

    with monkeypatch.context() as patched:
        patched.setattr(distribution_trials, "measured", failing)
        run(tmp_path, plan)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "system=da-stop: sentence 7 is &lt;odd&gt;" in page
    assert [row["system"] for row in table(tmp_path, "systems")][3:] == ["FWB"]
    run(tmp_path, plan)
    assert len(table(tmp_path, "systems")) == 7


def test_where_every_system_fails_there_is_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise FstceError("no")

    monkeypatch.setattr(distribution_trials, "measured", failing)
    with pytest.raises(ParameterError, match="no trial came to an end: system=fwb: no"):
        EXPERIMENT.reproduce(replace(TINY), tmp_path)
    assert not (tmp_path / "index.html").exists()


def test_a_browser_shows_the_page_and_its_script_sorts(report: Any) -> None:
    program = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if program is None:
        pytest.skip("no browser")
    folder = report[0]
    options = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder.parent / 'profile'}",
    )
    command = [program, *options, "--dump-dom", (folder / "index.html").as_uri()]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=patience(120)
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("<table") == len(TABLES)
    assert "DA_STOP" in done.stdout and "<button" in done.stdout
