"""The error model: what every edit costs at every place in a word, as a table and as a transducer.

Input is what was observed, output what was intended. States count edits and know where in the word
they are: at its begin (S), behind a letter (M), inside behind an edit that a letter must follow
(N), at its end (F). A letter too many (i) and a missing one (d) do not meet: that is a
substitution. One or two edits are made, never none; each costs a constant more, as does the lack
of a second, so that no weight is below 0 and the order of suggestions stays: programs that look
for the best path leave one as soon as it costs too much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.numeric.types import Floats, Ints
from fstce.speller.features import (
    BEGIN,
    EDITS,
    END,
    INSIDE,
    PLACES,
    Script,
    base,
    double_features,
    letter_class,
    letter_features,
    scripts,
    substitution_features,
)
from fstce.storage.state import typed

OTHER = 0x110000  # the label of a letter that the model does not know, behind all code points
_OTHER = "\ufffd"  # the same as a letter, in features


class String(NamedTuple):
    """An edit of strings: the two strings, how many edits it stands for, its cost by place."""

    observed: str
    intended: str
    edits: int
    costs: tuple[float, float, float]


@dataclass(frozen=True)
class ErrorModel:
    """Costs of edits, in nats: the sum of their features' weights.

    ``letters``: those that are edited. ``weights``: by the names of :mod:`fstce.speller.features`.

    >>> model = ErrorModel("ab", {"substitution": 3.0, "a>b": -1.0, "begin": 0.5})
    >>> model.cost("a", "b", INSIDE), model.cost("b", "a", BEGIN)
    (2.0, 3.5)
    """

    letters: str
    weights: Mapping[str, float]

    @classmethod
    def of_entries(cls, entries: Mapping[str, Any]) -> ErrorModel:
        """An error model from the entries of a saved one; raises TypeError where they are none."""
        weights = typed(entries["weights"], "weights", dict)
        numbers = {name: float(typed(value, name, int, float)) for name, value in weights.items()}
        return cls(typed(entries["letters"], "letters", str), numbers)

    def cost(self, observed: str, intended: str, place: int) -> float:
        """The cost of an edit of letters at a place."""
        return self._sum(letter_features(observed, intended, place))

    def _sum(self, names: Sequence[str]) -> float:
        return sum(self.weights.get(name, 0.0) for name in names)

    @cached_property
    def edits(self) -> Floats:
        """Costs of letters, (places, n + 2, n + 1): observed (ε first, others last) by intended."""
        costs = np.pad(self.by_class, ((0, 0), (1, 0), (1, 0)))
        return self._table(costs, ("", *self.letters, _OTHER), ("", *self.letters))

    @cached_property
    def swaps(self) -> Floats:
        """Costs of transpositions, (places, n, n): ``[place, a, b]`` is ab observed for ba."""
        usual = np.array(self._costs(2 * _OTHER, 2 * _OTHER))[:, None, None]
        costs = np.tile(usual, (1, len(self.letters), len(self.letters)))
        return self._table(costs, self.letters, self.letters, are_swaps=True)

    @cached_property
    def classes(self) -> list[str]:
        """The class of each letter, and of others, last."""
        return [letter_class(letter) for letter in (*self.letters, _OTHER)]

    @cached_property
    def by_class(self) -> Floats:
        """Costs of substitutions, whatever the letters, (places, n + 1, n), others last."""
        names, number = np.unique(self.classes, return_inverse=True)
        costs = np.empty((len(PLACES), len(names), len(names)))
        for place, (i, a), (j, b) in product(
            range(len(PLACES)), enumerate(names), enumerate(names)
        ):
            costs[place, i, j] = self.usual(a, b, place)
        return costs[:, number[:, None], number[:-1]]

    def _table(
        self, costs: Floats, rows: Sequence[str], columns: Sequence[str], are_swaps: bool = False
    ) -> Floats:
        """The costs by place, infinite where nothing changes, with those that are not usual."""
        named = {name.removesuffix(" begin").removesuffix(" end") for name in self.weights}
        for (i, a), (j, b) in product(enumerate(rows), enumerate(columns)):
            observed, intended = a, b
            if are_swaps:
                observed, intended = a + b, b + a
            if a == b:
                costs[:, i, j] = np.inf
            elif not (a and b) or base(a) == base(b) or f"{observed}>{intended}" in named:
                costs[:, i, j] = self._costs(observed, intended)
        return costs

    def _costs(self, observed: str, intended: str) -> list[float]:
        return [self.cost(observed, intended, place) for place in range(len(PLACES))]

    def usual(self, observed: str, intended: str, place: int) -> float:
        """The cost of a substitution between classes of letters, whatever the letters."""
        return self._sum(substitution_features(observed, intended, place))

    @property
    def second(self) -> float:
        """The surcharge of a second edit in a word."""
        return self.weights.get("two", 0.0)

    @cached_property
    def shift(self) -> float:
        """The surcharge in the machine of each edit, or of the lack of it."""
        strings = (cost / string.edits for string in self.strings for cost in string.costs)
        least = min([float(self.edits.min()), float(self.swaps.min(initial=0.0)), *strings])
        return max(-least, -least - self.second, 0.0)

    @cached_property
    def strings(self) -> list[String]:
        """The edits of strings that cost less than their letters."""
        discounts = {
            (observed, intended): self.weights[name]
            for name in self.weights
            if name.startswith(("string ", "context "))
            for observed, intended in [name.split(" ", 1)[1].split(">", 1)]
        }

        for letter in self.letters:
            for edit in ((letter, ""), ("", letter)):
                pair = letter + edit[0], letter + edit[1]
                discounts[pair] = discounts.get(pair, 0.0) + self._sum(double_features(*edit))

        rows = sorted(
            (*pair, less) for pair, less in discounts.items() if less < 0 and scripts(*pair)
        )
        return [self._string(*row) for row in rows]

    def _string(self, observed: str, intended: str, discount: float) -> String:
        ways = scripts(observed, intended)
        number = len(ways[0])
        surcharge = discount + self.second * (number - 1)
        costs = []
        for place in range(len(PLACES)):
            cheapest = min(self._script_cost(observed, intended, way, place) for way in ways)
            costs.append(cheapest + surcharge)
        begin, inside, end = costs
        return String(observed, intended, number, (begin, inside, end))

    def _script_cost(self, observed: str, intended: str, script: Script, place: int) -> float:
        """The cost of the edits of a string that stands at a place."""
        cost = 0.0
        for edit in script:
            at = _place(edit.start, edit.end, len(observed), place)
            cost += self.cost(observed[edit.start : edit.end], intended[edit.first : edit.last], at)
        return cost

    def machine(self, copied: Sequence[int] = ()) -> pynini.Fst:
        """The transducer over code points, arc type ``standard``, sorted by input.

        ``copied``: labels of rare letters, which are copied and, where observed, edited as unknown
        ones.
        """
        symbols = np.array([*map(ord, self.letters)], dtype=np.int64)
        rare = np.setdiff1d(np.array(copied, dtype=np.int64), symbols)
        builder = _Builder(self, symbols, rare)
        builder.copies(np.append(symbols, rare))
        for move in _MOVES:
            builder.letters(move)
            for string in self.strings:
                builder.string(move, string)
        builder.shared()
        return builder.machine()


class _Move(NamedTuple):
    """From a state at a place: to which by an edit of both, one that reads, one that writes."""

    source: str
    place: int
    both: str
    reads: str
    writes: str

    @property
    def level(self) -> int:
        """How many edits were made before."""
        return int(self.source[1])


# From a state, by place, to the state of an edit of both, of one that reads, of one that writes.
_TABLE = """\
S0  begin  M1 M1i S1
M0  inside N1 N1i N1d
M0  end    F1 F1i F1d
S1  begin  M2 -   S2
M1  inside N2 N2  N2
M1  end    F2 F2  F2
M1i inside N2 N2  -
M1i end    F2 F2  -
N1  inside N2 N2  N2
N1  end    F2 F2  -
N1i inside N2 N2  -
N1i end    F2 F2  -
N1d inside N2 -   N2
N1d end    F2 -   -
F1  end    -  -   F2
F1d end    -  -   F2
"""


def _move(source: str, place: str, *targets: str) -> _Move:
    both, reads, writes = (target.strip("-") for target in targets)
    return _Move(source, PLACES.index(place), both, reads, writes)


_MOVES = tuple(_move(*row.split()) for row in _TABLE.splitlines())
_STATES = tuple(dict.fromkeys(name for name in _TABLE.split() if name[0].isupper()))
_NUMBER = {name: number for number, name in enumerate(_STATES)}


def _place(start: int, end: int, length: int, place: int) -> int:
    """Where an edit within a string stands, if the string stands at a place."""
    if place == BEGIN and not start:
        return BEGIN
    return END if place == END and end == length else INSIDE


class _Builder:
    """Arcs, collected as columns."""

    def __init__(self, model: ErrorModel, symbols: Ints, rare: Ints) -> None:
        self.model = model
        self.symbols = symbols
        self.observed = np.concatenate((symbols, rare, [OTHER]))
        # Rare letters are as others
        self.row = np.minimum(np.arange(len(self.observed)), len(symbols))
        self.usual = model.by_class
        self.states = len(_STATES)
        self.columns: list[tuple[Any, ...]] = []

    def surcharge(self, level: int) -> float:
        """The surcharge of an edit behind so many."""
        return self.model.shift + self.model.second * level

    def add(self, source: Any, ilabel: Any, olabel: Any, weight: Any, target: Any) -> None:
        columns = np.broadcast_arrays(source, ilabel, olabel, weight, target)
        is_possible = np.isfinite(columns[3])
        self.columns.append(tuple(column[is_possible].ravel() for column in columns))

    def fresh(self, number: int) -> Ints:
        """So many new states."""
        self.states += number
        return np.arange(self.states - number, self.states)

    def copies(self, labels: Ints) -> None:
        for name in _STATES:
            if not name.startswith("F"):
                self.add(_NUMBER[name], labels, labels, 0.0, _NUMBER[f"M{name[1]}"])

    def letters(self, move: _Move) -> None:
        """Insertions, deletions, and substitutions that cost less than others of their classes."""
        costs = self.model.edits[move.place]
        source = _NUMBER[move.source]
        surcharge = self.surcharge(move.level)

        if move.reads:
            self.add(
                source, self.observed, 0, costs[1:, 0][self.row] + surcharge, _NUMBER[move.reads]
            )
        if move.both:
            less = np.where(costs[1:, 1:] < self.usual[move.place], costs[1:, 1:], np.inf)[self.row]
            self.add(
                source, self.observed[:, None], self.symbols, less + surcharge, _NUMBER[move.both]
            )
        if move.writes:
            self.add(source, 0, self.symbols, costs[0, 1:] + surcharge, _NUMBER[move.writes])

    def string(self, move: _Move, string: String) -> None:
        """A path for an edit of strings."""
        name = move.both if string.observed else move.writes
        if move.level + string.edits > EDITS or not name:
            return
        if string.edits > 1:  # all edits at once
            name = f"{name[0]}{EDITS}"
        size = max(len(string.observed), len(string.intended))
        observed, intended = ([*map(ord, text), *[0] * (size - len(text))] for text in string[:2])
        states = [_NUMBER[move.source], *self.fresh(size - 1).tolist(), _NUMBER[name]]
        cost = (
            string.costs[move.place]
            + self.surcharge(move.level)
            + self.model.shift * (string.edits - 1)
        )
        self.add(states[:-1], observed, intended, [cost, *[0.0] * (size - 1)], states[1:])

    def shared(self) -> None:
        """Usual substitutions and transpositions, which the states of a level share."""
        for begins in (True, False):
            for level in range(EDITS):
                moves = [
                    m
                    for m in _MOVES
                    if m.both and m.level == level and (m.place == BEGIN) == begins
                ]
                ends = {move.place: _NUMBER[move.both] for move in moves}
                self._shared(
                    sorted({_NUMBER[move.source] for move in moves}), ends, self.surcharge(level)
                )

    def _shared(self, sources: Sequence[int], ends: Mapping[int, int], surcharge: float) -> None:
        """Substitution: read a letter of a class; write one. Swap: hold a; copy b; write a."""
        hold = self.fresh(len(self.symbols))
        names, example, number = np.unique(
            self.model.classes, return_index=True, return_inverse=True
        )
        read = self.fresh(len(names))

        for source in sources:
            self.add(source, self.symbols, 0, 0.0, hold)
            self.add(source, self.observed, 0, 0.0, read[number[self.row]])

        for place, target in ends.items():
            give = self.fresh(len(self.symbols))
            swaps = self.model.swaps[place] + surcharge
            self.add(hold[:, None], self.symbols, self.symbols, swaps, give[:, None])
            self.add(give, 0, self.symbols, 0.0, target)
            self.add(read[:, None], 0, self.symbols, self.usual[place][example] + surcharge, target)

    def machine(self) -> pynini.Fst:
        source, ilabel, olabel, weight, target = (
            np.concatenate(c) for c in zip(*self.columns, strict=True)
        )
        final = np.full(self.states, np.inf, dtype=np.float32)
        for name in _STATES:
            if name[0] in "MF" and name[1] != "0":
                final[_NUMBER[name]] = self.model.shift * (EDITS - int(name[1]))
        arrays = Arrays(0, final, source, ilabel, olabel, weight, target)
        return arrays_to_fst(arrays).connect().arcsort("ilabel")
