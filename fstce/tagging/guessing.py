"""A tagging dictionary that guesses the tags of words that it does not list.

It uses a type model P(t | w) twice. An unlisted word may take the fewest tags whose
probabilities reach a mass m, and each of them scores κ log P(t | w) beside its weights:
what a Gaussian prior with mean κ log P(t | w) on the word's emission weights does, and what
is left of it for words that training did not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.estimation.log_linear import log_softmax
from fstce.numeric.remembered import remembered
from fstce.numeric.types import Floats, Ints, Rows
from fstce.tagging.type_model import TypeEvidence, TypeModel

MASS = 0.95
KAPPA = 1.0
_REMEMBERED = 100_000


class GuessingDictionary(TagDictionary):
    """A tagging dictionary that guesses the tags of the words that it does not list.

    ``source``: a type model over tags of `listed`, or what it is learnt from as soon as an unlisted word is
    asked for. ``mass``: an unlisted word takes the fewest tags whose probabilities reach it, of those that
    the dictionary's rule for unlisted words allows. ``kappa``: the weight of log P(t | w) in the score of an
    unlisted word.

    >>> listed = TagDictionary({"walking": "V", "talking": "V", "table": "N", "cable": "N"})
    >>> guessing = GuessingDictionary(listed, TypeEvidence(listed, []), mass=0.5)
    >>> guessing.lookup("table"), guessing.lookup("barking")
    (('N',), ('V',))
    """

    def __init__(
        self,
        listed: TagDictionary,
        source: TypeModel | TypeEvidence,
        mass: float = MASS,
        kappa: float = KAPPA,
    ) -> None:
        super().__init__(listed, listed.tagset, listed.open_class, listed.unseen, listed.counts, listed.usual)
        self.listed, self.source, self.mass, self.kappa = listed, source, mass, kappa
        self._guessed: dict[str, Floats] = {}

    @property
    def model(self) -> TypeModel:
        """The type model; it is learnt here if it has not been."""
        return self.source if isinstance(self.source, TypeModel) else self.source.model

    def lookup(self, word: str) -> tuple[str, ...]:
        """The tags that a word may take, sorted, listed or guessed."""
        if word in self:
            return self[word]
        probability = np.exp(self._logs([word])[0])
        best = np.argsort(-probability, kind="stable")
        # the k most probable tags, k least with Σ P ≥ m
        k = int(np.searchsorted(np.cumsum(probability[best]), self.mass - 1e-12)) + 1
        return tuple(sorted(self.tagset[t] for t in best[:k] if probability[t] > 0))

    def log_scores(self, words: Sequence[str]) -> Floats:
        """κ log P(t | w) of unlisted words, zero for listed ones; nats, shape (words, T)."""
        zero = np.zeros(len(self.tagset))
        guesses = iter(self._logs([word for word in words if word not in self]))
        rows = [zero if word in self else self.kappa * next(guesses) for word in words]
        return np.array(rows).reshape(len(rows), len(zero))

    def _logs(self, words: Sequence[str]) -> list[Floats]:
        """log P(t | w) over the tags that are allowed, shape (T,) each."""
        return remembered(self._guessed, words, _REMEMBERED, self._guess)

    def _guess(self, words: list[str]) -> Floats:
        scores = np.full((len(words), len(self.tagset)), -np.inf)
        columns, allowed = self._columns
        scores[:, allowed] = self.model.log_probabilities(words)[:, columns]
        return log_softmax(scores)

    @cached_property
    def _columns(self) -> tuple[Ints, Ints]:
        """Of the tags that unlisted words may take the model's columns, and those of the tagset."""
        column, number = (
            np.array([tags.index(tag) for tag in self.unlisted_tags])
            for tags in (self.model.tags, self.tagset)
        )
        return column, number


def with_observed(
    dictionary: TagDictionary, sentences: Rows, gold: Rows, *, unlisted: bool = True
) -> TagDictionary:
    """The dictionary in which no word lacks a tag that it is observed with beside those that it may take.

    ``sentences``, ``gold``: tagged sentences. ``unlisted``: whether unlisted words are listed that lack a tag
    of the tagset; words with a tag outside it always are, and it joins the tagset.

    >>> listed = TagDictionary({"walking": "V", "table": "N", "the": "D"}, open_class=["N", "V"])
    >>> found = with_observed(listed, [["the", "such", "table"]], [["D", "D", "X"]])
    >>> found["such"], found["table"], found.tagset
    (('D', 'N', 'V'), ('N', 'X'), ('D', 'N', 'V', 'X'))
    """
    new: dict[str, set[str]] = {}
    for row, tags in zip(sentences, gold, strict=False):
        for word, tag in zip(row, tags, strict=False):
            asked = unlisted or word in dictionary or tag not in dictionary.tagset
            if asked and tag not in dictionary.lookup(word):
                new.setdefault(word, {*dictionary.lookup(word)}).add(tag)
    if not new:
        return dictionary
    if not isinstance(dictionary, GuessingDictionary):
        return dictionary.updated(new)
    return GuessingDictionary(
        dictionary.listed.updated(new), dictionary.source, dictionary.mass, dictionary.kappa
    )
