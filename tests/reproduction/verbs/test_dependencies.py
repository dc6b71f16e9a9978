"""`fstce reproduce dependencies`: options to a plan, errors before training, a small run from end to end."""

import sys
from pathlib import Path

import pytest

from fstce.reporting.tables import Table
from fstce.reproduction import dependencies, dependency_trials
from fstce.reproduction.dependency_trials import DependencyPlan
from fstce.reproduction.verbs import papers as verbs

SMALL = (
    *(
        "--quick",
        "--max-length",
        "5",
        "--criteria",
        "em,trans1",
        "--supervised",
        "none",
        "--sigma2",
        "1",
    ),
    *("--smoothing", "1", "--folds", "1", "--max-iterations", "3", "--jobs", "1"),
)


@pytest.fixture
def planned(monkeypatch, fstce, tmp_path):
    """Run with a stand-in that only takes note of what it was to do."""
    found = {}

    def note(plan, folder, **options):
        found.update(plan=plan, folder=folder, **options)
        options["show"]([Table("table2", "the table", ["a"], [])])
        return [tmp_path / "index.html"]

    monkeypatch.setattr(type(dependencies.EXPERIMENT), "reproduce", staticmethod(note))

    def run(*arguments):
        result = fstce("reproduce", "dependencies", *arguments)
        assert result.code == 0, result.err
        return found

    return run


def test_without_options_it_is_the_papers_plan(planned):
    found = planned()
    assert found["plan"] == DependencyPlan()
    assert (found["folder"], found["jobs"]) == (Path("dependencies-report"), -1)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["sample", "--max-length", "7"], {"corpus": "sample", "max_length": 7}),
        (["--criteria", "em,TRANS1"], {"criteria": ("em", "trans1")}),
        (["--criteria", "none"], {"criteria": ()}),
        (["--supervised", "supervised-contrastive"], {"supervised": ("supervised-contrastive",)}),
        (["--supervised", "none"], {"supervised": ()}),
        (["--starts", "uniform"], {"starts": ("uniform",)}),
        (["--sigma2", "0.5,none"], {"sigma2": (0.5, None)}),
        (["--smoothing", "0,1e-3,0"], {"smoothing": (0.0, 0.001)}),
        (["--folds", "2", "--seed", "3"], {"folds": 2, "seed": 3}),
        (
            ["--tolerance", "0.01", "--max-iterations", "7"],
            {"tolerance": 0.01, "max_iterations": 7},
        ),
    ],
)
def test_options_reach_the_plan(planned, arguments, wanted):
    assert planned(*arguments)["plan"] == DependencyPlan(**wanted)


def test_options_beside_the_plan(planned, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["fstce", "reproduce", "dependencies", "my trees.conllu"])
    found = planned("--jobs", "2", "-o", "elsewhere")
    assert (found["folder"], found["jobs"]) == (Path("elsewhere"), 2)
    assert found["command"] == "fstce reproduce dependencies 'my trees.conllu'"


def test_quick_is_small_and_other_options_still_hold(planned):
    quick = planned("--quick")["plan"]
    assert quick == DependencyPlan(**verbs.DEPENDENCIES_QUICK)
    assert quick.corpus == "sample" and quick.folds < DependencyPlan().folds
    given = planned("--quick", "--folds", "10", "--sigma2", "1", "nltk:treebank")["plan"]
    assert given == DependencyPlan(
        **{**verbs.DEPENDENCIES_QUICK, "folds": 10, "sigma2": (1.0,), "corpus": "nltk:treebank"}
    )


def test_the_help_names_every_default(fstce, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    text, plan = "".join(fstce("reproduce", "dependencies", "--help").out.split()), DependencyPlan()
    grids = [
        ",".join("none" if v is None else f"{v:g}" for v in grid)
        for grid in (plan.sigma2, plan.smoothing)
    ]
    names = [",".join(group) for group in (plan.criteria, plan.supervised, plan.starts)]
    for default in (*grids, *names, str(plan.folds)):
        assert f"[default:{default}" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--criteria", "em,trnas1"], "did you mean 'trans1'?"),
        (["--criteria", "joint"], "'joint' learns from trees: name it as supervised"),
        (["--criteria", "none", "--supervised", "none"], "at least one criterion"),
        (
            ["--supervised", "em"],
            "--supervised em: give values separated by commas, each one of joint",
        ),
        (
            ["--starts", "cold"],
            "--starts cold: give values separated by commas, each one of klein-manning",
        ),
        (
            ["--sigma2", "1;10"],
            "--sigma2 1;10: give values separated by commas, each a number above 0, or None",
        ),
        (["--smoothing", "a"], "--smoothing a: give values separated by commas"),
        (["--folds", "11"], "--folds"),
        (["--tolerance", "nan"], "--tolerance nan"),
        (["--max-length", "0"], "--max-length"),
        (["missing.conllu"], "missing.conllu"),
        (["{corpus}"], "corpus.pos:1"),
    ],
)
def test_wrong_options(fstce, corpus, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        dependency_trials.DependencyParser, "compile", lambda *_, **__: pytest.fail("trained")
    )
    given = [argument.format(corpus=corpus) for argument in arguments]
    code, _, err = fstce(
        "reproduce", "dependencies", "--quiet", *([] if given[0][0] != "-" else ["sample"]), *given
    )
    assert code == 2, err
    assert err.startswith("fstce: ") and err.count("\n") == 1
    assert message in err
    assert not Path("dependencies-report").exists()


def test_an_interruption_says_how_to_go_on(monkeypatch, fstce):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(dependencies.EXPERIMENT), "reproduce", staticmethod(interrupted))
    code, _, err = fstce("reproduce", "dependencies", "--quiet", "-o", "report")
    assert code == 130
    assert "report keeps the trials that are done: run the same command again to go on" in err


def test_a_run_and_the_same_from_its_log(fstce, tmp_path, monkeypatch):
    output = tmp_path / "report"
    assert fstce("reproduce", "dependencies", *SMALL, "--quiet", "-o", output) == (0, "", "")
    assert (output / "index.html").is_file()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = fstce("reproduce", "dependencies", *SMALL, "-o", output)
    assert code == 0
    assert "Dependency accuracy by criterion and start\n" in out and "\nwithout trees" in out
    assert str(output / "index.html") in out
    assert err.splitlines() == [
        "matplotlib is not installed: no charts (pip install 'fstce[report]')",
        "trials: 4 trials, 4 of them found in the log",
    ]


def test_trials_are_told(fstce, tmp_path):
    code, _, err = fstce("reproduce", "dependencies", *SMALL, "--starts", "uniform", "-o", tmp_path)
    told = [line for line in err.splitlines() if line.startswith("[")]
    assert code == 0 and len(told) == 2
    assert any("fold=0 criterion=em start=uniform smoothing=1.0: " in line for line in told)
    assert any("fold=0 criterion=trans1 start=uniform sigma2=1.0: " in line for line in told)
    assert all(" % directed" in line for line in told)
