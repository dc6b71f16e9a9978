"""`fstce neighborhood draw`."""

import shutil

import pytest

from fstce import neighborhood
from fstce.machines.drawing import to_dot


@pytest.fixture
def lattice():
    return neighborhood("trans1")(["a", "delicate", "thing"]).to_fst()


def test_dot_is_printed_by_default(fstce, lattice):
    assert fstce("neighborhood", "draw", "trans1", "a delicate thing") == (0, to_dot(lattice), "")


@pytest.mark.parametrize("suffix", [".svg", ".dot"])
def test_a_picture_is_written(fstce, tmp_path, suffix):
    path = tmp_path / f"x{suffix}"
    assert fstce("neighborhood", "draw", "del1word", "so it goes", "--output", path) == (
        0,
        "",
        f"wrote {path}\n",
    )
    assert "goes" in path.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")
@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_graphviz_draws(fstce, tmp_path, suffix, magic):
    path = tmp_path / f"x{suffix}"
    assert fstce("neighborhood", "draw", "del1word", "so it goes", "--output", path).code == 0
    assert path.read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trans1", "a b", "--symbols", "x.syms"], "No such option: --symbols"),
        (["x.fst", "a b"], "x.fst"),
        (["trans1", "a b", "--output", "x.gif"], "use .dot .svg .png .pdf"),
        (["trans1"], "the sentence is empty"),
    ],
)
def test_contradictions_are_named(fstce, arguments, message):
    code, out, err = fstce("neighborhood", "draw", *arguments)
    assert (code, out) == (2, "")
    assert message in err and len(err.splitlines()) == 1


def test_the_transducer_of_a_sentence_is_drawn(fstce) -> None:
    code, out, err = fstce("neighborhood", "draw", "trans1", "so it goes", "--transducer")
    assert code == 0, err
    fst = neighborhood("trans1").transducer(["so", "it", "goes"])
    assert out.count("->") == sum(map(fst.num_arcs, fst.states()))


def test_what_has_no_transducer_says_so(fstce) -> None:
    code, out, err = fstce("neighborhood", "draw", "half:first", "so it goes", "--transducer")
    assert (code, out) == (2, "") and "half:first has no transducer of its own" in err
