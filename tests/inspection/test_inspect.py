"""Pages of machines: what they say against OpenFst and enumeration, what they compute against Python."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from html import escape, unescape
from pathlib import Path

import numpy as np
import pynini
import pytest
import pywrapfst
from hypothesis import given
from machine_cases import fsts, lattice_fst, run
from page_cases import LIMIT, noted, opened, ready
from parsing_cases import weighing
from tagging_cases import CORPUS, DICTIONARY, random_theta

import fstce
from fstce import Tagger, neighborhood
from fstce.errors import MachineError, NotFittedError, ParameterError
from fstce.explanation.explain import over
from fstce.inspection.inspect import inspect
from fstce.inspection.page import Inspection
from fstce.inspection.strings import ALL, strings
from fstce.machines import Symbols
from fstce.machines.files import read_fst, write_fst
from fstce.machines.image import chain, fst_to_arrays
from fstce.machines.reach import n_paths
from fstce.tagging.openfst_engine import OpenFstEngine

X = ("The", "dogs", "run", "B52s")
NASTY = ("<b>", "a&b", '"q"', "</script>", "猫")
__all__ = ["opened"]  # a fixture
WIDTH = r'style="stroke-width: ([0-9.]+);"'


def tagger_of(**options: object) -> Tagger:
    """A tagger with random weights."""
    tagger = Tagger(
        **{"neighborhood": "trans1", "order": 2, "unknown_word_model": False, **options}
    )
    tagger.compile(CORPUS, dictionary=DICTIONARY)
    tagger.theta_ = random_theta(tagger.features_)
    return tagger


def exact(document: str, *marks: str) -> float:
    """The exact value of the cell with these attributes."""
    (cell,) = [
        tag
        for tag in re.findall(r"<(?:td|dd)[^>]*>", document)
        if all(mark in tag for mark in marks)
    ]
    return float(re.search(r'data-exact="([^"]+)"', cell)[1])


# --- What is said of a machine ----------------------------------------------------------------------------


def _weighed(fst: pynini.Fst, state: int) -> list[tuple[tuple[int, ...], tuple[int, ...], float]]:
    """What the paths from a state read and write, and their weights; of an acyclic machine."""
    final = float(fst.final(state))
    paths = [((), (), final)] if final != float("inf") else []
    for arc in fst.arcs(state):
        for reads, writes, weight in _weighed(fst, arc.nextstate):
            one, other = (arc.ilabel,) * (arc.ilabel > 0), (arc.olabel,) * (arc.olabel > 0)
            paths.append(((*one, *reads), (*other, *writes), float(arc.weight) + weight))
    return paths


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
def test_strings_have_the_sums_of_their_paths(arc_type: str) -> None:
    """In each semiring: of all strings where they are few, of those listed where they are many."""

    @given(fsts(arc_type, largest_label=3))
    def check(fst: pynini.Fst) -> None:
        fst, n = fst.connect(), n_paths(fst)
        if n is None:
            return
        total: dict[tuple[str, str], float] = {}
        plus = min if arc_type == "standard" else lambda a, b: -np.logaddexp(-a, -b)
        for reads, writes, weight in _weighed(fst, fst.start()) if n else []:
            key = " ".join(map(str, reads)), " ".join(map(str, writes))
            total[key] = plus(total.get(key, np.inf), weight)
        for listed in (strings(fst, n), strings(fst, ALL + 1 if n else n)):
            for row in listed.rows:
                assert row.weight == pytest.approx(total[row.reads, row.writes], rel=1e-6, abs=1e-4)
        rows = strings(fst, n).rows
        assert n > ALL or len(rows) == len(total)
        assert [row.weight for row in rows] == sorted(row.weight for row in rows)

    check()


def test_two_paths_of_a_string_add_up(tmp_path: Path) -> None:
    """−log(2 e^−1.5) = .807, in arc type log; the better of both in standard."""
    (tmp_path / "m.txt").write_text("0 1 1 1 1.5\n0 2 1 1 1.5\n1\n2\n")
    for arc_type, weight in (
        ("standard", 1.5),
        ("log", 1.5 - np.log(2)),
        ("log64", 1.5 - np.log(2)),
    ):
        run(
            "fstcompile", f"--arc_type={arc_type}", str(tmp_path / "m.txt"), str(tmp_path / "m.fst")
        )
        fst = read_fst(tmp_path / "m.fst")
        (row,) = strings(fst, n_paths(fst)).rows
        assert row.weight == pytest.approx(weight, abs=1e-6)


def test_rounds_of_epsilon_without_a_sum_are_said() -> None:
    fst = pynini.arcmap(pynini.accep("a"), map_type="to_log64")
    fst.add_arc(0, pynini.Arc(0, 0, pynini.Weight("log64", 0.0), 0))
    assert np.isnan(strings(fst, n_paths(fst)).rows[0].weight)


def test_a_long_chain_is_cut_and_says_so() -> None:
    """Its strings are made in linear time: a chain of 200,000 states within seconds."""
    fst = pynini.Fst.from_pywrapfst(
        pywrapfst.convert(chain(np.full(200_000, 7, np.int32)), "vector")
    )
    began = time.process_time()
    (row,) = strings(fst, 1).rows
    assert time.process_time() - began < 10
    assert row.reads.startswith("7 7 7") and row.reads.endswith(" … (200,000 labels)")


def test_a_cycle_has_its_shortest_strings() -> None:
    star = pynini.closure("a" + pynini.closure("b")).optimize()
    shortest = strings(star, None)
    assert shortest.title == "20 of the shortest strings"
    assert [row.reads for row in shortest.rows[:2]] == ["", "97"]


def test_negative_cycles_end() -> None:
    fst = pynini.closure(pynini.accep("a", weight=-1.0))
    assert strings(fst.rmepsilon(), None).title == "20 of the shortest strings"


# --- What can be inspected --------------------------------------------------------------------------------


@pytest.mark.parametrize("arc_type", ["standard", "log", "log64"])
def test_any_arc_type_is_shown(arc_type: str, tmp_path: Path, opened: Callable[..., str]) -> None:
    text = tmp_path / "m.txt"
    text.write_text("0 1 1 2 0.5\n0 1 2 2 1.5\n1 0.25\n")
    run("fstcompile", f"--arc_type={arc_type}", str(text), str(tmp_path / "m.fst"))
    document = opened(inspect(tmp_path / "m.fst"))
    assert (
        "tropical" in document
        if arc_type == "standard"
        else "probabilities of paths add up" in document
    )
    assert ">1:2/0.5</text>" in document and ">2/1.5</text>" in document
    # Both arcs share a curve, which all paths take.
    assert re.search(r"stroke-width: 3\.5", document)


def test_a_path_is_highlighted_and_posteriors_are_thickness(opened: Callable[..., str]) -> None:
    fst = neighborhood("del1word")(["so", "it", "goes"]).to_fst()
    document = opened(inspect(fst, ["so", "goes"]))
    assert "accepted by 2 arcs, weight 0: so goes" in document
    assert re.findall(r'<g class="on"><text[^>]*>(\w+)<', document) == ["so", "goes"]
    arrays = fst_to_arrays(fst)
    lattice = neighborhood("del1word")(["so", "it", "goes"])
    shares = [0.0] * len(arrays.source)
    for sentence in lattice.strings():
        state = 0
        for word in sentence:
            (arc,) = np.flatnonzero(
                (arrays.source == state) & (arrays.ilabel == lattice.symbols.ids([word])[0])
            )
            shares[arc] += 1 / lattice.count()
            state = arrays.next[arc]
    widths = sorted(float(w) for w in re.findall(WIDTH, document))
    assert widths == pytest.approx(sorted(0.5 + 3 * share for share in shares), abs=1e-4)


def test_stages_stand_side_by_side(opened: Callable[..., str]) -> None:
    page = fstce.inspect("trans1", ["natural", "language", "is", "a", "delicate", "thing"])
    assert [view.title for view in page.views] == list(
        neighborhood("trans1").stages(["natural", "language"])
    )
    document = opened(page)
    assert document.count("<svg") == 6 and document.count("accepted by 6 arcs") == 5
    # Copied where it can be
    assert document.count("weight 0: natural language is a delicate thing<") == 5
    assert opened(fstce.inspect("half:first", X)).count("<svg") == 1  # no transducer, no stages


def test_words_that_a_page_could_stumble_over(opened: Callable[..., str]) -> None:
    document = opened(fstce.inspect("trans1", NASTY))
    for word in NASTY:
        assert re.search(rf"<text[^>]*>{re.escape(escape(word, quote=False))}<", document)


def test_a_large_machine_is_looked_at_in_parts(opened: Callable[..., str], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words = {"".join(rng.choice(list("abcdefghij"), size=8)) for _ in range(5_000)}
    fst = pynini.union(
        *[pynini.accep(" ".join(word).replace(" ", "")) for word in sorted(words)]
    ).optimize()
    arcs = sum(map(fst.num_arcs, fst.states()))
    assert arcs > 10_000
    word = sorted(words)[5]
    document = opened(inspect(fst, list(map(str, word.encode()))))
    assert "Too large to be drawn whole" in document
    assert f"accepted by {len(word)} arcs" in document
    assert 5 < document.count("<circle") < 400


def test_a_file_with_a_sentence_is_a_neighbourhood(tmp_path: Path) -> None:
    kind = neighborhood("del1word")
    write_fst(kind.transducer(["so", "it"]), tmp_path / "d.fst")
    page = inspect(tmp_path / "d.fst", ["so", "it"])
    assert [view.title for view in page.views][-1] == "minimized"
    assert page.summary == "The neighborhood of “so it” has 3 sentences."


def test_wrong_things_have_one_clear_message(tmp_path: Path) -> None:
    (tmp_path / "x.fst").write_text("no machine")
    with pytest.raises(MachineError, match="not an OpenFst machine"):
        inspect(tmp_path / "x.fst")
    with pytest.raises(MachineError, match="no such file"):
        inspect(tmp_path / "y.fst")
    with pytest.raises(ParameterError, match="int is nothing to inspect"):
        inspect(3)
    with pytest.raises(ParameterError, match="a parser is inspected on a sentence"):
        inspect(weighing(np.zeros(45)))
    with pytest.raises(ParameterError, match="is that of a model; leave it out"):
        inspect("trans1", X, neighborhood="del1word")
    with pytest.raises(NotFittedError):
        inspect(Tagger(), X)
    unknown = lattice_fst()
    symbols = Symbols(["a"]).table
    unknown.set_input_symbols(symbols).set_output_symbols(symbols)
    with pytest.raises(MachineError, match="has no symbol"):
        inspect(unknown).to_html()


# --- Models -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("trans1", {}),
        ("del1subseq", {"order": 3, "spelling": True}),
        ("trans1", {"unknown_word_model": True}),
    ],
)
def test_dragged_weights_give_what_python_computes(
    kind: str, options: dict[str, object], opened: Callable[..., str]
) -> None:
    tagger = tagger_of(**options)
    page = inspect(tagger, X, neighborhood=kind)
    model = page.tagger.data
    asked = over(tagger, X, kind)
    used = np.flatnonzero((asked.whole().counts != 0) | (asked.of([X])[0].counts != 0))
    names = dict(page.tagger.features)
    changed = {0: 1.25, len(model["theta"]) // 2: -2.5, len(model["theta"]) - 1: 0.75}
    numbers = {" ".join(name): f for f, name in zip(used.tolist(), asked.names(used), strict=True)}
    for number, value in changed.items():
        tagger.theta_[numbers[" ".join(names[number].name)]] = value
    document = opened(page, "#w=" + ",".join(f"{f}:{value}" for f, value in changed.items()))
    asked = over(tagger, X, kind)
    own, whole = asked.of([X])[0], asked.whole()
    assert exact(document, "z-own") == pytest.approx(own.log_z, abs=1e-9)
    assert exact(document, "z-all") == pytest.approx(whole.log_z, abs=1e-9)
    assert exact(document, "z-log") == pytest.approx(own.log_z - whole.log_z, abs=1e-9)
    rows = re.findall(r'<tr data-feature="(\d+)" data-name="([^"]*)".*?</tr>', document, re.S)
    assert len(rows) == len(model["theta"])
    for row in re.finditer(r'<tr data-feature="\d+" data-name="([^"]*)".*?</tr>', document, re.S):
        f = numbers[unescape(row[1]).replace(": ", " ", 1)]
        values = [exact(row[0], f'data-value="{name}"') for name in ("own", "other", "gradient")]
        wanted = [own.counts[f], whole.counts[f], own.counts[f] - whole.counts[f]]
        assert values == pytest.approx(wanted, abs=1e-9)
    posteriors = tagger.predict_proba([X])[0]
    for word in range(len(X)):
        for tag in range(len(tagger.tags_)):
            shown = exact(document, f'data-word="{word}"', f'data-tag="{tag}"')
            assert shown == pytest.approx(posteriors[word, tag], abs=1e-9)
    widths = [float(w) for w in re.findall(WIDTH, document)]
    arcs = asked.arc_posteriors()
    data = json.loads(re.search(r'id="data">(.*?)</script>', document)[1])
    curves = data["machines"][0]["drawing"]["curves"]
    wanted = [0.5 + 3 * min(sum(arcs[list(curve[-1])]), 1) for curve in curves]
    assert widths == pytest.approx(wanted, abs=1e-4)


def test_a_parser_has_posteriors_and_a_model_alone_its_machines(opened: Callable[..., str]) -> None:
    parser = weighing(np.random.default_rng(0).normal(size=45), neighborhood="delortrans1")
    page = inspect(parser, ("D", "N", "V"))
    assert page.tagger is None and "small taggers alone" in page.summary
    assert page.views[0].posteriors == over(parser, ("D", "N", "V")).arc_posteriors().tolist()
    assert opened(page).count("<svg") == 1
    assert [view.title for view in inspect(tagger_of()).views] == ["history", "emissions"]


def test_the_page_loads_nothing() -> None:
    html = inspect(tagger_of(), X).to_html()
    assert "default-src 'none'" in html and "script-src 'sha256-" in html and "img-src" not in html
    addresses = set(re.findall(r"https?://[^\"'\s)]+", html))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert html == inspect(tagger_of(), X).to_html()
    assert inspect("trans1", X)._repr_html_().startswith("<iframe")


def test_pages_are_written_whole(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="nowhere"):
        inspect("trans1", X).write(tmp_path / "nowhere" / "x.html")


def test_a_transducer_that_is_no_neighbourhood_is_shown_as_it_is(tmp_path: Path) -> None:
    table = Symbols(["dog", "Hund"]).table
    word = pynini.cross(
        pynini.accep("dog", token_type=table), pynini.accep("Hund", token_type=table)
    )
    write_fst(word.set_input_symbols(table).set_output_symbols(table), tmp_path / "w.fst")
    page = inspect(tmp_path / "w.fst", ["dog"])
    assert len(page.views) == 1 and page.views[0].sentence == ("dog",)
    assert page.summary.startswith("It is no neighborhood of this: ")


# --- Hands ------------------------------------------------------------------------------------------------


def test_keys_and_fields_do_what_they_say(opened: Callable[..., str]) -> None:
    hands = """
    const box = () => $("svg").getAttribute("viewBox").split(" ").map(Number);
    const [x, y, w, h] = box();
    press("+"); note("closer", box()[2] < w && box()[3] < h);
    press("ArrowRight"); note("right", box()[0] > x);
    press("0"); note("fit", box().join() === [x, y, w, h].join());
    press("n"); note("arc", $("output").textContent);
    type("[name=find]", "goes"); note("find", $("output").textContent);
    note("found", document.querySelectorAll(".labels .found").length);
    type("[name=find]", "2"); note("state", $("output").textContent);
    type("[name=path]", "it goes"); note("path", $("output").textContent);
    type("[name=path]", "goes so"); note("none", $("output").textContent);
    $("button.string").click(); note("string", $("output").textContent);
    """
    fst = neighborhood("del1word")(["so", "it", "goes"]).to_fst()
    document = opened(inspect(fst), hands=hands)
    assert [noted(document, name) for name in ("closer", "right", "fit")] == ["true"] * 3
    assert re.fullmatch(r"\d → \d: \w+ \(posterior 0\.\d+\)", noted(document, "arc"))
    assert noted(document, "find") == "“goes”: 3 arcs" and noted(document, "found") == "3"
    assert re.match(r"state 2[,;].* arcs leave", noted(document, "state"))
    assert noted(document, "path") == "accepted by 2 arcs, weight 0: it goes"
    assert noted(document, "none") == "“goes so” is not accepted"
    assert noted(document, "string").startswith("accepted by ")


def test_a_dragged_weight_and_a_step_uphill(opened: Callable[..., str]) -> None:
    tagger = tagger_of()
    page = inspect(tagger, X)
    hands = """
    const z = () => +$("[data-value=z-log]").dataset.exact;
    const before = z();
    $("[name=rate]").value = 0.01; $("[name=step]").click(); note("step", z() - before);
    note("length", $("[data-value=z-norm]").dataset.exact);
    $("[name=reset]").click(); note("reset", z() - before);
    type("tr[data-feature='0'] input[type=range]", 1.5); note("after", z());
    note("hash", location.hash);
    """
    document = opened(page, hands=hands)
    asked = over(tagger, X)
    gradient = asked.of([X])[0].counts - asked.whole().counts
    assert float(noted(document, "step")) == pytest.approx(0.01 * (gradient @ gradient), rel=0.05)
    assert float(noted(document, "reset")) == pytest.approx(0.0, abs=1e-12)
    used = np.flatnonzero((asked.whole().counts != 0) | (asked.of([X])[0].counts != 0))
    tagger.theta_[used[0]] = 1.5
    asked = over(tagger, X)
    wanted = asked.of([X])[0].log_z - asked.whole().log_z
    assert float(noted(document, "after")) == pytest.approx(wanted, abs=1e-9)
    assert noted(document, "hash") == "#w=0:1.5"


@pytest.mark.parametrize("width", [500, 1280])
def test_a_page_is_never_wider_than_the_window(width: int, opened: Callable[..., str]) -> None:
    hands = 'note("over", document.documentElement.scrollWidth - innerWidth);'
    for page in (inspect(tagger_of(), X), inspect("del1subseq", X), inspect(large_machine())):
        assert int(noted(opened(page, hands=hands, width=width), "over")) <= 0


def large_machine() -> pynini.Fst:
    """Four thousand arcs that read long symbols."""
    symbols = Symbols([f"a-rather-long-symbol-{i}" for i in range(2_000)])
    any_word = symbols.any()
    fst = (any_word + any_word).rmepsilon()
    return fst.set_input_symbols(symbols.table).set_output_symbols(symbols.table)


# --- Five machines ----------------------------------------------------------------------------------------

LINE = [
    "the",
    "old",
    "man",
    "who",
    "lived",
    "near",
    "the",
    "river",
    "often",
    "told",
    "his",
    "children",
]


def lexicon(folder: Path) -> Inspection:
    """Some 10,000 arcs, words with two endings, compiled by HFST."""
    rng = np.random.default_rng(0)
    letters = list("abcdefghijklmnoprstuvz")
    stems = sorted({"".join(rng.choice(letters, size=7)) for _ in range(3_600)})
    lines = ["Multichar_Symbols +N +Pl +Sg", "LEXICON Root", *(f"{stem} N ;" for stem in stems)]
    text = "\n".join([*lines, "LEXICON N", "+N+Sg:0 # ;", "+N+Pl:s # ;", ""])
    (folder / "x.lexc").write_text(text)
    run("hfst-lexc", str(folder / "x.lexc"), "-o", str(folder / "x.hfst"))
    page = inspect(folder / "x.hfst", [*stems[3], "+N", "+Pl"])
    fst = page.views[0].fst
    assert sum(map(fst.num_arcs, fst.states())) > 10_000
    return page


def recognized() -> pynini.Fst:
    """A recognizer's lattice: at each word some rivals with −log probabilities."""
    rng = np.random.default_rng(1)
    fst, table = (
        pynini.Fst(arc_type="log64"),
        Symbols([*LINE, *(f"rival-{i}" for i in range(30))]).table,
    )
    fst.add_states(len(LINE) + 1)
    fst.set_start(0)
    fst.set_final(len(LINE))
    for at, word in enumerate(LINE):
        for rival in (word, *(f"rival-{i}" for i in rng.choice(30, size=3, replace=False))):
            label = table.find(rival)
            weight = pynini.Weight("log64", round(float(rng.exponential()), 3))
            fst.add_arc(
                at, pynini.Arc(label, label, weight, min(at + int(rng.integers(1, 3)), len(LINE)))
            )
    return fst.connect().set_input_symbols(table).set_output_symbols(table)


def product(tagger: Tagger, words: Sequence[str]) -> pynini.Fst:
    """TRANS1 of a sentence ∘ the tagger."""
    engine = OpenFstEngine(tagger.weighted_, [words])
    (lattice,) = neighborhood("trans1").expand([words], engine.symbols)
    return engine.product(pynini.arcmap(lattice.to_fst(), map_type="to_log64"))


@pytest.mark.parametrize(
    "make",
    [
        lambda _: inspect(
            neighborhood("trans1")(["natural", "language", "is", "a", "delicate", "thing"])
        ),
        lambda _: inspect(neighborhood("del1subseq")(LINE)),
        lexicon,
        lambda _: inspect(recognized()),
        lambda _: inspect(product(tagger_of(order=3), X)),
    ],
    ids=["figure 1", "del1subseq", "lexicon", "recognizer", "product"],
)
def test_five_machines_open_in_a_second(
    make: Callable[[Path], Inspection], opened: Callable[..., str], tmp_path: Path
) -> None:
    page = make(tmp_path)
    assert len(page.to_html().encode()) < LIMIT
    assert ready(opened, page) < 1_000


def test_the_best_path_has_the_least_weight_and_copies_most(opened: Callable[..., str]) -> None:
    symbols = Symbols("abc").table
    fst = pynini.Fst()
    fst.add_states(4)
    fst.set_start(0)
    fst.set_final(3)
    for source, reads, writes, weight, target in (
        *((0, 5, 6, 1.0, 1), (0, 5, 5, 1.0, 2), (0, 5, 7, 0.5, 3)),
        *((1, 6, 6, 0.5, 3), (2, 6, 6, 0.5, 3), (3, 6, 7, 2.0, 3)),
    ):
        fst.add_arc(source, pynini.Arc(reads, writes, weight, target))
    fst.set_input_symbols(symbols).set_output_symbols(symbols)
    assert "accepted by 2 arcs, weight 1.5: a b<" in opened(inspect(fst, ["a", "b"]))
    assert "accepted by 1 arcs, weight 0.5: a:c<" in opened(inspect(fst, ["a"]))
