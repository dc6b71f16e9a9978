"""`fstce machine convert`."""

import resource
import subprocess
import sys

import pynini
import pytest

from fstce import neighborhood
from fstce.cli.machine import convert as verb
from fstce.errors import FstceError
from fstce.machines.files import far_key, read_fst, write_far, write_fst


@pytest.fixture
def convert(alone):
    return alone(verb.convert)


@pytest.fixture
def lattice(tmp_path):
    fst = neighborhood("trans1")(["a", "delicate", "thing"]).to_fst()
    write_fst(fst, tmp_path / "x.fst")
    return fst


def test_there_and_back_is_the_same_file(convert, lattice, tmp_path):
    result = convert(tmp_path / "x.fst", tmp_path / "x.txt")
    arcs = sum(map(lattice.num_arcs, lattice.states()))
    assert (
        result.stderr
        == f"wrote {tmp_path / 'x.txt'}: {lattice.num_states()} states, {arcs} arcs, standard\n"
    )
    assert convert(tmp_path / "x.txt", tmp_path / "y.fst", "--quiet").stderr == ""
    back = read_fst(tmp_path / "y.fst")
    assert (
        back.write_to_string() == read_fst(tmp_path / "x.fst").write_to_string() or back == lattice
    )


@pytest.mark.parametrize(
    ("spelling", "epsilon"), [("openfst", "<epsilon>"), ("kaldi", "<eps>"), ("hfst", "@0@")]
)
def test_spellings(convert, lattice, tmp_path, spelling, epsilon):
    convert(tmp_path / "x.fst", tmp_path / "x.txt", "--spelling", spelling)
    assert (tmp_path / "x.syms").read_text().startswith(f"{epsilon}\t0\n")
    convert(tmp_path / "x.txt", tmp_path / "y.fst")
    assert read_fst(tmp_path / "y.fst").input_symbols().find(0) == epsilon
    convert(tmp_path / "y.fst", tmp_path / "z.fst", "--spelling", "openfst")
    assert read_fst(tmp_path / "z.fst").input_symbols().find(0) == "<epsilon>"


def test_a_member_of_an_archive_with_another_arc_type(convert, lattice, tmp_path):
    write_far({far_key(i, 2): lattice for i in range(2)}, tmp_path / "x.far")
    convert(tmp_path / "x.far", tmp_path / "y.fst", "--key", "1", "--arc-type", "log64")
    assert read_fst(tmp_path / "y.fst").arc_type() == "log64"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.fst", "y.txt"], "nowhere.fst: no such file"),
        (["bad.txt", "y.fst"], "bad.txt:1: 6 fields"),
        (["bad.txt", "y.svg"], "bad.txt:1"),
    ],
)
def test_errors(convert, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.txt").write_text("0 1 2 3 4 5\n")
    with pytest.raises(FstceError, match=message):
        convert(*arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.txt"]


def test_what_cannot_be_written_names_what_was_read(fstce, tmp_path) -> None:
    table = pynini.SymbolTable()
    table.add_symbol("zero", 0)
    table.add_symbol("a", 1)
    fst = pynini.accep("a", token_type=table).set_input_symbols(table).set_output_symbols(table)
    fst.write(str(tmp_path / "mine.fst"))
    code, _, err = fstce("machine", "convert", str(tmp_path / "mine.fst"), str(tmp_path / "x.att"))
    assert code == 2
    assert err.startswith(f"fstce: {tmp_path / 'mine.fst'}: the table calls ε 'zero'")


def test_what_has_no_room_names_what_is_written_alone(fstce, tmp_path) -> None:
    (tmp_path / "mine.txt").write_text("0\t1\ta\ta\n1\n")
    done = subprocess.run(
        [sys.executable, "-m", "fstce", "machine", "convert", "mine.txt", "x.hfst"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50)),
    )
    assert done.returncode == 2 and done.stderr.startswith("fstce: x.hfst: ")
    assert "mine.txt" not in done.stderr
