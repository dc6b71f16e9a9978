"""Readings of tokens: which tags a token may have by an analyser and rules after it.

A stream (:mod:`fstce.corpora.streams`) says of each token what it may be, and after a Constraint
Grammar some tokens of a word have fewer readings than others. To automata a token is a symbol, its
word with its own tags behind it: lattices and neighbors carry what each token may be, and features
are those of the word, which all its tokens share.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.sentence import Sentence
from fstce.corpora.streams import Reading, StreamSentence, Token
from fstce.errors import CorpusError, ParameterError
from fstce.numeric.types import Floats, Rows
from fstce.tagging.answers import Answer
from fstce.wfsa.features import READINGS, TagLookup

OR = "\u2062"  # between the tags behind a word
LEAST = 1e-9  # a probability
LIKELY = 0.01  # the probability of a tag of an unknown word that is guessed
JOINT = "."  # between the symbols of a reading, all of which are its tag

Guesses = Callable[[Token, Sequence[str]], Sequence[Reading]]


@dataclass(frozen=True)
class ReadingTags:
    """The tag of a reading: its first symbol, by a map if there is one, or all of its symbols.

    ``rule``: ``first``, ``full``, or from symbols to tags; a symbol that the map lacks stays.
    """

    rule: str | Mapping[str, str] = "first"

    def tag(self, reading: Reading) -> str | None:
        """The reading's tag; None of an unknown word."""
        if self.rule == "full":
            return JOINT.join(reading.tags) or None
        category = reading.category
        if category is None or isinstance(self.rule, str):
            return category
        return self.rule.get(category, category)

    def of_full(self, tag: str) -> str | None:
        """The tag of readings all of whose symbols are this one."""
        return self.tag(Reading("", "", tuple(tag.split(JOINT))))

    def unmapped(self, rows: Rows) -> list[str]:
        """The tags of a stream that are symbols which the map lacks."""
        dictionary = self.dictionary(rows)
        if isinstance(self.rule, str) or dictionary is None:
            return []
        return sorted({*dictionary.tagset} - {*self.rule.values()})

    def choices(self, token: Token) -> tuple[str, ...]:
        """The distinct tags of a token's readings, in order."""
        return tuple(dict.fromkeys(filter(None, map(self.tag, token.readings))))

    def dictionary(self, rows: Rows) -> TagDictionary | None:
        """The tags that the words of a stream have; None of a text without readings."""
        streams = [row for row in rows if isinstance(row, StreamSentence)]
        if not streams:
            return None

        tags_of_word: dict[str, list[str]] = {}
        for row in streams:
            for word, token in zip(row.words, row.tokens, strict=True):
                tags = self.choices(token)
                if tags:
                    tags_of_word.setdefault(word, []).extend(tags)
        if not tags_of_word:
            raise ParameterError(
                f"{streams[0].source or 'the stream'}: no token has a reading with a tag: does the "
                "analyser know the language?"
            )
        return TagDictionary(tags_of_word)

    def answers(
        self, answers: Mapping[str, Answer], rows: Rows, tagset: Collection[str]
    ) -> dict[str, Answer]:
        """Answers with the tags of this tagset, of a stream's whole readings too."""
        if not any(isinstance(row, StreamSentence) for row in rows):
            return dict(answers)

        def named(tag: str) -> str:
            of_reading = self.of_full(tag) or tag
            return of_reading if tag not in tagset and of_reading in tagset else tag

        return {word: answer.renamed(named) for word, answer in answers.items()}

    def tokens(self, rows: Rows, tags: Sequence[str]) -> Rows:
        """The sentences as symbols, those of a stream with the tags that each token may have."""
        known = frozenset(tags)
        return [
            self._symbols(row, known) if isinstance(row, StreamSentence) else row for row in rows
        ]

    def as_gold(self, rows: Sequence[Sentence]) -> list[Sentence]:
        """The sentences of a stream as words with right tags; other sentences as they are.

        The choices of a token would tell the answer. Raises CorpusError where a token has not one
        tag.
        """
        return [self._right(row) if isinstance(row, StreamSentence) else row for row in rows]

    def _right(self, sentence: StreamSentence) -> Sentence:
        tags: list[str] = []
        for token in sentence.tokens:
            choices = self.choices(token)
            if len(choices) != 1:
                raise CorpusError(
                    f"{sentence.source}: {token.surface!r} has {len(choices)} readings where the "
                    "right one should stand alone"
                )
            tags += choices
        return Sentence(sentence.words, tags, source=sentence.source)

    def _symbols(self, sentence: StreamSentence, tagset: frozenset[str]) -> list[str]:
        symbols = []
        for word, token in zip(sentence.words, sentence.tokens, strict=True):
            tags = [tag for tag in self.choices(token) if tag in tagset]
            symbols.append(f"{word}{READINGS}{OR.join(sorted(tags))}" if tags else word)
        return symbols


@dataclass(frozen=True)
class OfReadings:
    """A dictionary of words as one of symbols.

    A token's own tags, of those that its word may have.
    """

    words: TagLookup

    def lookup_all(self, symbols: Sequence[str]) -> list[tuple[str, ...]]:
        """The tags that each symbol may take."""
        plain = [symbol for symbol in symbols if READINGS not in symbol]
        tags = iter(self.words.lookup_all(plain))
        return [self._own(symbol) if READINGS in symbol else next(tags) for symbol in symbols]

    def _own(self, symbol: str) -> tuple[str, ...]:
        """The tags of the token's readings, those alone that the dictionary lists, if any."""
        word, _, tags = symbol.partition(READINGS)
        own = tuple(tags.split(OR))
        if isinstance(self.words, TagDictionary) and word in self.words:
            return tuple(tag for tag in own if tag in self.words[word]) or own
        return own


def weights_of_symbols(
    names: Sequence[tuple[str, ...]],
    weights: Mapping[tuple[str, ...], float],
    symbol_of_tag: Mapping[str, str],
) -> Floats:
    """The weights of whole readings that believe what those of their first symbols do.

    ``names``: of the features of whole readings. ``weights``: of a tagger of first symbols, by
    name; what it believes of a word with a symbol is shared by the word's readings that have it.
    ``symbol_of_tag``: the first symbol of each whole reading.

    >>> names = [("parts", "n", "v"), ("word", "saw", "n.sg"), ("word", "saw", "n.pl")]
    >>> weights = {("ngram", "n", "v"): 0.5, ("word", "saw", "n"): 1.0}
    >>> weights_of_symbols(names, weights, {"n.sg": "n", "n.pl": "n"}).round(2).tolist()
    [0.5, 0.31, 0.31]
    """
    of_symbols = [
        ("ngram", *name[1:]) if name[0] == "parts" else (*name[:2], symbol_of_tag[name[2]])
        for name in names
    ]
    readings = Counter(name for name in of_symbols if name[0] == "word")
    shared = [weights.get(name, 0.0) - math.log(readings.get(name, 1)) for name in of_symbols]
    return np.array(shared)


def rewritten(
    tagger: Any,
    sentences: Sequence[StreamSentence],
    order: str,
    weight: Callable[[float], str],
    guesses: Guesses | None = None,
) -> list[str]:
    """The bytes of each sentence with the readings of its tokens as the tagger ranks them.

    ``order``: ``best``, the first reading with the tag that the tagger gives, of equally probable
    ones the analyser's first; ``ranked``, all of them, the most probable first; ``weighted``, so
    with ``weight`` of −log P(tag | sentence) behind each. Of a token whose readings have no tag of
    the tagger's it is their first symbols that are ranked; where these are none either, they stay,
    but for those of unknown words where there are ``guesses``: of a token with some tags.
    """
    rule = ReadingTags(tagger.reading_tags)
    first = ReadingTags()
    tagset = tagger.tags_  # once: a product's are sorted whenever they are asked for

    def choose(token: Token, chances: Mapping[str, float]) -> Sequence[Reading]:
        readings: Sequence[Reading] = token.readings
        if guesses is not None:
            readings = guesses(token, [tag for tag, p in chances.items() if p >= LIKELY])
        tags = [rule.tag(reading) or "" for reading in readings]
        if chances.keys().isdisjoint(tags):
            tags = [reading.category or "" for reading in readings]
            of_symbols = defaultdict[str, float](float)
            for tag, chance in chances.items():
                of_symbols[first.of_full(tag) or ""] += chance
            chances = of_symbols
        if chances.keys().isdisjoint(tags):
            return token.readings

        nats = [_nats(chances.get(tag, 0.0)) for tag in tags]
        best_first = sorted(zip(nats, readings, strict=True), key=itemgetter(0))
        if order == "weighted":
            return [reading.weighted(weight(cost)) for cost, reading in best_first]
        number_shown = 1 if order == "best" else len(best_first)
        return [reading for _, reading in best_first[:number_shown]]

    def chances(answer: Any) -> Mapping[str, float]:
        if isinstance(answer, str):
            return {answer: 1.0}
        return {tagset[t]: float(answer[t]) for t in np.flatnonzero(answer).tolist()}

    if order == "best" and getattr(tagger, "decoder", "posterior") == "viterbi":
        answers = tagger.predict(sentences)
    else:
        answers = tagger.predict_proba(sentences)
    return [
        sentence.written([*map(choose, sentence.tokens, map(chances, answer))])
        for sentence, answer in zip(sentences, answers, strict=True)
    ]


def _nats(probability: float) -> float:
    """The weight of a reading, without what rounding brings; nothing, not −0, where it is sure."""
    return max(0.0, round(-math.log(max(probability, LEAST)), 12))
