"""What a tagger's probabilities say: expected accuracy, and how far its emissions are from the corpus's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from fstce.errors import CorpusError
from fstce.evaluation.tagging import Accuracy, Lookup, percent
from fstce.numeric.types import Floats, Rows


def expected_accuracy(
    sentences: Rows, gold: Rows, posteriors: Sequence[Floats], tags: Sequence[str], dictionary: Lookup
) -> Accuracy:
    """The accuracy in percent of tags drawn from the posteriors: the mean posterior of the gold tags.

    ``posteriors`` is (words, tags). ``tags``: the columns of the posteriors. ``dictionary``: tells which
    words are ambiguous.
    """
    number = {tag: i for i, tag in enumerate(tags)}
    every, hard = [], []
    for words, row, table in zip(sentences, gold, posteriors, strict=True):
        if not len(words) == len(row) == len(table):
            raise CorpusError(f"{len(words)} words, {len(row)} gold tags and {len(table)} posteriors")
        for word, tag, chances in zip(words, row, table, strict=True):
            chance = float(chances[number[tag]]) if tag in number else 0.0
            every.append(chance)
            if len(dictionary.lookup(word)) > 1:
                hard.append(chance)
    return Accuracy(percent(hard), percent(every), len(hard), len(every))


def emission_divergence(weights: Mapping[tuple[str, str], float], sentences: Rows, gold: Rows) -> float:
    """KL divergence of a model's p(word | tag) from the corpus's, in nats a word.

    Σ over (word, tag) of p̃(word, tag) · log(p̃(word | tag) / p(word | tag)), with p(word | tag) the
    exponentials of the weights, normalized within each tag.

    ``weights``: the log weight of every pair that the dictionary allows. Returns ∞ where the corpus has a
    pair of probability zero.
    """
    seen = Counter(
        pair for words, row in zip(sentences, gold, strict=True) for pair in zip(words, row, strict=True)
    )
    of_tag = Counter(tag for _, tag in seen.elements())
    scores: dict[str, list[float]] = {}
    for (_, tag), weight in weights.items():
        scores.setdefault(tag, []).append(weight)
    log_sum = {tag: float(np.logaddexp.reduce(values)) for tag, values in scores.items()}
    total = sum(seen.values())
    divergence = 0.0
    for (word, tag), times in seen.items():
        model = weights.get((word, tag), -np.inf) - log_sum.get(tag, 0.0)
        divergence += times / total * (np.log(times / of_tag[tag]) - model)
    return float(divergence)
