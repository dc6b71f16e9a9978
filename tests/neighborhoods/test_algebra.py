"""The algebra of neighborhoods against set operations on the oracles, and its laws."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence

import oracles
import pynini
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce import Neighborhood, neighborhood
from fstce.errors import NeighborhoodError
from fstce.machines import Symbols, check_lattice
from fstce.neighborhoods.algebra import Combination, Restriction

Strings = set[tuple[str, ...]]
Oracle = Callable[[Sequence[str]], Strings]
Pair = tuple[Neighborhood, Oracle]

LEAVES: list[Pair] = [
    (neighborhood(name), getattr(oracles, name))
    for name in ("identity", "del1word", "trans1", "delortrans1", "del1subseq")
]
WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)
CLASS = frozenset("ac")


def both(operation: str, left: Oracle, right: Oracle) -> Oracle:
    """The set operation that a sign stands for."""

    def combined(words: Sequence[str]) -> Strings:
        if operation == "@":
            return {z for y in left(words) for z in right(y)}
        one, other = left(words), right(words)
        if operation == "-":
            return (one - other) | {tuple(words)}
        return one | other if operation == "|" else one & other

    return combined


def outside(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in CLASS]


def restricted(whole: Oracle) -> Oracle:
    return lambda words: {y for y in whole(words) if outside(y) == outside(words)}


def joined(pair: tuple[str, Pair, Pair]) -> Pair:
    operation, left, right = pair
    return Combination(operation, left[0], right[0]), both(operation, left[1], right[1])


def deeper(parts: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    signs = st.tuples(st.sampled_from("|&-@"), parts, parts).map(joined)
    return signs | parts.map(lambda pair: (Restriction(pair[0], CLASS), restricted(pair[1])))


COMBINED = st.recursive(st.sampled_from(LEAVES), deeper, max_leaves=4)
LEAF = st.sampled_from([kind for kind, _ in LEAVES])


@given(COMBINED, WORDS)
def test_a_combination_holds_what_set_operations_say(pair: Pair, words: list[str]) -> None:
    kind, oracle = pair
    lattice = kind(words)
    strings = lattice.strings()
    assert set(strings) == oracle(words)
    assert len(strings) == len(set(strings)) == lattice.count()
    check_lattice(lattice.to_fst(), kind.name)


@given(COMBINED, WORDS)
@settings(deadline=None)
def test_the_sentence_stays_and_the_empty_string_is_none(pair: Pair, words: list[str]) -> None:
    lattice = pair[0](words)
    assert lattice.accepts(words)
    assert not lattice.accepts([])


@given(COMBINED, WORDS)
@settings(deadline=None)
def test_a_name_is_an_expression_of_the_same(pair: Pair, words: list[str]) -> None:
    if "restrict" not in pair[0].name:  # its class is Python's here
        assert set(neighborhood(pair[0].name)(words).strings()) == pair[1](words)


@given(LEAF, LEAF, LEAF, WORDS)
@settings(deadline=None)
def test_laws(a: Neighborhood, b: Neighborhood, c: Neighborhood, words: list[str]) -> None:
    identity = neighborhood("identity")
    same = [
        (a | b, b | a),
        (a & b, b & a),
        (a & (b | c), (a & b) | (a & c)),
        ((a @ b) @ c, a @ (b @ c)),
        (a @ (b | c), (a @ b) | (a @ c)),
        (a @ identity, a),
        (identity @ a, a),
        (a - a, identity),
    ]
    for left, right in same:
        assert set(left(words).strings()) == set(right(words).strings()), (left, right)


@given(WORDS)
def test_sharing_lattices_changes_nothing(words: list[str]) -> None:
    shared = (LEAVES[1][0] | LEAVES[2][0]) @ LEAVES[2][0]
    assert shared.equivariant
    alone = [Neighborhood(kind.build, kind.name, equivariant=False) for kind, _ in LEAVES]
    unshared = (alone[1] | alone[2]) @ alone[2]
    assert not unshared.equivariant
    assert set(shared(words).strings()) == set(unshared(words).strings())


def test_equal_patterns_are_made_once() -> None:
    kind = neighborhood("trans1") | neighborhood("del1word")
    list(kind.expand([["a", "b"], ["c", "d"], ["d", "c"]], Symbols("abcd")))
    assert kind._pattern.cache_info().misses == 1


@pytest.mark.parametrize(
    "expression",
    [
        *(
            "length | trans1",
            "trans1 & length",
            "length - trans1",
            "trans1 - length",
        ),
        *(
            "length @ trans1",
            "trans1 @ (length | del1word)",
        ),
        *(
            "length @ (trans1 & del1word)",
            "restrict(length, function-words)",
            "trans1 | trans1 @ length",
        ),
    ],
)
def test_the_wildcard_is_no_set_of_sentences(expression: str) -> None:
    with pytest.raises(
        NeighborhoodError, match=r"sentence 1 \(a b\): sentence ∘ .*<sigma>.* last of a composition"
    ):
        neighborhood(expression)(["a", "b"])


@given(WORDS)
@settings(deadline=None)
def test_the_wildcard_may_be_the_last_step(words: list[str]) -> None:
    lattice = neighborhood("del1word @ length")(words, vocabulary=["a", "b", "c"])
    expected = {z for y in oracles.del1word(words) for z in oracles.length(y, "abc")}
    assert set(lattice.strings()) == expected
    assert lattice.count() == len(expected)


@pytest.mark.parametrize("name", ["training-set", "half:first"])
def test_what_is_no_transducer_cannot_be_combined(name: str) -> None:
    with pytest.raises(NeighborhoodError, match=f"{name} is no transducer"):
        neighborhood(name) | neighborhood("trans1")
    with pytest.raises(NeighborhoodError, match=f"{name} is no transducer"):
        Restriction(neighborhood(name), ["a"])


def test_only_neighborhoods_are_combined() -> None:
    with pytest.raises(TypeError):
        neighborhood("trans1") | "del1word"  # type: ignore[operator]
    with pytest.raises(NeighborhoodError, match="not the string 'the'"):
        Restriction(neighborhood("trans1"), "the")


def test_more_strings_than_can_be_gone_through_are_refused() -> None:
    third = neighborhood("del1subseq @ del1subseq @ del1subseq @ (trans1 & delortrans1)")
    with pytest.raises(
        NeighborhoodError, match=r"more than 10,000 sentences to apply it to one by one"
    ):
        third([f"w{i}" for i in range(20)])


def test_combinations_pickle() -> None:
    kind = Restriction(neighborhood("trans1 @ del1word") - neighborhood("del1word"), CLASS)
    copy = pickle.loads(pickle.dumps(kind))
    assert copy(list("abca")).strings() == kind(list("abca")).strings()


def test_a_combination_has_no_transducer() -> None:
    with pytest.raises(NeighborhoodError, match="has no transducer of its own"):
        neighborhood("trans1 | del1word").build(Symbols("ab"))


def inserts(word: str) -> Neighborhood:
    def build(symbols: Symbols) -> pynini.Fst:
        copy = pynini.closure(symbols.any())
        labels = symbols.ids([word]).tolist() if word in symbols else []
        return copy + pynini.closure(pynini.cross("", symbols.union(labels)), 0, 1) + copy

    return Neighborhood(build, f"insert-{word}", introduces=[word])


def test_what_one_part_introduces_is_no_other_parts_any_word() -> None:
    def replaces_one(symbols: Symbols) -> pynini.Fst:
        copy = pynini.closure(symbols.any())
        return copy + pynini.closure(pynini.cross(symbols.any(), symbols.any()), 0, 1) + copy

    replace = Neighborhood(replaces_one, "replace")
    together = set((replace | inserts("z"))(["a", "b"]).strings())
    assert together == set(replace(["a", "b"]).strings()) | set(inserts("z")(["a", "b"]).strings())
    assert ("z", "b") not in together


def test_what_is_introduced_may_be_changed_by_the_next() -> None:
    then = inserts("z") @ neighborhood("trans1")
    assert then(["a", "b"]).accepts(["a", "z", "b"])
    assert then(["a", "b"]).accepts(["b", "z", "a"]) is False
    assert then(["a", "b"]).accepts(["b", "a"])
    assert (inserts("z") @ inserts("y"))(["a"]).count() == 1 + 2 + 2 + 6
    assert (inserts("z") @ inserts("z"))(["a"]).count() == 6


def test_a_restriction_lets_no_other_word_in() -> None:
    assert Restriction(inserts("b"), ["a"])(["a", "b"]).strings() == [("a", "b")]
    assert Restriction(inserts("z"), ["z"])(["a"]).count() == 3
    assert Restriction(inserts("z"), ["a"])(["a"]).count() == 1


def test_a_word_that_the_corpus_has_not_is_not_introduced() -> None:
    (lattice,) = inserts("z").expand([["a"]], Symbols("ab"))
    assert lattice.strings() == [("a",)]
