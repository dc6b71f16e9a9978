"""Scores: tagging accuracy, expected accuracy, divergence of emissions."""

from __future__ import annotations

from fstce.evaluation.posteriors import emission_divergence, expected_accuracy
from fstce.evaluation.tagging import Accuracy, accuracy, confusions, random_accuracy, tagging_accuracy

__all__ = [
    "Accuracy",
    "accuracy",
    "confusions",
    "emission_divergence",
    "expected_accuracy",
    "random_accuracy",
    "tagging_accuracy",
]
