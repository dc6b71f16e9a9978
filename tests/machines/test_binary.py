"""OpenFst's binary files read with bounds: every kind comes back, no damaged one ends the process."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pynini
import pytest
import pywrapfst
from hypothesis import given
from hypothesis import strategies as st
from machine_cases import fsts, lattice_fst, pairs

from fstce.errors import MachineError
from fstce.machines import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.binary import BinaryReader
from fstce.machines.convert import read_machine, write_machine
from fstce.machines.files import read_far, read_fst, write_far
from fstce.machines.operations import operate

SMALL = ["a", "b", "a"]
IMAGES = {
    "vector": lattice_fst("trans1", SMALL).write_to_string(),
    "const": pywrapfst.convert(lattice_fst("trans1", SMALL), "const").write_to_string(),
    "compact_acceptor": pywrapfst.convert(
        lattice_fst("trans1", SMALL), "compact_acceptor"
    ).write_to_string(),
    "compact_string": pywrapfst.convert(pynini.accep("ab"), "compact_string").write_to_string(),
    "log64": pynini.arcmap(lattice_fst("trans1", SMALL), map_type="to_log64").write_to_string(),
}


def same(left: pynini.Fst, right: pynini.Fst) -> None:
    for name in Arrays._fields:
        one, other = (getattr(fst_to_arrays(fst), name) for fst in (left, right))
        np.testing.assert_array_equal(one, other, err_msg=name)


COMPACT = {  # what OpenFst holds in each is made of any machine; the strings are tried in WORDS
    "compact_acceptor": lambda fst: fst.project("input"),
    "compact_unweighted_acceptor": lambda fst: unweighted(fst.project("input")),
    "compact_unweighted": lambda fst: unweighted(fst),
}
WORDS = {
    "compact_string": pynini.accep("abc"),
    "compact_weighted_string": pynini.accep("a", weight=2) + pynini.accep("b", weight=0.5),
}


def unweighted(fst: pynini.Fst) -> pynini.Fst:
    return pynini.Fst.from_pywrapfst(pywrapfst.arcmap(fst, map_type="rmweight"))


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
@pytest.mark.parametrize("kind", WORDS)
def test_compact_strings_come_back(kind: str, arc_type: str) -> None:
    fst = pynini.arcmap(WORDS[kind], map_type=f"to_{arc_type}").rmepsilon()
    same(BinaryReader(pywrapfst.convert(fst, kind).write_to_string(), "here").machine(), fst)


@given(
    st.data(),
    st.sampled_from(["standard", "log64"]),
    st.sampled_from(["vector", "const", *COMPACT]),
)
def test_machines_come_back_as_openfst_wrote_them(
    data: st.DataObject, arc_type: str, kind: str
) -> None:
    fst = COMPACT.get(kind, lambda fst: fst)(data.draw(fsts(arc_type)))
    image = pywrapfst.convert(fst, kind).write_to_string()
    reader = BinaryReader(image, "here")
    found = reader.machine()
    assert reader.at == len(image) and found.arc_type() == arc_type
    same(found, fst)


def test_the_arc_type_log_becomes_log64(tmp_path: Path) -> None:
    wide = pynini.arcmap(pynini.accep("ab", weight=0.1), map_type="to_log")
    wide.write(str(tmp_path / "a.fst"))
    found = read_fst(tmp_path / "a.fst")
    assert found.arc_type() == "log64"
    assert fst_to_arrays(found).final[-1] == np.float32(0.1)


@pytest.mark.parametrize("kind", ["sttable", "stlist"])
def test_archives_of_either_type_are_read(tmp_path: Path, kind: str) -> None:
    machines = {"a": lattice_fst("trans1", SMALL), "b": lattice_fst("del1word")}
    path = tmp_path / "a.far"
    with pynini.Far(str(path), mode="w", arc_type="standard", far_type=kind) as far:
        for key, fst in machines.items():
            far[key] = fst
    back = read_far(path)
    assert list(back) == ["a", "b"]
    for key, fst in machines.items():
        same(back[key], fst)
        assert (
            back[key].input_symbols().labeled_checksum() == fst.input_symbols().labeled_checksum()
        )


def test_an_archive_of_one_machine_alone_is_read(tmp_path: Path) -> None:
    lattice_fst().write(str(tmp_path / "a.far"))
    same(read_far(tmp_path / "a.far")["a.far"], lattice_fst())


@pytest.mark.parametrize("kind", IMAGES)
@pytest.mark.parametrize("mask", [0xFF, 0x80, 0x01])
def test_a_flipped_byte_is_an_error_or_another_sound_machine(
    kind: str, mask: int, capfd: pytest.CaptureFixture[str]
) -> None:
    image = IMAGES[kind]
    for at in range(len(image)):
        damaged = image[:at] + bytes([image[at] ^ mask]) + image[at + 1 :]
        check_never_crashes(damaged)
    said = capfd.readouterr()
    assert said == ("", "") or kind.startswith("compact")  # which OpenFst reads, and speaks of


@given(st.data())
def test_whatever_is_damaged_is_an_error_or_another_sound_machine(data: st.DataObject) -> None:
    image = bytearray(IMAGES[data.draw(st.sampled_from(sorted(IMAGES)))])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(image) - 1))
        new = data.draw(st.binary(max_size=8))
        image[at : at + data.draw(st.integers(0, 8))] = new
    check_never_crashes(bytes(image))


def test_a_damaged_archive_names_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "a.far"
    write_far({"a": lattice_fst("trans1", SMALL), "b": lattice_fst("del1word")}, path)
    image = path.read_bytes()
    named = 0
    for at in range(0, len(image), 7):
        path.write_bytes(image[:at] + bytes([image[at] ^ 0xFF]) + image[at + 1 :])
        try:
            assert len(read_far(path)) == 2
        except MachineError as error:
            named += "a.far, machine" in str(error)
            assert str(path) in str(error) and "\n" not in str(error)
    assert named > 50


def test_a_symbol_that_is_no_text_is_named() -> None:
    image = IMAGES["vector"].replace(b"<sigma>", b"<sig\xffa>", 1)
    with pytest.raises(
        MachineError, match=r"here: damaged: the symbol or name .* is not UTF-8 text"
    ):
        BinaryReader(image, "here").machine()


def test_another_type_says_what_to_do() -> None:
    image = pywrapfst.convert(pynini.accep("a"), "const").write_to_string()
    image = image.replace(b"\5\0\0\0const", b"\5\0\0\0ngram")
    with pytest.raises(MachineError, match="FST type 'ngram'; rewrite it with fstconvert"):
        BinaryReader(image, "here").machine()


def test_a_machine_in_memory_is_verified_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    from fstce.machines.algebra import verified

    unsound = pynini.accep("a")
    unsound.add_arc(0, pynini.Arc(1, 1, 0, 99))
    with pytest.raises(MachineError, match="mine: the machine is unsound: an arc of state 0 leads"):
        verified(unsound, "mine")
    nan = arrays_to_fst(
        fst_to_arrays(pynini.accep("a"))._replace(weight=np.array([np.nan], np.float32))
    )
    with pytest.raises(MachineError, match="a weight is no number"):
        verified(nan, "mine")
    assert capfd.readouterr() == ("", "")


def check_never_crashes(image: bytes) -> None:
    """What is read is sound for OpenFst too."""
    try:
        assert BinaryReader(image, "here").machine().verify()
    except MachineError as error:
        assert str(error).startswith("here: ") and "\n" not in str(error)


@pytest.mark.parametrize("form", ["vector", "const"])
def test_a_machine_without_states_has_no_start(form: str) -> None:
    """OpenFst read state 0 of none, and composing ended the process."""
    empty = pywrapfst.convert(pynini.Fst(), form).write_to_string()
    assert BinaryReader(empty, "here").machine().num_states() == 0
    said = struct.pack("<2q", -1, 0)  # the start, and how many states
    with pytest.raises(MachineError, match="here: damaged: the start leads to no state"):
        BinaryReader(empty.replace(said, struct.pack("<2q", 0, 0), 1), "here").machine()


@pytest.mark.parametrize(
    ("symbols", "wrong"),
    [([("<eps>", 0), ("a", 1), ("b", 1)], "b"), ([("<eps>", 0), ("a", 1), ("a", 2)], "a"), ([("a", -1)], "a")],
)  # fmt: skip
def test_symbols_and_ids_stand_once(symbols: list[tuple[str, int]], wrong: str) -> None:
    packed = [
        struct.pack("<i", len(name)) + name.encode() + struct.pack("<q", label)
        for name, label in symbols
    ]
    head = (
        struct.pack("<i", 2125658996)
        + struct.pack("<i", 1)
        + b"t"
        + struct.pack("<2q", 3, len(symbols))
    )
    with pytest.raises(
        MachineError, match=f"the symbol '{wrong}' or its id .* is wrong or stands twice"
    ):
        BinaryReader(head + b"".join(packed), "here")._table()


def test_ids_that_no_arc_can_have(tmp_path: Path) -> None:
    """One below 0, as OpenFst allows it, was called damage."""
    for label in (-7, 2**31):
        table = pynini.SymbolTable("t")
        for symbol, number in (("<eps>", 0), ("a", 1), ("rho", label)):
            table.add_symbol(symbol, number)
        fst = pynini.accep("a", token_type=table).set_input_symbols(table).set_output_symbols(table)
        fst.write(str(tmp_path / f"{label}.fst"))
    with pytest.raises(
        MachineError, match=r"'rho' has the id 2147483648, .*; renumber the symbols"
    ):
        read_machine(tmp_path / f"{2**31}.fst")

    read = read_machine(tmp_path / "-7.fst")
    for operation in ("invert", "optimize", "closure", "shortest"):
        assert operate(operation, [read], ["x"]).output_symbols().find(-7) == "rho"
    for suffix in (".att", ".hfst", ".far"):
        write_machine(read, tmp_path / f"x{suffix}")
        assert pairs(read_machine(tmp_path / f"x{suffix}")) == {(("a",), ("a",))}


def test_a_count_of_arcs_below_none_is_damage() -> None:
    """Fifteen states and one of −1 arcs: the heads of the states were looked for beyond the file."""
    image = bytearray(pynini.accep("a" * 14).write_to_string())
    image[-8:] = struct.pack("<q", -1)  # of the last state, which has no arcs
    with pytest.raises(MachineError, match=r"damaged: it promises -1 arcs of state 14"):
        BinaryReader(bytes(image), "here").machine()


@pytest.mark.parametrize("count", [1 << 32, (1 << 32) + 1, 1 << 62, -1, -(1 << 63), 2])
def test_a_count_beyond_the_file_is_damage_of_its_state(count: int) -> None:
    """Where the low half of the count alone would fit, too."""
    image = bytearray(pynini.accep("ab").write_to_string())
    begin = len(image) - 3 * 12 - 2 * 16
    image[begin + 4 : begin + 12] = struct.pack("<q", count)
    with pytest.raises(MachineError, match=r"damaged: it promises|damaged: .* leads to no state"):
        BinaryReader(bytes(image), "here").machine()


@pytest.mark.parametrize("arc_type", ["standard", "log64"])
def test_bytes_of_any_length_before_a_machine_do_not_matter(arc_type: str) -> None:
    """Its words of four bytes begin anywhere; counts may be −1, for the number of states."""
    fst = pynini.arcmap(pynini.union("abc", "d"), map_type=f"to_{arc_type}").rmepsilon()
    for size in range(4):
        table = pywrapfst.SymbolTable("n" * size)
        table.add_symbol("<epsilon>")
        for letter in "abcd":
            table.add_symbol(letter, ord(letter))
        image = fst.copy().set_input_symbols(table).write_to_string()
        same(BinaryReader(image, "here").machine(), fst)
        sizes = struct.pack("<qq", fst.start(), fst.num_states())
        assert image.count(sizes) == 1
        streamed = image.replace(sizes, struct.pack("<qq", fst.start(), -1))
        same(BinaryReader(streamed, "here").machine(), fst)
