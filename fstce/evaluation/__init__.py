"""Scores: tagging accuracy."""

from __future__ import annotations

from fstce.evaluation.tagging import Accuracy, accuracy, confusions, random_accuracy, tagging_accuracy

__all__ = ["Accuracy", "accuracy", "confusions", "random_accuracy", "tagging_accuracy"]
