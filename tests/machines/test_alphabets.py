"""What ? means beside another machine, as HFST's and foma's programs have it."""

from __future__ import annotations

from pathlib import Path

import pynini
import pytest
from machine_cases import pairs, run

from fstce.errors import MachineError
from fstce.machines import Symbols
from fstce.machines.convert import read_machine, write_machine
from fstce.machines.operations import equivalent, operate
from fstce.machines.spelling import OTHER, SAME


def from_regex(expression: str, folder: Path, name: str) -> Path:
    """HFST's machine of a regular expression."""
    (folder / f"{name}.re").write_text(f"{expression} ;\n")
    run("hfst-regexp2fst", "-i", str(folder / f"{name}.re"), "-o", str(folder / f"{name}.hfst"))
    return folder / f"{name}.hfst"


EXPRESSIONS = ["[? - a]", "{ab}", "?:a", "a:?", "?:?", "[a:b | ?]*", "?:0 b", "[? - [a | b]]:c b"]


@pytest.mark.parametrize("right", EXPRESSIONS)
@pytest.mark.parametrize("left", EXPRESSIONS)
def test_any_symbol_beside_another_machine_is_as_hfst_has_it(
    tmp_path: Path, left: str, right: str
) -> None:
    """Composed, united, concatenated: equal by HFST's own comparison."""
    files = [from_regex(left, tmp_path, "a"), from_regex(right, tmp_path, "b")]
    programs = {"compose": "hfst-compose", "union": "hfst-disjunct", "concat": "hfst-concatenate"}
    if left in ("?:a", "?:?") and right in ("a:?", "?:?") and {left, right} & {"?:a", "a:?"}:
        # HFST forgets that both may be the same symbol, which foma does not
        del programs["compose"]
    for operation, program in programs.items():
        run(program, *map(str, files), "-o", str(tmp_path / "theirs.hfst"))
        try:
            result = operate(operation, [read_machine(file) for file in files], ["a", "b"])
        except MachineError as error:
            assert "accepts nothing" in str(error)
            assert run("hfst-fst2strings", "-n", "1", str(tmp_path / "theirs.hfst")) == ""
            continue
        write_machine(result, tmp_path / "ours.hfst")
        compared = (
            "hfst-compare",
            "-e",
            str(tmp_path / "ours.hfst"),
            str(tmp_path / "theirs.hfst"),
        )
        assert " == " in run(*compared)


def test_any_symbol_for_any_symbol_is_as_foma_has_it(tmp_path: Path) -> None:
    parts = [read_machine(from_regex(e, tmp_path, e[0])) for e in ("?:a", "a:?")]
    ours = operate("compose", parts, ["x", "y"])
    save = f"save stack {tmp_path}/theirs.foma"
    run("foma", "-q", "-e", "regex ?:a .o. a:?;", "-e", save, "-s")
    assert equivalent(ours, read_machine(tmp_path / "theirs.foma"), "x")


def check_as_hfst_has_it(operation: str, program: str, files: list[Path]) -> None:
    """Assert that an operation on the machines of two files is that of a program of HFST's."""
    ours, theirs = (files[0].with_name(f"{name}.hfst") for name in ("ours", "theirs"))
    run(program, *map(str, files), "-o", str(theirs))
    try:
        result = operate(operation, [read_machine(file) for file in files], ["a", "b"])
    except MachineError as error:
        assert "accepts nothing" in str(error)
        assert run("hfst-fst2strings", "-n", "1", str(theirs)) == ""
        return

    write_machine(result, ours)
    assert " == " in run("hfst-compare", "-e", str(ours), str(theirs))


@pytest.mark.parametrize(
    ("operation", "program"), [("intersect", "hfst-intersect"), ("difference", "hfst-subtract")]
)
@pytest.mark.parametrize("right", ["?*", "[? - a]", "{ab}", "\\b", "[a | c] ?"])
@pytest.mark.parametrize("left", ["?*", "[? - a]*", "{ab}", "\\a", "? [b | d]"])
def test_acceptors_with_any_symbol_are_as_hfst_has_them(
    tmp_path: Path, operation: str, program: str, left: str, right: str
) -> None:
    files = [from_regex(left, tmp_path, "a"), from_regex(right, tmp_path, "b")]
    check_as_hfst_has_it(operation, program, files)


@pytest.mark.parametrize(
    ("operation", "program"),
    [("union", "hfst-disjunct"), ("concat", "hfst-concatenate"), ("intersect", "hfst-intersect")],
)
@pytest.mark.parametrize(("left", "right"), [("{ké}", "[? - m]*"), ("[? - m] | k", "k* n")])
def test_what_one_knows_on_no_arc_is_known_to_both(
    tmp_path: Path, left: str, right: str, operation: str, program: str
) -> None:
    """What ? of the one does not stand for, it does not stand for in the result."""
    files = [from_regex(left, tmp_path, "a"), from_regex(right, tmp_path, "b")]
    for pair in (files, files[::-1]):
        check_as_hfst_has_it(operation, program, pair)


def test_a_projection_knows_the_symbols_of_the_other_side(tmp_path: Path) -> None:
    """?:x reads no x, though it is in the table of the output alone."""
    source = from_regex("?:x", tmp_path, "a")
    run("hfst-project", "-p", "input", str(source), "-o", str(tmp_path / "theirs.hfst"))
    fst = read_machine(source)
    table = pynini.SymbolTable("hfst")
    for label, symbol in fst.input_symbols():
        if symbol != "x":
            table.add_symbol(symbol, label)
    fst.set_input_symbols(table)
    write_machine(operate("project", [fst], ["c"], side="input"), tmp_path / "ours.hfst")
    said = run("hfst-compare", "-e", str(tmp_path / "ours.hfst"), str(tmp_path / "theirs.hfst"))
    assert " == " in said


def test_what_is_known_on_no_arc_is_not_lost(tmp_path: Path) -> None:
    """[? - a] knows a, though no arc has it; in every form that has an alphabet."""
    source = from_regex("[? - a]", tmp_path, "x")
    for suffix in (".hfst", ".fst", ".foma", ".hfstol", ".far"):
        write_machine(read_machine(source), tmp_path / f"y{suffix}")
        write_machine(read_machine(tmp_path / f"y{suffix}"), tmp_path / "back.hfst")
        assert " == " in run("hfst-compare", str(source), str(tmp_path / "back.hfst"))


def test_two_unknown_symbols_are_no_acceptor_and_projected_they_are_one(tmp_path: Path) -> None:
    fst = read_machine(from_regex("?:? - [?]", tmp_path, "x"))
    with pytest.raises(MachineError, match="a machine writes what it does not read"):
        operate("intersect", [fst, fst], ["a", "b"])
    projected = operate("project", [fst], ["a"])
    label = projected.input_symbols().find(SAME)
    assert {arc.ilabel for s in projected.states() for arc in projected.arcs(s)} >= {label}
    assert OTHER not in {name for path in pairs(projected) for name in path[0]}


A_TO_B = "0\t0\t@_IDENTITY_SYMBOL_@\t@_IDENTITY_SYMBOL_@\n0\t0\ta\tb\n0\t0\tb\tb\n0\n"


@pytest.mark.parametrize("suffix", [".foma", ".hfst", ".att"])
def test_an_acceptor_of_known_symbols_meets_identity(tmp_path: Path, suffix: str) -> None:
    """Its table got no unknown symbol where the other's did, and composition was refused."""
    machines = []
    for name, text in (("ac", "0\t1\ta\ta\n1\t2\tc\tc\n2\n"), ("ab", A_TO_B)):
        (tmp_path / f"{name}.att").write_text(text)
        write_machine(read_machine(tmp_path / f"{name}.att"), tmp_path / f"{name}0{suffix}")
        machines.append(read_machine(tmp_path / f"{name}0{suffix}"))
    assert pairs(operate("compose", machines, "ab")) == {(("a", "c"), ("b", "c"))}


def test_identity_stands_for_the_words_of_plain_text(tmp_path: Path) -> None:
    """Reserved symbols of its table, on no arc, were taken for words of their own."""
    (tmp_path / "any.att").write_text(A_TO_B.splitlines()[0] + "\n0\n")
    (tmp_path / "c.att").write_text("0\t1\tc\tc\n1\n")
    machines = [read_machine(tmp_path / f"{name}.att") for name in ("any", "c")]
    for operation in ("compose", "intersect"):
        assert pairs(operate(operation, machines, "ac")) == {(("c",), ("c",))}


def test_an_empty_machine_takes_the_other_s_symbols_and_leaves_nothing_of_it() -> None:
    """A union with a machine of no states had lost its tables; x · ∅ was written as no machine."""
    table = Symbols("ab").table
    word = pynini.accep("a b", token_type=table).set_input_symbols(table).set_output_symbols(table)
    endless = word.copy()
    endless.set_final(endless.num_states() - 1, float("inf"))
    for empty in (pynini.Fst(), endless):
        for pair in ([empty, word], [word, empty]):
            union = operate("union", pair, ["x", "y"])
            assert union.output_symbols().find("b") == 6
            for operation in ("concat", "intersect"):
                with pytest.raises(MachineError, match="accepts nothing"):
                    operate(operation, pair, ["x", "y"])


def of_table(ids: dict[str, int], *rows: tuple[int, str, str, int]) -> pynini.Fst:
    """A machine whose table has these ids, its last state final."""
    table = pynini.SymbolTable("mine")
    for symbol, label in ids.items():
        table.add_symbol(symbol, label)
    fst = pynini.Fst()
    fst.add_states(1 + max(target for *_, target in rows))
    fst.set_start(0)
    fst.set_final(fst.num_states() - 1)
    for source, read, write, target in rows:
        fst.add_arc(source, pynini.Arc(table.find(read), table.find(write), 0, target))
    return fst.set_input_symbols(table).set_output_symbols(table)


def test_behind_the_largest_id_new_symbols_get_free_ones(tmp_path: Path) -> None:
    """The first got an id that no label may be, the second raised OverflowError."""
    left = of_table({"<eps>": 0, "a": 2**31 - 2, "b": 1}, (0, "a", "b", 1))
    right = of_table({"<eps>": 0, "c": 1, "d": 2}, (0, "c", "d", 1))
    result = operate("union", [left, right, right], ["x", "y", "z"])
    old = {0: "<eps>", 2**31 - 2: "a", 1: "b"}
    assert dict(result.input_symbols()) == {**old, 2: "c"}
    assert dict(result.output_symbols()) == {**old, 2: "d"}
    for suffix in (".fst", ".att", ".hfst"):
        write_machine(result, tmp_path / f"x{suffix}")
        assert pairs(read_machine(tmp_path / f"x{suffix}")) == {(("a",), ("b",)), (("c",), ("d",))}


@pytest.mark.parametrize("operation", ["union", "concat", "compose"])
def test_a_word_that_is_spelt_like_epsilon_of_the_other_is_refused(operation: str) -> None:
    """It became ε, without a word."""
    left = of_table({"<eps>": 0, "a": 1}, (0, "a", "a", 1))
    right = of_table({"-": 0, "<eps>": 1, "a": 2}, (0, "<eps>", "<eps>", 1), (0, "a", "a", 1))
    with pytest.raises(MachineError, match="'<eps>' is a word in one table of symbols and ε in"):
        operate(operation, [left, right], ["x", "y"])


@pytest.mark.parametrize("symbol", ["@0@", "@_mine"])
def test_text_with_symbols_of_hfst_begins_in_state_0(tmp_path: Path, symbol: str) -> None:
    """It was read from state 0 on, wherever it began: of a union one machine was left."""
    ids = {"<eps>": 0, "a": 1, "@_mine": 2}
    if symbol == "@0@":
        ids = {"@0@": 0, "a": 1, "b": 2}
    name = list(ids)[2]
    fst = of_table(ids, (0, "a", name, 1))
    fst.set_start(fst.add_state())
    for label in (1, 2):
        fst.add_arc(fst.start(), pynini.Arc(label, label, 0, label - 1))
    expected = {(("a", "a"), ("a", name)), ((name,), (name,))}
    assert pairs(fst) == expected

    write_machine(fst, tmp_path / "x.att")
    assert pairs(read_machine(tmp_path / "x.att")) == expected
    (tmp_path / "x.syms").unlink()
    if symbol != "@0@":  # else nothing says whose text it is
        assert pairs(read_machine(tmp_path / "x.att")) == expected
