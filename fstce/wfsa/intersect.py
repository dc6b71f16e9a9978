"""From lattices to product automata: lattice · </s> ∘ emissions ∘ tag n-grams.

Arcs carry feature ids, never weights: the input label of a product arc is the word, its
output label the code of the tag n-gram. Structure is built once; numbers come later.

Lattices are multiplied all at once, level by level. A state of the product is a state q of a lattice and
the n − 1 tags before it, h; an arc is an arc q → q′ of the lattice with one of its word's tags t, and leads
from (q, h) to (q′, h′), h′ the last n − 1 tags of h t. States come level by level, those of all lattices
together, and nothing is built that is not reached. It is what OpenFst composes of lattice, emissions and
n-grams, which the tests compare with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.grammars import tag_ngrams
from fstce.machines.algebra import ARC_LIMIT
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID, SIGMA_ID, Symbols
from fstce.numeric.kernels import ranges, without_repeats
from fstce.numeric.types import Floats, Ints, Rows
from fstce.wfsa.batch import Batch, Columns, levels_of, number_cells, trimmed

PRODUCT_LIMIT = 5_000_000  # states of a product
BOUND = 2 * ARC_LIMIT  # arcs that it may need, looked at before it is built


class TagAutomaton:
    """The unweighted tagger: which tags a word may take, and which n-gram each tag completes.

    ``word``, ``tag`` (pairs,): the (word id, tag) pairs that the dictionary allows. Word w takes the tags
    ``tag[first[w] : first[w] + times[w]]``; ``</s>`` the boundary, a wildcard every tag that some word takes.
    """

    def __init__(self, word: Ints, tag: Ints, n_tags: int, order: int) -> None:
        if order not in tag_ngrams.ORDERS:
            raise MachineError(f"order {order}: a tag n-gram has one, two or three tags")
        self.n_tags, self.order = n_tags, order
        every = without_repeats(tag)
        words = np.concatenate((word, [END_ID], np.full(len(every), SIGMA_ID)))
        by_word = np.argsort(words, kind="stable")
        self.times = np.bincount(words, minlength=int(words.max()) + 1)
        self.first = np.cumsum(self.times) - self.times
        self.tag = np.concatenate((tag, [n_tags], every))[by_word]


class TagStructure:
    """Which words may take which tags: what all automata of a training are made of.

    ``pairs``: the (word id, tag number) pairs that the dictionary allows, ascending.
    """

    def __init__(self, symbols: Symbols, pairs: tuple[Ints, Ints], tags: Sequence[str], order: int) -> None:
        self.symbols, self.pairs, self.tags, self.order = symbols, pairs, tags, order
        self.automaton = TagAutomaton(*pairs, len(tags), order)


def pack_products(automaton: TagAutomaton, lattices: Iterable[Lattice]) -> Batch:
    """The product automata of lattices, packed."""
    rows = list(lattices)
    return pack_ended(automaton, ended(rows), [row.name for row in rows])


def ended(rows: Sequence[Lattice]) -> Columns:
    """Lattices end to end, each with ``</s>`` after every sentence, so that it has one final state."""
    if not rows:
        raise MachineError("an empty batch: there is no sentence to train on or to tag")
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
    bias = np.zeros(0)
    if any(row.arc_type != "standard" for row in rows):
        bias = -np.concatenate([*(one.weight for one in arrays), final[ends]], dtype=np.float64)
    start = offset + np.array([one.start for one in arrays])
    return Columns(start, end, size, source, target, word, word, bias)


def pack_ended(automaton: TagAutomaton, machines: Columns, names: Sequence[str]) -> Batch:
    """The same of acceptors that end with ``</s>``; messages call them by these names."""
    times = np.append(automaton.times, 0)[np.minimum(machines.word, len(automaton.times))]
    if not times.all():  # without the arcs of words that have no tag
        machines = trimmed(machines, times > 0)
        left = np.bincount(machines.machine[machines.source], minlength=len(names))
        for number in np.flatnonzero(left == 0)[:1].tolist():
            raise MachineError(f"{names[number]} ∘ emissions: the composition accepts nothing")
    return _Layers(automaton, machines, names).batch()


def _product_of(name: str) -> str:
    return f"{name} ∘ emissions ∘ tag n-grams"


def observed(sentences: Rows, symbols: Symbols, numbers: Sequence[int]) -> Iterator[Lattice]:
    """The sentences themselves as lattices; `numbers` name them in messages."""
    for sentence, number in zip(sentences, numbers, strict=True):
        yield Lattice.of_sentence(sentence, symbols, f"sentence {number}")


def sentence_batch(sentences: Rows, symbols: Symbols, automaton: TagAutomaton, first: int = 1) -> Batch:
    """The product automata of the sentences themselves; `first` numbers the first, for messages."""
    return pack_products(automaton, observed(sentences, symbols, range(first, first + len(sentences))))


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

    def __init__(self, automaton: TagAutomaton, machines: Columns, names: Sequence[str]) -> None:
        self._tags, self._names = automaton, names
        self._base, self._order = automaton.n_tags + 1, automaton.order
        self._histories = self._base ** (automaton.order - 1)
        self._machines, self._machine, states = machines, machines.machine, machines.states
        order = np.argsort(machines.source, kind="stable")
        # A state's key, q · (H + 1) + h, does not fit into four bytes.
        self._target, self._word = (
            column[order].astype(np.int64) for column in (machines.next, machines.word)
        )
        self._bias = machines.bias[order] if len(machines.bias) else None
        self._out = np.bincount(machines.source, minlength=states)
        self._first = np.cumsum(self._out) - self._out
        self._level = levels_of(machines.source, machines.next, machines.start, states)
        self._made = np.zeros(len(names))  # arcs of each machine
        self._waiting: dict[int, list[_Arcs]] = defaultdict(list)

    def batch(self) -> Batch:
        """The packed product."""
        self._check_bound()
        machines, width = self._machines, self._histories + 1
        keys = machines.start * width + self._histories - 1  # before the sentence are boundaries alone
        degree, layers, parts, reached = np.zeros(len(keys), dtype=np.int64), [keys], [], 0
        degrees = [degree]
        for level in range(1, int(self._level.max()) + 1):
            self._leave(keys, reached, level)
            reached += len(keys)
            keys, degree, arcs = _merge(self._waiting.pop(level))
            layers.append(keys)
            degrees.append(degree)
            parts.append(arcs)
        state = np.concatenate(layers)
        source, _, code, arc = (np.concatenate(column) for column in zip(*parts, strict=True))
        into = np.concatenate(degrees)
        lattice_state = state // width
        machine = self._machine[lattice_state]
        self._check(np.bincount(machine), PRODUCT_LIMIT, "states; raise the limit or shorten")
        number = np.empty(machines.states, dtype=np.int64)  # of states that are one in the product
        number[lattice_state] = np.arange(len(state))
        cell, ngram, word = number_cells(code + 1, self._word[arc])
        return Batch(
            source=source.astype(np.int32),
            target=np.repeat(np.arange(len(state), dtype=np.int32), into),
            indptr=np.append(0, np.cumsum(into)).astype(np.int32),
            levels=np.append(0, np.cumsum([len(keys) for keys in layers])),
            start=number[machines.start],
            final=number[machines.final],
            machine=machine,
            cell=cell,
            ngram=ngram,
            word=word,
            bias=None if self._bias is None else self._bias[arc],
        )

    def _check_bound(self) -> None:
        """Raise if a product may need too many arcs: Σ over tagged arcs of the contexts at their source."""
        times, states = self._tags.times[self._word], len(self._machine)
        source = np.repeat(np.arange(states), self._out)
        tagged = np.bincount(self._machine[source], times)
        if tagged.max() * float(times.max()) ** (self._order - 1) <= BOUND:
            return
        tag = self._tags.tag[ranges(self._tags.first[self._word], times)]
        source, target = np.repeat(source, times), np.repeat(self._target, times)
        last = np.bincount(without_repeats(target * self._base + tag) // self._base, minlength=states)
        last = np.maximum(last, 1)
        older = np.maximum(np.bincount(target, last[source], states), 1)
        histories = {1: np.ones(states), 2: last, 3: older}[self._order]
        arcs = np.bincount(self._machine[source], histories[source])
        for number in np.flatnonzero(arcs > BOUND)[:1].tolist():
            raise MachineError(
                f"{_product_of(self._names[number])}: the product may need {int(arcs[number]):,} arcs, more "
                f"than {BOUND:,}; shorten the sentence, list its words in the dictionary, coarsen the tags "
                "or lower the order"
            )

    def _leave(self, keys: Ints, first: int, level: int) -> None:
        """Put the arcs that leave the states of these keys where they lead."""
        tags = self._tags
        state, history = np.divmod(keys, self._histories + 1)
        out = self._out[state]
        arc = ranges(self._first[state], out)
        word = self._word[arc]
        times = tags.times[word]
        self._made += np.bincount(np.repeat(self._machine[state], out), times, len(self._made))
        self._check(self._made, ARC_LIMIT, "arcs; shorten the sentence or choose a smaller neighborhood")
        # (q, h) → (q′, h′) by every arc q → q′ and each tag t of its word: (arcs · tags,)
        tag = tags.tag[ranges(tags.first[word], times)]
        source = np.repeat(np.repeat(np.arange(first, first + len(keys)), out), times)
        code = np.repeat(np.repeat(history, out), times) * self._base + tag
        arc = np.repeat(arc, times)
        target = self._target[arc]
        last = np.where(tag == self._base - 1, self._histories, code % self._histories)
        arcs = _Arcs(source, target * (self._histories + 1) + last, code, arc)
        at = self._level[target]
        if np.all(at == level):
            self._waiting[level].append(arcs)
            return
        for later in np.flatnonzero(np.bincount(at)).tolist():
            chosen = np.flatnonzero(at == later)
            self._waiting[later].append(_Arcs(*(column[chosen] for column in arcs)))

    def _check(self, sizes: Ints | Floats, limit: int, what: str) -> None:
        """Raise where a machine has more; names it."""
        for number in np.flatnonzero(sizes > limit)[:1].tolist():
            raise MachineError(
                f"{_product_of(self._names[number])}: the composition needs more than {limit:,} {what}"
            )


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
