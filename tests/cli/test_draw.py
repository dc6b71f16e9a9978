"""`fstce draw`."""

import shutil

import pytest

from fstce import neighborhood
from fstce.machines.drawing import to_dot
from fstce.machines.files import write_att, write_fst


@pytest.fixture
def lattice():
    return neighborhood("trans1")(["a", "delicate", "thing"]).to_fst()


def test_dot_is_printed_by_default(fstce, lattice):
    assert fstce("draw", "trans1", "a delicate thing") == (0, to_dot(lattice), "")


@pytest.mark.parametrize(("name", "write"), [("x.fst", write_fst), ("x.txt", write_att)])
def test_machines_from_files_are_drawn(fstce, tmp_path, lattice, name, write):
    write(lattice, tmp_path / name)
    code, out, _ = fstce("draw", tmp_path / name)
    assert code == 0
    assert out.count("->") == to_dot(lattice).count("->") and 'label="delicate"' in out


def test_symbols_name_a_machine_that_has_none(fstce, tmp_path, lattice):
    symbols = tmp_path / "words.syms"
    symbols.write_text("".join(f"{word}\t{label}\n" for label, word in lattice.input_symbols()))
    lattice.set_input_symbols(None)
    lattice.set_output_symbols(None)
    write_fst(lattice, tmp_path / "bare.fst")
    assert "delicate" not in fstce("draw", tmp_path / "bare.fst").out
    assert 'label="delicate"' in fstce("draw", tmp_path / "bare.fst", "--symbols", symbols).out


def test_a_picture_is_written(fstce, tmp_path):
    path = tmp_path / "x.svg"
    assert fstce("draw", "del1word", "so it goes", "--output", path) == (0, "", f"wrote {path}\n")
    assert "goes" in path.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")
@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_graphviz_draws(fstce, tmp_path, suffix, magic):
    path = tmp_path / f"x{suffix}"
    assert fstce("draw", "del1word", "so it goes", "--output", path).code == 0
    assert path.read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trans1", "a b", "--symbols", "x.syms"], "--symbols goes with a machine from a file"),
        (["x.fst", "a b"], "no such file"),
        (["trans1", "a b", "--output", "x.gif"], "use .dot .svg .png .pdf"),
        (["trans1"], "the sentence is empty"),
        (["nowhere.fst"], "nowhere.fst: no such file"),
    ],
)
def test_contradictions_are_named(fstce, arguments, message):
    code, out, err = fstce("draw", *arguments)
    assert (code, out) == (2, "")
    assert message in err and len(err.splitlines()) == 1


def test_a_file_that_is_no_machine(fstce, corpus):
    code, _, err = fstce("draw", corpus)
    assert code == 2 and "a machine is a .fst file" in err
