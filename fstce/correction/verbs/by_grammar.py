"""``fstce corrector train --grammar``: options and tags; facts of all correctors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from fstce.console.models import Facts
from fstce.console.options import option
from fstce.console.output import Sheet, count
from fstce.console.parameters import Given
from fstce.console.texts import tags_of
from fstce.corpora import Sentence
from fstce.correction.corrector import Corrector
from fstce.correction.synthetic_errors import Tuning
from fstce.errors import ParameterError

if TYPE_CHECKING:  # what goes with parsing
    from fstce.correction.parsed import ParsedCorrector


PANEL = "With --grammar"
ByGrammar = Annotated[
    bool,
    option(
        "--grammar",
        "Correct words by a dependency grammar, trained on the tags of the text contrastively, or "
        "by --criterion em.",
        PANEL,
    ),
]
# What the ordinary corrector alone has.
ORDINARY = (
    *("punctuation", "classes", "ngrams", "marks", "mistakes", "rate", "held_out", "prune"),
    "exponents",
)
SHARED = ("spell", "channel")


def check_options(parameters: Given, ordinary: Mapping[str, Any]) -> None:
    """Raise ParameterError for an option that has no meaning with a grammar.

    ``parameters``: those given of the ordinary corrector. ``ordinary``: its further options; None
    where not given.
    """
    wrong = [name for name, value in ordinary.items() if value is not None]
    wrong += [name for name in ORDINARY if name in parameters]
    if wrong:
        name = wrong[0].replace("_", "-")
        raise ParameterError(f"--{name} has no meaning with --grammar: leave one of them out")
    if parameters.get("criterion") == "none":
        raise ParameterError(
            "--criterion none trains no grammar: choose contrastive or em with --grammar"
        )
    if parameters.get("spell") == 0:
        raise ParameterError("--spell 0: a grammar corrects words; choose 1, 2 or 3 with --grammar")


def tags_for(sentences: Sequence[Sentence]) -> list[Sequence[str]]:
    """The tags that a grammar is trained on."""
    return [
        *tags_of(
            sentences,
            "the sentence has no tags, from which a grammar learns: give a tagged corpus, or tag "
            "the text with fstce tagger tag first",
        )
    ]


def parsed_corrector(ordinary: Corrector, given: Given) -> ParsedCorrector:
    """The corrector with a grammar that has what the given options say of an ordinary one."""
    from fstce.correction.parsed import ParsedCorrector
    from fstce.parsing.parser import DependencyParser

    criterion, start = "contrastive", "uniform"  # there is no grammar without training
    if ordinary.criterion == "em":
        criterion, start = "em", "klein-manning"
    parser = DependencyParser(
        criterion=criterion, start=start, sigma2=1.0, tolerance=1e-4, seed=ordinary.seed
    )
    return ParsedCorrector(parser, **{name: given[name] for name in SHARED if name in given})


def learned(corrector: Corrector | ParsedCorrector) -> Facts:
    """The facts of a training: a grammar, exponents, the threshold."""
    exponents = [f"{name} {value:.3g}" for name, value in corrector.exponents_.items()]
    rows = [("exponents", ", ".join(exponents))]
    parser = getattr(corrector, "parser_", None)
    if parser is not None:
        training = parser.training_
        iterations = count(training.steps[-1].iteration, "iteration")
        tags = count(parser.model_.n_tags, "tag")
        rows.append(("grammar", f"{tags}, {iterations}, stopped: {training.stopped}"))

    if isinstance(corrector, Corrector) and corrector.tuning_ is not None:
        rows += _tuned(corrector.tuning_, corrector.threshold_)
    return rows


def _tuned(tuning: Tuning, threshold: float) -> Facts:
    """The facts of learning exponents and threshold."""
    mistakes = count(tuning.mistakes, "mistake")
    sentences = count(tuning.sentences, "mistyped sentence")
    nats = f"{tuning.before:,.1f} to {tuning.after:,.1f} nats"
    rows = [("learned from", f"{mistakes} in {sentences}, {nats}")]

    for value, fixed, damaged in tuning.curve:  # of marks alone there is none
        if value == threshold:
            shares = f"fixes {100 * fixed:.1f} % of these mistakes, damages {100 * damaged:.2f} %"
            rows.append(("threshold", f"{threshold:g}: {shares} of other words"))
    return rows


def reported(corrector: Corrector | ParsedCorrector) -> list[Sheet]:
    """For ``fstce info``: what was learned, and from what."""
    return [((), learned(corrector))]
