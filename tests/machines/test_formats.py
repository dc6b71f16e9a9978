"""Machines in every form that a tool writes: read alike by every reader, and read by the tools themselves."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path
from threading import Thread

import pynini
import pytest
import pywrapfst
from hypothesis import HealthCheck, given, settings
from machine_cases import fsts, run

from fstce import Analyser, inspect, neighborhood
from fstce.cli.main import main
from fstce.errors import MachineError
from fstce.machines.convert import SUFFIXES, read_machine, read_with_form, write_machine
from fstce.machines.files import write_fst
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


def strings(fst: pynini.Fst) -> list[tuple[str, str, float]]:
    """What an acyclic machine reads, writes and weighs, path by path."""

    def walk(state: int, reads: tuple[str, ...], writes: tuple[str, ...], weight: float) -> None:
        if float(fst.final(state)) != float("inf"):
            listed.append((" ".join(reads), " ".join(writes), round(weight + float(fst.final(state)), 5)))
        for arc in fst.arcs(state):
            one, other = fst.input_symbols().find(arc.ilabel), fst.output_symbols().find(arc.olabel)
            walk(
                arc.nextstate,
                reads + (one,) * (arc.ilabel > 0),
                writes + (other,) * (arc.olabel > 0),
                weight + float(arc.weight),
            )

    listed: list[tuple[str, str, float]] = []
    walk(fst.start(), (), (), 0.0)
    return sorted(listed)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The same machine in every form that is written, and an archive's key."""
    made = {}
    for suffix in SUFFIXES:
        made[suffix] = tmp_path / suffix[1:] / f"x{suffix}"
        made[suffix].parent.mkdir()
        spelling = "hfst" if suffix == ".att" else "openfst"
        write_machine(transducer(), made[suffix], spelling=spelling)
    made["key"] = Path(f"{made['.far']}:0")
    return made


@pytest.mark.parametrize("suffix", [*SUFFIXES, "key"])
def test_every_form_is_read_alike(files: dict[str, Path], suffix: str) -> None:
    assert strings(read_machine(files[suffix])) == strings(transducer())


@pytest.mark.parametrize("suffix", [*SUFFIXES, "key"])
@pytest.mark.parametrize("verb", ["info", "draw", "inspect", "convert"])
def test_every_verb_takes_every_form(files: dict[str, Path], tmp_path: Path, suffix: str, verb: str) -> None:
    """The first column of the table in docs/first_hours/inspection.md."""
    options = {
        "info": [],
        "draw": ["--engine", "layered", "--output", str(tmp_path / "x.svg")],
        "inspect": ["--output", str(tmp_path / "x.html")],
        "convert": [str(tmp_path / "y.fst")],
    }
    assert main(["machine", verb, str(files[suffix]), *options[verb]]) == 0


@pytest.mark.parametrize("suffix", [*SUFFIXES, "key"])
def test_every_form_is_a_neighborhood(tmp_path: Path, suffix: str) -> None:
    sentence = ("a", "c", "b")
    machine = pynini.Fst()
    machine.add_states(1)
    machine.set_start(0)
    machine.set_final(0)
    a, b, c, _ = WORDS.labels
    for read, write in ((a, a), (b, b), (c, c), (c, 0)):
        machine.add_arc(0, pynini.Arc(read, write, 0, 0))
    machine.set_input_symbols(WORDS.table).set_output_symbols(WORDS.table)
    path = tmp_path / f"x{'.far' if suffix == 'key' else suffix}"
    if suffix == ".far":
        pytest.skip("an archive without a key holds precomputed lattices")
    write_machine(machine, path)
    name = f"{path}:0" if suffix == "key" else str(path)
    assert set(neighborhood(name)(sentence).strings()) == {("a", "c", "b"), ("a", "b")}


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
    run("foma", "-q", "-e", "regex [a b:c 0:d ?+ | x:?];", "-e", f"save stack {tmp_path}/theirs.foma", "-s")
    run("foma", "-q", "-e", "regex [a b:c 0:d ?+ | x:?];", "-e", f"write att {tmp_path}/theirs.att", "-s")
    ours, theirs = read_machine(tmp_path / "theirs.foma"), read_machine(tmp_path / "theirs.att")
    assert spelt(ours) == spelt(theirs)


def spelt(fst: pynini.Fst) -> set[tuple[int, str, str, int]]:
    find = fst.input_symbols().find
    return {(s, find(a.ilabel), find(a.olabel), a.nextstate) for s in fst.states() for a in fst.arcs(s)}


@pytest.mark.parametrize("form", ["openfst-tropical", "foma"])
def test_hfst_reads_and_writes_the_same(tmp_path: Path, form: str) -> None:
    write_machine(transducer(), tmp_path / "ours.hfst")
    text = run("hfst-fst2txt", str(tmp_path / "ours.hfst"))
    assert "0\t1\ta\tb\t0" in text and "@_IDENTITY_SYMBOL_@\t@_IDENTITY_SYMBOL_@" in text
    (tmp_path / "x.att").write_text("0\t1\ta\tb\n1\t2\t@0@\tc\n2\n")
    run("hfst-txt2fst", "-f", form, str(tmp_path / "x.att"), "-o", str(tmp_path / "theirs.hfst"))
    assert strings(read_machine(tmp_path / "theirs.hfst")) == [("a", "b c", 0.0)]


def test_an_analyser_is_read_from_foma(tmp_path: Path) -> None:
    lexicon = 'regex [c a t "+N":0 "+Pl":s];'
    run("foma", "-q", "-e", lexicon, "-e", f"save stack {tmp_path}/x.foma", "-s")
    assert Analyser(tmp_path / "x.foma")("cats") == [("c", "a", "t", "+N", "+Pl")]


def test_what_a_form_cannot_hold_is_refused_by_name(tmp_path: Path) -> None:
    weighted = transducer()
    weighted.set_final(3, 0.5)
    with pytest.raises(MachineError, match=r"has weights, and foma knows none; write \.att or \.hfst"):
        write_machine(weighted, tmp_path / "x.foma")
    with pytest.raises(MachineError, match="HFST and foma have words, and the machine has none"):
        write_machine(pynini.accep("ab"), tmp_path / "x.hfst")
    (tmp_path / "x.att").write_text("0\t1\t@_UNKNOWN_SYMBOL_@\t@_UNKNOWN_SYMBOL_@\n1\n")
    if shutil.which("hfst-txt2fst"):
        run("hfst-txt2fst", str(tmp_path / "x.att"), "-o", str(tmp_path / "x.hfst"))
        with pytest.raises(MachineError, match="@_UNKNOWN_SYMBOL_@ on both sides: two different words"):
            read_machine(tmp_path / "x.hfst")
    flagged = Symbols(["@U.CASE.NOM@", "x"])
    fst = pynini.accep("x", token_type=flagged.table) + pynini.accep("x", token_type=flagged.table)
    fst.add_arc(0, pynini.Arc(flagged.label("@U.CASE.NOM@"), 0, 0, 1))
    fst.set_input_symbols(flagged.table).set_output_symbols(flagged.table)
    write_fst(fst, tmp_path / "flagged.fst")
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


def test_the_form_of_every_file_is_said(files: dict[str, Path]) -> None:
    """A machine of an archive is no text; the file is read once, so that a pipe serves."""
    forms = {suffix: read_with_form(path)[1] for suffix, path in files.items()}
    assert forms == {
        ".fst": "vector, arcs standard",
        ".far": "one of an archive",
        ".hfst": "HFST TROPICAL_OPENFST",
        ".hfstol": "HFST HFST_OLW",
        ".foma": "foma",
        ".txt": "AT&T text",
        ".att": "AT&T text",
        "key": "one of an archive",
    }


def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "x.fst"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(transducer().write_to_string(),), daemon=True)
    writer.start()
    assert main(["machine", "info", str(pipe)]) == 0
    writer.join(10)


def test_a_form_in_memory_is_inspected() -> None:
    assert inspect(transducer()).views[0].fst.num_states() == 4


def test_the_table_of_the_docs_has_every_form() -> None:
    """A form that is read here stands there, and none else."""
    page = Path(__file__).parents[2] / "docs" / "first_hours" / "inspection.md"
    table = page.read_text(encoding="utf-8").partition("## Which files")[2]
    assert {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")} == set(SUFFIXES)
