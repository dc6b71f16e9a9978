"""The gallery prints, draws and writes what its docstrings say.

`make docs` runs every example for its pages and then this, which reads there what they printed and drew
(``FSTCE_GALLERY``); anywhere else each example is run here. `make test` leaves it to `make docs`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest
from patience import patience

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
BUILT = os.environ.get("FSTCE_GALLERY")  # the folder of the docs whose gallery has just been built


class Ran(NamedTuple):
    """What an example printed, the pictures it drew, in order, and the folder that it wrote into."""

    out: str
    pictures: list[str]
    folder: Path


def ran(name: str, *arguments: str, cwd: Path) -> Ran:
    """Run an example as ``docs/made_pages.py`` has it run for the gallery, or read what it did there."""
    if BUILT:
        gallery = ROOT / BUILT / "gallery"
        page = (gallery / f"{name}.rst").read_text(encoding="utf-8")
        printed = re.findall(r"script-out\n\n \.\. code-block:: none\n\n((?:    .*\n|\n)+)", page)
        drawn, folder = (
            gallery.glob(f"images/sphx_glr_{name}_*.svg"),
            ROOT / BUILT / "_build" / "examples",
        )
        out = textwrap.dedent("".join(printed))
    else:
        command = (sys.executable, str(EXAMPLES / f"{name}.py"), *arguments)
        report = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=patience(300)
        )
        assert report.returncode == 0, report.stderr
        drawn, folder, out = cwd.rglob("*.svg"), cwd, report.stdout
    return Ran(out, [path.read_text(encoding="utf-8") for path in sorted(drawn)], folder)


def test_figure_1(tmp_path):
    found = ran("plot_01_neighborhoods", "figures", cwd=tmp_path)
    for name, count in (("del1word", 7), ("trans1", 6), ("del1subseq", 21)):
        assert f"{name}: {count} sentences" in found.out
    assert len(found.pictures) == 3
    assert all("delicate" in picture for picture in found.pictures)


@pytest.mark.gallery
def test_which_neighborhood(tmp_path):
    found = ran("plot_02_which_neighborhood", "bars.svg", cwd=tmp_path)
    scores = {
        line.split()[0]: float(line.split()[1]) for line in found.out.splitlines() if "%" in line
    }
    assert len(scores) == 5
    assert min(scores.values()) > 45.6
    assert "drawn: bars.svg" in found.out
    assert [picture.startswith("<?xml") for picture in found.pictures] == [True]


@pytest.mark.gallery
def test_your_own_neighborhood(tmp_path):
    out, pictures, _ = ran("plot_03_your_own_neighborhood", cwd=tmp_path)
    assert len(pictures) == 1 and "delicate" in pictures[0]
    assert "language is delicate natural" in out
    rows = dict(
        line.split()[:2]
        for line in out.splitlines()
        if line.startswith(("random", "rot1", "trans1"))
    )
    assert float(rows["random"]) < float(rows["rot1"]) < float(rows["trans1"])


def test_every_example_draws_and_explains_in_cells():
    """Narrative cells, and a picture for the gallery's card."""
    for path in EXAMPLES.glob("plot_*.py"):
        source = path.read_text(encoding="utf-8")
        assert source.count("\n# %%\n# ") >= 3, path.name
        assert ".svg" in source, path.name
        assert source.count(".barh(") == source.count("xerr="), (
            f"{path.name}: bars without deviations"
        )


def test_every_example_is_tested():
    source = Path(__file__).read_text(encoding="utf-8")
    assert all(path.stem in source for path in EXAMPLES.glob("*.py"))


@pytest.mark.gallery
def test_which_criterion(tmp_path):
    out, pictures, _ = ran("plot_04_which_criterion", cwd=tmp_path)
    assert len(pictures) == 1
    scores = {line[:18].strip(): float(line[18:].split()[0]) for line in out.strip().splitlines()}
    assert len(scores) == 7
    assert scores["random"] < scores["EM"] < scores["TRANS1"] < scores["CRF (supervised)"]


@pytest.mark.gallery
def test_dependency_grammar(tmp_path):
    out, pictures, _ = ran("plot_05_dependency_grammar", cwd=tmp_path)
    assert len(pictures) == 2
    scores = {line[:30].strip(): float(line[30:].split()[0]) for line in out.splitlines()[:6]}
    assert (
        scores["EM, uniform start"]
        < scores["attach to the next word"]
        < scores["TRANS1, uniform start"]
    )
    assert scores["TRANS1, uniform start"] < scores["supervised"]
    assert "2 lit VBD → 0" in out


@pytest.mark.gallery
def test_from_file_to_tagger(tmp_path):
    out, pictures, folder = ran("plot_06_from_file_to_tagger", "own", cwd=tmp_path)
    assert "checked: all holds" in out
    assert "4 sentences" in out
    assert [picture.startswith("<") for picture in pictures] == [True]
    scores = [float(line.split()[0]) for line in out.splitlines() if "% of ambiguous" in line]
    assert len(scores) == 3 and min(scores) > 62.2  # what untrained weights score
    listed = out.split("explained: ")[1].strip().splitlines()
    shares = [float(line.split()[0]) for line in listed[1:]]
    assert len(shares) == 3 and shares == sorted(shares, reverse=True)
    assert "will light" in (folder / "own" / "why.html").read_text(encoding="utf-8")


@pytest.mark.gallery
def test_constituents_from_raw_text(tmp_path):
    out, pictures, _ = ran("plot_08_constituents_from_raw_text", cwd=tmp_path)
    lines = [line for line in out.splitlines() if "recall of PP" in line]
    f1 = {line.split()[0]: float(line.split()[2]) for line in lines}
    assert f1["da"] <= f1["da-cluster"] < f1["da-stop"] < f1["right-branching"]
    assert ["<svg" in picture for picture in pictures] == [True]


@pytest.mark.gallery
def test_spelling_from_raw_text(tmp_path):
    out, pictures, _ = ran("plot_07_spelling_from_raw_text", cwd=tmp_path)
    rows = [line.split() for line in out.splitlines() if line.startswith("threshold")]
    before, after = float(rows[0][-4]), float(rows[0][-2])
    assert after < before
    precision = [float(row[3].rstrip(",")) for row in rows]
    assert precision[-1] == max(precision)
    assert len(pictures) == 1


@pytest.mark.gallery
def test_latent_grammar(tmp_path):
    out, pictures, _ = ran("plot_09_latent_grammar", cwd=tmp_path)
    scores = [float(line.split()[0]) for line in out.splitlines() if " F1 " in line]
    assert len(scores) == 5
    assert scores[0] < scores[2] and scores[3] < scores[4]
    assert ["Splitting categories" in picture for picture in pictures] == [True]


@pytest.mark.gallery
def test_all_sentences(tmp_path):
    out, pictures, _ = ran("plot_10_all_sentences", cwd=tmp_path)
    assert len(pictures) == 1
    scores = {
        line[:14].strip(): float(line.split("%")[0].split()[-1])
        for line in out.strip().splitlines()[1:]
    }
    assert out.startswith("log Z over all sentences: -7.27 nats at first, ")
    assert scores["all sentences"] > 75 and abs(scores["all sentences"] - scores["LENGTH"]) < 5


@pytest.mark.gallery
def test_your_own_criterion(tmp_path):
    out, _, _ = ran("plot_11_your_own_criterion", cwd=tmp_path)
    right = [float(line.split()[1]) for line in out.splitlines() if line[:2] in ("1.", "0.")]
    assert float(out.split("off by ")[1].split()[0]) < 0.01
    assert right[0] > 80 and max(right[1:]) < right[0] - 5
    assert out.strip().splitlines()[-1].startswith("contrast times 0.7 ")
