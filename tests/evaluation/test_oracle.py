"""The oracle of k-best lists, against scoring every parse of every list."""

from __future__ import annotations

import math
from random import Random

import pytest
from bracket_cases import grow, naive_evalb
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Tree, parse_tree
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation import evalb_scores
from fstce.evaluation.oracle import oracle_scores

Case = tuple[Tree, list[Tree]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A gold tree and up to four parses."""
    random = Random(draw(st.integers(0, 2**32)))
    words = [(random.choice("ab"), random.choice(("NN", "VB"))) for _ in range(draw(st.integers(1, 6)))]
    return grow(words, random), [grow(words, random) for _ in range(draw(st.integers(0, 4)))]


def f1(gold: Tree, parse: Tree) -> float:
    counts = naive_evalb(gold, parse)
    total = counts.get("gold", 0) + counts.get("predicted", 0)
    return 2 * counts.get("matched", 0) / total if total else 1.0


@given(st.lists(cases(), min_size=1, max_size=5).filter(lambda rows: any(row[1] for row in rows)))
def test_the_best_of_each_list(rows: list[Case]) -> None:
    gold, lists = [row[0] for row in rows], [row[1] for row in rows]
    found = oracle_scores(gold, lists)
    for k, total in enumerate(found.totals, 1):
        best = [max(ps[:k], key=lambda p: f1(g, p), default=None) for g, ps in zip(gold, lists, strict=True)]
        assert total == evalb_scores(gold, best).total()
    assert len(found.totals) == max(map(len, lists))
    for rank, (tree, parses) in zip(found.ranks, rows, strict=True):
        scores = [f1(tree, parse) for parse in parses] or [0.0]
        assert rank == scores.index(max(scores))


def test_longer_lists_never_lower_the_score_of_a_sentence() -> None:
    flat, deep = (parse_tree(text) for text in ("(S (A a) (B b) (C c))", "(S (NP (A a) (B b)) (C c))"))
    found = oracle_scores([deep, flat], [[flat, deep, flat], [flat]])
    assert [round(total.f1, 2) for total in found.totals] == [80.0, 100.0, 100.0]
    assert found.ranks == (1, 0)


def test_a_parse_that_is_not_scored_is_chosen_only_alone() -> None:
    gold = parse_tree("(S (NP (NNS dogs)) (POS '))")
    other = parse_tree("(S (NP (NNS dogs)) ('' '))")
    wrong = parse_tree("(X (Y (NNS dogs) (POS ')))")
    assert oracle_scores([gold], [[other, wrong]]).ranks == (1,)
    assert [total.errors for total in oracle_scores([gold], [[other, wrong]]).totals] == [1, 0]
    assert oracle_scores([gold], [[other]]).totals[0].errors == 1
    assert math.isnan(oracle_scores([gold], [[other]]).totals[0].f1)


def test_nothing_to_find_is_best_left_alone() -> None:
    word = parse_tree("(NN dog)")
    assert oracle_scores([word], [[parse_tree("(NP (NN dog))"), word]]).ranks == (1,)


def test_lists_that_do_not_fit_are_errors() -> None:
    tree = parse_tree("(S (A a))")
    with pytest.raises(ParameterError, match="empty"):
        oracle_scores([tree], [[]])
    with pytest.raises(CorpusError, match="1 gold trees but 2 predicted"):
        oracle_scores([tree], [[tree], [tree]])
