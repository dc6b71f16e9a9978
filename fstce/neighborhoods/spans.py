"""One neighborhood a span: ``a + b`` changes a beginning of the sentence as a does, the rest as b does.

N(x) = ∪ N_a(u)·N_b(v) over all x = u·v, the empty span being its own only neighbor, so that
N holds N_a(x) and N_b(x). ``trans1 + trans1`` has all pairs of transpositions that do not
overlap, ``del1word + trans1`` a deletion before a transposition; ``identity + b`` is b of an
end of the sentence, whose beginning stays.

Two transducers are concatenated once, each kept from reading or writing nothing, and the
sentence is composed with that; of other parts the lattices of all spans are concatenated.
In both cases the parts are built over the words of the whole sentence, as in ``a @ b``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.vocabulary import Vocabulary
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods.algebra import Composite, checked, inner
from fstce.neighborhoods.alphabet import Words
from fstce.neighborhoods.base import Builder, Neighborhood, NoTransducer
from fstce.neighborhoods.lattice_sets import has_wildcard, minimal, union


class Concatenation(Composite):
    """The neighbors of a beginning before those of the rest.

    >>> from fstce import neighborhood
    >>> twice = neighborhood("trans1") + neighborhood("trans1")
    >>> sorted(map("".join, twice(list("abcd")).strings()))
    ['abcd', 'abdc', 'acbd', 'bacd', 'badc']
    """

    infix = True

    def __init__(self, left: Neighborhood, right: Neighborhood) -> None:
        self.parts = (checked(left), checked(right))
        super().__init__(
            _builder(self.parts),
            f"{inner(left)} + {inner(right)}",
            equivariant=left.equivariant and right.equivariant,
            limit=max(left.limit, right.limit),
            introduces=(*left.introduces, *right.introduces),
        )

    def with_vocabulary(self, vocabulary: Vocabulary) -> Composite:
        """The same, this vocabulary given to each part that wants one."""
        found = super().with_vocabulary(vocabulary)
        return found.changed(build=_builder(found.parts))

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        if not isinstance(self.build, NoTransducer):
            arrays = super()._pattern_lattice(pattern, words)
            # Side by side, a wildcard and a word would count some sentences twice.
            if not has_wildcard(arrays):
                return arrays
        return self._of_spans(pattern, words)

    def _of_spans(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        """The union over all places where the sentence may be cut."""
        where = f"sentence ∘ ({self.name})"
        left, right = self.parts
        spans = [
            _span(left, pattern[:cut], words) + _span(right, pattern[cut:], words)
            for cut in range(len(pattern) + 1)
        ]
        if not any(map(_wildcards, map(fst_to_arrays, spans))):
            return minimal(pynini.union(*spans), where, self.limit)
        found = sorted((minimal(span, where, self.limit) for span in spans), key=_wildcards, reverse=True)
        whole = found[0]
        for arrays in found[1:]:
            whole = union(whole, arrays, words, where, self.limit)
        return whole


class Spans:
    """The builder of two transducers, one behind the other.

    ``name``: what is concatenated, for messages.
    """

    def __init__(self, left: Builder, right: Builder, name: str) -> None:
        self.left = left
        self.right = right
        self.name = name

    def __call__(self, symbols: Symbols) -> pynini.Fst:
        """The concatenation over an alphabet."""
        one, other = (self._something(build(symbols), symbols) for build in (self.left, self.right))
        return one + other

    def _something(self, fst: pynini.Fst, symbols: Symbols) -> pynini.Fst:
        """Nothing to nothing, or what the machine makes of something, if that is something."""
        where = f"transducer {self.name}"
        arrays = fst_to_arrays(algebra.unweighted(algebra.verified(fst, where), where))
        read, written = (_words_in(labels, symbols) for labels in (arrays.ilabel, arrays.olabel))
        some = algebra.compose(algebra.compose(read, fst.copy().arcsort("ilabel"), where), written, where)
        return pynini.union(some, _nothing())


def concat(left: Neighborhood, right: Neighborhood) -> Concatenation:
    """``left + right``: the neighbors of a beginning before those of the rest."""
    return Concatenation(left, right)


def _builder(parts: tuple[Neighborhood, ...]) -> Builder:
    left, right = parts
    if isinstance(left.build, NoTransducer) or isinstance(right.build, NoTransducer):
        return NoTransducer()
    return Spans(left.build, right.build, f"{left.name} + {right.name}")


def _span(part: Neighborhood, pattern: tuple[int, ...], words: Words) -> pynini.Fst:
    return arrays_to_fst(part.over(pattern, words)) if pattern else _nothing()


def _wildcards(arrays: Arrays) -> int:
    return int(np.count_nonzero(arrays.ilabel == SIGMA_ID))


def _words_in(labels: NDArray[np.integer], symbols: Symbols) -> pynini.Fst:
    """The acceptor of one and more of these labels, ε left out."""
    return pynini.closure(symbols.union(np.unique(labels[labels > 0]).tolist()), 1)


def _nothing() -> pynini.Fst:
    """The acceptor of the empty string."""
    return pynini.accep("")


Neighborhood.operators["+"] = Concatenation
