"""What to annotate next: the words or the sentences of a raw text that a tagger knows least of.

What an annotation is worth is measured by the errors that the tagger expects to make: a word
whose most probable tag has the posterior p is wrong with probability 1 − p. A word of the
dictionary-to-be is worth the sum over its tokens, so that frequent words count; a sentence
the mean over its words, since its words are what annotating it costs. Listed words need no entry.

Source: least-confidence sampling (Lewis & Gale 1994; Settles & Craven 2008, Eq. 2), of marginals.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.estimation.estimator import checked_sentences
from fstce.estimation.rules import check_arguments
from fstce.numeric.types import Floats, Ints, Sentences

LIKELY = 0.05  # tags that are proposed have at least this share of a word's posterior


class Posteriors(Protocol):
    """What is needed of a tagger, or of a product of taggers."""

    @property
    def tags_(self) -> tuple[str, ...]:
        """The tagset."""

    @property
    def dictionary_(self) -> TagDictionary:
        """The tags of every word."""

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """Posteriors, for each sentence shape (words, tags)."""


class WordSuggestion(NamedTuple):
    """A word that is worth an entry in the dictionary.

    ``errors``: how many of them are expected to be tagged wrong. ``tags``: the tags that it is believed to
    have, the most probable first. ``sentence``: where it stands in the text, the token of which least is
    known; from 0.
    """

    word: str
    tokens: int
    errors: float
    tags: tuple[str, ...]
    sentence: int


class SentenceSuggestion(NamedTuple):
    """A sentence that is worth being tagged by hand.

    ``sentence``: its place in the text, from 0. ``errors``: how many of its words are expected to be tagged
    wrong. ``tags``: the most probable tag of each word, to be corrected.
    """

    sentence: int
    errors: float
    tags: tuple[str, ...]


def suggest_words(
    tagger: Posteriors, sentences: Sentences, n: int = 20, known: Iterable[str] = ()
) -> list[WordSuggestion]:
    """The unlisted words of a raw text that are worth most in the dictionary, best first.

    ``known``: words that are not asked for either, such as those listed since the training. Returns fewer
    where fewer words are not listed.

    >>> from fstce import Tagger
    >>> text = [["we", "fish"], ["we", "swim"], ["we", "run"], ["we", "run"]]
    >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2, mass=1.0).fit(text, dictionary=tags)
    >>> [(found.word, found.tokens) for found in suggest_words(tagger, text)]
    [('run', 2)]
    """
    check_arguments(n=n)
    rows = checked_sentences(sentences)
    listed = {*tagger.dictionary_, *known}
    words, place, table = _tokens(rows, tagger.predict_proba(rows), listed)
    if not words:
        return []
    names, number, counts = np.unique(np.array(words, dtype=object), return_inverse=True, return_counts=True)
    doubt = 1 - table.max(axis=1)
    # errors(w) = Σ over tokens i of w (1 − max_t P(t | x, i)); belief(w, t) = Σ P(t | x, i)
    errors = np.bincount(number, doubt)
    belief = np.stack([np.bincount(number, column) for column in table.T], axis=1)
    # The last token of each word in the order of doubt is the one of which least is known.
    least = np.zeros(len(names), dtype=np.int64)
    order = np.argsort(doubt, kind="stable")
    least[number[order]] = place[order]
    best = np.argsort(-errors, kind="stable")[:n]
    return [
        WordSuggestion(
            str(names[w]), int(counts[w]), float(errors[w]), _likely(belief[w], tagger.tags_), int(least[w])
        )
        for w in best
    ]


def suggest_sentences(tagger: Posteriors, sentences: Sentences, n: int = 20) -> list[SentenceSuggestion]:
    """The sentences of a raw text of which least is known a word, best first.

    >>> from fstce import Tagger
    >>> text = [["we", "fish"], ["we", "swim"]]
    >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=tags)
    >>> [found.sentence for found in suggest_sentences(tagger, text, n=1)]
    [0]
    """
    check_arguments(n=n)
    rows = checked_sentences(sentences)
    tables = tagger.predict_proba(rows)
    errors = np.array([float((1 - table.max(axis=1)).sum()) for table in tables])
    best = np.argsort(-errors / np.array([len(row) for row in rows]), kind="stable")[:n]
    return [
        SentenceSuggestion(
            int(i), float(errors[i]), tuple(tagger.tags_[t] for t in tables[i].argmax(axis=1).tolist())
        )
        for i in best
    ]


def _tokens(
    rows: Sequence[Sequence[str]], tables: Iterable[Floats], listed: Container[str]
) -> tuple[list[str], Ints, Floats]:
    """The tokens of unlisted words: the words, the number of each one's sentence, and the posteriors."""
    words = [word for row in rows for word in row]
    kept = np.flatnonzero([word not in listed for word in words])
    place = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return [words[i] for i in kept.tolist()], place[kept], np.concatenate(list(tables))[kept]


def _likely(belief: Floats, tags: Sequence[str]) -> tuple[str, ...]:
    order = np.argsort(-belief, kind="stable")
    return tuple(tags[t] for t in order.tolist() if belief[t] >= LIKELY * belief.sum())
