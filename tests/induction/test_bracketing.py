"""Constituents as trees."""

from fstce.corpora import sample
from fstce.induction.grammar import bracket, spans_of, tree_of
from fstce.induction.learner import Induction
from fstce.induction.parameters import Options

SENTENCES = [["a", "b", "c", "d"], [], ["e", "f"]]


def trees(*rows):
    return list(map(str, map(tree_of, SENTENCES, rows)))


def test_trees_with_unary_chains_and_sentences_without_words():
    first = [("C3", 1, 3), ("C2", 1, 3), ("C1", 1, 2)]
    assert trees(first, [], [("C1", 0, 2)]) == [
        "(TOP (W a) (C3 (C2 (C1 (W b)) (W c))) (W d))",
        "(TOP)",
        "(TOP (C1 (W e) (W f)))",
    ]


def test_outer_before_inner_and_one_bracket_a_span_with_its_first_class():
    text = [sentence.words for sentence in sample()]
    induction = Induction(text, Options.of_system("da-stop"))
    induction.run(60)
    n_renamed = 0
    for every, chosen in zip(
        bracket(induction.grammar, text),
        spans_of(induction.grammar, text, single_words=True),
        strict=True,
    ):
        assert every == sorted(every, key=lambda span: (span[1], -span[2]))
        labels = {span[1:]: span[0] for span in every}  # the last of a span was made first
        assert chosen == [(label, *span) for span, label in labels.items()]
        n_renamed += len(every) - len(chosen)
    assert n_renamed
    longer = spans_of(induction.grammar, text)
    assert all(end - start > 1 for row in longer for _, start, end in row)


def test_ten_thousand_levels():
    n = 10_000
    tree = tree_of(["w"] * n, [("C1", 0, end) for end in range(n, 1, -1)])
    assert sum(1 for _ in tree.nodes()) == 1 + (n - 1) + n
