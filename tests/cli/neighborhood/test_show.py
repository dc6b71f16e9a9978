"""`fstce neighborhood`."""

from pathlib import Path

import pynini

from fstce import neighborhood
from fstce.machines import Symbols, write_fst
from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary


def test_strings_go_to_output_and_sizes_to_errors(fstce):
    code, out, err = fstce("neighborhood", "show", "trans1", "natural language is fun")
    expected = {
        " ".join(words)
        for words in neighborhood("trans1")(["natural", "language", "is", "fun"]).strings()
    }
    assert code == 0
    assert set(out.splitlines()) == expected and len(out.splitlines()) == len(expected) == 4
    assert err.startswith("4 strings; the lattice has 9 states and 11 arcs")


def test_quotes_are_optional(fstce):
    assert (
        fstce("neighborhood", "show", "del1word", "a", "b").out
        == fstce("neighborhood", "show", "del1word", "a b").out
    )


def test_a_long_list_says_how_many_more(fstce):
    _, out, err = fstce("neighborhood", "show", "length", "a b c d", "--list", "10")
    assert len(out.splitlines()) == 10
    assert err.splitlines()[0].startswith("256 strings")
    assert err.splitlines()[1] == "… and 246 more; see --list"


def test_fifty_are_shown_by_default(fstce):
    assert len(fstce("neighborhood", "show", "length", "a b c d").out.splitlines()) == 50


def test_count_prints_the_number_alone(fstce):
    assert fstce("neighborhood", "show", "DEL1SUBSEQ", "a b c d e f", "--count") == (0, "21\n", "")


def test_without_a_name_the_known_are_listed(fstce):
    code, out, _ = fstce("neighborhood", "show")
    rows = [line.split(maxsplit=1) for line in out.splitlines()]
    assert code == 0
    shipped = sorted([*names(), *names_over_vocabulary()])
    assert [row[0] for row in rows[1:]] == [*shipped, *direct_names()]
    assert all(len(row[1]) > 10 for row in rows[1:])
    assert len({row[1] for row in rows[1:]}) == len(rows) - 1


def test_words_of_the_sample_stand_in_for_a_vocabulary(fstce, tmp_path):
    code, out, err = fstce("neighborhood", "show", "sub1band", "it moves")
    assert code == 0
    assert set(out.splitlines()) >= {"it moves", "in moves"}
    assert err.splitlines()[0] == (
        "the vocabulary of sub1band is here the bundled sample's; name yours: sub1band(words.tsv)"
    )
    (tmp_path / "words.tsv").write_text("moving\t3\nmoves\t2\n")
    code, out, err = fstce(
        "neighborhood", "show", f"sub1band({tmp_path / 'words.tsv'})", "it moves"
    )
    assert sorted(out.splitlines()) == ["it moves", "it moving"]
    assert "sample" not in err


def test_a_sentence_that_is_its_only_neighbour_is_said(fstce):
    code, out, err = fstce("neighborhood", "show", "sub1band", "zz")
    assert (code, out) == (0, "zz\n")
    assert "sub1band exchanges no word of this sentence: it is its only neighbor" in err


def test_weights_of_a_compiled_machine(fstce, tmp_path: Path) -> None:
    symbols = Symbols(["so", "it", "goes"])
    copy = pynini.closure(symbols.any())
    fst = (
        copy
        + pynini.closure(pynini.cross(symbols.any(), "") + pynini.accep("", weight=1), 0, 1)
        + copy
    )
    fst.set_input_symbols(symbols.table)
    fst.set_output_symbols(symbols.table)
    write_fst(fst, tmp_path / "x.fst")
    assert "--weighted" in fstce("neighborhood", "show", tmp_path / "x.fst", "so it goes").err
    code, out, _ = fstce("neighborhood", "show", tmp_path / "x.fst", "so it goes", "--weighted")
    assert code == 0 and len(out.splitlines()) == 4
