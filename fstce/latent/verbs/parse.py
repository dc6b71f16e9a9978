"""``fstce latent parse`` and ``evaluate``.

Trees of a latent grammar or a product, and EVALB's figures.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fstce.console.applying import Answered, Applying
from fstce.console.models import load
from fstce.console.options import AsJson, Corpus, Model, argument, helped, option
from fstce.console.output import count, note, percent, remark, report
from fstce.console.phrases import (
    PhraseOutput,
    paired,
    phrase_text,
    read_parsed,
    read_trees,
    trees_of,
    write_phrases,
)
from fstce.corpora import Sentence, Tree
from fstce.corpora.words import with_brackets_named
from fstce.errors import CorpusError
from fstce.evaluation import bootstrap, evalb_scores
from fstce.evaluation.bracket_scores import BracketCounts, BracketScores
from fstce.evaluation.evalb import EvalbParameters
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.product import GrammarProduct


@helped("""Parse a text into phrases with a latent grammar or a product of some.

One sentence a line. The brackets of a text are written as -LRB- and -RRB-, and a
sentence of more than 200 words is given a flat tree.

\b
Examples:
  echo "The old clock stopped ." | fstce latent parse model
  fstce latent parse model text.txt --output-format text
""")
def parse(model: Model, applying: Applying, output_format: PhraseOutput = "penn") -> None:
    parser = load(model, "latent")
    write = partial(phrase_text, output_format)
    write_phrases(partial(_parsed, parser, write=write), applying)


_OUTCOMES = {
    "retried": "with less pruning",
    "flat": "without a parse: given a flat tree",
    "long": "longer than the limit: given a flat tree",
}


def _parsed(
    parser: LatentGrammar | GrammarProduct, sentences: list[Sentence], write: Callable[[Tree], str]
) -> list[Answered]:
    """Each sentence's tree, and how it fared."""
    words = [list(map(with_brackets_named, sentence.words)) for sentence in sentences]
    return [
        Answered(write(tree), message, fates)
        for tree, message, fates in _predicted(parser, words, sentences)
    ]


def _predicted(
    parser: LatentGrammar | GrammarProduct,
    words: Sequence[Sequence[str]],
    sentences: Sequence[Sentence],
) -> Iterator[tuple[Tree, str, list[str]]]:
    """For each sentence its tree, a message where it got no parse of its own, and how it fared."""
    with warnings.catch_warnings():
        # What they say is reported with file and line.
        warnings.simplefilter("ignore")
        trees = parser.predict(words)

    for number, (tree, sentence) in enumerate(zip(trees, sentences, strict=True), 1):
        report = parser.report_
        fates = [fate for name, fate in _OUTCOMES.items() if number in getattr(report, name)]
        message = ""
        if fates and fates != [_OUTCOMES["retried"]]:
            message = f"{sentence.source}: {fates[0]}"
        yield tree, message, fates


_ROWS = (
    ("labeled precision", "precision"),
    ("labeled recall", "recall"),
    ("labeled F1", "f1"),
    ("exact match", "exact"),
    ("unlabeled F1", "unlabelled.f1"),
    ("average crossing", "average_crossing"),
    ("no crossing", "without_crossing"),
    ("two or less crossing", "two_or_less_crossing"),
    ("tagging accuracy", "tagging_accuracy"),
)


@helped("""Score a latent grammar, or trees in a file, on a treebank.

A grammar sees words alone. EVALB's figures with intervals, for sentences of at most
--max-length words and for all. In a file of trees a line that is empty, (()) or (TOP) is a sentence
without a parse, which is skipped; one whose words are not those of the treebank, or whose tags
delete other words (punctuation), is an error: both are counted and left out, and errors are named.
Of a grammar's own trees the gold tags say what punctuation is, and no sentence is left out.

\b
Examples:
  fstce latent evaluate model test.mrg
  fstce latent evaluate parsed.mrg test.mrg --json
  fstce latent evaluate parsed.mrg test.mrg --parameters new.prm
""")
def evaluate(
    model: Annotated[Path, argument("MODEL", "The folder of a model, or a file of its trees.")],
    corpus: Corpus,
    max_length: Annotated[
        int, option("--max-length N", "The most words of a sentence of the first scores.", min=1)
    ] = 40,
    parameters: Annotated[
        Path | None,
        option("--parameters FILE", "EVALB's parameters (.prm); by default those of COLLINS.prm."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    sentences = read_trees(corpus)
    chosen = None if parameters is None else EvalbParameters.read(parameters)
    if not model.is_file():
        parsed = []
        for tree, message, _ in _predicted(load(model, "latent"), sentences, sentences):
            parsed.append(tree)
            if message:
                note(message)
        scores = evalb_scores(trees_of(sentences), parsed, chosen, disagreement="gold")
    else:
        scores = _scores_of_file(model, sentences, chosen)
    show_scores(scores, max_length, as_json)


def _scores_of_file(
    path: Path, sentences: Sequence[Sentence], parameters: EvalbParameters | None
) -> BracketScores[BracketCounts]:
    """The scores of a parser's output; says what is wrong with which of its lines.

    Raises CorpusError where most parses are of other sentences.
    """
    gold, parses, left_over = paired(sentences, read_parsed(path))
    trees: list[Tree | CorpusError | None] = []
    for parse in parses:
        if parse is not None and parse.fault:
            trees.append(CorpusError(parse.fault))
        else:
            trees.append(parse and parse.tree)
    scores = evalb_scores(gold, trees, parameters, other_words="error")

    faults = []
    for number, (parse, score) in enumerate(zip(parses, scores.sentences, strict=True), 1):
        if parse is not None and score.fault:
            place = "" if parse.fault else f"{path}:{parse.line}: sentence {number}: "
            faults.append(f"{place}{score.fault}")
    n_missing = parses.count(None)
    if 2 * len(faults) > sum(tree is not None for tree in trees):
        raise CorpusError(f"{faults[0]}; {len(faults)} of {len(gold)} parses are errors")

    for fault in faults:
        note(f"{fault}: counted as an error, as by EVALB")
    if n_missing:
        note(f"{path}: {count(n_missing, 'sentence')} of {len(gold)} missing: without a parse")
    if left_over:
        note(
            f"{path}:{left_over[0].line}: {count(len(left_over), 'parse')} more than gold trees, "
            "left out"
        )
    return scores


Interval = tuple[float, float, float]


def show_scores(scores: BracketScores[BracketCounts], cutoff: int, as_json: bool) -> None:
    """Print the scores of sentences up to so many words and of all."""
    short = scores.up_to(cutoff)
    of_short, of_all = _intervals(short), _intervals(scores)

    rows: list[tuple[object, ...]] = [("sentences", len(short), "", len(scores), "")]
    for name, row in _ROWS:
        rows.append((name, *_cells(row, *of_short[row]), *_cells(row, *of_all[row])))

    by_category = {
        name: {"gold": counts.gold, "found": counts.predicted, "f1": counts.f1}
        for name, counts in scores.by_category().items()
    }
    record = {
        "max_length": cutoff,
        "short": _recorded(short, of_short),
        "all": _recorded(scores, of_all),
        "by_category": by_category,
    }
    report(as_json, record, (("", f"≤ {cutoff} words", "95 %", "all", "95 %"), rows))
    if as_json:
        return

    total = scores.total()
    for number, fault in ((total.errors, "with errors"), (total.skipped, "without a parse")):
        if number:
            remark(f"{count(number, 'sentence')} {fault}: left out of all figures, as by EVALB")
    remark(
        "a word is punctuation if its gold tag says so; intervals: 95 %, bootstrap over sentences"
    )


def _intervals(scores: BracketScores[BracketCounts]) -> dict[str, Interval]:
    """Each score and the ends of its interval; NaN of no sentences."""
    if not len(scores):
        return dict.fromkeys((row for _, row in _ROWS), (math.nan, math.nan, math.nan))
    return {row: bootstrap(scores.matrix, scores.statistic(row))[:3] for _, row in _ROWS}


def _recorded(
    scores: BracketScores[BracketCounts], intervals: Mapping[str, Interval]
) -> dict[str, Any]:
    """The scores of some sentences for ``--json``."""
    total = scores.total()
    counts = {"sentences": len(scores), "without_parse": total.skipped, "errors": total.errors}
    return counts | {
        row.replace(".", "_"): dict(zip(("value", "low", "high"), ends, strict=True))
        for row, ends in intervals.items()
    }


def _cells(name: str, value: float, low: float, high: float) -> tuple[str, str]:
    """A score and its interval, as text."""
    if name == "average_crossing":
        return f"{value:.2f}", f"{low:.2f}–{high:.2f}"
    return percent(value), f"{percent(low)}–{percent(high)}"
