"""``fstce train-grammar``: latent-variable grammars from a treebank; ``fstce train --model latent`` too."""

from __future__ import annotations

import time
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fstce.cli import training
from fstce.cli.options import Corpus, FormatOption, Quiet
from fstce.cli.output import Interruption, count, facts, note, seconds
from fstce.cli.texts import read
from fstce.cli.trials import trial_watcher
from fstce.errors import CorpusError

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.grammar_products import GrammarProduct
    from fstce.latent.schedule import EMStep
    from fstce.latent_grammar import LatentGrammar, TreeParser

PAUSE = 5.0  # seconds between two lines


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


def train_grammar(
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
    format: FormatOption = None,
    quiet: Quiet = False,
) -> None:
    """Train a latent-variable grammar on trees, or a product of several.

    Every category is split by EM into subcategories that predict the trees better (Petrov et
    al. 2006). Grammars of several seeds parse better together than the best of them (Petrov
    2010); a training takes about 0.5 GB of memory for 80,000 words. Function tags and empty
    elements are left out. Ctrl-C saves nothing.

    \b
    Examples:
      fstce train-grammar sample --cycles 2 --output model
      fstce train-grammar nltk:treebank --output model
      fstce train-grammar wsj.mrg --cycles 4 --grammars 8 --seed 1 --jobs 2 -o product
      fstce train --model latent wsj.mrg --cycles 4 -o model
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
    train_latent(read_trees(corpus, format), output, parameters, seed, grammars, jobs, quiet)


def train_latent(
    sentences: list[Sentence],
    output: Path | None,
    parameters: Mapping[str, Any],
    seed: int,
    grammars: int,
    jobs: int,
    quiet: bool,
) -> None:
    """Train a grammar or a product, telling of it, and save.

    Raises
    ------
    Interruption
        On Ctrl-C; nothing is saved.
    """
    from fstce.grammar_product_files import KIND as PRODUCT
    from fstce.grammar_products import GrammarProduct
    from fstce.latent_files import KIND
    from fstce.latent_grammar import LatentGrammar

    if output is not None:
        training.check_output(output, KIND if grammars == 1 else PRODUCT)
    if not quiet:
        words = count(sum(map(len, sentences)), "word")
        facts([("treebank", f"{count(len(sentences), 'sentence')}, {words}")])
    members = [LatentGrammar(seed=seed + i, **parameters) for i in range(grammars)]
    model: LatentGrammar | GrammarProduct = (
        members[0] if grammars == 1 else GrammarProduct(members, jobs=jobs)
    )
    began = time.perf_counter()
    try:
        _fit(model, sentences, quiet)
    except KeyboardInterrupt:
        raise Interruption("interrupted; nothing is saved") from None
    took = time.perf_counter() - began
    if output is not None:
        model.save(output)
    if not quiet:
        saved = str(output) if output else "nowhere; give --output FOLDER"
        facts([*learned(model), ("time", seconds(took)), ("saved in", saved)])


def _fit(model: LatentGrammar | GrammarProduct, sentences: list[Sentence], quiet: bool) -> None:
    from fstce.latent_grammar import LatentGrammar

    if isinstance(model, LatentGrammar):
        model.fit(sentences, monitor=None if quiet else _Lines(model.cycles))
        return
    with trial_watcher("grammars", _told, quiet) as monitor:
        model.fit(sentences, monitor=monitor)


def learned(model: TreeParser) -> list[tuple[str, str]]:
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


def read_trees(corpus: str, format: Any = None) -> list[Sentence]:
    """The sentences of a treebank; raises CorpusError, with file and line, where one has no tree."""
    sentences = read(corpus, format)
    for sentence in sentences:
        if sentence.tree is None:
            raise CorpusError(
                f"{sentence.source}: has no phrase-structure tree; grammars are learnt from and compared "
                "with Penn Treebank brackets (.mrg, or --format penn)"
            )
    return sentences


def _range(sizes: list[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _told(record: dict[str, Any]) -> str:
    """A trained grammar in a few words."""
    result = record["result"]
    value = result["log_likelihood"]
    fit = "" if value is None else f", log-likelihood {value:,.0f} nats"
    size = count(result["subcategories"], "subcategory", "subcategories")
    return f"seed {record['settings']['seed']}: {size}{fit}"


class _Lines:
    """A line for the end of each stage, and one after five seconds."""

    def __init__(self, cycles: int) -> None:
        self._cycles = cycles
        self._shown = 0.0
        self._last: EMStep | None = None

    def __call__(self, step: EMStep) -> None:
        """Take note of an iteration."""
        if step.warning:
            note(f"warning: {_named(step, self._cycles)}: {step.warning}")
        if self._last is not None and self._last.stage != step.stage:
            self._show(self._last)
        elif step.seconds - self._shown >= PAUSE:
            self._show(step)
        self._last = step

    def _show(self, step: EMStep) -> None:
        self._shown = step.seconds
        size = count(step.subcategories, "subcategory", "subcategories")
        note(
            f"{_named(step, self._cycles)}  {size}  log-likelihood {step.log_likelihood:,.0f} nats  "
            f"{seconds(step.seconds)}"
        )


def _named(step: EMStep, cycles: int) -> str:
    return f"cycle {step.cycle} of {cycles}, {step.stage} {step.iteration + 1}"
