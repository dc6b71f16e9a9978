"""From lattices to product automata: lattice · </s> ∘ emissions ∘ tag history, in OpenFst.

Arcs carry feature ids, never weights: the input label of a product arc is the word, its
output label the code of the tag n-gram. Structure is built once; numbers come later.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import pynini
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.grammars import emissions, tag_ngrams
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, fst_to_arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID

PRODUCT_LIMIT = 5_000_000
LONG = 200  # from so many states on, the size of a product is bounded before it is built


class TagAutomaton:
    """The unweighted tagger: which tags a word may take, and which n-gram each tag completes.

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
        self._order = order
        self._machines = {"standard": (emissions.build(word, tag, n_tags), _history(n_tags, order))}

    def product(self, lattice: Lattice) -> Arrays:
        """The product automaton of one lattice.

        Raises
        ------
        MachineError
            No tag sequence is possible, or the product exceeds five million states.
        """
        ended = arrays_to_const(with_end(lattice.arrays), lattice.arc_type)
        emitter, history = self._of_type(lattice.arc_type)
        tagged = algebra.compose(ended, emitter, f"{lattice.name} ∘ emissions", PRODUCT_LIMIT)
        where = f"{lattice.name} ∘ emissions ∘ tag history"
        if tagged.num_states() >= LONG:
            _check_size(fst_to_arrays(tagged), self._order, where)
        return fst_to_arrays(algebra.compose(tagged, history, where, PRODUCT_LIMIT))

    def products(self, lattices: Iterable[Lattice]) -> list[Arrays]:
        """The product automata of many lattices, in order."""
        return [self.product(lattice) for lattice in lattices]

    def _of_type(self, arc_type: str) -> tuple[pynini.Fst, pynini.Fst]:
        """Emissions and tag history in a lattice's arc type: OpenFst composes like with like."""
        if arc_type not in self._machines:
            emitter, history = self._machines["standard"]
            kind = f"to_{arc_type}"
            self._machines[arc_type] = (
                pynini.arcmap(emitter, map_type=kind),
                pynini.arcmap(history, map_type=kind),
            )
        return self._machines[arc_type]


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
def _history(n_tags: int, order: int) -> pynini.Fst:
    if order not in tag_ngrams.ORDERS:
        raise MachineError(f"order {order}: a tag n-gram has one, two or three tags")
    return tag_ngrams.build(n_tags, order)
