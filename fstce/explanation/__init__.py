"""Why a trained model takes a sentence for probable, or not.

==================  ====================================================
``explain``         `Explanation`: neighbours, features, posteriors of a sentence
``values``          what an explanation holds
``sums``            what it asks of a model; ``of_tagger``, ``of_parser``
``best_strings``    the most probable strings of a lattice
``tables``          an explanation as tables; ``page``, as a page
``learnt_grammar``  who governs whom in a trained dependency parser
==================  ====================================================
"""

from __future__ import annotations

from fstce.explanation.explain import Explanation, arc_posteriors, explain, over
from fstce.explanation.values import Comparison, Decision, Neighbor

__all__ = ["Comparison", "Decision", "Explanation", "Neighbor", "arc_posteriors", "explain", "over"]
