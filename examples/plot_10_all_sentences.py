"""Normalized by all sentences: the maximum-likelihood tagger that contrastive estimation replaces.

A log-linear tagger is a distribution over all tagged sentences of Σ* once its weights are
divided by their sum Z(θ) (Smith & Eisner 2005a, §3). The sum is one sparse linear system
over tag histories, and it diverges wherever longer sentences weigh as much as shorter
ones, at θ = 0 to begin with: training starts from small weights and turns back from there.
Contrastive estimation sums over a neighbourhood instead, which is finite for any θ.

Run: python examples/plot_10_all_sentences.py
"""

from __future__ import annotations

import numpy as np

import fstce
from fstce.estimation.maximize import maximize
from fstce.estimation.objective import Objective
from fstce.evaluation import tagging_accuracy
from fstce.numeric.types import Floats
from fstce.wfsa.compile import tag_pairs
from fstce.wfsa.cyclic import DivergenceError
from fstce.wfsa.terms import EmissionTable
from fstce.wfsa.universe import UniverseSum

SENTENCES = 200
OUTSIDE = -1e9  # nats, less than any value of the objective; a line search cannot reckon with −∞


def over_all_sentences(text: list[fstce.corpora.Sentence], dictionary: fstce.TagDictionary) -> fstce.Tagger:
    """A bigram tagger trained to maximize Σ log p(x), p normalized over Σ*."""
    tagger = fstce.Tagger("length", order=2, sigma2=10.0)
    objective = tagger.compile(text, dictionary=dictionary)
    features = tagger.features_
    pairs = tag_pairs(features.symbols, list(features.symbols), dictionary, tagger.tags_)
    emissions = EmissionTable(features, features.symbols, *pairs, wildcards=True)
    universe = UniverseSum(features, emissions, -float(len(text)))

    def normalizer(theta: Floats) -> tuple[float, Floats]:
        try:
            return universe(theta)
        except DivergenceError:  # no distribution: the line search turns back
            return OUTSIDE, np.zeros_like(theta)

    start = np.zeros(features.size)
    # Each step of a path to one of half as much weight as there are pairs of tag and word: it converges.
    start[: len(features.ngrams)] = -np.log(2 * len(pairs[0]))
    training = maximize(Objective([*objective.numerators, normalizer], objective.prior), start)
    tagger.theta_, tagger.training_ = training.theta, training
    print(f"log Z over all sentences: {normalizer(start)[0] / -len(text):.2f} nats at first,", end=" ")
    print(f"{universe(training.theta)[0] / -len(text):.2f} when trained")
    return tagger


def main() -> None:
    """Train by Σ*, by LENGTH and by TRANS1 on the same text, and compare."""
    text = fstce.corpora.sample()[:SENTENCES]
    gold = [sentence.tags for sentence in text]
    dictionary = fstce.TagDictionary.from_corpus(text)
    taggers = {"all sentences": over_all_sentences(text, dictionary)}
    for name in ("length", "trans1"):
        taggers[name.upper()] = fstce.Tagger(name, order=2, sigma2=10.0).fit(text, dictionary=dictionary)
    for name, tagger in taggers.items():
        found = tagging_accuracy(text, gold, tagger.predict(text), dictionary)
        print(f"{name:14s} {found.ambiguous:5.1f} % of ambiguous words, ", end="")
        print(f"{tagger.training_.steps[-1].iteration} iterations")


if __name__ == "__main__":
    main()
