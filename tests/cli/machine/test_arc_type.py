"""`--arc-type` of what looks at a machine."""

from __future__ import annotations

import pytest


@pytest.fixture
def weights(tmp_path):
    (tmp_path / "w.att").write_text("0\t1\ta\ta\t0.5\n0\t1\ta\tb\t0.5\n1\n")
    return tmp_path / "w.att"


def test_info_draw_and_inspect_read_weights_as_is_asked(fstce, tmp_path, weights):
    contract = "arc type 'standard' must be unweighted"
    (tmp_path / "a.att").write_text("0\t1\ta\t0.5\n1\n")
    assert contract in fstce("machine", "info", tmp_path / "a.att").out
    assert contract not in fstce("machine", "info", tmp_path / "a.att", "--arc-type", "log64").out

    picture = ("-o", tmp_path / "w.svg")
    assert fstce("machine", "draw", weights, "--arc-type", "log64", *picture).code == 0
    page = ("-o", tmp_path / "w.html")
    assert fstce("machine", "inspect", weights, "--arc-type", "log64", *page).code == 0
    assert "log: the probabilities of paths add up" in (tmp_path / "w.html").read_text()


def test_it_is_for_files(fstce, tmp_path):
    done = fstce(
        "machine", "inspect", "trans1", "a b", "--arc-type", "log64", "-o", tmp_path / "x.html"
    )
    assert done.code == 2 and "--arc-type is for a machine's file" in done.err


def test_applied_the_best_path_counts_whatever_the_arc_type(fstce, tmp_path):
    (tmp_path / "w.att").write_text("0\t1\ta\tb\t0.5\n0\t2\ta\tb\t1.5\n1\n2\n")
    log = tmp_path / "log.fst"
    assert fstce("machine", "convert", tmp_path / "w.att", log, "--arc-type", "log64").code == 0
    for file in (tmp_path / "w.att", log):
        assert fstce("machine", "apply", file, "a").out == "a\tb\t0.500000\n"
