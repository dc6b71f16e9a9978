"""The conventions of a corpus, read off its words.

A treebank is the best witness of its own tokenization: words that end in an apostrophe are cut
off before others, words that begin with one are cut off behind; multiword ranges list what is
written together; whatever the rules found so far would cut and the corpus mostly does not is an
exception. Where the corpus tells how its words are written (``SpaceAfter=No``), only words
that touch count.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice, pairwise
from operator import itemgetter

import regex

from fstce.corpora.conventions import ENGLISH, PENN, SPACES, Conventions, fold
from fstce.corpora.running_text import tokenize
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import ESCAPED
from fstce.numeric.types import Rows

_BEGINNING = regex.compile(r"[\p{L}\p{M}]+'")
_ENDING = regex.compile(r"['-][\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*|n't")
_INSIDE = regex.compile(r"[\p{L}\p{N}]-[\p{L}\p{N}]")
_HANGING = regex.compile(r"[\p{L}\p{N}][,;:!?]")
MOST = 20_000  # exceptions that a model keeps, the most frequent first


def recognize(sentences: Iterable[Sentence]) -> Conventions:
    """The conventions by which a corpus was cut into words.

    Parameters
    ----------
    sentences : iterable of Sentence
        Read once.

    Returns
    -------
    Conventions

    Examples
    --------
    >>> rows = ["l' homme d' hier l' a dit à l' eau d' ici", "d'abord dans l' eau"]
    >>> found = recognize(Sentence(row.split()) for row in rows)
    >>> found.beginnings, found.whole
    (("d'", "l'"), ("d'abord",))
    """
    counts = _Counts()
    for sentence in sentences:
        counts.add(sentence)
    if not counts.words:
        return ENGLISH
    if counts.hanging > counts.marks:
        return SPACES

    endings = set(_frequent(counts.endings, counts.laid_out))
    if "n't" in endings:  # English: what a small corpus lacks is as in others
        endings.update(ENGLISH.endings)
    together = PENN.together
    if counts.name != "penn":
        together = tuple(sorted(_together(counts)))
    rules = Conventions(
        counts.name,
        tuple(sorted(_frequent(counts.beginnings, counts.laid_out))),
        tuple(sorted(endings)),
        together=together,
        hyphens=counts.inside >= counts.words["-"],
        brackets=not ESCAPED.isdisjoint(counts.words),
        quotes="``" in counts.words,
        straight=not any("’" in word for word in counts.words),
    )
    return replace(rules, whole=tuple(sorted(set(_exceptions(counts, rules)))))


def conventions_of(sentences: Rows) -> Conventions | None:
    """The conventions by which sentences were cut into words; None of bare lists of words.

    Those of the reader of running text, if it has cut them, or else :func:`recognize`.

    >>> conventions_of([["a", "list"]]) is None
    True
    """
    read = [sentence for sentence in sentences if isinstance(sentence, Sentence)]
    if not read or len(read) < len(sentences):
        return None
    used = {sentence.conventions for sentence in read}
    if len(used) == 1 and None not in used:
        return used.pop()
    return recognize(read)


class _Counts:
    """The counts of a corpus that tell its conventions."""

    def __init__(self) -> None:
        self.words = Counter[str]()
        self.beginnings = Counter[str]()
        self.endings = Counter[str]()
        self.pairs = Counter[tuple[str, str]]()  # of which one may be cut off the other
        self.several = defaultdict[str, Counter[tuple[str, ...]]](Counter)
        self.laid_out = False
        self.hanging = self.marks = self.inside = 0

    @property
    def name(self) -> str:
        """The name of the conventions."""
        if self.laid_out:
            return "ud"
        if "``" in self.words or not ESCAPED.isdisjoint(self.words):
            return "penn"
        return "corpus"

    def add(self, sentence: Sentence) -> None:
        """Count a sentence."""
        self.words.update(sentence.words)
        words = list(map(fold, sentence.words))
        # Where nothing is known of spans, every word may touch its neighbors.
        starts = ends = list(range(len(words) + 1))
        if sentence.spans is not None:
            self.laid_out = True
            starts = [*(start for start, _ in sentence.spans), -1]
            ends = [-1, *(end for _, end in sentence.spans)]

        for i, word in enumerate(words):
            if i and ends[i] == starts[i] and _may_be_cut((words[i - 1], word)):
                self.pairs[words[i - 1], word] += 1
            if ends[i] != ends[i + 1] and starts[i] != starts[i + 1]:
                self._add_word(word, ends[i + 1] == starts[i + 1], ends[i] == starts[i])
        for surface, parts in _several(sentence):
            self.several[fold(surface)][parts] += 1

    def _add_word(self, word: str, before: bool, behind: bool) -> None:
        """Count a word that touches the next one, or the one before it."""
        if word.isalpha():  # as most are, of which no pattern asks
            return
        if before and _BEGINNING.fullmatch(word):
            self.beginnings[word] += 1
        if behind and _ENDING.fullmatch(word) and (self.laid_out or word[0] != "-"):
            self.endings[word] += 1
        self.inside += _INSIDE.search(word) is not None
        self.hanging += _HANGING.search(word) is not None
        self.marks += word in (",", ";", ":", "!", "?", ".")


def _several(sentence: Sentence) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The texts that are written as one word and are several, each with its words."""
    placed = zip(sentence.spans or (), sentence.words, strict=False)
    for span, group in groupby(placed, itemgetter(0)):
        words = tuple(fold(word) for _, word in group)
        if len(words) > 1:
            yield sentence.text[slice(*span)], words


def _together(counts: _Counts) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The texts that are more often several words than one, with these."""
    single = Counter[str]()
    for word, n in counts.words.items():
        if fold(word) in counts.several:
            single[fold(word)] += n
    for surface, rows in counts.several.items():
        words, n = rows.most_common(1)[0]
        if n > single[surface] - sum(surface in row for row in rows.elements()):
            yield surface, words


def _frequent(times: Counter[str], laid_out: bool) -> Iterator[str]:
    return (word for word, n in times.items() if n > 1 or laid_out)


def _may_be_cut(pair: tuple[str, str]) -> bool:
    before, behind = pair
    if before.isalpha() and behind.isalpha():
        return False
    return (
        _BEGINNING.fullmatch(before) is not None
        or _ENDING.fullmatch(behind) is not None
        or "-" in pair
    )


def _exceptions(counts: _Counts, rules: Conventions) -> Iterator[str]:
    """Words that the rules would cut and the corpus cuts less often than not, the most frequent."""
    times = Counter[str]()
    for word, n in counts.words.items():
        if not word.isalnum() and word not in ESCAPED and len(word) <= 40:
            times[fold(word)] += n

    parts = {*rules.beginnings, *rules.endings}
    candidates = ((word, n) for word, n in times.most_common() if word not in parts)
    exceptions = (word for word, n in candidates if n > _times_cut(word, counts, rules))
    return islice(exceptions, MOST)


def _times_cut(word: str, counts: _Counts, rules: Conventions) -> float:
    """How often a corpus cuts a word where the rules would; infinity where they would not."""
    pieces = [fold(token.text) for token in tokenize(word, split=True, conventions=rules)]
    return min((counts.pairs[pair] for pair in pairwise(pieces)), default=math.inf)
