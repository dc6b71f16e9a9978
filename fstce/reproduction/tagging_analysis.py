"""The tagging paper's side question, asked of models that were trained before: all under every criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.objective import value_of
from fstce.reproduction.material import Material
from fstce.reproduction.tagging_trials import tagger_of, text_of, weights_file
from fstce.tagging.criteria import SUPERVISED, Corpus, evidence
from fstce.tagging.tagger import Tagger
from fstce.wfsa.compile import Contrast


def restore(folder: Path, settings: Mapping[str, Any]) -> Tagger:
    """A trained tagger again: its features compiled anew, its weights read."""
    path = weights_file(folder, settings)
    if not path.is_file():
        raise ParameterError(f"{path}: missing; begin anew with --fresh, which trains it again")
    text = text_of(settings)
    tagger = tagger_of(settings)
    tagger.compile(
        text.train, text.gold if tagger.criterion in SUPERVISED else None, dictionary=text.dictionary
    )
    tagger.theta_ = np.load(path, allow_pickle=False)
    return tagger


def cross_scores(taggers: Mapping[str, Tagger], text: Material) -> dict[str, dict[str, float]]:
    """The value of every criterion under every model, in nats a word of the training text.

    ``taggers``: trained on the text. Locally normalized criteria are left out of the columns: under the
    weights of a log-linear model they are no probabilities.
    """
    found: dict[str, dict[str, float]] = {name: {} for name in taggers}
    for criterion, contrast in _contrasts(taggers, text):
        for name, tagger in taggers.items():
            terms = contrast.bound_to(tagger.features_).terms
            found[name][criterion] = value_of(terms, tagger.theta_) / text.words
    return found


def _contrasts(taggers: Mapping[str, Tagger], text: Material) -> Iterator[tuple[str, Contrast]]:
    """The log-linear criteria's automata, one after the other, for each is large."""
    for name, tagger in taggers.items():
        if tagger.criterion not in ("em", "joint"):
            gold = text.gold if tagger.criterion in SUPERVISED else None
            corpus = Corpus([sentence.words for sentence in text.train], gold)
            rows = evidence(tagger.training_criterion(), corpus)
            yield name, Contrast(rows, text.dictionary, tagger.tags_, tagger.order, oov=tagger.oov)
