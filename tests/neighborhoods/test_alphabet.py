"""The words of a sentence as a builder sees them."""

from __future__ import annotations

from fstce.neighborhoods.alphabet import Alphabet


def test_an_alphabet_names_words_that_no_any_stands_for() -> None:
    alphabet = Alphabet(["b", "a", "b"], ["z", "a"])
    assert (list(alphabet), len(alphabet), list(alphabet.labels)) == (["b", "a"], 2, [5, 6])
    assert alphabet.ids(["z", "a"]).tolist() == [7, 6]
    assert "z" in alphabet
    assert [arc.ilabel for arc in alphabet.any().arcs(0)] == [5, 6]
