"""Latent grammars and their products trained so that nothing is lost, and the training shown.

A grammar is in the output folder after every cycle. The grammars of a product are beside it,
in ``.NAME.fstce-parts``, until all are complete: each a model of its own.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.cli.latent_progress import training_shown
from fstce.cli.output import Interruption, count
from fstce.cli.trials import trial_watcher
from fstce.errors import ParameterError

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.grammar_products import GrammarProduct
    from fstce.latent_grammar import LatentGrammar

_HOW = "fstce train-grammar with the same options and --resume goes on"


def train_one(
    sentences: list[Sentence], output: Path | None, parameters: Mapping[str, Any], quiet: bool, resume: bool
) -> LatentGrammar:
    """Train a grammar, saved after every cycle; raises Interruption on Ctrl-C, with what is saved."""
    from fstce.latent_grammar import LatentGrammar

    if resume and output is not None:
        model = LatentGrammar.load(output).set_params(**parameters)
    else:
        model = LatentGrammar(**parameters)
    train = model.resume if resume else model.fit
    try:
        with training_shown(model.schedule(), quiet) as monitor:
            return train(sentences, monitor=monitor, checkpoint=output)
    except KeyboardInterrupt:
        raise Interruption(_rescue(model, output)) from None


def _rescue(model: LatentGrammar, output: Path | None) -> str:
    """Save the cycles that are complete; what to tell."""
    done = model.trained_cycles if hasattr(model, "hierarchy_") else 0
    if not done:
        return "interrupted before the first cycle was complete; nothing is saved"
    told = f"interrupted after {count(done, 'cycle')} of {model.cycles}"
    if output is None:
        return f"{told}; nothing is saved, as no --output was given"
    # The last checkpoint may be what was interrupted.
    model.save(output)
    return f"{told}, saved in {output}; {_HOW}"


def train_product(
    sentences: list[Sentence],
    output: Path | None,
    parameters: Sequence[Mapping[str, Any]],
    jobs: int,
    quiet: bool,
    resume: bool,
) -> GrammarProduct:
    """Train a product and save it; raises Interruption on Ctrl-C, with where its grammars are kept."""
    from fstce.grammar_products import GrammarProduct
    from fstce.latent_grammar import LatentGrammar

    model = GrammarProduct([LatentGrammar(**one) for one in parameters], jobs=jobs)
    parts = None if output is None else _parts(output, len(parameters), resume)
    try:
        with trial_watcher("grammars", _told, quiet) as monitor:
            model.fit(sentences, monitor=monitor, parts=parts)
    except KeyboardInterrupt:
        if parts is None:
            raise Interruption("interrupted; nothing is saved, as no --output was given") from None
        raise Interruption(f"interrupted; what is complete is kept in {parts}; {_HOW}") from None
    if output is not None and parts is not None:
        model.save(output)
        shutil.rmtree(parts)
    return model


def _parts(output: Path, grammars: int, resume: bool) -> Path:
    """Where the grammars of a product are until it is whole, with those to go on with."""
    from fstce.grammar_products import GrammarProduct

    folder = output.resolve()
    parts = folder.with_name(f".{folder.name}.fstce-parts")
    if not resume:
        shutil.rmtree(parts, ignore_errors=True)
    elif not parts.is_dir():
        members = GrammarProduct.load(output).members()
        parts.mkdir()
        for number, grammar in enumerate(members, 1):
            grammar.save(parts / str(number))
    begun = sum(entry.name.isdecimal() for entry in parts.iterdir()) if resume else 0
    if begun > grammars:
        raise ParameterError(
            f"--grammars {grammars}: there are {begun} to go on with; give --grammars {begun}"
        )
    return parts


def _told(record: dict[str, Any]) -> str:
    """A trained grammar in a few words."""
    result = record["result"]
    value = result["log_likelihood"]
    fit = "" if value is None else f", log-likelihood {value:,.0f} nats"
    size = count(result["subcategories"], "subcategory", "subcategories")
    return f"seed {record['settings']['seed']}: {size}{fit}"
