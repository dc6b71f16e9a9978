"""Why a trained model takes a sentence for probable, or not.

==================  ====================================================
``explain``         `Explanation`: neighbors, features, posteriors of a sentence
``values``          what an explanation holds
``protocol``        what it asks of a model, and how a model is found that can answer
``best_strings``    the most probable strings of a lattice
``tables``          an explanation as tables; ``page``, as a page
==================  ====================================================
"""

from __future__ import annotations

from fstce.explanation.explain import Explanation, arc_posteriors, explain, over
from fstce.explanation.values import Comparison, Decision, Neighbor

__all__ = ["Comparison", "Decision", "Explanation", "Neighbor", "arc_posteriors", "explain", "over"]
