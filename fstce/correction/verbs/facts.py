"""What ``fstce info`` and the end of a training say of correctors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstce.console.models import Facts
from fstce.console.output import Sheet, count
from fstce.correction.corrector import Corrector

if TYPE_CHECKING:  # what goes with parsing
    from fstce.correction.parsed import ParsedCorrector


def learned(corrector: Corrector | ParsedCorrector) -> Facts:
    """The facts of a training: exponents, and a grammar or what they were learned from."""
    exponents = [f"{name} {value:.3g}" for name, value in corrector.exponents_.items()]
    rows = [("exponents", ", ".join(exponents))]
    if not isinstance(corrector, Corrector):
        parser = corrector.parser_
        iterations = count(parser.training_.steps[-1].iteration, "iteration")
        tags = count(parser.model_.n_tags, "tag")
        rows.append(("grammar", f"{tags}, {iterations}, stopped: {parser.training_.stopped}"))
        return rows

    tuning = corrector.tuning_
    if tuning is not None:
        mistakes = count(tuning.mistakes, "mistake")
        sentences = count(tuning.sentences, "mistyped sentence")
        nats = f"{tuning.before:,.1f} to {tuning.after:,.1f} nats"
        rows.append(("learned from", f"{mistakes} in {sentences}, {nats}"))
    return rows


def reported(corrector: Corrector | ParsedCorrector) -> list[Sheet]:
    """For ``fstce info``: what was learned, and from what."""
    return [((), learned(corrector))]
