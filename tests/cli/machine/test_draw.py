"""`fstce machine draw`."""

import pytest

from fstce import neighborhood
from fstce.machines import write_machine
from fstce.machines.drawing import to_dot, to_svg
from fstce.machines.files import write_fst


@pytest.fixture
def lattice():
    return neighborhood("trans1")(["a", "delicate", "thing"]).to_fst()


@pytest.mark.parametrize(("name", "write"), [("x.fst", write_fst), ("x.txt", write_machine)])
def test_machines_from_files_are_drawn(fstce, tmp_path, lattice, name, write):
    write(lattice, tmp_path / name)
    code, out, _ = fstce("machine", "draw", tmp_path / name)
    assert code == 0
    assert out.count("->") == to_dot(lattice).count("->") and 'label="delicate"' in out


def test_symbols_name_a_machine_that_has_none(fstce, tmp_path, lattice):
    symbols = tmp_path / "words.syms"
    symbols.write_text("".join(f"{word}\t{label}\n" for label, word in lattice.input_symbols()))
    lattice.set_input_symbols(None)
    lattice.set_output_symbols(None)
    write_fst(lattice, tmp_path / "bare.fst")
    assert "delicate" not in fstce("machine", "draw", tmp_path / "bare.fst").out
    assert (
        'label="delicate"'
        in fstce("machine", "draw", tmp_path / "bare.fst", "--symbols", symbols).out
    )


def test_a_missing_file(fstce):
    code, out, err = fstce("machine", "draw", "nowhere.fst")
    assert (code, out) == (2, "") and "nowhere.fst: no such file" in err


def test_a_file_that_is_no_machine(fstce, corpus):
    code, _, err = fstce("machine", "draw", corpus)
    assert code == 2 and "no machine; one is a file of .fst" in err


def test_the_engine_says_what_stands_where(fstce, tmp_path, lattice):
    write_fst(lattice, tmp_path / "x.fst")
    picture = tmp_path / "x.svg"
    assert (
        fstce("machine", "draw", tmp_path / "x.fst", "-o", picture, "--engine", "layered").code == 0
    )
    assert picture.read_text() == to_svg(lattice)
    verb = ("neighborhood", "draw", "trans1", "a delicate thing", "--engine", "layered")
    assert fstce(*verb, "-o", picture).code == 0
    assert picture.read_text() == to_svg(lattice)
    code, _, err = fstce(*verb, "-o", tmp_path / "x.png")
    assert code == 2 and "'layered' draws .svg alone" in err
