"""The listed words within k edits of others: observed ∘ edits ∘ words, for many at once.

A path is a beginning of a listed word that a beginning of an observed word may stand for. Those of
one place in the observed words are followed together: a letter copied, taken for another, too many,
left out, two in the wrong order, or a string for another; each but the first is an edit, and costs
what the channel says.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

import numpy as np

from fstce.corpora.casing import plain
from fstce.correction.mistakes.channel import LEAST, Channel
from fstce.correction.mistakes.wordlist import WordList
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Bools, Floats, Ints
from fstce.speller.error_model import String
from fstce.speller.features import BEGIN, END, INSIDE

TOGETHER = 200  # observed words that are followed at a time


class _Paths(NamedTuple):
    """Paths (paths,): of which query, in which state, edits made, words before, cost."""

    query: Ints
    state: Ints
    edits: Ints
    number: Ints
    cost: Floats

    def take(self, rows: Ints | Bools) -> _Paths:
        return _Paths._make(column[rows] for column in self)


_NONE = np.zeros(0, np.int64)
NOTHING = _Paths(_NONE, _NONE, _NONE, _NONE, np.zeros(0))


def near(
    words: WordList,
    queries: Sequence[str],
    k: Sequence[int],
    channel: Channel,
    accents: bool = False,
) -> tuple[Ints, Ints, Floats]:
    """The numbers of the words within k edits of each query, and what the cheapest edits cost.

    ``k`` (queries,): the most edits of each; the transposition of two adjacent letters is one
    (Damerau 1964). ``accents``: whether a letter that was written without its accent is no edit,
    and costs nothing.
    """
    parts = [NOTHING]
    for at in range(0, len(queries) if len(words) else 0, TOGETHER):
        walk = _Walk(words, queries[at : at + TOGETHER], k[at : at + TOGETHER], channel, accents)
        found = _near(walk)
        parts.append(found._replace(query=found.query + at))
    whole = _joined(parts)
    return whole.query, whole.number, whole.cost


def _near(walk: _Walk) -> _Paths:
    """The paths that end with their observed words, the cheapest to each word, in order."""
    many = len(walk.length)
    nothing = np.zeros(many, np.int64)
    longest = int(walk.length.max(initial=0))
    waiting = [[NOTHING] for _ in range(longest + 3)]
    waiting[0].append(_Paths(np.arange(many), nothing, nothing, nothing, np.zeros(many)))
    ended: list[_Paths] = []
    for place in range(longest + 1):
        grown = [_joined(waiting[place])]
        for _ in range(int(walk.k.max())):  # letters left out here, one after another
            grown.append(walk.left_out(walk.able(grown[-1]), place))
        paths, waiting[place] = _joined(grown), []
        length = walk.length[paths.query]
        ended.append(paths.take((length == place) & (walk.words.final[paths.state] == 1)))
        paths = paths.take(length > place)
        waiting[place + 1] += walk.copied(paths, place)
        for span, strings in walk.strings.items():
            reach = paths.take(walk.length[paths.query] >= place + span)
            waiting[place + span].append(walk.replaced(reach, place, span, strings))
        able = walk.able(paths)
        waiting[place + 1] += [walk.too_many(able, place), walk.taken(able, place)]
        waiting[place + 2].append(
            walk.swapped(able.take(walk.length[able.query] > place + 1), place)
        )
    found = _joined(ended)
    found = found.take(np.lexsort((found.cost, found.number, found.query)))
    return found.take(
        (np.diff(found.query, prepend=-1) != 0) | (np.diff(found.number, prepend=-1) != 0)
    )


class _Walk:
    """One step of paths after another, over one list and the letters of some queries."""

    def __init__(
        self,
        words: WordList,
        queries: Sequence[str],
        k: Sequence[int],
        channel: Channel,
        accents: bool,
    ) -> None:
        self.words, self.queries, self.k = words, queries, np.array(k, dtype=np.int64)
        self.length = np.array([len(query) for query in queries], dtype=np.int64)
        listed = [chr(code) for code in words.letters.tolist()]
        symbols = list(dict.fromkeys([*listed, *chain.from_iterable(queries)]))
        number = {
            symbol: i for i, symbol in enumerate(symbols)
        }  # listed letters have those of their labels
        self.observed = np.zeros((len(queries), int(self.length.max(initial=0)) + 2), np.int64)
        for i, query in enumerate(queries):
            self.observed[i, : len(query)] = [number[letter] for letter in query]
        self.costs = channel.costs(symbols)
        self.strings = _strings(self.costs.strings, number)
        self.variants = _variants(symbols, len(listed)) if accents else []

    def able(self, paths: _Paths) -> _Paths:
        """The paths that may be edited once more."""
        return paths.take(paths.edits < self.k[paths.query])

    def copied(self, paths: _Paths, place: int) -> list[_Paths]:
        """The observed letter, or the same with an accent."""
        observed = self.observed[paths.query, place]
        return [
            self._stepped(paths, observed),
            *(self._stepped(paths, to[observed]) for to in self.variants),
        ]

    def too_many(self, paths: _Paths, place: int) -> _Paths:
        observed = self.observed[paths.query, place]
        return self._edited(paths, self.costs.edit(self._at(paths, place, 1), 0, 1 + observed))

    def taken(self, paths: _Paths, place: int) -> _Paths:
        """Any other letter for the observed one."""
        arc, of = self._arcs(paths)
        label, observed = (
            self.words.label[arc - 1].astype(np.int64),
            self.observed[paths.query[of], place],
        )
        kept = label != observed
        arc, label, observed, paths = arc[kept], label[kept], observed[kept], paths.take(of[kept])
        cost = self.costs.edit(self._at(paths, place, 1), 1 + label, 1 + observed)
        return self._over(self._edited(paths, cost), arc)

    def left_out(self, paths: _Paths, place: int) -> _Paths:
        arc, of = self._arcs(paths)
        label, paths = self.words.label[arc - 1].astype(np.int64), paths.take(of)
        return self._over(
            self._edited(paths, self.costs.edit(self._at(paths, place, 0), 1 + label, 0)), arc
        )

    def swapped(self, paths: _Paths, place: int) -> _Paths:
        """ab for ba, of unequal letters."""
        a, b = self.observed[paths.query, place], self.observed[paths.query, place + 1]
        unequal = a != b
        paths, a, b = paths.take(unequal), a[unequal], b[unequal]
        cost = self.costs.swap(self._at(paths, place, 2), 1 + b, 1 + a)
        return self._along(self._edited(paths, cost), np.stack((b, a), 1))

    def replaced(self, paths: _Paths, place: int, span: int, strings: _Strings) -> _Paths:
        """The strings that stand there for others, as long as they were observed."""
        observed = (query[place : place + span] for query in self.queries)
        low, high = np.array([strings.places.get(text, (0, 0)) for text in observed])[paths.query].T
        of, string = np.repeat(np.arange(len(low)), high - low), ranges(low, high - low)
        fits = paths.edits[of] + strings.edits[string] <= self.k[paths.query[of]]
        paths, string = paths.take(of[fits]), string[fits]
        cost = strings.cost[string, self._at(paths, place, span)]
        return self._along(
            self._edited(paths, cost, strings.edits[string]), strings.intended[string]
        )

    def _at(self, paths: _Paths, place: int, span: int) -> Ints:
        """Where in the word letters stand: at its begin, inside, or at its end."""
        if not place:
            return np.full(len(paths.query), BEGIN)
        return np.where(self.length[paths.query] == place + span, END, INSIDE)

    def _edited(self, paths: _Paths, cost: Floats, edits: Ints | int = 1) -> _Paths:
        """With more edits, which cost more behind others."""
        more = np.where(paths.edits > 0, self.costs.second, 0.0)
        return paths._replace(edits=paths.edits + edits, cost=paths.cost + cost + more)

    def _along(self, paths: _Paths, labels: Ints) -> _Paths:
        """Over the arcs with these letters, shape (paths, letters), −1 behind the last."""
        now = paths._replace(query=np.arange(len(paths.query)))  # the query's place keeps the row
        for column in labels.T:
            label = column[now.query]
            now = _joined(
                [now.take(label < 0), self._stepped(now.take(label >= 0), label[label >= 0])]
            )
        return now._replace(query=paths.query[now.query])

    def _stepped(self, paths: _Paths, label: Ints) -> _Paths:
        """Over the arc with this letter, where there is one."""
        listed = (label >= 0) & (label < self.words.width)
        arc = np.zeros(len(label), np.int64)
        arc[listed] = self.words.arcs_of(paths.state[listed], label[listed])
        return self._over(paths.take(arc > 0), arc[arc > 0])

    def _over(self, paths: _Paths, arc: Ints) -> _Paths:
        state, number = (
            self.words.behind[arc].astype(np.int64),
            paths.number + self.words.before[arc],
        )
        return paths._replace(state=state, number=number)

    def _arcs(self, paths: _Paths) -> tuple[Ints, Ints]:
        """All arcs out of the paths' states, and the path of each."""
        first = self.words.first[paths.state].astype(np.int64)
        many = self.words.first[paths.state + 1] - first
        return ranges(first, many) + 1, np.repeat(np.arange(len(first)), many)


class _Strings(NamedTuple):
    """Edits of strings of one observed length, in order of what was observed.

    ``places``: the first of those with this observed string, and the end. ``edits`` (strings,).
    ``cost`` (strings, places). ``intended`` (strings, letters), −1 behind them.
    """

    places: Mapping[str, tuple[int, int]]
    edits: Ints
    cost: Floats
    intended: Ints


def _strings(strings: Sequence[String], number: Mapping[str, int]) -> dict[int, _Strings]:
    """By observed length those whose letters are all at hand."""
    by_length: dict[int, list[String]] = {}
    for string in sorted(strings, key=lambda string: string.observed):
        if string.observed and all(
            letter in number for letter in string.observed + string.intended
        ):
            by_length.setdefault(len(string.observed), []).append(string)
    tables = {}
    for length, rows in by_length.items():
        observed = [row.observed for row in rows]
        places = {
            text: (bisect_left(observed, text), bisect_right(observed, text)) for text in observed
        }
        intended = _padded([[number[letter] for letter in row.intended] for row in rows])
        edits, cost = np.array([row.edits for row in rows]), np.array([row.costs for row in rows])
        tables[length] = _Strings(
            places, edits, np.maximum(cost, LEAST), np.array(intended, np.int64).T
        )
    return tables


def _variants(symbols: Sequence[str], listed: int) -> list[Ints]:
    """Listed letters that are a symbol with an accent, −1 for none; each of shape (symbols,)."""
    by_plain: dict[str, list[int]] = {}
    for label, letter in enumerate(symbols[:listed]):
        if plain(letter) != letter.lower():
            by_plain.setdefault(plain(letter), []).append(label)
    return _padded([by_plain.get(symbol, []) for symbol in symbols])


def _padded(rows: Sequence[Sequence[int]]) -> list[Ints]:
    """The columns of rows that have −1 behind their last number."""
    return [np.array(column, np.int64) for column in zip_longest(*rows, fillvalue=-1)]


def _joined(paths: Sequence[_Paths]) -> _Paths:
    return _Paths(*(np.concatenate(column) for column in zip(*paths, strict=True)))


def is_one_edit(a: str, b: str) -> bool:
    """Whether words differ by one edit at most: a letter, or two in the other order.

    >>> [is_one_edit("teh", other) for other in ("the", "tea", "thee")]
    [True, True, False]
    """
    for _ in range(2):  # without what they begin with alike, and what they end with
        same = next(
            (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
        )
        a, b = a[same:][::-1], b[same:][::-1]
    return max(len(a), len(b)) < 2 or (len(a) == 2 and a == b[::-1])
