"""fstce reproduce tagging: options to a plan, errors before training, a small run from end to end."""

import csv
import io
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fstce.reporting.tables import Table
from fstce.reproduction import tagging, tagging_trials
from fstce.reproduction.tagging_trials import TaggingPlan
from fstce.reproduction.verbs import papers as verbs

SMALL = (
    *(
        "--quick",
        "--words",
        "300",
        "--held-out",
        "150",
        "--criteria",
        "em,trans1",
        "--dictionaries",
        "full",
    ),
    *("--sigma2", "1", "--smoothing", "0.1,1", "--order", "2", "--max-iterations", "10"),
    *("--jobs", "1"),
)


class Outline(HTMLParser):
    """Demands that elements are closed in order; keeps the headings and the places of tables."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.headings, self.count = [], [], {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in ("meta", "br", "img", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append(data)


@pytest.fixture
def planned(monkeypatch, fstce, tmp_path):
    """Run with a stand-in that only takes note of what it was to do."""
    found = {}

    def note(plan, folder, **options):
        found.update(plan=plan, folder=folder, **options)
        options["show"]([Table("figure2", "the table", ["a"], [])])
        return [tmp_path / "index.html"]

    monkeypatch.setattr(type(tagging.EXPERIMENT), "reproduce", staticmethod(note))

    def run(*arguments):
        result = fstce("reproduce", "tagging", *arguments)
        assert result.code == 0, result.err
        return found

    return run


@pytest.fixture
def refused(monkeypatch, fstce, tmp_path):
    """Run in an empty folder, and demand one line, exit code 2, and that nothing was trained or made."""

    def defect(*_, **__):
        raise AssertionError("something was trained")

    monkeypatch.chdir(tmp_path)
    for name in ("compile", "train"):
        monkeypatch.setattr(tagging_trials.Tagger, name, defect)

    def run(*arguments):
        code, _, err = fstce("reproduce", "tagging", "--quiet", *arguments)
        assert code == 2, err
        assert err.startswith("fstce: ") and err.count("\n") == 1, err
        assert not Path("tagging-report").exists()
        return err

    return run


# --- Options ---------------------------------------------------------------------------------------------


def test_without_options_it_is_the_papers_plan(planned):
    found = planned()
    assert found["plan"] == TaggingPlan()
    assert (found["folder"], found["jobs"]) == (Path("tagging-report"), -1)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["sample", "--words", "300, 600"], {"corpus": "sample", "words": (300, 600)}),
        (["--words", "600,300,600"], {"words": (600, 300)}),
        (["--held-out", "100"], {"held_out": 100}),
        (["--criteria", "em,TRANS1,length-oov"], {"criteria": ("em", "trans1", "length-oov")}),
        (["--criteria", "none"], {"criteria": ()}),
        (["--dictionaries", "full,first:20"], {"dictionaries": ("full", "first:20")}),
        (["--dictionaries", "none"], {"dictionaries": ()}),
        (["--sigma2", "0.5,none"], {"sigma2": (0.5, None)}),
        (["--smoothing", "0,1e-3"], {"smoothing": (0.0, 0.001)}),
        (["--order", "2"], {"order": 2}),
        (
            ["--tolerance", "0.01", "--max-iterations", "7"],
            {"tolerance": 0.01, "max_iterations": 7},
        ),
    ],
)
def test_options_reach_the_plan(planned, arguments, wanted):
    assert planned(*arguments)["plan"] == TaggingPlan(**wanted)


def test_options_beside_the_plan(planned):
    found = planned("--jobs", "2", "-o", "elsewhere")
    assert (found["folder"], found["jobs"]) == (Path("elsewhere"), 2)


def test_quick_is_small_and_other_options_still_hold(planned):
    quick = planned("--quick")["plan"]
    assert quick == TaggingPlan(**verbs.TAGGING_QUICK)
    assert quick.corpus == "sample" and sum(quick.words) < sum(TaggingPlan().words)
    assert planned("--quick", "--words", "300", "--sigma2", "1")["plan"] == TaggingPlan(
        **{**verbs.TAGGING_QUICK, "words": (300,), "sigma2": (1.0,)}
    )
    # Also an option that repeats the default of the whole run.
    assert planned("--quick", "--words", "24000", "nltk:brown")["plan"] == TaggingPlan(
        **{**verbs.TAGGING_QUICK, "words": (24_000,), "corpus": "nltk:brown"}
    )


def test_the_command_is_told_to_the_page(planned, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["fstce", "reproduce", "tagging", "my corpus.pos"])
    assert planned("--quick")["command"] == "fstce reproduce tagging 'my corpus.pos'"


def test_the_help_names_every_default(fstce, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    text = "".join(fstce("reproduce", "tagging", "--help").out.split())
    for default in ("24000", "5000", "0.1,1,10,100,none", "0,0.01,0.1,1,10"):
        assert f"[default:{default}" in text
    shown = TaggingPlan()
    assert (
        ",".join(f"{v:g}" if v is not None else "none" for v in shown.sigma2) == "0.1,1,10,100,none"
    )
    assert ",".join(f"{v:g}" for v in shown.smoothing) == "0,0.01,0.1,1,10"
    assert (shown.words, shown.held_out) == ((24_000,), 5_000)


# --- Errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--criteria", "em,trnas1"], "unknown neighborhood 'trnas1'; did you mean 'trans1'?"),
        (["--dictionaries", "full,count2"], "dictionary 'count2': give full, first:N"),
        (["--dictionaries", "none,full"], "dictionary 'none': give full"),
        (["--words", "300,many"], "--words 300,many: give values separated by commas"),
        (
            ["--words", "300,0"],
            "--words 300,0: give values separated by commas, each a whole number from 1",
        ),
        (["--words", ""], "--words : give values separated by commas, each a whole number from 1"),
        (
            ["--sigma2", "1;10"],
            "--sigma2 1;10: give values separated by commas, each a number above 0, or None",
        ),
        (
            ["--sigma2", "1,0"],
            "--sigma2 1,0: give values separated by commas, each a number above 0, or None",
        ),
        (["--smoothing", "a"], "--smoothing a: give values separated by commas"),
        (
            ["--smoothing", "1,-1"],
            "--smoothing 1,-1: give values separated by commas, each a number from 0",
        ),
        (["--smoothing", "nan"], "--smoothing nan"),
        (["--order", "4"], "--order"),
        (["--held-out", "0"], "--held-out"),
        (["--tolerance", "nan"], "--tolerance nan"),
        (["--max-iterations", "0"], "--max-iterations"),
        (
            ["--held-out", "10000000"],
            "sample: too few sentences to train on some and hold out 10,000,000 words",
        ),
        (["missing.pos"], "missing.pos"),
        (["nltk:treebnak"], "treebnak"),
        (["surplus", "words"], "words"),
    ],
)
def test_wrong_options(refused, arguments, message):
    corpus = [] if arguments[0][0] != "-" else ["sample"]
    assert message in refused(*corpus, *arguments)


def test_a_corpus_without_tags(refused, tmp_path):
    (tmp_path / "raw.txt").write_text("it rains\n")
    assert "raw.txt:1: the sentence has no tags; the experiment scores with them" in refused(
        "raw.txt"
    )


def test_a_corpus_of_another_tagset(refused, tmp_path):
    """It is the last conditions that want other tags; they are looked at first."""
    (tmp_path / "brown.pos").write_text("the/AT dog/NN barks/VBZ\n" * 50)
    message = refused("brown.pos", "--held-out", "10")
    assert "the/AT" in message and "--dictionaries none" in message


def test_the_experiment_must_be_named(fstce):
    code, _, err = fstce("reproduce", "parsing")
    assert (code, err.count("\n")) == (2, 1)
    assert "No such command 'parsing'" in err


def test_an_output_that_is_a_file(refused, tmp_path):
    (tmp_path / "file").write_text("")
    assert "file: cannot be made a folder" in refused("sample", *SMALL[1:], "-o", "file")


def test_an_interruption_says_how_to_go_on(monkeypatch, fstce):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(tagging.EXPERIMENT), "reproduce", staticmethod(interrupted))
    code, _, err = fstce("reproduce", "tagging", "--quiet", "-o", "report")
    assert code == 130
    assert (
        err
        == "fstce: interrupted; report keeps the trials that are done: run the same command again to go on\n"
    )


# --- From end to end -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    return tmp_path_factory.mktemp("reproduce") / "report"


def test_a_quick_and_quiet_run(fstce, output):
    code, out, err = fstce("reproduce", "tagging", *SMALL, "--quiet", "-o", output)
    assert (code, out, err) == (0, "", "")
    page = Outline((output / "index.html").read_text(encoding="utf-8"))
    assert page.open == []
    assert "Contrastive estimation of taggers" in page.headings
    assert page.count["table"] == 4  # Figure 2, Table 3, its dictionaries, every criterion
    rows = csv.DictReader(
        io.StringIO((output / "figure2.csv").read_text(encoding="utf-8"), newline="")
    )
    assert [row["criterion"] for row in rows] == ["EM", "TRANS1", "random"]


def test_a_run_from_the_log(fstce, output, monkeypatch):
    """After the one above it finds all trials done, and prints Figure 2."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = fstce("reproduce", "tagging", *SMALL, "-o", output)
    assert code == 0
    assert "Tagging accuracy by criterion\n" in out and "\nrandom " in out
    assert str(output / "index.html") in out
    lines = err.splitlines()
    assert lines[0] == "matplotlib is not installed: no charts (pip install 'fstce[report]')"
    # Three trials of Figure 2, and of Table 3 three without and one with spelling features: EM twice.
    assert lines[1] == "trials: 7 trials, 7 of them found in the log"


def test_a_run_without_figure2_prints_table3(fstce, tmp_path):
    options = [option if option != "em,trans1" else "none" for option in SMALL]
    code, out, err = fstce("reproduce", "tagging", *options, "-o", tmp_path)
    assert code == 0, err
    assert "Diluted dictionaries and spelling features\n" in out
    assert not (tmp_path / "figure2.csv").exists()
    told = [line for line in err.splitlines() if line.startswith("[")]
    assert len(told) == 8
    assert any(
        " dictionary=full spelling=False criterion=em smoothing=0.1: " in line for line in told
    )
    assert any(
        " dictionary=full spelling=True criterion=length sigma2=1.0: " in line for line in told
    )
    assert all(" % of ambiguous, " in line for line in told)
