"""What to ask a speaker next: words of a text that a tagger knows least of, or sentences.

A word is worth n + d: of its n tokens d = Σ (1 − max_t P(t | x)) are expected to be tagged wrong.
All of them count, since a dictionary's one tag may not be the text's, and what a tagger is sure of
may be wrong (docs/results/answers.md compares); only tokens to which a stream gives one reading do
not, for no answer changes them. A word that is listed in several capitals is asked once. A sentence
is worth the mean doubt of its words, since its words are what annotating it costs.

Source: least-confidence sampling (Lewis & Gale 1994; Settles & Craven 2008, Eq. 2), of marginals.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fstce.corpora.streams import StreamSentence
from fstce.corpora.words import checked_sentences
from fstce.numeric.types import Floats, Sentences
from fstce.parameters.tables import check_arguments
from fstce.tagging.answers import NOISE
from fstce.tagging.readings import ReadingTags
from fstce.tagging.unknown_words import in_capitals

PLACES = 3  # that a question shows


class Question(NamedTuple):
    """A word whose tags are worth asking for.

    Attributes
    ----------
    word : str
    tags : tuple of str
        Those that it may take, the one that the tagger finds most often first; of a word that the
        dictionary does not list those that it finds in one place of twenty.
    count : int
        Its tokens in the text, in any capitals.
    places : tuple of (int, int)
        Up to three, each the number of a sentence and of a word in it, from 0: where the tagger is
        surest of each of the first tags.
    """

    word: str
    tags: tuple[str, ...]
    count: int  # type: ignore[assignment]  # a tuple's own method
    places: tuple[tuple[int, int], ...]


class SentenceSuggestion(NamedTuple):
    """A sentence that is worth being tagged by hand.

    ``sentence``: its place in the text, from 0. ``errors``: how many of its words are expected to
    be tagged wrong. ``tags``: the most probable tag of each word, to be corrected.
    """

    sentence: int
    errors: float
    tags: tuple[str, ...]


def questions(
    tagger: Any, sentences: Sentences, number: int = 20, answered: Iterable[str] = ()
) -> list[Question]:
    """The words of a raw text whose tags are worth most to know, best first.

    ``tagger``: or a product of taggers. ``answered``: words that are not asked for; neither are
    those of which the dictionary knows the usual tag, nor punctuation and numbers of one tag. Fewer
    than `number` where there are no more.

    >>> from fstce import Tagger
    >>> text = [["we", "fish"], ["we", "swim"], ["fish", "swim"]]
    >>> dictionary = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=dictionary)
    >>> questions(tagger, text, 1)
    [Question(word='fish', tags=('N', 'V'), count=2, places=((2, 0), (0, 1)))]
    """
    check_arguments(number=number)
    rows = checked_sentences(sentences)
    dictionary = tagger.dictionary_
    count = Counter(word for row in rows for word in row)
    folded = {word.casefold() for word in answered}
    tags_of_word: dict[str, tuple[str, ...]] = {}
    for word in count:
        tags = dictionary.lookup(word)
        is_settled = word in dictionary.counts or word in dictionary.usual
        is_spelt = any(map(str.isalpha, word))
        if word.casefold() not in folded and not is_settled and (is_spelt or len(tags) > 1):
            tags_of_word[word] = tags
    topic = _topics(tags_of_word, count)
    if not topic:
        return []

    tables = tagger.predict_proba(rows)
    reading = ReadingTags(tagger.reading_tags)
    places = defaultdict[str, list[tuple[int, int]]](list)
    worth = defaultdict[str, float](float)
    for r, row in enumerate(rows):
        doubts = _doubts(tables[r]).tolist()
        for i, word in enumerate(row):
            if word not in topic:
                continue
            places[topic[word]].append((r, i))
            # no answer changes what a stream gives one tag
            if not isinstance(row, StreamSentence) or len(reading.choices(row.tokens[i])) != 1:
                worth[topic[word]] += 1 + doubts[i]

    best = sorted(worth, key=lambda word: (-worth[word], word))[:number]
    asked = []
    for word in best:
        table = np.array([tables[r][i] for r, i in places[word]])
        # what is not listed may take nearly every tag
        asked.append(_question(word, dictionary.get(word), tagger.tags_, table, places[word]))
    return asked


def suggest_sentences(
    tagger: Any, sentences: Sentences, n: int = 20, labelled: Sentences = ()
) -> list[SentenceSuggestion]:
    """The sentences of a raw text of which least is known a word, best first.

    A sentence that the text repeats is named once, one of ``labelled`` not at all.

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
    errors = np.array([float(_doubts(table).sum()) for table in tables])
    best = np.argsort(-errors / np.array([len(row) for row in rows]), kind="stable")
    named = {tuple(row) for row in labelled}
    suggested: list[SentenceSuggestion] = []
    for i in best.tolist():
        if len(suggested) == n:
            break
        words = tuple(rows[i])
        if words in named:
            continue

        named.add(words)
        tags = map(tagger.tags_.__getitem__, tables[i].argmax(axis=1).tolist())
        suggested.append(SentenceSuggestion(i, float(errors[i]), tuple(tags)))
    return suggested


def _doubts(table: Floats) -> Floats:
    """How probably the likeliest tag of each word is wrong, (words,), of posteriors (words, T)."""
    return np.maximum(1 - table.max(axis=1), 0.0)


def _topics(asked: dict[str, tuple[str, ...]], count: Mapping[str, int]) -> dict[str, str]:
    """Of each word the one that is asked: the commonest in other capitals with all its tags."""
    topic = {}
    for variants in in_capitals(asked).values():
        commonest = max(variants, key=lambda word: count[word])
        for word in variants:
            topic[word] = commonest if {*asked[word]} <= {*asked[commonest]} else word
    return topic


def _question(
    word: str,
    listed: Sequence[str] | None,
    tags: Sequence[str],
    table: Floats,
    places: list[tuple[int, int]],
) -> Question:
    """The question about a word of these posteriors, shape (tokens, T), at these places."""
    belief = dict(zip(tags, table.mean(axis=0).tolist(), strict=True))
    likely = listed or [tag for tag in tags if belief[tag] >= NOISE]
    ordered = sorted(likely, key=lambda tag: (-belief[tag], tag))
    sure = table.round(6)  # of places as sure the first, whatever the last digits are
    surest = [int(sure[:, tags.index(tag)].argmax()) for tag in ordered[:PLACES]]
    first = [*dict.fromkeys([*surest, *range(len(table))])][:PLACES]
    return Question(word, tuple(ordered), len(table), tuple(places[token] for token in first))
