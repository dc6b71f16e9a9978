"""``fstce parser train``: a dependency grammar from tag sequences, with or without their trees."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fstce.cli import training
from fstce.cli.options import (
    Annealing,
    Corpus,
    FormatOption,
    MaxIterations,
    ModelOutput,
    NeighborhoodName,
    Quiet,
    Seed,
    TagColumnOption,
    Tolerance,
    Variance,
    relative_change,
    schedule,
    variance,
)
from fstce.cli.output import count, facts, note
from fstce.cli.parser import attachment, treebanks
from fstce.cli.parser.treebanks import (
    MAX_LENGTH_HELP,
    Currency,
    Preparation,
    Punctuation,
    Tags,
    TagSource,
)
from fstce.cli.reading import reading

if TYPE_CHECKING:
    from fstce.corpora import DependencyCorpus, Sentence
    from fstce.estimation.likelihood import Likelihood
    from fstce.estimation.objective import Objective
    from fstce.parsing.parser import DependencyParser

Rows = list[tuple[str, ...]]
Trees = list[tuple[int, ...]]


class ParserCriterion(str, Enum):
    """What training maximizes."""

    contrastive = "contrastive"
    em = "em"
    viterbi_em = "viterbi-em"
    joint = "joint"
    conditional = "conditional"
    correction = "correction"


class ParserStart(str, Enum):
    """Where training starts."""

    uniform = "uniform"
    random = "random"
    klein_manning = "klein-manning"


def train(
    corpus: Corpus,
    output: ModelOutput = None,
    neighborhood: NeighborhoodName = "trans1",
    criterion: Annotated[
        ParserCriterion,
        typer.Option(
            "--criterion",
            "-c",
            help="What is maximized. contrastive, em and viterbi-em learn from tags alone; joint (counting), "
            "conditional and correction (supervised contrast) from the trees of CORPUS.",
        ),
    ] = ParserCriterion.contrastive,
    sigma2: Variance = "0.1",
    smoothing: Annotated[
        float,
        typer.Option(
            "--smoothing", help="The λ added to every count of a generative grammar (em, viterbi-em, joint)."
        ),
    ] = 1.0,
    start: Annotated[
        ParserStart,
        typer.Option(
            "--start", help="All weights zero; drawn at random; or Klein & Manning's harmonic start."
        ),
    ] = ParserStart.uniform,
    seed: Seed = 0,
    noise: Annotated[
        float, typer.Option("--noise", help="The standard deviation of the random start.")
    ] = 0.1,
    annealing: Annealing = None,
    tolerance: Tolerance = 1e-5,
    max_iterations: MaxIterations = 500,
    max_length: Annotated[int, typer.Option("--max-length", min=1, help=MAX_LENGTH_HELP)] = 10,
    currency: Currency = True,
    tags: Tags = TagSource.tag,
    tag_column: TagColumnOption = None,
    punctuation: Punctuation = None,
    format: FormatOption = None,
    quiet: Quiet = False,
) -> None:
    """Train a dependency parser on the tags of a corpus.

    Punctuation is removed first, and the words below it are lifted to what is above it. Trees
    that the corpus carries, as heads or as phrases (by Collins' head rules), serve to print
    scores; only the supervised criteria learn from them, and those from projective trees only.
    Ctrl-C saves the best weights so far in the --output folder. Parse and evaluate with
    the same --tags, --tag-column, --currency and --punctuation, which the model remembers.

    \b
    Examples:
      fstce parser train sample --output model
      fstce parser train nltk:dependency_treebank --neighborhood delortrans1 --output model
      fstce parser train train.conllu --criterion em --start klein-manning --tag-column upos -o model
      fstce parser train train.conllu --criterion conditional --max-length 20 -o model
      fstce parser train text.txt --tags word --sigma2 none -o model
    """
    from fstce.neighborhoods.registry import neighborhood as known
    from fstce.parsing.criteria import SUPERVISED
    from fstce.parsing.files import KIND
    from fstce.parsing.parser import DependencyParser

    parser = DependencyParser(
        known(neighborhood),
        variance(sigma2),
        criterion.value,
        smoothing,
        start.value,
        seed,
        noise,
        annealing=schedule(annealing),
        tolerance=relative_change(tolerance),
        max_iterations=max_iterations,
    )
    preparation = Preparation.of(tags, tag_column, currency, punctuation, max_length)
    if output is not None:
        training.check_output(output, KIND)
    sentences = list(preparation.iterate(corpus, format))
    supervised = parser.criterion in SUPERVISED
    heads = {"heads": "required", "faulty": "drop"} if supervised else {"heads": "ignored"}
    prepared = preparation.apply(sentences, **heads)
    treebanks.check_some(prepared, corpus)
    if not quiet:
        _describe(prepared, max_length)
    parser.preparation_ = preparation.saved()
    parser.reading_ = reading().record(sentences)
    _fit(parser, prepared, supervised, output, quiet)
    if not quiet:
        _show_scores(parser, preparation, sentences, supervised)


def _describe(prepared: DependencyCorpus, max_length: int) -> None:
    """Print what is trained on and what is left out."""
    words = sum(map(len, prepared))
    tagset = {tag for sentence in prepared for tag in sentence.tags or ()}
    rows = [
        ("read", count(prepared.n_read, "sentence")),
        (
            "corpus",
            f"{count(len(prepared), 'sentence')} of at most {count(max_length, 'word')}, "
            f"{count(words, 'word')}, {count(len(tagset), 'tag')}",
        ),
    ]
    dropped = treebanks.left_out(prepared, max_length)
    facts([*rows, ("left out", dropped)] if dropped else rows)
    if prepared.faults:
        note(f"left out: {treebanks.first_fault(prepared.faults)}")


def _fit(
    parser: DependencyParser, prepared: DependencyCorpus, supervised: bool, output: Path | None, quiet: bool
) -> None:
    rows, heads = _columns(prepared)

    def build() -> Objective | Likelihood:
        if not quiet:
            note(f"building the charts of {count(len(rows), 'sentence')}")
        objective = parser.compile(rows, heads if supervised else None)
        if parser.left_out_ and not quiet:
            note(f"left out: {count(parser.left_out_, 'tree')} of {len(rows):,}, not projective")
        return objective

    training.maximize(parser, build, lambda objective: _sizes(parser, objective), output, quiet)


def _sizes(parser: DependencyParser, objective: Objective | Likelihood) -> list[tuple[str, str]]:
    """The sizes of the packed charts, sentences and neighbourhoods together."""
    batches = [term.batch for term in objective.terms if hasattr(term, "batch")]
    charts, distinct = sum(map(len, batches)), sum(batch.n_distinct for batch in batches)
    edges = count(sum(batch.size for batch in batches), "hyperedge")
    sizes = f"{charts:,}, {distinct:,} of them distinct, with {edges}" if batches else "none are needed"
    return [("charts", sizes), ("features", f"{parser.model_.size:,}")]


def _columns(corpus: DependencyCorpus) -> tuple[Rows, Trees]:
    """Tags and heads; no heads where a sentence has none."""
    return [sentence.tags or () for sentence in corpus], [sentence.heads or () for sentence in corpus]


def _show_scores(
    parser: DependencyParser, preparation: Preparation, sentences: list[Sentence], supervised: bool
) -> None:
    """For information: how the trees found compare with those that the corpus carries."""
    carrying = [s for s in sentences if s.heads is not None or s.tree is not None]
    gold = preparation.apply(carrying, faulty="drop")
    if not len(gold):
        return
    rows, trees = _columns(gold)
    print()
    attachment.show(attachment.trained_rows(parser, rows, trees))
    if gold.faults and not supervised:
        note(f"not scored, as the heads are no tree: {treebanks.first_fault(gold.faults)}")
    uses = "training and these scores" if supervised else "these scores"
    note(f"the trees of the corpus were used for {uses} and nothing else")
