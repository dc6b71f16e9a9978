"""The skeleton of an experiment, with trials that cost nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.processes.trials import Group
from fstce.reporting import Page, Table
from fstce.reproduction.run import LOG, Experiment, Report, Run, check_ended

KEPT = Path("kept")
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


EXPERIMENT: Experiment[Plan] = Experiment(
    "squares", about, steps, lambda settings: KEPT / f"{settings['n']}.npy"
)


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
    files, heard = told((2, 3), tmp_path / "new" / "report", command="again", notify=said.append)
    assert (heard, said) == ([(2, 2)], ["the page"])
    assert "again" in files[-1].read_text(encoding="utf-8")


def test_fresh_removes_the_log_and_what_its_trials_kept_and_nothing_else(tmp_path: Path) -> None:
    told((2, 3), tmp_path)
    (tmp_path / KEPT).mkdir()
    for name in ("2.npy", "4.npy", "notes.txt"):
        (tmp_path / KEPT / name).write_text("mine")
    with (tmp_path / LOG).open("a") as log:
        log.write("damaged\n")
    _, heard = told((4,), tmp_path, fresh=True)
    assert heard == [(0, 1), (1, 1)]
    assert len((tmp_path / LOG).read_bytes().splitlines()) == 2
    assert sorted(path.name for path in (tmp_path / KEPT).iterdir()) == ["4.npy", "notes.txt"]
    (tmp_path / KEPT / "notes.txt").unlink()
    told((5,), tmp_path, fresh=True)
    assert not (tmp_path / KEPT).exists()


@pytest.mark.parametrize("name", [LOG, "index.html"])
def test_a_file_that_is_not_ours_is_left_as_it_is(name: str, tmp_path: Path) -> None:
    told((2,), tmp_path)
    (tmp_path / KEPT).mkdir()
    (tmp_path / KEPT / "2.npy").write_text("mine")
    (tmp_path / name).write_text('{"mine": true}\n')
    for fresh in (False, True):
        with pytest.raises(ParameterError, match=f"{name}.*left as it is"):
            told((2,), tmp_path, fresh=fresh)
    assert (tmp_path / name).read_text() == '{"mine": true}\n'
    assert (tmp_path / KEPT / "2.npy").exists()


def test_a_folder_with_files_like_the_reports_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "squares.csv").write_text("mine")
    with pytest.raises(ParameterError, match=r"squares\.csv: is of no earlier run.*choose an empty folder"):
        told((2,), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["squares.csv"]


def test_a_run_keeps_others_out_until_its_page_is_written(tmp_path: Path) -> None:
    def second_run(plan: Plan, run: Run) -> Report:
        for option in ("True", "False"):
            code = f"from test_run import told, Path; told((2, 3), Path({str(tmp_path)!r}), fresh={option})"
            done = subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parent
            )
            assert "another run is writing this log; wait for its end" in done.stderr
        return steps(plan, run)

    files = Experiment("squares", about, second_run).reproduce((2,), tmp_path)
    assert files[-1].name == "index.html"


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
