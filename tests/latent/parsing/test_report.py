"""Reports name the sentences that got no parse of their own."""

from __future__ import annotations

import warnings

import pytest

from fstce.latent.parsing.coarse_to_fine import ParseReport, ParseWarning


def test_warnings_count_and_name_sentences() -> None:
    with pytest.warns(ParseWarning) as caught:
        ParseReport(30, flat=[3], long=list(range(10, 17))).warn()
    said = [str(warning.message) for warning in caught]
    assert said[0].startswith("1 sentence(s) (3): no parse")
    assert said[1].startswith("7 sentence(s) (10, 11, 12, 13, 14, …): longer")


def test_sentences_that_have_a_parse_are_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ParseReport(5, retried=[1]).warn()
