"""Readings of words that an analyser does not know, as known words with their ending have them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fstce.corpora.streams import Reading, StreamSentence, Token
from fstce.corpora.words import common_ends
from fstce.tagging.readings import ReadingTags

ENDING = 5  # letters
MARK = "guess"  # the last symbol of a reading
_RESERVED = re.compile(r"[\^$/\\<>{}*@#+~\[\]]")


class Inflection(NamedTuple):
    """The end of a word, what its lemma has in this place, and the symbols of the reading."""

    ending: str
    of_lemma: str
    tags: tuple[str, ...]


class Guesser:
    """From an unknown word of a stream and tags to readings.

    ``sentences``: of a stream; each of their known words with a reading counts once. ``rule``: that
    of the tagger, whose tags are asked for.
    """

    def __init__(self, sentences: Iterable[StreamSentence], rule: ReadingTags) -> None:
        self._rule = rule
        self._counts = defaultdict[tuple[str, str], Counter[Inflection]](Counter)
        tokens = {token for sentence in sentences for token in sentence.tokens}
        for word, reading in {(token.surface, r) for token in tokens for r in token.readings}:
            tag = rule.tag(reading)
            if tag is None or "+" in reading.tags:
                continue
            stem, _ = common_ends([*map(str.lower, word)], [*map(str.lower, reading.lemma)])
            inflection = Inflection(word[stem:], reading.lemma[stem:], reading.tags)
            for ending in _endings(word):
                self._counts[tag, ending][inflection] += 1

    def __call__(self, token: Token, tags: Sequence[str]) -> Sequence[Reading]:
        """Readings of an unknown word with these tags by its ending; of another token its own."""
        if not token.readings or self._rule.choices(token):
            return token.readings
        guessed = (self._reading(token, tag) for tag in tags)
        return [*filter(None, guessed)] or token.readings

    def _reading(self, token: Token, tag: str) -> Reading | None:
        """The commonest reading with the tag of words with the longest ending that has one."""
        for ending in _endings(token.surface):
            counts = self._counts.get((tag, ending), Counter())
            fitting = [one for one in counts if token.surface.endswith(one.ending)]
            if fitting:
                best = max(fitting, key=lambda one: (counts[one], one))
                return _inflected(token, best)
        return None


def _endings(word: str) -> list[str]:
    """The longest first; the last one is of any word."""
    return [word[start:] for start in range(max(len(word) - ENDING, 0), len(word) + 1)]


def _inflected(token: Token, inflection: Inflection) -> Reading:
    """The reading, with its mark, in the format of the one of an unknown word."""
    lemma = token.surface.removesuffix(inflection.ending) + inflection.of_lemma
    unknown = token.readings[0].raw
    if unknown.startswith("/"):
        tags = "".join(f"<{tag}>" for tag in (*inflection.tags, MARK))
        raw = "/" + _RESERVED.sub(r"\\\g<0>", lemma) + tags
    else:
        indent, *_ = unknown.partition('"')
        raw = indent + " ".join([f'"{lemma}"', *inflection.tags, f"<{MARK}>"])
    return Reading(raw, lemma, inflection.tags)
