"""The first layer of a learnt grammar as a transducer that puts brackets around words.

The machine reads words and writes them with ``[C12`` and ``C12]`` between. It does exactly
what the grammar does without nesting (``bracket(grammar, sentences, flat=True)``): each slot,
a run of words between two context units, has at most one pattern, hence one step n. A
neighbouring slot can take a shared context unit away first; so slot i is rewritten unless

    slot i−1 is, attaches its right context unit, and n_{i−1} ≤ n_i, or
    slot i+1 is, attaches its left context unit, and n_{i+1} < n_i.

The machine guesses whether the next slot is rewritten, and drops the guesses that turn out
wrong, so that a sentence has one path (:mod:`~fstce.induction.layer`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fstce.errors import MachineError, ParameterError
from fstce.estimation.rules import check_arguments
from fstce.induction.grammar import Grammar
from fstce.induction.layer import Layer, acceptor, bracket_names
from fstce.induction.replay import flat_steps
from fstce.machines.algebra import compose
from fstce.machines.symbols import UNKNOWN_ID, Symbols


class Chunker:
    """A transducer with its symbols.

    ``grammar``: one that was learnt with alignment. ``rules``: only the first so many patterns of the first
    layer; a few are enough to look at. ``words``: words that shall be symbols although they are no context
    units. All others are ``<unk>``: to the machine they are alike. ``fst``: the machine, fit for
    ``write_fst``, ``to_svg`` and OpenFst's programs. ``symbols``: its alphabet: context words, other words,
    brackets.
    """

    def __init__(self, grammar: Grammar, *, rules: int | None = None, words: Iterable[str] = ()) -> None:
        check_arguments(rules=rules)
        steps = flat_steps(grammar)[:rules]
        if not steps:
            raise ParameterError("the grammar has no pattern between words; learn one with alignment first")
        self._fold_case = grammar.options.fold_case
        names = [grammar.units.name(step.unit) for step in steps]
        self._brackets = frozenset(bracket for name in names for bracket in bracket_names(name))
        contexts = (grammar.units.name(unit) for unit in grammar.contexts.tolist())
        spelt = list(dict.fromkeys((*contexts, *self._folded(words))))
        self.symbols = _alphabet(spelt, names)
        plain = sorted({UNKNOWN_ID, *self.symbols.ids(spelt[len(grammar.contexts) :]).tolist()})
        self.fst = Layer(grammar, steps, self.symbols, plain).to_fst()

    def __call__(self, words: Sequence[str]) -> list[str]:
        """The words with brackets between."""
        return next(self.paths(words))

    def paths(self, words: Sequence[str]) -> Iterator[list[str]]:
        """What every path of the machine makes of a sentence; there is one."""
        labels = self.symbols.ids(list(self._folded(words)), unknown=True)
        where = f"{' '.join(words)!r:.60} ∘ chunker"
        found = compose(acceptor(labels, self.symbols), self.fst, where).paths()
        while not found.done():
            written, others = (self.symbols.word(label) for label in found.olabels() if label), iter(words)
            yield [name if name in self._brackets else next(others) for name in written]
            found.next()

    def _folded(self, words: Iterable[str]) -> Iterator[str]:
        return (word.lower() for word in words) if self._fold_case else iter(words)


def _alphabet(words: list[str], classes: list[str]) -> Symbols:
    brackets = dict.fromkeys(bracket for name in classes for bracket in bracket_names(name))
    clash = next((word for word in words if word in brackets), None)
    if clash is not None:
        raise MachineError(f"the word {clash!r} is spelt like a bracket of the chunker; spell it differently")
    return Symbols((*words, *brackets))
