"""Machines in every form that a tool writes: read alike by every reader, and read by the tools themselves."""

from __future__ import annotations

import gzip
import os
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pynini
import pytest
import pywrapfst
from hypothesis import HealthCheck, given, settings
from machine_cases import fsts, run

from fstce import Analyser, inspect, neighborhood
from fstce.cli.main import main
from fstce.console.texts import dictionary_of
from fstce.corpora import Sentence
from fstce.errors import FstceError, MachineError
from fstce.inspection.records import MachineView, record
from fstce.machines import to_svg, write_far
from fstce.machines.convert import SUFFIXES, read_machine, read_with_form, write_machine
from fstce.machines.files import write_fst
from fstce.machines.foma import fst_to_foma
from fstce.machines.hfst import fst_to_lookup, write_zhfst
from fstce.machines.symbols import Symbols

WORDS = Symbols(["a", "b", "c", "dog"])


def transducer() -> pynini.Fst:
    """a:b c:ε <unk>:dog, and the same unlisted word copied."""
    unknown = WORDS.label("<unk>")
    a, b, c, dog = WORDS.labels
    fst = pynini.Fst()
    fst.add_states(4)
    fst.set_start(0)
    fst.set_final(3)
    for source, read, write, target in (
        (0, a, b, 1),
        (1, c, 0, 2),
        (2, unknown, dog, 3),
        (2, unknown, unknown, 3),
    ):
        fst.add_arc(source, pynini.Arc(read, write, 0, target))
    return fst.set_input_symbols(WORDS.table).set_output_symbols(WORDS.table)


def spelling(text: str, symbols: Symbols) -> pynini.Fst:
    """The acceptor of one string of symbols."""
    fst = pynini.accep(text, token_type=symbols.table)
    return fst.set_input_symbols(symbols.table).set_output_symbols(symbols.table)


def strings(fst: pynini.Fst) -> list[tuple[str, str, float]]:
    """What an acyclic machine reads, writes and weighs, path by path."""

    def walk(state: int, reads: tuple[str, ...], writes: tuple[str, ...], weight: float) -> None:
        if float(fst.final(state)) != float("inf"):
            listed.append(
                (" ".join(reads), " ".join(writes), round(weight + float(fst.final(state)), 5))
            )
        for arc in fst.arcs(state):
            one, other = fst.input_symbols().find(arc.ilabel), fst.output_symbols().find(arc.olabel)
            one, other = ("<unk>" if "_SYMBOL_@" in name else name for name in (one, other))
            walk(
                arc.nextstate,
                reads + (one,) * (arc.ilabel > 0),
                writes + (other,) * (arc.olabel > 0),
                weight + float(arc.weight),
            )

    listed: list[tuple[str, str, float]] = []
    walk(fst.start(), (), (), 0.0)
    return sorted(listed)


# The forms of the table in docs/first_hours/inspection.md, and the suffix of each.
FORMS = {
    "`.fst` OpenFst, vector": ".fst",
    "`.fst` OpenFst, const": ".fst",
    "`.fst` OpenFst, compact": ".fst",
    "`.far` archive": ".far",
    "`.far:key` one of an archive": ".far",
    "`.hfst` HFST, OpenFst's machine": ".hfst",
    "`.hfst` HFST, foma's machine": ".hfst",
    "`.hfstol` HFST's optimized lookup": ".hfstol",
    "`.zhfst` HFST's speller": ".zhfst",
    "`.foma` foma's and pyfoma's binary file": ".foma",
    "`.txt` AT&T text, words in `.syms`": ".txt",
    "`.att` AT&T text": ".att",
    "`.att.gz` any file packed by gzip": ".att.gz",
    "a `pyfoma.FST` in memory": "",
}
VERBS = ("info", "draw", "inspect", "convert", "neighborhood", "dictionary", "write")


def in_form(fst: pynini.Fst, form: str, folder: Path) -> Any:
    """The machine as a file of this form, or in memory."""
    suffix = FORMS[form]
    path = folder / f"{list(FORMS).index(form)}{suffix}"
    if not suffix:
        return in_pyfoma(fst)
    if "compact" in form:
        pywrapfst.convert(fst, "compact_unweighted").write(str(path))
        return path
    if suffix == ".zhfst":
        part = fst_to_lookup(fst, "x")
        write_zhfst(path, part, part, locale="und", title="x", description="x")
        return path
    if suffix == ".att.gz":
        write_machine(fst, folder / "packed.att", spelling="hfst")
        path.write_bytes(gzip.compress((folder / "packed.att").read_bytes()))
        return path
    spelling = "hfst" if suffix == ".att" else "openfst"
    if "key" in form:
        write_far({"0": fst, "10": fst}, path)
        return Path(f"{path}:10")
    if "const" in form:
        pywrapfst.convert(fst, "const").write(str(path))
        return path
    write_machine(fst, path, spelling=spelling)
    if "foma's machine" in form:
        run("hfst-fst2fst", "-f", "foma", str(path), "-o", f"{path}.foma.hfst")
        return Path(f"{path}.foma.hfst")
    return path


def in_pyfoma(fst: pynini.Fst) -> Any:
    pyfoma = pytest.importorskip("pyfoma")
    return pyfoma.FST.from_fomastring(gzip.decompress(fst_to_foma(fst, "x")).decode())


def copying() -> pynini.Fst:
    """Any of a, b, c as it is, c left out too."""
    a, b, c, _ = WORDS.labels
    fst = pynini.Fst()
    fst.set_start(fst.add_state())
    fst.set_final(0)
    for read, write in ((a, a), (b, b), (c, c), (c, 0)):
        fst.add_arc(0, pynini.Arc(read, write, 0, 0))
    return fst.set_input_symbols(WORDS.table).set_output_symbols(WORDS.table)


def analysing() -> pynini.Fst:
    """The word `ac` is a noun."""
    symbols = Symbols(["a", "c", "+N"])
    a, c, noun = symbols.labels
    fst = pynini.Fst()
    fst.add_states(3)
    fst.set_start(0)
    fst.set_final(2)
    fst.add_arc(0, pynini.Arc(a, a, 0, 1))
    fst.add_arc(1, pynini.Arc(c, noun, 0, 2))
    return fst.set_input_symbols(symbols.table).set_output_symbols(symbols.table)


def takes(verb: str, form: str, folder: Path) -> bool:
    """Whether the verb takes the form, and does with it what it does with the machine itself."""
    make = {"neighborhood": copying, "dictionary": analysing}.get(verb, transducer)
    (folder / "back").mkdir(exist_ok=True)
    source = in_form(make(), form, folder)
    named = isinstance(source, Path)
    try:
        if verb == "neighborhood":
            kind = neighborhood(str(source) if named else source)
            return set(kind(("a", "c", "b")).strings()) == {("a", "c", "b"), ("a", "b")}
        if verb == "dictionary":
            if not named:
                return Analyser(source)("ac") == [("a", "+N")]
            return dictionary_of(str(source), [Sentence(("ac",))])["ac"] == ("N",)
        if verb == "write":
            if not named:
                return strings(inspect(source).views[0].fst) == strings(transducer())
            back = Path(str(source).replace(str(folder), f"{folder}/back"))
            write_machine(transducer(), back)
            said = read_with_form(source)[1], read_with_form(back)[1]
            return said[0] == said[1] and strings(read_machine(back)) == strings(transducer())
        if not named:
            made = {
                "draw": to_svg,
                "inspect": lambda fst: inspect(fst).to_html(),
                "info": lambda fst: inspect(fst).views,
            }
            return bool(
                made[verb](source)
                if verb in made
                else write_machine(source, folder / "y.fst") is None
            )
    except FstceError:
        return False
    options = {
        "info": [],
        "draw": ["--output", str(folder / "x.svg")],
        "inspect": ["--output", str(folder / "x.html")],
        "convert": [str(folder / "y.fst")],
    }
    taken = main(["machine", verb, str(source), *options[verb]]) == 0
    return taken and (
        verb != "convert" or strings(read_machine(folder / "y.fst")) == strings(transducer())
    )


def test_the_table_of_the_docs_is_what_is_tried(tmp_path: Path) -> None:
    """Every form with every verb; `FSTCE_UPDATE=1` writes the table."""
    head = "| a machine in | " + " | ".join(VERBS) + " |\n" + "|---" * (1 + len(VERBS)) + "|\n"
    page = Path(__file__).parents[2] / "docs" / "first_hours" / "inspection.md"
    text = page.read_text(encoding="utf-8")
    rows = []
    for form in FORMS:
        if not FORMS[form] and find_spec("pyfoma") is None:  # its row stays as it was found
            rows.append(
                next(line for line in text.splitlines(True) if line.startswith(f"| {form} |"))
            )
            continue
        cells = ("yes" if takes(verb, form, tmp_path) else "no" for verb in VERBS)
        rows.append(f"| {form} | {' | '.join(cells)} |\n")
    table = head + "".join(rows)
    begin = text.index(head)
    end = text.index("\n\n", begin) + 1
    if os.environ.get("FSTCE_UPDATE"):
        page.write_text(text[:begin] + table + text[end:], encoding="utf-8")
    else:
        assert text[begin:end] == table
    assert {suffix for suffix in FORMS.values() if suffix} == {*SUFFIXES, ".att.gz"} - {".fatt"}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Any]:
    """The same machine in every form that is a file."""
    return {form: in_form(transducer(), form, tmp_path) for form, suffix in FORMS.items() if suffix}


def test_every_form_is_read_alike(files: dict[str, Any]) -> None:
    for form, path in files.items():
        assert strings(read_machine(path)) == strings(transducer()), form
    speller = files["`.zhfst` HFST's speller"]
    assert strings(read_machine(f"{speller}:errmodel")) == strings(transducer())
    with pytest.raises(FstceError, match=r"a speller is written by fstce speller export"):
        write_machine(transducer(), speller)
    with pytest.raises(
        MachineError, match=r"zhfst: no speller, a zip archive of .* \(it holds no lexicon\)"
    ):
        read_machine(f"{speller}:lexicon")


def test_a_machine_of_pyfoma_keeps_weights_and_meanings(tmp_path: Path) -> None:
    """In memory and in its file, which has weights that foma's has not."""
    pyfoma = pytest.importorskip("pyfoma")
    machine = pyfoma.FST.re("a:b<1.5> ([^ab]:c | [^ab])<.25>")
    (tmp_path / "x.foma").write_text(machine.to_fomastring("x"))
    wanted = [("a <unk>", "b <unk>", 1.75), ("a <unk>", "b c", 1.75), ("a c", "b c", 1.75)]
    assert (
        strings(inspect(machine).views[0].fst)
        == strings(read_machine(tmp_path / "x.foma"))
        == wanted
    )
    text = machine.to_fomastring("x").replace("1.75 inf\n", "", 1)
    (tmp_path / "x.foma").write_text(text)
    with pytest.raises(MachineError, match=r"x\.foma: damaged: not as many weights as arcs"):
        read_machine(tmp_path / "x.foma")
    with pytest.raises(MachineError, match="a machine of 3 tapes; extract two of them"):
        inspect(pyfoma.FST(("a", "b", "c")))


def test_unlisted_words_of_foma_are_words_that_no_arc_names(tmp_path: Path) -> None:
    """As a neighborhood from foma's own file: \\a is copied, a becomes b or stays."""
    expression = r"regex [a:b | a | \a]*;"
    for suffix, command in ((".foma", "save stack"), (".att", "write att")):
        run("foma", "-q", "-e", expression, "-e", f"{command} {tmp_path}/x{suffix}", "-s")
        found = set(neighborhood(str(tmp_path / f"x{suffix}"))(["a", "c"]).strings())
        assert found == {("a", "c"), ("b", "c")}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fsts("standard", largest_label=3))
def test_hfst_and_back(tmp_path: Path, fst: pynini.Fst) -> None:
    table = Symbols(["x", "y"]).table
    fst = pynini.Fst.from_pywrapfst(pywrapfst.arcmap(fst, map_type="rmweight")).connect()
    if fst.start() < 0:
        return
    labels = [(arc.ilabel, arc.olabel) for state in fst.states() for arc in fst.arcs(state)]
    renamed = [(5 + i % 2 if i else 0, 5 + o % 2 if o else 0) for i, o in labels]
    copy = fst.copy()
    pairs = iter(renamed)
    for state in copy.states():
        arcs = [(next(pairs), arc.nextstate) for arc in copy.arcs(state)]
        copy.delete_arcs(state)
        for (one, other), target in arcs:
            copy.add_arc(state, pynini.Arc(one, other, 0, target))
    copy.set_input_symbols(table).set_output_symbols(table)
    for suffix in (".hfst", ".foma"):
        write_machine(copy, tmp_path / f"x{suffix}")
        back = read_machine(tmp_path / f"x{suffix}")
        assert (back.num_states(), sum(map(back.num_arcs, back.states()))) == (
            copy.num_states(),
            len(renamed),
        )


def test_foma_reads_and_writes_the_same(tmp_path: Path) -> None:
    """A transducer of ours in foma, and foma's own file here, against foma's words."""
    write_machine(transducer(), tmp_path / "ours.foma")
    said = run("foma", "-q", "-e", f"load stack {tmp_path}/ours.foma", "-e", "print net", "-s")
    assert "a:b" in said and "c:0" in said and "?:dog" in said
    run(
        "foma",
        "-q",
        "-e",
        "regex [a b:c 0:d ?+ | x:?];",
        "-e",
        f"save stack {tmp_path}/theirs.foma",
        "-s",
    )
    run(
        "foma",
        "-q",
        "-e",
        "regex [a b:c 0:d ?+ | x:?];",
        "-e",
        f"write att {tmp_path}/theirs.att",
        "-s",
    )
    ours, theirs = read_machine(tmp_path / "theirs.foma"), read_machine(tmp_path / "theirs.att")
    assert spelt(ours) == spelt(theirs)


def spelt(fst: pynini.Fst) -> set[tuple[int, str, str, int]]:
    find = {0: "ε"} | {label: name for label, name in fst.input_symbols() if label}
    return {
        (s, find[a.ilabel], find[a.olabel], a.nextstate) for s in fst.states() for a in fst.arcs(s)
    }


@pytest.mark.parametrize("form", ["openfst-tropical", "foma"])
def test_hfst_reads_and_writes_the_same(tmp_path: Path, form: str) -> None:
    write_machine(transducer(), tmp_path / "ours.hfst")
    text = run("hfst-fst2txt", str(tmp_path / "ours.hfst"))
    assert "0\t1\ta\tb" in text and "1\t2\tc\t@0@" in text
    assert "2\t3\t@_IDENTITY_SYMBOL_@\t@_IDENTITY_SYMBOL_@" in text
    (tmp_path / "x.att").write_text("0\t1\ta\tb\n1\t2\t@0@\tc\n2\n")
    run("hfst-txt2fst", "-f", form, str(tmp_path / "x.att"), "-o", str(tmp_path / "theirs.hfst"))
    assert strings(read_machine(tmp_path / "theirs.hfst")) == [("a", "b c", 0.0)]


COMPACT = {
    (0, True): "compact_unweighted_acceptor",
    (0.5, True): "compact_acceptor",
    (0, False): "compact_unweighted",
    (0.5, False): "vector",
}


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
@pytest.mark.parametrize("form", ["vector", "const", "compact"])
@pytest.mark.parametrize(("weight", "both"), COMPACT)
def test_every_store_of_openfst_is_read(
    tmp_path: Path, arc_type: str, form: str, weight: float, both: bool
) -> None:
    """Line by line as fstprint prints the vector form, which is written."""
    a, b, *_ = WORDS.labels
    fst = pynini.Fst(arc_type)
    fst.add_states(2)
    fst.set_start(1)
    fst.set_final(0, weight)
    for label in (a, b):
        fst.add_arc(
            1, pynini.Arc(label, label if both else 0, pynini.Weight(fst.weight_type(), weight), 0)
        )
    fst.set_input_symbols(WORDS.table).set_output_symbols(WORDS.table)
    if form == "compact":
        form = COMPACT[weight, both]
    pywrapfst.convert(fst, form).write(str(tmp_path / "x.fst"))
    write_machine(fst, tmp_path / "plain.fst")
    said = run("fstinfo", str(tmp_path / "x.fst")).splitlines()
    assert said[0].split() == ["fst", "type", form]
    printed = [
        sorted(run("fstprint", str(tmp_path / name)).splitlines())
        for name in ("x.fst", "plain.fst")
    ]
    assert printed[0] == printed[1]
    assert strings(read_machine(tmp_path / "x.fst")) == strings(fst)


def test_an_archive_of_several_wants_a_key(tmp_path: Path) -> None:
    archive = tmp_path / "x.far"
    write_far({key: spelling(word, WORDS) for key, word in (("a", "b"), ("b", "dog"))}, archive)
    assert strings(read_machine(f"{archive}:b")) == [("dog", "dog", 0)]
    with pytest.raises(FstceError, match=r"holds 2 machines; say which, as .*x\.far:KEY: a, b"):
        read_machine(archive)


@pytest.mark.parametrize("machines", [1, 2])
def test_an_archive_with_a_cycle_is_no_lattices(tmp_path: Path, machines: int) -> None:
    """The key says which machine is the neighborhood."""
    archive = tmp_path / "x.far"
    write_far({str(key): copying() for key in range(machines)}, archive)
    wanted = {("a", "c", "b"), ("a", "b")}
    assert set(neighborhood(f"{archive}:0")(("a", "c", "b")).strings()) == wanted
    with pytest.raises(FstceError, match=r"x\.far:0: the neighborhood has a cycle"):
        neighborhood(str(archive))


def test_an_analyser_is_read_from_foma(tmp_path: Path) -> None:
    lexicon = 'regex [c a t "+N":0 "+Pl":s];'
    run("foma", "-q", "-e", lexicon, "-e", f"save stack {tmp_path}/x.foma", "-s")
    assert Analyser(tmp_path / "x.foma")("cats") == [("c", "a", "t", "+N", "+Pl")]


def test_what_a_form_cannot_hold_is_refused_by_name(tmp_path: Path) -> None:
    weighted = transducer()
    weighted.set_final(3, 0.5)
    with pytest.raises(
        MachineError, match=r"has weights, and foma knows none; write \.att or \.hfst"
    ):
        write_machine(weighted, tmp_path / "x.foma")
    with pytest.raises(MachineError, match="HFST and foma have words, and the machine has none"):
        write_machine(pynini.accep("ab"), tmp_path / "x.hfst")
    (tmp_path / "x.att").write_text("0\t1\t@_UNKNOWN_SYMBOL_@\t@_UNKNOWN_SYMBOL_@\n1\n")
    two_words = read_machine(tmp_path / "x.att")
    with pytest.raises(MachineError, match="on both sides of an arc is two different words"):
        write_machine(two_words, tmp_path / "x.fst", spelling="openfst")
    flagged = Symbols(["@U.CASE.NOM@", "x", "@U.CASE.ACC@"])
    fst = pynini.accep("x", token_type=flagged.table) + pynini.accep("x", token_type=flagged.table)
    fst.add_arc(0, pynini.Arc(flagged.label("@U.CASE.NOM@"), 0, 0, 1))
    fst.set_input_symbols(flagged.table).set_output_symbols(flagged.table)
    write_fst(fst, tmp_path / "flagged.fst")
    doubled = fst + pynini.accep("@U.CASE.ACC@", token_type=flagged.table)
    shown = record(
        MachineView("m", doubled.set_input_symbols(flagged.table).set_output_symbols(flagged.table))
    )
    assert "@U.CASE.NOM@" not in " ".join(
        row.reads for group in shown["strings"] for row in group.rows
    )
    assert "strings that they forbid are left out" in shown["facts"]["flag diacritics"]
    with pytest.raises(MachineError, match=r"@U\.CASE\.NOM@ is a flag diacritic"):
        neighborhood(str(tmp_path / "flagged.fst"))


def test_a_damaged_file_of_foma_is_an_error(tmp_path: Path) -> None:
    """Cut anywhere, or with a digit or a heading changed: an error that names the file, no other one."""
    write_machine(transducer(), tmp_path / "x.foma")
    data = (tmp_path / "x.foma").read_bytes()
    text = gzip.decompress(data)
    damaged = [data[:size] for size in range(0, len(data), 9)] + [
        gzip.compress(text.replace(*change), mtime=0)
        for change in (
            (b"##states##", b"##"),
            (b"\n0 5", b"\n0 x"),
            (b"##end##", b""),
            (b"1 6 0 2 0", b"1 99999999999 0 2 0"),
        )
    ]
    for number, one in enumerate(damaged):
        path = tmp_path / f"{number}.foma"
        path.write_bytes(one)
        try:
            read_machine(path)
        except MachineError as error:
            assert str(path) in str(error)


@pytest.mark.parametrize("arc_type", ["standard", "log", "log64"])
def test_the_form_is_said_as_fstinfo_does(tmp_path: Path, arc_type: str) -> None:
    (tmp_path / "m.txt").write_text("0 1 1 2 0.5\n1 0.25\n")
    run("fstcompile", f"--arc_type={arc_type}", str(tmp_path / "m.txt"), str(tmp_path / "m.fst"))
    said = run("fstinfo", str(tmp_path / "m.fst"))
    assert ("arc type" in said) and said.split("arc type")[1].split()[0] == arc_type
    assert read_with_form(tmp_path / "m.fst")[1] == f"vector, arcs {arc_type}"


def test_the_form_of_every_file_is_said(files: dict[str, Any]) -> None:
    """A machine of an archive is no text; the file is read once, so that a pipe serves."""
    assert [read_with_form(path)[1] for path in files.values()] == [
        "vector, arcs standard",
        "const, arcs standard",
        "compact_unweighted, arcs standard",
        "one of an archive",
        "one of an archive",
        "HFST TROPICAL_OPENFST",
        "HFST FOMA",
        "HFST HFST_OLW",
        "HFST HFST_OLW",
        "foma",
        "AT&T text",
        "AT&T text",
        "AT&T text",
    ]


def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "x.fst"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(transducer().write_to_string(),), daemon=True)
    writer.start()
    assert main(["machine", "info", str(pipe)]) == 0
    writer.join(10)
