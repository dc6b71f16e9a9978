"""`fstce machine info` of lattices, transducers and archives."""

from __future__ import annotations

from pathlib import Path

import pynini

from fstce import Tagger, neighborhood
from fstce.machines import read_far, write_far, write_fst
from fstce.tagging.export import emission_fst, tag_ngram_fst

WORDS = "so it goes"


def test_facts_of_a_transducer_and_of_a_list(fstce, tmp_path: Path) -> None:
    transducer = neighborhood("del1word").transducer(WORDS.split())
    write_fst(transducer, tmp_path / "x.fst")
    out = fstce("machine", "info", tmp_path / "x.fst").out
    assert "transducer, cyclic, unweighted" in out and "no lattice" not in out
    with pynini.Far(
        str(tmp_path / "x.far"), mode="w", arc_type="standard", far_type="stlist"
    ) as far:
        far["a"] = transducer
    assert "machines" in fstce("machine", "info", tmp_path / "x.far").out
    write_far(read_far(tmp_path / "x.far"), tmp_path / "y.far")
    assert list(read_far(tmp_path / "y.far")) == ["a"]


def facts(text):
    """The first word of each line against all others."""
    return dict(line.split(maxsplit=1) for line in text.splitlines() if len(line.split()) > 1)


def test_a_lattice_keeps_the_contract(fstce, tmp_path):
    write_fst(neighborhood("trans1")(["a", "b"]).to_fst(), tmp_path / "x.fst")
    found = facts(fstce("info", tmp_path / "x.fst").out)
    assert (found["states"], found["arcs"]) == ("4", "4")
    assert found["type"] == "vector, arcs standard"
    assert found["contract"] == "kept: it is a lattice"


def test_a_machine_that_is_no_lattice_says_why(fstce, tmp_path):
    fst = neighborhood("trans1")(["a", "b"]).to_fst()
    fst.add_arc(1, pynini.Arc(5, 5, pynini.Weight.one("tropical"), 0))
    write_fst(fst, tmp_path / "x.fst")
    assert "cycle" in facts(fstce("info", tmp_path / "x.fst").out)["contract"]


def test_an_archive(fstce, tmp_path):
    lattices = [neighborhood("trans1")(["a"] * n).to_fst() for n in (1, 2, 3)]
    write_far([(str(i), fst) for i, fst in enumerate(lattices)], tmp_path / "x.far")
    found = facts(fstce("info", tmp_path / "x.far").out)
    assert (found["machines"], found["states"], found["arcs"]) == ("3", "9", "6")
    assert found["contract"] == "kept by 3 machines"


def test_the_machines_of_a_model(fstce, model, tmp_path):
    weighted = Tagger.load(model).weighted_
    write_far(
        [("emissions", emission_fst(weighted)), ("history", tag_ngram_fst(weighted))],
        tmp_path / "m.far",
    )
    found = facts(fstce("info", tmp_path / "m.far").out)
    assert found["machines"] == "2" and found["contract"] == "kept by 0 machines"
