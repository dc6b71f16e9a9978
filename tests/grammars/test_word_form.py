"""`grammars/word_form.py`: what the form of a word says."""

import pytest

from fstce.grammars import word_form


@pytest.mark.parametrize(
    ("word", "signs"),
    [
        ("Paris", {"capital"}),
        ("USA", {"capital", "capitals"}),
        ("I", {"capital"}),
        ("1990s", {"digit"}),
        ("--", {"hyphen", "no-letter"}),
        ("हिन्दी", set()),
        ("B-52", {"capital", "capitals", "digit", "hyphen"}),
    ],
)
def test_signs(word, signs):
    assert {name for name in word_form.build(word) if "=" not in name} == signs


def test_affixes_are_those_of_both_ends_up_to_five():
    names = word_form.build("walking")
    assert {n for n in names if n.startswith("suffix")} == {
        "suffix=g",
        "suffix=ng",
        "suffix=ing",
        "suffix=king",
        "suffix=lking",
    }
    assert sum(name.startswith("prefix") for name in names) == 5
    assert "length=7" in names and "length=8" in word_form.build("incomprehensible")


def test_a_short_word_has_its_own_affixes_only():
    assert [n for n in word_form.build("a") if "fix" in n] == ["prefix=a", "suffix=a"]
