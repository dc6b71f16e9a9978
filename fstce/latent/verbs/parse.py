"""``fstce latent parse``: words in, the trees of a latent grammar or a product out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fstce.console.models import kind_of, load
from fstce.console.options import Cluster, FormatOption, Jobs, KBest, Model, Quiet, Text, helped
from fstce.console.output import count, note
from fstce.console.parameters import Given, Parameters
from fstce.console.phrases import PhraseNotation, PhraseOutput, phrase_writer, phrases, spelt
from fstce.errors import ParameterError

if TYPE_CHECKING:
    from fstce.corpora import Sentence, Tree
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.parsing.pieces import ParseReport
    from fstce.latent.product import GrammarProduct

GrammarDecoding = Annotated[
    Given,
    Parameters(
        "fstce.latent.product.GrammarProduct",
        only=("objective", "combination"),
        of_model=True,
    ),
]


@helped("""Parse a text into phrases with a latent grammar or a product of some.

One sentence a line. The brackets of a text are written as -LRB- and -RRB-, and a
sentence of more than 200 words is parsed in pieces. With --k each tree stands behind
its rank and score, and an empty line after each sentence.

\b
Examples:
  echo "The old clock stopped ." | fstce latent parse model
  fstce latent parse model text.txt --output-format text
  fstce latent parse model text.txt --output-format svg > trees.svg
  echo "The old clock stopped ." | fstce latent parse model --k 3
""")
def parse(
    model: Model,
    decoding: GrammarDecoding,
    text: Text = "-",
    format: FormatOption = None,
    output_format: PhraseOutput = PhraseNotation.penn,
    k: KBest = None,
    jobs: Jobs = 1,
    dask: Cluster = None,
    quiet: Quiet = False,
) -> None:
    if k is not None and output_format is PhraseNotation.svg:
        raise ParameterError("--k lists trees with rank and score, which a picture has no place for")
    write = phrase_writer(output_format)
    parser = loaded(model, decoding)
    totals, n = dict.fromkeys(_OUTCOMES, 0), 0

    def written(sentences: list[Sentence]) -> tuple[list[str], ParseReport]:
        return _written(parser, [spelt(sentence.words) for sentence in sentences], k, write), parser.report_

    for sentences, report in phrases(written, text, format, jobs, dask, quiet, output_format):
        n += len(sentences)
        tell(report, sentences, totals)
    if not quiet:
        outcomes = [f"{number:,} {_OUTCOMES[name]}" for name, number in totals.items() if number]
        note(", ".join([f"parsed {count(n, 'sentence')}", *outcomes]))


def loaded(model: Path, decoding: Given) -> LatentGrammar | GrammarProduct:
    """The grammar or product; raises ParameterError where one grammar has nothing to combine."""
    if "combination" in decoding and kind_of(model) == "latent grammar":
        raise ParameterError(f"--combination is for products of grammars; {model} is a single latent grammar")
    parser: LatentGrammar | GrammarProduct = load(model, "latent", **decoding)
    return parser


_OUTCOMES = {
    "retried": "with less pruning",
    "coarse": "by the unsplit grammar",
    "flat": "without a parse: given a flat tree",
    "cut": "longer than the limit: parsed in pieces",
}


def _written(
    parser: LatentGrammar | GrammarProduct,
    words: list[list[str]],
    k: int | None,
    write: Callable[[Tree], str],
) -> list[str]:
    """What is written of each sentence: its tree, or its k trees with rank and score, then an empty line."""
    with warnings.catch_warnings():
        # What they say is told with file and line.
        warnings.simplefilter("ignore")
        if k is None:
            return list(map(write, parser.predict(words)))
        lists = parser.k_best(words, k)
    ranked = [enumerate(best, 1) for best in lists]
    return ["".join(f"{i}\t{score:.6f}\t{write(tree)}" for i, (tree, score) in row) + "\n" for row in ranked]


def tell(report: ParseReport, sentences: Sequence[Sentence], totals: dict[str, int]) -> None:
    """Count how sentences fared, and name those that got no parse of their own."""
    for outcome in totals:
        numbers = getattr(report, outcome)
        totals[outcome] += len(numbers)
        if outcome in ("flat", "cut"):
            for number in numbers:
                note(f"{sentences[number - 1].source}: {_OUTCOMES[outcome]}")


def predicted(parser: LatentGrammar | GrammarProduct, sentences: Sequence[Sentence]) -> list[Tree]:
    """The trees of sentences, telling of those that got no parse of their own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trees = parser.predict(sentences)
    tell(parser.report_, sentences, dict.fromkeys(_OUTCOMES, 0))
    return trees
