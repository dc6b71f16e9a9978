"""Grammar induction by distribution and attachment: D. J. Brooks (CoNLL-X 2006, pp. 117–124).

What stands between the same two frequent words is probably of the same kind. Each iteration
takes the most probable pattern ⟨C_left [expression] C_right⟩, makes one class of its
expressions, and rewrites every occurrence as one unit, so that constituents nest; a context
unit goes into the constituent if sentences tell that it opens or closes one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstce.kinds import on_first_use

if TYPE_CHECKING:
    from fstce.induction.chunker import Chunker
    from fstce.induction.grammar import Bracketing, ClassRule, Grammar, InductionStep, bracket, parse
    from fstce.induction.learner import Induction, InductionMonitor
    from fstce.induction.parameters import SYSTEMS, Options

__all__ = [
    "SYSTEMS",
    "Bracketing",
    "Chunker",
    "ClassRule",
    "Grammar",
    "Induction",
    "InductionMonitor",
    "InductionStep",
    "Options",
    "bracket",
    "parse",
]
__getattr__ = on_first_use(
    __name__,
    {
        "Bracketing": "grammar",
        "Chunker": "chunker",
        "ClassRule": "grammar",
        "Grammar": "grammar",
        "Induction": "learner",
        "InductionMonitor": "learner",
        "InductionStep": "grammar",
        "Options": "parameters",
        "SYSTEMS": "parameters",
        "bracket": "grammar",
        "parse": "grammar",
    },
)
