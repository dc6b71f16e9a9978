"""What ``fstce info`` says of correctors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstce.console.models import parameters_of
from fstce.console.output import facts

if TYPE_CHECKING:
    from fstce.correction.corrector import Corrector
    from fstce.correction.parsed.corrector import ParsedCorrector


def show(corrector: Corrector | ParsedCorrector) -> None:
    """Print the parameters of a corrector, the sizes of what was learnt, the exponents."""
    if hasattr(corrector, "lexicon_"):
        learnt = [("lexicon", f"{len(corrector.lexicon_):,}")]
    else:
        from fstce.parsing.verbs.facts import grammar_facts

        learnt = grammar_facts(corrector.parser_)
    exponents = [(f"exponent of {name}", f"{value:.3g}") for name, value in corrector.exponents_.items()]
    words = ("words", f"{len(corrector.vocabulary_):,}")
    facts([*parameters_of(corrector), words, *learnt, *exponents])
