"""The skeleton of an experiment, with trials that cost nothing."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.processes.trials import Group
from fstce.reproduction import material
from fstce.reproduction.run import LOG, Experiment, Plan, ReportPage

KEPT = Path("kept")


@dataclass(frozen=True)
class Numbers(Plan):
    corpus: str = "sample"
    numbers: tuple[int, ...] = ()


def outcome(settings: dict[str, Any], result: Any) -> str:
    return f"square {result['square']}"


def prepare(folder: Path, shared: dict[str, Any]) -> Any:
    def run(trial: dict[str, Any]) -> dict[str, int]:
        if trial["n"] < 0:
            raise FstceError("has no root")
        return {"square": trial["n"] ** 2}

    return run


def groups(plan: Numbers) -> list[Group]:
    return [Group({}, [{"n": n} for n in plan.numbers])]


def facts(plan: Numbers) -> dict[str, Any]:
    if 0 in plan.numbers:
        raise CorpusError("nothing is left of a corpus divided by 0")
    return {"numbers": len(plan.numbers)}


def fill(page: ReportPage, plan: Numbers, records: Any) -> None:
    page.text("Squares are these.")


DECLARED = ("squares", "Squares", groups, prepare, ("n", "sum"), outcome, facts)
EXPERIMENT: Experiment[Numbers] = Experiment(*DECLARED, fill)


def keeping(folder: Path, shared: dict[str, Any]) -> Any:
    """Trials of which each keeps a file, but for the last, which adds up what the others have kept."""

    def run(trial: dict[str, Any]) -> dict[str, int]:
        if "n" not in trial:
            return {"square": sum(len(path.read_text()) for path in (folder / KEPT).glob("*.npy"))}
        (folder / KEPT).mkdir(exist_ok=True)
        (folder / KEPT / f"{trial['n']}.npy").write_text("x" * trial["n"] ** 2)
        return {"square": trial["n"] ** 2}

    return run


def total(plan: Numbers, records: list[Any]) -> list[Group]:
    return [Group({}, [{"sum": sum(record["result"]["square"] for record in records)}])]


def filled(page: ReportPage, plan: Numbers, records: Any) -> None:
    page.text(f"The sum is {records[-1]['result']['square']}.")


KEEPING: Experiment[Numbers] = Experiment(
    *("squares", "Squares", groups, keeping, ("n", "sum"), outcome, facts, filled),
    then=total,
)


def told(
    numbers: tuple[int, ...],
    folder: Path,
    experiment: Experiment[Numbers] = EXPERIMENT,
    corpus: str = "sample",
    **options: Any,
) -> tuple[list[Path], list[Any]]:
    heard: list[Any] = []
    plan = Numbers(corpus, numbers)
    files = experiment.reproduce(
        plan, folder, monitor=lambda *said: heard.append(said[:2]), **options
    )
    return files, heard


def test_a_run_writes_its_report_and_a_second_one_takes_it_up(tmp_path: Path) -> None:
    files, heard = told((2, 3), tmp_path / "new" / "report")
    assert [file.name for file in files] == ["index.html"]
    page = files[-1].read_text(encoding="utf-8")
    assert all(
        text in page for text in ("fstce reproduce squares", "numbers", "Squares are these.")
    )
    assert heard == [(0, 2), (1, 2), (2, 2)]
    files, heard = told((2, 3), tmp_path / "new" / "report", command="again")
    assert heard == [(2, 2)]
    assert "again" in files[-1].read_text(encoding="utf-8")


def test_trials_that_need_the_others_come_last(tmp_path: Path) -> None:
    files, heard = told((2, 3), tmp_path, KEEPING)
    assert "The sum is 13." in files[-1].read_text(encoding="utf-8")
    assert heard == [(0, 2), (1, 2), (2, 2), (0, 1), (1, 1)]
    assert told((2, 3), tmp_path, KEEPING)[1] == [(2, 2), (1, 1)]


@pytest.mark.parametrize("name", [LOG, "index.html"])
def test_a_file_that_is_not_ours_is_left_as_it_is(name: str, tmp_path: Path) -> None:
    told((2,), tmp_path, KEEPING)
    (tmp_path / name).write_text('{"mine": true}\n')
    with pytest.raises(ParameterError, match=f"{name}.*left as it is"):
        told((2,), tmp_path, KEEPING)
    assert (tmp_path / name).read_text() == '{"mine": true}\n'
    assert (tmp_path / KEPT / "2.npy").exists()


def test_a_folder_with_files_like_the_reports_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "table2.csv").write_text("mine")
    with pytest.raises(
        ParameterError, match=r"table2\.csv: is of no earlier run.*choose an empty folder"
    ):
        told((2,), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["table2.csv"]


def test_a_run_keeps_others_out_until_its_page_is_written(tmp_path: Path) -> None:
    def second_run(page: ReportPage, plan: Numbers, records: Any) -> None:
        code = f"from test_run import told, Path; told((2, 3), Path({str(tmp_path)!r}))"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parent
        )
        assert "another run is writing this log; wait for its end" in done.stderr

    files = Experiment(*DECLARED, second_run).reproduce(Numbers(numbers=(2,)), tmp_path)
    assert files[-1].name == "index.html"


def test_what_does_not_fit_is_told_before_anything_is_made_or_removed(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="divided by 0"):
        told((0,), tmp_path / "new")
    assert not (tmp_path / "new").exists()
    told((2, 3), tmp_path)
    before = (tmp_path / LOG).read_bytes()
    with pytest.raises(CorpusError):
        told((0,), tmp_path)
    (tmp_path / "text.txt").write_text("another text\n")
    with pytest.raises(ParameterError, match=r"was begun with corpus = .*to begin anew"):
        told((2,), tmp_path, corpus=str(tmp_path / "text.txt"))
    assert (tmp_path / LOG).read_bytes() == before


def test_other_trees_of_the_same_words_are_another_corpus(tmp_path: Path) -> None:
    heads = tmp_path / "text.conllu"
    heads.write_text("1\ta\t_\t_\tD\t_\t2\t_\t_\t_\n2\tb\t_\t_\tN\t_\t0\t_\t_\t_\n")
    told((2,), tmp_path / "report", corpus=str(heads))
    material._read.cache_clear()
    heads.write_text("1\ta\t_\t_\tD\t_\t0\t_\t_\t_\n2\tb\t_\t_\tN\t_\t1\t_\t_\t_\n")
    with pytest.raises(ParameterError, match=r"was begun with corpus = .*to begin anew"):
        told((2,), tmp_path / "report", corpus=str(heads))


def test_a_trial_in_a_few_words() -> None:
    record = {"settings": {"n": 3}, "result": {"square": 9}, "seconds": 0.1}
    assert EXPERIMENT.describe(record) == "n=3: square 9"


def test_failures_are_told_and_where_all_fail_there_is_no_report(tmp_path: Path) -> None:
    files, _ = told((2, -1), tmp_path / "some")
    assert "n=-1: has no root" in files[-1].read_text(encoding="utf-8")
    with pytest.raises(ParameterError, match="no trial came to an end: n=-2: has no root"):
        told((-2, -1), tmp_path / "none")
    assert not (tmp_path / "none" / "index.html").exists()
    with pytest.raises(ParameterError, match="no trial came to an end: there is none"):
        told((), tmp_path / "nothing")
