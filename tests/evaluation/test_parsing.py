"""Attachment scores, against counting word by word and against the CoNLL-18 definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import is_tree

from fstce.corpora import Sentence, conllu_sentence, dependency_corpus
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation import Attachment, attach_next, attachment
from fstce.evaluation.parsing import attach_previous

Heads = tuple[int, ...]
GOLD: list[Heads] = [(2, 0, 2), (0, 1), (2, 3, 4, 0)]
FOUND: list[Heads] = [(0, 1, 2), (0, 1), (2, 4, 1, 0)]


@st.composite
def trees(draw: st.DrawFn, n: int) -> Heads:
    """A tree of n words, projective or not."""
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = order[draw(st.integers(0, place - 1))]
    return tuple(heads)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[Heads], list[Heads]]:
    """Gold and predicted trees of up to five sentences."""
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    return [draw(trees(n)) for n in lengths], [draw(trees(n)) for n in lengths]


def edges(heads: Heads) -> set[frozenset[int]]:
    """The links of a tree without their directions; 0 is a node like the others."""
    return {frozenset((child, head)) for child, head in enumerate(heads, 1)}


def counted(gold: list[Heads], found: list[Heads]) -> Attachment:
    """The scores by sets: of links with, and of links without direction."""
    rows = list(zip(gold, found, strict=True))
    words = sum(len(heads) for heads in gold)
    directed = sum(a == b for g, f in rows for a, b in zip(g, f, strict=True))
    undirected = sum(len(edges(g) & edges(f)) for g, f in rows)
    roots, exact = sum(g.index(0) == f.index(0) for g, f in rows), sum(g == f for g, f in rows)
    shares = (directed / words, undirected / words, roots / len(gold), exact / len(gold))
    return Attachment(*(pytest.approx(100 * share) for share in shares), words, len(gold))


def conll18_uas(gold: str, system: str) -> float:
    """UAS as the CoNLL-18 shared task defines it: F1 over aligned words whose heads are aligned too.

    Words stand where their letters do in the text without white space.
    """

    def read(text: str) -> list[tuple[tuple[int, int], tuple[int, int] | None]]:
        words, at = [], 0
        for block in text.strip().split("\n\n"):
            rows = [line.split("\t") for line in block.split("\n")]
            ends = [at + sum(len(row[1]) for row in rows[: n + 1]) for n in range(len(rows))]
            spans = list(zip([at, *ends], ends, strict=False))
            above = [spans[int(row[6]) - 1] if row[6] != "0" else None for row in rows]
            words += list(zip(spans, above, strict=True))
            at = ends[-1]
        return words

    gold_words, system_words = read(gold), read(system)
    aligned = dict(gold_words)
    correct = sum(span in aligned and aligned[span] == head for span, head in system_words)
    return 100 * 2 * correct / (len(gold_words) + len(system_words))


def test_scores_worked_by_hand() -> None:
    found = attachment(GOLD, FOUND)
    assert found.directed == pytest.approx(100 * 5 / 9)
    # 2 ← 1 in the first sentence is turned round
    assert found.undirected == pytest.approx(100 * 6 / 9)
    assert (found.root, found.exact) == (pytest.approx(200 / 3), pytest.approx(100 / 3))
    assert (found.n_words, found.n_sentences) == (9, 3)


@given(pairs())
def test_scores_are_what_is_counted(rows: tuple[list[Heads], list[Heads]]) -> None:
    assert attachment(*rows) == counted(*rows)


@given(pairs())
def test_directed_is_the_shared_task_s_score(rows: tuple[list[Heads], list[Heads]]) -> None:
    gold, system = (
        "".join(conllu_sentence(Sentence(["word"] * len(heads)), heads) for heads in side)
        for side in rows
    )
    assert attachment(*rows).directed == pytest.approx(conll18_uas(gold, system))


@given(pairs())
def test_laws(rows: tuple[list[Heads], list[Heads]]) -> None:
    gold, found = rows
    assert attachment(gold, gold)[:4] == (100.0,) * 4
    scores, turned = attachment(gold, found), attachment(found, gold)
    assert scores.directed == turned.directed
    assert scores.undirected == pytest.approx(turned.undirected)
    assert scores.directed <= scores.undirected <= 100.0
    assert scores.exact <= scores.root


@pytest.mark.parametrize("n", [1, 2, 7])
def test_chains(n: int) -> None:
    after, before = attach_next(n), attach_previous(n)
    assert is_tree(after)
    assert is_tree(before)
    assert [head - child for child, head in enumerate(after, 1)][:-1] == [1] * (n - 1)
    assert [child - head for child, head in enumerate(before, 1)] == [1] * n
    assert attachment([after], [before]).undirected == pytest.approx(100 * (n - (n > 1)) / n)


def test_chains_of_nothing() -> None:
    for chain in (attach_next, attach_previous):
        with pytest.raises(ParameterError, match="n=0: give a whole number from 1"):
            chain(0)


def test_several_roots_are_compared_as_a_set() -> None:
    assert attachment([(0, 0, 2)], [(0, 0, 1)]).root == 100.0
    assert attachment([(0, 0, 2)], [(0, 1, 2)]).root == 0.0


@pytest.mark.parametrize(
    ("gold", "found", "message"),
    [
        ([(0,)], [(0,), (0,)], "1 sentences but 2 rows of predicted heads"),
        ([(0,), (0, 1)], [(0,), (0,)], "sentence 2 has 2 gold heads and 1 predicted heads"),
        ([], [], "no heads to compare"),
        ([(0,), (0, 3)], [(0,), (0, 1)], "sentence 2: the gold head 3 is outside its 2 words"),
        (
            [(0,), (0, 1)],
            [(0,), (0, -1)],
            "sentence 2: the predicted head -1 is outside its 2 words",
        ),
    ],
)
def test_what_cannot_be_compared(gold: list[Heads], found: list[Heads], message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        attachment(gold, found)


def test_chains_on_the_dependency_treebank(nltk_dependency_treebank: list[Sentence]) -> None:
    corpus = dependency_corpus(nltk_dependency_treebank, max_length=10)
    gold = [sentence.heads or () for sentence in corpus]
    after, before = (
        attachment(gold, [f(len(heads)) for heads in gold]) for f in (attach_next, attach_previous)
    )
    assert after.directed == pytest.approx(37.3, abs=0.05)
    assert before.directed == pytest.approx(19.0, abs=0.05)
    assert (after.n_words, after.n_sentences) == (3_704, 537)
