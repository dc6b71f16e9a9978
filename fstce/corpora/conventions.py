"""How a corpus cuts running text into words, as a small value that a model keeps.

Treebanks differ in what is a word of its own: ``n't`` and ``'s`` in the Penn Treebank, ``l'``
and ``du`` = ``de`` + ``le`` in a French one of Universal Dependencies, none of them in a
Turkish one. A :class:`Conventions` says which beginnings and endings are cut off, which words
stay whole, which are written together, and how brackets and quotation marks are spelt;
:mod:`fstce.corpora.recognition` reads all of it off a corpus.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

import regex

from fstce.corpora.words import with_brackets_named
from fstce.errors import ParameterError

_ENDINGS = ("n't", "'s", "'m", "'d", "'ll", "'re", "'ve")
_TOGETHER = ("can not", "gon na", "wan na", "got ta", "gim me", "lem me")
BLANK = r"\s\x1c-\x1f"  # what str.split takes for white space
LETTER = r"[\p{L}\p{M}\p{N}\p{Pc}\u00ad\u200c\u200d]"
_PIECE = rf"""
    -[LR][RSC]B-                                            # brackets of the Penn Treebank
    | <(?:epsilon|sigma|/?s|unk)>                           # symbols, which are refused as words
    | (?:https?://|ftp://|www\.)[^{BLANK}]*[^{BLANK}.,;:?!)'"»”’]  # addresses
    | [\p{{L}}\p{{M}}\p{{N}}_.%+-]{{1,64}}@{LETTER}[\p{{L}}\p{{N}}-]{{0,63}}
      (?:\.[\p{{L}}\p{{N}}-]{{1,63}})+                      # of mail
    | (?<![^{BLANK}])[:;=]['’]?[-o]?[)(\]\[DPpO/\\|*3](?![^{BLANK}])|(?<![^{BLANK}])<3(?![^{BLANK}])
    | (?<!{LETTER})[\#@]\p{{L}}{LETTER}*+                   # hashtags and names
    | ``|''|--+|—|–|\.\.+|…                                 # quotation marks, dashes, dots
    | (?<!{LETTER})\L<whole>(?!{LETTER})                    # words with marks at their edges
    | ['’](?i:s|m|d|ll|re|ve)(?!{LETTER})                   # the ends of contractions
    | \d(?:[\d.,:/]*\d)?(?:{LETTER}|[-'’]{LETTER})*+        # numbers
    | (?:\p{{L}}\p{{M}}*\.){{2,}}                           # U.S.
    | {LETTER}++(?:(?:(?!--)[-.&/'’ʼ·‧‐‑׳״]|(?<=\p{{Hebrew}}\p{{M}}?)"(?=\p{{Hebrew}})){LETTER}++)*+
    | \p{{RI}}{{1,2}} | (?![{BLANK}])\X        # flags; any other character with its marks
"""
_WORD = regex.compile(rf"{LETTER}+(?:[-.&/'’]{LETTER}+)*")
Pairs = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Conventions:
    """Rules for what is a word of its own; strings are in lower case, apostrophes straight.

    Parameters
    ----------
    name : {"english", "penn", "ud", "corpus", "spaces"}
        What messages call them; ``"spaces"`` cuts at white space only.
    beginnings : tuple of str
        Cut off before a word, with their apostrophe: ``"l'"``.
    endings : tuple of str
        Cut off behind a word: ``"n't"``, ``"-il"``.
    whole : tuple of str
        Words that stay whole although the rules would cut them: ``"o'clock"``, ``"etc."``.
    together : tuple of (str, tuple of str)
        What is written as one word and is several: ``("du", ("de", "le"))``.
    hyphens : bool
        Whether a hyphen may stand inside a word.
    brackets : bool
        Whether brackets are spelt ``-LRB-`` and so on.
    quotes : bool
        Whether quotation marks are spelt as opening and closing ones, two grave accents and
        two apostrophes.
    straight : bool
        Whether a curved apostrophe is spelt as a straight one.

    Examples
    --------
    >>> Conventions.from_dict(PENN.to_dict()) == PENN
    True
    >>> print(PENN)
    Penn Treebank (-LRB-, ``; n't 's 'm 'd 'll 're 've apart; cannot … as several words)
    """

    name: str = "english"
    beginnings: tuple[str, ...] = ()
    endings: tuple[str, ...] = _ENDINGS
    whole: tuple[str, ...] = ()
    together: Pairs = ()
    hyphens: bool = True
    brackets: bool = False
    quotes: bool = False
    straight: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Lists, strings and dicts, for a manifest."""
        data = asdict(self)
        for name, value in data.items():
            if isinstance(value, tuple):
                data[name] = list(value)
        return data | {"together": {word: list(words) for word, words in self.together}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Conventions:
        """The conventions that :meth:`to_dict` took apart; what is missing is as in English.

        Raises
        ------
        ParameterError
            An entry is unknown or of a wrong type.
        """
        types = {field.name: type(field.default) for field in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in data.items():
            if name == "together" and isinstance(value, Mapping):
                value = tuple((str(word), tuple(map(str, words))) for word, words in value.items())
            elif isinstance(value, list) and all(isinstance(item, str) for item in value):
                value = tuple(value)
            if name not in types or not isinstance(value, types[name]):
                raise ParameterError(f"conventions: {name}={value!r} is none of {', '.join(types)}")
            values[name] = value
        return cls(**values)

    def __str__(self) -> str:
        """One line for a person."""
        if self.name == "spaces":
            return "words as white space separates them"
        apart = " ".join((*self.beginnings, *self.endings)[:12])
        facts = []
        if self.brackets or self.quotes:
            facts.append(", ".join(["-LRB-"] * self.brackets + ["``"] * self.quotes))
        if apart:
            facts.append(f"{apart} apart")
        for word, _ in self.together[:1]:
            facts.append(f"{word} … as several words")

        names = {
            "english": "English",
            "penn": "Penn Treebank",
            "ud": "Universal Dependencies",
            "corpus": "the corpus",
        }
        name = names.get(self.name, self.name)
        return f"{name} ({'; '.join(facts)})" if facts else name

    def spelling(self, text: str, opens: bool) -> tuple[str, ...]:
        """The words that a stretch of text is.

        ``text``: a token as it stands in the line. ``opens``: whether it stands at the beginning of
        what is quoted, if it is a quotation mark.
        """
        words = self._together.get(fold(text))
        if words is not None:
            if "".join(words) == fold(text):
                return (text[: len(words[0])], *words[1:])
            return _cased(text, words)
        if self.brackets and with_brackets_named(text) != text:
            return (with_brackets_named(text),)
        if self.quotes and text in _DOUBLE:
            closes = text == "”" or (text in ('"', "''") and not opens)
            return ("''" if closes else "``",)
        if self.straight:
            return (text.replace("’", "'"),)
        return (text,)

    @cached_property
    def piece(self) -> regex.Pattern[str]:
        """The pattern of a word or a mark before beginnings and endings are cut from it."""
        # Others are met as words by the pattern, and then kept.
        marked = [word for word in self.whole if not _WORD.fullmatch(word) and word[-1] != "."]
        marked += [word for word in self.beginnings if word[-1:] == "'"] or ["\0"]
        variants = {
            form for word in marked for form in (word, word.replace("'", "’"), word.upper())
        }
        return regex.compile(
            _PIECE, regex.VERBOSE, whole={*variants, *map(str.capitalize, variants)}
        )

    @cached_property
    def exceptions(self) -> frozenset[str]:
        """The words that stay whole."""
        return frozenset(self.whole)

    @cached_property
    def beginning(self) -> regex.Pattern[str]:
        """The pattern of what is cut off before a word."""
        return _any_of(self.beginnings, "")

    @cached_property
    def ending(self) -> regex.Pattern[str]:
        """The pattern of what is cut off behind a word."""
        return _any_of(self.endings, r"\Z")

    @cached_property
    def longest(self) -> int:
        """How many letters an ending has at most."""
        return max(map(len, self.endings), default=0)

    @cached_property
    def _together(self) -> dict[str, tuple[str, ...]]:
        return dict(self.together)


_DOUBLE = frozenset({'"', "“", "”", "„", "``", "''"})
ENGLISH = Conventions()
SPACES = Conventions("spaces", endings=())
PENN = Conventions(
    "penn",
    together=tuple((pair.replace(" ", ""), tuple(pair.split())) for pair in _TOGETHER),
    brackets=True,
    quotes=True,
    straight=True,
)


def _any_of(texts: tuple[str, ...], behind: str) -> regex.Pattern[str]:
    """The pattern of folded texts, however they are written."""
    spelt = [text.replace("'", mark) for text in texts or ["\0"] for mark in "'’"]
    return regex.compile(rf"\L<spelt>{behind}", regex.IGNORECASE, spelt=spelt)


def fold(text: str) -> str:
    """The key under which conventions keep a text: lower case, straight apostrophes."""
    return text.lower().replace("’", "'")


def _cased(text: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with the capitals of the text: ``Du`` is ``De le``, ``DU`` is ``DE LE``."""
    if len(text) > 1 and text.isupper():
        return tuple(map(str.upper, words))
    if text[:1].isupper():
        return (words[0].capitalize(), *words[1:])
    return words
