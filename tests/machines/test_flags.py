"""What flag diacritics mean in operations, as HFST's programs have it."""

from __future__ import annotations

from pathlib import Path

import pynini
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from machine_cases import pairs, run

from fstce.errors import MachineError
from fstce.machines import arrays_to_fst
from fstce.machines.convert import write_machine
from fstce.machines.flags import allowed, flag, without_flags
from fstce.machines.image import rows_to_arrays
from fstce.machines.operations import operate

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
FLAGS += ["@R.B.x@", "@D.B@", "@P.A.@", "@N.A.@", "@U.A.@"]


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
