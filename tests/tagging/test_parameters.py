"""What the parameters of taggers may be: others are named, with what to choose."""

from __future__ import annotations

import re

import pytest
from tagging_cases import CORPUS, DICTIONARY

from fstce import Tagger
from fstce.errors import NeighborhoodError, ParameterError

TEXT = [["the", "dog", "runs"], ["a", "cat", "sees"]]
GOLD = [["D", "N", "V"], ["D", "N", "V"]]


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"order": 4}, ParameterError, "order=4: give a whole number from 1 to 3"),
        ({"start": "best"}, ParameterError, "start='best': choose one of uniform, random"),
        ({"decoder": "mbr"}, ParameterError, "decoder='mbr': choose one of viterbi, posterior"),
        ({"sigma2": 0}, ParameterError, "sigma2=0: give a number above 0"),
        ({"sigma2": -1.0}, ParameterError, "sigma2=-1.0: give a number above 0"),
        ({"tolerance": -1}, ParameterError, "tolerance"),
        ({"max_iterations": 0}, ParameterError, "max_iterations"),
        (
            {"neighborhood": "tran1"},
            NeighborhoodError,
            "unknown neighborhood 'tran1'; did you mean 'trans1'?",
        ),
    ],
)
def test_bad_parameters_are_named(parameters, error, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Tagger(**{"order": 2, **parameters}, unknown_word_model=False).fit(
            CORPUS, dictionary=DICTIONARY
        )


@pytest.mark.parametrize(
    ("name", "value"), [("seed", -1), ("max_iterations", 2.5), ("jobs", "x"), ("sigma2", "x")]
)
def test_parameters_of_a_wrong_kind_are_named(name: str, value: object) -> None:
    tagger = Tagger(unknown_word_model=False).set_params(**{name: value})
    with pytest.raises(ParameterError, match=f"{name}={value!r}"):
        tagger.fit([["a"]], dictionary={"a": "A"})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"features": ("context",)}, "features of the context: .* choose criterion='conditional'"),
        (
            {"features": ("form",), "criterion": "em"},
            "an HMM .* has no features of spelling or of tokens",
        ),
        (
            {"gazetteer": {"a": "b"}, "criterion": "joint"},
            "an HMM .* has no features of spelling or of tokens",
        ),
        ({"features": ("shape",)}, "features=.*each one of form, context"),
    ],
)
def test_what_does_not_go_together_is_named(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Tagger(**parameters).fit(TEXT, GOLD)


def test_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(ParameterError, match="keys among ngram, word, spelling"):
        Tagger(sigma2={"suffix": 1.0}).fit(CORPUS, dictionary=DICTIONARY)
