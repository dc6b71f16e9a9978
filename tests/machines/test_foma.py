"""Files of foma that are damaged are refused by name, with what is wrong."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pynini
import pytest

from fstce.errors import FstceError, MachineError
from fstce.machines import foma
from fstce.machines.convert import read_machine

LETTERS = pynini.SymbolTable()
for number, letter in enumerate(("<epsilon>", "a", "b", "c")):
    LETTERS.add_symbol(letter, number)
CROSS = pynini.cross(*(pynini.accep(side, token_type=LETTERS) for side in ("a b", "c"))).optimize()
CROSS.set_input_symbols(LETTERS)
CROSS.set_output_symbols(LETTERS)
MACHINE = foma.fst_to_foma(CROSS, "x.foma")
TEXT = gzip.decompress(MACHINE)
STATES = TEXT.partition(b"##states##\n")[2].split(b"\n")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: data[:-9], "cut off, or of more than"),
        (
            lambda data: data[:12] + bytes([data[12] ^ 255]) + data[13:],
            "gzip says|cut off",
        ),
        (lambda _: gzip.compress(b"\xff" + TEXT), "not a file of HFST's or foma's"),
        (lambda _: TEXT.replace(b"##states##\n", b""), "cut off, or no machine of foma's"),
        (lambda _: TEXT + b"more", "damaged: 'more' stands behind its machines"),
        (lambda _: TEXT + TEXT, "holds 2 machines; say which, as .*:KEY: 1, 2"),
        (
            lambda _: TEXT.replace(STATES[0], b"0 97 -2 1 0"),
            "'-2' is no number of a state or symbol",
        ),
        (lambda _: TEXT.replace(STATES[1], b"1 2 3 4 5 6 7"), "'1 2 3 4 5 6 7' is no arc"),
        (
            lambda _: TEXT.replace(b"##sigma##", b"##weights##\n##sigma##"),
            "not as many weights as arcs",
        ),
    ],
)
def test_a_damaged_file_is_refused(
    tmp_path: Path, damage: Callable[[bytes], bytes], said: str
) -> None:
    path = tmp_path / "x.foma"
    path.write_bytes(damage(MACHINE))
    with pytest.raises(FstceError, match=f"x.foma:? .*({said})"):
        read_machine(path)


def test_a_weight_that_is_none_is_refused(tmp_path: Path) -> None:
    path, arcs = (
        tmp_path / "x.foma",
        [line for line in STATES if line and not line.startswith((b"-1", b"#"))],
    )
    weights = b"##weights##\n" + b"1.5\n" * (len(arcs) - 1) + b"heavy\n##sigma##"
    path.write_bytes(TEXT.replace(b"##sigma##", weights))
    with pytest.raises(MachineError, match=r"x\.foma: damaged: 'heavy' is no weight"):
        read_machine(path)


def test_lines_behind_the_last_arc_are_read_no_more(tmp_path: Path) -> None:
    path = tmp_path / "x.foma"
    path.write_bytes(TEXT.replace(b"-1 -1 -1 -1 -1\n", b""))
    assert read_machine(path).num_states() == read_machine_of(MACHINE, tmp_path).num_states()


def read_machine_of(data: bytes, folder: Path) -> pynini.Fst:
    """The machine in some bytes."""
    (folder / "whole.foma").write_bytes(data)
    return read_machine(folder / "whole.foma")
