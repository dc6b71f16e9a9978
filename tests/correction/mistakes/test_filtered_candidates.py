"""Candidates that are left out before a lattice is built change no correction."""

from __future__ import annotations

import numpy as np
import pytest

from fstce.correction.corrector import Corrector
from fstce.correction.factors.columns import COLUMNS, Factors
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.corruption import corrupted, random_edits

LINES = [
    row.split()
    for row in (
        "the old man sat on a mat with the cat",
        "then the cat ran to the mat and sat there",
        "a man and a cat saw the old hat",
        "he had that hat on and so ran the man",
    )
]


def test_no_correction_is_lost() -> None:
    corrector = Corrector(criterion="none").fit(LINES * 30)
    observed = [
        row.observed for seed in range(12) for row in corrupted(LINES, random_edits(), seed, 0.3)
    ]
    whole = corrector.set_params(prune=0.0).predict(observed)
    sifted = corrector.set_params(prune=1e-3).predict(observed)
    assert whole == sifted and sum(list(a) != b for a, b in zip(observed, whole, strict=True)) > 5


def test_fewer_candidates_are_left_of_known_words() -> None:
    corrector = Corrector(criterion="none").fit(LINES * 30)
    sizes = [
        len(
            corrector.set_params(prune=prune)
            .neighborhood(weighted=True)
            .introduced(["cat", "mat", "hatt"])
        )
        for prune in (0.0, 1e-3, 0.5)
    ]
    assert sizes[0] >= sizes[1] >= sizes[2] >= 3


def test_the_log_ratio_of_two_words_is_that_of_the_unigrams_and_the_edit() -> None:
    counts = {"the": 99, "tea": 1}
    model = NgramModel([["the"] * 99, ["tea"]], order=1)
    exponents = np.linspace(0.5, 1.5, len(COLUMNS))
    weight = dict(zip(COLUMNS, exponents, strict=True))
    factors = Factors(None, model, None, counts.__contains__)
    found = Candidates(counts, 1, factors=factors, exponents=exponents, least=1e-9)
    own, other = model.log_probabilities(model.ids(["teh", "the"])[:, None])
    wanted = weight["ngrams"] * (other - own) + weight["unknown"]
    wanted -= weight["channel"] + weight["edited"]
    assert found.log_ratio("teh", "the") == pytest.approx(wanted)
    assert found.log_ratio("teh", "dog") is None and found.log_ratio("teh", "nowhere") is None


def test_a_missing_accent_weighs_what_its_exponent_says() -> None:
    counts = {"the": 99, "thé": 1}
    model = NgramModel([["the"] * 99, ["thé"]], order=1)
    exponents = np.linspace(0.5, 1.5, len(COLUMNS))
    weight = dict(zip(COLUMNS, exponents, strict=True))
    factors = Factors(None, model, None, counts.__contains__)
    options = {"factors": factors, "exponents": exponents, "least": 1e-9}
    candidates = Candidates(counts, 1, **options, accents=True)
    own, other = model.log_probabilities(model.ids(["the", "thé"])[:, None])
    ratio = weight["ngrams"] * (other - own)
    assert candidates.log_ratio("the", "thé") == pytest.approx(ratio - weight["accents"])
    assert candidates.log_ratio("thé", "the") == pytest.approx(
        -ratio - weight["channel"] - weight["edited"]
    )
