"""Pictures of machines."""

from __future__ import annotations

import os
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pynini
import pytest
from hypothesis import given
from machine_cases import fsts, lattice_fst, run

from fstce import neighborhood
from fstce.errors import MachineError, MissingToolError
from fstce.machines import Symbols, arrays_to_fst, fst_to_arrays
from fstce.machines.drawing import to_dot, to_svg, write_drawing
from fstce.svg import Svg

SVG = "{http://www.w3.org/2000/svg}"
NASTY = ['"quoted"', "back\\slash", "&amp;", "<b>", "\\n", "ε?", "猫"]


def _texts(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.fixture
def no_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)


def _needs_dot() -> None:
    if shutil.which("dot") is None:
        pytest.skip("no program dot")


def test_dot_shows_states_and_words_as_figure_1_does() -> None:
    dot = to_dot(neighborhood("del1word")(["a", "b"]).to_fst())
    assert dot.startswith('digraph "machine" {\n  graph [rankdir=LR')
    assert set(re.findall(r"^  (\d -> \d .*);$", dot, re.M)) == {
        '0 -> 1 [label="a"]',
        '0 -> 2 [label="b"]',
        '1 -> 2 [label="b"]',
    }
    assert re.findall(r"^  (\d+) \[.*doublecircle", dot, re.M) == ["1", "2"]


def test_weights_are_shown_unless_one() -> None:
    fst = pynini.accep("a", weight=0.5)
    assert 'label="97"' in to_dot(fst)
    assert 'xlabel="/0.5"' in to_dot(fst)
    assert "/0.5" in _texts(to_svg(fst))
    weighted = fst_to_arrays(fst)._replace(weight=np.array([0.25]))
    assert 'label="97/0.25"' in to_dot(arrays_to_fst(weighted))


@pytest.mark.parametrize("word", NASTY)
def test_any_word_is_drawn_as_it_is_spelt(word: str) -> None:
    fst = neighborhood("identity")([word]).to_fst()
    assert _texts(to_svg(fst)) == [word]
    _needs_dot()
    assert word in _texts(to_svg(fst, engine="dot"))


@given(fsts("standard", largest_label=3))
def test_any_machine_is_a_well_formed_picture(fst: pynini.Fst) -> None:
    root = ET.fromstring(to_svg(fst))
    states = [title.text for title in root.iter(f"{SVG}title")]
    assert sorted(states) == [f"state {state}" for state in range(fst.num_states())]
    ends = {(state, arc.nextstate) for state in fst.states() for arc in fst.arcs(state)}
    curves = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("marker-end")]
    assert len(curves) == len(set(curves)) == len(ends)


@given(fsts("log64", largest_label=3))
def test_a_picture_contains_all_that_is_drawn(fst: pynini.Fst) -> None:
    root = ET.fromstring(to_svg(fst))
    left, top, width, height = map(float, str(root.get("viewBox")).split())
    for text in root.iter(f"{SVG}text"):
        assert left <= float(str(text.get("x"))) <= left + width
        assert top <= float(str(text.get("y"))) <= top + height


def test_parallel_arcs_share_a_list_that_is_cut() -> None:
    symbols = Symbols("abcdef")
    fst = symbols.any().set_input_symbols(symbols.table).set_output_symbols(symbols.table)
    assert _texts(to_svg(fst)) == ["a, b, c, d +2"]


def test_cycles_and_loops_are_drawn() -> None:
    texts = _texts(to_svg(pynini.closure("a" + pynini.closure("b")).rmepsilon()))
    assert set(texts) == {"97", "98"}


def test_without_graphviz_we_draw_ourselves(no_graphviz: None) -> None:
    assert to_svg(lattice_fst()) == to_svg(lattice_fst(), engine="layered")


def test_without_graphviz_its_engine_and_formats_say_what_to_install(
    no_graphviz: None, tmp_path: Path
) -> None:
    with pytest.raises(
        MissingToolError, match=r"install the package graphviz .* or write a \.dot or \.svg"
    ):
        to_svg(lattice_fst(), engine="dot")
    with pytest.raises(MissingToolError, match="graphviz"):
        write_drawing(lattice_fst(), tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_the_suffix_says_how_to_draw(tmp_path: Path) -> None:
    write_drawing(lattice_fst(), tmp_path / "a.dot")
    write_drawing(lattice_fst(), tmp_path / "a.svg")
    assert (tmp_path / "a.dot").read_text() == to_dot(lattice_fst())
    assert ET.parse(tmp_path / "a.svg").getroot().tag == f"{SVG}svg"
    with pytest.raises(
        MachineError, match=r"a\.gif: cannot draw a file of this kind; use \.dot, \.svg"
    ):
        write_drawing(lattice_fst(), tmp_path / "a.gif")


def test_graphviz_makes_images_and_pages(tmp_path: Path) -> None:
    _needs_dot()
    write_drawing(lattice_fst(), tmp_path / "a.png")
    write_drawing(lattice_fst(), tmp_path / "a.pdf")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_graphviz_reads_every_dot() -> None:
    for name in ("del1word", "trans1", "del1subseq", "length"):
        assert run("dot", "-Tplain", input=to_dot(lattice_fst(name))).startswith("graph")


def test_large_empty_and_unknown_are_refused() -> None:
    with pytest.raises(MachineError, match="2,001 states and 2,000 arcs are too large to draw"):
        to_dot(pynini.accep("a" * 2_000))
    with pytest.raises(MachineError, match="no start state, so there is nothing to draw"):
        to_svg(pynini.Fst())
    with pytest.raises(MachineError, match="unknown engine 'neato'; use auto, dot, layered"):
        to_svg(lattice_fst(), engine="neato")


def _thickness(svg: str) -> dict[str, float]:
    """The thickness of every curve by what it says."""
    curves = [path for path in ET.fromstring(svg).iter(f"{SVG}path") if path.get("marker-end")]
    return {
        str(path.findtext(f"{SVG}title")): float(str(path.get("stroke-width"))) for path in curves
    }


def test_the_more_probable_an_arc_the_thicker_it_is() -> None:
    fst = neighborhood("del1word")(["a", "b"]).to_fst()
    posteriors = [0.25, 0.75, 0.0]  # of a and b at the start, and of b behind a
    found = re.findall(
        r'penwidth=([0-9.]+), .*edgetooltip="(.+?)", labeltooltip="(.+?)"',
        to_dot(fst, posteriors=posteriors),
    )
    assert [said for _, *said in found] == [["a 0.25"] * 2, ["b 0.75"] * 2, ["b 0"] * 2]
    widths = [float(width) for width, *_ in found]
    assert widths[2] < widths[0] < widths[1]
    assert _thickness(to_svg(fst, posteriors=posteriors)) == {
        "a 0.25": widths[0],
        "b 0.75": widths[1],
        "b 0": widths[2],
    }
    assert "penwidth=0.9" in to_dot(fst) and 'tooltip="a' not in to_dot(fst)


def test_parallel_arcs_are_as_thick_as_their_sum() -> None:
    symbols = Symbols("ab")
    fst = symbols.any().set_input_symbols(symbols.table).set_output_symbols(symbols.table)
    one = pynini.accep("a")
    assert _thickness(to_svg(fst, posteriors=[0.25, 0.5])) == {
        "a 0.25, b 0.5": _thickness(to_svg(one, posteriors=[0.75]))["97 0.75"]
    }
    assert (
        _thickness(to_svg(fst, posteriors=[0.6, 0.6])).popitem()[1]
        == _thickness(to_svg(one, posteriors=[1.0]))["97 1"]
    )


def test_graphviz_draws_posteriors(tmp_path: Path) -> None:
    _needs_dot()
    fst = neighborhood("del1word")(["a", '"&"']).to_fst()
    svg = to_svg(fst, engine="dot", posteriors=[0.25, 0.75, 0.25])
    said = [
        str(value)
        for node in ET.fromstring(svg).iter()
        for name, value in node.attrib.items()
        if name.endswith("title")
    ]
    assert {"a 0.25", '"&" 0.75', '"&" 0.25'} <= set(said)
    assert {"1.05", "2.35"} <= {node.get("stroke-width") for node in ET.fromstring(svg).iter()}
    write_drawing(fst, tmp_path / "a.png", posteriors=[0.25, 0.75, 0.25])
    write_drawing(fst, tmp_path / "plain.png")
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "plain.png").read_bytes()
    write_drawing(fst, tmp_path / "a.dot", posteriors=[0.25, 0.75, 0.25])
    assert (tmp_path / "a.dot").read_text().count("penwidth") == 4  # three arcs, and all


def test_notebooks_show_pictures(no_graphviz: None) -> None:
    svg = to_svg(lattice_fst())
    assert svg in svg._repr_html_()
    html = Svg('<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg xmlns="x"/>')._repr_html_()
    assert html.startswith("<div") and '<svg xmlns="x"/>' in html and "xml version" not in html


def test_wide_labels_of_one_curve_stand_below_each_other() -> None:
    words = ["remarkable", "extraordinary", "unbelievable"]
    symbols = Symbols(words)
    fst = symbols.any().set_input_symbols(symbols.table).set_output_symbols(symbols.table)
    assert _texts(to_svg(fst)) == words
    heights = [float(str(t.get("y"))) for t in ET.fromstring(to_svg(fst)).iter(f"{SVG}text")]
    assert heights == sorted(heights) and len(set(heights)) == 3


def test_another_engine_than_ours_draws_svg_alone(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"the engine 'layered' draws \.svg alone"):
        write_drawing(lattice_fst(), tmp_path / "a.dot", engine="layered")


def test_what_dot_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\necho no such layout >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(MachineError, match="graphviz refused the drawing: no such layout"):
        write_drawing(lattice_fst(), tmp_path / "a.png")


def test_a_file_is_drawn_by_the_engine_that_is_asked_for(tmp_path: Path) -> None:
    write_drawing(lattice_fst(), tmp_path / "a.svg", engine="layered")
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert drawn == to_svg(lattice_fst(), engine="layered")
