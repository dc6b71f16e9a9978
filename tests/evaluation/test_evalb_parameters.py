"""EVALB's parameters against the procedure of its source: a line is read letter by letter."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bracket_cases import column, grow
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Tree
from fstce.evaluation import evalb_scores
from fstce.evaluation.evalb import EvalbParameters

NODES = ("S", "NP", "ADVP", "PRT", "TOP", "NP-SBJ", "NP=2", "X", "Y", "-NONE-", ",", "NN", "A-B")
TAGS = ("NN", "VB", ",", ".", "-NONE-", "X", "Y", "NN-1", "PRT", "``")
NAMES = ("S", "NP", "ADVP", "PRT", "TOP", "NP-SBJ", "X", "Y", "-NONE-", ",", ".", "NN", "NN-1")
Pairs = Sequence[tuple[str, str]]
Line = tuple[list[tuple[str, str]], list[tuple[str, int, int]], int]


class Procedure:
    """EVALB's way through two lines."""

    def __init__(self, deleted: Sequence[str], uncounted: Sequence[str], same: Pairs) -> None:
        self.deleted, self.uncounted, self.same = deleted, uncounted, same

    def are_same(self, one: str, other: str) -> bool:
        return one == other or bool({(one, other), (other, one)}.intersection(self.same))

    def read(self, line: str) -> Line:
        """Terminals that are not deleted, brackets over them, the length."""
        terminals: list[tuple[str, str]] = []
        brackets: list[list[Any]] = []
        opened: list[int] = []
        length = 0
        tokens = line.replace("(", " ( ").replace(")", " ) ").split()
        while tokens:
            if tokens.pop(0) == ")":
                brackets[opened.pop()][2] = len(terminals)
                continue
            label = tokens.pop(0)
            if tokens[0] == "(":
                opened.append(len(brackets))
                brackets.append([label, len(terminals), 0])
                continue
            length += label not in self.uncounted
            if label not in self.deleted:
                terminals.append((tokens[0], label))
            del tokens[:2]
        return terminals, [tuple(bracket) for bracket in brackets], length

    def counted(self, brackets: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
        named = [(n.split("-")[0].split("=")[0], a, b) for n, a, b in brackets if a < b]
        return [b for b in named if not any(self.are_same(b[0], d) for d in self.deleted)]

    def scores(self, gold: str, test: str) -> tuple[object, ...]:
        """What a line of EVALB's output has."""
        (words, in_gold, length), (told, in_test, _) = self.read(gold), self.read(test)
        if not told:
            return "skipped", length
        if [word for word, _ in words] != [word for word, _ in told]:
            return "error", length

        right, found = self.counted(in_gold), self.counted(in_test)
        remaining = list(found)
        for name, *span in right:
            partners = (b for b in remaining if [*b[1:]] == span and self.are_same(name, b[0]))
            partner = next(partners, None)
            if partner:
                remaining.remove(partner)
        crossing = 0
        for _, c, d in found:
            crossing += any(a < c < b < d or c < a < d < b for _, a, b in right)
        pairs = zip(words, told, strict=True)
        tags = sum(self.are_same(one, other) for (_, one), (_, other) in pairs)
        matched = len(found) - len(remaining)
        return length, matched, len(right), len(found), crossing, len(words), tags


@given(st.integers(0, 2**32))
def test_deleted_and_equal_labels_are_those_of_the_procedure(seed: int) -> None:
    random = Random(seed)
    deleted = random.sample(NAMES, random.randrange(6))
    uncounted = random.sample(NAMES, random.randrange(4))
    names = random.sample(NAMES, 4)
    same = [(names[0], names[1]), (names[2], names[3])][: random.randrange(3)]
    words = [(random.choice("ab"), random.choice(TAGS)) for _ in range(random.randrange(1, 9))]
    told = [(word, random.choice(TAGS) if random.random() < 0.1 else tag) for word, tag in words]
    gold, test = grow(words, random, NODES), grow(told, random, NODES)

    parameters = EvalbParameters(
        frozenset(deleted), frozenset(uncounted), {b: a for a, b in same} | {a: a for a, _ in same}
    )
    scores = evalb_scores([gold], [test], parameters, other_words="error")
    names_of_counts = ("matched", "gold", "predicted", "crossing", "words", "right_tags")
    length = int(scores.lengths[0])
    found: tuple[object, ...] = (length, *(int(column(scores, n)[0]) for n in names_of_counts))
    for name, status in (("skipped", "skipped"), ("errors", "error")):
        if column(scores, name)[0]:
            found = (status, length)
    assert found == Procedure(deleted, uncounted, same).scores(str(gold), str(test))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("(S (NP (NN a)) (VP (VB b)) (NN ,))", "its tags delete other words"),
        ("(S (NP (NN a)) (VP (, b)) (, ,))", "its tags delete other words"),
        ("(S (NP (NN a)) (VP (VB b)))", ""),
        ("(S (NP (NN a)) (VP (VB b)) (. ,))", ""),
    ],
)
def test_a_tag_that_deletes_another_word_is_an_error(
    fstce: Any, tmp_path: Path, line: str, fault: str
) -> None:
    """It was scored by the gold tags, as EVALB does not."""
    right = "(S (NP (NN a)) (VP (VB b)) (, ,))\n"
    (tmp_path / "gold.mrg").write_text(right * 4)
    (tmp_path / "parsed.mrg").write_text(right + line + "\n" + right * 2)
    code, out, err = fstce(
        "latent", "evaluate", tmp_path / "parsed.mrg", tmp_path / "gold.mrg", "--json"
    )
    record = json.loads(out)["all"]
    assert (code, record["errors"]) == (0, int(bool(fault)))
    assert (f"parsed.mrg:2: sentence 2: {fault}" in err) == bool(fault)


def test_the_library_leaves_such_a_sentence_out() -> None:
    gold = Tree("S", (Tree("NN", ("a",)), Tree(",", (",",))))
    total = evalb_scores([gold], [Tree("S", (Tree("NN", ("a",)), Tree("NN", (",",))))]).total()
    assert (total.errors, total.sentences) == (1, 0)
