"""Words as integers."""

from __future__ import annotations

import pytest

from fstce.errors import MachineError
from fstce.machines import Symbols
from fstce.machines.symbols import FIRST_WORD_ID, RESERVED, UNKNOWN_ID


@pytest.mark.parametrize("word", RESERVED)
def test_a_reserved_symbol_is_no_word(word: str) -> None:
    with pytest.raises(MachineError, match="fstce reserves"):
        Symbols(["a", word])


@pytest.mark.parametrize("word", ["", "New York", "tab\tbed", "line\n", "\u00a0", "nul\0", None, 7])
def test_a_word_is_a_string_without_white_space(word: object) -> None:
    with pytest.raises(MachineError, match="cannot be a word"):
        Symbols([word])  # type: ignore[list-item]


def test_an_unknown_word_is_an_error_unless_allowed() -> None:
    symbols = Symbols(["a"])
    with pytest.raises(MachineError, match="the word 'b' is not in the alphabet of 1 words"):
        symbols.ids(["a", "b"])
    assert symbols.ids(["a", "b"], unknown=True).tolist() == [FIRST_WORD_ID, UNKNOWN_ID]


def test_repeated_words_count_once_in_order_of_first_mention() -> None:
    symbols = Symbols(["b", "a", "b"])
    assert list(symbols) == ["b", "a"]
    assert (len(symbols), list(symbols.labels)) == (2, [5, 6])
    assert "a" in symbols and "<s>" not in symbols


def test_the_table_spells_every_id() -> None:
    symbols = Symbols(["ä", "λ", "猫"])
    assert [symbol for _, symbol in symbols.table] == [*RESERVED, "ä", "λ", "猫"]
    assert [label for label, _ in symbols.table] == list(range(8))
    assert [symbols.word(label) for label in symbols.labels] == ["ä", "λ", "猫"]


def test_any_accepts_each_word_and_nothing_else() -> None:
    symbols = Symbols(["a", "b"])
    labels = [arc.ilabel for arc in symbols.any().arcs(0)]
    assert labels == list(symbols.labels)
    assert symbols.any().num_states() == 2


def test_the_alphabet_may_be_empty() -> None:
    assert len(Symbols([])) == 0
    assert not list(Symbols([]).any().paths().ostrings())


def test_a_label_of_a_reserved_symbol_or_a_word() -> None:
    symbols = Symbols(["a", "b"])
    assert [symbols.label(word) for word in (*RESERVED[:2], "b")] == [0, 1, FIRST_WORD_ID + 1]
