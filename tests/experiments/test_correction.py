"""The correction experiment from a plan to a folder: files, tables by hand, resuming, failures."""

from __future__ import annotations

import csv
import io
from json import loads
from pathlib import Path
from typing import Any

import pytest

from examples.experiments import correction, correction_trials
from examples.experiments.correction import reproduce
from examples.experiments.correction_trials import CorrectionPlan
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation.correction import CorrectionScores, Ratio

TINY = CorrectionPlan(
    "sample",
    train=600,
    spellers=("alone", "frequent", "ngrams"),
    punctuators=("alone", "ngrams"),
    spelling=("random",),
    punctuation=("comma",),
    seeds=2,
)
TRIALS = (3 + 2) * 2


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path], list[Any]]:
    pytest.importorskip("matplotlib")
    folder, told = tmp_path_factory.mktemp("correction") / "report", list[Any]()
    files = reproduce(
        TINY, folder, command="fstce <here>", monitor=lambda *heard: told.append(heard)
    )
    return folder, files, told


def test_all_files_are_there_and_the_page_is_last(report: Any) -> None:
    folder, files, told = report
    names = {file.name for file in files}
    assert files[-1].name == "index.html"
    assert {"spelling.csv", "punctuation.csv"} <= names
    assert [done for done, _, _ in told] == list(range(TRIALS + 1))
    page = files[-1].read_text(encoding="utf-8")
    assert "fstce &lt;here&gt;" in page and "<dt>spell</dt><dd>1</dd>" in page
    assert len((folder / "trials.jsonl").read_bytes().splitlines()) == TRIALS + 1


def test_the_tables_are_means_over_the_seeds(report: Any) -> None:
    folder, _, _ = report
    trials = [loads(line) for line in (folder / "trials.jsonl").read_bytes().splitlines()[1:]]
    found = {row["system"]: row for row in rows_of(folder / "spelling.csv")}
    for name, shown in (("alone", "left alone"), ("frequent", "most frequent candidate")):
        rates = [
            100 * t["result"]["words"]["after"] / t["result"]["words"]["words"]
            for t in trials
            if t["settings"]["system"] == name and t["settings"]["mistake"] == "random"
        ]
        assert len(rates) == 2
        assert float(found[shown]["word error rate"]) == pytest.approx(sum(rates) / 2)
    alone = found["left alone"]
    assert (
        alone["word error rate"] == alone["word error rate before"]
        and float(alone["damaged %"]) == 0
    )
    marks = {row["system"]: row for row in rows_of(folder / "punctuation.csv")}
    assert float(marks["left alone"]["R"]) == 0.0


def test_a_second_run_trains_nothing_more(report: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _, _ = report
    before = (folder / "trials.jsonl").read_bytes()

    def never(*_: Any) -> Any:
        raise AssertionError("trained again")

    monkeypatch.setattr(correction_trials, "trained", never)
    reproduce(TINY, folder)
    assert (folder / "trials.jsonl").read_bytes() == before


def record(system: str, mistake: str, seed: int, **counts: int) -> dict[str, Any]:
    words = CorrectionScores(100, 90, 10, 8, 6, 4, 2, 10, counts.get("after", 5))
    marks = Ratio(counts.get("hits", 4), counts.get("proposed", 5), 10)
    scores = {"words": words._asdict(), "marks": marks._asdict()}
    result = {"sentences": 50, **scores, "seconds": 0.5, "training": 1.0}
    return {
        "settings": {"system": system, "mistake": mistake, "seed": seed},
        "result": result,
        "seconds": 1.0,
    }


def test_tables_by_hand() -> None:
    plan = CorrectionPlan(spellers=("alone", "ce"), punctuators=("ce",), seeds=2)
    records = [record("ce", "random", 1, after=4), record("ce", "random", 2, after=6)]
    records += [record("ce", "comma", 1, hits=5), record("ce", "comma", 2, hits=0, proposed=0)]
    [cells] = [row for row in correction.spelling(plan, records).rows if len(row) > 1]
    f = 1.25 * 0.5 * 0.4 / (0.25 * 0.5 + 0.4)
    found = 100 * 1.25 * 0.75 * 0.6 / (0.25 * 0.75 + 0.6)
    wanted = (10.0, 5.0, 2**0.5, 75.0, 60.0, found, 50.0, 40.0, 100 * f, 100 * 2 / 90, 100.0)
    assert cells[0] == "CE and trigrams" and cells[1:] == pytest.approx(wanted)
    [marks] = [row for row in correction.punctuation(plan, records).rows if len(row) > 1]
    assert marks[1:4] == pytest.approx((100.0, 25.0, 100 / 3))


def test_failures_are_told_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "spellchecker", None)
    plan = CorrectionPlan("sample", 600, ("alone", "pyspellchecker"), (), ("random",), (), seeds=1)
    files = reproduce(plan, tmp_path / "report")
    page = files[-1].read_text(encoding="utf-8")
    assert "pip install pyspellchecker" in page
    assert [row["system"] for row in rows_of(tmp_path / "report" / "spelling.csv")] == [
        "left alone"
    ]
    with pytest.raises(ParameterError, match="no trial came to an end"):
        reproduce(
            CorrectionPlan("sample", 600, ("pyspellchecker",), (), ("random",), (), seeds=1),
            tmp_path / "other",
        )


def test_a_corpus_that_is_too_small_is_told_first(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="train on fewer"):
        reproduce(CorrectionPlan("sample"), tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_options_reach_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, Any] = {}

    def note(plan: CorrectionPlan, folder: str, **options: Any) -> list[Path]:
        found.update(plan=plan, folder=folder, **options)
        return [Path("index.html")]

    monkeypatch.setattr(correction, "reproduce", note)
    monkeypatch.setattr("sys.argv", ["correction", "my.txt", "--seeds", "3", "--train", "9"])
    correction.main()
    assert found["plan"] == CorrectionPlan("my.txt", 9, seeds=3)
    assert (found["folder"], found["jobs"]) == ("correction-report", -1)
    assert (
        found["command"] == "python -m examples.experiments.correction my.txt --seeds 3 --train 9"
    )


def test_trials_are_told_in_a_few_words() -> None:
    told = correction.EXPERIMENT.describe
    assert told(record("ce", "random", 1)) == (
        "mistake=random system=ce: seed 1, 10.00 to 5.00 % word errors"
    )
    assert told(record("em", "comma", 2)) == ("mistake=comma system=em: seed 2, F1 53.3")
