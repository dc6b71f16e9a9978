"""``fstce tagger train``: from raw text and a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from fstce.cli import training
from fstce.cli.options import (
    Annealing,
    Coarse,
    Corpus,
    Criterion,
    FormatOption,
    Jobs,
    ModelOutput,
    NeighborhoodName,
    Order,
    Quiet,
    Seed,
    Start,
    Tolerance,
    Unseen,
    Variance,
    Words,
    relative_change,
    schedule,
    variance,
)
from fstce.cli.output import note
from fstce.cli.reading import reading
from fstce.cli.tagger import scores
from fstce.cli.texts import dictionary_of, gold_of, is_tagged, read
from fstce.errors import CorpusError

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.tagging.tagger import Tagger


def train(
    corpus: Corpus,
    dictionary: Annotated[
        str | None,
        typer.Option(
            "--dictionary",
            "-d",
            help="A .tsv file (word, tab, tags) or a tagged corpus; by default the tags of CORPUS itself.",
        ),
    ] = None,
    output: ModelOutput = None,
    neighborhood: NeighborhoodName = "trans1",
    order: Order = 3,
    sigma2: Variance = "1.0",
    spelling: Annotated[bool, typer.Option("--spelling", help="Add spelling features.")] = False,
    criterion: Annotated[
        Criterion,
        typer.Option(
            "--criterion",
            "-c",
            help="What is maximized. contrastive and em learn from raw text; joint (counting), conditional "
            "(CRF) and correction (supervised contrast) from the tags of CORPUS.",
        ),
    ] = Criterion.contrastive,
    smoothing: Annotated[
        float, typer.Option("--smoothing", help="The λ added to every count of an HMM (em, joint).")
    ] = 1.0,
    labelled: Annotated[
        str | None,
        typer.Option("--labelled", help="A small tagged corpus to learn from beside the raw text."),
    ] = None,
    alpha: Annotated[
        float, typer.Option("--alpha", help="How much raw text counts beside --labelled sentences.")
    ] = 1.0,
    annealing: Annealing = None,
    oov: Annotated[
        bool, typer.Option("--oov", help="Give unknown words the weights of a symbol of their own.")
    ] = False,
    start: Annotated[
        Start, typer.Option("--start", help="All weights zero, or drawn with standard deviation 0.1.")
    ] = Start.uniform,
    seed: Seed = 0,
    tolerance: Tolerance = 1e-4,
    max_iterations: Annotated[
        int, typer.Option("--max-iterations", min=1, help="The greatest number of L-BFGS iterations.")
    ] = 200,
    words: Words = None,
    coarse: Coarse = False,
    first: Annotated[
        int | None,
        typer.Option("--first", min=1, help="Dilute: list the words of the first N sentences only."),
    ] = None,
    min_count: Annotated[
        int, typer.Option("--min-count", min=1, help="Dilute: list the words seen at least so often.")
    ] = 1,
    unseen: Annotated[
        Unseen | None,
        typer.Option(
            "--unseen",
            help="Tags of words that are not listed: those of open classes, or all; "
            "by default open, or all for a diluted dictionary.",
        ),
    ] = None,
    jobs: Jobs = -1,
    format: FormatOption = None,
    quiet: Quiet = False,
) -> None:
    """Train a tagger on raw text with a tagging dictionary.

    Tags that the corpus carries serve to read the dictionary off, if no other is given,
    and to print accuracies; only the supervised criteria learn from them. Ctrl-C saves the best weights
    so far in the --output folder.

    \b
    Examples:
      fstce tagger train sample --output model
      fstce tagger train text.txt --dictionary words.tsv --output model
      fstce tagger train nltk:treebank --words 24000 --coarse --neighborhood length -o model
      fstce tagger train text.txt -d words.tsv --criterion em --smoothing 0.1 -o model
      fstce tagger train text.txt -d treebank.conllu --min-count 3 --spelling --sigma2 none -o model
    """
    from fstce.neighborhoods.registry import neighborhood as known
    from fstce.tagging.tagger import Tagger

    tagger = Tagger(
        known(neighborhood),
        order,
        variance(sigma2),
        spelling,
        criterion=criterion.value,
        smoothing=smoothing,
        alpha=alpha,
        annealing=schedule(annealing),
        oov=oov,
        start=start.value,
        seed=seed,
        tolerance=relative_change(tolerance),
        max_iterations=max_iterations,
        jobs=jobs,
    )
    if output is not None:
        training.check_output(output)
    sentences = read(corpus, format, words, coarse)
    entries = dictionary_of(
        dictionary, sentences, coarse=coarse, first=first, min_count=min_count, unseen=unseen
    )
    if not quiet:
        _tell_source(corpus, dictionary)
        training.describe(sentences, entries)
    more = None if labelled is None else read(labelled, coarse=coarse)
    tagger.reading_ = reading().record(sentences)
    training.fit(tagger, sentences, entries, output, quiet, more)
    if not quiet and is_tagged(sentences):
        _show_accuracy(tagger, sentences, dictionary is None)


def _tell_source(corpus: str, dictionary: str | None) -> None:
    if dictionary is None:
        note(f"no --dictionary: it is read off the tags of {corpus}")


def _show_accuracy(tagger: Tagger, sentences: Sequence[Sentence], own: bool) -> None:
    """For information: how the tags found compare with those that the corpus carries."""
    from fstce.tagging.criteria import SUPERVISED

    try:
        gold = gold_of(sentences, tagger.tags_)
    except CorpusError as error:
        note(f"no accuracy: {error}")
        return
    print()
    scores.show(scores.trained_rows(tagger, sentences, gold))
    uses = ["these scores"]
    if own:
        uses.insert(0, "the dictionary")
    if tagger.criterion in SUPERVISED:
        uses.insert(0, "training")
    note(f"the tags of the corpus were used for {' and '.join(uses)} and nothing else")
