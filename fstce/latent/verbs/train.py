"""``fstce latent train``: latent-variable grammars from a treebank."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

from fstce.console.options import Corpus, FormatOption, ModelOutput, Quiet, Resume, helped, option
from fstce.console.output import count, facts, saved_in, seconds
from fstce.console.parameters import Given, Parameters
from fstce.console.phrases import read_trees
from fstce.console.places import check_model, check_resumed, note_unsaved, one_training
from fstce.latent.verbs.facts import learned
from fstce.latent.verbs.training import train_one, train_product

if TYPE_CHECKING:
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.product import GrammarProduct

GRAMMAR = Parameters(
    "fstce.latent.latent_grammar.LatentGrammar",
    without=("objective", "jobs"),
)


@helped("""Train a latent-variable grammar on trees, or a product of several.

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
  fstce latent train wsj.mrg --grammars 8 --seed 1 --jobs 2 -o product
""")
def train(
    corpus: Corpus,
    parameters: Annotated[Given, GRAMMAR],
    grammars: Annotated[
        int, option("--grammars N", "How many, of seeds from --seed on; several become a product.", min=1)
    ] = 1,
    jobs: Annotated[
        int, option("--jobs N", "Threads of one grammar, or grammars at a time; -1 for one a core.")
    ] = -1,
    resume: Resume = False,
    format: FormatOption = None,
    output: ModelOutput = None,
    quiet: Quiet = False,
) -> None:
    check_resumed(output, resume)
    check_model(output, "latent grammar" if grammars == 1 else "grammar product")
    sentences = read_trees(corpus, format)
    if not quiet:
        words = count(sum(map(len, sentences)), "word")
        facts([("treebank", f"{count(len(sentences), 'sentence')}, {words}")])
    note_unsaved(output, quiet)
    began = time.perf_counter()
    first = parameters.get("seed", 0)
    seeds = [{**parameters, "seed": first + i} for i in range(grammars)]
    with one_training(output):
        model: LatentGrammar | GrammarProduct = (
            train_one(sentences, output, {**seeds[0], "jobs": jobs}, quiet, resume)
            if grammars == 1
            else train_product(sentences, output, seeds, jobs, quiet, resume)
        )
    if not quiet:
        facts([*learned(model), ("time", seconds(time.perf_counter() - began)), saved_in(output)])
