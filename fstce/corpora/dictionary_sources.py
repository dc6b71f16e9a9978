"""Sources of dictionaries: the counts of a tagged corpus or part of it, and analyses.

An analysis gives a tag by a rule: a map, a regular expression or a function.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from fstce.corpora.sentence import Sentence
from fstce.corpora.streams import StreamSentence
from fstce.errors import DictionaryError
from fstce.parameters.rules import FUNCTION, Rule, integer, is_listable, mapping, shown

PRODUCTIVE = 0.99
TagRule = Mapping[str, str] | str | Callable[[Sequence[str]], str | None] | None
Analyses = Callable[[str], Iterable[Sequence[str]]]
_TAG = re.compile(r"[+<\[].+")

TAG_RULE = (mapping(Rule("text")) | (Rule("text") | FUNCTION)).or_none()


def count_tags(
    corpus: Sequence[Sentence], first: int | None = None, min_count: int = 1
) -> tuple[dict[str, dict[str, int]], set[str], set[str]]:
    """The words and tags of a corpus, or of its `first` sentences, seen `min_count` times there.

    Returns of each word that is frequent enough how often it has each of its tags; the tags of open
    classes: the fewest that take 99 % of the words seen once, whether those are listed or not; the
    tagset. A closed class takes a rare word now and then, never many.
    """
    integer(1).or_none().check(first=first)
    integer(1).check(min_count=min_count)
    tagset = {tag for sentence in corpus for _, tag in _tagged(sentence)}
    if not tagset:
        raise DictionaryError("no sentence to make a dictionary of; give a tagged corpus")

    counts = defaultdict[str, dict[str, int]](dict)
    pairs = Counter(chain.from_iterable(map(_tagged, corpus[:first])))
    for (word, tag), count in pairs.items():
        counts[word][tag] = count

    total = {word: sum(by_tag.values()) for word, by_tag in counts.items()}
    listed = {word: by_tag for word, by_tag in counts.items() if total[word] >= min_count}
    once = (tag for word, tags in counts.items() if total[word] == 1 for tag in tags)
    return listed, _productive(once), tagset


def _productive(tags: Iterable[str]) -> set[str]:
    """The most frequent tags, as few as take the share PRODUCTIVE; of equally frequent ones all."""
    times = Counter(tags)
    n_covered = least = 0
    for _, count in times.most_common():
        if n_covered < PRODUCTIVE * times.total():
            least = count
        n_covered += count
    return {tag for tag, count in times.items() if count >= least}


def _tagged(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Its words with their tags; of a stream with all that their readings allow."""
    if isinstance(sentence, StreamSentence) and sentence.tags is None:
        pairs = zip(sentence.words, sentence.tokens, strict=True)
        return ((word, tag) for word, token in pairs for tag in token.categories)
    if sentence.tags is None:
        raise DictionaryError(
            f"{sentence.source or sentence}: no tags to make a dictionary of; a list of words has "
            "a tab between a word and its tags, a tagged text a slash"
        )
    return zip(sentence.words, sentence.tags, strict=True)


def tags_of(words: Iterable[str], analyses: Analyses, rule: TagRule) -> dict[str, list[str]]:
    """The tags of words that have any; one that is unknown is looked up in small letters."""
    FUNCTION.check(analyser=analyses)
    TAG_RULE.check(tag=rule)
    tag_of = tag_rule(rule)
    tokens: list[Any] = list(words) if is_listable(words) else [words]
    if not all(isinstance(word, str) for word in tokens):
        raise DictionaryError(f"words={shown(words)}: give a list of words")

    tags_of_word: dict[str, list[str]] = {}
    for word in dict.fromkeys(tokens):
        listed = list(analyses(word))
        if not listed and word != word.lower():
            listed = list(analyses(word.lower()))
        tags = {tag for tag in map(tag_of, listed) if tag}
        if tags:
            tags_of_word[word] = sorted(tags)

    if not tags_of_word:
        raise DictionaryError(
            "the text has no word with a tag: the analyser knows no word of it, or its analyses "
            "give no tag; say how to read one with tag="
        )
    return tags_of_word


def tag_rule(rule: TagRule) -> Callable[[Sequence[str]], str | None]:
    """How an analysis gives a tag, as a function of its symbols."""
    if rule is None:
        return first_tag
    if isinstance(rule, str):
        return _by_expression(rule)
    if isinstance(rule, Mapping):
        return partial(_by_map, rule)
    return rule


def _by_map(tag_map: Mapping[str, str], analysis: Sequence[str]) -> str | None:
    """The class of the first symbol that has one; a letter of the lemma is no symbol of a tag."""
    for symbol in analysis:
        for name in (symbol, plain(symbol)) if len(symbol) > 1 else ():
            if name in tag_map:
                return tag_map[name]
    return None


def first_tag(analysis: Sequence[str]) -> str | None:
    """The first symbol that looks like a tag, without its marks: ``+N``, ``<n>`` or ``[N]``."""
    for symbol in marked(analysis):
        return plain(symbol) or None
    return None


def marked(analysis: Sequence[str]) -> list[str]:
    """The symbols that look like a tag."""
    return [symbol for symbol in analysis if _TAG.fullmatch(symbol)]


def plain(symbol: str) -> str:
    """A symbol without its marks."""
    return symbol.strip("+<>[]")


def _by_expression(text: str) -> Callable[[Sequence[str]], str | None]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise DictionaryError(f"tag={text!r} is no regular expression: {error}") from None

    def tag(analysis: Sequence[str]) -> str | None:
        match = pattern.search("".join(analysis))
        if match is None:
            return None
        return match[1] if pattern.groups else match[0]

    return tag
