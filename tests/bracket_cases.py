"""Trees to score: drawn ones, and EVALB's counts by its own procedure, bracket by bracket."""

from __future__ import annotations

from itertools import combinations
from random import Random

from hypothesis import strategies as st

from fstce.corpora import Tree
from fstce.evaluation.bracket_scores import columns

LABELS = ("S", "NP", "VP", "PP", "ADVP", "PRT", "TOP", "NP-SBJ", "NP=2")
DELETED = ("TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", ".")
SAME = {"PRT": "ADVP", "ADVP": "ADVP"}
Bracket = tuple[str, int, int]


def grow(words: list[tuple[str, str]], random: Random, labels: tuple[str, ...] = LABELS) -> Tree:
    """A tree over words and tags, with unary chains now and then."""

    def build(start: int, end: int, top: bool) -> Tree:
        if end - start == 1 and not top and random.random() < 0.6:
            return Tree(words[start][1], (words[start][0],))
        n = min(random.choice((1, 2, 2, 3)), end - start)
        ends = [*sorted(random.sample(range(start + 1, end), n - 1)), end]
        children = (build(a, b, False) for a, b in zip([start, *ends], ends, strict=False))
        return Tree(random.choice(labels), tuple(children))

    return build(0, len(words), True)


@st.composite
def tree_pairs(draw: st.DrawFn) -> tuple[Tree, Tree | None]:
    """A gold tree, and a parse of the same words, some of whose tags are wrong; or none."""
    random = Random(draw(st.integers(0, 2**32)))
    tags = draw(
        st.lists(
            st.sampled_from(("NN", "VB", "DT", "NN", ",", ".", "-NONE-")), min_size=1, max_size=9
        )
    )
    words = [(random.choice("ab"), tag) for tag in tags]
    gold = grow(words, random)
    told = [(word, tag) for word, tag in words if tag != "-NONE-"]
    wrong = [(word, "RB" if random.random() < 0.1 else tag) for word, tag in told]
    wrong = [(word, "," if random.random() < 0.02 else tag) for word, tag in wrong]
    return gold, grow(wrong, random) if wrong and random.random() < 0.9 else None


def brackets_of(
    tree: Tree, deleted: tuple[str, ...] = DELETED
) -> tuple[list[Bracket], list[tuple[str, str]]]:
    """A tree's brackets over the words that are not deleted, and these words with their tags."""
    found: list[Bracket] = []
    words: list[tuple[str, str]] = []

    def visit(node: Tree) -> None:
        if node.is_preterminal:
            words.extend([(str(node.children[0]), node.label)] if node.label not in deleted else [])
            return
        start, place = len(words), len(found)
        for child in node.children:
            assert isinstance(child, Tree)
            visit(child)
        label = node.label.split("-")[0].split("=")[0]
        if start < len(words) and label not in deleted:
            found.insert(place, (SAME.get(label, label), start, len(words)))

    visit(tree)
    return found, words


def crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (a, b), (c, d) = sorted((one, other))
    return a < c < b < d


def matched(gold: list[Bracket], predicted: list[Bracket], labelled: bool = True) -> list[str]:
    """The labels of the gold brackets that find a partner, each partner used once."""
    rest, found = list(predicted), []
    for bracket in gold:
        partners = [other for other in rest if other[1:] == bracket[1:]]
        partners = [other for other in partners if other == bracket or not labelled]
        if partners:
            rest.remove(partners[0])
            found.append(bracket[0])
    return found


def naive_evalb(gold: Tree, predicted: Tree | None) -> dict[str, int]:
    """The counts of one sentence, as EVALB goes about it; those that are 0 are left out."""
    right, words = brackets_of(gold)
    found, told = brackets_of(predicted) if predicted else ([], [])
    if not told:
        return {"skipped": 1}
    if [word for word, _ in words] != [word for word, _ in told]:
        return {"errors": 1}
    n_crossing = sum(any(crosses(p[1:], g[1:]) for g in right) for p in found)
    n_matched, n_bare = (len(matched(right, found, labelled)) for labelled in (True, False))
    counts = {
        "gold": len(right),
        "predicted": len(found),
        "matched": n_matched,
        "sentences": 1,
        "complete": len(right) == len(found) == n_matched,
        "crossing": n_crossing,
        "no_crossing": n_crossing == 0,
        "two_crossing": n_crossing <= 2,
        "unlabelled_matched": n_bare,
        "words": len(words),
        "right_tags": sum(a == b for (_, a), (_, b) in zip(words, told, strict=True)),
    }
    return {name: int(count) for name, count in counts.items() if count}


def binary_trees(start: int, end: int) -> list[frozenset[tuple[int, int]]]:
    """All binary trees over words, as sets of their spans of two words or more."""
    if end - start == 1:
        return [frozenset()]
    return [
        frozenset({(start, end)}) | left | right
        for middle in range(start + 1, end)
        for left in binary_trees(start, middle)
        for right in binary_trees(middle, end)
    ]


def is_nested(spans: list[tuple[int, int]]) -> bool:
    """Whether no two spans cross."""
    return not any(crosses(one, other) for one, other in combinations(spans, 2))


def column(scores, name):
    """One count of every sentence, by its name in the class of the counts."""
    return scores.matrix[:, columns(scores.kind).index(name)]
