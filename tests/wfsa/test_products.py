"""Product automata: one path for each tagged string, labeled by words and n-gram codes."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from oracles import BOUNDARY, log_sum, taggings, trans1
from tagging_cases import DICTIONARY, ORDERS, cell_scores, paths_of, with_end

from fstce import neighborhood
from fstce.errors import MachineError
from fstce.grammars import tag_ngrams
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice, linear
from fstce.machines.symbols import Symbols
from fstce.wfsa.batch import TagAutomaton, pack_products
from fstce.wfsa.features import tag_pairs
from fstce.wfsa.sumproduct import SumProduct

TAGS = DICTIONARY.tagset
WORDS = ("The", "dogs", "B52s", "run")
SYMBOLS = Symbols(WORDS)
PENN = [f"T{i}" for i in range(45)]


def automaton(order: int) -> TagAutomaton:
    return TagAutomaton(SYMBOLS, tag_pairs(SYMBOLS, WORDS, DICTIONARY, TAGS), TAGS, order)


@pytest.mark.parametrize("order", ORDERS)
def test_paths_are_the_tagged_strings(order: int) -> None:
    batch = pack_products(automaton(order), [neighborhood("trans1")(WORDS)])
    names = (*TAGS, BOUNDARY)
    found = []
    for path in paths_of(batch, 0):
        words = tuple(SYMBOLS.word(int(batch.word[batch.cell[arc]])) for arc in path)
        codes = np.array([batch.ngram[batch.cell[arc]] for arc in path])
        ngrams = tuple(
            tuple(names[t] for t in row) for row in tag_ngrams.decode(codes, len(TAGS), order)
        )
        found.append((words, ngrams))
    expected = []
    for x in trans1(WORDS):
        for y in taggings(x, DICTIONARY):
            padded = (BOUNDARY,) * (order - 1) + y + (BOUNDARY,)
            ngrams = tuple(padded[i : i + order] for i in range(len(x) + 1))
            expected.append(((*x, "</s>"), ngrams))
    assert sorted(found) == sorted(expected)


def test_with_end_gives_one_final_state() -> None:
    lattice = neighborhood("del1word")(("a", "b"))
    ended = with_end(lattice.arrays)
    assert np.flatnonzero(np.isfinite(ended.final)).tolist() == [len(lattice)]
    assert np.sum(ended.next == len(lattice)) == np.isfinite(lattice.arrays.final).sum()


def weighted_lattice() -> Lattice:
    """The strings ``dogs`` (−log weight 0.5 + 0.25) and ``dogs run`` (0.5 − 1 + 2) as a log64 machine."""
    first, second = SYMBOLS.ids(["dogs", "run"]).tolist()
    label = np.array([first, second], np.int32)
    final, cost = np.array([np.inf, 0.25, 2.0]), np.array([0.5, -1.0])
    state = np.arange(3, dtype=np.int32)
    return Lattice(Arrays(0, final, state[:2], label, label, cost, state[1:]), SYMBOLS, "weighted")


def test_a_weighted_lattice_brings_its_weights() -> None:
    batch = pack_products(automaton(2), [weighted_lattice(), neighborhood("trans1")(WORDS)])
    assert batch.bias is not None
    scores = cell_scores(batch, 3)
    label = {
        (SYMBOLS.word(int(w)), int(n)): s
        for w, n, s in zip(batch.word, batch.ngram, scores.tolist(), strict=True)
    }
    codes = {
        tuple(row): i for i, row in enumerate(tag_ngrams.decode(np.arange(1, 17), 3, 2).tolist(), 1)
    }
    number, weights = {tag: i for i, tag in enumerate(TAGS)}, []
    for x, cost in ((("dogs",), 0.75), (("dogs", "run"), 1.5)):
        for y in taggings(x, DICTIONARY):
            tags = [3, *(number[t] for t in y), 3]
            steps = zip((*x, "</s>"), tags[:-1], tags[1:], strict=True)
            weights.append(math.fsum(label[w, codes[p, q]] for w, p, q in steps) - cost)
    assert SumProduct(batch).log_z(scores)[0] == pytest.approx(log_sum(weights), rel=1e-12)


def test_a_word_without_tags_is_named_with_its_lattice() -> None:
    partial = TagAutomaton(SYMBOLS, tag_pairs(SYMBOLS, WORDS[:2], DICTIONARY, TAGS), TAGS, 2)
    lattice = Lattice(linear(SYMBOLS.ids(WORDS)), SYMBOLS, "sentence 7")
    with pytest.raises(
        MachineError, match="sentence 7 ∘ emissions: the composition accepts nothing"
    ):
        pack_products(partial, [lattice])


def test_the_order_is_one_two_or_three() -> None:
    with pytest.raises(MachineError, match="order 4: a tag n-gram has one, two or three tags"):
        automaton(4)


def test_a_product_too_large_is_refused_before_it_is_built() -> None:
    # 2,000 words that may take any of 45 tags: some 180 million arcs, of which ten are made
    symbols = Symbols(f"w{i}" for i in range(2000))
    ids, tags = np.array(symbols.labels), np.arange(45)
    automaton = TagAutomaton(symbols, (np.repeat(ids, 45), np.tile(tags, 2000)), PENN, 3)
    tracemalloc.start()
    try:
        with pytest.raises(
            MachineError, match=r"sentence 7 .* needs more than 10,000,000 arcs.*coarsen the tags"
        ):
            pack_products(automaton, [Lattice.of_sentence(list(symbols), symbols, "sentence 7")])
        assert tracemalloc.get_traced_memory()[1] < 24 * 10_000_000  # of each arc no key is kept
    finally:
        tracemalloc.stop()


def test_a_long_sentence_of_unambiguous_words_is_not_refused() -> None:
    symbols = Symbols(f"w{i}" for i in range(2000))
    ids = np.array(symbols.labels)
    automaton = TagAutomaton(symbols, (ids, ids % 45), PENN, 3)
    assert pack_products(automaton, [Lattice.of_sentence(list(symbols), symbols)]).n_arcs == 2001
