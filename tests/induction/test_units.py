"""Numbers of words and classes."""

from fstce.induction.text import FIRST_WORD, UNKNOWN, Units

TEXT = [["The", "dog", "and", "the", "cat"], ["a", "dog"]]


def test_the_most_frequent_words_come_first_and_equals_by_spelling():
    assert Units.of_text(TEXT).words == ("dog", "the", "a", "and", "cat")


def test_numbers_and_names_are_inverse():
    units = Units.of_text(TEXT)
    assert [units.name(number) for number in units.numbers(units.words)] == list(units.words)
    assert [units.name(number) for number in range(FIRST_WORD)] == ["<s>", "</s>", "<unk>"]
    assert [units.name(units.first_class + i) for i in (0, 11)] == ["C1", "C12"]


def test_unknown_words_and_case():
    units = Units.of_text(TEXT)
    assert units.numbers(["DOG", "horse"]).tolist() == [FIRST_WORD, UNKNOWN]
    assert units.numbers([]).tolist() == []
