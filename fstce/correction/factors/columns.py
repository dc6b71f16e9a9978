"""What speaks for an arc of an observed sentence's lattice: one column of numbers for each factor.

A path's score is a weighted sum:

===============  =====================================================================
``model``        θ · features of the (sentence, structure) pair: the trained model
``ngrams``       log p of the words under the n-gram model
``channel``      minus the costs of the edits, the weights of the lattice
``edited``       −1 for each word that is not as it was observed
``unknown``      −1 for each word that neither text nor lexicon has
``spelling``     log p of such a word's characters
``lexicon``      log of the share that a word has in the lexicon, where the text has it not; and of
                 the share of its uses in capitals, of a known word in capitals among others
``marks``        1 for each punctuation mark; its exponent alone may be negative
``names``        1 for each unknown word with a capital that begins no sentence: a name, perhaps
``spaces``       −1 for each observed word that is taken for two, each two that are taken for one,
                 and a part of it for each word that was written without its apostrophe
``accents``      −1 for each word that was written without its accents, which is no edit
===============  =====================================================================

The weights are the *exponents* of these factors. The model's column is zero here: its score
depends on the structure, that is, on the arcs of the product automaton.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, filterfalse
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.factors.ngrams import BOUNDARY, NgramModel
from fstce.correction.factors.respelling import (
    OF_SPACES,
    Respelling,
    Rewrites,
    respelt,
)
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.parameters import SCORES
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.kernels import ranges, without_repeats
from fstce.numeric.types import Bools, Floats, Ints, Ints32, Rows, Words
from fstce.storage.memo import remembered
from fstce.tagging.export import WeightedTagger
from fstce.wfsa.batch import Columns, pack

COLUMNS = SCORES
NGRAMS, MARKS = COLUMNS.index("ngrams"), COLUMNS.index("marks")
CHANGED = [COLUMNS.index("edited"), COLUMNS.index("accents")]
OF_UNKNOWN = ("unknown", "spelling", "lexicon")
REMEMBERED = 100_000  # words, at most, of which it is remembered what is said of them alone


def nothing(word: str) -> bool:
    """False, of any word: what is said of it by what is not there."""
    return False


@dataclass(frozen=True)
class Factors:
    """The parts of a score; each may be missing, and then weighs nothing.

    ``known``: whether text or lexicon has a word. ``lexicon``: the log of the share of a word that
    the lexicon alone has, else 0. ``common``: whether it is hardly a mistake: the lexicon has it
    often, or it is one letter. ``capitals``: the log of the share of a word's uses that are in
    capitals.
    """

    tagger: WeightedTagger | None = None
    ngrams: NgramModel | None = None
    spelling: SpellingModel | None = None
    known: Callable[[str], bool] = nothing
    lexicon: Callable[[str], float] = nothing
    common: Callable[[str], bool] = nothing
    capitals: Callable[[str], float] = nothing
    remembered: dict[str, tuple[float, float, float]] = field(default_factory=dict)


class ScoredArcs(NamedTuple):
    """Lattices end to end over one alphabet, with what speaks for each of their A arcs.

    ``machines``: the machines; the n-gram of each arc is its number, which survives sorting and
    composing. ``columns`` (columns, A). ``offset`` (A,): what speaks for an arc whatever the
    exponents. ``slot`` (A,): how many words that are no marks come before an arc in its sentence.
    ``sentence`` is (A,). ``respelling`` (A,): how an arc stands for observed words, a
    :class:`Respelling`.
    """

    machines: Columns
    columns: Floats
    offset: Floats
    slot: Ints
    sentence: Ints
    respelling: Ints
    symbols: Symbols

    @property
    def stays(self) -> Bools:
        """Which arcs are observed words, as they were observed, shape (A,)."""
        is_changed = np.any(self.columns[CHANGED] != 0, axis=0)
        return ~is_changed & (self.columns[MARKS] <= 0) & (self.respelling == Respelling.PLAIN)

    def bias(self, exponents: Floats) -> Floats:
        """The score of each arc but for the model, shape (A,)."""
        return exponents @ self.columns + self.offset

    def over(self, machines: Columns) -> ScoredArcs:
        """The arcs of other machines, whose n-grams are the numbers of these arcs."""
        of_arcs = (column[..., machines.ngram] for column in self[1:-1])
        return ScoredArcs._make((numbered(machines), *of_arcs, self.symbols))


def numbered(machines: Columns) -> Columns:
    """The machines with the number of each arc in the place of its n-gram, and without weights."""
    return machines._replace(ngram=np.arange(len(machines.word), dtype=np.int32), bias=np.zeros(0))


def scored(
    machines: Columns,
    symbols: Symbols,
    factors: Factors,
    observed: Rows,
    marks: Container[str],
    rewrites: Rewrites | None = None,
) -> ScoredArcs:
    """The lattices of observed sentences with all columns that need no history.

    ``machines``: end to end, each with ``</s>`` behind its sentences, their weights the channel's
    costs.
    """
    slot = _slots(machines, _is_mark(symbols, machines.word, marks))
    respelling = np.full(len(slot), Respelling.PLAIN)

    if rewrites is not None and len(rewrites.slot):
        machines, slot, respelling = respelt(machines, slot, rewrites)

    word = machines.word
    is_plain = respelling == Respelling.PLAIN
    mark = _is_mark(symbols, word, marks) & is_plain
    observed_word = _observed_labels(machines, slot, symbols, observed, marks)
    is_changed = (observed_word != word) & (word != END_ID) & is_plain & ~mark
    # Edits cost something, missing accents nothing; lattices without weights have none.
    cost = machines.bias if len(machines.bias) else np.zeros(len(word))
    is_edited = is_changed & (cost != 0)

    unknown, spelling, share = _of_labels(
        symbols, word, partial(unknown_columns, factors=factors)
    ) * (word != END_ID)
    has_capital = _of_words(symbols, word, _begins_with_capital)
    # What is spelt in capitals as an unknown word is, a known one seldom is: neither is for
    # nothing.
    sentence = machines.machine[machines.source].astype(np.int64)
    among_others = np.array([not _is_in_capitals(row) for row in observed])[sentence]
    in_capitals = _of_words(symbols, word, partial(_log_capitals, factors))

    columns = {
        "channel": cost,
        "edited": -1.0 * is_edited,
        "unknown": unknown,
        "spelling": spelling,
        "lexicon": share + in_capitals * (unknown == 0) * among_others,
        "marks": mark,
        "names": (unknown < 0) & (slot > 0) & has_capital,
        "spaces": OF_SPACES[respelling],
        "accents": -1.0 * (is_changed & ~is_edited),
    }
    nothing_said = np.zeros(len(word))
    table = np.array([1.0 * columns.get(name, nothing_said) for name in COLUMNS])
    return ScoredArcs(numbered(machines), table, nothing_said, slot, sentence, respelling, symbols)


def with_terms(arcs: ScoredArcs, terms: Mapping[str, float]) -> ScoredArcs:
    """The arcs with what speaks for observed words, by their small letters, to stay."""
    weights = _of_words(arcs.symbols, arcs.machines.word, lambda word: terms.get(word.lower(), 0.0))
    return arcs._replace(offset=weights * arcs.stays)


def with_words(arcs: ScoredArcs, model: NgramModel | None, length: int) -> ScoredArcs:
    """Split the states by the length − 1 words before them, and ask the model for n-grams so long.

    An n-gram's weight needs the n − 1 words before it, so states are split until each knows them;
    the split lattice is as deterministic and acyclic as the lattice was. All arcs, of a whole batch
    end to end, are split at once. A model of shorter n-grams is asked for these; without one every
    log p is zero.

    ``arcs``: of states that know the length − 2 words before them.
    """
    machines = arcs.machines
    word = numbers(arcs.symbols, machines.word, model)
    if length > 1:
        before = words_before(machines, word, length - 1)[-1]
        before[word == BOUNDARY] = BOUNDARY  # an end stays one state
        machines = split(machines, before)
        word = word[machines.ngram]

    result = arcs.over(machines)
    if model is not None:
        ngrams = words_before(machines, word, length)[::-1]
        result.columns[NGRAMS] = model.log_probabilities(np.stack(ngrams[-model.order :], axis=1))
    return result


def words_before(machines: Columns, word: Ints, length: int) -> list[Ints]:
    """The word of each arc and those before it, the nearest first: `length` columns (arcs,).

    ``machines``: whose states know so many words before them, but one. ``word`` (arcs,): a boundary
    at ends.
    """
    columns = [word]
    for _ in range(length - 1):
        last = np.full(machines.states, BOUNDARY, dtype=np.int64)
        last[machines.next] = columns[-1]
        columns.append(last[machines.source])

    return columns


def split(machines: Columns, key: Ints) -> Columns:
    """Split each state by the keys (arcs,) of the arcs into it; n-grams number the arcs copied.

    States keep the order of those they were split from, so sorted machines stay sorted; a start
    stays one state, whose key is a boundary.
    """
    width = int(key.max()) + 1
    code = machines.next * np.int64(width) + key
    first_code = machines.start * np.int64(width) + BOUNDARY
    codes = without_repeats(np.append(code, first_code))
    parent = codes // width

    n_out = np.bincount(machines.source, minlength=machines.states)
    first_out = np.cumsum(n_out) - n_out
    copies = ranges(first_out[parent], n_out[parent])
    arcs = np.argsort(machines.source, kind="stable")[copies]

    return machines._replace(
        start=np.searchsorted(codes, first_code),
        final=np.searchsorted(parent, machines.final),
        size=np.bincount(machines.machine[parent], minlength=len(machines.size)),
        source=np.repeat(np.arange(len(parent), dtype=np.int32), n_out[parent]),
        next=np.searchsorted(codes, code[arcs]).astype(np.int32),
        word=machines.word[arcs],
        ngram=arcs.astype(np.int32),
    )


def numbers(symbols: Symbols, label: NDArray[np.integer[Any]], model: NgramModel | None) -> Ints:
    """The model's number of each label, in whatever capitals it saw it; ``</s>`` is a boundary."""
    number = label.astype(np.int64)
    if model is not None:
        number = _of_labels(symbols, label, model.ids_in_any_case)
    return np.where(label == END_ID, BOUNDARY, number)


def _of_labels(
    symbols: Symbols,
    label: NDArray[np.integer[Any]],
    answers: Callable[[list[str]], NDArray[Any]],
) -> NDArray[Any]:
    """The answers for the word of each arc, shape (…, arcs)."""
    labels, inverse = np.unique(label, return_inverse=True)
    return answers(symbols.words_of(labels.tolist()))[..., inverse]


def _of_words(symbols: Symbols, label: Ints32, said: Callable[[str], Any]) -> NDArray[Any]:
    """The answer for the word of each arc, shape (arcs,)."""
    return _of_labels(symbols, label, lambda words: np.array(list(map(said, words))))


def _is_mark(symbols: Symbols, label: Ints32, marks: Container[str]) -> Bools:
    if not marks:
        return np.zeros(len(label), dtype=bool)
    return _of_words(symbols, label, marks.__contains__)


def _begins_with_capital(word: str) -> bool:
    return word[:1].isupper()


def _log_capitals(factors: Factors, word: str) -> float:
    """The log of the share of a word's uses in capitals, 0 of a word that is not in such."""
    return factors.capitals(word) if len(word) > 1 and word.isupper() else 0.0


def _is_in_capitals(sentence: Words) -> bool:
    """Whether most words of a sentence are in capitals, as in a headline."""
    words = [word for word in sentence if len(word) > 1 and word.isalpha()]
    return 2 * sum(map(str.isupper, words)) > len(words)


def _slots(machines: Columns, mark: Bools) -> Ints:
    """For each arc how many words that are no marks come before it, the same on every way to it."""
    step = np.where(mark, 0, 1)
    number = np.arange(1, len(step) + 1, dtype=np.int32)
    batch = pack(machines._replace(ngram=number, bias=np.zeros(0)))
    arc = batch.ngram[batch.cell] - 1

    step_of_arc = step[arc]
    before = np.zeros(batch.n_states, dtype=np.int64)
    for a, b, indptr in batch.rows():
        first = indptr[:-1]
        before[a:b] = before[batch.source[first]] + step_of_arc[first]

    result = np.zeros(len(step), dtype=np.int64)
    result[arc] = before[batch.source]
    return result


def _observed_labels(
    machines: Columns, slot: Ints, symbols: Symbols, observed: Rows, marks: Container[str]
) -> Ints:
    """The label of the observed word in each arc's slot, shape (arcs,); an end behind the last."""
    rows = [list(filterfalse(marks.__contains__, sentence)) for sentence in observed]
    last = np.cumsum([len(row) + 1 for row in rows]) - 1
    first = np.append(0, last[:-1] + 1)

    labels = np.full(last[-1] + 1, END_ID)
    labels[np.delete(np.arange(len(labels)), last)] = symbols.ids(list(chain.from_iterable(rows)))
    sentence = machines.machine[machines.source]
    return labels[np.minimum(first[sentence] + slot, last[sentence])]


def unknown_columns(words: Words, factors: Factors) -> Floats:
    """The columns of :data:`OF_UNKNOWN` of words, shape (3, words)."""
    rows = remembered(factors.remembered, words, REMEMBERED, partial(_rows_of, factors))
    return np.array(rows, dtype=np.float64).reshape(len(words), 3).T


def _rows_of(factors: Factors, words: Words) -> list[tuple[float, float, float]]:
    unknown = np.array([not factors.known(word) for word in words], dtype=bool)
    spelling = np.zeros(len(words))
    if factors.spelling is not None and np.any(unknown):
        places = np.flatnonzero(unknown).tolist()
        spelling[unknown] = factors.spelling([words[i] for i in places])

    share = map(float, map(factors.lexicon, words))
    return list(zip((-1.0 * unknown).tolist(), spelling.tolist(), share, strict=True))
