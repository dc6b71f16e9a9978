"""Products of taggers and of parsers: several trainings vote by multiplying what they believe.

Petrov (2010) multiplies independently trained grammars; the same for taggers comes in
two forms. The product of *posteriors* multiplies, word by word, the tag probabilities of
each member. The product of *machines* is exact for log-linear models: weights add, so
that the intersection of the weighted automata is one tagger again, which can be saved,
exported and decoded like any other. Grammars multiply their edge posteriors, and the
tree of the most probable edges is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.errors import ParameterError
from fstce.estimation.estimator import checked_sentences
from fstce.machines.symbols import FIRST_WORD_ID, Symbols
from fstce.numeric.kernels import total
from fstce.numeric.rules import instance, sequence
from fstce.numeric.types import Floats, Ints, Sentences
from fstce.numeric.votes import multiplied
from fstce.tagging.tagger import Tagger
from fstce.tagging.type_model import GuessingDictionary
from fstce.tagging.weighted import WeightedTagger
from fstce.wfsa.features import TagFeatures


class TaggerProduct:
    """The product of trained taggers' posteriors.

    Parameters
    ----------
    taggers : sequence of Tagger
        Trained, with one tagset.

    Raises
    ------
    ParameterError
        There is none, or their tagsets differ.
    """

    def __init__(self, taggers: Sequence[Tagger]) -> None:
        sequence(instance("a Tagger", "Tagger"), least=1).check(taggers=taggers)
        self.taggers = list(taggers)
        self.tags_ = self.taggers[0].tags_
        for number, tagger in enumerate(self.taggers, 1):
            if tagger.tags_ != self.tags_:
                raise ParameterError(f"tagger {number} has another tagset than the first; products need one")

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """Π of the members' posteriors, normalized: for each sentence shape (words, tags)."""
        rows = checked_sentences(sentences)
        tables = zip(*(tagger.predict_proba(rows) for tagger in self.taggers), strict=True)
        return [multiplied(members) for members in tables]

    def predict(self, sentences: Sentences) -> list[list[str]]:
        """The most probable tag of every word under the product."""
        return [[self.tags_[t] for t in table.argmax(axis=1)] for table in self.predict_proba(sentences)]

    def intersect(self) -> Tagger:
        """The product of the members' machines, as one tagger: the weights of equal features add.

        A feature that a member lacks weighs zero there, as in its own machine.

        Raises
        ------
        ParameterError
            The orders differ.
        """
        first = self.taggers[0]
        if any(tagger.features_.order != first.features_.order for tagger in self.taggers):
            raise ParameterError("taggers of different orders have no common tag history; use predict")
        if any(tagger.features_.describe != first.features_.describe for tagger in self.taggers):
            raise ParameterError(
                "taggers with different features of tokens have no common weights; use predict"
            )
        product = Tagger(**first.get_params())
        summed = _summed([(t.features_, t.theta_) for t in self.taggers])
        product._adopt(_with_guess(*summed, [tagger.dictionary_ for tagger in self.taggers]))
        return product


def _with_guess(
    features: TagFeatures, theta: Floats, dictionaries: Sequence[TagDictionary]
) -> WeightedTagger:
    """The sum of weights, with the first member's guesses of unlisted words at the sum of all κ."""
    first = dictionaries[0]
    if not isinstance(first, GuessingDictionary):
        return WeightedTagger(features, theta, first)
    kappa = sum(one.kappa for one in dictionaries if isinstance(one, GuessingDictionary))
    guessing = GuessingDictionary(first.listed, first.model, first.mass, kappa)
    return WeightedTagger(replace(features, guess=guessing), theta, guessing)


def _summed(members: Sequence[tuple[TagFeatures, Floats]]) -> tuple[TagFeatures, Floats]:
    """The union of the features, and for each the sum of its weights."""
    width = len(members[0][0].tags)
    symbols = Symbols(word for features, _ in members for word in features.symbols)
    spellings = tuple(sorted({name for features, _ in members for name in features.spellings}))
    number = {name: i for i, name in enumerate(spellings)}
    ngrams, words, signs = [], [], []
    for features, theta in members:
        n, p = len(features.ngrams), len(features.word)
        known = np.append(np.arange(FIRST_WORD_ID), symbols.ids(list(features.symbols))).astype(np.int64)
        sign = np.array([number[name] for name in features.spellings], dtype=np.int64)
        ngrams.append((features.ngrams, theta[:n]))
        words.append((known[features.word] * width + features.tag, theta[n : n + p]))
        signs.append((sign[features.spelling] * width + features.spelling_tag, theta[n + p :]))
    (codes, ngram), (pairs, word), (spelled, spelling) = map(_added, (ngrams, words, signs))
    features = TagFeatures(
        members[0][0].tags,
        members[0][0].order,
        symbols,
        codes,
        *np.divmod(pairs, width),
        spellings,
        *np.divmod(spelled, width),
    )
    return features, np.concatenate((ngram, word, spelling))


def _added(columns: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """The distinct keys, ascending, and the sum of the weights of each."""
    keys, inverse = np.unique(np.concatenate([keys for keys, _ in columns]), return_inverse=True)
    return keys, total(inverse, np.concatenate([weights for _, weights in columns]), len(keys))
