"""Concatenation over spans against its definition, by transducers and by lattices alike."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence

import oracles
import oracles_neighbors
import pynini
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce import Neighborhood, neighborhood
from fstce.errors import NeighborhoodError
from fstce.machines import Symbols, check_lattice
from fstce.neighborhoods.algebra import Concatenation

Strings = set[tuple[str, ...]]
Oracle = Callable[[Sequence[str]], Strings]
Pair = tuple[Neighborhood, Oracle]

TRANSDUCERS: list[Pair] = [
    (neighborhood(name), getattr(oracles, name))
    for name in ("identity", "del1word", "trans1", "delortrans1", "del1subseq")
]
DIRECT: list[Pair] = [(neighborhood("rotations"), oracles_neighbors.rotations)]
WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)


def spans(left: Oracle, right: Oracle) -> Oracle:
    """N(x) = ∪ N_a(u)·N_b(v) over x = u·v; of the empty span it is the empty string."""

    def of(oracle: Oracle, span: Sequence[str]) -> Strings:
        return oracle(span) if span else {()}

    def joined(words: Sequence[str]) -> Strings:
        cuts = [(words[:i], words[i:]) for i in range(len(words) + 1)]
        return {y + z for u, v in cuts for y in of(left, u) for z in of(right, v)}

    return joined


def joined(pair: tuple[Pair, Pair]) -> Pair:
    (a, one), (b, other) = pair
    return a + b, spans(one, other)


def united(pair: tuple[Pair, Pair]) -> Pair:
    (a, one), (b, other) = pair
    return a | b, lambda words: one(words) | other(words)


LEAVES = st.sampled_from(TRANSDUCERS + DIRECT)
DEEPER = st.recursive(
    LEAVES,
    lambda parts: st.tuples(parts, parts).map(joined) | st.tuples(parts, parts).map(united),
    max_leaves=3,
)


@given(st.tuples(DEEPER, DEEPER).map(joined), WORDS)
def test_it_is_the_union_over_all_cuts(pair: Pair, words: list[str]) -> None:
    lattice = pair[0](words)
    strings = lattice.strings()
    assert set(strings) == pair[1](words)
    assert len(strings) == len(set(strings)) == lattice.count()
    check_lattice(lattice.to_fst(), pair[0].name)


@given(st.sampled_from(TRANSDUCERS), st.sampled_from(TRANSDUCERS), WORDS)
@settings(deadline=None)
def test_one_transducer_is_the_lattices_of_all_spans(a: Pair, b: Pair, words: list[str]) -> None:
    both, by_spans = a[0] + b[0], (a[0] | a[0]) + b[0]
    assert both.has_transducer and not by_spans.has_transducer
    assert set(both(words).strings()) == set(by_spans(words).strings())


@given(LEAVES, LEAVES, LEAVES, WORDS)
@settings(deadline=None)
def test_laws(a: Pair, b: Pair, c: Pair, words: list[str]) -> None:
    (a_, _), (b_, _), (c_, _) = a, b, c
    same = [
        ((a_ + b_) + c_, a_ + (b_ + c_)),
        (a_ + (b_ | c_), (a_ + b_) | (a_ + c_)),
        ((a_ | b_) & (a_ + b_), a_ | b_),
    ]
    for left, right in same:
        assert set(left(words).strings()) == set(right(words).strings()), (left, right)


def test_two_transpositions_that_do_not_overlap() -> None:
    twice = neighborhood("trans1 + trans1")(list("abcd"))
    expected = {"abcd", "bacd", "acbd", "abdc", "badc"}
    assert set(map("".join, twice.strings())) == expected
    assert neighborhood("trans1")(list("abcd")).count() == 4


def test_a_deletion_before_a_transposition() -> None:
    lattice = neighborhood("del1word + trans1")(list("abcd"))
    assert lattice.accepts(list("bdc"))
    assert not lattice.accepts(list("bac"))
    assert not lattice.accepts(list("dc"))


def test_a_span_is_never_deleted_whole() -> None:
    assert set(neighborhood("del1word + del1word")(["a", "b"]).strings()) == {
        ("a", "b"),
        ("a",),
        ("b",),
    }


def test_parts_see_the_words_of_the_whole_sentence() -> None:
    def replaces_one(symbols: Symbols) -> pynini.Fst:
        copy = pynini.closure(symbols.any())
        return copy + pynini.closure(pynini.cross(symbols.any(), symbols.any()), 0, 1) + copy

    replace = Neighborhood(replaces_one, "replace")
    for kind in (replace + neighborhood("identity"), replace + neighborhood("rotations")):
        assert kind(["a", "b"]).accepts(["b", "b"])


def test_expressions() -> None:
    words = list("abcb")
    trans1, del1word = neighborhood("trans1"), neighborhood("del1word")
    for text, meant in [
        ("trans1 + del1word", trans1 + del1word),
        ("trans1 + del1word - trans1", (trans1 + del1word) - trans1),
        ("trans1 | del1word + trans1 @ del1word", trans1 | (del1word + (trans1 @ del1word))),
        ("trans1 + (del1word | trans1)", Concatenation(trans1, del1word | trans1)),
    ]:
        kind = neighborhood(text)
        assert set(kind(words).strings()) == set(meant(words).strings())
        assert set(neighborhood(kind.name)(words).strings()) == set(meant(words).strings())
    assert (trans1 + del1word).name == "trans1 + del1word"
    assert ((trans1 + del1word) | trans1).name == "(trans1 + del1word) | trans1"


def test_a_concatenation_may_be_a_step() -> None:
    after = neighborhood("del1word @ (trans1 + trans1)")(list("abcde"))
    expected = {
        z for y in oracles.del1word("abcde") for z in spans(oracles.trans1, oracles.trans1)(y)
    }
    assert set(after.strings()) == expected


def test_it_pickles_and_shares_lattices() -> None:
    kind = neighborhood("trans1 + del1word")
    assert kind.equivariant
    copy = pickle.loads(pickle.dumps(kind))
    assert copy(list("abc")).strings() == kind(list("abc")).strings()
    kind = kind.changed()  # nothing remembered
    list(kind.expand([["a", "b"], ["c", "d"]], Symbols("abcd")))
    assert kind._pattern.cache_info().misses == 1


@pytest.mark.parametrize("name", ["training-set", "half:first"])
def test_what_is_no_transducer_cannot_be_concatenated(name: str) -> None:
    with pytest.raises(NeighborhoodError, match=f"{name} is no transducer"):
        Concatenation(neighborhood("trans1"), neighborhood(name))


def test_an_authors_mistake_is_named() -> None:
    broken = Neighborhood(lambda symbols: None, "mine")
    with pytest.raises(
        Exception, match=r"sentence 1 \(a b\): transducer mine \+ trans1: expected a machine"
    ):
        (broken + neighborhood("trans1"))(["a", "b"])
