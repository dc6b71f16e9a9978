"""The first layer of a learned grammar as a transducer that puts brackets around words.

The machine reads words and writes them with ``[C12`` and ``C12]`` between. It does exactly what the
grammar does without nesting, which is the part of it that is a finite-state machine: each slot, a
run of words between two context units, has at most one pattern, hence one step n. A neighboring
slot can take a shared context unit away first; so slot i is rewritten unless

    slot i−1 is, attaches its right context unit, and n_{i−1} ≤ n_i, or
    slot i+1 is, attaches its left context unit, and n_{i+1} < n_i.

The machine guesses whether the next slot is rewritten, and drops the guesses that turn out
wrong, so that a sentence has one path (:mod:`~fstce.induction.chunker`).

Of each slot it guesses at the left context unit whether it is rewritten, and checks the guess at
the right one. States are

    ("gap", c, n, k)    k words behind context unit c, in a slot that is not rewritten; slot
                        i−1 took c away at step n (∞: it did not)
    ("plain",)          in a slot that can have no pattern, and ("any",) at its end
    ("slot", n, k)      k words into a slot that is rewritten by step n
    ("hub", c, n, s)    before context unit c; the slot that ends here is rewritten by step n
                        (s = 1), must be robbed of c before step n (s = −1), or neither (0)
    ("path", labels, t) on the way to state t, with these labels still to go
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from fstce.errors import MachineError, ParameterError
from fstce.induction.grammar import Grammar, InductionStep
from fstce.induction.text import END, START
from fstce.machines.algebra import ARC_LIMIT, compose
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.image import chain as chain_of
from fstce.machines.openfst import pynini
from fstce.machines.symbols import UNKNOWN_ID, Symbols
from fstce.parameters.rules import check
from fstce.parameters.tables import ARGUMENTS

State = tuple[Any, ...]
Labels = tuple[tuple[int, int], ...]
_NEVER = 2**31
_FIRST: State = ("start",)
_LAST: State = ("end",)
_PLAIN: State = ("plain",)
_ANY: State = ("any",)


def first_layer(grammar: Grammar) -> list[InductionStep]:
    """The first step of each pattern between context words of the raw text, or boundaries."""
    words = {*grammar.contexts.tolist(), START, END}
    first: dict[tuple[int, int], InductionStep] = {}
    for step in grammar.steps:
        if step.left in words and step.right in words:
            first.setdefault((step.left, step.right), step)
    return list(first.values())


class Chunker:
    """A transducer with its symbols.

    ``grammar``: one that was learned with alignment. ``rules``: only the first so many patterns of
    the first layer; a few are enough to look at. ``fst``: the machine, fit for ``write_fst``,
    ``to_svg`` and OpenFst's programs. ``symbols``: its alphabet: context words and brackets; all
    other words are ``<unk>``.
    """

    def __init__(self, grammar: Grammar, *, rules: int | None = None) -> None:
        check(ARGUMENTS, rules=rules)
        steps = first_layer(grammar)[:rules]
        if not steps:
            raise ParameterError(
                "the grammar has no pattern between words; learn one with alignment first"
            )
        self._units = grammar.units
        self._limit = grammar.options.max_length
        contexts = grammar.contexts.tolist()
        words = [grammar.units.name(unit) for unit in contexts]

        names = [grammar.units.name(step.unit) for step in steps]
        opening = [f"[{name}" for name in names]
        closing = [f"{name}]" for name in names]
        self._brackets = dict.fromkeys(chain(*zip(opening, closing, strict=True)))
        clash = next((word for word in words if word in self._brackets), None)
        if clash is not None:
            raise MachineError(
                f"the word {clash!r} is spelt like a bracket of the chunker; spell it differently"
            )

        self.symbols: Symbols = Symbols((*words, *self._brackets))
        self._opening = self.symbols.ids(opening).tolist()
        self._closing = self.symbols.ids(closing).tolist()
        self._side = [step.attachment for step in steps]
        self._right = [step.right for step in steps]

        # What is read and written at a context unit; nothing at the start of a sentence.
        self._word: dict[int, Labels] = {START: ()}
        for unit, label in zip(contexts, self.symbols.ids(words).tolist(), strict=True):
            self._word[unit] = ((label, label),)
        self._rules: dict[int, dict[int, int]] = {unit: {} for unit in (START, END, *contexts)}
        for n, step in enumerate(steps):
            self._rules[step.left][step.right] = n
        self._closers = (END, *contexts)

        self.fst: Any = self._machine()

    def __call__(self, words: Sequence[str]) -> list[str]:
        """The words with brackets between."""
        return next(self.paths(words))

    def paths(self, words: Sequence[str]) -> Iterator[list[str]]:
        """The words and brackets that each path writes for a sentence; there is one."""
        labels = self.symbols.ids(self._units.folded(words), unknown=True)
        where = f"{' '.join(words)!r:.60} ∘ chunker"
        paths = compose(chain_of(labels), self.fst, where).paths()
        while not paths.done():
            names = [self.symbols.word(label) for label in paths.olabels() if label]
            as_spelt = iter(words)
            yield [name if name in self._brackets else next(as_spelt) for name in names]
            paths.next()

    def _machine(self) -> pynini.Fst:
        """All states that the first one leads to, as a machine without dead ends."""
        number = {_FIRST: 0}
        order = [_FIRST]
        arcs: list[tuple[int, int, int, int]] = []
        for state in order:
            for label, written, target in self._arcs(state):
                if target not in number:
                    number[target] = len(order)
                    order.append(target)
                arcs.append((number[state], label, written, number[target]))
            if len(arcs) > ARC_LIMIT:
                raise MachineError(
                    f"the chunker needs more than {ARC_LIMIT:,} arcs; ask for fewer rules"
                )

        final = np.full(len(order), np.inf, np.float32)
        final[number[_LAST]] = 0.0
        sources, reads, writes, targets = np.array(arcs, np.int64).reshape(-1, 4).T
        weights = np.zeros(len(arcs), np.float32)

        fst = arrays_to_fst(Arrays(0, final, sources, reads, writes, weights, targets))
        fst.set_input_symbols(self.symbols.table)
        fst.set_output_symbols(self.symbols.table)
        return fst.connect()

    def _arcs(self, state: State) -> Iterator[tuple[int, int, State]]:
        """Each arc of a state: what it reads, what it writes, where it leads."""
        match state:
            case ("path", ((read, written), *others), target):
                yield read, written, _path(tuple(others), target)
            case ("start",):
                yield from self._next_slot(START, _NEVER, 0, ())
            case ("any",):
                yield from ((0, 0, ("hub", c, _NEVER, 0)) for c in self._closers)
            case ("plain",):
                yield UNKNOWN_ID, UNKNOWN_ID, _PLAIN
                yield 0, 0, _ANY
            case ("gap", context, taken, k):
                yield from self._arcs_of_gap(context, taken, k)
            case ("slot", n, k):
                if k < self._limit:
                    yield UNKNOWN_ID, UNKNOWN_ID, ("slot", n, k + 1)
                if k:
                    yield 0, 0, ("hub", self._right[n], n, 1)
            case ("hub", context, n, status):
                closed: Labels = ((0, self._closing[n]),) if status == 1 else ()
                if context != END:
                    yield from self._next_slot(context, n, status, closed)
                elif status >= 0:
                    yield 0, 0, _path(closed, _LAST)

    def _arcs_of_gap(self, context: int, taken: int, k: int) -> Iterator[tuple[int, int, State]]:
        """The slot has no pattern, or a neighbor takes a context unit away."""
        longer: State = ("gap", context, taken, k + 1)
        yield UNKNOWN_ID, UNKNOWN_ID, longer if k < self._limit else _PLAIN
        if not k:
            yield 0, 0, _ANY
            return

        for closer in self._closers:
            n = self._rules[context].get(closer)
            if n is None or taken <= n:
                yield 0, 0, ("hub", closer, _NEVER, 0)
            else:
                yield 0, 0, ("hub", closer, n, -1)

    def _next_slot(
        self, context: int, n: int, status: int, closed: Labels
    ) -> Iterator[tuple[int, int, State]]:
        """Read a context unit, and guess what becomes of the slot that it opens."""
        word = self._word[context]
        takes = status == 1 and self._side[n] > 0
        before, after = ((), closed) if takes else (closed, ())
        for m in self._rules[context].values():
            if self._fits(m, n, status):
                opened: Labels = ((0, self._opening[m]),)
                labels = (*before, *word, *after, *opened)
                if self._side[m] < 0:
                    labels = (*before, *opened, *word, *after)
                yield 0, 0, _path(labels, ("slot", m, 0))

        if status >= 0:
            target = _PLAIN
            if self._rules[context]:
                target = ("gap", context, n if takes else _NEVER, 0)
            yield 0, 0, _path((*before, *word, *after), target)

    def _fits(self, m: int, n: int, status: int) -> bool:
        """Whether step m can rewrite the next slot, after one with step n and this status."""
        robs = self._side[m] < 0 and m < n
        if status < 0:
            return robs
        return status == 0 or not (robs or (self._side[n] > 0 and n <= m))


def _path(labels: Labels, target: State) -> State:
    """The state on the way to another, if there are labels to go."""
    return ("path", labels, target) if labels else target
