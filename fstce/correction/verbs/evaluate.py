"""``fstce corrector evaluate``: scores of a corrector, against what was intended."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Annotated, Any

from fstce.console.options import AsJson, Corpus, Model, Words, helped, option
from fstce.console.output import note, report
from fstce.console.parameters import Given, Parameters
from fstce.console.reading import reading
from fstce.console.texts import read
from fstce.correction.synthetic_errors import mistyped
from fstce.correction.verbs.correct import CorrectorDecoding, loaded
from fstce.correction.verbs.train import rows_of
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation.correction import (
    CorrectionScores,
    Ratio,
    correction_scores,
    punctuation_scores,
)
from fstce.transducers.punc import english_marks

MISTYPING = Parameters(
    "fstce.correction.corrector.Corrector",
    only=("mistakes", "rate", "seed"),
    helps={
        "mistakes": "Without --observed: random, keyboard, confusables, spaces or drop; by "
        "default as in training.",
        "rate": "How many words or marks are mistyped.",
        "seed": "Seeds the mistakes.",
    },
)


@helped("""Score a corrector on clean text, mistyped by hand or on purpose.

Word errors before and after are Levenshtein's distance in words, in percent of the words
that were intended; a change is right if it is in the right place and to the right words; a
clean word is damaged if it is changed.

\b
Examples:
  fstce corrector evaluate model clean.txt
  fstce corrector evaluate model clean.txt --observed bad.txt --threshold 0.9
  fstce corrector evaluate model clean.txt --mistakes keyboard --json
""")
def evaluate(
    model: Model,
    corpus: Corpus,
    decoding: CorrectorDecoding,
    mistyping: Annotated[Given, MISTYPING],
    observed: Annotated[str | None, option("--observed FILE", "CORPUS with its mistakes.")] = None,
    words: Words = None,
    as_json: AsJson = False,
) -> None:
    if observed is not None and mistyping:
        raise ParameterError(
            "--observed has mistakes of its own: leave --mistakes, --rate and --seed out"
        )
    corrector: Any = loaded(model, decoding)
    reading().leave_words()  # as in training
    true = rows_of(read(corpus, words), corpus)
    if observed is None:
        rows = _mistyped(corrector, true, **mistyping)
    else:
        rows = _observed(observed, true, words)

    true = list(compress(true, rows))
    rows = list(filter(None, rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        corrections = corrector.correct(rows)

    corrected = [correction.words for correction in corrections]
    unchanged = sum(correction.decoder == "unchanged" for correction in corrections)
    scores = correction_scores(rows, true, corrected)
    shares = {
        "places": scores.detection,
        "changes": scores.correction,
        "punctuation": punctuation_scores(rows, true, corrected),
    }
    report(as_json, _record(len(rows), unchanged, scores, shares), *_tables(scores, shares))
    if unchanged and not as_json:
        note(f"{unchanged:,} of {len(rows):,} sentences exceed a limit and were left unchanged")


def _record(
    sentences: int, unchanged: int, scores: CorrectionScores, shares: Mapping[str, Ratio]
) -> dict[str, Any]:
    """The scores as JSON has them."""
    record: dict[str, Any] = {
        "sentences": sentences,
        "unchanged": unchanged,
        "words": scores.words,
        "word_errors": {"before": scores.error_rate_before, "after": scores.error_rate},
        "damaged": scores.damage_rate,
    }
    for name, ratio in shares.items():
        record[name] = {"precision": ratio.precision, "recall": ratio.recall, "f1": ratio.f(1)}
    return record


def _tables(scores: CorrectionScores, shares: Mapping[str, Ratio]) -> tuple[Any, Any]:
    """The tables of rates and shares, in percent."""
    rates = (scores.error_rate_before, scores.error_rate, scores.damage_rate)
    header = (f"% of {scores.words:,} words", "wrong before", "wrong after", "clean ones damaged")
    table = (header, [("", *(f"{rate:.2f}" for rate in rates))], (1, 2, 3))

    rows = []
    for name, ratio in shares.items():
        title = "of punctuation" if name == "punctuation" else name
        rows.append((title, 100 * ratio.precision, 100 * ratio.recall, 100 * ratio.f(1)))
    return table, (("", "precision", "recall", "F1"), rows)


def _observed(spec: str, true: Sequence[Any], words: int | None) -> list[list[str]]:
    """The observed sentences; raises CorpusError if their number is another."""
    rows = rows_of(read(spec), spec)
    if (len(rows) != len(true) and words is None) or len(rows) < len(true):
        raise CorpusError(
            f"{spec}: has {len(rows):,} sentences, but the intended text {len(true):,}"
        )
    return rows[: len(true)]


def _mistyped(
    corrector: Any,
    true: list[list[str]],
    mistakes: Sequence[str] | None = None,
    rate: float = 0.1,
    seed: int = 0,
) -> list[list[str]]:
    """The sentences with mistakes that are made on purpose, by default as in training."""
    kinds = mistakes or getattr(corrector, "mistakes", None)
    if kinds is None:
        kinds = ["random" if corrector.spell else "drop"]
    marks = getattr(corrector, "marks", None) or english_marks()
    return mistyped(true, kinds, marks, seed, rate)
