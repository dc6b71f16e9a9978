"""Scores of spellers are of the typos that they can reach."""

from __future__ import annotations

from speller_cases import TEST

from fstce import Speller
from fstce.speller.evaluation import speller_scores


def test_scores_are_of_reachable_typos(speller: Speller) -> None:
    """A right form that the lexicon lacks, or three edits away, is not reachable; no suggestion is a miss."""
    intended = TEST[0][1]
    pairs = [TEST[0], TEST[0], ("zzzz", "qqqqq"), (f"xxx{intended}", intended)]
    record = speller_scores(speller, pairs).record()
    assert (record["pairs"], record["reachable"], record["false_alarms"]) == (3, 1, 1)
    assert record["first"] <= record["among_five"] <= 1
    scores = speller_scores(speller, TEST)
    assert scores.among(1) == sum(row.suggested[:1] == (row.intended,) for row in scores.outcomes)
    assert sum(scores.kinds().values()) == len(scores.outcomes)
