"""``fstce corrector evaluate``: scores of a corrector, against what was intended."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Annotated, Any

from fstce.console.options import AsJson, Corpus, Model, Words, helped, option
from fstce.console.output import note, report
from fstce.console.reading import reading
from fstce.console.texts import read
from fstce.correction.verbs.correct import CorrectorDecoding, loaded
from fstce.correction.verbs.train import rows_of
from fstce.errors import CorpusError
from fstce.evaluation.correction import correction_scores


@helped("""Score a corrector on clean text, given it with its mistakes, or as it is.

Word errors before and after are Levenshtein's distance in words, in percent of the words
that were intended; a change is right if it is in the right place and to the right words; a
clean word is damaged if it is changed.

\b
Examples:
  fstce corrector evaluate model clean.txt
  fstce corrector evaluate model clean.txt --observed bad.txt --threshold 0.9
  fstce corrector evaluate model clean.txt --observed bad.txt --json
""")
def evaluate(
    model: Model,
    corpus: Corpus,
    decoding: CorrectorDecoding,
    observed: Annotated[
        str | None,
        option("--observed FILE", "CORPUS with its mistakes.  [default: it has none]"),
    ] = None,
    words: Words = None,
    as_json: AsJson = False,
) -> None:
    corrector: Any = loaded(model, decoding)
    reading().leave_words()  # as in training
    true = rows_of(read(corpus, words), corpus)
    rows = true if observed is None else _observed(observed, true, words)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        corrections = corrector.correct(rows)

    corrected = [correction.words for correction in corrections]
    unchanged = sum(correction.decoder == "unchanged" for correction in corrections)
    scores = correction_scores(rows, true, corrected)
    changes = scores.correction
    percent = {
        "wrong before": scores.error_rate_before,
        "wrong after": scores.error_rate,
        "clean ones damaged": scores.damage_rate,
        "precision": 100 * changes.precision,
        "recall": 100 * changes.recall,
        "F1": 100 * changes.f(1),
    }

    header = (f"% of {scores.words:,} words", *percent)
    cells = ("", *(f"{value:.2f}" for value in percent.values()))
    record = {"sentences": len(rows), "unchanged": unchanged, "words": scores.words, **percent}
    report(as_json, record, (header, [cells], range(1, len(header))))
    if unchanged and not as_json:
        note(f"{unchanged:,} of {len(rows):,} sentences exceed a limit and were left unchanged")


def _observed(spec: str, true: Sequence[Any], words: int | None) -> list[list[str]]:
    """The observed sentences; raises CorpusError if their number is another."""
    rows = rows_of(read(spec), spec)
    if (len(rows) != len(true) and words is None) or len(rows) < len(true):
        raise CorpusError(
            f"{spec}: has {len(rows):,} sentences, but the intended text {len(true):,}"
        )
    return rows[: len(true)]
