"""What ? and flag diacritics mean in operations, as HFST's programs have it; operations as OpenFst's have them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pynini
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from machine_cases import arcs_of, pairs, run

from fstce.errors import MachineError
from fstce.machines import Symbols, arrays_to_fst
from fstce.machines.analyser import Analyser
from fstce.machines.convert import read_machine, write_machine
from fstce.machines.flags import allowed, flag, without_flags
from fstce.machines.image import rows_to_arrays
from fstce.machines.operations import equivalent, operate
from fstce.machines.reach import drifts_apart
from fstce.machines.spelling import OTHER, SAME, lettered

slow = settings(suppress_health_check=list(HealthCheck), deadline=None)
FLAGS = [
    "@P.A.x@",
    "@N.A.x@",
    "@U.A.y@",
    "@R.A.x@",
    "@R.A@",
    "@D.A@",
    "@D.A.y@",
    "@C.A@",
    "@U.B.x@",
]
FLAGS += ["@R.B.x@", "@D.B@"]


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


@pytest.mark.parametrize(
    ("operation", "program"), [("intersect", "hfst-intersect"), ("difference", "hfst-subtract")]
)
@pytest.mark.parametrize("right", ["?*", "[? - a]", "{ab}", "\\b", "[a | c] ?"])
@pytest.mark.parametrize("left", ["?*", "[? - a]*", "{ab}", "\\a", "? [b | d]"])
def test_acceptors_with_any_symbol_are_as_hfst_has_them(
    tmp_path: Path, operation: str, program: str, left: str, right: str
) -> None:
    files = [from_regex(left, tmp_path, "a"), from_regex(right, tmp_path, "b")]
    run(program, *map(str, files), "-o", str(tmp_path / "theirs.hfst"))
    try:
        result = operate(operation, [read_machine(file) for file in files], ["a", "b"])
    except MachineError as error:
        assert "accepts nothing" in str(error)
        assert run("hfst-fst2strings", "-n", "1", str(tmp_path / "theirs.hfst")) == ""
        return
    write_machine(result, tmp_path / "ours.hfst")
    said = run("hfst-compare", "-e", str(tmp_path / "ours.hfst"), str(tmp_path / "theirs.hfst"))
    assert " == " in said


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
        run(program, *map(str, pair), "-o", str(tmp_path / "theirs.hfst"))
        try:
            result = operate(operation, [read_machine(file) for file in pair], ["a", "b"])
        except MachineError as error:
            assert "accepts nothing" in str(error)
            assert run("hfst-fst2strings", "-n", "1", str(tmp_path / "theirs.hfst")) == ""
            continue
        write_machine(result, tmp_path / "ours.hfst")
        said = run("hfst-compare", "-e", str(tmp_path / "ours.hfst"), str(tmp_path / "theirs.hfst"))
        assert " == " in said


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


def machine(rows: list[tuple[str, str, float]], extra: list[tuple[int, str, int]]) -> pynini.Fst:
    """A chain of labels with further arcs, over a table of these symbols."""
    table = pynini.SymbolTable("hfst")
    table.add_symbol("<epsilon>")
    arcs = [
        (i, table.add_symbol(read), table.add_symbol(write), i + 1, weight)
        for i, (read, write, weight) in enumerate(rows)
    ]
    for source, symbol, target in extra:
        label = table.add_symbol(symbol)
        arcs.append((source, label, label, target, 0.0))
    fst = arrays_to_fst(rows_to_arrays(arcs, {len(rows): 0.0}, 0))
    return fst.set_input_symbols(table).set_output_symbols(table)


@st.composite
def flagged(draw: st.DrawFn) -> pynini.Fst:
    """Acyclic, letters and flags."""
    symbol = st.sampled_from(["a", "b", *FLAGS, *FLAGS])
    chain = [(name, name, 0.0) for name in draw(st.lists(symbol, min_size=2, max_size=6))]
    last = len(chain)
    extra = draw(st.lists(st.tuples(st.integers(0, last - 1), symbol), max_size=5))
    return machine(chain, [(source, name, source + 1) for source, name in extra])


@slow
@given(fst=flagged())
def test_flags_are_obeyed_as_hfst_obeys_them(tmp_path: Path, fst: pynini.Fst) -> None:
    write_machine(fst, tmp_path / "x.hfst")
    theirs = set(run("hfst-fst2strings", "-X", "obey-flags", str(tmp_path / "x.hfst")).split("\n"))
    theirs.discard("")
    ours = {"".join(reads) for reads, _ in pairs(without_flags(fst, "x"))}
    twin = {
        "".join(s for s in reads if flag(s) is None) for reads, _ in pairs(fst) if allowed(reads)
    }
    assert ours - {""} == twin - {""} == theirs
    try:
        listed = operate("shortest", [fst], ["x"], paths=200)
    except MachineError:
        assert not ours
        return
    assert {"".join(reads) for reads, _ in pairs(listed)} == ours


def test_flags_stay_obeyed_in_operations() -> None:
    """After a, which sets a feature, c may follow, after b it may not; beside other machines, too."""
    on, asks = "@P.F.on@", "@R.F.on@"
    chosen = machine(
        [("a", "a", 0.0), (on, on, 0.0), (asks, asks, 0.0), ("c", "c", 0.0)], [(0, "b", 2)]
    )
    words = machine([("a", "a", 0.0), ("c", "c", 0.0)], [(0, "b", 1)])
    for operation in ("compose", "intersect"):
        result = operate(operation, [chosen, words], ["x", "y"])
        assert pairs(result) == {(("a", "c"), ("a", "c"))}
    twice = operate("concat", [chosen, chosen], ["x", "y"])
    assert {reads for reads, _ in pairs(twice)} == {("a", "c", "a", "c")}
    backwards = operate("reverse", [chosen], ["x"])
    assert {reads for reads, _ in pairs(backwards)} == {("c", "a")}
    for operation in ("determinize", "optimize", "invert", "project", "rmepsilon", "connect"):
        result = operate(operation, [chosen], ["x"])
        assert {reads for reads, _ in pairs(without_flags(result, "x"))} == {("a", "c")}
    united = operate("union", [chosen, words], ["x", "y"])
    assert {reads for reads, _ in pairs(without_flags(united, "x"))} == {("a", "c"), ("b", "c")}


def random_machine(random: Random, weights: bool = True) -> pynini.Fst:
    """Any acceptor or transducer of few states, cyclic too; weights are 0 or above."""
    states = range(random.randint(1, 5))
    weight = lambda: random.randint(0, 6) / 2 * weights  # noqa: E731
    arcs = [
        (random.choice(states), *random.choices(range(4), k=2), random.choice(states), weight())
        for _ in range(random.randint(0, 9))
    ]
    finals = random.sample(states, random.randint(1, len(states)))
    return arrays_to_fst(rows_to_arrays(arcs, {state: weight() for state in finals}, 0))


NUMBER = settings.default.max_examples
BATCH = 200
PROGRAMS = {
    "rmepsilon": ["fstrmepsilon"],
    "connect": ["fstconnect"],
    "invert": ["fstinvert"],
    "reverse": ["fstreverse"],
    "push": ["fstpush", "--push_weights"],
    "determinize": ["fstdeterminize"],
    "minimize": ["fstminimize"],
    "shortest": ["fstshortestpath"],
    "closure": ["fstclosure"],
}


def same_weighted_strings(one: pynini.Fst, other: pynini.Fst) -> bool:
    """By OpenFst's own test of equivalence, of acceptors of pairs."""
    return equivalent(one, other, "x")


def theirs(command: str, machines: list[list[pynini.Fst]], folder: Path) -> list[pynini.Fst | None]:
    """What a program of OpenFst makes of each, None where it refuses or accepts nothing."""
    results: list[pynini.Fst | None] = []
    for begin in range(0, len(machines), BATCH):
        batch = machines[begin : begin + BATCH]
        for i, fsts in enumerate(batch):
            for j, fst in enumerate(fsts):
                fst.write(str(folder / f"{i}.{j}.fst"))
            (folder / f"{i}.out").unlink(missing_ok=True)
        inputs = " ".join(f"$i.{j}.fst" for j in range(len(batch[0])))
        numbers = " ".join(map(str, range(len(batch))))
        run(
            "sh",
            "-c",
            f"for i in {numbers}; do {command} {inputs} $i.out; done; true",
            cwd=str(folder),
        )
        for i in range(len(batch)):
            made = folder / f"{i}.out"
            fst = pynini.Fst.read(str(made)).connect() if made.exists() else pynini.Fst()
            results.append(None if fst.start() < 0 else fst)
    return results


def prepared(operation: str, fst: pynini.Fst) -> pynini.Fst | None:
    """A machine that a program of OpenFst takes; None where it would not end."""
    if operation in ("determinize", "minimize"):
        fst = fst.project("input").rmepsilon()
        determinized = pynini.determinize(fst, nstate=60)
        if determinized.num_states() >= 60:
            return None
        if operation == "minimize":
            return determinized
    return fst


@pytest.mark.parametrize("operation", PROGRAMS)
def test_operations_are_those_of_openfst(tmp_path: Path, operation: str) -> None:
    random = Random(operation)
    drawn = [prepared(operation, random_machine(random)) for _ in range(NUMBER)]
    machines = [[fst] for fst in drawn if fst is not None]
    made = theirs(" ".join(PROGRAMS[operation]), machines, tmp_path)
    for (fst,), expected in zip(machines, made, strict=True):
        assert agrees(operation, fst, expected), fst


def agrees(operation: str, fst: pynini.Fst, expected: pynini.Fst | None) -> bool:
    """Whether the operation has the strings and weights of what the program makes."""
    try:
        ours = operate(operation, [fst], ["x"])
    except MachineError as error:
        return expected is None and "accepts nothing" in str(error)
    if expected is None:
        return ours.connect().start() < 0
    if operation == "shortest":
        lengths = [pynini.shortestdistance(m, reverse=True)[m.start()] for m in (ours, expected)]
        return str(lengths[0]) == str(lengths[1])
    if operation in ("determinize", "minimize", "connect", "rmepsilon"):
        assert ours.num_states() <= expected.num_states()
    return bool(pynini.isomorphic(ours.connect(), expected)) or equal_paths(ours, expected)


def equal_paths(one: pynini.Fst, other: pynini.Fst, longest: int = 5) -> bool:
    """Whether two machines have the same pairs of strings of few arcs with the same best weights."""
    return bounded(one, longest) == bounded(other, longest)


def bounded(fst: pynini.Fst, longest: int) -> dict[tuple[tuple[int, ...], tuple[int, ...]], float]:
    """The best weights of the pairs that read and write at most so many symbols together."""
    best: dict[tuple[int, tuple[int, ...], tuple[int, ...]], float] = {(fst.start(), (), ()): 0.0}
    changed = True
    while changed:
        changed = False
        for (state, reads, writes), weight in list(best.items()):
            for arc in fst.arcs(state):
                step = (
                    arc.nextstate,
                    reads + (arc.ilabel,) * (arc.ilabel > 0),
                    writes + (arc.olabel,) * (arc.olabel > 0),
                )
                total = weight + float(arc.weight)
                if len(step[1]) + len(step[2]) <= longest and total < best.get(step, 1e9) - 1e-6:
                    best[step] = total
                    changed = True
    ended: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
    for (state, reads, writes), weight in best.items():
        total = round(weight + float(fst.final(state)), 3)
        if total < 1e9:
            ended[reads, writes] = min(total, ended.get((reads, writes), 1e9))
    return ended


@pytest.mark.parametrize("operation", ["compose", "union", "concat"])
def test_operations_of_two_are_those_of_openfst(tmp_path: Path, operation: str) -> None:
    random = Random(operation)
    machines = [
        [random_machine(random).arcsort("olabel"), random_machine(random)] for _ in range(NUMBER)
    ]
    made = theirs(f"fst{operation}", machines, tmp_path)
    for pair, expected in zip(machines, made, strict=True):
        try:
            ours = operate(operation, pair, ["x", "y"])
        except MachineError as error:
            assert expected is None and "accepts nothing" in str(error), pair
            continue
        if expected is None:
            assert ours.connect().start() < 0, pair
        else:
            assert equal_paths(ours, expected), pair


@pytest.mark.parametrize(
    ("operation", "program"), [("intersect", "fstintersect"), ("difference", "fstdifference")]
)
def test_operations_of_acceptors_are_those_of_openfst(
    tmp_path: Path, operation: str, program: str
) -> None:
    """fstdifference takes from acceptors those that are deterministic, without ε and weights."""
    random = Random(operation)
    machines = []
    for _ in range(NUMBER):
        left, right = (random_machine(random, weights=side == 0) for side in range(2))
        right = pynini.determinize(right.project("input").rmepsilon())
        machines.append([left.project("input").rmepsilon().arcsort("olabel"), right.arcsort()])
    made = theirs(program, machines, tmp_path)
    for pair, expected in zip(machines, made, strict=True):
        try:
            ours = operate(operation, pair, ["x", "y"])
        except MachineError as error:
            assert expected is None and "accepts nothing" in str(error), pair
            continue
        assert expected is not None and equal_paths(ours, expected), pair


def test_equivalence_is_that_of_openfst(tmp_path: Path) -> None:
    """fstequivalent takes deterministic acceptors without ε."""
    random = Random("equivalent")
    machines = []
    for _ in range(NUMBER):
        left = random_machine(random, weights=False)
        right = random_machine(random, weights=False)
        if not random.randrange(2):
            right = pynini.union(left, left.copy())
        machines.append([left.project("input"), right.project("input")])
    plain = [[pynini.determinize(fst.copy().rmepsilon()) for fst in pair] for pair in machines]
    pynini.accep("a").write(str(tmp_path / "yes"))
    (tmp_path / "one").write_text("fstequivalent $1 $2 && cp yes $3\n")
    made = theirs("sh one", plain, tmp_path)
    for (left, right), yes in zip(machines, made, strict=True):
        assert equivalent(left, right, "x") == (yes is not None), (left, right)


@pytest.mark.parametrize(
    ("weights", "fails"),
    [
        ([-1.0], True),
        ([2.0, -3.0], True),
        ([3.0, -2.0], False),
        ([1.0, -1.0], False),
        ([0.0], False),
    ],
)
def test_a_negative_cycle_is_refused_and_another_is_not(weights: list[float], fails: bool) -> None:
    ring = [(i, 1, 1, (i + 1) % len(weights), weight) for i, weight in enumerate(weights)]
    fst = arrays_to_fst(rows_to_arrays(ring, {0: 0.0}, 0))
    for operation, options in (("shortest", {"paths": 3}), ("push", {})):
        if fails:
            with pytest.raises(
                MachineError, match=r"^x: a cycle at state \d has a negative weight"
            ):
                operate(operation, [fst], ["x"], **options)
        else:
            assert operate(operation, [fst], ["x"], **options).num_states() > 0


def test_a_negative_cycle_that_is_on_no_path_is_none() -> None:
    arcs = [(0, 1, 1, 1, 0.5), (0, 2, 2, 2, 0.0), (2, 1, 1, 2, -1.0)]
    fst = arrays_to_fst(rows_to_arrays(arcs, {1: 0.0}, 0))
    assert pairs_of_labels(operate("shortest", [fst], ["x"])) == {(1,)}


def pairs_of_labels(fst: pynini.Fst) -> set[tuple[int, ...]]:
    """What an acyclic machine reads."""
    paths, found = fst.paths(), set()
    while not paths.done():
        found.add(tuple(filter(None, paths.ilabels())))
        paths.next()
    return found


def test_too_many_paths_and_no_start_state_are_said() -> None:
    loop = arrays_to_fst(rows_to_arrays([(0, 1, 1, 0, 0.0)], {0: 0.0}, 0))
    with pytest.raises(MachineError, match="100,000,000 paths need more than 1,000,000 states"):
        operate("shortest", [loop], ["x"], paths=10**8)
    empty = pynini.Fst()
    empty.add_state()
    for operation in {*PROGRAMS, "optimize"} - {"closure"}:
        with pytest.raises(MachineError, match="accepts nothing"):
            operate(operation, [empty], ["x"])


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


def rounds(first: str, second: str, ends: str = "ce") -> pynini.Fst:
    """aⁿ and one end to so many of the first, aⁿ and another end to so many of the second."""
    table = Symbols("abcde").table
    parts = []
    for written, end in zip((first, second), ends, strict=True):
        a, write, ending = (
            pynini.accep(" ".join(symbols), token_type=table) for symbols in ("a", written, end)
        )
        parts.append(pynini.closure(pynini.cross(a, write)) + ending)
    fst = pynini.union(*parts).rmepsilon().connect()
    return fst.set_input_symbols(table).set_output_symbols(table)


@pytest.mark.parametrize(("first", "second"), [("b", "d"), ("bd", "db"), ("b", "")])
def test_a_transducer_without_determinization_is_refused_at_once(first: str, second: str) -> None:
    """OpenFst counts no states of it, and goes on until memory is out."""
    with pytest.raises(MachineError, match="it has no determinization"):
        operate("determinize", [rounds(first, second)], ["x"])


def test_what_is_written_later_and_is_the_same_has_a_determinization() -> None:
    fst = rounds("b", "b")
    result = operate("determinize", [fst], ["x"])
    assert equal_paths(result, fst, 7)


def test_what_differs_behind_no_end_is_no_reason_to_refuse() -> None:
    fst = rounds("b", "b")
    lost = fst.add_state()  # reads a and writes d for ever, and never ends
    d = fst.output_symbols().find("d")
    a = fst.input_symbols().find("a")
    for source in (fst.start(), lost):
        fst.add_arc(source, pynini.Arc(a, d, 0, lost))
    assert not drifts_apart(fst)


def test_a_determinization_that_goes_on_is_refused_in_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the machine is too large for its pairs of states to be gone through."""
    monkeypatch.setattr("fstce.machines.operations._MOST_MEMORY", 1 << 27)
    monkeypatch.setattr("fstce.machines.reach._MOST_PAIRS", 1)
    with pytest.raises(MachineError, match="determinize of x: needs more memory"):
        operate("determinize", [rounds("b", "d")], ["x"])


@pytest.mark.parametrize("operation", ["union", "concat", "compose", "intersect", "difference"])
def test_numbers_alone_do_not_meet_symbols(operation: str) -> None:
    table = Symbols(["a", "b"]).table
    named = pynini.accep("a b", token_type=table)
    named.set_input_symbols(table).set_output_symbols(table)
    numbered = pynini.accep("ab")
    for pair, which in (((named, numbered), "second"), ((numbered, named), "first")):
        with pytest.raises(MachineError, match=rf"^x . y: the {which} has no symbols"):
            operate(operation, pair, ["x", "y"])
    with pytest.raises(MachineError, match="the second has no symbols"):
        equivalent(named, numbered, "x ≡ y")
    assert operate("compose", [numbered, numbered], ["x", "y"]).string() == "ab"


def test_bytes_of_ascii_are_letters_without_more_states(tmp_path: Path) -> None:
    pynini.accep("ab").write(str(tmp_path / "a.fst"))
    fst = read_machine(tmp_path / "a.fst", token_type="byte")
    assert (fst.num_states(), fst.num_arcs(0), fst.input_symbols().find(97)) == (3, 1, "a")


ENDLESS = [
    [(0, 0, 0, 0, np.inf)],
    [(0, 1, 1, 0, np.inf), (0, 1, 1, 1, 2.0)],
    [(0, 1, 2, 1, np.inf), (0, 1, 3, 1, np.inf), (0, 2, 2, 1, 0.5)],
    [(0, 1, 2, 1, 0.0), (0, 0, 0, 2, np.inf), (2, 0, 0, 0, 0.0)],
]


@pytest.mark.parametrize("arcs", ENDLESS)
@pytest.mark.parametrize("arc_type", ["standard", "log64"])
def test_an_arc_of_weight_infinity_is_on_no_path(
    arc_type: str, arcs: list[tuple[int, int, int, int, float]]
) -> None:
    """OpenFst's determinization went on for ever, and its best paths were those, too."""
    fst, without = (
        arrays_to_fst(rows_to_arrays(rows, {0: 0.0, 1: 0.0}, 0), arc_type)
        for rows in (arcs, [arc for arc in arcs if arc[4] < np.inf])
    )
    assert equivalent(fst, without, "x")
    for operation in ("determinize", "minimize", "rmepsilon", "push", "optimize"):
        result = operate(operation, [fst], ["x"])
        assert arcs_of(result) == arcs_of(operate(operation, [without], ["x"]))
    if arc_type == "standard":
        paths = operate("shortest", [fst], ["x"], paths=5)
        assert arcs_of(paths) == arcs_of(operate("shortest", [without], ["x"], paths=5))
        (result,) = Analyser(lettered(fst, "byte", "x"), side="input").weighted("").items()
        assert result == ((), 0.0)
