"""``fstce latent train``: latent-variable grammars from a treebank; their rows of ``info``."""

from __future__ import annotations

import itertools
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, get_args

from fstce.console.models import TOP, Resuming
from fstce.console.options import Corpus, helped, option
from fstce.console.output import Interruption, Sheet, count, seconds
from fstce.console.parameters import Given, Parameters
from fstce.console.phrases import read_trees
from fstce.console.progress import Display, trials_shown
from fstce.console.reading import reading
from fstce.console.texts import size_of_text
from fstce.corpora import Sentence
from fstce.errors import ParameterError
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.product import GrammarProduct
from fstce.latent.training.estimates import EMMonitor, EMStep, Schedule, Stage

GRAMMAR = Parameters("fstce.latent.latent_grammar.LatentGrammar", without=("jobs",))


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
        int,
        option(
            "--grammars N",
            "How many, of seeds from --seed on; several become a product.",
            min=1,
            max=1000,
        ),
    ] = 1,
    jobs: Annotated[
        int, option("--jobs N", "Threads of one grammar, or grammars at a time; -1 for one a core.")
    ] = -1,
    saving: Resuming,
) -> None:
    saving.check("latent grammar" if grammars == 1 else "grammar product")
    sentences = read_trees(corpus)
    saving.facts([("treebank", size_of_text(sentences))])
    began = time.perf_counter()

    first_seed = parameters.get("seed", 0)
    settings = [{**parameters, "seed": first_seed + i} for i in range(grammars)]
    model: LatentGrammar | GrammarProduct
    with saving.alone():
        if grammars == 1:
            model = train_one(sentences, {**settings[0], "jobs": jobs}, saving)
        else:
            model = train_product(sentences, settings, jobs, saving)

    spent = ("time", seconds(time.perf_counter() - began))
    saving.facts([*model.facts().items(), spent, saving.place])


def reported(model: LatentGrammar | GrammarProduct) -> list[Sheet]:
    """The table of ``fstce info``: the symbols that the first grammar splits most."""
    grammar = model.members()[0].hierarchy_.finest
    sizes = zip(grammar.symbols, grammar.sizes.tolist(), strict=True)
    most_split = sorted(sizes, key=lambda pair: (-pair[1], pair[0]))
    return [(("symbol", "subcategories"), most_split[:TOP])]


@contextmanager
def cycles_shown(schedule: Schedule) -> Iterator[EMMonitor]:
    """A monitor that shows the training of a latent grammar."""
    iterations_of_stage: dict[str, int] = {
        stage: getattr(schedule, f"{stage}_iterations") for stage in get_args(Stage)
    }
    total = schedule.cycles * sum(iterations_of_stage.values())
    ended = itertools.count(1)

    with Display() as display:

        def monitor(step: EMStep) -> None:
            iterations = iterations_of_stage[step.stage]
            done = step.iteration + 1
            name = f"cycle {step.cycle} of {schedule.cycles}, {step.stage}"

            value = f"{step.log_likelihood:,.0f} nats"
            line = f"{name} {done}/{iterations}  {value}"
            if not display.on_terminal:
                size = count(step.subcategories, "subcategory", "subcategories")
                line = f"{name} {done} of {iterations}  {size}  log-likelihood {value}"
            display.show(next(ended), total, line, done == iterations)

        yield monitor


def train_one(
    sentences: list[Sentence], parameters: Mapping[str, Any], saving: Resuming
) -> LatentGrammar:
    """Train a grammar, saved after every cycle.

    Raises Interruption on Ctrl-C, with what is saved.
    """
    model = LatentGrammar(**parameters)
    if saving.resume and saving.output is not None:
        model = LatentGrammar.load(saving.output).set_params(**model.get_params())
    model.tokenization_ = reading().record(sentences)
    train = model.resume if saving.resume else model.fit

    def done() -> str:
        trained = model.trained_cycles if hasattr(model, "hierarchy_") else 0
        return f"{count(trained, 'cycle')} of {model.cycles}" if trained else ""

    # The last checkpoint may be what was interrupted.
    rescuing = saving.rescuing(
        lambda: model, done, before="the first cycle was complete", hint=saving.go_on
    )
    with rescuing, cycles_shown(model.schedule()) as monitor:
        return train(sentences, monitor=monitor, checkpoint=saving.output)


def train_product(
    sentences: list[Sentence], parameters: Sequence[Mapping[str, Any]], jobs: int, saving: Resuming
) -> GrammarProduct:
    """Train a product and save it.

    Raises Interruption on Ctrl-C, with where its grammars are kept.
    """
    grammars = [LatentGrammar(**of_grammar) for of_grammar in parameters]
    model = GrammarProduct(grammars, jobs=jobs)
    model.tokenization_ = reading().record(sentences)

    output = saving.output
    parts = None
    if output is not None:
        folder = output.resolve()
        parts = folder.with_name(f".{folder.name}.fstce-parts")
        if not saving.resume:
            shutil.rmtree(parts, ignore_errors=True)
        elif not parts.is_dir():
            raise ParameterError(
                f"--resume: there is no training to {output} that was interrupted; leave --resume "
                "out"
            )

    try:
        with trials_shown("grammars", _described) as monitor:
            model.fit(sentences, monitor=monitor, parts=parts)
    except KeyboardInterrupt:
        kept = "nothing is saved, as no --output was given"
        if parts is not None:
            kept = f"what is complete is kept in {parts}{saving.go_on}"
        raise Interruption(f"interrupted; {kept}") from None
    if output is not None and parts is not None:
        model.save(output)
        shutil.rmtree(parts)
    return model


def _described(record: dict[str, Any]) -> str:
    """A trained grammar in a few words."""
    return f"seed {record['settings']['seed']}: {record['result']['outcome']}"
