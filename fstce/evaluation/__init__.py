"""Scores: tagging accuracy, expected accuracy, divergence of emissions, attachment of trees."""

from __future__ import annotations

from fstce.evaluation.parsing import (
    Attachment,
    attach_next,
    attach_previous,
    attachment,
    by_distance,
    by_tag,
)
from fstce.evaluation.posteriors import emission_divergence, expected_accuracy
from fstce.evaluation.tagging import Accuracy, accuracy, confusions, random_accuracy, tagging_accuracy

__all__ = [
    "Accuracy",
    "Attachment",
    "accuracy",
    "attach_next",
    "attach_previous",
    "attachment",
    "by_distance",
    "by_tag",
    "confusions",
    "emission_divergence",
    "expected_accuracy",
    "random_accuracy",
    "tagging_accuracy",
]
