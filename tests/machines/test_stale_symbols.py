"""Machines written one after the other beside each other: each reads back as what was written last."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pynini
from hypothesis import given
from hypothesis import strategies as st

from fstce.errors import MachineError
from fstce.machines.convert import read_machine, write_machine
from fstce.machines.spelling import EPSILONS

SYMBOL = st.text(
    st.characters(codec="utf-8", exclude_characters="\0\n\r\t"), min_size=1, max_size=3
)
NAMES = ("m.att", "m.txt", "m.fatt", "m.fst")
Arc = tuple[int, str, str, int]


def meaning(fst: pynini.Fst) -> list[Arc]:
    """The arcs, by their symbols."""
    reads, writes = (
        {**dict(table), 0: "ε"} for table in (fst.input_symbols(), fst.output_symbols())
    )
    return [
        (state, reads[arc.ilabel], writes[arc.olabel], arc.nextstate)
        for state in fst.states()
        for arc in fst.arcs(state)
    ]


@st.composite
def machines(draw: st.DrawFn) -> pynini.Fst:
    """A few words in a row, their symbols numbered at random; some go out of the table again."""
    words = draw(st.lists(SYMBOL, min_size=1, max_size=4, unique=True))
    words = [word for word in words if word not in EPSILONS and not word.startswith("@_")] or ["a"]
    table = pynini.SymbolTable()
    table.add_symbol("<epsilon>", 0)
    labels = draw(st.permutations(range(1, 9)))[: len(words)]
    for word, label in zip(words, labels, strict=True):
        table.add_symbol(word, label)

    fst = pynini.Fst()
    fst.add_states(len(words) + 1)
    fst.set_start(0)
    fst.set_final(len(words))
    for state, label in enumerate(labels):
        fst.add_arc(state, pynini.Arc(label, label, 0, state + 1))
    return fst.set_input_symbols(table).set_output_symbols(table)


STEP = st.tuples(st.sampled_from(NAMES), st.none() | machines())


@given(st.lists(STEP, min_size=2, max_size=6))
def test_whatever_is_written_beside_a_machine_it_stays_or_is_replaced(
    steps: list[tuple[str, pynini.Fst | None]],
) -> None:
    """A file of None is taken away; the symbols that it leaves behind are nobody's."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written: dict[str, list[Arc]] = {}
        for file, fst in steps:
            if fst is None:
                (folder / file).unlink(missing_ok=True)
                written.pop(file, None)
                continue
            try:
                write_machine(fst, folder / file)
            except MachineError as error:
                assert "would be replaced" in str(error) or "cannot stand in a text" in str(error)
            else:
                written[file] = meaning(fst)
            for other, arcs in written.items():
                assert meaning(read_machine(folder / other)) == arcs, (other, file)
