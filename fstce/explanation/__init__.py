"""Why a trained model takes a sentence for probable, or not.

==================  ====================================================
``explain``         neighbors, features, posteriors of a sentence
``page``            `Explanation`: as values, as tables, as a page; its parts
``protocol``        what it asks of a model, and how a model is found that can answer
==================  ====================================================
"""

from __future__ import annotations

from fstce.explanation.explain import arc_posteriors, explain, over
from fstce.explanation.page import Comparison, Explanation, Neighbor
from fstce.explanation.protocol import FeatureContribution

__all__ = [
    "Comparison",
    "Explanation",
    "FeatureContribution",
    "Neighbor",
    "arc_posteriors",
    "explain",
    "over",
]
