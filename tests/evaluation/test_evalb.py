"""EVALB's scores: by hand, by EVALB's own sample, and against its procedure bracket by bracket."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from bracket_cases import brackets_of, column, matched, naive_evalb, tree_pairs
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.console.phrases import paired
from fstce.corpora import Tree, parse_tree, read_corpus
from fstce.corpora.penn import read_parses
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation import evalb_scores
from fstce.evaluation.bracket_scores import BracketCounts, CategoryCounts, columns
from fstce.evaluation.evalb import COLLINS, EvalbParameters

GOLD = parse_tree(
    "(S (NP (DT The) (NN dog)) (, ,) (VP (VBD saw) (NP (NP (DT a) (NN cat))"
    " (PP (IN in) (NP (DT the) (NN park))))) (. .))"
)
ATTACHED = parse_tree(
    "(S (NP (DT The) (NN dog)) (, ,) (VP (VBD saw) (NP (DT a) (NN cat))"
    " (PP (IN in) (NP (DT the) (NN park)))) (. .))"
)
CROSSING = parse_tree(
    "(S (NP (DT The) (NN dog)) (, ,) (VP (VBD saw) (ADVP (DT a) (NN cat) (RP in))"
    " (NP (DT the) (NN park))) (. .))"
)

# Sentences of the sample that comes with EVALB (Sekine & Collins; public domain): test tree,
# then length, status, matched, gold, test and crossing brackets, words, right tags.
# Status 1 is a sentence without a parse.
SAMPLE_GOLD = "(S (A (P this)) (B (Q is) (A (R a) (T test))))"
SAMPLE = [
    ("(S (A (P this)) (B (Q is) (A (R a) (T test))))", 4, 0, 4, 4, 4, 0, 4, 4),
    ("(S (A (P this)) (B (Q is) (C (R a) (T test))))", 4, 0, 3, 4, 4, 0, 4, 4),
    ("(S (A (P this)) (B (Q is) (A (R a) (U test))))", 4, 0, 4, 4, 4, 0, 4, 3),
    ("(S (C (P this)) (B (Q is) (A (R a) (U test))))", 4, 0, 3, 4, 4, 0, 4, 3),
    ("(S (A (P this)) (B (Q is) (R a) (A (T test))))", 4, 0, 3, 4, 4, 0, 4, 4),
    ("(S (A (P this) (Q is)) (A (R a) (T test)))", 4, 0, 2, 4, 3, 1, 4, 4),
    ("(S (P this) (Q is) (R a) (T test))", 4, 0, 1, 4, 1, 0, 4, 4),
    ("(S (A (P this)) (B (Q is) (A (A (R a) (T test)))))", 4, 0, 4, 4, 5, 0, 4, 4),
    ("(S (A (P this)) (B (Q is) (A (A (A (A (A (R a) (T test))))))))", 4, 0, 4, 4, 8, 0, 4, 4),
    ("(TOP (P this) (Q is) (R a) (T test))", 4, 0, 0, 4, 0, 0, 4, 4),
    ("", 4, 1, 0, 0, 0, 0, 0, 0),
    ("(TOP (S (A (P this)) (B (Q is) (A (R a) (T test)))))", 4, 0, 4, 4, 4, 0, 4, 4),
    ("(S (A (P this)) (B (Q is) (A (R a) (TT test))))", 4, 0, 4, 4, 4, 0, 4, 4),
    ("(S (A (P This)) (B (Q is) (A (R a) (T test))))", 4, 0, 4, 4, 4, 0, 4, 4),
]
SAMPLE_PARAMETERS = EvalbParameters(
    deleted=frozenset({"TOP", "-NONE-"}),
    deleted_for_length=frozenset({"-NONE-"}),
    same_label={"TT": "T"},
    same_word={"This": "this"},
)


def totals(gold: Tree, predicted: Tree | None) -> BracketCounts:
    return evalb_scores([gold], [predicted]).total()


def raw(text: str) -> Tree:
    """The tree as it is spelt: the reader would drop TOP, function tags and empty elements."""
    stack: list[list[Tree | str]] = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            label, *children = stack.pop()
            stack[-1].append(Tree(str(label), tuple(children)))
        else:
            stack[-1].append(token)
    (tree,) = stack[0]
    assert isinstance(tree, Tree)
    return tree


def test_collins_deletes_roots_empty_elements_and_five_tags_of_punctuation() -> None:
    assert COLLINS.deleted == {"TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", "."}
    assert COLLINS.deleted_for_length == {"-NONE-"}


def test_categories_are_without_tails_and_equals_are_one() -> None:
    names = ("NP-SBJ-1", "NP=2", "ADVP-TMP", "PRT", "-NONE-")
    assert [COLLINS.category(name) for name in names] == ["NP", "NP", "ADVP", "ADVP", ""]


def test_an_attachment_by_hand() -> None:
    # Without , and . eight words remain:  The dog saw a cat in the park.
    # Gold: S 0-8, NP 0-2, VP 2-8, NP 3-8, NP 3-5, PP 5-8, NP 6-8. The parse has all but NP 3-8.
    # So 6 of 7 gold and 6 of 6 predicted match: R = 85.71, P = 100, F1 = 2·6/13 = 92.31.
    found = totals(GOLD, ATTACHED)
    assert (found.gold, found.predicted, found.matched) == (7, 6, 6)
    assert found.recall == pytest.approx(100 * 6 / 7)
    assert found.precision == 100
    assert found.f1 == pytest.approx(100 * 12 / 13)
    assert (found.exact, found.average_crossing, found.tagging_accuracy) == (0, 0, 100)


def test_a_crossing_bracket_by_hand() -> None:
    # Predicted: S 0-8, NP 0-2, VP 2-8, ADVP 3-6, NP 6-8. ADVP 3-6 crosses PP 5-8 alone; NP 3-8 holds it.
    # 4 match: R = 4/7, P = 4/5, F1 = 8/12. Of 8 tags RP is wrong.
    found = totals(GOLD, CROSSING)
    assert (found.gold, found.predicted, found.matched, found.crossing) == (7, 5, 4, 1)
    assert found.f1 == pytest.approx(100 * 8 / 12)
    assert (found.no_crossing, found.two_crossing, found.words, found.right_tags) == (0, 1, 8, 7)


def test_two_sentences_by_hand() -> None:
    # Sums, not means: matched 6 + 4 of 14 gold and 11 predicted: F1 = 20/25. One crossing in two sentences.
    found = evalb_scores([GOLD, GOLD], [ATTACHED, CROSSING]).total()
    assert found.f1 == pytest.approx(80)
    assert found.average_crossing == 0.5
    assert (found.without_crossing, found.two_or_less_crossing) == (50, 100)


def test_a_right_parse_is_complete() -> None:
    found = totals(GOLD, GOLD)
    assert (found.f1, found.exact, found.unlabelled.f1) == (100, 100, 100)


def test_a_wrong_label_counts_only_by_labels() -> None:
    # S 0-2 and VP 1-2 match; ADJP 0-1 has NP's words: labeled 2 of 3, unlabeled 3 of 3.
    gold = parse_tree("(S (NP (PRP We)) (VP (VBP eat)))")
    found = totals(gold, parse_tree("(S (ADJP (PRP We)) (VP (VBP eat)))"))
    assert (found.matched, found.unlabelled_matched) == (2, 3)
    assert found.complete == 0


def test_particles_are_adverbs() -> None:
    gold = parse_tree("(VP (VB give) (PRT (RP up)))")
    scores = evalb_scores([gold], [parse_tree("(VP (VB give) (ADVP (RP up)))")])
    assert scores.total().exact == 100
    assert scores.by_category()["ADVP"] == CategoryCounts(gold=1, predicted=1, matched=1)


def test_repeated_brackets_match_as_often_as_both_have_them() -> None:
    # NP 0-2 twice in gold, three times in the parse: min(2, 3) = 2 match.
    gold, found = raw("(NP (NP (DT a) (NN cat)))"), raw("(NP (NP (NP (DT a) (NN cat))))")
    counts = totals(gold, found)
    assert (counts.gold, counts.predicted, counts.matched) == (2, 3, 2)


def test_roots_function_tags_and_traces_do_not_count() -> None:
    # -NONE- goes, with the S and SBAR over it alone; TOP goes, NP-SBJ is NP: S 0-2, NP 0-1, VP 1-2 remain.
    gold = raw(
        "(TOP (S (NP-SBJ-1 (PRP We)) (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)))"
    )
    for root in ("TOP", "ROOT", "S1"):
        found = evalb_scores([gold], [raw(f"({root} (S (NP (PRP We)) (VP (VBD said)) (. .)))")])
        assert (found.total().gold, found.total().exact) == (3, 100)
        # We said . — punctuation counts for the length, traces do not.
        assert found.lengths.tolist() == [3]


def test_limits_of_length_count_punctuation() -> None:
    scores = evalb_scores([GOLD, parse_tree("(S (NP (PRP We)) (VP (VBP eat)))")], [GOLD, None])
    assert scores.lengths.tolist() == [10, 2]
    assert (len(scores.up_to(10)), len(scores.up_to(9)), scores.up_to(9).total().skipped) == (
        2,
        1,
        1,
    )
    assert scores.up_to(9).by_category() == {}


def test_a_missing_parse_is_skipped() -> None:
    found = evalb_scores([GOLD, GOLD], [None, GOLD]).total()
    assert (found.sentences, found.skipped, found.recall, found.words) == (1, 1, 100, 8)


def test_a_parse_of_punctuation_alone_is_skipped() -> None:
    assert totals(parse_tree("(X (. .))"), parse_tree("(X (. .))")).skipped == 1


def test_a_parse_without_the_punctuation_is_scored() -> None:
    words = parse_tree("(S (NP (DT The) (NN dog)) (VP (VBZ barks)))")
    assert (
        totals(parse_tree("(S (NP (DT The) (NN dog)) (, ,) (VP (VBZ barks)) (. .))"), words).exact
        == 100
    )


def test_tags_that_delete_other_words_are_an_error_of_the_sentence_or_follow_gold() -> None:
    gold = raw("(S (NP (-NONE- *) (NP (NNS dogs)) (POS ')) (VP (VBP bark) (NP (-NONE- *))) (. .))")
    found = parse_tree("(S (NP (NP (NNS dogs)) ('' ')) (VP (VBP bark)) (. .))")
    left_out = evalb_scores([gold, GOLD], [found, GOLD]).total()
    assert (left_out.errors, left_out.sentences, left_out.gold, left_out.words) == (1, 1, 7, 8)
    scored = evalb_scores([gold], [found], disagreement="gold").total()
    assert (scored.errors, scored.exact, scored.words, scored.right_tags) == (0, 100, 3, 2)


def test_the_equal_of_a_deleted_label_is_deleted() -> None:
    parameters = EvalbParameters(deleted=frozenset({"B"}), same_label={"A": "A", "B": "A"})
    tree = parse_tree("(S (A (N a)) (B (N b)) (C (N c)))")
    # S and C remain.
    assert evalb_scores([tree], [tree], parameters).total().gold == 2


def test_evalb_sample() -> None:
    gold, tests = raw(SAMPLE_GOLD), [raw(text) if text else None for text, *_ in SAMPLE]
    scores = evalb_scores([gold] * len(SAMPLE), tests, SAMPLE_PARAMETERS)
    names = ("skipped", "matched", "gold", "predicted", "crossing", "words", "right_tags")
    rows = zip(
        scores.lengths.tolist(), *(column(scores, name).tolist() for name in names), strict=True
    )
    assert list(rows) == [tuple(row) for _, *row in SAMPLE]


# Of the same sample the lines that only files have: the gold line and the parser's, then length,
# status, matched, gold, test and crossing brackets, words, right tags; status 1 is an error, 2
# a sentence without a parse.
MANY = " (A (P this)) (B (Q is) (A (R a) (T test)))"
LINES = [
    (SAMPLE_GOLD, "(P this) (Q is) (R a) (T test)", 4, 0, 0, 4, 0, 0, 4, 4),
    (SAMPLE_GOLD, "", 4, 2, 0, 0, 0, 0, 0, 0),
    (SAMPLE_GOLD, SAMPLE_GOLD.replace("is", "was"), 4, 1, 0, 0, 0, 0, 0, 0),
    (SAMPLE_GOLD, SAMPLE_GOLD.replace("(A (R", "(U not) (A (R"), 4, 1, 0, 0, 0, 0, 0, 0),
    (SAMPLE_GOLD, SAMPLE_GOLD.replace("(B", "(NONE *) (B"), 4, 1, 0, 0, 0, 0, 0, 0),
    (SAMPLE_GOLD, SAMPLE_GOLD.replace("this", "That"), 4, 1, 0, 0, 0, 0, 0, 0),
    (SAMPLE_GOLD.replace("(A (P", "(A-SBJ-1 (P"), SAMPLE_GOLD, 4, 0, 4, 4, 4, 0, 4, 4),
    (f"(S{MANY * 11})", f"(S{MANY * 11})", 44, 0, 34, 34, 34, 0, 44, 44),
    (f"(S{MANY} (-NONE- *))", f"(S{MANY} (-NONE- *))", 4, 0, 4, 4, 4, 0, 4, 4),
    (f"(S{MANY} (: *))", f"(S{MANY} (: *))", 5, 0, 4, 4, 4, 0, 4, 4),
]


def test_lines_of_evalbs_sample() -> None:
    gold = read_corpus(io.StringIO("".join(f"{row[0]}\n" for row in LINES)), "penn")
    lines = enumerate((row[1] for row in LINES), 1)
    trees, parses, _ = paired(gold, read_parses(lines, "a.mrg"))
    deleted = SAMPLE_PARAMETERS.deleted | {",", ":", "``", "''"}
    scores = evalb_scores(
        trees,
        [parse and parse.tree for parse in parses],
        replace(SAMPLE_PARAMETERS, deleted=deleted),
        other_words="error",
    )
    names = ("matched", "gold", "predicted", "crossing", "words", "right_tags")
    for row, (_, _, length, status, *counts) in zip(scores.sentences, LINES, strict=True):
        assert row.length == length
        assert (row.counts.get("errors", 0), row.counts.get("skipped", 0)) == (
            status == 1,
            status == 2,
        )
        assert [row.counts.get(name, 0) for name in names] == counts


@given(st.lists(tree_pairs(), min_size=1, max_size=6))
def test_counts_are_those_of_the_procedure(pairs: list[tuple[Tree, Tree | None]]) -> None:
    scores = evalb_scores([gold for gold, _ in pairs], [found for _, found in pairs])
    for row, pair in zip(scores.matrix.tolist(), pairs, strict=True):
        found = {name: n for name, n in zip(columns(BracketCounts), row, strict=True) if n}
        assert found == naive_evalb(*pair)


@given(st.lists(tree_pairs(), min_size=1, max_size=6))
def test_categories_are_those_of_the_procedure(pairs: list[tuple[Tree, Tree | None]]) -> None:
    expected: dict[str, Counter[str]] = {
        "gold": Counter(),
        "predicted": Counter(),
        "matched": Counter(),
    }
    for gold, found in pairs:
        if found is not None and "sentences" in naive_evalb(gold, found):
            right, parse = brackets_of(gold)[0], brackets_of(found)[0]
            expected["gold"].update(label for label, *_ in right)
            expected["predicted"].update(label for label, *_ in parse)
            expected["matched"].update(matched(right, parse))
    scores = evalb_scores([gold for gold, _ in pairs], [found for _, found in pairs])
    for side, counter in expected.items():
        found_counts = {name: getattr(row, side) for name, row in scores.by_category().items()}
        assert {name: n for name, n in found_counts.items() if n} == dict(counter)


@given(st.lists(tree_pairs(), min_size=2, max_size=6), st.integers(1, 5))
def test_shards_add_up(pairs: list[tuple[Tree, Tree | None]], size: int) -> None:
    gold, found = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    whole, cut = evalb_scores(gold, found), min(size, len(pairs) - 1)
    first, second = evalb_scores(gold[:cut], found[:cut]), evalb_scores(gold[cut:], found[cut:])
    assert whole.matrix.tolist() == [*first.matrix.tolist(), *second.matrix.tolist()]
    for n in (4, 9):
        shorter = [scores.up_to(n).by_category() for scores in (whole, first, second)]
        for name, counts in shorter[0].items():
            parts = [row[name].gold for row in shorter[1:] if name in row]
            assert counts.gold == sum(parts)


@given(tree_pairs())
def test_a_tree_is_its_own_best_parse(pair: tuple[Tree, Tree | None]) -> None:
    found = totals(pair[0], pair[0])
    assert found.skipped or (found.matched == found.gold == found.predicted and found.exact == 100)


def test_other_words_are_an_error_that_names_the_sentence() -> None:
    cat = parse_tree("(NP (DT a) (NN cat))")
    with pytest.raises(
        CorpusError, match=r"sentence 2: word 2 is 'cat' in the gold tree but 'dog'"
    ):
        evalb_scores([cat, cat], [cat, parse_tree("(NP (DT a) (NN dog))")])
    with pytest.raises(
        CorpusError, match=r"sentence 1: 2 words in the gold tree but 1 in the predicted"
    ):
        evalb_scores([cat], [parse_tree("(NP (NN cat))")])


def test_other_words_are_one_of_the_errors_if_that_is_asked_for() -> None:
    cat, dog = parse_tree("(NP (DT a) (NN cat))"), parse_tree("(NP (DT a) (NN dog))")
    unread = CorpusError("a.mrg:3: no tree")
    scores = evalb_scores([cat, cat, cat], [cat, dog, unread], other_words="error")
    assert (scores.total().errors, scores.total().sentences) == (2, 1)
    assert [row.fault for row in scores.sentences] == [
        "",
        "word 2 is 'cat' in the gold tree but 'dog' in the predicted tree",
        str(unread),
    ]
    assert len(scores.up_to(1)) == 0


def test_parameters_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.prm"
    path.write_text(
        "# as Collins\n\nDEBUG 0\nDELETE_LABEL TOP\nDELETE_LABEL -NONE-\nDELETE_LABEL_FOR_LENGTH -NONE-\n"
        "EQ_LABEL T TT\nEQ_LABEL TT U\nEQ_WORD This this\n"
    )
    found = EvalbParameters.read(path)
    assert (found.deleted, found.deleted_for_length) == ({"TOP", "-NONE-"}, {"-NONE-"})
    assert {found.category(label) for label in ("T", "TT", "U")} == {"T"}
    assert found.same_word["this"] == found.same_word["This"]


def test_what_cannot_be_compared_is_an_error() -> None:
    with pytest.raises(CorpusError, match="2 gold trees but 1 predicted"):
        evalb_scores([GOLD, GOLD], [GOLD])
    with pytest.raises(CorpusError, match="no trees"):
        evalb_scores([], [])
    with pytest.raises(CorpusError, match="'the' has no tag"):
        evalb_scores([Tree("NP", ("the", "dog"))], [GOLD])
    with pytest.raises(ParameterError, match="disagreement"):
        evalb_scores([GOLD], [GOLD], disagreement="both")


DAMAGES = ("", "(())", "(TOP)", "one more word", "another word", "an equal word", "a bracket less")


@st.composite
def damaged_lines(draw: st.DrawFn) -> tuple[str, str, dict[str, int]]:
    """A gold tree and a parser's line as text, and EVALB's counts of the sentence."""
    gold, parse = draw(tree_pairs().filter(lambda pair: pair[1] is not None))
    assert parse is not None
    damage = draw(st.sampled_from(("none", *DAMAGES)))
    counts = naive_evalb(gold, parse)
    line = str(parse)
    if damage in ("", "(())", "(TOP)"):
        line = damage
        counts = {"skipped": 1}
    elif damage == "one more word":
        line = f"(S {parse} (NN c))"
    elif damage == "another word":
        line = str(Tree("S", (parse, Tree("NN", ("c",))))).replace(" c)", " d)")
        gold = Tree("S", (gold, Tree("NN", ("c",))))
    elif damage == "an equal word":
        gold = Tree("S", (gold, Tree("NN", ("this",))))
        line = str(Tree("S", (parse, Tree("NN", ("This",)))))
        counts = naive_evalb(gold, parse_tree(line.replace("This", "this")))
    elif damage == "a bracket less":
        line = line[:-1]
    if damage in ("one more word", "another word", "a bracket less"):
        counts = {"errors": 1}
    return f"(TOP {gold})", line, counts


@settings(max_examples=200)
@given(st.lists(damaged_lines(), min_size=2, max_size=4))
def test_lines_of_a_parser_are_counted_as_evalb_does(
    rows: list[tuple[str, str, dict[str, int]]],
) -> None:
    """Failed, missing, unequal and unreadable sentences, in files."""
    gold = read_corpus(io.StringIO("".join(f"{tree}\n" for tree, _, _ in rows)), "penn")
    lines = enumerate((line for _, line, _ in rows), 1)
    trees, parses, left_over = paired(gold, read_parses(lines, "a.mrg"))
    assert not left_over
    found = [
        CorpusError(parse.fault) if parse and parse.fault else parse and parse.tree
        for parse in parses
    ]
    equal = replace(COLLINS, same_word={"This": "this"})
    scores = evalb_scores(trees, found, equal, other_words="error")
    for row, (_, _, counts) in zip(scores.matrix.tolist(), rows, strict=True):
        named = {name: n for name, n in zip(columns(BracketCounts), row, strict=True) if n}
        assert named == counts
