"""Scores of tags, dependency trees and constituents; how sure they are.

===================  ===================================================================
``tagging``          accuracy of tags, of the model and by chance
``parsing``          attachment of dependency trees
``evalb``            labeled brackets by EVALB's definition, and its parameter files
``unlabelled``       brackets of induced trees, and of trees that need no grammar
``bootstrap``        confidence intervals and paired tests of any score
``bracket_scores``   a tree's phrases over the words that count, and counts of them by sentence
===================  ===================================================================
"""

from __future__ import annotations

from fstce.evaluation.bootstrap import Interval, ScoreDifference, bootstrap, compare
from fstce.evaluation.bracket_scores import Constituents, constituents
from fstce.evaluation.evalb import evalb_scores
from fstce.evaluation.parsing import Attachment, attach_next, attachment
from fstce.evaluation.tagging import (
    Accuracy,
    accuracy,
    accuracy_by_listing,
    compare_taggings,
    random_accuracy,
    tagging_accuracy,
)
from fstce.evaluation.unlabelled import right_branching, unlabelled_scores

__all__ = [
    "Accuracy",
    "Attachment",
    "Constituents",
    "Interval",
    "ScoreDifference",
    "accuracy",
    "accuracy_by_listing",
    "attach_next",
    "attachment",
    "bootstrap",
    "compare",
    "compare_taggings",
    "constituents",
    "evalb_scores",
    "random_accuracy",
    "right_branching",
    "tagging_accuracy",
    "unlabelled_scores",
]
