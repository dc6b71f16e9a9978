"""From lattices to product automata: lattice · </s> ∘ emissions ∘ tag n-grams, in OpenFst.

Arcs carry feature ids, never weights: the input label of a product arc is the word, its
output label the code of the tag n-gram. Structure is built once; numbers come later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from fstce.errors import MachineError
from fstce.grammars import emissions, tag_ngrams
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, fst_to_arrays
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import END_ID, SIGMA_ID, Symbols
from fstce.numeric.kernels import without_repeats
from fstce.numeric.room import check_room
from fstce.numeric.types import Ints

PRODUCT_LIMIT = 5_000_000
WHOLE_LIMIT = 1_000_000  # up to so many n-grams their machine holds all of them
TOGETHER = 100  # machines that share the tag n-grams
LONG = 200  # from so many states on, the size of a product is bounded before it is built

Ended = tuple[Arrays, str, str]


class TagAutomaton:
    """The unweighted tagger: which tags a word may take, and which n-gram each tag completes.

    Where all n-grams would make a large machine, their machine is built anew with those
    that a lattice can contain; of shorter ones for a hundred lattices at a time.

    ``word``, ``tag`` (pairs,): the (word id, tag) pairs that the dictionary allows. ``tags``: the same pairs
    as a table, with those of ``</s>`` and of wildcards.
    """

    def __init__(self, word: Ints, tag: Ints, n_tags: int, order: int) -> None:
        if order not in tag_ngrams.ORDERS:
            raise MachineError(f"order {order}: a tag n-gram has one, two or three tags")
        self.n_tags, self.order = n_tags, order
        self.tags = WordTags.of(word, tag, n_tags)
        self._pairs = word, tag

    # Made when they are composed with: where lattices are multiplied level by level, they are not.
    @cached_property
    def _emitter(self) -> _Typed:
        return _Typed(emissions.build(*self._pairs, self.n_tags))

    @cached_property
    def _history(self) -> _Typed | None:
        """All n-grams, where that is no large machine."""
        small = (self.n_tags + 1) ** self.order <= WHOLE_LIMIT
        return _Typed(_whole_history(self.n_tags, self.order)) if small else None

    def product(self, lattice: Lattice) -> Arrays:
        """The product automaton of one lattice."""
        return self.products([lattice])[0]

    def products(self, lattices: Iterable[Lattice]) -> list[Arrays]:
        """The product automata of many lattices, in order."""
        return self.products_of_ended((with_end(row.arrays), row.arc_type, row.name) for row in lattices)

    def products_of_ended(self, machines: Iterable[Ended]) -> list[Arrays]:
        """The product automata of acceptors whose sentences end with ``</s>``.

        ``machines``: each with its arc type and the name that errors call it by.
        """
        rows = iter(machines)
        products: list[Arrays] = []
        while some := list(islice(rows, TOGETHER)):
            check_room()
            tagged = [self._tagged(*row) for row in some]
            # Bigrams of all together are at most those of each; trigrams would be many more.
            shared = self._history or (self._history_of(tagged) if self.order < 3 else None)
            for fst, (_, arc_type, name) in zip(tagged, some, strict=True):
                history = (shared or self._history_of([fst])).of(arc_type)
                where = f"{name} ∘ emissions ∘ tag n-grams"
                products.append(fst_to_arrays(algebra.compose(fst, history, where, PRODUCT_LIMIT)))
        return products

    def _tagged(self, ended: Arrays, arc_type: str, name: str) -> pynini.Fst:
        emitter = self._emitter.of(arc_type)
        fst = algebra.compose(arrays_to_const(ended, arc_type), emitter, f"{name} ∘ emissions", PRODUCT_LIMIT)
        if fst.num_states() >= LONG:
            _check_size(fst_to_arrays(fst), self.order, f"{name} ∘ emissions ∘ tag n-grams")
        return fst

    def _history_of(self, tagged: Iterable[pynini.Fst]) -> _Typed:
        """The tag n-grams of the bigrams that occur in these machines."""
        bigrams = _bigrams([fst_to_arrays(fst) for fst in tagged], self.n_tags)
        return _Typed(tag_ngrams.build(self.n_tags, self.order, codes=tag_ngrams.within(bigrams, self.order)))


class TagStructure:
    """Which words may take which tags: what all automata of a training are made of.

    ``pairs``: the (word id, tag number) pairs that the dictionary allows, ascending.
    """

    def __init__(self, symbols: Symbols, pairs: tuple[Ints, Ints], tags: Sequence[str], order: int) -> None:
        self.symbols, self.pairs, self.tags, self.order = symbols, pairs, tags, order
        self.automaton = TagAutomaton(*pairs, len(tags), order)


class WordTags(NamedTuple):
    """The tags of every word id: ``tag[first[w] : first[w] + times[w]]``."""

    first: Ints
    times: Ints
    tag: Ints

    @classmethod
    def of(cls, word: Ints, tag: Ints, n_tags: int) -> WordTags:
        """The pairs that the dictionary allows; ``</s>`` has the boundary, any word every tag."""
        every = without_repeats(tag)
        words = np.concatenate((word, [END_ID], np.full(len(every), SIGMA_ID)))
        order = np.argsort(words, kind="stable")
        times = np.bincount(words, minlength=int(words.max()) + 1)
        return cls(np.cumsum(times) - times, times, np.concatenate((tag, [n_tags], every))[order])


class _Typed:
    """A machine in every arc type asked for: OpenFst composes like with like."""

    def __init__(self, fst: pynini.Fst) -> None:
        self._fst = {"standard": fst}

    def of(self, arc_type: str) -> pynini.Fst:
        if arc_type not in self._fst:
            self._fst[arc_type] = pynini.arcmap(self._fst["standard"], map_type=f"to_{arc_type}")
        return self._fst[arc_type]


def _bigrams(tagged: Sequence[Arrays], n_tags: int) -> sp.csr_matrix:
    """Which tag may follow which in machines whose output labels are tags + 1."""
    sizes = np.array([len(machine.final) for machine in tagged])
    first = np.cumsum(sizes) - sizes
    shift = np.repeat(first, [len(machine.source) for machine in tagged])
    columns = zip(*((machine.source, machine.next, machine.olabel) for machine in tagged), strict=True)
    source, target, label = (np.concatenate(column) for column in columns)
    start = first + np.array([machine.start for machine in tagged])
    after = np.append(target + shift, start), np.append(label - 1, np.full(len(start), n_tags))
    shape = (int(sizes.sum()), n_tags + 1)
    into = sp.csr_matrix((np.ones(len(after[0])), after), shape=shape)
    out = sp.csr_matrix((np.ones(len(label)), (source + shift, label - 1)), shape=shape)
    return into.T.tocsr() @ out


def _check_size(tagged: Arrays, order: int, where: str) -> None:
    """Raise if the product could have too many arcs: Σ over arcs of the contexts at their source."""
    states = len(tagged.final)
    pairs = without_repeats(tagged.next.astype(np.int64) * (int(tagged.olabel.max()) + 1) + tagged.olabel)
    last = np.maximum(np.bincount(pairs // (int(tagged.olabel.max()) + 1), minlength=states), 1)
    older = np.bincount(tagged.next, last[tagged.source], states)
    histories = {1: np.ones(states), 2: last, 3: np.maximum(older, 1)}[order]
    arcs = int(histories[tagged.source].sum())
    if arcs > 2 * algebra.ARC_LIMIT:
        raise MachineError(
            f"{where}: the product may need {arcs:,} arcs, more than {2 * algebra.ARC_LIMIT:,}; shorten the "
            "sentence, list its words in the dictionary, coarsen the tags or lower the order"
        )


def with_end(lattice: Arrays) -> Arrays:
    """The lattice with ``</s>`` after every sentence, so that it has one final state."""
    ends = np.flatnonzero(np.isfinite(lattice.final))
    end = len(lattice.final)
    label = np.full(len(ends), END_ID)
    return Arrays(
        lattice.start,
        np.append(np.full(end, np.inf), 0.0),
        np.append(lattice.source, ends),
        np.append(lattice.ilabel, label),
        np.append(lattice.olabel, label),
        np.append(lattice.weight, lattice.final[ends]),
        np.append(lattice.next, np.full(len(ends), end)),
    )


@lru_cache(maxsize=8)
def _whole_history(n_tags: int, order: int) -> pynini.Fst:
    return tag_ngrams.build(n_tags, order)
