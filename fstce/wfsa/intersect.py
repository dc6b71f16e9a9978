"""From lattices to product automata: lattice · </s> ∘ emissions ∘ tag n-grams.

Arcs carry feature ids, never weights: the input label of a product arc is the word, its
output label the code of the tag n-gram. Structure is built once; numbers come later.

Many lattices are multiplied at once, level by level (:func:`pack_products`). A state of the product is a
state q of a lattice and the n − 1 tags before it, h; an arc is an arc q → q′ of the lattice with one of its
word's tags t, and leads from (q, h) to (q′, h′), h′ the last n − 1 tags of h t. States come level by level,
those of all lattices together, and nothing is built that is not reached. What OpenFst composes
(:class:`TagAutomaton`) has the same states and arcs, a sentence at a time; it serves where a word has no
tag or the product is too large, and names the sentence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.grammars import emissions, tag_ngrams
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, fst_to_arrays
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import END_ID, SIGMA_ID, Symbols
from fstce.numeric.kernels import ranges, without_repeats
from fstce.numeric.room import check_room
from fstce.numeric.types import Ints, Rows
from fstce.wfsa.batch import Batch, Columns, levels_of, number_cells, pack

PRODUCT_LIMIT = 5_000_000
ARC_LIMIT = 20_000_000  # of many lattices at once
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


def pack_products(automaton: TagAutomaton, lattices: Iterable[Lattice]) -> Batch:
    """The product automata of lattices, packed."""
    rows = list(lattices)
    batch = _packed(automaton, _join(rows)) if rows else None
    return pack(automaton.products(rows)) if batch is None else batch


def pack_ended(automaton: TagAutomaton, machines: Columns) -> Batch | None:
    """The same of acceptors that end with ``</s>``, their arcs weighted; None where only OpenFst can."""
    order = np.argsort(machines.source, kind="stable")
    # A state's key, q · (H + 1) + h, does not fit into four bytes.
    source, target, word = (
        column[order].astype(np.int64) for column in (machines.source, machines.next, machines.word)
    )
    ends = machines.start, machines.final, machines.machine.astype(np.int64)
    return _packed(automaton, _Joined(*ends, source, target, word, machines.bias[order]))


def _packed(automaton: TagAutomaton, joined: _Joined) -> Batch | None:
    """The product; None where a word has no tag, or it would be too large."""
    times = automaton.tags.times
    known = int(joined.word.max()) < len(times) and bool(times[joined.word].all())
    return _Layers(automaton, joined).batch() if known else None


def observed(sentences: Rows, symbols: Symbols, numbers: Sequence[int]) -> Iterator[Lattice]:
    """The sentences themselves as lattices; `numbers` name them in messages."""
    for sentence, number in zip(sentences, numbers, strict=True):
        yield Lattice.of_sentence(sentence, symbols, f"sentence {number}")


def sentence_batch(sentences: Rows, symbols: Symbols, automaton: TagAutomaton, first: int = 1) -> Batch:
    """The product automata of the sentences themselves; `first` numbers the first, for messages."""
    return pack_products(automaton, observed(sentences, symbols, range(first, first + len(sentences))))


class _Joined(NamedTuple):
    """Lattices end to end, each with ``</s>`` after every sentence; arcs in order of source."""

    start: NDArray[Any]
    end: NDArray[Any]
    machine: NDArray[Any]
    source: NDArray[Any]
    target: NDArray[Any]
    word: NDArray[Any]
    bias: NDArray[Any] | None


def _join(rows: Sequence[Lattice]) -> _Joined:
    arrays = [row.arrays for row in rows]
    size = np.array([len(one.final) + 1 for one in arrays])  # with the end
    arcs = [len(one.source) for one in arrays]
    offset = np.cumsum(size) - size
    machine = np.repeat(np.arange(len(rows)), size)
    shift = np.repeat(offset, arcs)
    final = np.concatenate([np.append(one.final, np.inf) for one in arrays])
    ends = np.flatnonzero(np.isfinite(final))
    end = offset + size - 1
    source = np.concatenate([*(one.source for one in arrays), ends])
    source[: len(shift)] += shift
    target = np.concatenate([*(one.next for one in arrays), end[machine[ends]]])
    target[: len(shift)] += shift
    word = np.concatenate([*(one.ilabel for one in arrays), np.full(len(ends), END_ID)])
    order = np.argsort(source, kind="stable")
    bias = None
    if any(row.arc_type != "standard" for row in rows):
        bias = -np.concatenate([*(one.weight for one in arrays), final[ends]], dtype=np.float64)[order]
    start = offset + np.array([one.start for one in arrays])
    return _Joined(start, end, machine, source[order], target[order], word[order], bias)


class _Arcs(NamedTuple):
    """Arcs of the product: from which state, the key of their target, their n-gram, their lattice's arc."""

    source: Ints
    key: Ints
    code: Ints
    arc: Ints


class _Layers:
    """Grows the product from level to level.

    The key of a state (q, h) is q · (H + 1) + h of H histories; H itself stands for the end.
    """

    def __init__(self, automaton: TagAutomaton, joined: _Joined) -> None:
        self._tags, self._joined = automaton.tags, joined
        self._base = automaton.n_tags + 1
        self._histories = self._base ** (automaton.order - 1)
        states = len(joined.machine)
        self._out = np.bincount(joined.source, minlength=states)
        self._first = np.cumsum(self._out) - self._out
        self._level = levels_of(joined.source, joined.target, joined.start, states)
        self._built = 0
        self._waiting: dict[int, list[_Arcs]] = defaultdict(list)

    def batch(self) -> Batch | None:
        """The packed product; None where it would be too large."""
        joined, width = self._joined, self._histories + 1
        keys = joined.start * width + self._histories - 1  # before the sentence are boundaries alone
        degree, layers, parts, reached = np.zeros(len(keys), dtype=np.int64), [keys], [], 0
        degrees = [degree]
        for level in range(1, int(self._level.max()) + 1):
            if not self._leave(keys, reached, level):
                return None
            reached += len(keys)
            keys, degree, arcs = _merge(self._waiting.pop(level))
            layers.append(keys)
            degrees.append(degree)
            parts.append(arcs)
        state = np.concatenate(layers)
        source, _, code, arc = (np.concatenate(column) for column in zip(*parts, strict=True))
        into = np.concatenate(degrees)
        lattice_state = state // width
        if np.bincount(joined.machine[lattice_state]).max() > PRODUCT_LIMIT:
            return None
        number = np.empty(len(joined.machine), dtype=np.int64)  # of states that are one in the product
        number[lattice_state] = np.arange(len(state))
        cell, ngram, word = number_cells(code + 1, joined.word[arc].astype(np.int64))
        return Batch(
            source=source.astype(np.int32),
            target=np.repeat(np.arange(len(state), dtype=np.int32), into),
            indptr=np.append(0, np.cumsum(into)).astype(np.int32),
            levels=np.append(0, np.cumsum([len(keys) for keys in layers])),
            start=number[joined.start],
            final=number[joined.end],
            machine=joined.machine[lattice_state].astype(np.int32),
            cell=cell,
            ngram=ngram,
            word=word,
            bias=None if joined.bias is None else joined.bias[arc],
        )

    def _leave(self, keys: Ints, first: int, level: int) -> bool:
        """Put the arcs that leave the states of these keys where they lead; False where they are too many."""
        joined, tags = self._joined, self._tags
        state, history = np.divmod(keys, self._histories + 1)
        out = self._out[state]
        arc = ranges(self._first[state], out)
        times = tags.times[joined.word[arc]]
        self._built += int(times.sum())
        if self._built > ARC_LIMIT:
            return False
        # (q, h) → (q′, h′) by every arc q → q′ and each tag t of its word: (arcs · tags,)
        tag = tags.tag[ranges(tags.first[joined.word[arc]], times)]
        source = np.repeat(np.repeat(np.arange(first, first + len(keys)), out), times)
        code = np.repeat(np.repeat(history, out), times) * self._base + tag
        arc = np.repeat(arc, times)
        target = joined.target[arc]
        last = np.where(tag == self._base - 1, self._histories, code % self._histories)
        arcs = _Arcs(source, target * (self._histories + 1) + last, code, arc)
        at = self._level[target]
        if np.all(at == level):
            self._waiting[level].append(arcs)
            return True
        for later in np.flatnonzero(np.bincount(at)).tolist():
            chosen = np.flatnonzero(at == later)
            self._waiting[later].append(_Arcs(*(column[chosen] for column in arcs)))
        return True


def _merge(parts: list[_Arcs]) -> tuple[Ints, Ints, _Arcs]:
    """The states of a level by the number of arcs into them, that number, and the arcs in their order."""
    arcs = parts[0] if len(parts) == 1 else _Arcs(*(np.concatenate(c) for c in zip(*parts, strict=True)))
    by_key = np.argsort(arcs.key, kind="stable")
    keys = arcs.key[by_key]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    degree = np.diff(np.append(first, len(keys)))
    order = np.argsort(degree, kind="stable")
    arc = by_key[ranges(first[order], degree[order])]
    return keys[first[order]], degree[order], _Arcs(*(column[arc] for column in arcs))
