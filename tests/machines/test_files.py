"""Machines in files, ours and those of OpenFst's own programs."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pynini
import pytest
import pywrapfst
from hypothesis import given
from hypothesis import strategies as st
from machine_cases import fsts, lattice_fst, run
from patience import patience

from fstce.errors import MachineError
from fstce.machines import Arrays, Symbols, arrays_to_fst, fst_to_arrays
from fstce.machines.convert import read_machine, write_machine
from fstce.machines.files import FAR_MAGICS, far_key, read_far, read_fst, write_far, write_fst
from fstce.machines.text import (
    check_symbols_beside,
    read_symbols,
    write_symbols,
)

ARC_TYPES = ("standard", "log64")


def _same(left: pynini.Fst, right: pynini.Fst) -> None:
    a, b = fst_to_arrays(left), fst_to_arrays(right)
    assert left.arc_type() == right.arc_type()
    for name in Arrays._fields:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


@given(st.data(), st.sampled_from(ARC_TYPES))
def test_a_binary_machine_comes_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, arc_type: str
) -> None:
    path = tmp_path_factory.mktemp("fst") / "a.fst"
    fst = data.draw(fsts(arc_type))
    write_fst(fst, path)
    _same(read_fst(path), fst)


def test_a_binary_machine_carries_its_symbols(tmp_path: Path) -> None:
    write_fst(lattice_fst(), tmp_path / "a.fst")
    table = read_fst(tmp_path / "a.fst").input_symbols()
    assert table.labeled_checksum() == lattice_fst().input_symbols().labeled_checksum()


def test_a_const_machine_is_written_and_read(tmp_path: Path) -> None:
    pywrapfst.convert(lattice_fst(), "const").write(str(tmp_path / "a.fst"))
    _same(read_fst(tmp_path / "a.fst"), lattice_fst())


def test_every_truncated_machine_is_an_error(tmp_path: Path) -> None:
    write_fst(lattice_fst(), tmp_path / "a.fst")
    image = (tmp_path / "a.fst").read_bytes()
    for size in range(0, len(image), 13):
        (tmp_path / "cut.fst").write_bytes(image[:size])
        with pytest.raises(
            MachineError, match=r"cut\.fst: (cut off|not an OpenFst machine|damaged)"
        ):
            read_fst(tmp_path / "cut.fst")


def test_a_header_that_promises_too_many_states_does_not_crash_the_process(tmp_path: Path) -> None:
    write_fst(lattice_fst(), tmp_path / "a.fst")
    image = (tmp_path / "a.fst").read_bytes()
    promise = struct.pack("<q", 11)
    assert image.count(promise, 0, 70) == 1
    (tmp_path / "a.fst").write_bytes(image.replace(promise, struct.pack("<q", 2**60), 1))
    with pytest.raises(
        MachineError, match=r"damaged: it promises 1,152,921,504,606,846,976 states"
    ):
        read_fst(tmp_path / "a.fst")


def test_a_foreign_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.fst").write_text("0\t1\ta\ta\n1\n")
    with pytest.raises(
        MachineError, match="not an OpenFst machine; read other files with read_machine"
    ):
        read_fst(tmp_path / "a.fst")


def test_a_machine_of_another_arc_type_is_an_error(tmp_path: Path) -> None:
    image = pynini.accep("a").write_to_string().replace(b"standard", b"tropical")
    (tmp_path / "a.fst").write_bytes(image)
    with pytest.raises(
        MachineError, match=r"a\.fst: arc type 'tropical'; use standard, log, log64"
    ):
        read_fst(tmp_path / "a.fst")


def test_an_unsound_machine_is_not_written(tmp_path: Path) -> None:
    unsound = pynini.accep("a")
    unsound.add_arc(0, pynini.Arc(1, 1, 0, 99))
    for write in (write_fst, write_machine):
        with pytest.raises(
            MachineError, match="the machine is unsound: an arc of state 0 leads to no state"
        ):
            write(unsound, tmp_path / "a.fst")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("read", [read_fst, read_far, read_machine, read_symbols])
def test_a_missing_file_or_a_folder_is_named(tmp_path: Path, read: type) -> None:
    with pytest.raises(MachineError, match=r"nowhere: no such file; check the path"):
        read(tmp_path / "nowhere")
    with pytest.raises(MachineError, match=r"is a folder; name a file in it"):
        read(tmp_path)


@pytest.mark.parametrize("read", [read_fst, read_far, read_machine, read_symbols])
def test_devices_and_idle_pipes_are_told(
    tmp_path: Path, read: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link to /dev/zero was read until there was no memory left, a pipe without a writer for ever."""
    monkeypatch.setattr("fstce.storage.atomic.PATIENCE", 0.1)
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    with pytest.raises(MachineError, match=r"pipe\.txt: cannot be read \(a pipe into which nobody"):
        read(tmp_path / "pipe.txt")
    with pytest.raises(MachineError, match=r"zero\.txt: cannot be read \(a device, not a file"):
        read(tmp_path / "zero.txt")


@pytest.mark.parametrize(
    "write", [write_fst, write_machine, lambda fst, path: write_far({"a": fst}, path)]
)
def test_an_unwritable_path_is_named(tmp_path: Path, write: type) -> None:
    folder = tmp_path / "folder.txt"
    folder.mkdir()
    with pytest.raises(
        MachineError, match=r"a\.txt: cannot be written: there is no folder .*; make it first"
    ):
        write(lattice_fst(), tmp_path / "no" / "a.txt")
    with pytest.raises(MachineError, match=r"cannot be written: it is a folder; name a file in it"):
        write(lattice_fst(), folder)


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.far"
    write_far({"1": lattice_fst()}, path)
    before = path.read_bytes()
    with pytest.raises(MachineError, match="out of order"):
        write_far([("2", lattice_fst()), ("1", lattice_fst())], path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.far"]


def test_an_archive_comes_back_in_order(tmp_path: Path) -> None:
    names = ["del1word", "trans1", "del1subseq"]
    given = {far_key(i, 11): lattice_fst(name) for i, name in enumerate(names)}
    write_far(given, tmp_path / "a.far")
    back = read_far(tmp_path / "a.far")
    assert list(back) == ["00", "01", "02"]
    for key in given:
        _same(back[key], given[key])


def test_an_archive_may_be_a_stream_of_log64_machines(tmp_path: Path) -> None:
    wide = pynini.arcmap(lattice_fst(), map_type="to_log64")
    write_far(((far_key(i, 300), wide) for i in range(300)), tmp_path / "a.far")
    back = read_far(tmp_path / "a.far")
    assert (len(back), back["299"].arc_type()) == (300, "log64")


@pytest.mark.parametrize("keys", [["2", "1"], ["1", "1"], ["9", "10"], ["ä", "z"]])
def test_keys_out_of_order_are_refused_where_openfst_would_drop_them(
    tmp_path: Path, keys: list[str]
) -> None:
    with pytest.raises(
        MachineError, match=rf"the key '{keys[1]}' after '{keys[0]}' is out of order"
    ):
        write_far([(key, lattice_fst()) for key in keys], tmp_path / "a.far")


def test_an_archive_of_nothing_or_of_mixed_arc_types_is_refused(tmp_path: Path) -> None:
    wide = pynini.arcmap(lattice_fst(), map_type="to_log64")
    with pytest.raises(MachineError, match="there is no machine to write"):
        write_far({}, tmp_path / "a.far")
    with pytest.raises(
        MachineError, match="machine b: arc type 'log64' among 'standard'; convert it"
    ):
        write_far({"a": lattice_fst(), "b": wide}, tmp_path / "a.far")
    with pytest.raises(MachineError, match="let none be empty"):
        write_far({"": lattice_fst()}, tmp_path / "a.far")


def test_every_truncated_archive_is_an_error(tmp_path: Path) -> None:
    write_far({"a": lattice_fst(), "b": lattice_fst("trans1")}, tmp_path / "a.far")
    image = (tmp_path / "a.far").read_bytes()
    for size in range(0, len(image), 29):
        (tmp_path / "cut.far").write_bytes(image[:size])
        with pytest.raises(
            MachineError, match=r"cut\.far(, machine .)?: (cut off|damaged|the FAR)"
        ):
            read_far(tmp_path / "cut.far")


@pytest.mark.parametrize(("i", "total"), [(-1, 3), (3, 3), (0, 0)])
def test_there_is_no_key_beyond_the_total(i: int, total: int) -> None:
    with pytest.raises(MachineError, match=f"machine {i} of {total} cannot have a key"):
        far_key(i, total)


@given(st.integers(1, 2000))
def test_keys_sort_as_numbers(total: int) -> None:
    keys = [far_key(i, total) for i in range(total)]
    assert keys == sorted(set(keys))


@given(st.data(), st.sampled_from(ARC_TYPES))
def test_text_comes_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, arc_type: str
) -> None:
    path = tmp_path_factory.mktemp("att") / "a.txt"
    fst = data.draw(fsts(arc_type))
    write_machine(fst, path)
    back = fst_to_arrays(read_machine(path, arc_type=arc_type))
    arrays = fst_to_arrays(fst)
    # A state that no arc and no final weight mentions has a line as well.
    for name in Arrays._fields:
        np.testing.assert_array_equal(getattr(back, name), getattr(arrays, name), err_msg=name)


def test_text_has_its_words_beside_it(tmp_path: Path) -> None:
    write_machine(lattice_fst("trans1"), tmp_path / "a.txt")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.syms", "a.txt"]
    back = read_machine(tmp_path / "a.txt")
    _same(back, lattice_fst("trans1"))
    assert back.output_symbols().find("delicate") == lattice_fst().output_symbols().find("delicate")


def test_text_without_symbols_has_numbers(tmp_path: Path) -> None:
    write_machine(pynini.cross("a", "b"), tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text() == "0\t1\t97\t98\n1\n"
    assert not (tmp_path / "a.syms").exists()


def test_one_third_keeps_all_its_digits(tmp_path: Path) -> None:
    third = Arrays(
        0, np.array([np.inf, 1 / 3]), *(np.array([x], np.int32) for x in (0, 5, 5)), *_tail()
    )
    write_machine(arrays_to_fst(third, "log64"), tmp_path / "a.txt")
    assert "0.33333333333333331" in (tmp_path / "a.txt").read_text()
    assert fst_to_arrays(read_machine(tmp_path / "a.txt", arc_type="log64")).final[1] == 1 / 3


def _tail() -> tuple[np.ndarray, np.ndarray]:
    return np.array([0.1]), np.array([1], np.int32)


def test_states_with_gaps_are_numbered_in_order_and_the_first_line_starts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("70 5 1\n5 900 2 0.5\n\n900 0.25\r\n")
    read = fst_to_arrays(read_machine(tmp_path / "a.txt"))
    assert (read.start, read.source.tolist(), read.next.tolist()) == (1, [0, 1], [2, 0])
    assert (read.weight.tolist(), read.final.tolist()) == ([0.5, 0.0], [np.inf, np.inf, 0.25])


def _syms(folder: Path, *words: str) -> Path:
    write_symbols(Symbols(words).table, folder / "words.syms")
    return folder / "words.syms"


@pytest.mark.parametrize(
    ("text", "ilabels", "olabels", "weights"),
    [
        ("0 1 a\n1\n", [5], [5], [0]),
        ("0 1 a 3\n1\n", [5], [5], [3]),
        ("0 1 a b\n1\n", [5], [6], [0]),
        ("0 1 a b 3\n1\n", [5], [6], [3]),
        ("0 1 a 2\n0 1 b\n1\n", [5, 6], [5, 6], [2, 0]),
        ("0 1 a b\n0 1 b b 2\n1\n", [5, 6], [6, 6], [0, 2]),
        ("0 1 a Infinity\n1\n", [5], [5], [np.inf]),
    ],
)
def test_acceptor_and_transducer_lines(
    tmp_path: Path, text: str, ilabels: list[int], olabels: list[int], weights: list[float]
) -> None:
    (tmp_path / "a.txt").write_text(text)
    read = fst_to_arrays(read_machine(tmp_path / "a.txt", isymbols=_syms(tmp_path, "a", "b")))
    assert (read.ilabel.tolist(), read.olabel.tolist(), read.weight.tolist()) == (
        ilabels,
        olabels,
        weights,
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1 a b\n0 1 a b 0.5 7\n", r"a\.txt:2: 6 fields; an arc is 'source target input output"),
        (
            "0 1 a\n1 2 a b 0.5\n",
            r"a\.txt:1: 3 fields, in a file whose other lines have two labels",
        ),
        ("0 1 a b\n1 2 a zebra\n2\n", r"a\.txt:2: the symbol 'zebra' is not in .*words"),
        ("0 1 a\n\n1 2 zebra\n2\n", r"a\.txt:3: the symbol 'zebra' is not in .*words"),
        ("0 one a\n", r"a\.txt:1: 'one' is no state: a number from 0"),
        ("0 -1 a\n", r"a\.txt:1: '-1' is no state"),
        ("99999999999 1 a\n", r"a\.txt:1: '99999999999' is no state"),
        ("x\n", r"a\.txt:1: 'x' is no state"),
        ("0 1 a b 1,5\n", r"a\.txt:1: '1,5' is no weight: a number in −log, or Infinity"),
        ("0 nan\n", r"a\.txt:1: 'nan' is no weight"),
        ("0 -Infinity\n", r"a\.txt:1: '-Infinity' is no weight"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(MachineError, match=message):
        read_machine(tmp_path / "a.txt", isymbols=_syms(tmp_path, "a", "b"))


def test_words_without_symbols_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("0 1 the the\n1\n")
    with pytest.raises(MachineError, match=r"a\.txt:1: 'the' is no label.*give a file of symbols"):
        read_machine(tmp_path / "a.txt", numbers=True)


def test_a_binary_file_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\x00\t1\n")
    with pytest.raises(MachineError, match="not UTF-8 text, nor a binary machine"):
        read_machine(tmp_path / "a.txt")


def test_symbols_on_one_side_alone_are_refused(tmp_path: Path) -> None:
    fst = pynini.accep("x", token_type=Symbols("x").table).set_input_symbols(Symbols("x").table)
    with pytest.raises(MachineError, match="one side alone has symbols"):
        write_machine(fst, tmp_path / "a.txt")


def test_text_cannot_say_that_there_is_no_start(tmp_path: Path) -> None:
    fst = pynini.Fst()
    fst.add_state()
    for machine in (fst, pynini.Fst()):
        with pytest.raises(MachineError, match="no start state, so there is nothing to write"):
            write_machine(machine, tmp_path / "a.txt")


def test_a_label_without_a_symbol_is_named(tmp_path: Path) -> None:
    table = Symbols("x").table
    fst = pynini.accep("a").set_input_symbols(table).set_output_symbols(table)
    with pytest.raises(MachineError, match=r"a\.txt: .* the label 97 has no symbol"):
        write_machine(fst, tmp_path / "a.txt")


def test_symbols_come_back(tmp_path: Path) -> None:
    table = Symbols(["ä", "猫"]).table
    write_symbols(table, tmp_path / "a.syms")
    assert list(read_symbols(tmp_path / "a.syms")) == list(table)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<epsilon>\t0\na\n", r"a\.syms:2: 1 fields; a line is a symbol and its id"),
        ("a\t0\tb\n", r"a\.syms:1: 3 fields"),
        ("a\tone\n", r"a\.syms:1: 'one' is no id"),
        ("a\t1\na\t2\n", r"a\.syms:2: the symbol 'a' or the id 2 is given twice"),
        ("a\t1\nb\t1\n", r"a\.syms:2: the symbol 'b' or the id 1 is given twice"),
    ],
)
def test_a_bad_line_of_symbols_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.syms").write_text(text)
    with pytest.raises(MachineError, match=message):
        read_symbols(tmp_path / "a.syms")


def test_symbols_with_white_space_come_back(tmp_path: Path) -> None:
    table = pynini.SymbolTable("x")
    for symbol in ("New York", " ", "\t", "\r", "\u00a0", "\f", ":", "\u2028"):
        table.add_symbol(symbol)
    write_symbols(table, tmp_path / "a.syms")
    assert list(read_symbols(tmp_path / "a.syms")) == list(table)
    table.add_symbol("two\nlines")
    with pytest.raises(MachineError, match="cannot stand in a text file"):
        write_symbols(table, tmp_path / "a.syms")


def test_fstinfo_reads_our_machine(tmp_path: Path) -> None:
    write_fst(lattice_fst(), tmp_path / "a.fst")
    info = dict(
        line.rsplit(None, 1) for line in run("fstinfo", str(tmp_path / "a.fst")).splitlines()
    )
    assert (info["# of states"], info["# of arcs"]) == ("11", "15")
    assert (info["cyclic"], info["input deterministic"], info["input symbol table"]) == (
        "n",
        "y",
        "fstce",
    )


@pytest.mark.parametrize("arc_type", ARC_TYPES)
def test_fstprint_prints_what_we_write(tmp_path: Path, arc_type: str) -> None:
    fst = (
        lattice_fst()
        if arc_type == "standard"
        else pynini.arcmap(lattice_fst(), map_type="to_log64")
    )
    write_fst(fst, tmp_path / "a.fst")
    write_machine(fst, tmp_path / "a.txt")
    assert run("fstprint", str(tmp_path / "a.fst")) == (tmp_path / "a.txt").read_text()


@pytest.mark.parametrize("arc_type", ARC_TYPES)
def test_fstcompile_compiles_our_text(tmp_path: Path, arc_type: str) -> None:
    weighted = pynini.arcmap(lattice_fst(), map_type="times", weight=0.1)
    fst = weighted if arc_type == "standard" else pynini.arcmap(weighted, map_type="to_log64")
    write_fst(fst, tmp_path / "a.fst")
    write_machine(fst, tmp_path / "a.txt")
    symbols = [f"--{side}symbols={tmp_path / 'a.syms'}" for side in "io"]
    files = (str(tmp_path / "a.txt"), str(tmp_path / "b.fst"))
    run("fstcompile", f"--arc_type={arc_type}", "--keep_state_numbering", *symbols, *files)
    run("fstequivalent", str(tmp_path / "a.fst"), str(tmp_path / "b.fst"))
    _same(read_fst(tmp_path / "b.fst"), fst)


def test_farinfo_and_farextract_read_our_archive(tmp_path: Path) -> None:
    given = {far_key(i, 12): lattice_fst(words=[f"w{j}" for j in range(i + 1)]) for i in range(12)}
    write_far(given, tmp_path / "a.far")
    info = run("farinfo", str(tmp_path / "a.far"))
    assert "# of FSTs                                         12" in info
    run("farextract", f"--filename_prefix={tmp_path}{os.sep}", str(tmp_path / "a.far"))
    for key, fst in given.items():
        _same(read_fst(tmp_path / key), fst)


def test_an_archive_is_what_openfst_writes(tmp_path: Path) -> None:
    given = {name: lattice_fst(name) for name in ("del1word", "trans1")}
    write_far(given, tmp_path / "ours.far")
    with pynini.Far(
        str(tmp_path / "theirs.far"), mode="w", arc_type="standard", far_type="sttable"
    ) as far:
        for key, fst in given.items():
            far[key] = fst
    assert (tmp_path / "ours.far").read_bytes() == (tmp_path / "theirs.far").read_bytes()


FULL = """
import resource, signal, sys
from fstce import neighborhood
from fstce.errors import MachineError
from fstce.machines.files import write_far
from fstce.machines.files import write_fst

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
fst = neighborhood("trans1")("a delicate thing is here".split()).to_fst()
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
for path, write, what in (("a.fst", write_fst, fst), ("a.far", write_far, {"1": fst})):
    try:
        write(what, path)
    except MachineError as error:
        print(error)
"""


def test_a_full_disk_is_told_as_that_and_openfst_says_nothing(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", FULL], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stderr == ""
    told = "cannot be written (File too large); choose another folder"
    assert ran.stdout.splitlines() == [f"a.fst: {told}", f"a.far: {told}"]
    assert list(tmp_path.iterdir()) == []


def test_a_list_of_machines_that_is_damaged_is_told(tmp_path: Path) -> None:
    """FARs of type stlist: a machine, its key before it, until an empty key."""
    path = tmp_path / "a.far"
    with pynini.Far(str(path), mode="w", arc_type="standard", far_type="stlist") as far:
        for key in ("a", "b"):
            far[key] = lattice_fst()
    whole = path.read_bytes()
    assert list(read_far(path)) == ["a", "b"]
    begin = whole.index(b"a", 8) - 4
    one = whole[begin : whole.index(b"b", begin) - 4]
    path.write_bytes(whole[:8] + one + one + whole[-4:])
    with pytest.raises(MachineError, match=r"a\.far: the key 'a' stands twice; write it again"):
        read_far(path)
    path.write_bytes(whole[:8] + one)
    with pytest.raises(MachineError, match=r"a\.far, machine a: cut off"):
        read_far(path)


def test_a_table_that_lies_about_its_machines_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.far"
    write_far({"a": lattice_fst(), "b": lattice_fst()}, path)
    whole = path.read_bytes()
    first, second = struct.unpack("<2q", whole[-24:-8])
    path.write_bytes(whole[:-24] + struct.pack("<2q", first, second - 1) + whole[-8:])
    with pytest.raises(MachineError, match=r"a\.far"):
        read_far(path)
    path.write_bytes(whole[:-32] + struct.pack("<q", 3) + whole[-24:])
    with pytest.raises(
        MachineError, match=r"a\.far: the FAR is cut off, its table damaged, or it is empty"
    ):
        read_far(path)
    path.write_bytes(FAR_MAGICS[1] + struct.pack("<2i", 1, 0))  # one that has no machine
    with pytest.raises(MachineError, match=r"a\.far: the FAR is cut off, .* or it is empty"):
        read_far(path)
    path.write_bytes(whole.replace(b"\1\0\0\0b", b"\1\0\0\0a"))
    with pytest.raises(MachineError, match=r"a\.far: the key 'a' stands twice; write it again"):
        read_far(path)
    write_far({"a": pynini.Fst(arc_type="log")}, path)  # as write_fst writes it
    assert read_far(path)["a"].arc_type() == "log64"


def test_symbols_beside_a_machine_are_not_taken_from_another(tmp_path: Path) -> None:
    table, other = Symbols("ab").table, Symbols("abc").table
    path, beside = tmp_path / "m.fst", tmp_path / "m.syms"
    check_symbols_beside(table, path)  # there are none
    write_symbols(other, beside)
    with pytest.raises(MachineError, match=r"m\.syms is there already and would be replaced"):
        check_symbols_beside(table, path)
    check_symbols_beside(other, path)
    write_fst(lattice_fst(), path)
    check_symbols_beside(table, path)  # both are of an earlier run
    (tmp_path / "m.txt").write_text("0\n")
    with pytest.raises(MachineError, match=r"m\.syms has the symbols of .*m\.txt"):
        check_symbols_beside(table, path)
    beside.write_bytes(b"\xff")
    with pytest.raises(MachineError, match=r"has the symbols of"):
        check_symbols_beside(table, path)


def test_a_machine_is_read_where_there_is_no_room_for_another_file(tmp_path: Path) -> None:
    """It was copied to a temporary file, and a full disk was a traceback."""
    write_fst(lattice_fst(), tmp_path / "a.fst")
    limited = "import resource, signal, sys; from fstce.machines.files import read_fst\n"
    limited += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limited += "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    limited += "print(read_fst(sys.argv[1]).num_states())"
    command = [sys.executable, "-c", limited, str(tmp_path / "a.fst")]
    read, wrote = os.pipe()
    done = subprocess.run(command, stdout=wrote, stderr=subprocess.PIPE, timeout=patience(60))
    os.close(wrote)
    assert done.returncode == 0, done.stderr
    assert int(os.read(read, 100)) > 3
    os.close(read)


def test_large_machines_go_by_files_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fstce.machines.image._MANY", 0)
    write_fst(lattice_fst(), tmp_path / "a.fst")
    back = read_fst(tmp_path / "a.fst")
    assert pynini.isomorphic(back, lattice_fst())
    assert dict(back.input_symbols()) == dict(lattice_fst().input_symbols())
    assert [file.name for file in tmp_path.iterdir()] == ["a.fst"]

    # A folder for temporary files that has no room is none to fail for.
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    assert pynini.isomorphic(read_fst(tmp_path / "a.fst"), lattice_fst())


def test_a_large_machine_on_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    script = FULL.replace(
        "signal.signal(", "from fstce.machines import image\nimage._MANY = 0\nsignal.signal("
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.stdout.startswith("a.fst: cannot be written (No space left on device); choose")
    assert list(tmp_path.iterdir()) == []
