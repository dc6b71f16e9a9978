"""What is worth annotating: expected errors, counted by hand."""

from __future__ import annotations

import pytest

from fstce import Tagger, TaggerProduct
from fstce.corpora import sample
from fstce.errors import ParameterError
from fstce.tagging.suggest import suggest_sentences, suggest_words

TEXT = [s.words for s in sample()[:40]]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    listed = {w: ("A", "B") if len(w) % 2 else "A" for row in TEXT[:10] for w in row}
    return Tagger("trans1", order=2, max_iterations=8).fit(TEXT, dictionary=listed)


def by_hand(tagger: Tagger) -> dict[str, list[tuple[float, int]]]:
    """1 − max P of each unlisted word's tokens, and their sentences."""
    found: dict[str, list[tuple[float, int]]] = {}
    for i, (row, table) in enumerate(zip(TEXT, tagger.predict_proba(TEXT), strict=True)):
        for word, posterior in zip(row, table.tolist(), strict=True):
            if word not in tagger.dictionary_:
                found.setdefault(word, []).append((1 - max(posterior), i))
    return found


def test_words_are_worth_the_errors_that_are_expected(tagger: Tagger) -> None:
    expected, found = by_hand(tagger), suggest_words(tagger, TEXT, 10_000)
    assert {s.word for s in found} == set(expected)
    for one in found:
        doubts = expected[one.word]
        assert one.tokens == len(doubts)
        assert one.errors == pytest.approx(sum(doubt for doubt, _ in doubts))
        assert max(d for d, i in doubts if i == one.sentence) == pytest.approx(max(doubts)[0])
        assert set(one.tags) <= {"A", "B"} and one.tags
    assert [s.errors for s in found] == sorted((s.errors for s in found), reverse=True)
    assert suggest_words(tagger, TEXT, 3) == found[:3]


def test_words_that_are_known_by_now_are_left_out(tagger: Tagger) -> None:
    first, *others = suggest_words(tagger, TEXT, 5)
    assert suggest_words(tagger, TEXT, 4, known=[first.word]) == others
    assert suggest_words(tagger, TEXT, known=[w for row in TEXT for w in row]) == []


def test_sentences_are_worth_errors_a_word(tagger: Tagger) -> None:
    found = suggest_sentences(tagger, TEXT, len(TEXT))
    errors = [sum(1 - max(p) for p in table.tolist()) for table in tagger.predict_proba(TEXT)]
    assert [s.errors for s in found] == pytest.approx([errors[s.sentence] for s in found])
    rates = [s.errors / len(TEXT[s.sentence]) for s in found]
    assert rates == sorted(rates, reverse=True)
    decoded = Tagger(**{**tagger.get_params(), "decoder": "posterior"})
    decoded._adopt(tagger.weighted_)
    assert [list(s.tags) for s in found] == decoded.predict([TEXT[s.sentence] for s in found])


def test_products_suggest_too(tagger: Tagger) -> None:
    assert suggest_words(TaggerProduct([tagger, tagger]), TEXT, 2)


@pytest.mark.parametrize("suggest", [suggest_words, suggest_sentences])
def test_wrong_numbers(suggest, tagger: Tagger) -> None:
    with pytest.raises(ParameterError, match="n=0"):
        suggest(tagger, TEXT, 0)
