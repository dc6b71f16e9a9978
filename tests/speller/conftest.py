"""A speller that its tests share."""

from __future__ import annotations

import pytest
from speller_cases import LEXICON, TRAINING

from fstce import Speller


@pytest.fixture(scope="session")
def speller() -> Speller:
    return Speller().fit(TRAINING, LEXICON)
