"""A lattice: a finite set of sentences as an acyclic, ε-free, deterministic, minimal acceptor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from itertools import islice, pairwise
from typing import Any

import numpy as np

from fstce.corpora.words import RESERVED
from fstce.errors import MachineError
from fstce.machines import algebra
from fstce.machines.drawing import to_svg
from fstce.machines.image import Arrays, arrays_to_const, arrays_to_fst, fst_to_arrays, relabeled
from fstce.machines.openfst import has, pynini, pywrapfst
from fstce.machines.reach import paths_from_start
from fstce.machines.spelling import spellings
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.numeric.types import Floats, Ints32, Words
from fstce.parameters.overview import Overview
from fstce.svg import Svg


def linear(labels: Ints32) -> Arrays:
    """The acceptor of one sentence, given as ids."""
    states = np.arange(len(labels) + 1, dtype=np.int32)
    final = np.where(states < len(labels), np.inf, 0.0).astype(np.float32)
    return Arrays(
        0, final, states[:-1], labels, labels, np.zeros(len(labels), np.float32), states[1:]
    )


def of_sentences(sentences: Sequence[Ints32]) -> Arrays:
    """The lattice that accepts exactly these sentences."""
    return fst_to_arrays(
        algebra.to_lattice(arrays_to_const(prefix_tree(sentences)), "union of the sentences")
    )


def prefix_tree(sentences: Sequence[Sequence[int] | Ints32], costs: Floats | None = None) -> Arrays:
    """The prefix tree: a state for each prefix, short ones first; costs where sentences end.

    >>> tree = prefix_tree([np.array([3, 4]), np.array([3, 5])])
    >>> tree.source.tolist(), tree.ilabel.tolist(), tree.next.tolist()
    ([0, 1, 1], [3, 4, 5], [1, 2, 3])
    """
    lengths = np.array([len(sentence) for sentence in sentences])
    words = np.full((len(sentences), lengths.max()), -1, dtype=np.int32)
    words[np.arange(lengths.max()) < lengths[:, None]] = np.concatenate(sentences)
    order = np.lexsort(words.T[::-1])  # what shares a prefix stands together
    words = words[order]
    ends = (lengths[order] - 1, np.arange(len(order)))

    new = np.ones(words.shape, dtype=bool)
    new[1:] = np.logical_or.accumulate(words[1:] != words[:-1], axis=1)
    new = np.ascontiguousarray((new & (words >= 0)).T)
    # The first with a prefix has a new state for it, short prefixes before long ones; the others
    # the same.
    state = np.cumsum(new, dtype=np.int32).reshape(new.shape)
    state *= new
    np.maximum.accumulate(state, axis=1, out=state)

    states = 1 + np.count_nonzero(new)
    final = np.full(states, np.inf, dtype=np.float32)
    final[state[ends]] = 0.0 if costs is None else costs[order]
    source = np.append(np.zeros(np.count_nonzero(new[0]), state.dtype), state[:-1][new[1:]])
    label = words.T[new]
    weight = np.zeros(states - 1, np.float32)
    return Arrays(0, final, source, label, label, weight, np.arange(1, states))


def accepts(arrays: Arrays, labels: Ints32) -> bool:
    """Whether an ε-free acceptor has a path of these labels, ``<sigma>`` standing for any."""
    # Every sentence's lattice is asked, so no call of numpy for each word
    order = np.argsort(arrays.source, kind="stable")
    begin = np.searchsorted(arrays.source[order], np.arange(len(arrays.final) + 1)).tolist()
    read = arrays.ilabel[order].tolist()
    target = arrays.next[order].tolist()

    states = {arrays.start}
    for label in labels.tolist():  # the states that a prefix reaches
        arcs = (arc for state in states for arc in range(begin[state], begin[state + 1]))
        states = {target[arc] for arc in arcs if read[arc] == label or read[arc] == SIGMA_ID}
    return any(np.isfinite(arrays.final[state]) for state in states)


def is_minimal(lattice: Arrays) -> bool:
    """Whether no state reads a label twice, and no two states have the same arcs.

    >>> tree = prefix_tree([np.array([3, 4]), np.array([5, 6])])  # with two ends
    >>> is_minimal(linear(np.array([3, 4]))), is_minimal(tree)
    (True, False)
    """
    read_at = lattice.source.astype(np.int64) << 32 | lattice.ilabel
    order = np.argsort(read_at)
    if not np.diff(read_at[order]).all():
        return False

    arcs = np.stack([lattice.ilabel, lattice.next], axis=1)[order]
    bounds = np.searchsorted(lattice.source[order], np.arange(len(lattice.final) + 1)).tolist()
    arcs_of_state = (arcs[begin:end].tobytes() for begin, end in pairwise(bounds))
    return len({*zip(lattice.final.tolist(), arcs_of_state, strict=True)}) == len(lattice.final)


class Lattice(metaclass=Overview):
    """The sentences of one neighborhood.

    Parameters
    ----------
    arrays : Arrays
        The acceptor, its labels ids of `symbols`.
    symbols : Symbols
        The alphabet Σ over which ``<sigma>`` ranges.
    name : str
        What it is, for messages: ``"sentence 3 ∘ trans1"``.

    Examples
    --------
    Those of the methods go on with this one.

    >>> from fstce import neighborhood
    >>> lattice = neighborhood("trans1")("so it goes".split())
    >>> len(lattice), lattice
    (6, <Lattice sentence 1 ∘ trans1: 6 states, 7 arcs>)
    """

    def __init__(self, arrays: Arrays, symbols: Symbols, name: str = "lattice") -> None:
        self.arrays = arrays
        self.symbols = symbols
        self.name = name

    @classmethod
    def from_fst(
        cls,
        fst: pywrapfst.Fst,
        symbols: Symbols | pywrapfst.SymbolTableView | None = None,
        name: str = "lattice",
    ) -> Lattice:
        """Any acyclic machine's output side as a lattice.

        Parameters
        ----------
        fst : Fst
            Of arc type ``standard``, ``log`` or ``log64``; the weights, −log in nats, of paths
            that spell the same add up as probabilities.
        symbols : Symbols or SymbolTable, optional
            What the labels are: ids of an alphabet of fstce's, or of an OpenFst table. By default
            the machine's own output symbols; where it has none, the words are the labels as
            numbers. A table lets ``<sigma>`` stand for the words on arcs alone, an alphabet
            for all of its words.
        name : str

        Returns
        -------
        Lattice

        Raises
        ------
        MachineError
            The machine is unsound, cyclic, or spells nothing, or a label has no symbol.

        Examples
        --------
        >>> Lattice.from_fst(pynini.accep("ab")).strings()
        [('97', '98')]
        """
        machine = algebra.verified(fst, name)
        if not has(machine, "UNWEIGHTED"):
            machine = algebra.in_log(machine)
        arrays = fst_to_arrays(algebra.to_lattice(machine, name))
        if isinstance(symbols, Symbols):
            return cls(arrays, symbols, name)

        if symbols is None:
            symbols = fst.output_symbols()
        spelt = spellings(arrays.ilabel, symbols, name)
        alphabet = Symbols(word for word in spelt.values() if word not in RESERVED)
        ids = relabeled(arrays.ilabel, lambda label: alphabet.label(spelt[label]))
        return cls(arrays._replace(ilabel=ids, olabel=ids), alphabet, name)

    @classmethod
    def of_sentence(cls, words: Words, symbols: Symbols, name: str = "sentence") -> Lattice:
        """The lattice of one sentence alone.

        Parameters
        ----------
        words : sequence of str
        symbols : Symbols
            The alphabet, which has the words.
        name : str
            How errors name the lattice.

        Returns
        -------
        Lattice

        Examples
        --------
        >>> from fstce.machines.symbols import Symbols
        >>> Lattice.of_sentence(["we", "fish"], Symbols(["we", "fish"])).strings()
        [('we', 'fish')]
        """
        return cls(linear(symbols.ids(words)), symbols, name)

    @property
    def arc_type(self) -> str:
        """``standard`` when unweighted, ``log64`` when weighted.

        Examples
        --------
        >>> lattice.arc_type
        'standard'
        """
        return "log64" if self.arrays.weight.dtype == np.float64 else "standard"

    def to_fst(self) -> pynini.Fst:
        """The lattice as a pynini machine of its own, symbols attached.

        Returns
        -------
        pynini.Fst

        Examples
        --------
        >>> lattice.to_fst().num_states() == len(lattice)
        True
        """
        table = self.symbols.table
        fst = arrays_to_fst(self.arrays, self.arc_type)
        return fst.set_input_symbols(table).set_output_symbols(table)

    def draw(self, posteriors: Sequence[float] | None = None, *, engine: str = "auto") -> Svg:
        """The lattice as a picture, which a notebook shows.

        Parameters
        ----------
        posteriors : sequence of float, optional
            How probable each arc of `arrays` is, such as those of
            :func:`fstce.explanation.explain.arc_posteriors`: its thickness.
        engine : {"auto", "dot", "layered"}
            This package's own layers, unless graphviz's ``dot`` is asked for.

        Returns
        -------
        Svg
            A string; a notebook shows it.

        Raises
        ------
        MachineError
            The lattice is too large to draw, or the posteriors are not one an arc.
        MissingToolError
            The engine is ``dot``, which is not installed.

        Examples
        --------
        >>> short = neighborhood("del1word")(["so", "it"])
        >>> "so 0.75" in short.draw([0.75, 0.25, 0.5], engine="layered")
        True
        """
        return to_svg(self.to_fst(), engine=engine, posteriors=posteriors)

    def strings(self, limit: int | None = None) -> list[tuple[str, ...]]:
        """The sentences as tuples of words, at most `limit` of them, in order of the arcs.

        Parameters
        ----------
        limit : int, optional
            How many at most.

        Returns
        -------
        list of tuples of str

        Examples
        --------
        >>> sorted(map(" ".join, lattice.strings()))
        ['it so goes', 'so goes it', 'so it goes']
        """
        return list(islice(self._walk(), limit))

    def count(self) -> int:
        """The exact number of sentences, however large, without listing them.

        Returns
        -------
        int

        Examples
        --------
        >>> lattice.count()
        3
        """
        return paths_from_start(self._words.arrays, len(self.symbols))

    def accepts(self, words: Words) -> bool:
        """Whether the sentence is among the lattice's.

        Parameters
        ----------
        words : sequence of str
            The sentence.

        Returns
        -------
        bool

        Examples
        --------
        >>> lattice.accepts(["it", "so", "goes"])
        True
        """
        if any(word not in self.symbols for word in words):
            return False
        return accepts(self.arrays, self.symbols.ids(words))

    def __len__(self) -> int:
        return len(self.arrays.final)

    def __repr__(self) -> str:
        return f"<Lattice {self.name}: {len(self)} states, {len(self.arrays.source)} arcs>"

    def _repr_html_(self) -> str:
        """The picture for Jupyter below a line of text; that alone where there is no room."""
        try:
            picture = self.draw()._repr_html_()
        except MachineError:  # it has too many arcs, or they pass too many columns
            picture = (
                "<p>too large to draw: ask for strings(limit), count(), or a page by "
                "fstce.inspect</p>"
            )
        sizes = f"{self.count():,} strings, {len(self):,} states, {len(self.arrays.source):,} arcs"
        return f"<div><p>{escape(self.name)}: {sizes}</p>{picture}</div>"

    @cached_property
    def _words(self) -> Lattice:
        """This lattice, or its expansion where a wildcard stands next to a word.

        Paths are sentences.
        """
        source = self.arrays.source
        wild = self.arrays.ilabel == SIGMA_ID
        if np.all(np.bincount(source)[source[wild]] == 1):
            return self
        any_word = self.symbols.any()
        relation = pynini.union(any_word, pynini.cross(self.symbols.union([SIGMA_ID]), any_word))
        plain = arrays_to_fst(self.arrays, self.arc_type).arcsort("olabel")
        expanded = algebra.compose(plain, pynini.closure(relation).arcsort("ilabel"), self.name)
        return Lattice.from_fst(expanded, self.symbols, self.name)

    def _walk(self) -> Iterator[tuple[str, ...]]:
        """The strings depth first; where but one way is left to the end, it is put on whole."""
        arrays = self._words.arrays
        n_states = len(arrays.final)
        if not n_states:
            return
        final = np.isfinite(arrays.final).tolist()
        following = self._following()

        tails: list[tuple[str, ...] | None] = [None] * n_states
        for state in reversed(range(n_states)):
            if not following[state]:
                tails[state] = () if final[state] else None
            elif len(following[state]) == 1 and not final[state]:
                (words, target), *_ = following[state]
                tail = tails[target]
                if len(words) == 1 and tail is not None and len(tail) < _LONGEST_TAIL:
                    tails[state] = (*words, *tail)

        def steps(state: int) -> Iterator[tuple[str, int]]:
            for words, target in following[state]:
                for word in words:
                    yield word, target

        prefix: list[str] = []
        if final[arrays.start]:
            yield ()
        stack = [steps(arrays.start)]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                del prefix[-1:]
                continue

            word, target = step
            tail = tails[target]
            if tail is not None:
                yield (*prefix, word, *tail)
                continue
            prefix.append(word)
            if final[target]:
                yield tuple(prefix)
            stack.append(steps(target))

    def _following(self) -> list[list[tuple[Sequence[str], int]]]:
        """For each state its arcs: the words of the label, and the state that it leads to."""
        arrays = self._words.arrays
        any_word = tuple(self.symbols)
        following: list[list[tuple[Sequence[str], int]]] = [[] for _ in arrays.final]
        columns = (arrays.source, arrays.ilabel, arrays.next)
        for source, label, target in zip(*(column.tolist() for column in columns), strict=True):
            words = any_word if label == SIGMA_ID else (self.symbols.word(label),)
            following[source].append((words, target))
        return following


_LONGEST_TAIL = 100  # words of an only way to the end that are kept for each state


def wildcard_length(lattice: Lattice) -> int:
    """The length m of a lattice that is Σ^m and weighs nothing, else 0.

    >>> from fstce import neighborhood
    >>> wildcard_length(neighborhood("length")(["DT", "NN", "VB"]))
    3
    """
    m = len(lattice.arrays.source)
    wildcards = linear(np.full(m, SIGMA_ID, np.int32))
    pairs: Any = zip(lattice.arrays, wildcards, strict=True)
    return m * all(np.array_equal(column, wanted) for column, wanted in pairs)
