"""Which tags are likely to have dependents, by tag sequences and words, without trees.

A tag is the more likely a head,

* the less the tags around it go together without it: what can be left out is a leaf
  (reducibility; Mareček & Žabokrtský 2012);
* the more evenly it is spread over sentences: a sentence has one predicate, but no, one or many
  determiners (the ratio of the variance to the mean of its number in a sentence);
* the more different words bear it for its number of tokens: function words are few; where words are
  not known, the oftener it stands in sentences of one or two words.

All three are the same for a corpus read from right to left: nothing says on which side heads stand.

Trees weigh the more, the more their heads are headed and near: EM starts at the expected grammar of
such trees, has some words in them as prior, and multiplies the grammar that it learns with
these weights in every E-step.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.chart import DependencyModel
from fstce.corpora.words import check_aligned
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.numeric.types import Floats, Ints, Rows

STRENGTH = 1.0  # nats a standard deviation of headedness
NEARNESS = -0.6  # nats a word that a link spans
SMOOTHING = 1.0  # added to every count
SHORT = 2  # words


def headedness(model: DependencyModel, sentences: Rows, words: Rows | None = None) -> Floats:
    """How likely each tag is a head, (model.n_tags,): mean 0, variance 1 over tokens, 0 if unseen.

    >>> model = DependencyModel(["DT", "NN", "VB"])
    >>> text = [s.split() for s in ("DT NN VB", "NN VB DT NN", "DT NN VB NN", "NN VB")]
    >>> headedness(model, text).round(1).tolist()
    [-1.8, 0.3, 0.9]
    """
    rows = [model.numbers(sentence) for sentence in sentences]
    sentence = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    tag = np.concatenate(rows)
    tokens = np.bincount(tag, minlength=model.n_tags).astype(np.float64)
    seen = tokens > 0
    n = np.where(seen, tokens, 1.0)

    if words is not None:
        third = np.log(np.maximum(_types(tag, sentences, words, model.n_tags), 1.0)) - np.log(n)
    else:
        lengths = np.array([len(row) for row in rows])[sentence]
        short = np.bincount(tag[lengths <= SHORT], minlength=model.n_tags)
        third = np.log((short + n / n.sum()) / n)
    signals = [-_junction(rows, tag, model.n_tags) / n, -_spread(sentence, tag, n), third]

    share = tokens / tokens.sum()
    together = np.sum([_standard(signal, share) for signal in signals], axis=0)
    return np.where(seen, _standard(together, share), 0.0)


def headed_weights(model: DependencyModel, sentences: Rows, words: Rows | None = None) -> Floats:
    """Weights of features, (model.size,), that add to a tree's weight the headedness of its heads.

    `STRENGTH` times that of each word's head and of the root.
    """
    score = STRENGTH * headedness(model, sentences, words)
    weights = np.zeros(model.size)
    tags = np.arange(model.n_tags)
    weights[model.root(tags)] = score
    for side in (LEFT, RIGHT):
        weights[model.child(tags[:, None], tags, side)] = score[:, None]
    return weights


def _junction(rows: Sequence[Ints], tag: Ints, n_tags: int) -> Floats:
    """Σ over each tag's tokens of log (N + √E) / (E + √E).

    N times the two around it meet, E by chance.
    """
    width = n_tags + 2
    edged = np.concatenate([np.concatenate(([n_tags], row, [n_tags + 1])) for row in rows])
    follows = edged[1:] != n_tags
    places = (edged[:-1] * width + edged[1:])[follows]
    pairs = np.bincount(places, minlength=width**2).reshape(width, width)

    chance = np.outer(pairs.sum(axis=1), pairs.sum(axis=0)) / pairs.sum()
    slack = np.sqrt(chance) + 1e-3
    association = np.log((pairs + slack) / (chance + slack))

    inner = np.flatnonzero(edged < n_tags)
    together = association[edged[inner - 1], edged[inner + 1]]
    return np.asarray(np.bincount(tag, together, minlength=n_tags), dtype=np.float64)


def _spread(sentence: Ints, tag: Ints, tokens: Floats) -> Floats:
    """Variance over mean of how often each tag stands in a sentence."""
    n_tags = len(tokens)
    n_sentences = int(sentence[-1]) + 1
    pairs, times = np.unique(sentence * n_tags + tag, return_counts=True)
    squares = np.bincount(pairs % n_tags, times.astype(np.float64) ** 2, minlength=n_tags)
    mean = tokens / n_sentences
    return (squares / n_sentences - mean**2) / mean


def _types(tag: Ints, sentences: Rows, words: Rows, n_tags: int) -> Floats:
    """How many different words bear each tag, without regard to capitals."""
    check_aligned(sentences, words, "words", "tags")
    lower = np.unique([word.lower() for row in words for word in row], return_inverse=True)[1]
    pairs = np.unique(tag * (int(lower.max()) + 1) + lower)
    return np.bincount(pairs // (int(lower.max()) + 1), minlength=n_tags).astype(np.float64)


def _standard(values: Floats, share: Floats) -> Floats:
    """With mean 0 and variance 1 over tokens; zero where all are alike."""
    centred = values - share @ values
    deviation = np.sqrt(share @ centred**2)
    if deviation > 1e-9:
        return centred / deviation
    return np.zeros_like(values)
