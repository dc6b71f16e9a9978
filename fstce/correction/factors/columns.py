"""What speaks for an arc of an observed sentence's lattice: one column of numbers for each factor.

A path's score is a weighted sum:

===============  =====================================================================
``model``        θ · features of the (sentence, structure) pair: the trained model
``ngrams``       log p of the words under the n-gram model
``channel``      minus the costs of the edits, the weights of the lattice
``edited``       −1 for each word that is not as it was observed
``length``       −log(1 + characters) of the observed word, where it is edited
``unknown``      −1 for each word that neither text nor lexicon has
``spelling``     log p of such a word's characters
``lexicon``      log of the share that a word has in the lexicon, where the text has it not; and of
                 the share of its uses in capitals, of a known word in capitals among others
``marks``        1 for each punctuation mark; its exponent alone may be negative
``names``        1 for each unknown word with a capital that begins no sentence: a name, perhaps
``spaces``       −1 for each observed word that is taken for two
``joins``        −1 for each two observed words that are taken for one
``apostrophes``  −1 for each word that was written without its apostrophe
``accents``      −1 for each word that was written without its accents
``further``      −1 for each word that is more than one edit from what was observed
===============  =====================================================================

The weights are the *exponents* of these factors. The model's column is not here: its score
depends on the structure, that is, on the arcs of the product automaton.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.factors.ngrams import BOUNDARY, NgramModel
from fstce.correction.factors.respelling import PLAIN, RESPELT, Respellings, respelt
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.casing import plain
from fstce.correction.mistakes.nearby import is_one_edit
from fstce.correction.parameters import SCORES
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.kernels import ranges, without_repeats
from fstce.numeric.types import Bools, Floats, Ints, Ints32
from fstce.storage.memo import remembered
from fstce.tagging.export import WeightedTagger
from fstce.wfsa.batch import Columns, pack

COLUMNS = SCORES
RESPELLINGS = ("spaces", "joins", "apostrophes")  # the last of them
REMEMBERED = 500_000  # words, at most, of which it is remembered what is said of them alone
MARKS_KNOWN = (
    2  # among so many marks before it in its slot a mark is distinguished from the same again
)


def nothing(word: str) -> bool:
    """What is said of a word by what is not there."""
    return False


@dataclass(frozen=True)
class Factors:
    """What a path is scored by; each may be missing, and then weighs nothing.

    ``known``: whether text or lexicon has a word. ``lexicon``: the log of the share of a word that the
    lexicon alone has, else 0. ``capitals``: the log of the share of a word's uses that are in capitals.
    """

    tagger: WeightedTagger | None
    ngrams: NgramModel | None
    spelling: SpellingModel | None
    known: Callable[[str], bool]
    lexicon: Callable[[str], float] = nothing
    common: Callable[[str], bool] = nothing
    capitals: Callable[[str], float] = nothing
    remembered: dict[str, tuple[float, float, float]] = field(default_factory=dict)


class ScoredArcs(NamedTuple):
    """Lattices end to end over one alphabet, with what speaks for each of their A arcs.

    ``machines``: the machines; the n-gram of each arc is its number, which survives sorting and composing.
    ``columns`` (columns − 1, A): all columns but the model's. ``slot`` (A,): how many words that are no marks
    come before an arc in its sentence. ``sentence`` is (A,). ``code`` (A,): what an arc is next to the
    observed words; see :mod:`fstce.correction.factors.respelling`.
    """

    machines: Columns
    columns: Floats
    slot: Ints
    sentence: Ints
    code: Ints
    symbols: Symbols

    @property
    def mark(self) -> Bools:
        """Which arcs are punctuation marks, shape (A,)."""
        return self.columns[COLUMNS.index("marks") - 1] > 0

    def over(self, machines: Columns) -> ScoredArcs:
        """What speaks for the arcs of other machines, whose n-grams are the numbers of these arcs."""
        arcs = machines.ngram
        slot, sentence, code = (column[arcs] for column in (self.slot, self.sentence, self.code))
        return ScoredArcs(
            numbered(machines), self.columns[:, arcs], slot, sentence, code, self.symbols
        )


def numbered(machines: Columns) -> Columns:
    """The machines with the number of each arc in the place of its n-gram, and without weights."""
    return machines._replace(ngram=np.arange(len(machines.word), dtype=np.int32), bias=np.zeros(0))


def scored(
    machines: Columns,
    symbols: Symbols,
    factors: Factors,
    observed: Sequence[Sequence[str]],
    marks: Container[str],
    respellings: Respellings | None = None,
) -> ScoredArcs:
    """The lattices of observed sentences with all columns that need no history.

    ``machines``: end to end, each with ``</s>`` behind its sentences, their weights the channel's costs.
    """
    slot = _slots(machines, _is_mark(symbols, machines.word, marks))
    code = np.full(len(slot), PLAIN)
    own, length = _own(symbols, machines, slot, observed, marks)
    if respellings is not None and len(respellings.slot):
        machines, slot, code = respelt(machines, slot, own == machines.word, respellings)
        own, length = _own(symbols, machines, slot, observed, marks)
    mark = _is_mark(symbols, machines.word, marks) & (code == PLAIN)
    edited = (own != machines.word) & (machines.word != END_ID) & (code == PLAIN) & ~mark
    restored = _of_pairs(symbols, own, machines.word, edited, _is_restored)
    edited &= ~restored
    columns = np.zeros((len(COLUMNS) - 1, len(machines.word)))
    columns[1] = machines.bias if len(machines.bias) else 0.0
    columns[2], columns[3] = -1.0 * edited, -np.log1p(length) * edited
    columns[4:7] = _unknown(symbols, machines.word, factors)
    columns[7] = mark
    columns[8] = (
        (columns[4] < 0)
        & (slot > 0)
        & _of_words(symbols, machines.word, lambda word: word[:1].isupper())
    )
    columns[9:12] = RESPELT[:, code]
    columns[12] = -1.0 * restored
    columns[13] = -1.0 * _of_pairs(
        symbols, own, machines.word, edited, lambda a, b: not is_one_edit(a, b)
    )
    sentence = machines.machine[machines.source].astype(np.int64)
    # What is spelt in capitals as an unknown word is, a known one seldom is: neither is for nothing.
    among_others = np.array([not _is_in_capitals(row) for row in observed])[sentence]
    share = factors.capitals
    in_capitals = _of_words(
        symbols,
        machines.word,
        lambda word: share(word) if len(word) > 1 and word.isupper() else 0.0,
    )
    columns[6] += in_capitals * (columns[4] == 0) * among_others
    return ScoredArcs(numbered(machines), columns, slot, sentence, code, symbols)


def with_terms(found: ScoredArcs, terms: Mapping[str, float]) -> ScoredArcs:
    """The arcs with one column more: what speaks for observed words, by their small letters, to stay."""
    weights = _of_words(
        found.symbols, found.machines.word, lambda word: terms.get(word.lower(), 0.0)
    )
    edited = COLUMNS.index("edited") - 1
    stays = (found.columns[edited] == 0) & (found.code == PLAIN) & ~found.mark
    return found._replace(columns=np.vstack([found.columns, weights * stays]))


def with_words(found: ScoredArcs, model: NgramModel | None, length: int) -> ScoredArcs:
    """Split the states by the length − 1 words before them, and ask the model for n-grams so long.

    An n-gram's weight needs the n − 1 words before it, so states are split until each knows them; the split
    lattice is as deterministic and acyclic as the lattice was. All arcs, of a whole batch end to end, are
    split at once. A model of shorter n-grams is asked for these; without one every log p is zero.

    ``found``: of states that know the length − 2 words before them.
    """
    machines, word = found.machines, numbers(found.symbols, found.machines.word, model)
    if length > 1:
        before = words_before(machines, word, length - 1)[-1]
        machines = split(
            machines, np.where(word == BOUNDARY, BOUNDARY, before)
        )  # an end stays one state
        word = word[machines.ngram]
    result = found.over(machines)
    ngrams = words_before(machines, word, length)[::-1]
    result.columns[0] = 0.0
    if model is not None:
        result.columns[0] = model.log_probabilities(np.stack(ngrams[-model.order :], axis=1))
    return result


def words_before(machines: Columns, word: Ints, length: int) -> list[Ints]:
    """The word of each arc and the words before it, the nearest first: `length` columns of shape (arcs,).

    ``machines``: whose states know so many words before them, but one. ``word`` (arcs,): a boundary at ends.
    """
    columns = [word]
    for _ in range(length - 1):
        last = np.full(machines.states, BOUNDARY, dtype=np.int64)
        last[machines.next] = columns[-1]
        columns.append(last[machines.source])
    return columns


def split(machines: Columns, key: Ints) -> Columns:
    """Split each state by the keys, (arcs,), of the arcs into it; n-grams are numbers of the arcs copied.

    States keep the order of those they were split from, so sorted machines stay sorted; a start stays one
    state, whose key is a boundary.
    """
    width = int(key.max()) + 1
    code, first_code = (
        machines.next * np.int64(width) + key,
        machines.start * np.int64(width) + BOUNDARY,
    )
    codes = without_repeats(np.append(code, first_code))
    parent = codes // width
    out = np.bincount(machines.source, minlength=machines.states)
    many, first = out[parent], (np.cumsum(out) - out)[parent]
    arcs = np.argsort(machines.source, kind="stable")[ranges(first, many)]
    return machines._replace(
        start=np.searchsorted(codes, first_code),
        final=np.searchsorted(parent, machines.final),
        size=np.bincount(machines.machine[parent], minlength=len(machines.size)),
        source=np.repeat(np.arange(len(parent), dtype=np.int32), many),
        next=np.searchsorted(codes, code[arcs]).astype(np.int32),
        word=machines.word[arcs],
        ngram=arcs.astype(np.int32),
    )


def numbers(symbols: Symbols, label: NDArray[np.integer[Any]], model: NgramModel | None) -> Ints:
    """The model's number of each label, in whatever capitals it saw it; ``</s>`` is a boundary."""
    if model is None:
        return np.where(label == END_ID, BOUNDARY, label).astype(np.int64)
    labels, inverse = np.unique(label, return_inverse=True)
    number = model.ids_in_any_case(symbols.words_of(labels.tolist()))
    return np.where(labels == END_ID, BOUNDARY, number)[inverse]


def _of_words(symbols: Symbols, label: Ints32, said: Callable[[str], Any]) -> NDArray[Any]:
    """What is said of the word of each arc, shape (arcs,)."""
    labels, inverse = np.unique(label, return_inverse=True)
    return np.array([said(word) for word in symbols.words_of(labels.tolist())])[inverse]


def _is_mark(symbols: Symbols, label: Ints32, marks: Container[str]) -> Bools:
    return (
        _of_words(symbols, label, marks.__contains__) if marks else np.zeros(len(label), dtype=bool)
    )


def _is_in_capitals(sentence: Sequence[str]) -> bool:
    """Whether most words of a sentence are in capitals, as in a headline."""
    words = [word for word in sentence if len(word) > 1 and word.isalpha()]
    return 2 * sum(map(str.isupper, words)) > len(words)


def _of_pairs(
    symbols: Symbols, own: Ints, label: Ints32, edited: Bools, said: Callable[[str, str], bool]
) -> Bools:
    """What is said of the observed word and that of each edited arc, in small letters; False of others."""
    codes, inverse = np.unique(own[edited] * np.int64(2**32) + label[edited], return_inverse=True)
    observed, word = (symbols.words_of(column.tolist()) for column in np.divmod(codes, 2**32))
    result = np.zeros(len(edited), dtype=bool)
    answers = [said(a.lower(), b.lower()) for a, b in zip(observed, word, strict=True)]
    result[edited] = np.array(answers, dtype=bool)[inverse]
    return result


def _is_restored(observed: str, word: str) -> bool:
    """Whether a word is the observed one with the accents that this has not."""
    return word != observed == plain(word) == plain(observed)


def _slots(machines: Columns, mark: Bools) -> Ints:
    """For each arc how many words that are no marks come before it, the same on every way to it."""
    step = np.where(mark, 0, 1)
    batch = pack(
        machines._replace(ngram=np.arange(1, len(step) + 1, dtype=np.int32), bias=np.zeros(0))
    )
    by_arc = step[batch.ngram[batch.cell] - 1]
    packed = np.zeros(batch.n_states, dtype=np.int64)
    for a, b, indptr in batch.rows():
        first = indptr[:-1]
        packed[a:b] = packed[batch.source[first]] + by_arc[first]
    result = np.zeros(len(step), dtype=np.int64)
    result[batch.ngram[batch.cell] - 1] = packed[batch.source]
    return result


def _own(
    symbols: Symbols,
    machines: Columns,
    slot: Ints,
    observed: Sequence[Sequence[str]],
    marks: Container[str],
) -> tuple[Ints, Floats]:
    """The label and the characters of the observed word in each arc's slot, each of shape (arcs,)."""
    rows = [
        [*(word for word in row if word not in marks), ""] for row in observed
    ]  # no word in the last
    sizes = np.array([len(row) for row in rows])
    length = np.array([len(word) for row in rows for word in row], dtype=np.float64)
    own = np.full(len(length), END_ID)
    own[length > 0] = symbols.ids([word for row in rows for word in row[:-1]])
    sentence = machines.machine[machines.source]
    here = (np.cumsum(sizes) - sizes)[sentence] + np.minimum(slot, sizes[sentence] - 1)
    return own[here], length[here]


def _unknown(symbols: Symbols, label: Ints32, factors: Factors) -> Floats:
    """The columns of words that the text lacks, shape (3, arcs): −1, spelling, share in the lexicon."""
    labels, inverse = np.unique(label, return_inverse=True)
    return unknown_columns(
        ["" if i == END_ID else symbols.word(i) for i in labels.tolist()], factors
    )[:, inverse]


def unknown_columns(words: Sequence[str], factors: Factors) -> Floats:
    """Of each word −1, its spelling and its share in the lexicon, where the text lacks it; shape (3, words).

    An end of a sentence is the empty word.
    """
    rows = remembered(factors.remembered, words, REMEMBERED, partial(_rows_of, factors))
    return np.array(rows, dtype=np.float64).reshape(len(words), 3).T


def _rows_of(factors: Factors, words: Sequence[str]) -> list[tuple[float, float, float]]:
    unknown = np.array([bool(word) and not factors.known(word) for word in words], dtype=bool)
    spelt = np.zeros(len(words))
    if factors.spelling is not None and np.any(unknown):
        spelt[unknown] = factors.spelling([words[i] for i in np.flatnonzero(unknown).tolist()])
    listed = np.array([float(factors.lexicon(word)) if word else 0.0 for word in words])
    return list(zip((-1.0 * unknown).tolist(), spelt.tolist(), listed.tolist(), strict=True))
