"""``fstce corrector evaluate``: what a corrector makes of typed text, against what was meant."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from fstce.console.options import AsJson, Corpus, FormatOption, Model, Words, helped, option
from fstce.console.output import note, percent, table
from fstce.console.parameters import Given, Parameters
from fstce.console.reading import reading
from fstce.console.texts import read
from fstce.correction.verbs.correct import CorrectorDecoding, loaded
from fstce.correction.verbs.train import rows_of
from fstce.errors import CorpusError, ParameterError

if TYPE_CHECKING:
    from fstce.evaluation.correction import CorrectionScores, PunctuationScores

MISTYPING = Parameters(
    "fstce.correction.corrector.Corrector",
    only=("mistakes", "rate", "seed"),
    helps={
        "mistakes": "Without --typed: random, keyboard, confusables, spaces, drop, lose, insert or "
        "swap; by default as in training.",
        "rate": "How many words or marks are mistyped.",
        "seed": "Seeds the mistakes.",
    },
)


@helped("""Score a corrector on clean text, mistyped by hand or on purpose.

Word errors before and after are Levenshtein's distance in words, in percent of the words
that were meant; a change is right if it is in the right place and to the right words; a
clean word is damaged if it is changed.

\b
Examples:
  fstce corrector evaluate model clean.txt
  fstce corrector evaluate model clean.txt --typed typed.txt --threshold 0.9
  fstce corrector evaluate model clean.txt --mistakes keyboard --json
""")
def evaluate(
    model: Model,
    corpus: Corpus,
    decoding: CorrectorDecoding,
    mistyping: Annotated[Given, MISTYPING],
    typed: Annotated[str | None, option("--typed FILE", "What was typed; CORPUS is what was meant.")] = None,
    words: Words = None,
    format: FormatOption = None,
    as_json: AsJson = False,
) -> None:
    from fstce.evaluation.correction import correction_scores, punctuation_scores

    if typed is not None and mistyping:
        raise ParameterError("--typed has mistakes of its own: leave --mistakes, --rate and --seed out")
    corrector: Any = loaded(model, decoding)
    reading().leave_words()  # as in training
    true = rows_of(read(corpus, format, words), corpus, format)
    rows = (
        _typed(typed, true, format, words) if typed is not None else _mistyped(corrector, true, **mistyping)
    )
    kept = [i for i, row in enumerate(rows) if row]
    rows, true = [rows[i] for i in kept], [true[i] for i in kept]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = corrector.correct(rows)
    corrected = [row.words for row in found]
    unchanged = sum(row.decoder == "unchanged" for row in found)
    scores, marks = correction_scores(rows, true, corrected), punctuation_scores(rows, true, corrected)
    if as_json:
        print(json.dumps(_record(len(rows), unchanged, scores, marks)))
        return
    _show(scores, marks)
    if unchanged:
        note(f"{unchanged:,} of {len(rows):,} sentences exceed a limit and were left unchanged")


def _typed(spec: str, true: Sequence[Any], format: FormatOption, words: int | None) -> list[list[str]]:
    """What was typed; raises CorpusError if it has another number of sentences."""
    rows = rows_of(read(spec, format), spec, format)
    if (len(rows) != len(true) and words is None) or len(rows) < len(true):
        raise CorpusError(f"{spec}: has {len(rows):,} sentences, but {len(true):,} were meant")
    return rows[: len(true)]


def _mistyped(
    corrector: Any,
    true: list[list[str]],
    mistakes: Sequence[str] | None = None,
    rate: float = 0.1,
    seed: int = 0,
) -> list[list[str]]:
    """The sentences with mistakes that are made on purpose, by default as in training."""
    from fstce.correction.mistakes.mistyping import mistyped
    from fstce.correction.mistakes.punctuation import english_marks

    kinds = getattr(corrector, "mistakes", None) if mistakes is None else mistakes
    if kinds is None:
        punctuation = getattr(corrector, "punctuation", 0)
        kinds = (*(["random"] if corrector.spell else []), *(["drop"] if punctuation else []))
    marks = getattr(corrector, "marks", None) or english_marks()
    return mistyped(true, kinds, marks, seed, rate)


def _show(scores: CorrectionScores, marks: PunctuationScores) -> None:
    errors = (scores.error_rate_before, scores.error_rate, scores.damage_rate)
    header = (f"% of {scores.words:,} words", "wrong before", "wrong after", "clean ones damaged")
    table(header, [("", *(f"{value:.2f}" for value in errors))], numbers=(1, 2, 3))
    print()
    sides = (("places", scores.detection), ("changes", scores.correction), ("of punctuation", marks.ratio))
    rows = [
        (name, *(percent(100 * value) for value in (side.precision, side.recall, side.f(1))))
        for name, side in sides
    ]
    table(("", "precision", "recall", "F1"), rows, numbers=(1, 2, 3))


def _record(
    sentences: int, unchanged: int, scores: CorrectionScores, marks: PunctuationScores
) -> Mapping[str, Any]:
    """All scores as JSON has them."""
    sides = {"places": scores.detection, "changes": scores.correction, "punctuation": marks.ratio}
    return {
        "sentences": sentences,
        "unchanged": unchanged,
        "words": scores.words,
        "word_errors": {"before": scores.error_rate_before, "after": scores.error_rate},
        "damaged": scores.damage_rate,
        **{
            name: {"precision": side.precision, "recall": side.recall, "f1": side.f(1)}
            for name, side in sides.items()
        },
    }
