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

from fstce.corpora.casing import has_accents, without_accents
from fstce.numeric.kernels import joined, ranges, taken
from fstce.numeric.types import Floats, Ints
from fstce.speller.channel import LEAST, Channel
from fstce.speller.error_model import String
from fstce.speller.features import BEGIN, END, INSIDE
from fstce.speller.wordlist import WordList

TOGETHER = 200  # observed words that are followed at a time


class _Paths(NamedTuple):
    """Paths (paths,): of which query, in which state, edits made, words before, cost."""

    query: Ints
    state: Ints
    edits: Ints
    number: Ints
    cost: Floats


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
    and costs nothing; edits cost something.
    """
    parts = [NOTHING]
    # A walk takes as many steps as its longest word has letters.
    by_length = np.argsort([len(query) for query in queries], kind="stable")
    for at in range(0, len(queries) if len(words) else 0, TOGETHER):
        rows = by_length[at : at + TOGETHER]
        chosen = [queries[i] for i in rows.tolist()]
        ended = _near(_Walk(words, chosen, np.array(k)[rows], channel, accents))
        parts.append(ended._replace(query=rows[ended.query]))

    paths = joined(parts)
    paths = taken(paths, np.argsort(paths.query, kind="stable"))
    return paths.query, paths.number, paths.cost


def _near(walk: _Walk) -> _Paths:
    """The paths that end with their observed words, the cheapest to each word, in order."""
    n_queries = len(walk.length)
    zeros = np.zeros(n_queries, np.int64)
    longest = int(walk.length.max(initial=0))
    waiting = [[NOTHING] for _ in range(longest + 3)]
    waiting[0].append(_Paths(np.arange(n_queries), zeros, zeros, zeros, np.zeros(n_queries)))
    ended: list[_Paths] = []

    for place in range(longest + 1):
        steps = [joined(waiting[place])]
        waiting[place] = []
        for _ in range(int(walk.k.max())):  # letters left out here, one after another
            steps.append(walk.written(walk.able(steps[-1]), place, 0))
        paths = joined(steps)

        length = walk.length[paths.query]
        ended.append(taken(paths, (length == place) & (walk.words.final[paths.state] == 1)))
        paths = taken(paths, length > place)
        waiting[place + 1] += walk.copied(paths, place)
        able = walk.able(paths)
        for span, strings in walk.strings.items():
            reach = taken(able, walk.length[able.query] >= place + span)
            waiting[place + span].append(walk.replaced(reach, place, span, strings))

        waiting[place + 1] += [walk.too_many(able, place), walk.written(able, place, 1)]
        has_two = walk.length[able.query] > place + 1
        waiting[place + 2].append(walk.swapped(taken(able, has_two), place))

    return _cheapest(joined(ended))


def _cheapest(paths: _Paths) -> _Paths:
    """The cheapest path of each query to each word, in order."""
    paths = taken(paths, np.lexsort((paths.cost, paths.number, paths.query)))
    is_new = np.diff(paths.query, prepend=-1) != 0
    return taken(paths, is_new | (np.diff(paths.number, prepend=-1) != 0))


class _Walk:
    """One step of paths after another, over one list and the letters of some queries."""

    def __init__(
        self,
        words: WordList,
        queries: Sequence[str],
        k: Ints,
        channel: Channel,
        accents: bool,
    ) -> None:
        self.words = words
        self.queries = queries
        self.k = k
        self.length = np.array([len(query) for query in queries], dtype=np.int64)
        listed = [chr(code) for code in words.letters.tolist()]
        symbols = list(dict.fromkeys([*listed, *chain.from_iterable(queries)]))
        # Listed letters have the numbers of their labels.
        number = {symbol: i for i, symbol in enumerate(symbols)}
        self.observed = np.zeros((len(queries), int(self.length.max(initial=0)) + 2), np.int64)
        for i, query in enumerate(queries):
            self.observed[i, : len(query)] = [number[letter] for letter in query]
        self.costs = channel.costs(symbols)
        self.strings = _strings(self.costs.strings, number)
        self.variants = _variants(symbols, len(listed)) if accents else []

    def able(self, paths: _Paths) -> _Paths:
        """The paths that may be edited once more."""
        return taken(paths, paths.edits < self.k[paths.query])

    def copied(self, paths: _Paths, place: int) -> list[_Paths]:
        """The observed letter, or this with an accent."""
        observed = self.observed[paths.query, place]
        labels = [observed, *(variant[observed] for variant in self.variants)]
        return [self._stepped(paths, label) for label in labels]

    def too_many(self, paths: _Paths, place: int) -> _Paths:
        observed = self.observed[paths.query, place]
        return self._edited(paths, self.costs.edit(self._at(paths, place, 1), 0, 1 + observed))

    def written(self, paths: _Paths, place: int, span: int) -> _Paths:
        """Any letter for none, or, with a span of 1, any other for the observed one."""
        arc, row = self._arcs(paths)
        label = 1 + self.words.label[arc - 1].astype(np.int64)
        observed = np.zeros(len(arc), np.int64)
        if span:
            observed = 1 + self.observed[paths.query, place][row]
            differs = label != observed
            arc, row, label, observed = (x[differs] for x in (arc, row, label, observed))

        paths = taken(paths, row)
        cost = self.costs.edit(self._at(paths, place, span), label, observed)
        return self._over(self._edited(paths, cost), arc)

    def swapped(self, paths: _Paths, place: int) -> _Paths:
        """The letters ab for ba, if they are unequal."""
        first, second = self.observed[paths.query, place : place + 2].T
        differs = first != second
        paths = taken(paths, differs)
        first = first[differs]
        second = second[differs]
        cost = self.costs.swap(self._at(paths, place, 2), 1 + second, 1 + first)
        return self._along(self._edited(paths, cost), np.stack((second, first), 1))

    def replaced(self, paths: _Paths, place: int, span: int, strings: _Strings) -> _Paths:
        """The strings that stand there for others, as long as they were observed."""
        observed = (query[place : place + span] for query in self.queries)
        rows = np.array([strings.places.get(text, (0, 0)) for text in observed])
        low, high = rows[paths.query].T
        path = np.repeat(np.arange(len(low)), high - low)
        string = ranges(low, high - low)

        fits = paths.edits[path] + strings.edits[string] <= self.k[paths.query[path]]
        paths = taken(paths, path[fits])
        string = string[fits]
        cost = strings.cost[string, self._at(paths, place, span)]
        edited = self._edited(paths, cost, strings.edits[string])
        return self._along(edited, strings.intended[string])

    def _at(self, paths: _Paths, place: int, span: int) -> Ints:
        """Where in the word letters stand: at its begin, inside, or at its end."""
        if not place:
            return np.full(len(paths.query), BEGIN)
        return np.where(self.length[paths.query] == place + span, END, INSIDE)

    def _edited(self, paths: _Paths, cost: Floats, edits: Ints | int = 1) -> _Paths:
        """With more edits, which cost more behind others, and never nothing."""
        cost = np.maximum(cost, LEAST)
        behind = np.where(paths.edits > 0, self.costs.second, 0.0)
        return paths._replace(edits=paths.edits + edits, cost=paths.cost + cost + behind)

    def _along(self, paths: _Paths, labels: Ints) -> _Paths:
        """Over the arcs with these letters, shape (paths, letters), −1 behind the last."""
        rows = paths._replace(query=np.arange(len(paths.query)))  # a row in the query's place
        for column in labels.T:
            label = column[rows.query]
            stepped = self._stepped(taken(rows, label >= 0), label[label >= 0])
            rows = joined([taken(rows, label < 0), stepped])
        return rows._replace(query=paths.query[rows.query])

    def _stepped(self, paths: _Paths, label: Ints) -> _Paths:
        """Over the arc with this letter, where there is one."""
        listed = (label >= 0) & (label < self.words.width)
        arc = np.zeros(len(label), np.int64)
        arc[listed] = self.words.arcs_of(paths.state[listed], label[listed])
        return self._over(taken(paths, arc > 0), arc[arc > 0])

    def _over(self, paths: _Paths, arc: Ints) -> _Paths:
        state = self.words.behind[arc].astype(np.int64)
        return paths._replace(state=state, number=paths.number + self.words.before[arc])

    def _arcs(self, paths: _Paths) -> tuple[Ints, Ints]:
        """All arcs out of the paths' states, and the path of each."""
        begin = self.words.first[paths.state].astype(np.int64)
        n_arcs = self.words.first[paths.state + 1] - begin
        return ranges(begin, n_arcs) + 1, np.repeat(np.arange(len(begin)), n_arcs)


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
    """The strings whose letters are all at hand, by observed length."""
    by_length: dict[int, list[String]] = {}
    for string in sorted(strings, key=lambda string: string.observed):
        letters = string.observed + string.intended
        if string.observed and all(letter in number for letter in letters):
            by_length.setdefault(len(string.observed), []).append(string)

    tables = {}
    for length, rows in by_length.items():
        observed = [row.observed for row in rows]
        intended = [[number[letter] for letter in row.intended] for row in rows]
        tables[length] = _Strings(
            {
                text: (bisect_left(observed, text), bisect_right(observed, text))
                for text in observed
            },
            np.array([row.edits for row in rows]),
            np.array([row.costs for row in rows]),
            np.array(_padded(intended), np.int64).T,
        )
    return tables


def _variants(symbols: Sequence[str], listed: int) -> list[Ints]:
    """Listed letters that are a symbol with an accent, −1 for none; each of shape (symbols,)."""
    accented: dict[str, list[int]] = {}
    for label, letter in enumerate(symbols[:listed]):
        if has_accents(letter):
            accented.setdefault(without_accents(letter), []).append(label)
    return _padded([accented.get(symbol, []) for symbol in symbols])


def _padded(rows: Sequence[Sequence[int]]) -> list[Ints]:
    """The columns of rows that have −1 behind their last number."""
    return [np.array(column, np.int64) for column in zip_longest(*rows, fillvalue=-1)]
