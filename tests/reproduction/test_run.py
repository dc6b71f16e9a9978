"""The skeleton of an experiment, with trials that cost nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.processes.trials import Group
from fstce.reporting import Page, Table
from fstce.reproduction.run import LOG, Experiment, Report, Run, check_ended

KEPT = Path("kept") / "weights"
Plan = tuple[int, ...]


def about(plan: Plan) -> dict[str, Any]:
    if 0 in plan:
        raise CorpusError("nothing is left of a corpus divided by 0")
    return {"corpus": str(len(plan))}


def named(settings: dict[str, Any]) -> str:
    return f"number {settings['n']}"


def prepare(shared: dict[str, Any]) -> Any:
    def run(trial: dict[str, Any]) -> dict[str, int]:
        if trial["n"] < 0:
            raise FstceError("has no root")
        return {"square": trial["n"] ** 2}

    return run


def steps(plan: Plan, run: Run) -> Report:
    groups = [Group({}, [{"n": n} for n in plan])]
    records, failed = run.ended(groups, prepare, named)
    run.tell("the page")
    page = Page("Squares", run.command)
    page.items(failed)
    rows = [[record["settings"]["n"], record["result"]["square"]] for record in records if "result" in record]
    return page, [Table("squares", "Squares", ["n", "square"], rows)]


EXPERIMENT: Experiment[Plan] = Experiment("squares", about, steps, lambda plan: [KEPT])


def told(plan: Plan, folder: Path, **options: Any) -> tuple[list[Path], list[Any]]:
    heard: list[Any] = []
    files = EXPERIMENT.reproduce(plan, folder, monitor=lambda *said: heard.append(said[:2]), **options)
    return files, heard


def test_a_run_writes_its_report_and_a_second_one_takes_it_up(tmp_path: Path) -> None:
    files, heard = told((2, 3), tmp_path / "new" / "report")
    assert [file.name for file in files] == ["squares.csv", "squares.md", "index.html"]
    assert "fstce reproduce squares" in files[-1].read_text(encoding="utf-8")
    assert heard == [(0, 2), (1, 2), (2, 2)]
    said: list[str] = []
    files, heard = told((2, 3), tmp_path / "new" / "report", command="again", told=said.append)
    assert (heard, said) == ([(2, 2)], ["the page"])
    assert "again" in files[-1].read_text(encoding="utf-8")


def test_fresh_removes_the_log_and_what_was_kept_and_nothing_else(tmp_path: Path) -> None:
    told((2, 3), tmp_path)
    (tmp_path / KEPT).mkdir(parents=True)
    for place in (tmp_path / KEPT, tmp_path / "kept", tmp_path):
        (place / "notes.txt").write_text("mine")
    _, heard = told((4,), tmp_path, fresh=True)
    assert heard == [(0, 1), (1, 1)]
    assert len((tmp_path / LOG).read_bytes().splitlines()) == 2
    assert sorted(path.name for path in tmp_path.rglob("*") if path.name == "notes.txt") == ["notes.txt"] * 2
    assert not (tmp_path / KEPT).exists()


def test_what_does_not_fit_is_told_before_anything_is_made_or_removed(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="divided by 0"):
        told((0,), tmp_path / "new")
    assert not (tmp_path / "new").exists()
    told((2, 3), tmp_path)
    before = (tmp_path / LOG).read_bytes()
    with pytest.raises(CorpusError):
        told((0,), tmp_path, fresh=True)
    with pytest.raises(ParameterError, match=r"was begun with corpus = .*--fresh"):
        told((2,), tmp_path)
    assert (tmp_path / LOG).read_bytes() == before


def test_failures_are_told_and_where_all_fail_there_is_no_report(tmp_path: Path) -> None:
    files, _ = told((2, -1), tmp_path / "some")
    assert "number -1: has no root" in files[-1].read_text(encoding="utf-8")
    with pytest.raises(ParameterError, match="no trial came to an end: number -2: has no root"):
        told((-2, -1), tmp_path / "none")
    assert not (tmp_path / "none" / "index.html").exists()
    with pytest.raises(ParameterError, match="no system came to an end: there is none"):
        check_ended(False, [], "system")


def test_trials_without_a_log_or_a_listener(tmp_path: Path) -> None:
    heard: list[Any] = []
    run = Run(tmp_path, {}, "", monitor=lambda *said: heard.append(said))
    groups = [Group({}, [{"n": 3}])]
    [record] = run.trials(groups, prepare, log=None, monitored=False)
    assert record["result"] == {"square": 9}
    assert not heard and not list(tmp_path.iterdir())
    run.trials(groups, prepare, "other.jsonl")
    assert len(heard) == 2 and [path.name for path in tmp_path.iterdir()] == ["other.jsonl"]
    run.tell("nobody listens")
