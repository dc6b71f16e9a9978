"""`fstce reproduce distribution`: options to a plan, errors before the first trial, a small run."""

import sys
from pathlib import Path

import pytest

from fstce.reporting.tables import Table
from fstce.reproduction import distribution
from fstce.reproduction.distribution_trials import DistributionPlan
from fstce.reproduction.verbs import papers as verbs

SMALL = ("--quick", "--iterations", "5", "--jobs", "1")


@pytest.fixture
def planned(monkeypatch, fstce, tmp_path):
    """Run with a stand-in that only takes note of what it was to do."""
    found = {}

    def note(plan, folder, **options):
        found.update(plan=plan, folder=folder, **options)
        options["show"]([Table("systems", "the table", ["a"], [])])
        return [tmp_path / "index.html"]

    monkeypatch.setattr(type(distribution.EXPERIMENT), "reproduce", staticmethod(note))

    def run(*arguments):
        result = fstce("reproduce", "distribution", *arguments)
        assert result.code == 0, result.err
        return found

    return run


def test_without_options_it_is_the_whole_plan(planned):
    found = planned()
    assert found["plan"] == DistributionPlan()
    assert (found["folder"], found["jobs"]) == (Path("distribution-report"), -1)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["sample"], {"corpus": "sample"}),
        (["--systems", "DA,da-stop"], {"systems": ("da", "da-stop")}),
        (["--iterations", "7"], {"iterations": 7}),
        (["--seed", "2"], {"seed": 2}),
    ],
)
def test_options_reach_the_plan(planned, arguments, wanted):
    assert planned(*arguments)["plan"] == DistributionPlan(**wanted)


def test_quick_is_small_and_other_options_still_hold(planned):
    assert planned("--quick")["plan"] == DistributionPlan(**verbs.DISTRIBUTION_QUICK)
    given = planned("--quick", "--iterations", "9", "nltk:treebank")["plan"]
    assert given == DistributionPlan(
        **{**verbs.DISTRIBUTION_QUICK, "iterations": 9, "corpus": "nltk:treebank"}
    )


def test_the_help_names_every_default(fstce, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    text, plan = (
        "".join(fstce("reproduce", "distribution", "--help").out.split()),
        DistributionPlan(),
    )
    for default in (",".join(plan.systems), str(plan.iterations)):
        assert f"[default:{default}" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["sample", "--systems", "da,ccm"],
            "--systems da,ccm: give values separated by commas, each one of fwb",
        ),
        (["sample", "--systems", "none"], "--systems none: give values separated by commas"),
        (["sample", "--iterations", "0"], "--iterations"),
        (["missing.mrg"], "missing.mrg"),
        (["{corpus}"], "corpus.pos:1: the sentence has no tree"),
    ],
)
def test_wrong_options(fstce, corpus, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    given = [argument.format(corpus=corpus) for argument in arguments]
    code, _, err = fstce("reproduce", "distribution", "--quiet", *given)
    assert code == 2, err
    assert err.startswith("fstce: ") and err.count("\n") == 1
    assert message in err
    assert not Path("distribution-report").exists()


def test_an_interruption_says_how_to_go_on(monkeypatch, fstce):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(distribution.EXPERIMENT), "reproduce", staticmethod(interrupted))
    code, _, err = fstce("reproduce", "distribution", "--quiet", "-o", "report")
    assert code == 130
    assert "report keeps the trials that are done: run the same command again to go on" in err


def test_a_run_and_the_same_from_its_log(fstce, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = fstce("reproduce", "distribution", *SMALL, "-o", tmp_path)
    assert code == 0
    assert "The systems\n" in out and "\nlearned from raw text" in out and "\nDA_STOP " in out
    told = [line for line in err.splitlines() if line.startswith("[")]
    assert len(told) == 4
    assert any("system=da-stop: F1 " in line for line in told)
    code, _, err = fstce("reproduce", "distribution", *SMALL, "-o", tmp_path)
    assert "trials: 4 trials, 4 of them found in the log" in err
