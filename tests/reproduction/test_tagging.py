"""From a plan to a folder: every file, resuming, processes, failures."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from json import loads
from pathlib import Path
from typing import Any

import pytest

from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.evaluation import tagging_accuracy
from fstce.reproduction import tagging_trials
from fstce.reproduction.material import corpus
from fstce.reproduction.tagging import EXPERIMENT, restore
from fstce.reproduction.tagging_trials import TaggingPlan, groups, text_of

Run = Callable[..., Any]
TABLES = (
    "figure2",
    "table3",
    "apart",
    "dictionaries",
    "cross-criteria",
)
PICTURES = tuple(
    f"{figure}-{prior}"
    for figure in ("figure2", "figure3-full", "figure3-count-2")
    for prior in ("sigma2", "smoothing")
)
TIMES = ("seconds",)


def records_of(folder: Path, analyses: bool = False) -> dict[str, Any]:
    """What the log holds of trials, or of analyses, but for times, by settings."""
    lines = [
        line
        for line in (folder / "trials.jsonl").read_bytes().splitlines()[1:]
        if ("analysis" in loads(line)["settings"]) == analyses
    ]
    found = {}
    for record in map(loads, lines):
        result = {name: value for name, value in record["result"].items() if name not in TIMES}
        found[json.dumps(record["settings"], sort_keys=True)] = result
    assert len(found) == len(lines), "a trial was run twice"
    return found


def table_of(folder: Path, name: str) -> list[dict[str, str]]:
    """A table but for its times."""
    rows = csv.DictReader(
        io.StringIO((folder / f"{name}.csv").read_text(encoding="utf-8"), newline="")
    )
    return [
        {column: cell for column, cell in row.items() if column.rpartition(".")[2] not in TIMES}
        for row in rows
    ]


def assert_same(one: Path, other: Path) -> None:
    """The same tables, byte for byte where there are no times."""
    for name in TABLES:
        assert (one / f"{name}.csv").read_bytes() == (other / f"{name}.csv").read_bytes(), name
    assert records_of(one) == records_of(other)


# --- The report ------------------------------------------------------------------------------------------


def test_all_files_are_there_and_the_page_is_last(report: Any) -> None:
    assert all(path.is_file() and path.stat().st_size for path in report.files)
    wanted = {f"{name}.csv" for name in TABLES}
    wanted |= {f"{name}.svg" for name in PICTURES}
    assert {path.name for path in report.files} == wanted | {"index.html"}
    assert report.files[-1] == report.folder / "index.html"


def test_the_monitor_is_told_of_every_trial(report: Any, tiny: TaggingPlan) -> None:
    total = sum(len(group.trials) for group in groups(tiny))
    assert report.told[0] == (0, total, None)
    # The last: of the analysis
    assert [done for done, _, _ in report.told] == [*range(total + 1), 0, 1]
    assert all("result" in record for *_, record in report.told if record is not None)


def test_every_trial_left_its_weights(report: Any) -> None:
    assert len(list((report.folder / "weights").iterdir())) == len(records_of(report.folder))


def test_figure2_holds_the_selected_and_the_best_of_each_grid(
    report: Any, tiny: TaggingPlan
) -> None:
    """From the log and from the weights, with no help of the modules that made the table."""
    results = {
        (s["criterion"], s.get("sigma2"), s.get("smoothing")): (s, result)
        for s, result in ((json.loads(k), r) for k, r in records_of(report.folder).items())
        if s["table"] == "figure2"
    }
    rows = {row["criterion"]: row for row in table_of(report.folder, "figure2")}
    for criterion, name in (
        ("trans1", "TRANS1"),
        ("em", "EM"),
        ("conditional", "CRF (supervised)"),
    ):
        grid = [found for (c, *_), found in results.items() if c == criterion]
        selected, result = max(grid, key=lambda found: found[1]["held_out"])
        assert float(rows[name]["600: sel."]) == result["ambiguous"]
        assert float(rows[name]["600: oracle"]) == max(found["ambiguous"] for _, found in grid)
        tagger, text = restore(report.folder, selected), text_of(selected)
        right = tagging_accuracy(text.train, text.gold, tagger.predict(text.train), text.dictionary)
        assert right.ambiguous == result["ambiguous"]


def test_the_page_says_what_was_run(report: Any) -> None:
    page = (report.folder / "index.html").read_text(encoding="utf-8")
    assert "<pre><code>fstce reproduce tagging</code></pre>" in page
    assert "missing below" not in page
    for title in (
        "Criteria and amount of text",
        "Diluted dictionaries",
        "Dictionaries and priors",
        "Models and criteria",
    ):
        assert f">{title}" in page


@pytest.mark.usefixtures("without_matplotlib")
def test_analyses_are_of_the_selected_models_of_the_main_size(
    tmp_path: Path, reproduced: Run, tiny: TaggingPlan
) -> None:
    plan = replace(tiny, words=(600, 300), criteria=("em", "trans1", "length"), dictionaries=())
    reproduced(tmp_path, plan)
    trials = {
        k: r for k, r in records_of(tmp_path).items() if json.loads(k)["words"] == plan.main == 600
    }
    wanted = {}
    for criterion in plan.criteria:
        grid = [
            k
            for k in trials
            if (s := json.loads(k))["criterion"] == criterion and s["table"] == "figure2"
        ]
        wanted[criterion] = json.loads(max(grid, key=lambda k: trials[k]["held_out"]))
    (asked,) = (json.loads(k) for k in records_of(tmp_path, analyses=True))
    assert (asked["analysis"], json.loads(asked["members"])) == ("cross", wanted)


# --- Again, interrupted, on processes -------------------------------------------------------------------


def test_running_again_trains_nothing(report: Any, reproduced: Run, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(report.folder, folder)
    before = {path: path.stat().st_mtime_ns for path in (folder / "weights").iterdir()}
    log = (folder / "trials.jsonl").read_bytes()
    pages = {path.name: path.read_bytes() for path in report.files}
    again = reproduced(folder)
    total = len(before)
    assert again.told == [(total, total, None), (1, 1, None)]
    assert {path: path.stat().st_mtime_ns for path in (folder / "weights").iterdir()} == before
    assert (folder / "trials.jsonl").read_bytes() == log
    assert {path.name: path.read_bytes() for path in again.files} == pages


@pytest.mark.usefixtures("without_matplotlib")
def test_an_interrupted_run_is_taken_up_again_on_two_processes(
    report: Any, reproduced: Run, tiny: TaggingPlan, tmp_path: Path
) -> None:
    """After the third trial, in the middle of a grid; the pictures are missing, and nothing else."""

    def interrupt(done: int, total: int, record: Any) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        EXPERIMENT.reproduce(tiny, tmp_path, monitor=interrupt)
    assert len(records_of(tmp_path)) == 3
    assert not (tmp_path / "index.html").exists()
    resumed = reproduced(tmp_path, jobs=2)
    assert [heard[0] for heard in resumed.told] == [*range(3, resumed.told[0][1] + 1), 0, 1]
    assert_same(report.folder, tmp_path)


@pytest.mark.usefixtures("without_matplotlib")
def test_without_matplotlib_tables_and_page_are_written(
    report: Any, reproduced: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(report.folder, folder)
    files = reproduced(folder).files
    wanted = {f"{name}.csv" for name in TABLES} | {"index.html"}
    assert {path.name for path in files} == wanted
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "<figure" not in page


@pytest.mark.usefixtures("without_matplotlib")
def test_a_wider_grid_only_trains_what_is_new(
    tmp_path: Path, reproduced: Run, tiny: TaggingPlan
) -> None:
    plan = replace(tiny, criteria=("em",), dictionaries=())
    reproduced(tmp_path, plan)
    wider = reproduced(tmp_path, replace(plan, smoothing=(0.1, 1, 10)))
    assert wider.told[0] == (2, 3, None)
    assert len(records_of(tmp_path)) == 3


# --- What cannot be run ----------------------------------------------------------------------------------


def tagged(folder: Path, *lines: str) -> str:
    (folder / "text.pos").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(folder / "text.pos")


@pytest.fixture
def untrained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever trains fails."""

    def defect(*_: Any, **__: Any) -> Any:
        raise AssertionError("something was trained")

    monkeypatch.setattr(tagging_trials.Tagger, "train", defect)
    monkeypatch.setattr(tagging_trials.Tagger, "compile", defect)


@pytest.mark.usefixtures("untrained")
def test_a_corpus_is_checked_before_training(tmp_path: Path, tiny: TaggingPlan) -> None:
    """Also for the conditions that come last: Table 3 wants tags that the 17 classes know."""
    lines = ["the/AT dog/NN barks/VBZ"] * 300
    plan = replace(tiny, corpus=tagged(tmp_path, *lines))
    with pytest.raises(CorpusError, match="leave out Table 3"):
        EXPERIMENT.reproduce(plan, tmp_path / "out")
    with pytest.raises(CorpusError, match="hold out 5,000 words; hold out fewer"):
        EXPERIMENT.reproduce(replace(plan, dictionaries=(), held_out=5_000), tmp_path / "out")
    (tmp_path / "raw.txt").write_text("it rains\n")
    with pytest.raises(CorpusError, match=r"raw\.txt:1: the sentence has no tags"):
        EXPERIMENT.reproduce(replace(plan, corpus=str(tmp_path / "raw.txt")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_wrong_corpus_does_not_cost_the_earlier_trials(
    tmp_path: Path, report: Any, tiny: TaggingPlan
) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(report.folder, folder)
    with pytest.raises(CorpusError):
        EXPERIMENT.reproduce(replace(tiny, corpus=str(tmp_path / "misspelt.pos")), folder)
    assert records_of(folder) == records_of(report.folder)


@pytest.mark.usefixtures("untrained")
def test_the_log_of_another_text_is_refused(tmp_path: Path, report: Any, tiny: TaggingPlan) -> None:
    folder = tmp_path / "other"
    shutil.copytree(report.folder, folder)
    plan = replace(tiny, corpus=tagged(tmp_path, *["the/DT dog/NN barks/VBZ"] * 300))
    with pytest.raises(
        ParameterError, match=r"trials\.jsonl: was begun with corpus = .*to begin anew"
    ):
        EXPERIMENT.reproduce(plan, folder)


def test_a_folder_that_cannot_be_made(tmp_path: Path, tiny: TaggingPlan) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="file: cannot be made a folder"):
        EXPERIMENT.reproduce(tiny, tmp_path / "file")


@pytest.mark.usefixtures("without_matplotlib")
def test_failed_trials_are_told_on_the_page_and_tried_again(
    tmp_path: Path, reproduced: Run, tiny: TaggingPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(tiny, criteria=("em", "trans1"), dictionaries=())
    train = tagging_trials.Tagger.train

    def failing(tagger: Any, *rest: Any, **options: Any) -> Any:
        if tagger.criterion == "em" and tagger.smoothing == 0.1:
            raise FstceError("sentence 7 is <odd>")
        return train(tagger, *rest, **options)

    with monkeypatch.context() as patched:
        patched.setattr(tagging_trials.Tagger, "train", failing)
        reproduced(tmp_path, plan)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "1 trial failed, " in page
    told = "table=figure2 words=600 dictionary=full spelling=False criterion=em smoothing=0.1"
    assert f"{told}: sentence 7 is &lt;odd&gt;" in page
    assert reproduced(tmp_path, plan).told[0] == (3, 4, None)
    assert "Failed" not in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("without_matplotlib")
def test_an_analysis_that_fails_is_left_out_and_told(
    tmp_path: Path, reproduced: Run, tiny: TaggingPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise FstceError("out of <memory>")

    monkeypatch.setattr("fstce.reproduction.tagging.cross_scores", failing)
    reproduced(tmp_path, replace(tiny, criteria=("em", "trans1"), dictionaries=()))
    assert "analysis=cross: out of &lt;memory&gt;" in (tmp_path / "index.html").read_text(
        encoding="utf-8"
    )
    assert not (tmp_path / "cross-criteria.csv").exists()


def test_where_every_trial_fails_there_is_no_report(
    tmp_path: Path, tiny: TaggingPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any, **__: Any) -> Any:
        raise FstceError("too large")

    monkeypatch.setattr(tagging_trials.Tagger, "compile", failing)
    with pytest.raises(
        ParameterError, match=r"no trial came to an end: table=figure2 .*: too large"
    ):
        EXPERIMENT.reproduce(tiny, tmp_path)
    with pytest.raises(ParameterError, match="no trial came to an end"):
        EXPERIMENT.reproduce(replace(tiny, criteria=(), dictionaries=()), tmp_path / "empty")
    assert not (tmp_path / "index.html").exists()


def test_the_corpus_is_read_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As standard input, which cannot be read again, would want it."""
    from fstce.reproduction import material

    spec, times, read = (
        tagged(tmp_path, "the/DT dog/NN", "it/PRP rains/VBZ"),
        [],
        material.read_corpus,
    )
    monkeypatch.setattr(
        material,
        "read_corpus",
        lambda given, **options: times.append(given) or read(given, **options),
    )
    assert corpus(spec, True)[0].tags != corpus(spec, False)[0].tags
    assert times == [spec]
