"""AT&T text as foma, HFST, lttoolbox and OpenFst write it: read by tabs, and judged by these programs."""

from __future__ import annotations

import gzip
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pynini
import pytest
from hypothesis import settings
from machine_cases import pairs, run

from fstce.errors import MachineError, ParameterError
from fstce.machines import Symbols, arrays_to_fst
from fstce.machines.convert import read_machine, read_with_form, write_machine
from fstce.machines.hfst import hfst_machines
from fstce.machines.image import rows_to_arrays
from fstce.machines.operations import operate
from fstce.machines.spelling import EPSILONS

Row = tuple[int, str, str, int]
# Characters that look like nothing, all that Unicode has: blanks, format characters, marks, controls.
ODD = [
    chr(code)
    for code in range(1, sys.maxunicode + 1)
    if unicodedata.category(chr(code)) in ("Zs", "Zl", "Zp", "Cf", "Mn", "Mc", "Me", "Cc")
    and chr(code) != "\n"
]
PLAIN = [*"ab01:<>%#?-\\|é", '"']
NUMBER = settings.default.max_examples  # of random machines: EXAMPLES=10000, by `make thorough`
BATCH = 200  # machines that one process of a tool takes


def odd_machines(random: Random, number: int, left_out: str = "") -> list[list[Row]]:
    """So many machines with symbols of one or a few characters, odd ones above all."""
    letters = [letter for letter in (*ODD, *PLAIN * 20) if letter not in left_out]
    long = [name for name in ("--", "0.5") if name[0] not in left_out]
    machines = []
    for _ in range(number):
        symbols = ["".join(random.choices(letters, k=random.randint(1, 3))) for _ in range(4)]
        if long and not random.randrange(10):
            symbols[0] = random.choice(long)
        machines.append(rows(random, symbols[: random.randint(1, 4)]))
    return machines


def rows(random: Random, symbols: list[str]) -> list[Row]:
    """The arcs of an acyclic machine from state 0 to its last, ε as an empty label."""
    labels = ["", *symbols]
    length = random.randint(1, 4)
    ends = [(i, i + 1) for i in range(length)]
    for _ in range(random.randint(0, 3)):
        source = random.randrange(length)
        ends.append((source, random.randint(source + 1, length)))
    arcs = [
        (source, random.choice(labels), random.choice(labels), target) for source, target in ends
    ]
    return list(dict.fromkeys(arcs))


def machine(arcs: list[Row]) -> pynini.Fst:
    """The machine of these arcs, its last state final."""
    table = pynini.SymbolTable("odd")
    table.add_symbol("<epsilon>")
    fst = pynini.Fst()
    fst.add_states(max(arc[3] for arc in arcs) + 1)
    fst.set_start(0)
    fst.set_final(fst.num_states() - 1)
    for source, read, write, target in arcs:
        labels = [table.add_symbol(name) if name else 0 for name in (read, write)]
        fst.add_arc(source, pynini.Arc(*labels, 0, target))
    return fst.set_input_symbols(table).set_output_symbols(table)


@pytest.mark.parametrize("suffix", [".fst", ".far", ".att", ".txt", ".hfst", ".foma", ".hfstol"])
def test_whatever_is_written_is_read(tmp_path: Path, suffix: str) -> None:
    random = Random(suffix)
    path = tmp_path / f"x{suffix}"
    for arcs in odd_machines(random, NUMBER):
        spelling = random.choice([None, "openfst", "kaldi", "hfst"])
        write_machine(machine(arcs), path, spelling=spelling)
        assert pairs(read_machine(path)) == pairs(machine(arcs)), (arcs, spelling)


def written(folder: Path, tool: str, left_out: str = "") -> Iterator[dict[Path, list[Row]]]:
    """Random machines by the file of text that holds each, without a table beside it."""
    random = Random(tool)
    for begin in range(0, NUMBER, BATCH):
        machines = odd_machines(random, min(BATCH, NUMBER - begin), left_out)
        arcs_of_file = {folder / f"{i}.att": arcs for i, arcs in enumerate(machines)}
        for file, arcs in arcs_of_file.items():
            write_machine(machine(arcs), file, spelling=tool)
            file.with_suffix(".syms").unlink()
        yield arcs_of_file


def test_foma_reads_the_text_and_writes_it_back(tmp_path: Path) -> None:
    """Through foma's text and through its binary file."""
    script = tmp_path / "script"
    for arcs_of_file in written(tmp_path, "foma", left_out="\x00\t\r01"):
        nets = {file: file.with_suffix(".foma") for file in arcs_of_file}
        lines = [f"read att {file}\nsave stack {net}\nclear\n" for file, net in nets.items()]
        lines += [f"load stack {net}\nwrite att {file}\nclear\n" for file, net in nets.items()]
        script.write_text("".join(lines))
        run("foma", "-q", "-f", str(script))
        for file, arcs in arcs_of_file.items():
            assert pairs(read_machine(nets[file])) == pairs(machine(arcs)), arcs
            assert pairs(read_machine(file)) == pairs(machine(arcs)), arcs


def test_hfst_reads_the_text_and_writes_it_back(tmp_path: Path) -> None:
    text, binary = tmp_path / "all.text", tmp_path / "x.hfst"
    # HFST drops the last two at the end of a line
    for arcs_of_file in written(tmp_path, "hfst", left_out="\r\x0b\x0c"):
        text.write_bytes(b"--\n".join(file.read_bytes() for file in arcs_of_file))
        run("hfst-txt2fst", str(text), "-o", str(binary))
        machines, _ = hfst_machines(binary.read_bytes(), str(binary))
        run("hfst-fst2txt", str(binary), "-o", str(text))
        texts = re.split(rb"(?m)^--\n", text.read_bytes())
        for (file, arcs), fst, back in zip(arcs_of_file.items(), machines, texts, strict=True):
            file.write_bytes(back)
            assert pairs(fst) == pairs(machine(arcs)), arcs
            assert pairs(read_machine(file)) == pairs(machine(arcs)), arcs


def test_openfst_reads_the_text_and_writes_it_back(tmp_path: Path) -> None:
    """By one shell, a process a machine: its programs take one."""
    random = Random("openfst")
    tables = "--isymbols=$1.syms --osymbols=$1.syms"
    compiled = f"fstcompile {tables} --keep_isymbols --keep_osymbols $1.txt"
    command = f"{compiled} | fstprint {tables} - $1.back"
    for begin in range(0, NUMBER, BATCH):
        machines = odd_machines(random, min(BATCH, NUMBER - begin))
        for i, arcs in enumerate(machines):
            write_machine(machine(arcs), tmp_path / f"{i}.txt")
        names = " ".join(map(str, range(len(machines))))
        script = f"one() {{ {command}; }}; for i in {names}; do one $i || exit 1; done"
        run("sh", "-c", script, cwd=str(tmp_path))
        for i, arcs in enumerate(machines):
            (tmp_path / f"{i}.back").rename(tmp_path / f"{i}.txt")
            assert pairs(read_machine(tmp_path / f"{i}.txt")) == pairs(machine(arcs)), arcs


def test_foma_keeps_a_newline_and_a_tab_in_its_binary_file_alone(tmp_path: Path) -> None:
    """The line that follows a newline was called damaged, and what foma cannot hold was written."""
    path, back = tmp_path / "x.foma", tmp_path / "y.foma"
    for symbol in ("\n", "\t", "\r", "a\tb"):
        arcs = [(0, symbol, "a", 1), (1, "b", symbol, 2)]
        write_machine(machine(arcs), path)
        run("foma", "-q", "-e", f"load stack {path}", "-e", f"save stack {back}", "-s")
        assert pairs(read_machine(path)) == pairs(read_machine(back)) == pairs(machine(arcs))
    for symbol in ("a\nb", "\r\n", "\n\n"):
        with pytest.raises(MachineError, match="is no symbol of foma's; rename it"):
            write_machine(machine([(0, symbol, "a", 1)]), path)


def test_what_is_on_no_path_is_none_for_the_tools(tmp_path: Path) -> None:
    """A state that leads nowhere was final for foma; over its line HFST's reader aborted."""
    fst = machine([(0, "a", "a", 1), (0, "b", "b", 2), (2, "b", "b", 3)])
    fst.add_arc(0, pynini.Arc(*[fst.input_symbols().find("a")] * 2, np.inf, 3))
    for tool in ("foma", "hfst"):
        write_machine(fst, tmp_path / f"{tool}.att", spelling=tool)
    write_machine(fst, tmp_path / "x.hfst")
    foma = run("foma", "-q", "-e", f"read att {tmp_path}/foma.att", "-e", "print words", "-s")
    assert foma.splitlines()[1:] == ["bb"]
    run("hfst-txt2fst", str(tmp_path / "hfst.att"), "-o", str(tmp_path / "y.hfst"))
    for name in ("x.hfst", "y.hfst"):
        assert run("hfst-fst2strings", str(tmp_path / name)) == "bb\n"


def test_a_table_may_begin_with_a_mark_of_byte_order(tmp_path: Path) -> None:
    """It was taken for that of the file, where ε stood behind it."""
    table = pynini.SymbolTable()
    for symbol, label in (("\ufeffa", 5), ("\ufeff", 3), ("<epsilon>", 0)):
        table.add_symbol(symbol, label)
    fst = pynini.Fst()
    fst.add_states(2)
    fst.set_start(0)
    fst.set_final(1)
    fst.add_arc(0, pynini.Arc(5, 3, 0, 1))
    write_machine(fst.set_input_symbols(table).set_output_symbols(table), tmp_path / "x.att")
    assert pairs(read_machine(tmp_path / "x.att")) == {(("\ufeffa",), ("\ufeff",))}


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u3000", "\f", "\v", "\u2028", "\x85", "\r"])
def test_a_blank_is_a_label(tmp_path: Path, blank: str) -> None:
    """As the only label of an arc, at the end of a line and inside, with and without weights."""
    lines = (
        f"0\t1\ta\ta\n1\t2\t{blank}\t{blank}\n2\t3\tb{blank}\t{blank}\n3\n",
        f"0\t1\ta\ta\t0.0\t\n1\t2\t{blank}\t{blank}\t0.0\t\n2\t3\tb{blank}\t{blank}\t0\t\n3\t0.0\t\n",
    )
    for text in lines:
        (tmp_path / "x.att").write_text(text, newline="")
        read = read_machine(tmp_path / "x.att")
        assert pairs(read) == {(("a", blank, f"b{blank}"), ("a", blank, blank))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0\t1\t@_SPACE_@\tx@_TAB_@y\n1\n", ((" ",), ("x\ty",))),
        ("0\t1\t@_COLON_@\t@0@\n1\n", ((":",), ())),
        ("0\t1\tNew@_SPACE_@York\t@_EPSILON_SYMBOL_@\n1\n", (("New York",), ())),
        ("0 1 a a 0.5\r\n1 0\r\n", (("a",), ("a",))),
        ("0 1\ta\tb\n1\n", (("a",), ("b",))),
        ("0\t1 a b\n1\n", (("a",), ("b",))),
        ("0\t1\ta\ta\r1\r", (("a",), ("a",))),
        ("\ufeff0\t1\ta\ta\n\n\n1\n", (("a",), ("a",))),
        ("0\t1\tε\ta\n1\n", (("ε",), ("a",))),
    ],
)
def test_what_tools_and_people_write(
    tmp_path: Path, text: str, expected: tuple[tuple[str, ...], tuple[str, ...]]
) -> None:
    (tmp_path / "x.att").write_bytes(text.encode())
    assert pairs(read_machine(tmp_path / "x.att")) == {expected}
    (tmp_path / "x.att.gz").write_bytes(gzip.compress(text.encode()))
    assert pairs(read_machine(tmp_path / "x.att.gz")) == {expected}


def test_numbers_are_words_where_hfst_wrote_them(tmp_path: Path) -> None:
    """By its weights of six digits, which OpenFst's programs do not write."""
    (tmp_path / "x.att").write_text("0\t1\t0\t7\t0.000000\n1\t0.000000\n")
    assert pairs(read_machine(tmp_path / "x.att")) == {(("0",), ("7",))}
    (tmp_path / "x.att").write_text("0\t1\t0\t7\n1\n")
    assert read_machine(tmp_path / "x.att").input_symbols() is None


@pytest.mark.parametrize("epsilon", ["@0@", "@_EPSILON_SYMBOL_@"])
def test_what_openfst_calls_epsilon_is_a_word_beside_that_of_hfst(
    tmp_path: Path, epsilon: str
) -> None:
    """As for hfst-txt2fst and foma; both were ε."""
    (tmp_path / "x.att").write_text(f"0\t1\ta\t{epsilon}\n1\t2\t<eps>\t<epsilon>\n2\n")
    run("hfst-txt2fst", "-i", str(tmp_path / "x.att"), "-o", str(tmp_path / "x.hfst"))
    assert run("hfst-fst2strings", str(tmp_path / "x.hfst")) == "a<eps>:<epsilon>\n"
    assert pairs(read_machine(tmp_path / "x.att")) == {(("a", "<eps>"), ("<epsilon>",))}


def test_digits_of_foma_are_words_where_epsilon_is_named(tmp_path: Path) -> None:
    """0, a word of foma's, was ε; nothing in the file tells it from OpenFst's ids."""
    path = tmp_path / "x.att"
    run("foma", "-q", "-e", "regex 1 %0 | 2 2:3;", "-e", f"write att {path}", "-s")
    assert read_machine(path).input_symbols() is None
    fst = read_machine(path, epsilon="@0@")
    assert pairs(fst) == {(("1", "0"), ("1", "0")), (("2", "2"), ("2", "3"))}


@pytest.mark.parametrize("spelt", ["ε", "-", "eps", *EPSILONS])
def test_what_spells_epsilon_may_be_said(tmp_path: Path, spelt: str) -> None:
    (tmp_path / "x.att").write_text(f"0\t1\ta\t{spelt}\n1\n")
    assert pairs(read_machine(tmp_path / "x.att", epsilon=spelt)) == {(("a",), ())}
    (tmp_path / "x.att").write_text("0\t1\ta\t<eps>\n1\n")
    assert pairs(read_machine(tmp_path / "x.att", epsilon="ε")) == {(("a",), ("<eps>",))}


SEVERAL = "0\t1\ta\tb\n1\n--\n0\t1\tb\tc\n1\n--\n0\t0\td\td\n0\n"


def test_several_machines_of_a_text_are_their_union(tmp_path: Path) -> None:
    (tmp_path / "x.att").write_text(SEVERAL.rpartition("--")[0])
    fst, form = read_with_form(tmp_path / "x.att")
    assert form == "AT&T text, union of 2 machines"
    assert pairs(fst) == {(("a",), ("b",)), (("b",), ("c",))}
    assert pairs(read_machine(f"{tmp_path / 'x.att'}:2")) == {(("b",), ("c",))}
    assert pairs(read_machine(tmp_path / "x.att", key="1")) == {(("a",), ("b",))}
    for number in ("0", "3", "x"):
        with pytest.raises(ParameterError, match=f"holds 2 machines; none is '{number}'"):
            read_machine(tmp_path / "x.att", key=number)


def hfst_of(texts: list[str], folder: Path, form: str) -> Path:
    """HFST's file of several machines, one behind the other."""
    data = b""
    for i, text in enumerate(texts):
        (folder / f"{i}.att").write_text(text)
        run("hfst-txt2fst", "-f", form, str(folder / f"{i}.att"), "-o", str(folder / f"{i}.hfst"))
        data += (folder / f"{i}.hfst").read_bytes()
    (folder / "all.hfst").write_bytes(data)
    return folder / "all.hfst"


@pytest.mark.parametrize("form", ["openfst-tropical", "foma", "optimized-lookup-weighted"])
def test_several_machines_of_hfst_are_their_union(tmp_path: Path, form: str) -> None:
    texts = ["0\t1\ta\tb\n1\n", "0\t1\tb\tc\n1\n", "0\t1\tx\t@0@\n1\n"]
    path = hfst_of(texts, tmp_path, form)
    expected = [(("a",), ("b",)), (("b",), ("c",)), (("x",), ())]
    assert pairs(read_machine(path)) == set(expected)
    for number, pair in enumerate(expected, 1):
        assert pairs(read_machine(f"{path}:{number}")) == {pair}


def test_a_stack_of_foma_is_asked_for_by_number(tmp_path: Path) -> None:
    save = f"save stack {tmp_path}/x.foma"
    run("foma", "-q", "-e", "regex a:b;", "-e", "regex c;", "-e", save, "-s")
    with pytest.raises(
        ParameterError, match=r"x\.foma holds 2 machines; say which, as .*x\.foma:KEY: 1, 2"
    ):
        read_machine(tmp_path / "x.foma")
    one, two = (read_machine(f"{tmp_path}/x.foma:{i}") for i in (1, 2))
    assert [pairs(one), pairs(two)] in (
        [{(("a",), ("b",))}, {(("c",), ("c",))}],
        [{(("c",), ("c",))}, {(("a",), ("b",))}],
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0\t1\ta\ta\n1\t2\t \t\n2\n", r"x\.att:2: 3 fields"),
        ("0\t1\ta\ta\n\n1\t2\t\tb\t0.5\n2\n", r"x\.att:3: a label is empty"),
        ("0\t1\t\t\n1\n", r"x\.att:1: a label is empty"),
        ("0\t1\ta\ta\nfoo\t2\t \tb\n2\n", r"x\.att:2: 'foo' is no state"),
        ("0\t1\ta\ta\n1\tx\n", r"x\.att:2: 'x' is no weight"),
        ("0\t1\ta\ta\n1\t1_0\n", r"x\.att:2: '1_0' is no weight"),
        ("0\t1\ta\tb\t٣\n1\n", r"x\.att:1: '٣' is no weight"),
        ("0\t1\ta\tinf\n1\n", r"x\.att:1: is 'inf' an output or a weight\?"),
        ("0\t1\tN\t+1\n1\t2\tV\t1e5\n2\n", r"x\.att:1: is '\+1' an output or a weight\?"),
        ("network(A).\narc(A, 0, 1, 2).\n", r"x\.att:2: 'arc\(A,' is no state"),
        ("digraph G {\nq0 -> q1 [label = 1];\na b c\n", r"x\.att:1: 'digraph' is no state"),
    ],
)
def test_the_line_and_the_cause_are_true(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.att").write_text(text)
    with pytest.raises(MachineError, match=message):
        read_machine(tmp_path / "x.att")


@pytest.mark.parametrize("expression", ['a "\t" b', 'a:"\t" b', '"\t":b a'])
def test_a_tab_as_foma_writes_it_is_no_end_of_a_line(tmp_path: Path, expression: str) -> None:
    """The arc was a final state, or read and wrote the same; foma itself cannot read it."""
    file = tmp_path / "x.att"
    (tmp_path / "script").write_text(f"regex {expression} ;\nwrite att {file}\n")
    run("foma", "-q", "-f", str(tmp_path / "script"))
    for text in (file.read_text(), "".join(file.read_text().splitlines(keepends=True)[-3:])):
        file.write_text(text)
        with pytest.raises(
            MachineError, match=r"x\.att:[12]: a label is empty or a tab; .*@_TAB_@"
        ):
            read_machine(file)


TOOLS_TEXT = [
    "1\t2\ta\tb\t0.000000\n0\t2\tc\td\t0.500000\n2\t0.000000\n",
    "1\n0\t1\t@0@\tb\n",
    "3\t4\t@_SPACE_@\tb\n4\n",
    "0\t1\t1\t2\t0.500000\n1\t0.000000\n--\n0\t1\ta\t3\t0.000000\n1\t0.000000\n",
    "0\t1\t<unk>\t<s>\t0.000000\n1\t2\t<sigma>\t@0@\t0.000000\n2\t0.000000\n",
    "0\t1\t٣\t٤\n1\n",
    "0\t1\ta\t٤\n1\n",
]


@pytest.mark.parametrize("text", TOOLS_TEXT)
def test_text_means_what_it_means_to_hfst(tmp_path: Path, text: str) -> None:
    """It begins in state 0, where it can be seen to be HFST's; ids are symbols in all its parts."""
    (tmp_path / "x.att").write_text(text)
    run("hfst-txt2fst", str(tmp_path / "x.att"), "-o", str(tmp_path / "theirs.hfst"))
    theirs = read_machine(tmp_path / "theirs.hfst")
    assert pairs(read_machine(tmp_path / "x.att")) == pairs(theirs)
    if theirs.num_states() < 2:
        return
    write_machine(read_machine(tmp_path / "x.att"), tmp_path / "ours.hfst")
    assert pairs(read_machine(tmp_path / "ours.hfst")) == pairs(theirs)
    write_machine(read_machine(tmp_path / "x.att"), tmp_path / "y.att", spelling="hfst")
    write_machine(read_machine(tmp_path / "y.att"), tmp_path / "ours.hfst")
    assert pairs(read_machine(tmp_path / "ours.hfst")) == pairs(theirs)


def test_a_name_of_epsilon_that_text_cannot_say_is_not_written(tmp_path: Path) -> None:
    table = pynini.SymbolTable("t")
    for symbol in ("_", "a"):
        table.add_symbol(symbol)
    fst = pynini.accep("a", token_type=table).set_input_symbols(table).set_output_symbols(table)
    with pytest.raises(MachineError, match=r"the table calls ε '_', .* --spelling openfst"):
        write_machine(fst, tmp_path / "x.att")
    write_machine(fst, tmp_path / "x.att", spelling="openfst")
    assert pairs(read_machine(tmp_path / "x.att")) == {(("a",), ("a",))}


def test_a_dictionary_of_lttoolbox_is_named(tmp_path: Path) -> None:
    entry = "<e><p><l>a</l><r>b</r></p></e>"
    section = f'<section id="m" type="standard">{entry}</section>'
    (tmp_path / "x.dix").write_text(f"<dictionary><alphabet>ab</alphabet>{section}</dictionary>")
    for name in ("x.bin", "x.att", "x.hfst"):
        run("lt-comp", "lr", str(tmp_path / "x.dix"), str(tmp_path / name))
        with pytest.raises(MachineError, match="of lttoolbox's; print it: lt-print"):
            read_machine(tmp_path / name)


@pytest.mark.parametrize("kept", [2, 9, 15, -1, -9])
def test_a_gzip_that_is_cut_off_is_refused(tmp_path: Path, kept: int) -> None:
    (tmp_path / "x.att.gz").write_bytes(gzip.compress(b"0\t1\ta\ta\n1\n")[:kept])
    with pytest.raises(MachineError, match=r"x\.att\.gz: (cut off|damaged)"):
        read_machine(tmp_path / "x.att.gz")


@pytest.mark.parametrize("suffix", [".fst", ".hfst", ".hfstol"])
def test_what_stands_behind_a_machine_is_not_lost_in_silence(tmp_path: Path, suffix: str) -> None:
    """Of OpenFst's files the second machine, of HFST's one whose first bytes are damaged."""
    path = tmp_path / f"x{suffix}"
    table = Symbols("ab").table
    word = pynini.accep("a", token_type=table).set_input_symbols(table).set_output_symbols(table)
    write_machine(word, path)
    machine = path.read_bytes()
    path.write_bytes(machine + (machine if suffix == ".fst" else machine.replace(b"HFST", b"HFSU")))
    with pytest.raises(MachineError, match=rf"x\{suffix}: damaged: [0-9,]+ bytes .*behind"):
        read_machine(path)


def test_what_is_on_no_path_is_no_reason_not_to_minimize() -> None:
    fst = arrays_to_fst(
        rows_to_arrays([(0, 1, 1, 1, 0.0), (0, 2, 2, 2, 0.0), (2, 1, 1, 2, -1.0)], {1: 0.0}, 0)
    )
    assert operate("minimize", [fst], ["x"]).num_states() == 2


@pytest.mark.parametrize("suffix", [".foma", ".hfst"])
def test_text_of_a_tools_machine_is_that_tools_unless_another_is_asked_for(
    tmp_path: Path, suffix: str
) -> None:
    """An ε that a union or a deletion brings is none of HFST's symbols."""
    named = pynini.SymbolTable("t")
    for symbol in ("<epsilon>", "k", "lm"):
        named.add_symbol(symbol)
    fst = arrays_to_fst(rows_to_arrays([(0, 1, 0, 1, 0.0), (1, 2, 1, 2, 0.0)], {2: 0.0}, 0))
    write_machine(fst.set_input_symbols(named).set_output_symbols(named), tmp_path / f"x{suffix}")

    read = read_machine(tmp_path / f"x{suffix}")
    write_machine(operate("union", [read, read], ["x", "x"]), tmp_path / "x.att")
    assert pairs(read_machine(tmp_path / "x.att")) == pairs(read) == {(("k", "lm"), ("k",))}
    run("hfst-txt2fst", str(tmp_path / "x.att"), "-o", str(tmp_path / "y.hfst"))
    assert pairs(read_machine(tmp_path / "y.hfst")) == pairs(read)

    write_machine(read, tmp_path / "z.att", spelling="openfst")
    assert "<epsilon>" in (tmp_path / "z.att").read_text()
