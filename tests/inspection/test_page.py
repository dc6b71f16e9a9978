"""A machine's page: what is shown on demand, and the files that it saves."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pynini
import pytest
from machine_cases import run
from page_cases import noted, opened, ready

import fstce
from fstce.machines import Symbols, read_fst
from fstce.machines.convert import read_machine

__all__ = ["opened"]  # a fixture
FORMS = ("fst", "att", "svg", "tikz", "dot")
TEXT = """
const text = name => [...document.querySelectorAll(name)].map(one => one.textContent).join(" | ");
"""


def weighted() -> pynini.Fst:
    """Three ways to begin with `a`, ε between the parts, a loop."""
    table = Symbols("abcd").table

    def part(words: str, weight: float = 0.0) -> pynini.Fst:
        return pynini.accep(words, token_type=table, weight=weight)

    fst = pynini.union(
        part("a b", 1) + pynini.closure(part("c", 0.5)), part("a b d", 0.3), part("a c d", 0.2)
    )
    return fst.set_input_symbols(table).set_output_symbols(table)


def test_numbers_final_weights_and_thickness_are_shown_on_demand(
    opened: Callable[..., str],
) -> None:
    hands = """
    note("numbers", getComputedStyle($(".labels .number")).display);
    $("[name=numbers]").click(); note("shown", getComputedStyle($(".labels .number")).display);
    note("final", getComputedStyle($(".labels .final")).display);
    $("[name=finals]").click(); note("unshown", getComputedStyle($(".labels .final")).display);
    $("[name=thickness]").value = "weight"; $("[name=thickness]").dispatchEvent(new Event("change"));
    note("scale", text(".scale"));
    """
    document = opened(fstce.inspect(weighted()), hands=TEXT + hands)
    assert (noted(document, "numbers"), noted(document, "unshown")) == ("none", "none")
    assert "none" not in (noted(document, "shown"), noted(document, "final"))
    assert re.fullmatch(r"e to the −weight:( +[\d.]+){3} ?", noted(document, "scale"))


FILED = """
for (const form of Object.keys(FILES)) {
  const made = FILES[form](VIEWERS[0]);
  const bytes = typeof made === "string" ? new TextEncoder().encode(made) : made;
  note(form, btoa(String.fromCharCode(...bytes)));
}
const saved = []; // a headless browser has nowhere to save
HTMLAnchorElement.prototype.click = function () { saved.push(`${this.download} ${this.href.slice(0, 5)}`); };
for (const button of document.querySelectorAll("button.file")) button.click();
note("saved", saved.join(", "));
"""


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
def test_what_is_saved_is_the_machine(
    opened: Callable[..., str], tmp_path: Path, arc_type: str
) -> None:
    fst = weighted() if arc_type == "standard" else pynini.arcmap(weighted(), map_type="to_log64")
    document = opened(fstce.inspect(fst), hands=TEXT + FILED)
    assert noted(document, "saved") == ", ".join(f"machine.{form} blob:" for form in FORMS)
    files = {form: tmp_path / f"x.{form}" for form in FORMS}
    for form, path in files.items():
        path.write_bytes(base64.b64decode(noted(document, form)))
    wanted = fst
    assert (
        pynini.isomorphic(read_fst(files["fst"]), wanted)
        and read_fst(files["fst"]).arc_type() == arc_type
    )
    assert pynini.Fst.read(str(files["fst"])).input_symbols().find(
        "a"
    ) == wanted.input_symbols().find("a")
    assert pynini.equivalent(
        pynini.determinize(spelt_alike(read_machine(files["att"]), wanted).rmepsilon()),
        pynini.determinize(pynini.arcmap(wanted, map_type="to_standard").rmepsilon()),
        delta=1e-3,
    )
    picture = ElementTree.parse(files["svg"]).getroot()
    assert (
        picture.tag.endswith("svg") and len(picture.findall(".//{*}circle")) >= wanted.num_states()
    )
    assert files["tikz"].read_text().count("\\draw[->]") == sum(
        map(wanted.num_arcs, wanted.states())
    )
    assert "<path" in run("dot", "-Tsvg", str(files["dot"]))
    if shutil.which("pdflatex") is not None:
        text = files["tikz"].read_text()
        whole = f"\\documentclass{{standalone}}\\usepackage{{tikz}}\\begin{{document}}{text}\\end{{document}}"
        (tmp_path / "x.tex").write_text(whole)
        subprocess.run(
            ["pdflatex", "-halt-on-error", "x.tex"], cwd=tmp_path, check=True, capture_output=True
        )


def spelt_alike(fst: pynini.Fst, other: pynini.Fst) -> pynini.Fst:
    """The machine with the other's numbers of symbols."""
    pairs = [
        (label, other.input_symbols().find(symbol))
        for label, symbol in fst.input_symbols()
        if label and other.input_symbols().member(symbol)
    ]
    return (
        fst.relabel_pairs(pairs, pairs)
        .set_input_symbols(other.input_symbols())
        .set_output_symbols(other.output_symbols())
    )


def test_a_machine_of_two_thousand_states_opens_in_two_seconds(opened: Callable[..., str]) -> None:
    rng, table = np.random.default_rng(0), Symbols(f"w{i}" for i in range(50)).table
    fst = pynini.Fst()
    fst.add_states(2_000)
    fst.set_start(0)
    fst.set_final(1_999)
    for state in range(1_999):
        for target in {
            state + 1,
            *(min(state + int(step), 1_999) for step in rng.integers(1, 9, size=2)),
        }:
            label = 5 + int(rng.integers(50))
            fst.add_arc(state, pynini.Arc(label, label, round(float(rng.exponential()), 2), target))
    fst.set_input_symbols(table).set_output_symbols(table)
    page = fstce.inspect(fst)
    assert ready(opened, page) < 2_000


def test_tags_below_one_in_a_hundred_are_folded(opened: Callable[..., str]) -> None:
    text = fstce.corpora.sample()
    tagger = fstce.Tagger("trans1", order=2, max_iterations=10)
    tagger.fit(text, dictionary=fstce.TagDictionary.from_corpus(text))
    words = ["the", "baker", "will", "light", "the", "lamp"]
    hands = """
    const heads = () => [...document.querySelectorAll(".trellis th[data-tag]")].filter(one => !one.hidden);
    const columns = () => heads().map(one => one.textContent).join(" ");
    note("few", columns()); note("button", text("[name=fold]"));
    $("[name=fold]").click(); note("all", columns());
    """
    document = opened(fstce.inspect(tagger, words), hands=TEXT + hands)
    likely = (tagger.predict_proba([words])[0] >= 0.01).any(axis=0)
    assert noted(document, "few").split() == [
        tag for tag, one in zip(tagger.tags_, likely, strict=True) if one
    ]
    assert noted(document, "all").split() == list(tagger.tags_)
    assert noted(document, "button") == f"{(~likely).sum()} more tags below 0.01"
