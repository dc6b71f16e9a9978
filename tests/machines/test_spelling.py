"""How text spells machines: Kaldi's numbers, and what stands for ε."""

from __future__ import annotations

import pytest
from machine_cases import lattice_fst

from fstce.errors import MachineError
from fstce.machines.analyser import Analyser
from fstce.machines.convert import read_machine, write_machine


def test_kaldi_numbers_are_what_k2_reads(tmp_path):
    write_machine(lattice_fst(words=["a", "b"]), tmp_path / "x.txt", spelling="kaldi", numbers=True)
    fields = [line.split("\t") for line in (tmp_path / "x.txt").read_text().splitlines()]
    assert all(field.isdecimal() for line in fields for field in line)
    assert (tmp_path / "x.syms").read_text().startswith("<eps>\t0\n")


def test_epsilon_as_lt_print_spells_it(tmp_path):
    """It was a letter, so that an analyser of Apertium's knew no word; of Greek it is both."""
    lines = "0\t1\tb\tb\t0.000000\t\n1\t2\tε\t{tag}\t0.000000\t\n2\t0.000000\n"
    (tmp_path / "x.att").write_text(lines.format(tag="<n>") + "--\n" + lines.format(tag="<v>"))
    assert Analyser(tmp_path / "x.att")("b") == [("b", "<n>"), ("b", "<v>")]
    untagged = "0\t1\ta\ta\t0.000000\t\n1\t0.000000\n--\n" + lines.format(tag="c")
    (tmp_path / "post.att").write_text(untagged)
    assert Analyser(tmp_path / "post.att")("b") == [("b", "c")]
    (tmp_path / "greek.att").write_text(lines.format(tag="γ"))
    with pytest.raises(MachineError, match=r"greek\.att: lt-print spells both .* --hfst"):
        read_machine(tmp_path / "greek.att")
    letters = read_machine(tmp_path / "greek.att", epsilon="@0@")
    assert Analyser(letters)("bε") == [("b", "γ")]
    (tmp_path / "of_hfst.att").write_text(
        lines.format(tag="<n>").replace("0\t1\tb\tb", "0\t1\t@0@\tb")
    )
    assert Analyser(tmp_path / "of_hfst.att")("ε") == [("b", "<n>")]
