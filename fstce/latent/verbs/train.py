"""``fstce latent train``: latent-variable grammars from a treebank; what is said of them, then and later."""

from __future__ import annotations

import time
from typing import Annotated

from fstce.console.models import TOP, Resuming, parameters_of
from fstce.console.options import Corpus, FormatOption, helped, option
from fstce.console.output import count, facts, seconds, table
from fstce.console.parameters import Given, Parameters
from fstce.console.phrases import read_trees
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.product import GrammarProduct
from fstce.latent.verbs.training import train_one, train_product

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
grammars are next to it.

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
    *,
    grammars: Annotated[
        int, option("--grammars N", "How many, of seeds from --seed on; several become a product.", min=1)
    ] = 1,
    jobs: Annotated[
        int, option("--jobs N", "Threads of one grammar, or grammars at a time; -1 for one a core.")
    ] = -1,
    format: FormatOption = None,
    saving: Resuming,
) -> None:
    saving.check("latent grammar" if grammars == 1 else "grammar product")
    sentences = read_trees(corpus, format)
    words = count(sum(map(len, sentences)), "word")
    saving.facts([("treebank", f"{count(len(sentences), 'sentence')}, {words}")])
    began = time.perf_counter()
    first = parameters.get("seed", 0)
    seeds = [{**parameters, "seed": first + i} for i in range(grammars)]
    with saving.alone():
        model: LatentGrammar | GrammarProduct = (
            train_one(sentences, {**seeds[0], "jobs": jobs}, saving)
            if grammars == 1
            else train_product(sentences, seeds, jobs, saving)
        )
    spent = ("time", seconds(time.perf_counter() - began))
    saving.facts([*learned(model), spent, saving.place])


def show(model: LatentGrammar | GrammarProduct) -> None:
    """Print the parameters of a grammar, what was learned, the symbols that are split most."""
    members = model.members()
    parameters = dict(parameters_of(members[0]))
    if model is not members[0]:
        seeds = " ".join(str(member.seed) for member in members)
        own = {name: value for name, value in parameters_of(model) if name != "grammars"}
        parameters = {"grammars": f"{len(members)}, of seeds {seeds}", **own, **parameters}
    facts([*parameters.items(), *learned(model)])
    grammar = members[0].hierarchy_.finest
    sizes = dict(zip(grammar.symbols, grammar.sizes.tolist(), strict=True))
    top = sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))[:TOP]
    print()
    table(("symbol", "subcategories"), [(name, str(size)) for name, size in top], numbers=(1,))


def learned(model: LatentGrammar | GrammarProduct) -> list[tuple[str, str]]:
    """What was learned, as facts."""
    members = model.members()
    sizes = [member.hierarchy_.finest.n_subcategories for member in members]
    grammar = members[0].hierarchy_.finest
    lexicon = grammar.lexicon.vocabulary
    rows = [
        ("symbols", f"{len(grammar.symbols):,}, {count(len(grammar.tags), 'tag')} among them"),
        ("rules", f"{len(grammar.binary):,} binary, {len(grammar.unary):,} unary"),
        ("words", f"{len(lexicon.frequent) + len(lexicon.rare):,}"),
        ("subcategories", _range(sizes)),
    ]
    if members[0].history_:
        values = [member.history_[-1].log_likelihood for member in members]
        rows.append(("log-likelihood", ", ".join(f"{value:,.0f}" for value in values) + " nats"))
    return rows


def _range(sizes: list[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
