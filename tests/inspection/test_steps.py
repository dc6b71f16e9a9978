"""Steps on a page: every machine means what the first means, and files of it are those of the tools."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pynini
import pytest
from machine_cases import run
from oracles_semirings import acyclic_strings, drawn
from page_cases import noted, opened, ready
from patience import patience

import fstce
from fstce.inspection.records import record
from fstce.inspection.steps import MOST, ROOM, STEPS, steps
from fstce.machines import Symbols, read_fst
from fstce.machines.convert import read_machine

__all__ = ["opened"]  # a fixture
NAMES = list(STEPS)
FORMS = ("fst", "att", "svg", "tikz", "dot")
PRESS = """
const buttons = [...document.querySelectorAll("button.step")];
const step = name => buttons.find(one => one.textContent === name).click();
const coloured = kind => document.querySelectorAll(`.curves path.${kind}`).length;
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


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
def test_every_step_keeps_what_strings_weigh(arc_type: str) -> None:
    """On random machines, from each machine to the next; turned round, of the strings backwards."""
    taken: Counter[str] = Counter()
    for seed in range(40):
        machines, following = steps(pynini.arcmap(drawn(seed), map_type=f"to_{arc_type}"))
        assert len(machines) == len(following) <= MOST
        strings = [acyclic_strings(machine) for machine in machines]
        for number, row in enumerate(following):
            for name, result in zip(NAMES, row, strict=True):
                wanted = strings[number]
                if isinstance(result, str) or wanted is None:
                    continue
                if name == "reverse":
                    wanted = {
                        (reads[::-1], writes[::-1]): weight
                        for (reads, writes), weight in wanted.items()
                    }
                taken[name] += 1
                assert strings[result].keys() == wanted.keys(), (seed, name)
                weights = [strings[result][string] for string in wanted]
                assert weights == pytest.approx(list(wanted.values()), rel=2e-3, abs=2e-3), (
                    seed,
                    name,
                )
    assert min(taken[name] for name in NAMES) > 100


def test_each_step_is_openfsts() -> None:
    fst = weighted()
    machines, following = steps(fst)
    first = {
        name: machines[n] for name, n in zip(NAMES, following[0], strict=True) if isinstance(n, int)
    }
    assert pynini.isomorphic(first["remove ε"], fst.copy().rmepsilon())
    assert pynini.isomorphic(first["push"], fst.copy().push())
    plain = machines[following[following[0][0]][1]]
    assert pynini.isomorphic(plain, pynini.determinize(fst.copy().rmepsilon()))
    smallest = machines[following[following[following[0][0]][1]][2]]
    assert pynini.isomorphic(smallest, pynini.determinize(fst.copy().rmepsilon()).minimize())


def test_a_machine_that_cannot_be_determinized_says_so() -> None:
    """Without the twins property, with a cycle of weights that add up, as a transducer of endless delay."""
    loops = [
        pynini.accep("a") + pynini.closure(pynini.accep("b", weight=w)) + end
        for w, end in ((1, "c"), (2, "d"))
    ]
    twins = pynini.union(*loops).rmepsilon()
    begun = time.perf_counter()
    said = steps(twins)[1][0][1]
    assert (
        said
        == "determinize: the determinization needs more than 5,000 states; raise the limit or shorten"
    )
    log = steps(pynini.arcmap(twins, map_type="to_log64"))[1][0]
    assert "a cycle with log64 weights may have no determinization" in log[1]
    assert log[2] == "minimize: two arcs of a state are alike; determinize first"
    free = pynini.arcmap(pynini.closure(pynini.accep("b")).rmepsilon(), map_type="to_log64")
    assert re.match("push: a cycle at state 0 has a weight of 0 or below", steps(free)[1][0][3])
    delay = [pynini.closure(pynini.cross("a", x)) + end for x, end in (("x", "c"), ("y", "d"))]
    assert isinstance(steps(pynini.union(*delay).rmepsilon())[1][0][1], int)
    assert time.perf_counter() - begun < patience(20)


def test_steps_on_the_page(opened: Callable[..., str]) -> None:
    hands = """
    note("whole", text(".after .size") + text(".taken"));
    step("remove ε"); note("epsilon", `${text(".size")}; ${coloured("gone") > 0}`);
    step("determinize"); note("determinized", `${text(".size")}; ${text(".taken")}`);
    note("fresh", coloured("fresh"));
    type("[name=path]", "a b d"); note("path", text(".panes output"));
    step("determinize"); note("again", text(".said"));
    $("[name=back]").click(); $("[name=back]").click(); note("back", text(".size"));
    $("[name=original]").click(); note("reset", text(".after .size") + $(".before").hidden);
    step("minimize"); note("refused", text(".said"));
    note("numbers", getComputedStyle($(".labels .number")).display);
    $("[name=numbers]").click(); note("shown", getComputedStyle($(".labels .number")).display);
    note("final", getComputedStyle($(".labels .final")).display);
    $("[name=finals]").click(); note("unshown", getComputedStyle($(".labels .final")).display);
    $("[name=thickness]").value = "weight"; $("[name=thickness]").dispatchEvent(new Event("change"));
    note("scale", text(".scale"));
    """
    document = opened(fstce.inspect(weighted()), hands=PRESS + hands)
    assert noted(document, "whole") == ""
    assert (
        noted(document, "epsilon")
        == "before: states 14, arcs 14 | after remove ε: states 10, arcs 10; true"
    )
    assert noted(document, "determinized") == (
        "after remove ε: states 10, arcs 10 | after determinize: states 7, arcs 7; remove ε → determinize"
    )
    assert int(noted(document, "fresh")) > 0
    assert noted(document, "path").count("accepted by 3 arcs, weight 0.3") == 2
    assert noted(document, "again") == "determinize changes nothing here"
    assert (
        noted(document, "back") == "before: states 14, arcs 14 | after remove ε: states 10, arcs 10"
    )
    assert noted(document, "reset") == "true"
    assert noted(document, "refused").startswith("minimize: two arcs of a state are alike")
    assert (noted(document, "numbers"), noted(document, "unshown")) == ("none", "none")
    assert "none" not in (noted(document, "shown"), noted(document, "final"))
    assert re.fullmatch(r"(e to the −weight:( +[\d.]+){3} ?[| ]*){2}", noted(document, "scale"))


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
    document = opened(fstce.inspect(fst), hands=PRESS + 'step("remove ε");' + FILED)
    assert noted(document, "saved") == ", ".join(f"machine.{form} blob:" for form in FORMS)
    files = {form: tmp_path / f"x.{form}" for form in FORMS}
    for form, path in files.items():
        path.write_bytes(base64.b64decode(noted(document, form)))
    wanted = fst.copy().rmepsilon()
    assert (
        pynini.isomorphic(read_fst(files["fst"]), wanted)
        and read_fst(files["fst"]).arc_type() == arc_type
    )
    assert pynini.Fst.read(str(files["fst"])).input_symbols().find(
        "a"
    ) == wanted.input_symbols().find("a")
    assert pynini.equivalent(
        pynini.determinize(spelt_alike(read_machine(files["att"]), wanted)),
        pynini.determinize(pynini.arcmap(wanted, map_type="to_standard")),
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
        if label > 4
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
    data = record(page.views[0], alone=True)["data"]
    assert data["steps"] and sum(len(one["source"]) for one in data["steps"]) < ROOM
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
    document = opened(fstce.inspect(tagger, words), hands=PRESS + hands)
    likely = (tagger.predict_proba([words])[0] >= 0.01).any(axis=0)
    assert noted(document, "few").split() == [
        tag for tag, one in zip(tagger.tags_, likely, strict=True) if one
    ]
    assert noted(document, "all").split() == list(tagger.tags_)
    assert noted(document, "button") == f"{(~likely).sum()} more tags below 0.01"
