"""Machines from tool to tool: spellings, symbols beside and inside text, exact weights, errors with lines."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pynini
import pytest
import pywrapfst
from hypothesis import given, settings
from hypothesis import strategies as st
from machine_cases import arcs_of, arrays, lattice_fst, run

from fstce.errors import FstceError, MachineError, ParameterError
from fstce.machines import Symbols, arrays_to_fst, fst_to_arrays
from fstce.machines.convert import read_machine, write_machine
from fstce.machines.files import read_fst, write_far, write_fst
from fstce.machines.spelling import EPSILONS, OTHER, SAME, SPELLINGS
from fstce.machines.text import read_symbols

WORDS = ("the", "cat", "1984", "0.5", "#0", "é")


def named(fst, words=WORDS):
    table = Symbols(words).table
    fst.set_input_symbols(table)
    fst.set_output_symbols(table)
    return fst


def spelt(fst):
    """Arcs and final states with words in the place of ids: what survives a change of ids and of spelling."""
    i, o = ((lambda label, t=t: OURS.get(t.find(label), t.find(label))) for t in tables_of(fst))
    arcs = [(s, i(a), o(b), w, n) for s, a, b, w, n in arcs_of(fst)]
    return arcs, [str(fst.final(state)) for state in fst.states()], fst.start()


def tables_of(fst):
    return fst.input_symbols(), fst.output_symbols()


OURS = dict.fromkeys(EPSILONS, "<epsilon>") | dict.fromkeys((OTHER, SAME), "<unk>")


@st.composite
def machines(draw, arc_type):
    """Any machine over the words, ε and <unk>, whose every state is mentioned in its text."""
    found = draw(arrays(arc_type, largest_label=4 + len(WORDS)))
    return named(arrays_to_fst(found, arc_type))


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
@pytest.mark.parametrize("suffix", [".fst", ".txt", ".att"])
@given(data=st.data())
@settings(max_examples=25)
def test_what_is_written_comes_back_exactly(tmp_path_factory, data, arc_type, suffix):
    path = tmp_path_factory.mktemp("c") / f"x{suffix}"
    fst = data.draw(machines(arc_type))
    write_machine(fst, path)
    back = read_machine(path, arc_type=arc_type)
    assert back.arc_type() == arc_type
    assert fst_to_arrays(back).start == fst_to_arrays(fst).start
    for name in fst_to_arrays(fst)._fields[1:]:
        np.testing.assert_array_equal(
            getattr(fst_to_arrays(back), name), getattr(fst_to_arrays(fst), name)
        )
    assert dict(back.input_symbols()) == dict(fst.input_symbols())


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("suffix", [".fst", ".txt"])
def test_every_spelling_comes_back(tmp_path, spelling, suffix):
    fst = transducer()
    write_machine(fst, tmp_path / f"x{suffix}", spelling=spelling)
    back = read_machine(tmp_path / f"x{suffix}")
    assert spelt(back) == spelt(fst)
    assert back.input_symbols().find(0) == SPELLINGS[spelling]


@pytest.mark.parametrize("spelling", ["openfst", "kaldi"])
def test_numbers_come_back(tmp_path, spelling):
    write_machine(transducer(), tmp_path / "x.txt", spelling=spelling, numbers=True)
    assert spelt(read_machine(tmp_path / "x.txt", numbers=True)) == spelt(transducer())
    with pytest.raises(ParameterError, match="leave --numbers out"):
        write_machine(transducer(), tmp_path / "y.txt", spelling="hfst", numbers=True)


def transducer():
    """the:ε, ε:cat, <unk>:<unk>, <unk>:the, cat:cat."""
    lines = "0 1 the <epsilon> 0.5\n1 2 <epsilon> cat\n2 3 <unk> <unk>\n3 4 <unk> the\n4 5 cat cat\n5 0.25"
    table = Symbols(["the", "cat"])
    rows = [line.split() for line in lines.splitlines()]
    fst = pynini.Fst()
    fst.add_states(6)
    fst.set_start(0)
    find = table.table.find
    for row in rows[:-1]:
        weight = pywrapfst.Weight("tropical", row[4] if len(row) > 4 else 0)
        fst.add_arc(int(row[0]), pywrapfst.Arc(find(row[2]), find(row[3]), weight, int(row[1])))
    fst.set_final(5, pywrapfst.Weight("tropical", 0.25))
    fst.set_input_symbols(table.table)
    fst.set_output_symbols(table.table)
    return fst


def test_hfst_text_is_what_hfst_reads(tmp_path):
    write_machine(transducer(), tmp_path / "x.att", spelling="hfst")
    assert (tmp_path / "x.att").read_text().splitlines() == [
        "0\t1\tthe\t@0@\t0.5",
        "1\t2\t@0@\tcat",
        "2\t3\t@_IDENTITY_SYMBOL_@\t@_IDENTITY_SYMBOL_@",
        "3\t4\t@_UNKNOWN_SYMBOL_@\tthe",
        "4\t5\tcat\tcat",
        "5\t0.25",
    ]


def test_hfst_starts_in_state_0(tmp_path):
    fst = named(pynini.Fst())
    fst.add_states(2)
    fst.set_start(1)
    fst.add_arc(1, pywrapfst.Arc(5, 5, pywrapfst.Weight.one("tropical"), 0))
    fst.set_final(0)
    write_machine(fst, tmp_path / "x.txt", spelling="hfst")
    assert (tmp_path / "x.txt").read_text() == "0\t1\tthe\tthe\n1\n"


@pytest.mark.parametrize("epsilon", ["<eps>", "<epsilon>", "@0@", "@_EPSILON_SYMBOL_@"])
def test_symbols_may_stand_in_the_text_alone(tmp_path, epsilon):
    (tmp_path / "x.att").write_text(f"0\t1\tcat\t{epsilon}\n1\t2\t{epsilon}\tdog\n2\n")
    fst = read_machine(tmp_path / "x.att")
    assert spelt(fst)[0] == [(0, "cat", "<epsilon>", "0", 1), (1, "<epsilon>", "dog", "0", 2)]
    assert fst_to_arrays(fst).ilabel.tolist() == [fst.input_symbols().find("cat"), 0]
    assert fst.input_symbols().find(0) == epsilon


def test_an_acceptor_with_weights_has_its_words_inside(tmp_path):
    (tmp_path / "x.txt").write_text("0 1 the 0.5\n1 2 cat 1.5\n2\n")
    assert spelt(read_machine(tmp_path / "x.txt"))[0] == [
        (0, "the", "the", "0.5", 1),
        (1, "cat", "cat", "1.5", 2),
    ]


def test_numbers_without_symbols_stay_numbers(tmp_path):
    (tmp_path / "x.txt").write_text("0 1 7 8 0.5\n1\n")
    fst = read_machine(tmp_path / "x.txt")
    assert arcs_of(fst) == [(0, 7, 8, "0.5", 1)] and fst.input_symbols() is None
    write_machine(fst, tmp_path / "y.txt", spelling="kaldi")
    assert arcs_of(read_machine(tmp_path / "y.txt")) == arcs_of(fst)


def test_a_table_without_epsilon_is_completed(tmp_path):
    fst, table = pynini.accep("a"), pywrapfst.SymbolTable()
    table.add_symbol("a", 97)
    fst.set_input_symbols(table)
    fst.set_output_symbols(table)
    write_machine(fst, tmp_path / "x.txt", spelling="hfst")
    assert (tmp_path / "x.syms").read_text() == "@0@\t0\na\t97\n"


def two_tables(folder):
    (folder / "in.syms").write_text("<eps> 0\nthe 1\ncat 2\n")
    (folder / "out.syms").write_text("<eps> 0\nDT 1\nNN 2\n")
    (folder / "x.txt").write_text("0 1 the DT 0.5\n1 2 cat NN\n2\n")
    return {"isymbols": folder / "in.syms", "osymbols": folder / "out.syms"}


def test_two_sides_have_two_tables(tmp_path):
    fst = read_machine(tmp_path / "x.txt", **two_tables(tmp_path))
    assert arcs_of(fst) == [(0, 1, 1, "0.5", 1), (1, 2, 2, "0", 2)]
    assert spelt(fst)[0] == [(0, "the", "DT", "0.5", 1), (1, "cat", "NN", "0", 2)]
    write_machine(fst, tmp_path / "y.txt")
    assert spelt(read_machine(tmp_path / "y.txt")) == spelt(fst)


def test_symbols_name_a_binary_machine(tmp_path):
    given = two_tables(tmp_path)
    fst = read_machine(tmp_path / "x.txt", **given)
    expected = spelt(fst)
    fst.set_input_symbols(None)
    fst.set_output_symbols(None)
    write_fst(fst, tmp_path / "x.fst")
    assert read_machine(tmp_path / "x.fst").input_symbols() is None
    assert spelt(read_machine(tmp_path / "x.fst", **given)) == expected


def test_log64_keeps_every_digit_and_standard_nine(tmp_path):
    (tmp_path / "x.txt").write_text("0 1 a 0.12345678901234567\n1 1e-300\n")
    exact = read_machine(tmp_path / "x.txt", arc_type="log64")
    assert fst_to_arrays(exact).weight.tolist() == [0.12345678901234567]
    assert fst_to_arrays(exact).final.tolist() == [np.inf, 1e-300]
    write_machine(exact, tmp_path / "x.fst")
    assert fst_to_arrays(read_machine(tmp_path / "x.fst")).weight.tolist() == [0.12345678901234567]
    rounded = read_machine(tmp_path / "x.fst", arc_type="standard")
    assert rounded.arc_type() == "standard"
    assert fst_to_arrays(rounded).weight.tolist() == [np.float32(0.12345678901234567)]


def test_a_machine_of_an_archive(tmp_path):
    one, two = lattice_fst("trans1"), lattice_fst("del1word")
    write_far({"1": one, "2": two}, tmp_path / "x.far")
    assert spelt(read_machine(tmp_path / "x.far", key="2")) == spelt(two)
    write_far({"1": one}, tmp_path / "y.far")
    assert spelt(read_machine(tmp_path / "y.far")) == spelt(one)
    with pytest.raises(
        ParameterError, match=r"x.far holds 2 machines; say which, as .*x.far:KEY: 1, 2"
    ):
        read_machine(tmp_path / "x.far")
    with pytest.raises(ParameterError, match="none is '3': 1, 2"):
        read_machine(tmp_path / "x.far", key="3")


@pytest.mark.parametrize(
    ("text", "symbols", "message"),
    [
        (
            "0 1 the\n1 2 dog\n2\n",
            "<eps> 0\nthe 1\n",
            r"x.txt:2: the symbol 'dog' is not in .*x.syms",
        ),
        ("0 1 the\n1\n", "the 0\n", r"x.syms: id 0 is the word 'the', but id 0 is ε"),
        ("0 1 a\n1\n", f"{'a' * 500} 0\na 1\n", r"x.syms: id 0 is the word 'a{58}…, but.{,160}$"),
        ("0 1 the\n1\n", "the 1\n<eps> 2\n", r"x.syms: '<eps>' has the id 2, but ε is id 0"),
        ("0 1 the\nx 2 the\n2\n", None, r"x.txt:2: 'x' is no state"),
        ("0 1 a b 0.5 7\n", None, r"x.txt:1: 6 fields"),
        ("0 1 a b\n1 2 a b heavy\n", None, r"x.txt:2: 'heavy' is no weight"),
        ("0\t1\ta\ta\n1\t2\t\ta\n", None, r"x.txt:2: a label is empty or a tab"),
        ("0 1 a 1\n1 2 b 3\n", None, r"x.txt:1: is '1' an output or a weight\? .* \(1\.0\)"),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, symbols, message):
    (tmp_path / "x.txt").write_text(text)
    if symbols is not None:
        (tmp_path / "x.syms").write_text(symbols)
    with pytest.raises(MachineError, match=message):
        read_machine(tmp_path / "x.txt")


def test_the_side_that_lacks_a_symbol_is_named(tmp_path):
    given = two_tables(tmp_path)
    (tmp_path / "x.txt").write_text("0 1 the DT\n1 2 cat the\n2\n")
    with pytest.raises(MachineError, match=r"x.txt:2: the symbol 'the' is not in .*out.syms"):
        read_machine(tmp_path / "x.txt", **given)


def test_a_label_without_a_symbol_is_named(tmp_path):
    (tmp_path / "x.txt").write_text("0 1 9\n1\n")
    (tmp_path / "x.syms").write_text("<eps> 0\nthe 1\n")
    with pytest.raises(MachineError, match=r"the label 9 has no symbol in .*x.syms"):
        read_machine(tmp_path / "x.txt", numbers=True)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (
            lambda fst, folder: write_machine(fst, folder / "x.zip"),
            "use .fst .far .hfst .hfstol .zhfst .foma .txt .att",
        ),
        (
            lambda fst, folder: write_machine(fst, folder / "x.txt", spelling="xerox"),
            "spelling='xerox': choose one of",
        ),
        (lambda fst, folder: write_machine(pynini.Fst(), folder / "x.txt"), "no start state"),
        (
            lambda fst, folder: write_machine(pynini.accep("a"), folder / "x.txt", spelling="hfst"),
            "--isymbols",
        ),
    ],
)
def test_what_cannot_be_written(tmp_path, write, message):
    with pytest.raises(FstceError, match=re.escape(message)):
        write(lattice_fst(), tmp_path)


def test_what_cannot_be_asked(tmp_path):
    write_machine(lattice_fst(), tmp_path / "x.txt")
    with pytest.raises(ParameterError, match="holds 1 machines; none is '2'"):
        read_machine(tmp_path / "x.txt", key="2")
    write_fst(lattice_fst(), tmp_path / "x.fst")
    with pytest.raises(ParameterError, match=r"holds 1 machines; none is"):
        read_machine(tmp_path / "x.fst", key="b")
    with pytest.raises(ParameterError, match="arc_type='log': choose one of"):
        read_machine(tmp_path / "x.txt", arc_type="log")
    with pytest.raises(ParameterError, match="--osymbols without --isymbols"):
        read_machine(tmp_path / "x.txt", osymbols=tmp_path / "x.syms")


def test_openfst_tools_read_and_write_the_same(tmp_path):
    fst = transducer()
    write_machine(fst, tmp_path / "x.txt", spelling="kaldi")
    symbols = [f"--{side}symbols={tmp_path / 'x.syms'}" for side in "io"]
    kept = [f"--keep_{side}symbols" for side in "io"]
    run("fstcompile", *symbols, *kept, str(tmp_path / "x.txt"), str(tmp_path / "y.fst"))
    assert spelt(read_machine(tmp_path / "y.fst")) == spelt(fst)
    assert dict(read_fst(tmp_path / "y.fst").input_symbols())[0] == "<eps>"
    assert read_symbols(tmp_path / "x.syms").find(0) == "<eps>"
    assert run("fstprint", *symbols, str(tmp_path / "y.fst")) == (tmp_path / "x.txt").read_text()


def hfst_text(folder, source):
    """What HFST writes of a binary machine of its own."""
    text = run("hfst-fst2txt", str(folder / source))
    (folder / "hfst.txt").write_text(text)
    return folder / "hfst.txt"


@pytest.mark.parametrize("which", ["transducer", "trans1", "length", "window3", "unusual words"])
def test_hfst_reads_what_is_converted_and_gives_it_back(tmp_path, which):
    unusual = ["0", "@", "déjà-vu", "n't", "0.5", "_", "\\?", "%"]
    words = {"unusual words": ("del1word", unusual)}.get(which, (which, ["so", "it", "goes", "so"]))
    fst = transducer() if which == "transducer" else lattice_fst(*words)
    write_machine(fst, tmp_path / "x.txt", spelling="hfst")
    run("hfst-txt2fst", "-i", str(tmp_path / "x.txt"), "-o", str(tmp_path / "x.hfst"))
    (tmp_path / "x.syms").unlink()  # HFST's text spells its symbols itself
    assert sorted(spelt(read_machine(hfst_text(tmp_path, "x.hfst")))[0]) == sorted(spelt(fst)[0])
    assert spelt(read_machine(tmp_path / "hfst.txt"))[1:] == spelt(fst)[1:]


@pytest.mark.parametrize(
    "expression",
    [
        "[a:b c:0 | 0:d ?]* [c | d]::0.5",
        "{cat} [%+N:0 | %+V:{s}] (s::2)",
        "? a:? ?:a",
        "a::1.25 b*",
        "0",
    ],
)
def test_what_hfst_makes_comes_round(tmp_path, expression):
    (tmp_path / "r.txt").write_text(f"{expression} ;\n")
    run("hfst-regexp2fst", "-i", str(tmp_path / "r.txt"), "-o", str(tmp_path / "r.hfst"))
    fst = read_machine(hfst_text(tmp_path, "r.hfst"))
    write_machine(fst, tmp_path / "binary.fst")
    write_machine(read_machine(tmp_path / "binary.fst"), tmp_path / "s.txt", spelling="hfst")
    run("hfst-txt2fst", "-i", str(tmp_path / "s.txt"), "-o", str(tmp_path / "s.hfst"))
    said = run("hfst-compare", str(tmp_path / "r.hfst"), str(tmp_path / "s.hfst"))
    assert " == " in said


@pytest.mark.parametrize("name", ["eps", "EPS", "<EPS>", "epsilon", "ε"])
def test_text_of_a_table_with_an_epsilon_of_its_own_is_read_again(
    tmp_path: Path, name: str
) -> None:
    table = pynini.SymbolTable()
    for symbol in (name, "b", "a"):
        table.add_symbol(symbol)
    mine = pynini.Fst()
    mine.add_states(2)
    mine.set_start(0)
    mine.set_final(1)
    mine.add_arc(0, pynini.Arc(1, 0, 0.5, 1))
    mine.set_input_symbols(table).set_output_symbols(table)
    write_machine(mine, tmp_path / "x.att")
    again = read_machine(tmp_path / "x.att")
    assert pynini.isomorphic(again, mine)
    assert again.input_symbols().find(0) == name
