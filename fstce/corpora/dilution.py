"""What a tagged corpus says about its words, all of it or part: the counts behind a tagging dictionary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from fstce.corpora.sentence import Sentence
from fstce.errors import DictionaryError
from fstce.numeric.rules import integer, is_listable, shown

PRODUCTIVE = 0.99


class WordTags(NamedTuple):
    """What a dictionary is made of.

    ``listed``: of each word that is frequent enough how often it has each of its tags. ``productive``: the
    tags of open classes: the fewest that take 99 % of the words seen once, whether those are listed or not. A
    closed class takes a rare word now and then, never many.
    """

    listed: dict[str, dict[str, int]]
    productive: set[str]
    tagset: set[str]


def count_tags(sentences: Iterable[Sentence], first: int | None = None, min_count: int = 1) -> WordTags:
    """The words and tags of a corpus, of its `first` sentences if given, seen `min_count` times in these."""
    integer(1).or_none().check(first=first)
    integer(1).check(min_count=min_count)
    if not is_listable(sentences):
        raise DictionaryError(f"sentences={shown(sentences)}: give a list of sentences with tags")
    corpus = list(sentences)
    pairs = Counter(pair for sentence in islice(corpus, first) for pair in _tagged(sentence))
    tagset = {tag for sentence in corpus for _, tag in _tagged(sentence)}
    if not tagset:
        raise DictionaryError("no sentence to make a dictionary of; give a tagged corpus")
    counts: Counter[str] = Counter()
    for (word, _), count in pairs.items():
        counts[word] += count
    listed: dict[str, dict[str, int]] = {}
    for (word, tag), n in pairs.items():
        if counts[word] >= min_count:
            listed.setdefault(word, {})[tag] = n
    return WordTags(listed, _productive(tag for word, tag in pairs if counts[word] == 1), tagset)


def _productive(tags: Iterable[str]) -> set[str]:
    """The most frequent tags, as few as take the share PRODUCTIVE; of equally frequent ones all."""
    times = Counter(tags)
    wanted, taken, last = PRODUCTIVE * times.total(), 0, 0
    found = set()
    for tag, count in times.most_common():
        if taken >= wanted and count < last:
            break
        found.add(tag)
        taken, last = taken + count, count
    return found


def _tagged(sentence: Sentence) -> Iterator[tuple[str, str]]:
    if not isinstance(sentence, Sentence):
        raise DictionaryError(f"{shown(sentence)} is no sentence with tags; see fstce.corpora.Sentence")
    if sentence.tags is None:
        raise DictionaryError(f"{sentence.source or sentence}: the sentence carries no tags to learn from")
    return zip(sentence.words, sentence.tags, strict=True)
