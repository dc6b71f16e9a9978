"""Operations as OpenFst's programs have them, and what is refused beforehand."""

from __future__ import annotations

from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import numpy as np
import pynini
import pytest
from hypothesis import settings
from machine_cases import arcs_of, run

from fstce.errors import MachineError
from fstce.machines import Symbols, arrays_to_fst, fst_to_arrays
from fstce.machines.analyser import Analyser
from fstce.machines.convert import read_machine, write_machine
from fstce.machines.image import rows_to_arrays
from fstce.machines.operations import equivalent, operate, write_result
from fstce.machines.spelling import lettered
from fstce.processes.workers import FORKS


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


needs_forks = pytest.mark.skipif(not FORKS, reason="nothing is forked, so no memory is bounded")


@needs_forks
@pytest.mark.parametrize(("first", "second"), [("b", "d"), ("bd", "db"), ("b", "")])
def test_a_transducer_without_determinization_is_refused_in_seconds(
    first: str, second: str
) -> None:
    """OpenFst counts no states of it, and goes on until memory is out."""
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    said = "determinize of x: needs more memory .* may have no determinization; optimize it instead"
    with pytest.raises(MachineError, match=said):
        operate("determinize", [rounds(first, second)], ["x"])
    assert getrusage(RUSAGE_CHILDREN).ru_utime - before < 15  # 2 on a quiet machine
    assert operate("optimize", [rounds(first, second)], ["x"]).num_states() > 1


def test_what_is_written_later_and_is_the_same_has_a_determinization() -> None:
    fst = rounds("b", "b")
    result = operate("determinize", [fst], ["x"])
    assert equal_paths(result, fst, 7)


@needs_forks
@pytest.mark.parametrize("arc_type", ["standard", "log64"])
def test_a_determinization_that_grows_exponentially_is_refused_in_seconds(arc_type: str) -> None:
    """Bounded by a gigabyte, or by a million states alone, it took a minute of the processor."""
    n = 30
    begin = n * (arc_type == "log64")  # before it a chain, not a cycle
    arcs = [(state, label, label, state + 1, 0.0) for state in range(begin) for label in (1, 2)]
    arcs += [(state, 1, 1, begin + 1, 0.0) for state in range(begin + 1)]
    arcs += [(0, label, label, 0, 0.0) for label in (1, 2) if not begin]
    arcs += [
        (begin + state, label, label, begin + state + 1, 0.0)
        for state in range(1, n)
        for label in (1, 2)
    ]
    fst = arrays_to_fst(rows_to_arrays(arcs, {begin + n: 0.0}, 0), arc_type)
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    with pytest.raises(MachineError, match="determinize of x: needs more memory"):
        operate("determinize", [fst], ["x"])
    assert getrusage(RUSAGE_CHILDREN).ru_utime - before < 15  # 3 on a quiet machine


def of_the_last(n: int) -> pynini.Fst:
    """Words in which the n-th letter from the end is the first: 2ⁿ states where deterministic."""
    arcs = [(0, label, label, 0, 0.0) for label in (1, 2)] + [(0, 1, 1, 1, 0.0)]
    arcs += [(state, label, label, state + 1, 0.0) for state in range(1, n) for label in (1, 2)]
    return arrays_to_fst(rows_to_arrays(arcs, {n: 0.0}, 0))


@needs_forks
@pytest.mark.parametrize("operation", ["optimize", "difference", "equivalent"])
def test_what_determinizes_on_its_way_is_refused_as_soon(operation: str) -> None:
    """It had a gigabyte for that, and took a minute of the processor."""
    few, many = of_the_last(2), of_the_last(40)
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    with pytest.raises(MachineError, match="needs more memory than it may take"):
        if operation == "equivalent":
            equivalent(few, many, "x")
        else:
            operands = [few, many] if operation == "difference" else [many]
            operate(operation, operands, ["x", "y"][: len(operands)])
    assert getrusage(RUSAGE_CHILDREN).ru_utime - before < 15  # 2.5 on a quiet machine


def test_a_small_machine_may_have_a_large_determinization() -> None:
    assert operate("determinize", [of_the_last(14)], ["x"]).num_states() == 2**14
    assert operate("optimize", [of_the_last(14)], ["x"]).num_states() == 2**14


@pytest.mark.parametrize("operation", ["push", "minimize"])
def test_sums_over_cycles_near_one_are_made_apart(operation: str) -> None:
    """They take hundreds of thousands of rounds: in this process no signal would be heard."""
    arcs = [(0, 1, 1, 0, -np.log1p(-1.1e-5)), (0, 2, 2, 1, 1.0)]
    fst = arrays_to_fst(rows_to_arrays(arcs, {1: 0.0}, 0), "log64")
    children = getrusage(RUSAGE_CHILDREN).ru_utime
    here = getrusage(RUSAGE_SELF).ru_utime
    for _ in range(10):  # of one the clock of the processor may see no tick
        operate(operation, [fst], ["x"])
    assert getrusage(RUSAGE_CHILDREN).ru_utime - children > getrusage(RUSAGE_SELF).ru_utime - here


@pytest.mark.parametrize("operation", ["union", "concat", "closure", "reverse"])
def test_what_has_epsilon_without_a_symbol_is_written_and_read(
    tmp_path: Path, operation: str
) -> None:
    """OpenFst puts it where a user's table begins with 1; the file was called damaged."""
    table = pynini.SymbolTable()
    for label, symbol in enumerate("ab", 1):
        table.add_symbol(symbol, label)
    arcs = [(0, 1, 1, 1, 0.0), (0, 2, 2, 2, 0.0)]
    fst = arrays_to_fst(rows_to_arrays(arcs, {1: 0.0, 2: 0.0}, 0))
    fst.set_input_symbols(table).set_output_symbols(table)
    several = [fst] * (1 + (operation in ("union", "concat")))
    result = operate(operation, several, list("xy")[: len(several)])
    for suffix in (".fst", ".att", ".hfst", ".foma"):
        write_machine(result, tmp_path / f"{operation}{suffix}")
        assert equivalent(read_machine(tmp_path / f"{operation}{suffix}"), result, "x")


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


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
@pytest.mark.parametrize("labels", ["[195]", "n[233]", "[169]", "a[195][195]", "[237][160][128]"])
def test_bytes_that_are_no_letters_are_refused(labels: str, arc_type: str) -> None:
    """Their strings were lost in silence; where they were all, the machine had no start state."""
    some = pynini.union("né", pynini.cross(labels, "x"), "z")
    for fst in (pynini.accep(labels), some, some.copy().invert()):
        with pytest.raises(MachineError, match="x: not all of its strings are UTF-8; say utf8"):
            lettered(pynini.arcmap(fst, map_type=f"to_{arc_type}"), "byte", "x")


def test_letters_are_made_of_bytes_however_long_the_chains_of_epsilon() -> None:
    """Without its ε the projected machine had two hundred million arcs."""
    number = 20_000
    arcs = [(i, 97, 0, i + 1, 0.0) for i in range(number)]
    arcs += [(i, byte, byte, i + 1, 0.0) for i, byte in ((number, 0xC3), (number + 1, 0xA9))]
    fst = lettered(arrays_to_fst(rows_to_arrays(arcs, {number + 2: 0.0}, 0)), "byte", "x")
    writes = fst_to_arrays(fst).olabel
    assert writes[writes > 0].tolist() == [ord("é")]


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


def silent_chain(states: int) -> pynini.Fst:
    """So many states that ε joins, each with a loop: without ε each has the loops of all behind."""
    arcs = [(i, 0, 0, i + 1, 0.0) for i in range(states)]
    arcs += [(i, 1 + i % 3, 1 + i % 3, i, 0.0) for i in range(states)]
    return arrays_to_fst(rows_to_arrays(arcs, {states: 0.0}, 0))


def test_what_is_made_of_silent_arcs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It took the memory of the whole machine, in this process."""
    monkeypatch.setattr("fstce.machines.operations._MOST_MEMORY", 1 << 26)
    chain = silent_chain(12_000)  # a gigabyte: the process may have let go hundreds of megabytes
    for operation in ("rmepsilon", "optimize"):
        with pytest.raises(MachineError, match=f"{operation} of x: needs more memory"):
            operate(operation, [chain], ["x"])
    with pytest.raises(MachineError, match="x ≡ y: needs more memory"):
        equivalent(chain, chain, "x ≡ y")


def test_a_composition_takes_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each arc meets each: it took what memory was free before its arcs were counted."""
    monkeypatch.setattr("fstce.machines.operations._MOST_MEMORY", 1 << 26)
    arcs = [(i, 1, 1, (7 * i + step) % 300, 0.0) for i in range(300) for step in range(40)]
    dense = arrays_to_fst(rows_to_arrays(arcs, {0: 0.0}, 0))
    for operation, sign in (("compose", "∘"), ("intersect", "∩")):
        with pytest.raises(MachineError, match=f"x {sign} y: needs more memory"):
            operate(operation, [dense, dense], ["x", "y"])


def test_arcs_without_a_start_are_no_machine() -> None:
    """OpenFst crashed over their closure."""
    lost = pynini.Fst()
    lost.add_states(2)
    lost.set_final(1)
    lost.add_arc(0, pynini.Arc(1, 1, 0, 1))
    assert equivalent(operate("closure", [lost], ["x"]), pynini.accep(""), "x")
    with pytest.raises(MachineError, match="x: the machine accepts nothing"):
        operate("invert", [lost], ["x"])


def test_a_weighted_lexicon_from_its_end_is_minimal() -> None:
    """Its weights were kept on their arcs, as labels are, which left twice the states."""
    random = Random(3)
    words = ["".join(random.choices("abc", k=random.randint(1, 7))) for _ in range(300)]
    weights = [random.randint(1, 9) / 4 for _ in words]
    lexicon = pynini.union(*map(pynini.accep, words, weights))
    backwards = operate("reverse", [lexicon], ["x"])
    smallest = pynini.determinize(backwards.copy().rmepsilon()).minimize()
    result = operate("optimize", [backwards], ["x"])
    assert result.num_states() == smallest.num_states() and equivalent(result, smallest, "x")


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
def test_a_deterministic_machine_whose_rounds_get_better_is_refused(arc_type: str) -> None:
    """Its weights were pushed for ever."""
    loop = rows_to_arrays([(0, 1, 1, 1, 0.5), (1, 2, 2, 1, -1.0)], {1: 0.5}, 0)
    with pytest.raises(MachineError, match="x: a cycle at state 1 has a"):
        operate("optimize", [arrays_to_fst(loop, arc_type)], ["x"])


@pytest.mark.parametrize("operation", ["compose", "intersect", "difference", "optimize", "closure"])
def test_a_result_is_written_where_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    """What was made apart was written to a temporary file, read, and written again."""
    monkeypatch.setattr("fstce.machines.operations._FEW", 0)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "nowhere"))
    monkeypatch.setattr("tempfile.tempdir", None)
    operands = [of_the_last(3), of_the_last(2)]
    if operation in ("optimize", "closure"):
        operands = operands[:1]
    names = ["x", "y"][: len(operands)]

    write_result(tmp_path / "made.fst", operation, operands, names)
    assert [file.name for file in tmp_path.iterdir()] == ["made.fst"]
    monkeypatch.undo()
    theirs = operate(operation, operands, names)
    assert arcs_of(read_machine(tmp_path / "made.fst")) == arcs_of(theirs)

    with pytest.raises(MachineError, match=r"nowhere.made\.fst: cannot be written"):
        write_result(tmp_path / "nowhere" / "made.fst", operation, operands, names)
    if operation == "intersect":
        with pytest.raises(MachineError, match="x ∩ y: the intersection accepts nothing"):
            write_result(tmp_path / "none.fst", operation, [pynini.accep("a"), operands[0]], names)
        assert not (tmp_path / "none.fst").exists()


def test_operands_stay_as_they_are() -> None:
    """Arcs that are out of order are sorted in a copy."""
    rows = [(0, 2, 2, 1, 0.0), (0, 1, 1, 1, 0.0)]
    fst = arrays_to_fst(rows_to_arrays(rows, {1: 0.0}, 0))
    before = arcs_of(fst)
    assert operate("compose", [fst, fst, fst], ["x", "y", "z"]).num_states() == 2
    assert arcs_of(fst) == before
