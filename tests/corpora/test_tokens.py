"""Text to tokens and back."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora.conventions import Conventions
from fstce.corpora.tokens import Token, looks_tokenized, tokenize
from fstce.correction.decoding import Change
from fstce.correction.spacing import restore

LINES = st.one_of(st.text(max_size=40), st.text("aB.,;'`\"-( )\t n\n’", max_size=40))
WORDS = st.lists(st.sampled_from(["a", "Bc", ",", ".", "``", "''", "--", "n't", "-LRB-", "d-e"]), max_size=8)


def texts(line: str, **options: object) -> list[str]:
    return [token.text for token in tokenize(line, **options)]  # type: ignore[arg-type]


def rewritten(line: str, tokens: list[Token], words: list[str], split: bool | None = None) -> str:
    """The line with its tokens changed to these words, wherever they differ."""
    typed = tuple(token.text for token in tokens)
    return restore(line, tokens, [Change(0, len(typed), typed, tuple(words), 1.0)], split)


@given(LINES, st.sampled_from([None, True, False]))
def test_a_line_that_is_not_changed_is_the_same_line(line: str, split: bool | None) -> None:
    tokens = tokenize(line, split=split)
    assert rewritten(line, tokens, [token.text for token in tokens], split) == line


@given(LINES, st.sampled_from([None, True, False]))
def test_tokens_cover_all_but_white_space_in_order(line: str, split: bool | None) -> None:
    tokens = tokenize(line, split=split)
    assert all(line[start:end] == text and text for text, start, end in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    covered = "".join(text for text, _, _ in tokens)
    assert covered == "".join(line.split())


@given(WORDS, WORDS)
def test_a_tokenized_line_becomes_exactly_the_new_words(old: list[str], new: list[str]) -> None:
    line = " ".join(old)
    assert rewritten(line, tokenize(line, split=False), new, split=False).split() == new


@given(WORDS, WORDS)
def test_no_change_adds_or_leaves_double_spaces(old: list[str], new: list[str]) -> None:
    line = " ".join(old)
    changed = rewritten(line, tokenize(line, split=False), new, split=False)
    assert changed == " ".join(new)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("It isn't so, is it?", "It|is|n't|so|,|is|it|?"),
        ("They're John's.", "They|'re|John|'s|."),
        ("Don’t!", "Do|n’t|!"),
        ("the U.S. Treasury's $3,000.50 (5%)", "the|U.S.|Treasury|'s|$|3,000.50|(|5|%|)"),
        ("He left. She stayed.", "He|left|.|She|stayed|."),
        ("on Nov. 29 at Smith & Co.", "on|Nov.|29|at|Smith|&|Co|."),
        ("J. P. Morgan and AT&T", "J.|P.|Morgan|and|AT&T"),
        ("well--known 10-year-old state-of-the-art", "well|--|known|10-year-old|state-of-the-art"),
        ("see http://a.b/c?d, or me@x.org.", "see|http://a.b/c?d|,|or|me@x.org|."),
        ("“Yes” … ‘no’", "“|Yes|”|…|‘|no|’"),
        ("and so on... then", "and|so|on|...|then"),
        ("he said `` yes '' , did n't he .", "he|said|``|yes|''|,|did|n't|he|."),
        ("-LRB- Nov. 29 -RRB- , it 's said", "-LRB-|Nov.|29|-RRB-|,|it|'s|said"),
        ("", ""),
        (" \t ", ""),
    ],
)
def test_the_conventions(line: str, expected: str) -> None:
    assert "|".join(texts(line)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("हिन्दी में लिखा है।", "हिन्दी|में|लिखा|है|।"),
        ("le cafe\u0301, noir", "le|cafe\u0301|,|noir"),
        ("שָׁלוֹם עולם!", "שָׁלוֹם|עולם|!"),
        ('צה"ל אמר "כן".', 'צה"ל|אמר|"|כן|"|.'),
        ("தமிழ் மொழி.", "தமிழ்|மொழி|."),
        ("ọjọ\u0301 kan", "ọjọ\u0301|kan"),
        ("مرحبا، كيف الحال؟", "مرحبا|،|كيف|الحال|؟"),
        ("yes 👩\u200d👩\u200d👧 and 🇫🇷🇩🇪!", "yes|👩\u200d👩\u200d👧|and|🇫🇷|🇩🇪|!"),
        ("#hashtag by @me :-) <3", "#hashtag|by|@me|:-)|<3"),
        ("L'hôtel d’été", "L'hôtel|d’été"),
    ],
)
def test_letters_marks_and_emoji_of_all_scripts(line: str, expected: str) -> None:
    assert "|".join(texts(line)) == expected


FRENCH = Conventions(
    "ud", ("l'", "d'", "qu'", "amin'"), ("-il", "-t-il"), ("aujourd'hui", "d'abord"), hyphens=True
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("L'a-t-il dit d'abord?", "L'|a|-t-il|dit|d'abord|?"),
        ("Qu’il aille aujourd’hui", "Qu’|il|aille|aujourd’hui"),
        ("d'l'eau, amin' ny", "d'|l'|eau|,|amin'|ny"),
        ("Jean-Claude", "Jean-Claude"),
    ],
)
def test_beginnings_and_endings_are_cut_as_the_conventions_say(line: str, expected: str) -> None:
    assert [token.text for token in tokenize(line, conventions=FRENCH)] == expected.split("|")


def test_a_hyphen_stands_alone_where_the_conventions_say_so() -> None:
    found = tokenize("a state-of-the-art e-mail -", conventions=Conventions(hyphens=False, whole=("e-mail",)))
    assert [token.text for token in found] == ["a", "state", "-", "of", "-", "the", "-", "art", "e-mail", "-"]


@pytest.mark.parametrize("unit", ["\u0301", "a'", "a,", "a@", "#a", "n't", "a. ", "🇫", "1,", "www.", ":)"])
def test_a_hundred_thousand_characters_take_seconds(unit: str) -> None:
    line = "a" + unit * (100_000 // len(unit))
    started = time.process_time()
    assert tokenize(line, split=True)
    assert time.process_time() - started < 15


def test_a_known_word_keeps_its_full_stop_before_a_capital() -> None:
    assert texts("the Sask. River") == ["the", "Sask", ".", "River"]
    assert texts("the Sask. River", known={"Sask."}) == ["the", "Sask.", "River"]


@pytest.mark.parametrize(
    ("line", "words", "expected"),
    [
        ("Well then,  I wil go.", "Well , then I will go .", "Well, then  I will go."),
        ("teh\tcat\u00a0sat.\n", "the cat sat .", "the\tcat\u00a0sat.\n"),
        ("so it goes", "so it goes .", "so it goes."),
        ("so it goes\n", "so it goes .", "so it goes.\n"),
        ("so it goes", "( so ) it -- goes", "(so) it -- goes"),
        ("so it goes", "“ so ” it goes", "“so” it goes"),
        ("well, so (it) goes.", "well so it goes", "well so it goes"),
        (", so it goes", "so it goes", "so it goes"),
        (", , so", "so", "so"),
        ("one--two", "one two", "one two"),
        ("isn't", "is n't , so", "isn't, so"),
        ("yes no", "yes", "yes"),
        ("yes no", "oh yes no", "oh yes no"),
        ("yes; no", "yes , no", "yes, no"),
        ("", "so it goes", "so it goes"),
        ("a , b .", "a b , .", "a b , ."),
        ("a , b .", "a `` b .", "a `` b ."),
    ],
)
def test_changes_are_set_as_a_writer_would(line: str, words: str, expected: str) -> None:
    assert rewritten(line, tokenize(line), words.split()) == expected


@pytest.mark.parametrize(
    ("line", "tokenized"),
    [
        ("a , b", True),
        ("it 's", True),
        ("a, b", False),
        ("a b", False),
        ("a, b , c", False),
        ('a . "b', False),
    ],
)
def test_what_looks_tokenized(line: str, tokenized: bool) -> None:
    assert (looks_tokenized(line) is True) is tokenized


def test_a_very_long_line_takes_no_time() -> None:
    line = "x" * 10_000 + " " + "." * 10_000 + " " + "a." * 5_000 + " " + "a-" * 5_000
    tokens = tokenize(line)
    assert rewritten(line, tokens, [token.text for token in tokens]) == line


def test_two_words_that_were_one_leave_the_mark_behind_them_where_it_is() -> None:
    line = "We saw infact, and toaccept; maybe."
    words = ["We", "saw", "in", "fact", ",", "and", "to", "accept", ";", "maybe", "."]
    assert rewritten(line, tokenize(line), words) == "We saw in fact, and to accept; maybe."


def test_lines_without_a_telling_mark_say_nothing() -> None:
    lines = ("Well, then.", "no marks", "Vraiment ?")
    assert [looks_tokenized(line) for line in lines] == [False, None, None]
