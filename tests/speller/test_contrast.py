"""What typos teach a speller of the costs of errors, and what they leave as it was."""

from __future__ import annotations

from speller_cases import LEXICON, TEST, TRAINING

from fstce import Speller
from fstce.speller.evaluation import speller_scores


def test_it_learns_what_its_writers_confuse(speller: Speller) -> None:
    """Against itself with nothing learned but the prior: one typo of this language."""
    unlearnt = Speller().fit(TRAINING[:1], LEXICON)
    assert speller_scores(speller, TEST).among(1) > speller_scores(unlearnt, TEST).among(
        1
    ) + 0.1 * len(TEST)
    assert speller.errors_.cost("a", "á", 1) < speller.errors_.cost("e", "á", 1) - 1
    assert 0 <= speller.exponent_ < 2
    assert any(row.observed == "e" and row.intended == "ie" for row in speller.errors_.strings) or (
        speller.errors_.cost("", "i", 1) < 3
    )


def test_what_no_typo_shows_costs_as_the_prior_says() -> None:
    """No candidate of this typo lacks a letter; a missing one is not free for that."""
    speller = Speller().fit([("teh", "the")], ["the", "tea", "these"])
    assert speller.errors_.cost("", "s", 1) == 3.0
