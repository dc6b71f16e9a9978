"""`fstce machine inspect`."""

import pytest

from fstce import neighborhood
from fstce.machines.files import write_far, write_fst


@pytest.fixture
def lattice():
    return neighborhood("trans1")(["a", "delicate", "thing"]).to_fst()


def test_files_names_and_models_have_pages(fstce, tmp_path, lattice, model):
    write_fst(lattice, tmp_path / "x.fst")
    write_far({"1": lattice, "2": lattice}, tmp_path / "x.far")
    page = tmp_path / "page.html"
    for what, title in (
        ((tmp_path / "x.fst",), "x.fst"),
        ((tmp_path / "x.far", "--key", "2"), "x.far"),
        (("trans1", "a delicate thing"), "trans1: a delicate thing"),
        ((model, "the dog sleeps", "-n", "del1word"), "Tagger: the dog sleeps"),
        ((model,), "Tagger"),
    ):
        code, out, err = fstce("machine", "inspect", *what, "-o", page)
        assert (code, out) == (0, ""), err
        assert f"wrote {page}" in err
        assert f"<title>{title}</title>" in page.read_text()


def test_mistakes_are_told(fstce, tmp_path, lattice):
    write_far({"1": lattice, "2": lattice}, tmp_path / "x.far")
    page = ("-o", tmp_path / "page.html")
    for what, message in (
        ((tmp_path / "x.far",), "2 machines; say which, as "),
        (("nowhere.fst",), "no such file"),
        (("trans1", "a thing", "-n", "del1word"), "--neighborhood is for a model's folder"),
        (("trans1", "a thing", "--key", "1"), "--key is for a machine's file"),
        (("nosuchthing",), "nosuchthing"),
    ):
        code, out, err = fstce("machine", "inspect", *what, *page)
        assert (code, out) == (2, "") and message in err, err
    assert not (tmp_path / "page.html").exists()
    assert fstce("machine", "inspect", "trans1", "-o", tmp_path / "page.txt").code == 2
