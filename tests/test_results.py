"""The pages of docs/results are short, and quote what the measuring scripts wrote."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html import escape
from pathlib import Path
from statistics import stdev

import plot_10_all_sentences
import pytest

import fstce
from examples.experiments import reproduced, tables
from examples.experiments import speed as speeds
from fstce.machines import algebra
from fstce.reproduction.run import published
from fstce.wfsa import compile as compiled
from fstce.wfsa import features

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
TABLES, REPRODUCED = vars(tables), vars(reproduced)
PAGES = sorted(RESULTS.glob("*.md"))
NAMES = [page.name for page in PAGES]
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
SCRIPT = """
import pathlib, sys
name = pathlib.Path(sys.argv[2]).stem
with open(pathlib.Path(__file__).with_name("log"), "a") as log:
    log.write(name)
print(f"| corpus | EM |\\n|---|---|\\n| {name} | 1 |\\n| **mean** | 1 |")
"""
Numbers = Callable[[str, str], float]


def text_of(name: str) -> str:
    return (RESULTS / name).read_text(encoding="utf-8")


def number(name: str) -> Numbers:
    """The numbers of a data file by row and column."""
    _, table = TABLES["read"](name)
    return lambda row, column: float(table[row][column].replace(",", ""))


def prose(page: str) -> list[str]:
    """The words of a page that are read as text: no tables, no code, no comments, no targets of links."""
    page = re.sub(r"```.*?```|<!--.*?-->|^\|.*$", "", page, flags=re.S | re.M)
    return re.findall(r"\w[\w.'’-]*", re.sub(r"\]\([^)]*\)", "]", page))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_short(name: str) -> None:
    assert len(prose(text_of(name))) <= 700


def test_all_pages_together_are_short() -> None:
    assert sum(page.stat().st_size for page in PAGES) <= 48 * 1024


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"index.md"}))
def test_a_page_is_a_question_a_table_three_things_limits_and_a_command(name: str) -> None:
    page = text_of(name)
    assert re.match(r"# .*\?\n\n", page)
    assert len(list(TABLES["quoted"](page))) == 1
    assert len(re.findall(r"^\|[-|: ]+\|$", page, re.M)) == 1
    assert len(re.findall(r"^\d\. ", page.partition("## Three things to take away")[2], re.M)) == 3
    assert "\n## Limits\n" in page
    assert re.search(r"<details><summary>.*</summary>\n(.|\n)*```(sh|text)\n", page)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"index.md"}))
def test_tables_quote_what_a_script_wrote(name: str) -> None:
    for source, table in TABLES["quoted"](text_of(name)):
        said, data = TABLES["read"](source)
        assert {"command", "measured"} <= set(said)
        header, *rows = TABLES["cells"](table)
        assert len(header) <= 8
        for row in rows:
            for column, cell in zip(header[1:], row[1:], strict=True):
                assert cell == data[row[0]][column], (source, row[0], column)
                assert column == "unit" or len(NUMBER.findall(cell)) <= 1


def test_every_data_file_says_how_it_was_made_and_has_one_number_a_cell() -> None:
    for path in sorted((RESULTS / "data").glob("*.tsv")):
        said, table = TABLES["read"](path.stem)
        assert {"command", "measured"} == set(said), path.name
        assert table, path.name
        for row in table.values():
            for cell in list(row.values())[1:]:
                assert re.fullmatch(r"(-?[\d,]+(\.\d+)?[GM]?|[a-z][a-z ]*)?", cell), (
                    path.name,
                    cell,
                )


def test_marked_tables_and_figures_are_as_they_would_be_drawn_now() -> None:
    for page in PAGES:
        for source, table in TABLES["quoted"](page.read_text(encoding="utf-8")):
            assert table == TABLES["drawn"](source, table), (page.name, source)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"index.md"}))
def test_a_page_has_a_figure_that_is_drawn_of_its_data(name: str) -> None:
    page = text_of(name)
    (target,) = re.findall(r"^!\[.+\]\((.+\.svg)\)$", page, re.M)
    assert (RESULTS / target).is_file()
    ((source, _),) = TABLES["quoted"](page)
    assert Path(target).stem == source
    assert source in TABLES["FIGURES"]


def test_figures_show_the_rows_of_the_data_files() -> None:
    pytest.importorskip("matplotlib")
    for name, chart in TABLES["FIGURES"].items():
        drawn = (RESULTS / f"{name}.svg").read_text(encoding="utf-8")
        _, table = TABLES["read"](name)
        shown = [
            row
            for row in table
            if row not in chart.without and any(map(table[row].get, chart.columns))
        ]
        assert all(
            f"<!-- {row} -->" in drawn or escape(row, quote=False) in drawn for row in shown
        ), name


def test_a_table_is_made_of_what_a_script_prints() -> None:
    task, merged = TABLES["Task"], TABLES["merged"]
    printed = [
        "| corpus | n | right |\n|---|---|---|\n| A | 3 | 50.0 ± 1.5 |\n| mean | | 50.0 |\n",
        "| corpus | n | right |\n|---|---|---|\n| **B** | 4 | 60.0 ± 0.5 |\n| mean | | 60.0 |\n",
    ]
    table = merged(printed, task(("a.py",), ("A", "B")))
    assert table["A"] == {"corpus": "A", "n": "3", "right": "50.0", "right ±": "1.5"}
    assert table["B"]["right"] == "60.0" and table["mean"]["right"] == "55.0"
    header = "| corpus | size | way | all |\n|---|---|---|---|\n"
    long = [f"{header}| A | big | x | 1.0 [0, 2] |\n| A | small | x | 9.0 |\n"]
    table = merged(long, task(("a.py",), ("A",), "way", "corpus", "all", ("size", "big")))
    assert table == {"x": {"way": "x", "A": "1.0", "A low": "0", "A high": "2"}}


def test_what_the_experiments_write_becomes_a_data_file(tmp_path: Path) -> None:
    """Rows by their names there, numbers rounded, an interval as its two ends; what is there is not run."""
    part = REPRODUCED["REPRODUCED"]["products"][2]
    folder = tmp_path / "-".join(part.run).replace("/", "-").replace("--", "")
    folder.mkdir()
    head = "grammars,development: F1,development: 95 % of F1,"
    head += "test: F1,test: 95 % of F1,test: exact,Berkeley: test F1"
    rows = [
        "1,88.04,86.0–90.0,86.1,84.0–88.0,28.0,",
        "8,89.16,87.7–90.6,88.71,87.2–90.3,33.48,88.5",
    ]
    (folder / "products.csv").write_text("\r\n".join([head, *rows, ""]), encoding="utf-8")
    table = REPRODUCED["reproduced"]([part], tmp_path, tmp_path)
    _, stored = TABLES["read"]("products")
    assert list(table) == ["product of 8"]
    assert {k: v for k, v in table["product of 8"].items() if k != "row"}.items() <= stored[
        "product of 8"
    ].items()


def test_what_pages_quote_is_measured_by_a_script() -> None:
    quoted = {source for name in NAMES for source, _ in TABLES["quoted"](text_of(name))}
    assert quoted <= {*TABLES["TASKS"], *REPRODUCED["REPRODUCED"]}
    for name, parts in REPRODUCED["REPRODUCED"].items():
        columns = set(next(iter(TABLES["read"](name)[1].values())))
        for heading in (heading for part in parts for heading in part.columns):
            assert {heading, f"{heading} low", f"{heading} high"} & columns, (name, heading)


def test_the_table_of_speed_is_made_of_the_lines_of_the_benchmarks() -> None:
    speed = vars(speeds)
    line = "TRANS1, ms a sentence: lattice 0.500, product 0.300, packing 0.201"
    patterns = dict(zip((what for what, _ in speed["LINES"]), speed["LINES"].values(), strict=True))
    what = "lattice, product and packing of a sentence"
    parts = re.search(patterns[what], line).groupdict()
    assert speed["row_of"](what, "ms", parts) == f"| {what} | 1.00 | ms |  |  |"
    assert (
        speed["row_of"]("x", "ns an arc", {"ours": "13.9", "other": "1806"})
        == "| x | 13.9 | ns an arc | 1806 | 130 |"
    )
    assert list(patterns) == list(TABLES["read"]("speed")[1])


def test_what_is_measured_is_not_measured_again(tmp_path: Path) -> None:
    (tmp_path / "docs" / "results" / "data").mkdir(parents=True)
    (tmp_path / "dictionaries").mkdir()
    for name in "AB":
        (tmp_path / "dictionaries" / f"{name}.conllu").write_text("")
    laboratory = tmp_path / "examples" / "experiments"
    laboratory.mkdir(parents=True)
    for module in ("__init__.py", "tables.py", "reproduced.py"):
        shutil.copy(ROOT / "examples" / "experiments" / module, laboratory)
    (laboratory / "panel_tagging.py").write_text(SCRIPT)
    program = "from examples.experiments.tables import *; run(Path('.').resolve(), ['answers'])"
    log = tmp_path / "build" / "tables" / "panel_tagging-outside.jsonl"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
        log.write_text("".join(log.read_text().splitlines(keepends=True)[:-1]))  # without B
    assert (laboratory / "log").read_text() == "ABB"

    data = (tmp_path / "docs" / "results" / "data" / "answers.tsv").read_text().splitlines()
    assert data[0] == "# command: python -m examples.experiments.panel_tagging outside CORPUS …"
    assert data[2:] == ["corpus\tEM", "A\t1", "B\t1", "mean\t1.0"]


def says(name: str, *numbers: float, digits: int = 1, text: str = "{}") -> None:
    """A page says these numbers in this sentence."""
    said = text.format(*(f"{value:.{digits}f}" for value in numbers))
    assert said in text_of(name), f"{name}: {said}"


def test_what_pages_conclude_of_tagging() -> None:
    right = number("tagging")
    gain = {
        row: right(row, "24K selected") - right("EM", "24K selected")
        for row in ("TRANS1", "DEL1WORD")
    }
    says(
        "tagging.md",
        *gain.values(),
        text="teaches {} points more than EM, with one deleted word {} more",
    )
    assert right("DEL1SUBSEQ", "24K selected") < right("EM", "24K selected")
    more = [
        right(row, "89K selected") - right(row, "24K selected")
        for row in ("TRANS1", "LENGTH", "EM")
    ]
    says("tagging.md", *more, text="TRANS1 gains {} points, LENGTH {} and EM {}")

    # With more text both deletions are above EM here, and below it in the paper.
    paper = published("tagging", "table", "criterion", "words", "dictionary", "features")
    whole, part = (
        {row[1]: cells["selected"] for row, cells in paper.items() if row[::2][:2] == at}
        for at in (("figure2", "96000"), ("figure2", "24000"))
    )
    more = [whole[row] - part[row] for row in ("trans1", "length", "em")]
    says("tagging.md", -more[0], *more[1:], text="(paper: −{}, {}, {})")
    for row in ("DEL1WORD", "DEL1SUBSEQ"):
        assert right(row, "89K selected") > right("EM", "89K selected")
        assert whole[row.lower()] < whole["em"]
    drawn = number("tagging_drawn")
    for columns, text in (
        ("won back", "{} % for DELORTRANS1, {} % for TRANS1 and {} % for LENGTH"),
        ("listed only won back", "weights of their own, {}, {} and {} %"),
    ):
        shares = (drawn(row, columns) for row in ("DELORTRANS1", "TRANS1", "LENGTH"))
        says("tagging.md", *shares, digits=0, text=text)
    for row in ("DELORTRANS1", "TRANS1", "LENGTH"):
        full, diluted = (drawn(row, name) for name in ("all words listed", "trigrams"))
        for name, share in (("spelling", "won back"), ("listed only", "listed only won back")):
            back = 100 * (drawn(row, name) - diluted) / (full - diluted)
            assert back == pytest.approx(drawn(row, share), abs=1)
    for part in ("selected", "oracle"):
        for column in (f"24K {part}", f"89K {part}", f"paper {part}"):
            worst = min(right(row, column) for row in ("LENGTH", "TRANS1", "DELORTRANS1"))
            assert worst > right("DEL1WORD", column) > right("EM", column)


def test_what_pages_conclude_of_held_out_text() -> None:
    corpora = ("WSJ", "French", "English ATIS", "Turkish ATIS", "Malagasy")
    whole, oov, small = number("held_out"), number("held_out_oov"), number("held_out_500")
    values = [oov("auto", corpus) for corpus in corpora]
    assert (int(min(values)), int(max(values))) == (72, 89)
    below = max(oov("HMM, supervised", corpus) - oov("auto", corpus) for corpus in corpora[:-1])
    says("held_out.md", below, text="at most {} points below a supervised hidden Markov model")
    for row, text in (
        ("auto", "has {}, {}, {}, {} and {} % right"),
        ("EM", "EM has {}, {}, {}, {} and {}"),
    ):
        says("held_out.md", *(whole(row, corpus) for corpus in corpora), text=text)
    loss = max(whole("EM", corpus) - whole("auto", corpus) for corpus in corpora)
    says("held_out.md", loss, text="The mean is never far below EM: {} points in Turkish")
    gains = [small("auto", corpus) - small("EM", corpus) for corpus in corpora]
    order = (gains[0], gains[2], gains[4], -gains[1])
    said = "{} points over EM on WSJ, {} in English ATIS and {} in Malagasy, and loses {}"
    says("held_out.md", *order, text=said)
    assert all(
        oov("auto", f"{corpus} high") - oov("auto", f"{corpus} low") <= 6
        for corpus in ("WSJ", "French", "Malagasy")
    )


def test_what_pages_conclude_of_annotation() -> None:
    corpora = ("WSJ", "French", "English ATIS", "Turkish ATIS", "Malagasy")
    right = number("few_labeled")
    gains = [right("product of the last two", c) - right("python-crfsuite", c) for c in corpora]
    says(
        "annotation.md",
        *gains,
        text="{} points over python-crfsuite on WSJ, {} in French, {} in English, {} in Turkish and {} in",
    )
    better = [c for c in corpora if right("CRF, classes", c) > right("product of the last two", c)]
    assert better == ["English ATIS", "Malagasy"]
    sentences, words = number("growing_sentences"), number("growing_words")
    gains = [
        sentences(f"{c}, suggested", "1800") - sentences(f"{c}, random", "1800")
        for c in corpora[:-1]
    ]
    says(
        "annotation.md", min(gains), max(gains), text="bring {} to {} points more than random ones"
    )
    gains = [
        words(f"{c}, suggested", "250") - words(f"{c}, random", "250")
        for c in ("French", "English ATIS", "Malagasy")
    ]
    says("annotation.md", min(gains), max(gains), text="words {} to {} points after 250")


def test_what_is_said_of_weighted_analyzers() -> None:
    right = number("weighted_analyzers")
    said = "right for {} % of the ambiguous words"
    says("../how_to.md", right("mean", "tagger"), text=said)
    says(
        "../how_to.md",
        right("mean", "with answers"),
        text="{} with twenty words of several tags answered",
    )
    rest = [
        right("mean", name)
        for name in ("unigram 500", "unigram 2000", "unigram 12000", "no weights")
    ]
    said = "reach {}, {} and {}; without weights {} are right"
    says("../how_to.md", *rest, text=said)


def test_what_pages_conclude_of_spellers() -> None:
    right, curve, size = number("spellers"), number("spellers_curve"), number("spellers_machines")
    languages = ("Greenlandic", "South Sámi", "Inari Sámi")
    beaten = [(curve(name, "50 typos"), right(name, "by hand")) for name in languages]
    assert all(learned > by_hand for learned, by_hand in beaten)
    greenlandic, south, inari = beaten
    said = "first for {} % of typos of other stems, the table that GiellaLT keeps by hand for {} %"
    says("spellers.md", *south, text=said)
    said = "In Inari Sámi it is {} against {}, in Greenlandic {} against {}"
    says("spellers.md", *inari, *greenlandic, text=said)
    said = {
        "South Sámi": "South Sámi has {} % with 50, {} with 100, {} with 200 and {} with 500",
        "Inari Sámi": "Inari Sámi {}, {}, {} and {}",
    }
    for name, text in said.items():
        sizes = [curve(name, f"{n} typos") for n in (50, 100, 200, 500)]
        says("spellers.md", *sizes, text=text)
        says("../spellers.md", *sizes, text=f"{{}}, {{}}, {{}} and {{}} in {name}, where the table")
        says(
            "../spellers.md",
            right(name, "by hand"),
            right(name, "unit costs"),
            text="has {} and unit costs {}",
        )
    deviations = [
        curve(name, f"{n} typos ±") for name in languages[1:] for n in (50, 100, 200, 500)
    ]
    says(
        "spellers.md",
        min(deviations),
        max(deviations),
        text="± {} to {} ([data](data/spellers_curve.tsv))",
    )
    gains = [right(name, "letters") - right(name, "by hand") for name in languages]
    says(
        "spellers.md",
        *gains,
        text="{} points above the table in Greenlandic, {} in South Sámi and {} in",
    )
    more = [right(name, "letters and strings") - right(name, "letters") for name in languages]
    says("spellers.md", *more, text="edits of strings add {}, {} and {}")
    gains = [right(name, column) for name in languages for column in ("gain", "gain ±")]
    says("spellers.md", *gains, text="the gain is {} ± {}, {} ± {} and {} ± {}")
    ratios = [size(name, "learned, arcs") / size(name, "by hand, arcs") - 1 for name in languages]
    programs = number("spellers_programs")
    rows = ("South Sámi", "Inari Sámi", "Turkish")
    columns = ("hunspell", "hunspell alone")
    said = "in South Sámi {} % ({} without REP, MAP and TRY), in Inari Sámi {} ({}), in Turkish {} ({})"
    says("spellers.md", *(programs(name, c) for name in rows for c in columns), text=said)
    says("spellers.md", *(programs(name, "hfst-ospell") for name in rows), text="{}, {} and {} ([d")
    of_kven = [programs("Kven", column) for column in ("hunspell", "hunspell alone", "hfst-ospell")]
    says("spellers.md", *of_kven, text="Kven: {} ({}), there {}.")
    said = "A learned error model is {} to {} % larger"
    says("spellers.md", 100 * min(ratios), 100 * max(ratios), digits=0, text=said)


def test_what_pages_conclude_of_grammars() -> None:
    right = number("grammars_10")
    rows = [row for row in TABLES["read"]("grammars_10")[1] if row != "mean"]
    for column in ("adjacent", "start", "default", "rules alone", "with rules", "supervised"):
        mean = sum(right(row, column) for row in rows) / len(rows)
        assert abs(mean - right("mean", column)) < 0.1, column
    assert round(right("mean", "default") - right("mean", "adjacent")) == 20
    gains = {row: right(row, "with rules") - right(row, "default") for row in rows}
    assert min(gains, key=gains.get) == "Polish-PDB" and max(gains, key=gains.get) == "Swedish"
    total = right("mean", "with rules") - right("mean", "default")
    says(
        "dependencies.md",
        total,
        min(gains.values()),
        max(gains.values()),
        text="worth {} points on the mean, from {} in Polish to {} in Swedish",
    )
    below = {row: right(row, "rules alone") - right(row, "with rules") for row in rows}
    assert [row for row in below if below[row] > 0] == ["English-EWT"]
    says("dependencies.md", below["English-EWT"], text="rules alone are better, by {}")
    small = number("grammars_small")
    rows = [row for row in TABLES["read"]("grammars_small")[1] if row != "mean"]
    worst = max(small(row, "rules alone") - small(row, "with rules") for row in rows)
    says("dependencies.md", worst, text="by more than {}")
    says("dependencies.md", small("mean", "with rules"), text="the mean is {}.")
    for name, text in (
        ("grammars_20", "{} (default) and {} (with rules)"),
        ("grammars_all", "{} and {} at all lengths"),
    ):
        says(
            "dependencies.md",
            number(name)("mean", "default"),
            number(name)("mean", "with rules"),
            text=text,
        )
    says("dependencies.md", number("grammars_seen")("mean", "default"), text="there it has {} %")
    says(
        "grammar_criteria.md",
        number("grammars_seen")("Penn sample", "default"),
        text="which reaches {} on this treebank",
    )
    criteria = number("grammar_criteria")
    best = [criteria(f"{row}, σ² = 0.1", "uniform start") for row in ("TRANS1", "DELORTRANS1")]
    says(
        "grammar_criteria.md",
        *best,
        text="the best cell of TRANS1 ({}) and of DELORTRANS1 ({}) is 20 points above",
    )
    assert min(best) - criteria("adjacent-word baseline, the next word", "uniform start") > 20


def test_what_pages_conclude_of_constituents_and_products() -> None:
    right, filled = number("induction"), number("induction_filled")
    says(
        "distribution.md",
        right("DA_STOP", "Penn precision"),
        right("DA_STOP", "Penn recall"),
        text="{} % of the brackets of DA_STOP are right on the Penn sample, and it finds {} %",
    )
    gains = [
        filled("DA_STOP, filled up", c) - filled("right-branching", c) for c in ("Penn", "CRAFT")
    ]
    says(
        "distribution.md",
        *gains,
        text="passes right-branching trees by {} points on the Penn sample (3.0 to 3.6) and by {} on CRAFT",
    )
    assert all(
        right("DA_STOP", f"{c} F1") < right("right-branching", f"{c} F1") for c in ("Penn", "CRAFT")
    )
    f1 = number("products")
    says(
        "products.md",
        f1("product of 8", "test F1"),
        f1("4 cycles, mean of 16 seeds", "test F1"),
        f1("product of 8", "Berkeley"),
        text="has {} F1 where its members have {}, and the Berkeley parser on the same split has {}.",
    )
    more = f1("product of 16", "test F1") - f1("product of 8", "test F1")
    says("products.md", -more, text="on the test part; sixteen have {} less")


def test_what_pages_conclude_of_speed_and_memory() -> None:
    _, rows = TABLES["read"]("speed")
    for row in rows.values():
        if row["ratio"]:
            assert float(row["another way"]) / float(row["fstce"]) == pytest.approx(
                float(row["ratio"]), rel=0.03
            )
    memory = number("memory")
    ten = "10,000,004"
    says(
        "growth.md",
        memory(ten, "memory in MB") / 1000,
        memory(ten, "files in GB"),
        text="{} GB of memory and {} GB of disk",
    )
    says(
        "growth.md",
        memory(ten, "CPU seconds") / 60,
        digits=0,
        text="ten million took {} minutes of a core",
    )
    growth = number("growth")
    million = "1,000,000 words"
    training = growth(million, "training, CPU s"), growth(million, "training, MB") / 1000
    says("growth.md", text=f"{training[0]:.0f} s and {training[1]:.1f} GB")
    tagging = growth(million, "tagging, CPU s"), growth(million, "tagging, MB")
    says("growth.md", *tagging, digits=0, text="{} s and {} MB")
    for row in TABLES["read"]("memory")[1]:
        assert 24 < memory(row, "arcs") / memory(row, "words") < 30.5
    assert memory(ten, "files in GB") * 1e9 / memory(ten, "arcs") == pytest.approx(21, rel=0.03)


def test_headlines() -> None:
    answers, grammars, right = number("answers"), number("grammars_10"), number("tagging")
    says(
        "index.md",
        *(right(row, "24K selected") for row in ("TRANS1", "EM", "random")),
        text="TRANS1 {} % of the ambiguous words, EM {}, random {}",
    )
    said = "{} % of all words without labels, EM {}, {} after fifty answers of a speaker, {} for"
    says("index.md", *(answers("mean", c) for c in ("auto", "EM", "50", "CRF 50")), text=said)
    columns = ("default", "with rules", "supervised")
    says(
        "index.md",
        *(grammars("mean", c) for c in columns),
        text="{} % of the heads, {} with a dozen rules, {}",
    )
    criteria = number("grammar_criteria")
    cells = (
        criteria("DELORTRANS1, σ² = 0.1", "uniform start"),
        criteria("EM, λ = 10", "uniform start"),
    )
    says("index.md", *cells, text="DELORTRANS1 {} from a uniform start, EM {}")
    typos, words = number("spellers"), number("tokenizers")
    cells = (typos("Inari Sámi", "letters and strings"), typos("Inari Sámi", "by hand"))
    says("index.md", *cells, text="Inari Sámi: {} % at the first place, {} by a table")
    says(
        "index.md",
        words("fstce, conventions learned", "French words"),
        text="{} % of the words in French",
    )
    f1, filled = number("products"), number("induction_filled")
    cells = (f1("product of 8", "test F1"), f1("4 cycles, mean of 16 seeds", "test F1"))
    says("index.md", *cells, text="{} F1 for eight, {} for one")
    cells = (filled("DA_STOP, filled up", "Penn"), filled("right-branching", "Penn"))
    says("index.md", *cells, text="{} F1 filled up, right-branching {}")


def page_says(name: str, *numbers: float, text: str, digits: int = 1) -> None:
    """A page outside of the results says these numbers in this sentence."""
    said = text.format(*(f"{value:.{digits}f}" for value in numbers))
    assert said in (ROOT / name).read_text(encoding="utf-8"), f"{name}: {said}"


def test_numbers_that_other_pages_quote() -> None:
    right, answers, memory = number("tagging"), number("answers"), number("memory")
    column = "24K selected"
    said = "TRANS1 tags {} % of the ambiguous words, EM {} %, chance {} %"
    page_says("README.md", *(right(row, column) for row in ("TRANS1", "EM", "random")), text=said)
    cells = (right("random", column), right("random", "paper selected"))
    page_says("docs/limits.md", *cells, text="{} % of ambiguous words where theirs scored {} %")
    means = [answers("mean", name) for name in ("EM", "auto", "20", "50")]
    said = "by EM has {} % of all words right, the default {}; with twenty words answered {}, with fifty {}"
    page_says("docs/first_hours/five_minutes.md", *means, text=said)
    home = "docs/index.md"
    page_says(home, means[1], means[3], text="{} % of all words, {} after")
    page_says(home, number("grammars_10")("mean", "with rules"), text="[{} % of the heads]")
    cells = (memory("10,000,004", "memory in MB") / 1000, memory("10,000,004", "files in GB"))
    page_says(home, *cells, text="{} GB, and {} GB of disk")
    million = (memory("1,000,023", "memory in MB"), memory("1,000,023", "files in GB"))
    page_says("docs/scale.md", text=f"{million[0]:.0f} MB of memory and {million[1]} GB of disk")
    page_says("docs/scale.md", *cells, text="[{} GB and {} GB]")
    words = number("growing_words")
    loss = words("French, suggested", "250") - words("French, suggested, going on", "250")
    page_says("docs/how_to.md", loss, text="{} points better after five rounds in French")


def test_the_sample_is_as_large_as_pages_say() -> None:
    sentences = fstce.corpora.sample()
    assert "743 sentences" in (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    assert len(sentences) == 743


def test_limits_are_those_of_the_code() -> None:
    page = "docs/limits.md"
    dense, hmm = features.TABLE_LIMIT, compiled.DENSE_LIMIT
    assert [n / 1e6 for n in (dense, hmm)] == [20, 4]
    page_says(page, text="at most 20 million n-grams (270 tags), an HMM of at most 4 million")
    assert (270 + 1) ** 3 <= dense < (271 + 1) ** 3
    page_says(
        page, plot_10_all_sentences.TABLE_LIMIT / 1e6, text="at most {} million n-grams (102 tags)"
    )
    assert (102 + 1) ** 3 <= plot_10_all_sentences.TABLE_LIMIT < (103 + 1) ** 3
    assert (algebra.STATE_LIMIT, algebra.ARC_LIMIT) == (1_000_000, 10_000_000)
    page_says(
        page, text="a million states and ten million arcs (DEL1SUBSEQ: about 4,400 distinct words)"
    )
    # DEL1SUBSEQ of m distinct words: a chain, and arcs from each state over what is deleted
    assert 4_400**2 / 2 < algebra.ARC_LIMIT < 4_500**2 / 2
    page_says(page, text="a product automaton of ten million arcs")
    page_says(
        page,
        fstce.LatentGrammar().max_length,
        digits=0,
        text="sentences beyond {} words are given",
    )
    page_says(
        page,
        fstce.ParsedCorrector().longest,
        digits=0,
        text="sentences of at most {} words are corrected",
    )


def test_counting_laws_are_those_that_pages_say() -> None:
    said = "DEL1WORD has m + 1 strings, TRANS1 m, DELORTRANS1 2m, DEL1SUBSEQ m(m + 1)/2"
    page_says("docs/first_hours/teaching.md", text=said)
    for m in (2, 5, 9):
        words = [f"w{i}" for i in range(m)]
        names = ("del1word", "trans1", "delortrans1", "del1subseq")
        counts = [fstce.neighborhood(name)(words).count() for name in names]
        assert counts == [m + 1, m, 2 * m, m * (m + 1) // 2]


def test_what_pages_conclude_of_criteria_of_correction() -> None:
    wrong, marks = number("correction_criteria"), number("punctuation")
    kinds = ("random", "keyboard", "real-word")
    assert all(
        wrong("CE without trigrams", kind) < wrong("EM without trigrams", kind) for kind in kinds
    )
    listed = ("CE, trigrams and these words", "trigrams and these words")
    assert all(wrong(listed[0], kind) < wrong(listed[1], kind) for kind in ("random", "keyboard"))
    assert {wrong(row, "real-word") for row in listed} == {wrong("uncorrected", "real-word")}
    both = ("CE without trigrams", "EM without trigrams")
    says(
        "correction_criteria.md",
        *(wrong(row, "random") for row in both),
        digits=2,
        text="{} % of the words wrong where EM leaves {}",
    )
    assert wrong("CE, words as classes, and trigrams", "real-word") < wrong(
        "Kneser–Ney trigrams", "real-word"
    )
    rows = ("CE, tags, and trigrams", "Kneser–Ney trigrams", "EM, tags, and trigrams")
    says(
        "correction_criteria.md",
        *(marks(row, "one comma") for row in rows),
        text="{} where trigrams have {} and EM with tags {}",
    )
    rows = (*both, "CE, words as classes, and trigrams", "Kneser–Ney trigrams")
    says(
        "index.md",
        *(wrong(row, "random") for row in rows),
        digits=2,
        text="alone {} % word errors, EM {}; with trigrams {}, trigrams {}",
    )


def test_what_pages_conclude_of_answers() -> None:
    right = number("answers")
    rows = [row for row in TABLES["read"]("answers")[1] if row != "mean"]
    columns = ("trivial", "EM", "auto", "20", "50", "commonest", "ambiguous", "CRF 50", "and auto")
    mean = {column: right("mean", column) for column in columns}
    for column, value in mean.items():
        assert abs(sum(right(row, column) for row in rows) / len(rows) - value) < 0.1, column

    text = "The default has {} % of all words right on the mean, EM {}; after fifty answers {}"
    says("answers.md", mean["auto"], mean["EM"], mean["50"], text=text)
    gains = {row: right(row, "auto") - right(row, "EM") for row in rows}
    text = f"above EM on {sum(gain > 0 for gain in gains.values())} of {len(rows)} corpora"
    assert text in text_of("answers.md")
    says("answers.md", -min(gains.values()), text="and {} points below it at worst")
    text = "fifty bring {}, the fifty commonest words {}, the fifty most worth of several tags {}"
    says("answers.md", mean["50"], mean["commonest"], mean["ambiguous"], text=text)
    says("answers.md", mean["CRF 50"], mean["and auto"], text="has {}, its product with `auto` {}")

    for kind, text in (
        ("types", "500 commonest words {} and {}"),
        ("types_1000", "of 1,000 words {} and {}"),
        ("types_3000", "of 3,000 words {} and {}"),
        ("struck", "without rare tags {} and {}"),
        ("text", "text itself {} and {}"),
    ):
        table = number(f"dictionary_{kind}")
        says("answers.md", table("mean", "auto"), table("mean", "EM"), text=text)

    of_one = number("dictionary_one_class")
    names = ("Czech-UniMorph", "Finnish-Voikko", "German-UniMorph", "Polish-SGJP")
    values = [of_one(name, column) for name in names for column in ("auto", "50")]
    text = "{} and {} (Czech), {} and {} (Finnish), {} and {} (German), {} and {} (Polish)"
    says("answers.md", *values, text=text)
    columns = ("auto", "EM", "50")
    sums = [
        sum((of_one if row in names else right)(row, column) for row in rows) for column in columns
    ]
    means = [total / len(rows) for total in sums]
    says("answers.md", *means, text="of all sixteen {}, EM {}, and {}")


def test_what_pages_conclude_of_texts_held_back() -> None:
    right = number("held_back")
    rows = [row for row in TABLES["read"]("held_back")[1] if row != "mean"]
    gains = [round(right(row, "auto") - right(row, "EM"), 1) for row in rows]
    text = "`auto` has {} % of all words right, EM {}"
    says("answers.md", right("mean", "auto"), right("mean", "EM"), text=text)
    assert (len(rows), sum(gain > 0 for gain in gains), min(gains)) == (27, 18, -0.6)
    assert "above EM on 18, and 0.6 points below it at worst" in text_of("answers.md")
    losses = [round(right(row, "commonest") - right(row, "50"), 1) for row in rows]
    assert sorted(losses)[-3:] == [0.6, 4.4, 6.0] and sum(loss > 0 for loss in losses) == 7
    text = "Fifty answers bring {}, the fifty commonest words {}"
    says("answers.md", right("mean", "50"), right("mean", "commonest"), text=text)
    text = "fifty sentences {}, Polish {}"
    says("answers.md", right("mean", "CRF 50"), right("Polish", "CRF 50"), text=text)
    sentences = number("sentences")
    text = "twenty and a hundred sentences the CRF has {} and {}"
    says("answers.md", *(sentences("mean", f"CRF {n}") for n in (20, 100)), text=text)


def test_what_pages_conclude_of_readings() -> None:
    right, table = number("readings"), TABLES["read"]("readings")[1]
    rows = [row for row in table if row != "mean"]
    mean = [right("mean", column) for column in ("default", "shipped", "first")]
    text = "has {} % right on the mean; the rules and taggers that come with the analyzers have {}"
    says("readings.md", *mean, text=text + ", the first reading {}")
    worst = [
        max(right(row, "shipped") - right(row, column) for row in rows)
        for column in ("whole", "first symbols", "default")
    ]
    text = "lose up to {} points to the shipped pipeline, first symbols alone up to {}"
    says("readings.md", *worst, text=text + ", their product at most {}")
    says("readings.md", right("mean", "20 answers"), text="bring the default to {},")
    others = [row for row in rows if row != "Indonesian"]
    mean = [sum(right(row, c) for row in others) / len(others) for c in ("default", "shipped")]
    says("readings.md", *mean, text="the default has {}, the shipped pipelines {}")

    page = text_of("readings.md")
    for column, sentence, n_ahead in (
        ("default", "Points lost: {}.\n\n<!--", 9),
        ("20 answers", "Points lost: {}.\n3.", 10),
    ):
        lost = {row: right(row, "shipped") - right(row, column) for row in rows}
        behind = sorted((row for row in lost if lost[row] > 0), key=lambda row: -lost[row])
        losses = ", ".join(f"{row} {lost[row]:.1f}" for row in behind) or "none"
        assert sentence.format(losses) in page, column
        assert len(rows) - len(behind) == n_ahead


def test_what_pages_conclude_of_running_text_and_starts() -> None:
    right = number("tokenizers")
    gain = right("pysbd 0.3", "French sentences") - right(
        "fstce, conventions learned", "French sentences"
    )
    says("text.md", gain, text="pysbd is {} points better")
    says(
        "text.md",
        right("fstce, conventions learned", "French words"),
        text="Learned conventions have {} %",
    )
    for row in TABLES["read"]("tokenizers")[1]:
        if right_of := TABLES["read"]("tokenizers")[1][row]["French words"]:
            assert float(right_of) <= right("fstce, conventions learned", "French words")
    criteria, start = number("grammar_criteria"), "Klein & Manning start"
    rows = TABLES["read"]("grammar_criteria")[1]
    em = max(criteria(row, start) for row in rows if row.startswith("EM"))
    better = {
        row: criteria(row, start)
        for row in rows
        if not row.startswith("EM") and criteria(row, start) > em
    }
    assert list(better) == ["DELORTRANS1, σ² = 0.1"]
    says("grammar_criteria.md", em, text="EM reaches {};")
    says("grammar_criteria.md", *better.values(), text="(DELORTRANS1, σ² = 0.1: {})")


def test_what_pages_conclude_of_correction() -> None:
    after, tests = (
        number("correction"),
        ("random, WSJ", "random, CRAFT", "people's, Brown", "people's, WSJ"),
    )
    tests = (
        *tests,
        "people's, CRAFT",
        "split and joined, WSJ",
        "clean, Brown",
        "clean, WSJ",
        "clean, CRAFT",
    )
    for rival in ("uncorrected", "hunspell", "symspellpy", "pyspellchecker"):
        better = [test for test in tests if after("fstce", test) < after(rival, test)]
        assert better == [
            test for test in tests if rival != "uncorrected" or not test.startswith("clean")
        ]
    people = ("people's, WSJ", "people's, Brown", "people's, CRAFT")
    cells = (
        *(after("fstce", test) for test in people),
        *(after("uncorrected", test) for test in people),
    )
    said = "leaves {}, {} and {} % of the words wrong where people misspell {}, {} and {} %"
    says("correction.md", *cells, digits=2, text=said)
    cells = [after(row, "clean, CRAFT") for row in ("fstce", "pyspellchecker", "no adaptation")]
    said = "it changes {} %, where pyspellchecker with the same word list changes {}"
    says("correction.md", *cells[:2], digits=2, text=said)
    assert cells[2] > 6 * cells[0]
    says("correction.md", cells[2], digits=2, text="biomedical articles are changed ({} %)")
    found = [after(row, "people's, CRAFT, recall") for row in ("pyspellchecker", "fstce")]
    says("correction.md", *found, digits=0, text="on CRAFT {} %, here {})")
    says(
        "correction.md",
        *(after("one edit", test) for test in people),
        digits=2,
        text="{}, {} and {} %",
    )
    cells = (
        after("uncorrected", people[0]),
        after("fstce", people[0]),
        after("fstce", "clean, CRAFT"),
    )
    text = "{} % wrong words come to {} on unseen WSJ; of correct biomedical text {} % is changed"
    says("index.md", *cells, digits=2, text=text)
    polish = number("correction_languages")
    first, memory = polish("Polish", "first sentence in seconds"), polish("Polish", "memory in MB")
    assert f"after {first:.1f} s in {memory:.0f} MB" in text_of("correction.md")
    parts = ("no learned channel", "no unreliable vocabulary", "no lexicon")
    assert all(after("fstce", test) < after(part, test) for part in parts for test in people)
    assert all(after("fstce", test) < after(part, test) for part in parts[1:] for test in tests[:2])
    assert sum(after("fstce", test) < after("unigrams", test) for test in tests[:5]) == 5
    seeds = [[after(row, test) for row in ("fstce", "seed 1", "seed 2")] for test in tests[:6]]
    low, high = (round(bound(map(stdev, seeds)), 2) for bound in (min, max))
    assert f"deviations are {f'{low:.2f}'[1:]} to {f'{high:.2f}'[1:]};" in text_of("correction.md")
