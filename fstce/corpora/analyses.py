"""From a morphological analysis to a tag: by a rule, a map, a regular expression or a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fstce.errors import DictionaryError
from fstce.numeric.rules import Rule, function, is_listable, mapping, shown

TagRule = Mapping[str, str] | str | Callable[[Sequence[str]], str | None] | None
Analyses = Callable[[str], Iterable[Sequence[str]]]
_TAG = re.compile(r"[+<\[].+")


ANALYSER = function()
TAG_RULE = (mapping(Rule("text")) | (Rule("text") | function())).or_none()


def tags_of(words: Iterable[str], analyses: Analyses, rule: TagRule) -> dict[str, list[str]]:
    """The tags of the words that have any; a word unknown as it stands is looked up in small letters."""
    ANALYSER.check(analyser=analyses)
    TAG_RULE.check(tag=rule)
    tag, found, known = tag_rule(rule), dict[str, list[str]](), 0
    given: list[Any] = list(words) if is_listable(words) else [words]
    if not all(isinstance(word, str) for word in given):
        raise DictionaryError(f"words={shown(words)}: give a list of words")
    for word in dict.fromkeys(given):
        listed = list(analyses(word)) or (list(analyses(word.lower())) if word != word.lower() else [])
        known += bool(listed)
        tags = sorted({one for one in map(tag, listed) if one})
        if tags:
            found[word] = tags
    if not found:
        what = (
            "analyses give no tag; say how to read one with tag=" if known else "analyser knows no word of it"
        )
        raise DictionaryError(f"the text has no word with a tag: the {what}")
    return found


def tag_rule(rule: TagRule) -> Callable[[Sequence[str]], str | None]:
    """How an analysis gives a tag, as a function of its symbols."""
    if rule is None:
        return first_tag
    if isinstance(rule, str):
        return _by_expression(rule)
    if isinstance(rule, Mapping):
        return lambda analysis: next((rule[s] for s in map(_keyed(rule), analysis) if s is not None), None)
    return rule


def first_tag(analysis: Sequence[str]) -> str | None:
    """The first symbol that looks like a tag, without its marks: ``+N``, ``<n>`` or ``[N]``.

    >>> first_tag(("d", "o", "g", "+N", "+Pl")), first_tag(("o", "f"))
    ('N', None)
    """
    symbols = marked(analysis)
    return plain(symbols[0]) or None if symbols else None


def marked(analysis: Sequence[str]) -> list[str]:
    """The symbols that look like a tag."""
    return [symbol for symbol in analysis if _TAG.fullmatch(symbol)]


def plain(symbol: str) -> str:
    """A symbol without its marks."""
    return symbol.strip("+<>[]")


def _keyed(rule: Mapping[str, str]) -> Callable[[str], str | None]:
    """A symbol as the map has it: as it stands, or without its marks."""
    return lambda symbol: symbol if symbol in rule else plain(symbol) if plain(symbol) in rule else None


def _by_expression(text: str) -> Callable[[Sequence[str]], str | None]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise DictionaryError(f"tag={text!r} is no regular expression: {error}") from None

    def tag(analysis: Sequence[str]) -> str | None:
        found = pattern.search("".join(analysis))
        return None if found is None else found[1] if pattern.groups else found[0]

    return tag
