"""Weights for a morphological analyser: each reading costs −log P(tag | word) of a trained tagger.

    P(t | w) ∝ E[count(w, t)] + P(t),   P(t) = (E[count(t)] + 1) / (count + tags + 1)

over the tags of w's readings, with the tagger's expected counts in a text: a word has a token more
than was seen, of the tags as they are in general. A word that the text has not costs −log P(t) of
its readings; a reading without a tag of the tagger's counts as a tag that the text has not. The
tag of a reading may be the whole of it. Readings of a word with one tag share its probability by
the lemmas' tokens in the text, one more than are expected.

The machine is that of the readings of the text's words, and the analyser without these words before
it and costs of tags behind it; flag diacritics stay what they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, dropwhile, zip_longest
from typing import Any

import numpy as np

from fstce.corpora.dictionary_sources import marked, plain
from fstce.corpora.streams import StreamSentence
from fstce.errors import MachineError, ParameterError
from fstce.machines import algebra
from fstce.machines.analyser import MOST, Analyser
from fstce.machines.flags import flag
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import prefix_tree
from fstce.machines.openfst import pynini, pywrapfst
from fstce.numeric.types import Floats, Ints, Rows, Sentences
from fstce.tagging.readings import JOINT

MOST_STATES = 50_000_000  # analysers are large, and so is what is weighted
Tag = Callable[[Sequence[str]], str | None]


@dataclass(frozen=True)
class TagCosts:
    """−log P(t | w) of the words of a text.

    ``tags``: the tagset. ``counts``: of each word how often it is expected to have each tag, shape
    (tags,). ``scale``, ``digits``: what costs are multiplied by, and their decimals.
    """

    tags: tuple[str, ...]
    counts: Mapping[str, Floats]
    scale: float = 1.0
    digits: int = 6

    @classmethod
    def of_text(cls, tagger: Any, sentences: Sentences, **scaling: Any) -> TagCosts:
        """The tags that a tagger expects in sentences, or in a stream of readings."""
        rows = list(sentences)
        words, number = np.unique(list(chain.from_iterable(map(_forms, rows))), return_inverse=True)
        table = np.zeros((len(words), len(tagger.tags_)))
        np.add.at(table, number, np.concatenate(tagger.predict_proba(rows)))
        return cls(tagger.tags_, dict(zip(words.tolist(), table, strict=True)), **scaling)

    def of_forms(self, knows: Callable[[str], bool]) -> TagCosts:
        """Counts by the analyser's forms: a word known in small letters alone counts there."""
        counts: dict[str, Floats] = {}
        for word, row in self.counts.items():
            form = word if knows(word) else word.lower()
            counts[form] = counts.get(form, 0.0) + row
        return replace(self, counts=counts)

    @cached_property
    def general(self) -> Floats:
        """−log P(t), shape (tags + 1,): the last one is of what is no tag."""
        counts = np.append(np.sum([*self.counts.values()], axis=0), 0.0) + 1
        return np.asarray(np.log(counts.sum()) - np.log(counts))

    def of(self, word: str, places: Sequence[int] | Ints) -> Floats:
        """−log P(t | w) of readings with these tags, shape (readings,)."""
        counts = np.append(self.counts[word], 0.0) + np.exp(-self.general)
        return np.asarray(np.log(counts[[*{*places}]].sum()) - np.log(counts[[*places]]))

    def scaled(self, costs: Floats) -> Floats:
        """Costs as they are written."""
        return np.asarray(np.round(self.scale * costs, self.digits))

    def place(self, tag: str | None) -> int:
        """The place of a tag, or of what is no tag."""
        return (*self.tags, tag).index(tag)


def _forms(sentence: Sequence[str]) -> Sequence[str]:
    """Its words as an analyser reads them, those of a stream with their blanks."""
    if isinstance(sentence, StreamSentence):
        return [token.surface for token in sentence.tokens]
    return sentence


def tag_of_readings(tags: Iterable[str], named: Mapping[str, str]) -> Tag:
    """The rule that gives a reading's tag: the first of its names that is mapped, else that is one.

    A reading's names are all its tag symbols together, as in a stream of readings too, then each of
    them, with and without marks such as ``+``. ``named``: tags by name.

    >>> rule = tag_of_readings(["NOUN", "V"], {"+N": "NOUN"})
    >>> list(map(rule, [("s", "a", "w", "+V", "+Inf"), ("s", "a", "w", "+N"), ("u", "h", "+Ij")]))
    ['V', 'NOUN', None]
    """
    tables = (named, {tag: tag for tag in tags})

    def tag(reading: Sequence[str]) -> str | None:
        symbols = marked(reading)
        names = ["".join(symbols), full_tag(reading), *symbols]
        either = (table.get(name) or table.get(plain(name)) for table in tables for name in names)
        return next(filter(None, either), None)

    return tag


def full_tag(reading: Sequence[str]) -> str:
    """The tag that all of a reading's symbols are, joined parts included.

    >>> full_tag(("d", "e", "<pr>", "+", "e", "l", "<det>", "<sg>")), full_tag(("c", "+", "+N"))
    ('pr.+.det.sg', 'N')
    """
    symbols = [symbol for symbol in reading if symbol == "+" or marked([symbol])]
    tags = dropwhile("+".__eq__, symbols)
    return JOINT.join(plain(symbol) or symbol for symbol in tags)


def lemma_of(reading: Sequence[str]) -> str:
    """A reading without its tags."""
    return "".join(symbol for symbol in reading if not marked([symbol]))


class WeightedAnalyser:
    """An analyser with a tagger's weights.

    ``machine``: words as input, readings as output. ``tags``: of the tag symbols of the text's
    words the tag of the tagger, or None. ``words``: how many of the words the analyser knows.

    Raises MachineError where the analyser has weights or knows no word of the text, ParameterError
    where no reading has a tag of the tagger's.
    """

    def __init__(self, source: pynini.Fst, costs: TagCosts, tag: Tag, where: str) -> None:
        if source.properties(pywrapfst.UNWEIGHTED, True) != pywrapfst.UNWEIGHTED:
            raise MachineError(f"{where}: it has weights already; give the analyser without them")

        self._tag = tag
        self._where = where
        self._fst, ask = _reading_words(source, costs.counts, tag, where)
        self._fst.arcsort("ilabel")
        self._costs = costs.of_forms(lambda word: bool(ask(word)))
        self._reads = dict(self._fst.input_symbols())
        self._writes = dict(self._fst.output_symbols())

        analyses = {word: ask(word) for word in self._costs.counts}
        readings = {word: rows for word, rows in analyses.items() if 0 < len(rows) < MOST}
        self.words: int = len(readings)
        self.tags: dict[tuple[str, ...], str | None] = {
            tuple(marked(row)): tag(row) for rows in readings.values() for row in rows
        }
        if not {*self.tags.values()} & {*costs.tags}:
            raise ParameterError(
                f"{where}: no reading has a tag of the tagger's, {' '.join(costs.tags[:9])}: they "
                f"have {' '.join(self.without_tag[:9])}; say which tag they are with --tag-map FILE"
            )
        self.machine: Any = self._machine(readings)

    @property
    def without_tag(self) -> list[str]:
        """The tag symbols of readings that have no tag of the tagger's."""
        return sorted("".join(row) for row, tag in self.tags.items() if tag not in self._costs.tags)

    def _machine(self, readings: Mapping[str, Rows]) -> pynini.Fst:
        label = {symbol: number for number, symbol in self._reads.items()}
        longest = max(map(len, label))
        spelt = {word: list(_spellings(word, label, longest)) for word in readings}

        of_text = self._known({word: readings[word] for word in readings if spelt[word]}, spelt)
        elsewhere = pynini.compose(self._other_words(spelt), self._fst).arcsort("olabel")
        # where either has a word
        machine = pynini.union(of_text, pynini.compose(elsewhere, self._tag_costs()))
        machine.set_input_symbols(self._fst.input_symbols())
        machine.set_output_symbols(self._fst.output_symbols())
        return algebra.bounded(machine.rmepsilon(), "weighting", self._where, MOST_STATES)

    def _known(
        self, readings: Mapping[str, Rows], spelt: Mapping[str, Sequence[Sequence[int]]]
    ) -> pynini.Fst:
        """The readings of these words with their costs: paths, made the least machine."""
        written = {symbol: label for label, symbol in self._writes.items()}
        base = max(self._writes) + 1
        rows = []
        costs = []
        cost_of_word = self._costs_of(readings)
        for word, analyses in readings.items():
            for analysis, cost in zip(analyses, cost_of_word[word], strict=True):
                output = [written[symbol] for symbol in analysis]
                for labels in spelt[word]:
                    pairs = zip_longest(labels, output, fillvalue=0)
                    rows.append([read * base + write for read, write in pairs])
                    costs.append(cost)
        if not rows:
            return pynini.Fst()

        tree = fst_to_arrays(arrays_to_fst(prefix_tree(rows, np.array(costs))).minimize())
        reads, writes = np.divmod(tree.ilabel, base)
        return arrays_to_fst(tree._replace(ilabel=reads, olabel=writes))

    def _costs_of(self, readings: Mapping[str, Rows]) -> dict[str, Floats]:
        """The costs of each word's readings; those of one tag share its probability by lemmas."""
        places = {}
        tokens = Counter[str]()
        costs = {}
        for word, rows in readings.items():
            places[word] = np.array([self._costs.place(self._tag(reading)) for reading in rows])
            costs[word] = self._costs.of(word, places[word])
            n_alike = np.bincount(places[word])[places[word]]
            expected = self._costs.counts[word].sum() * np.exp(-costs[word]) / n_alike
            for reading, count in zip(rows, expected.tolist(), strict=True):
                tokens[lemma_of(reading)] += count

        for word, rows in readings.items():
            weight = np.array([tokens[lemma_of(reading)] + 1.0 for reading in rows])
            of_tag = np.bincount(places[word], weight)[places[word]]
            costs[word] = self._costs.scaled(costs[word] + np.log(of_tag / weight))
        return costs

    def _other_words(self, spelt: Mapping[str, Sequence[Sequence[int]]]) -> pynini.Fst:
        """All strings of what the analyser reads, but for these words, with flags anywhere."""
        labels = np.setdiff1d(fst_to_arrays(self._fst).ilabel, [0])
        rows = [*chain.from_iterable(spelt.values())]
        anything = _loops(labels)
        if not rows:
            return anything
        is_flag = [bool(flag(self._reads[label])) for label in labels.tolist()]
        words = _with_loops(prefix_tree(rows), labels[is_flag])
        return pynini.difference(anything, words.arcsort("ilabel"))

    def _tag_costs(self) -> pynini.Fst:
        """The costs of readings by their tag symbols: −log P(t); of no tag where no text has it."""
        of_symbol = {symbol: label for label, symbol in self._writes.items()}
        labels = np.setdiff1d(fst_to_arrays(self._fst).olabel, [0])
        is_tag = np.array([bool(marked([self._writes[label]])) for label in labels.tolist()])

        general = self._costs.scaled(self._costs.general)
        none = pynini.accep("", weight=float(general[-1]))
        costs = {row: general[self._costs.place(tag)] for row, tag in self.tags.items()}
        seen = [row for row in costs if row]
        rows = [[*map(of_symbol.__getitem__, row)] for row in seen]
        tree = prefix_tree(rows, np.array([costs[row] for row in seen]))
        tree.final[0] = costs.get((), general[-1])
        unseen = pynini.difference(_loops(labels[is_tag]), arrays_to_fst(tree.raised(0.0)))
        unseen = unseen.concat(none)
        either = fst_to_arrays(pynini.union(arrays_to_fst(tree), unseen).rmepsilon())
        return _with_loops(either, labels[~is_tag]).arcsort("ilabel")


def _reading_words(
    fst: pynini.Fst, words: Iterable[str], tag: Tag, where: str
) -> tuple[pynini.Fst, Callable[[str], list[tuple[str, ...]]]]:
    """The analyser turned so that words, not readings, are its input.

    And its readings of a word.
    """
    asked = {form for word in words for form in (word, word.lower())}

    sides = Analyser(fst, side="input"), Analyser(fst, side="output")

    def reads(side: Analyser) -> int:
        readings = map(side, asked)
        return sum(any(map(marked, rows)) or any(map(tag, rows)) for rows in readings)

    by_input, by_output = map(reads, sides)
    if not by_input + by_output:
        raise MachineError(f"{where}: it has no reading with tags of any word of the text")
    if by_output > by_input:
        return fst.copy().invert(), sides[1]
    return fst.copy(), sides[0]


def _spellings(word: str, label: Mapping[str, int], longest: int) -> Iterator[tuple[int, ...]]:
    """The ways to spell a word in symbols, as labels."""
    if not word:
        yield ()
    for size in range(1, min(longest, len(word)) + 1):
        if word[:size] in label:
            for rest in _spellings(word[size:], label, longest):
                yield label[word[:size]], *rest


def _loops(labels: np.ndarray) -> pynini.Fst:
    """The acceptor of all strings of labels."""
    return _with_loops(fst_to_arrays(pynini.accep("")), labels).arcsort("ilabel")


def _with_loops(arrays: Arrays, labels: np.ndarray) -> pynini.Fst:
    """A machine that also reads these labels anywhere, for nothing."""
    states = np.arange(len(arrays.final))
    source = np.concatenate((arrays.source, np.repeat(states, len(labels))))
    label = np.concatenate((arrays.ilabel, np.tile(labels, len(states))))
    target = np.concatenate((arrays.next, np.repeat(states, len(labels))))
    weight = np.concatenate((arrays.weight, np.zeros(len(states) * len(labels))))
    return arrays_to_fst(Arrays(arrays.start, arrays.final, source, label, label, weight, target))
