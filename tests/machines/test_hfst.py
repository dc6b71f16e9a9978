"""Optimized lookup: random machines there and back, read by HFST's programs, and damaged files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pynini
import pytest
from hypothesis import given
from hypothesis import strategies as st
from machine_cases import run

from fstce.errors import MachineError
from fstce.machines.convert import read_machine, read_with_form, write_machine
from fstce.machines.hfst import fst_to_lookup, header, lookup_to_fst
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.symbols import Symbols

SYMBOLS = Symbols(["a", "b", "c", "á", "@U.CASE.NOM@"])


@st.composite
def machines(draw: st.DrawFn) -> pynini.Fst:
    """Of few states, with ε, cycles, weights, several arcs of one label, and flags."""
    states = draw(st.integers(1, 6))
    labels = st.sampled_from([0, *SYMBOLS.labels])
    arcs = draw(
        st.lists(
            st.tuples(
                st.integers(0, states - 1),
                labels,
                labels,
                st.sampled_from([0.0, 0.5, 3.25]),
                st.integers(0, states - 1),
            ),
            max_size=14,
        )
    )
    final = np.array(
        draw(st.lists(st.sampled_from([np.inf, 0.0, 1.5]), min_size=states, max_size=states))
    )
    rows = sorted(arcs)
    columns = [np.array([row[i] for row in rows]) for i in range(5)]
    arrays = Arrays(
        0, final, *(column.astype(np.int32) for column in columns[:3]), columns[3], columns[4]
    )
    fst = arrays_to_fst(arrays)
    return fst.set_input_symbols(SYMBOLS.table).set_output_symbols(SYMBOLS.table)


def arcs_of(fst: pynini.Fst) -> set[tuple[object, ...]]:
    """Paths of up to two arcs from the start, by their symbols and weights, and which of them may end."""
    arrays = fst_to_arrays(fst)
    one, two = fst.input_symbols(), fst.output_symbols()
    rows: dict[int, list[tuple[object, int]]] = {}
    for source, read, write, weight, target in zip(
        *(
            column.tolist()
            for column in (arrays.source, arrays.ilabel, arrays.olabel, arrays.weight, arrays.next)
        ),
        strict=True,
    ):
        label = (one.find(read) if read else "", two.find(write) if write else "", round(weight, 4))
        rows.setdefault(source, []).append((label, target))
    paths: set[tuple[object, ...]] = set()
    level: list[tuple[int, tuple[object, ...]]] = [(arrays.start, ())]
    for _ in range(3):
        paths |= {(*path, round(float(arrays.final[state]), 4)) for state, path in level}
        level = [
            (target, (*path, label))
            for state, path in level
            for label, target in rows.get(state, ())
        ]
    return paths


def _lookup(fst: pynini.Fst) -> bytes:
    """The bytes of a machine for optimized lookup, without HFST's header."""
    data = fst_to_lookup(fst, "x")
    return data[header(data, "x")[1] :]


@given(machines())
def test_what_is_written_is_read(fst: pynini.Fst) -> None:
    """The same paths, whatever the order of the arcs."""
    assert arcs_of(lookup_to_fst(_lookup(fst), "x")[0]) == arcs_of(fst)


def test_hfst_reads_and_writes_the_same(tmp_path: Path) -> None:
    if shutil.which("hfst-fst2fst") is None:
        pytest.skip("HFST is not installed")
    (tmp_path / "x.att").write_text(
        "0\t1\ta\tb\t0.5\n0\t1\tc\tc\t0\n1\t0.25\n1\t2\t@0@\tc\t1.5\n1\t2\ta\ta\t0\n2\t2\tá\tb\t1\n2\t0\n"
    )
    write_machine(read_machine(tmp_path / "x.att"), tmp_path / "ours.hfstol")
    run("hfst-txt2fst", str(tmp_path / "x.att"), "-o", str(tmp_path / "x.hfst"))
    run("hfst-fst2fst", "-w", str(tmp_path / "x.hfst"), "-o", str(tmp_path / "theirs.hfstol"))
    ours, theirs = (read_machine(tmp_path / name) for name in ("ours.hfstol", "theirs.hfstol"))
    assert arcs_of(ours) == arcs_of(theirs)
    assert read_with_form(tmp_path / "theirs.hfstol")[1] == "HFST HFST_OLW"
    run(
        "hfst-fst2fst",
        "-f",
        "openfst-tropical",
        str(tmp_path / "ours.hfstol"),
        "-o",
        str(tmp_path / "back.hfst"),
    )
    assert arcs_of(read_machine(tmp_path / "back.hfst")) == arcs_of(theirs)
    run("hfst-fst2fst", "-O", str(tmp_path / "x.hfst"), "-o", str(tmp_path / "plain.hfstol"))
    plain = read_machine(tmp_path / "plain.hfstol")
    assert plain.num_states() == theirs.num_states()
    assert not fst_to_arrays(plain).weight.any()


def test_without_hfsts_header_it_is_read_by_its_suffix(tmp_path: Path) -> None:
    fst = pynini.accep("a b", token_type=SYMBOLS.table)
    fst.set_input_symbols(SYMBOLS.table).set_output_symbols(SYMBOLS.table)
    (tmp_path / "x.hfstol").write_bytes(_lookup(fst))
    assert read_machine(tmp_path / "x.hfstol").num_states() == 3


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    fst = pynini.union(
        *(pynini.accep(w, token_type=SYMBOLS.table) for w in ("a b", "b c", "a c c"))
    )
    fst.set_input_symbols(SYMBOLS.table).set_output_symbols(SYMBOLS.table)
    data = fst_to_lookup(fst, "x")
    for number in range(0, len(data), 7):
        for damaged in (data[:number], data[:number] + b"\xf7" + data[number + 1 :]):
            path = tmp_path / f"{number}.hfstol"
            path.write_bytes(damaged)
            try:
                read_machine(path)
            except MachineError as error:
                assert str(path) in str(error)


def test_arcs_without_a_start_are_an_empty_machine(tmp_path: Path) -> None:
    """OpenFst, asked for the properties of such a machine, crashed; found by fuzzing."""
    path = tmp_path / "x.hfst"
    (tmp_path / "x.att").write_text("0\t1\ta\ta\n1\n")
    write_machine(read_machine(tmp_path / "x.att"), path)
    _, begin = header(path.read_bytes(), "x")
    adrift = pynini.Fst()
    for _ in range(100_000):
        adrift.set_final(adrift.add_state())
    adrift.add_arc(99_999, pynini.Arc(1, 1, 0.5, 0))
    symbols = pynini.SymbolTable()
    for name in ("@_EPSILON_SYMBOL_@", "a"):
        symbols.add_symbol(name)
    adrift.set_input_symbols(symbols)
    path.write_bytes(path.read_bytes()[:begin] + adrift.write_to_string())

    reading = (
        "import sys; from fstce.machines.convert import read_machine as read; "
        "print(read(sys.argv[1]).start())"
    )
    done = subprocess.run([sys.executable, "-c", reading, path], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"-1\n"), done.stderr
