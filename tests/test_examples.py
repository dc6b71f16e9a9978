"""The gallery runs as its docstrings say."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name, *arguments, cwd):
    command = (sys.executable, str(EXAMPLES / name), *arguments)
    report = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)
    assert report.returncode == 0, report.stderr
    return report.stdout


def test_figure_1(tmp_path):
    out = run("plot_01_neighborhoods.py", "figures", cwd=tmp_path)
    for name, count in (("del1word", 7), ("trans1", 6), ("del1subseq", 21)):
        assert f"{name}: {count} sentences" in out
        assert "delicate" in (tmp_path / "figures" / f"{name}.svg").read_text(encoding="utf-8")


def test_which_neighborhood(tmp_path):
    pytest.importorskip("matplotlib")
    out = run("plot_02_which_neighborhood.py", "bars.svg", cwd=tmp_path)
    scores = {line.split()[0]: float(line.split()[1]) for line in out.splitlines() if "%" in line}
    assert len(scores) == 5
    assert min(scores.values()) > 45.6
    assert (tmp_path / "bars.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_your_own_neighborhood(tmp_path):
    out = run("plot_03_your_own_neighborhood.py", cwd=tmp_path)
    assert "language is delicate natural" in out
    rows = dict(
        line.split()[:2] for line in out.splitlines() if line.startswith(("random", "rot1", "trans1"))
    )
    assert float(rows["random"]) < float(rows["rot1"]) < float(rows["trans1"])


def test_every_example_is_tested():
    source = Path(__file__).read_text(encoding="utf-8")
    assert all(path.name in source for path in EXAMPLES.glob("*.py"))


def test_which_criterion(tmp_path):
    out = run("plot_04_which_criterion.py", cwd=tmp_path)
    scores = {line[:18].strip(): float(line[18:].split()[0]) for line in out.splitlines()}
    assert len(scores) == 7
    assert scores["random"] < scores["EM"] < scores["TRANS1"] < scores["CRF (supervised)"]


def test_dependency_grammar(tmp_path):
    out = run("plot_05_dependency_grammar.py", cwd=tmp_path)
    scores = {line[:30].strip(): float(line[30:].split()[0]) for line in out.splitlines()[:6]}
    assert scores["EM, uniform start"] < scores["attach to the next word"] < scores["TRANS1, uniform start"]
    assert scores["TRANS1, uniform start"] < scores["supervised"]
    assert "─►" in out


def test_from_file_to_tagger(tmp_path):
    out = run("plot_06_from_file_to_tagger.py", "mine", cwd=tmp_path)
    assert "checked: all holds" in out
    assert "4 sentences" in out
    assert (tmp_path / "mine" / "mine.svg").read_text(encoding="utf-8").startswith("<")
    scores = [float(line.split()[0]) for line in out.splitlines() if "% of ambiguous" in line]
    assert len(scores) == 3 and min(scores) > 62.2  # what untrained weights score
    listed = out.split("explained: ")[1].splitlines()
    shares = [float(line.split()[0]) for line in listed[1:]]
    assert len(shares) == 3 and shares == sorted(shares, reverse=True)
    assert "will light" in (tmp_path / "mine" / "why.html").read_text(encoding="utf-8")


def test_constituents_from_raw_text(tmp_path):
    out = run("plot_08_constituents_from_raw_text.py", "chunker.svg", cwd=tmp_path)
    lines = [line for line in out.splitlines() if "recall of PP" in line]
    f1 = {line.split()[0]: float(line.split()[2]) for line in lines}
    assert f1["da"] <= f1["da-cluster"] < f1["da-stop"] < f1["right-branching"]
    assert "first layer: [C" in out
    assert "<svg" in (tmp_path / "chunker.svg").read_text(encoding="utf-8")


def test_spelling_from_raw_text(tmp_path):
    out = run("plot_07_spelling_from_raw_text.py", cwd=tmp_path)
    rows = [line.split() for line in out.splitlines() if line.startswith("threshold")]
    before, after = float(rows[0][-4]), float(rows[0][-2])
    assert after < before
    precision = [float(row[3].rstrip(",")) for row in rows]
    assert precision[-1] == max(precision)
    assert (tmp_path / "speller" / "spell.svg").exists()


def test_latent_grammar(tmp_path):
    out = run("plot_09_latent_grammar.py", cwd=tmp_path)
    scores = [float(line.split()[0]) for line in out.splitlines() if " F1 " in line]
    assert len(scores) == 5
    assert scores[0] < scores[2] and scores[3] < scores[4]


def test_all_sentences(tmp_path):
    out = run("plot_10_all_sentences.py", cwd=tmp_path)
    scores = {line[:14].strip(): float(line.split("%")[0].split()[-1]) for line in out.splitlines()[1:]}
    assert out.startswith("log Z over all sentences: -7.27 nats at first, ")
    assert scores["all sentences"] > 75 and abs(scores["all sentences"] - scores["LENGTH"]) < 5
