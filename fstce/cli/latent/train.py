"""``fstce latent train``: latent-variable grammars from a treebank."""

from __future__ import annotations

import time
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fstce.cli import training
from fstce.cli.latent.training import train_one, train_product
from fstce.cli.options import Corpus, FormatOption, Quiet
from fstce.cli.output import count, facts, seconds
from fstce.cli.phrases import read_trees
from fstce.errors import ParameterError

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.product import GrammarProduct


class BinarizationName(str, Enum):
    """Where intermediate nodes branch."""

    left = "left"
    right = "right"


Cycles = Annotated[
    int, typer.Option("--cycles", min=0, max=6, help="Rounds of split, merge, smooth; 0 for X-bar.")
]
Grammars = Annotated[
    int,
    typer.Option("--grammars", min=1, help="How many, of seeds from --seed on; several become a product."),
]
GrammarJobs = Annotated[
    int, typer.Option("--jobs", help="Grammars that are trained at a time; -1 for one a core.")
]


def train(
    corpus: Corpus,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The folder for the model.")] = None,
    cycles: Cycles = 4,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the noise that splits twins.")] = 0,
    grammars: Grammars = 1,
    jobs: GrammarJobs = -1,
    split_iterations: Annotated[
        int, typer.Option("--split-iterations", min=0, help="EM iterations after each split.")
    ] = 50,
    merge_iterations: Annotated[
        int, typer.Option("--merge-iterations", min=0, help="EM iterations after each merge.")
    ] = 20,
    smooth_iterations: Annotated[
        int, typer.Option("--smooth-iterations", min=0, help="EM iterations with smoothing.")
    ] = 10,
    merged: Annotated[
        float, typer.Option("--merged", min=0, max=1, help="The share of splits to undo.")
    ] = 0.5,
    rule_smoothing: Annotated[
        float, typer.Option("--rule-smoothing", min=0, max=1, help="α among sibling rules.")
    ] = 0.01,
    lexicon_smoothing: Annotated[
        float, typer.Option("--lexicon-smoothing", min=0, max=1, help="α among siblings' words.")
    ] = 0.1,
    binarization: Annotated[
        BinarizationName, typer.Option("--binarization", help="Where intermediate nodes branch.")
    ] = BinarizationName.left,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what is in --output, to --cycles and --grammars.")
    ] = False,
    format: FormatOption = None,
    quiet: Quiet = False,
) -> None:
    """Train a latent-variable grammar on trees, or a product of several.

    Every category is split by EM into subcategories that predict the trees better (Petrov et
    al. 2006). Grammars of several seeds parse better together than the best of them (Petrov
    2010); a training takes about 0.3 GB of memory for 80,000 words. Function tags and empty
    elements are left out. The --output folder has the grammar after every cycle, so that
    Ctrl-C or a kill loses no more than one; the same command with --resume goes on, and
    ends with the same grammar. A product is in its folder at the end; until then its
    grammars are beside it.

    \b
    Examples:
      fstce latent train sample --cycles 2 --output model
      fstce latent train nltk:treebank --output model
      fstce latent train nltk:treebank --cycles 6 --resume --output model
      fstce latent train wsj.mrg --cycles 4 --grammars 8 --seed 1 --jobs 2 -o product
    """
    parameters = {
        "cycles": cycles,
        "split_iterations": split_iterations,
        "merge_iterations": merge_iterations,
        "smooth_iterations": smooth_iterations,
        "merged": merged,
        "rule_smoothing": rule_smoothing,
        "lexicon_smoothing": lexicon_smoothing,
        "binarization": binarization.value,
    }
    if resume and output is None:
        raise ParameterError("--resume goes on with the model in --output: name its folder")
    train_latent(read_trees(corpus, format), output, parameters, seed, grammars, jobs, quiet, resume)


def train_latent(
    sentences: list[Sentence],
    output: Path | None,
    parameters: Mapping[str, Any],
    seed: int,
    grammars: int,
    jobs: int,
    quiet: bool,
    resume: bool = False,
) -> None:
    """Train a grammar or a product, telling of it, and save.

    Raises
    ------
    Interruption
        On Ctrl-C, with what is saved.
    """
    from fstce.latent.model_files import KIND
    from fstce.latent.product_files import KIND as PRODUCT

    if output is not None:
        training.check_output(output, KIND if grammars == 1 else PRODUCT)
    if not quiet:
        words = count(sum(map(len, sentences)), "word")
        facts([("treebank", f"{count(len(sentences), 'sentence')}, {words}")])
    began = time.perf_counter()
    seeds = [{**parameters, "seed": seed + i} for i in range(grammars)]
    model: LatentGrammar | GrammarProduct = (
        train_one(sentences, output, seeds[0], quiet, resume)
        if grammars == 1
        else train_product(sentences, output, seeds, jobs, quiet, resume)
    )
    if not quiet:
        took = seconds(time.perf_counter() - began)
        saved = str(output) if output else "nowhere; give --output FOLDER"
        facts([*learned(model), ("time", took), ("saved in", saved)])


def learned(model: LatentGrammar | GrammarProduct) -> list[tuple[str, str]]:
    """What was learnt, as facts."""
    members = model.members()
    sizes = [member.hierarchy_.finest.n_subcategories for member in members]
    grammar = members[0].hierarchy_.finest
    lexicon = grammar.lexicon.vocabulary
    found = [
        ("symbols", f"{len(grammar.symbols):,}, {count(len(grammar.tags), 'tag')} among them"),
        ("rules", f"{len(grammar.binary):,} binary, {len(grammar.unary):,} unary"),
        ("words", f"{len(lexicon.frequent) + len(lexicon.rare):,}"),
        ("subcategories", _range(sizes)),
    ]
    if members[0].course_:
        values = [member.course_[-1].log_likelihood for member in members]
        found.append(("log-likelihood", ", ".join(f"{value:,.0f}" for value in values) + " nats"))
    return found


def _range(sizes: list[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
