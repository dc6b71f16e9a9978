"""From lattices to product automata: lattice · </s> ∘ emissions ∘ tag history, in OpenFst.

Arcs carry feature ids, never weights: the input label of a product arc is the word, its
output label the code of the tag n-gram. Structure is built once; numbers come later.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import pynini
import scipy.sparse as sp
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.grammars import emissions, tag_ngrams
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, fst_to_arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID

PRODUCT_LIMIT = 5_000_000
WHOLE_LIMIT = 1_000_000  # up to so many n-grams the tag history holds all of them
LONG = 200  # from so many states on, the size of a product is bounded before it is built


class TagAutomaton:
    """The unweighted tagger: which tags a word may take, and which n-gram each tag completes.

    Where all n-grams would make a large machine, the tag history is built anew for each
    lattice, with the n-grams that it can contain.

    Parameters
    ----------
    word, tag : ndarray of int, shape (pairs,)
        The (word id, tag) pairs that the dictionary allows.
    n_tags : int
        The number of tags.
    order : {1, 2, 3}
        The length of a tag n-gram.
    """

    def __init__(self, word: NDArray[np.int64], tag: NDArray[np.int64], n_tags: int, order: int) -> None:
        if order not in tag_ngrams.ORDERS:
            raise MachineError(f"order {order}: a tag n-gram has one, two or three tags")
        self._n_tags = n_tags
        self._order = order
        self._emitter = _Typed(emissions.build(word, tag, n_tags))
        small = (n_tags + 1) ** order <= WHOLE_LIMIT
        self._history = _Typed(_whole_history(n_tags, order)) if small else None

    def product(self, lattice: Lattice) -> Arrays:
        """The product automaton of one lattice.

        Raises
        ------
        MachineError
            No tag sequence is possible, or the product exceeds five million states.
        """
        return self.product_of_ended(with_end(lattice.arrays), lattice.arc_type, lattice.name)

    def product_of_ended(self, ended: Arrays, arc_type: str, name: str) -> Arrays:
        """The product automaton of an acceptor whose sentences end with ``</s>``; errors call it `name`."""
        emitter = self._emitter.of(arc_type)
        tagged = algebra.compose(
            arrays_to_const(ended, arc_type), emitter, f"{name} ∘ emissions", PRODUCT_LIMIT
        )
        where = f"{name} ∘ emissions ∘ tag history"
        if tagged.num_states() >= LONG:
            _check_size(fst_to_arrays(tagged), self._order, where)
        history = self._history or self._history_of(fst_to_arrays(tagged))
        return fst_to_arrays(algebra.compose(tagged, history.of(arc_type), where, PRODUCT_LIMIT))

    def products(self, lattices: Iterable[Lattice]) -> list[Arrays]:
        """The product automata of many lattices, in order."""
        return [self.product(lattice) for lattice in lattices]

    def _history_of(self, tagged: Arrays) -> _Typed:
        """The tag history over the bigrams that occur in this machine."""
        codes = tag_ngrams.within(_bigrams(tagged, self._n_tags), self._order)
        return _Typed(tag_ngrams.build(self._n_tags, self._order, codes=codes))


class _Typed:
    """A machine in every arc type asked for: OpenFst composes like with like."""

    def __init__(self, fst: pynini.Fst) -> None:
        self._fst = {"standard": fst}

    def of(self, arc_type: str) -> pynini.Fst:
        if arc_type not in self._fst:
            self._fst[arc_type] = pynini.arcmap(self._fst["standard"], map_type=f"to_{arc_type}")
        return self._fst[arc_type]


def _bigrams(tagged: Arrays, n_tags: int) -> sp.csr_matrix:
    """Which tag may follow which in a machine whose output labels are tags + 1."""
    shape = (len(tagged.final), n_tags + 1)
    after = np.append(tagged.next, tagged.start), np.append(tagged.olabel - 1, n_tags)
    into = sp.csr_matrix((np.ones(len(after[0])), after), shape=shape)
    out = sp.csr_matrix((np.ones(len(tagged.source)), (tagged.source, tagged.olabel - 1)), shape=shape)
    return into.T.tocsr() @ out


def _check_size(tagged: Arrays, order: int, where: str) -> None:
    """Raise if the product could have too many arcs: Σ over arcs of the tag histories at their source."""
    states = len(tagged.final)
    pairs = np.unique(tagged.next.astype(np.int64) * (int(tagged.olabel.max()) + 1) + tagged.olabel)
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
