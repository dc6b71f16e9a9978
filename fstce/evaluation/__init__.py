"""Scores of tags, dependency trees and constituents; how sure they are.

===================  ===================================================================
``tagging``          accuracy of tags, with ``posteriors``
``parsing``          attachment of dependency trees
``evalb``            labelled brackets by EVALB's definition, with ``evalb_parameters``
``unlabelled``       brackets of induced trees, with ``baselines``
``purity``           what induced classes hold, and what stands at the edges of phrases
``oracle``           the best of k-best lists
``bootstrap``        confidence intervals and paired tests of any score
``correlation``      do systems that do well on one set do well on another
``constituents``     a tree's phrases over the words that count, with ``brackets``,
                     ``bracket_counts`` and ``bracket_scores``
===================  ===================================================================
"""

from __future__ import annotations

from fstce.evaluation.baselines import left_branching, random_binary, right_branching, upper_bound
from fstce.evaluation.bootstrap import Interval, ScoreDifference, bootstrap, compare
from fstce.evaluation.bracket_counts import BracketCounts, CategoryCounts, SpanCounts, statistic
from fstce.evaluation.bracket_scores import BracketScores
from fstce.evaluation.constituents import Constituents, constituents
from fstce.evaluation.correlation import Correlation, correlation
from fstce.evaluation.evalb import evalb_scores
from fstce.evaluation.evalb_parameters import EvalbParameters, collins, read_parameters
from fstce.evaluation.oracle import Oracle, oracle_scores
from fstce.evaluation.parsing import (
    Attachment,
    attach_next,
    attach_previous,
    attachment,
    by_direction,
    by_distance,
    by_tag,
    neutral_edge_direction,
)
from fstce.evaluation.posteriors import emission_divergence, expected_accuracy
from fstce.evaluation.purity import ClassProfile, EdgeTags, Purity, class_profiles, edge_tags, purity
from fstce.evaluation.tagging import (
    Accuracy,
    GroupAccuracy,
    accuracy,
    accuracy_by_listing,
    compare_taggings,
    confusions,
    disagreements,
    random_accuracy,
    tagging_accuracy,
)
from fstce.evaluation.unlabelled import unlabelled_scores

__all__ = [
    "Accuracy",
    "Attachment",
    "BracketCounts",
    "BracketScores",
    "CategoryCounts",
    "ClassProfile",
    "Constituents",
    "Correlation",
    "EdgeTags",
    "EvalbParameters",
    "GroupAccuracy",
    "Interval",
    "Oracle",
    "Purity",
    "ScoreDifference",
    "SpanCounts",
    "accuracy",
    "accuracy_by_listing",
    "attach_next",
    "attach_previous",
    "attachment",
    "bootstrap",
    "by_direction",
    "by_distance",
    "by_tag",
    "class_profiles",
    "collins",
    "compare",
    "compare_taggings",
    "confusions",
    "constituents",
    "correlation",
    "disagreements",
    "edge_tags",
    "emission_divergence",
    "evalb_scores",
    "expected_accuracy",
    "left_branching",
    "neutral_edge_direction",
    "oracle_scores",
    "purity",
    "random_accuracy",
    "random_binary",
    "read_parameters",
    "right_branching",
    "statistic",
    "tagging_accuracy",
    "unlabelled_scores",
    "upper_bound",
]
