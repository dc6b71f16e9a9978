"""What is worth asking a speaker for: expected errors, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce import TagDictionary, Tagger, TaggerProduct, read_corpus
from fstce.corpora import sample
from fstce.errors import ParameterError
from fstce.tagging.questions import questions, suggest_sentences

TEXT = [s.words for s in sample()[:40]]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    listed = {w: ("A", "B") if len(w) % 2 else "A" for row in TEXT[:10] for w in row}
    return Tagger("trans1", order=2, max_iterations=8).fit(TEXT, dictionary=listed)


def by_hand(tagger: Tagger) -> dict[str, list[float]]:
    """1 − max P of the tokens of each word, but for punctuation of one tag, in any capitals."""
    doubts: dict[str, list[float]] = {}
    for row, table in zip(TEXT, tagger.predict_proba(TEXT), strict=True):
        for word, posterior in zip(row, table.tolist(), strict=True):
            if len(tagger.dictionary_.lookup(word)) > 1 or any(map(str.isalpha, word)):
                doubts.setdefault(word.casefold(), []).append(1 - max(posterior))
    return doubts


def test_words_are_worth_tokens_and_doubt(tagger: Tagger) -> None:
    doubts, found = by_hand(tagger), tagger.questions(TEXT, 10_000)
    assert {q.word.casefold() for q in found} == set(doubts)
    worth = [len(row) + sum(row) for row in (doubts[q.word.casefold()] for q in found)]
    assert worth == pytest.approx(sorted(worth, reverse=True))
    for question in found:
        assert question.count == len(doubts[question.word.casefold()])
        allowed = tagger.dictionary_.lookup(question.word)
        if question.word in tagger.dictionary_:
            assert sorted(question.tags) == sorted(allowed)
        assert 1 <= len(question.tags) <= len(allowed)
        assert 1 <= len(question.places) == len(set(question.places)) <= 3
        assert all(
            TEXT[row][i].casefold() == question.word.casefold() for row, i in question.places
        )
    assert tagger.questions(TEXT, 3) == found[:3]


def test_of_places_as_sure_the_first_are_shown() -> None:
    """Posteriors of a word's only tag differ in their last digits, and with these the places did."""
    text = [s.words for s in sample()[:300]]
    listed = {word: "A" if len(word) % 2 else ("A", "B") for row in text for word in row}
    tagger = Tagger("trans1", order=2, max_iterations=5).fit(text, dictionary=listed)
    certain = [q for q in tagger.questions(text, 100) if len(q.tags) == 1]
    assert len(certain) > 5
    for question in certain:
        places = [
            (row, i)
            for row, words in enumerate(text)
            for i, word in enumerate(words)
            if word.casefold() == question.word.casefold()
        ]
        assert list(question.places) == places[: len(question.places)], question.word


def test_the_tag_that_is_expected_most_often_comes_first(tagger: Tagger) -> None:
    tables = tagger.predict_proba(TEXT)
    for question in tagger.questions(TEXT, 5):
        posteriors = [
            table[i]
            for row, table in zip(TEXT, tables, strict=True)
            for i, word in enumerate(row)
            if word.casefold() == question.word.casefold()
        ]
        expected = {
            tag: sum(p[tagger.tags_.index(tag)] for p in posteriors) for tag in question.tags
        }
        assert list(expected.values()) == sorted(expected.values(), reverse=True)


def test_words_that_differ_in_capitals_are_one_question_if_it_covers_all_tags() -> None:
    text = [["The", "saw"], ["the", "saw"], ["the", "Saw"], ["May", "the"]]
    listed = {
        "The": ("D", "N"),
        "the": ("D", "N"),
        "saw": ("N", "V"),
        "Saw": ("N", "P"),
        "May": "N",
    }
    found = Tagger("trans1", order=1).fit(text, dictionary=listed).questions(text)
    counts = {question.word: question.count for question in found}
    assert counts == {"the": 4, "saw": 2, "Saw": 1, "May": 1}


def test_what_is_answered_is_not_asked_for(tagger: Tagger) -> None:
    first, *others = tagger.questions(TEXT, 5)
    assert questions(tagger, TEXT, 4, [first.word.upper()]) == others
    assert questions(tagger, TEXT, answered=[w for row in TEXT for w in row]) == []
    counted = TagDictionary({"a": ("X", "Y"), "b": ("X", "Y")}, counts={"a": {"X": 3, "Y": 1}})
    text = [["a", "b"]]
    assert [
        question.word for question in Tagger(order=1).fit(text, dictionary=counted).questions(text)
    ] == ["b"]
    answered = Tagger(order=1).fit(text, dictionary=counted, answers={"b": ("Y", "X")})
    assert answered.questions(text) == []


def test_sentences_are_worth_errors_a_word(tagger: Tagger) -> None:
    found = suggest_sentences(tagger, TEXT, len(TEXT))
    errors = [sum(1 - max(p) for p in table.tolist()) for table in tagger.predict_proba(TEXT)]
    assert [s.errors for s in found] == pytest.approx([errors[s.sentence] for s in found])
    rates = [s.errors / len(TEXT[s.sentence]) for s in found]
    assert rates == sorted(rates, reverse=True)
    decoded = Tagger(**{**tagger.get_params(), "decoder": "posterior"})
    decoded._adopt(tagger.weighted_)
    assert [list(s.tags) for s in found] == decoded.predict([TEXT[s.sentence] for s in found])


def test_products_ask_too(tagger: Tagger) -> None:
    assert questions(TaggerProduct([tagger, tagger]), TEXT, 2)


def test_wrong_numbers(tagger: Tagger) -> None:
    with pytest.raises(ParameterError, match="number=0"):
        tagger.questions(TEXT, 0)
    with pytest.raises(ParameterError, match="n=0"):
        suggest_sentences(tagger, TEXT, 0)


def test_of_unknown_words_likely_tags_are_offered() -> None:
    text = [["the", noun, "was"] for noun in ("cat", "dog", "wug")] * 9
    listed = TagDictionary(
        {"the": "D", "was": "V", "cat": "N", "dog": "N", "a": "D", "ran": "V"},
        open_class=["D", "N", "V"],
    )
    tagger = Tagger(order=2, unknown_word_model=False).fit(text, dictionary=listed)
    tags_of_word = {question.word: question.tags for question in tagger.questions(text)}
    assert tags_of_word["wug"] == ("N",)


def test_frequent_words_of_one_tag_are_asked_before_rare_doubts() -> None:
    """A dictionary's one tag may not be the text's, and fifty such words were worth ten points."""
    text = [["so", "the", "dog"], ["so", "a", "cat"]] * 9 + [["so", "fish"], ["so", "swim"]] * 2
    listed = {"so": "ADV", "fish": ("N", "V"), "swim": ("N", "V"), "the": "D", "a": "D"}
    tagger = Tagger("trans1", order=2).fit(text, dictionary={**listed, "dog": "N", "cat": "N"})
    assert [question.word for question in tagger.questions(text, 3)] == ["so", "a", "cat"]


def test_tokens_to_which_a_stream_gives_one_reading_are_not_worth_an_answer(tmp_path: Path) -> None:
    """No answer changes them: a word that has nothing else is not asked for."""
    sure, so, end = "^dog/dog<n>$", "^so/so<adv>$", "^./.<sent>$[]\n"
    rows = [so, so, "^dog/dog<n>/dog<vblex>$", end, so, "^wug/*wug$", end, *(so, sure, end) * 3]
    path = tmp_path / "stream"
    path.write_text(" ".join(rows), encoding="utf-8")
    text = list(read_corpus(path))
    found = Tagger(order=1).fit(text).questions(text)
    counts = {question.word: question.count for question in found}
    assert counts == {"dog": 4, "wug": 1}
