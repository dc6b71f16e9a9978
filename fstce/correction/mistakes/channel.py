"""The channel: what each mistake costs, in −log (Smith & Eisner 2005b, §3.3 and note 3).

A typist means one symbol and types another. For SPELL symbols are characters, for PUNC
punctuation marks; the empty string is ε. Copying costs nothing; each kind of edit has a
cost of its own, and a confusion table may give single edits theirs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from fstce.corpora.documents import lines_of
from fstce.corpora.tables import table_rows
from fstce.corpora.words import RESERVED
from fstce.errors import CorpusError, ParameterError
from fstce.numeric.types import Floats, Ints, PathName
from fstce.parameters.rules import mapping, real
from fstce.speller.error_model import String
from fstce.speller.features import PLACES

Confusions = Mapping[tuple[str, str], float]

EPSILON = RESERVED[0]
MEASURES = ("cost", "count")
LEAST = 1e-6  # nats, of what is learned: what costs nothing is no edit


COST = replace(real(0), words="a cost in nats, finite, and not negative")
CONFUSIONS = replace(
    mapping(COST),
    holds=lambda costs: all(map(_is_pair, costs)),
    words="costs of pairs (intended, observed), finite, and not negative",
)


class Costs(NamedTuple):
    """The costs of edits of n symbols at the begin of a word, inside and at its end.

    ``row`` (n + 1,): where the tables have ε and each symbol; an alphabet of thousands has few
    rows, for symbols without costs of their own share one. ``edits`` (places, rows, rows): intended
    by observed. ``swaps`` (places, rows − 1, rows − 1): without ε, ``[a, b]`` where ab was intended
    and ba observed. ``second``: what each edit but the first costs more. ``strings``: edits of
    several letters.
    """

    row: Ints
    edits: Floats
    swaps: Floats
    second: float = 0.0
    strings: Sequence[String] = ()

    def edit(self, place: Ints | int, intended: Ints | int, observed: Ints | int) -> Floats:
        """The cost of one symbol, from 1, or ε, 0, for another."""
        return np.asarray(self.edits[place, self.row[intended], self.row[observed]])

    def swap(self, place: Ints | int, first: Ints | int, second: Ints | int) -> Floats:
        """The cost of two symbols, from 1, in the other order."""
        return np.asarray(self.swaps[place, self.row[first] - 1, self.row[second] - 1])


@dataclass(frozen=True)
class Channel:
    """The cost of each edit, in nats.

    ``substitution``, ``insertion``, ``deletion``, ``transposition``: what a mistake of the kind
    costs: a symbol observed for another, observed where none was intended, left out, two adjacent
    ones in the wrong order. ``confusions``: costs of single mistakes, before the costs of their
    kinds. ``("", "x")`` is an x too many, ``("x", "")`` a missing one, ``("ei", "ie")`` a
    transposition.

    >>> costs = Channel(confusions={("a", "e"): 0.5}).costs("aexyz")
    >>> float(costs.edit(0, 1, 2)), float(costs.edit(0, 2, 1)), costs.edits.shape
    (0.5, 1.0, (3, 4, 4))
    """

    substitution: float = 1.0
    insertion: float = 1.0
    deletion: float = 1.0
    transposition: float = 1.0
    confusions: Confusions = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind in ("substitution", "insertion", "deletion", "transposition"):
            COST.check(**{kind: getattr(self, kind)})
        CONFUSIONS.check(confusions=self.confusions)
        for intended, observed in self.confusions:
            if intended == observed:
                raise ParameterError(
                    f"a confusion of {intended!r} with itself is none; leave it out"
                )

    @classmethod
    def from_counts(cls, counts: Mapping[tuple[str, str], float]) -> Channel:
        """Costs −log of relative counts; all that was never counted costs as if seen half a time.

        >>> channel = Channel.from_counts({("a", "e"): 3, ("ei", "ie"): 1})
        >>> round(channel.confusions["a", "e"], 3), round(channel.substitution, 3)
        (0.405, 2.197)
        """
        total = math.fsum(counts.values()) + 0.5
        if not counts or not math.isfinite(total) or min(counts.values()) <= 0:
            raise ParameterError("confusion counts are positive numbers, and there is at least one")
        unseen = -math.log(0.5 / total)
        costs = {pair: -math.log(count / total) for pair, count in counts.items()}
        return cls(unseen, unseen, unseen, unseen, costs)

    @classmethod
    def read(cls, path: PathName) -> Channel:
        """A confusion table: lines of intended, tab, observed, tab, number; ε is ``<epsilon>``.

        The numbers are costs, or counts where a first line ``from``, ``to``, ``count`` says so.
        """
        measure = "cost"
        table = dict[tuple[str, str], float]()
        for number, fields in table_rows(lines_of(path)):
            if fields[:2] == ["from", "to"] and fields[2:3] and fields[2] in MEASURES and not table:
                measure = fields[2]
                continue
            intended, observed, value = _row(fields, f"{path}:{number}")
            if (intended, observed) in table:
                raise CorpusError(
                    f"{path}:{number}: {observed!r} for {intended!r} is already given above"
                )
            table[intended, observed] = value
        try:
            return cls(confusions=table) if measure == "cost" else cls.from_counts(table)
        except ParameterError as error:
            raise CorpusError(f"{path}: {error}") from None

    def costs(self, symbols: Sequence[str]) -> Costs:
        """The costs of all edits of these symbols, the same wherever in a word they stand."""
        confused: set[str] = set()
        for pair in self.confusions:
            confused.update(pair, *pair)  # its letters, too, for a transposition

        named = dict.fromkeys(("", *(symbol for symbol in symbols if symbol in confused)))
        number = {symbol: i for i, symbol in enumerate(named)}
        rows = len(number) + 1  # the last for all others
        edits = np.full((len(PLACES), rows, rows), self.substitution)
        edits[:, 0] = self.insertion
        edits[:, :, 0] = self.deletion
        swaps = np.full((len(PLACES), rows - 1, rows - 1), self.transposition)

        for (intended, observed), cost in self.confusions.items():
            if intended in number and observed in number:
                edits[:, number[intended], number[observed]] = cost
            if len(intended) == 2 and intended == observed[::-1] and set(intended) <= number.keys():
                first, second = (number[letter] - 1 for letter in intended)
                swaps[:, first, second] = cost

        row = np.array([number.get(symbol, rows - 1) for symbol in ("", *symbols)])
        return Costs(row, edits, swaps)


def _is_pair(key: object) -> bool:
    return (
        isinstance(key, tuple) and len(key) == 2 and all(isinstance(symbol, str) for symbol in key)
    )


def _row(fields: Sequence[str], where: str) -> tuple[str, str, float]:
    try:
        intended, observed, value = fields
        number = float(value)
    except ValueError:
        raise CorpusError(
            f"{where}: expected what was intended, what was observed and a number, separated by "
            "tabs"
        ) from None
    intended, observed = ("" if symbol == EPSILON else symbol for symbol in (intended, observed))
    return intended, observed, number
