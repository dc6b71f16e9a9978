"""Table 2 from a plan to a folder: files, the page, resuming, processes, failures."""

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

from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.reproduction import dependency_trials
from fstce.reproduction.dependencies import EXPERIMENT
from fstce.reproduction.dependency_trials import DependencyPlan

TINY = DependencyPlan(
    "sample",
    max_length=6,
    criteria=("trans1", "em"),
    supervised=("joint",),
    sigma2=(1.0, None),
    smoothing=(0.0, 1.0),
    folds=2,
    max_iterations=4,
)
TRIALS = 2 * (2 * 2 * 2 + 2)


def run(folder: Path, plan: DependencyPlan = TINY, **options: Any) -> tuple[list[Path], list[Any]]:
    told: list[Any] = []
    files = EXPERIMENT.reproduce(plan, folder, monitor=lambda *heard: told.append(heard), **options)
    return files, told


def results(folder: Path) -> dict[str, Any]:
    """The log but for its times."""
    found = {}
    for record in map(loads, (folder / "trials.jsonl").read_bytes().splitlines()[1:]):
        found[json.dumps(record["settings"], sort_keys=True)] = {**record["result"], "seconds": 0}
    return found


def table(folder: Path, name: str = "table2") -> list[dict[str, str]]:
    return list(
        csv.DictReader(
            io.StringIO((folder / f"{name}.csv").read_text(encoding="utf-8"), newline="")
        )
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("grammar") / "report"
    files, told = run(folder, command="fstce reproduce dependencies <sample>")
    return folder, files, told


def test_all_files_are_there_and_the_page_is_last(report: Any) -> None:
    folder, files, _ = report
    tables = {"table2.csv"}
    assert {path.name for path in files} == tables | {"index.html"}
    assert files[-1] == folder / "index.html"
    assert all(path.stat().st_size for path in files)


def test_the_monitor_is_told_of_every_trial(report: Any) -> None:
    told = report[2]
    assert [done for done, _, _ in told] == list(range(TRIALS + 1))
    assert all("result" in record for *_, record in told[1:])


def test_the_table_is_made_of_the_log(report: Any) -> None:
    folder = report[0]
    found = {(row["criterion"], row["λ or σ²"]): row for row in table(folder)}
    for criterion, name, value, shown in (
        ("trans1", "TRANS1", None, "none"),
        ("em", "EM", 1.0, "1"),
    ):
        for start in ("klein-manning", "uniform"):
            tests = [
                result["test"]
                for settings, result in ((json.loads(key), r) for key, r in results(folder).items())
                if (settings["criterion"], settings["start"]) == (criterion, start)
                and settings.get("sigma2", settings.get("smoothing", 0)) == value
            ]
            assert len(tests) == 2
            assert float(found[name, shown][f"{start}: test %"]) == pytest.approx(sum(tests) / 2)


def test_the_page(report: Any) -> None:
    page = (report[0] / "index.html").read_text(encoding="utf-8")
    assert "fstce reproduce dependencies &lt;sample&gt;" in page
    assert "2 of 10 (8 to train on, 1 for development, 1 for the test)" in page
    assert page.count("<table") == 1


def test_running_again_trains_nothing(report: Any, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(report[0], folder)
    files, told = run(folder, command="fstce reproduce dependencies <sample>")
    assert told == [(TRIALS, TRIALS, None)]
    for path in files:
        assert path.read_bytes() == (report[0] / path.name).read_bytes(), path.name


def test_an_interrupted_run_is_taken_up_again_on_two_processes(
    report: Any, tmp_path: Path, without_matplotlib: None
) -> None:
    def interrupt(done: int, total: int, record: Any) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        EXPERIMENT.reproduce(TINY, tmp_path, monitor=interrupt)
    assert len(results(tmp_path)) == 3 and not (tmp_path / "index.html").exists()
    _, told = run(tmp_path, jobs=2)
    assert [done for done, _, _ in told] == list(range(3, TRIALS + 1))
    assert table(tmp_path) == table(report[0])
    assert results(tmp_path) == results(report[0])
    small = replace(TINY, criteria=("em",), supervised=(), folds=1)
    assert run(tmp_path, small)[1] == [(4, 4, None)]


def test_without_matplotlib_the_tables_are_written(
    report: Any, tmp_path: Path, without_matplotlib: None
) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(report[0], folder)
    files, _ = run(folder)
    assert {path.suffix for path in files} == {".csv", ".html"}
    assert table(folder) == table(report[0])


def test_a_bad_treebank_is_found_before_training_and_costs_nothing(
    report: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(report[0], folder)
    (tmp_path / "bad.conllu").write_text(
        "1\ta\t_\t_\tD\t_\t0\t_\t_\t_\n2\tb\t_\t_\tN\t_\t0\t_\t_\t_\n"
    )
    for corpus in (str(tmp_path / "bad.conllu"), str(tmp_path / "missing.conllu")):
        with pytest.raises(CorpusError, match=corpus):
            EXPERIMENT.reproduce(replace(TINY, corpus=corpus), folder)
        with pytest.raises(CorpusError):
            EXPERIMENT.reproduce(replace(TINY, corpus=corpus), tmp_path / "new")
    assert results(folder) == results(report[0])
    assert not (tmp_path / "new").exists()


def test_the_log_of_another_treebank_is_refused(report: Any, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    shutil.copytree(report[0], folder)
    (tmp_path / "other.conllu").write_text("1\ta\t_\t_\tD\t_\t0\troot\t_\t_\n\n" * 20)
    with pytest.raises(ParameterError, match=r"was begun with corpus = .*to begin anew"):
        EXPERIMENT.reproduce(replace(TINY, corpus=str(tmp_path / "other.conllu")), folder)


@pytest.mark.usefixtures("without_matplotlib")
def test_failed_trials_are_told_on_the_page_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(TINY, starts=("uniform",), supervised=(), folds=1)
    train = dependency_trials.DependencyParser.train

    def failing(parser: Any, *rest: Any, **options: Any) -> Any:
        if parser.criterion == "em" and parser.smoothing == 1.0:
            raise FstceError("sentence 7 is <odd>")
        return train(parser, *rest, **options)

    with monkeypatch.context() as patched:
        patched.setattr(dependency_trials.DependencyParser, "train", failing)
        run(tmp_path, plan)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "fold=0 criterion=em start=uniform smoothing=1.0: sentence 7 is &lt;odd&gt;" in page
    assert run(tmp_path, plan)[1][0] == (3, 4, None)
    assert "&lt;odd&gt;" not in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_where_every_trial_fails_there_is_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any, **__: Any) -> Any:
        raise FstceError("too large")

    monkeypatch.setattr(dependency_trials.DependencyParser, "compile", failing)
    with pytest.raises(
        ParameterError, match=r"no trial .*: fold=0 criterion=em .*=0\.0: too large"
    ):
        EXPERIMENT.reproduce(replace(TINY, criteria=("em",), supervised=()), tmp_path)
    assert not (tmp_path / "index.html").exists()
