"""Penn Treebank brackets."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from text_cases import sentences_of

from fstce.corpora import Sentence, parse_tree, read_corpus
from fstce.corpora.faults import Faults
from fstce.errors import CorpusError


def _read(text: str) -> list[Sentence]:
    return list(sentences_of(enumerate(text.split("\n"), start=1), "a.mrg", "penn"))


@pytest.mark.parametrize(
    "text",
    [
        "(S (NP (PRP We)) (VP (VBP walk)))",
        "( (S (NP (PRP We)) (VP (VBP walk))) )",
        "(TOP (S (NP (PRP We)) (VP (VBP walk))))",
        "((ROOT\n (S\n\n(NP( PRP\tWe ))(VP (VBP\nwalk) ) )))",
    ],
)
def test_the_outer_bracket_is_optional(text: str) -> None:
    (sentence,) = _read(text)
    assert str(sentence.tree) == "(S (NP (PRP We)) (VP (VBP walk)))"
    assert sentence.words == ("We", "walk")
    assert sentence.tags == ("PRP", "VBP")


def test_an_outer_bracket_over_several_phrases_is_kept() -> None:
    assert str(parse_tree("( (NP (PRP We)) (. .) )")) == "(TOP (NP (PRP We)) (. .))"


@pytest.mark.parametrize(
    ("label", "stripped"),
    [
        ("NP-SBJ-1", "NP"),
        ("NP=2", "NP"),
        ("PP-LOC=1", "PP"),
        ("PRT|ADVP", "PRT"),
        ("-LRB-", "-LRB-"),
        ("X", "X"),
    ],
)
def test_labels_lose_functions_and_indices(label: str, stripped: str) -> None:
    assert parse_tree(f"(S ({label} (NN dog) (NN day)))").spans()[1][0] == stripped


@pytest.mark.parametrize("tag", ["-LRB-", "-RRB-", "PRP$", "NN-SHORT", ":", "``", "#"])
def test_tags_and_words_stay_as_written(tag: str) -> None:
    assert parse_tree(f"(S ({tag} -LRB-) (NN 1\\/2))").pos() == (("-LRB-", tag), ("1\\/2", "NN"))


def test_empty_elements_and_what_they_leave_empty_are_dropped() -> None:
    text = "(S (NP-SBJ (-NONE- *)) (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))))"
    assert str(parse_tree(text)) == "(S (VP (VB go)))"


def test_a_tree_without_words_is_skipped_and_lines_go_on() -> None:
    with pytest.warns(UserWarning, match="^a.mrg:2: 1 tree.* of empty elements alone left out$"):
        sentences = _read("\n( (S (-NONE- *)) ) (X (NN one))\n\n(X\n(NN two)) (X (NN three))")
    assert [(s[0], s.source) for s in sentences] == [
        ("one", "a.mrg:2"),
        ("two", "a.mrg:4"),
        ("three", "a.mrg:5"),
    ]


def test_white_space_in_a_word_that_is_no_separator() -> None:
    assert _read("(NP (CD 10\u00a0000))")[0].words == ("10_000",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(X (NN a))\n\n(X (NN b)\n(Y (NN c))\n",
            "5: the file ends inside a tree that began at line 3; a ')' is",
        ),
        ("(X (NN a))\n)", "2: a ')' that closes nothing"),
        ("(X (NN a))\nhello (X (NN a))", "2: the text 'hello' stands outside every tree"),
        ("(X (NN a))\n(NP (DT the)\n dog)", "3: the word 'dog' has no tag"),
        ("(NP the dog)", "1: the word 'the' has no tag"),
        ("\n(S (dog))", r"2: the bracket '(dog)' holds no word"),
        ("(S ())", "1: the bracket '()' holds no word"),
        ("(S\n((NN dog)))", "2: a bracket without a label; only the outermost may lack one"),
        ("(S\n (NN dog)\n (NN <epsilon>))", "3: '<epsilon>' is a reserved symbol"),
        ("(S\n (<s> dog))", "2: '<s>' is a reserved symbol"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        _read(text)
    assert str(caught.value).startswith(f"a.mrg:{message}")


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("(NP (-NONE- *))", 0), ("(X (NN a)) (X (NN b))", 2)]
)
def test_parse_tree_wants_one_tree(text: str, count: int) -> None:
    with pytest.raises(CorpusError, match=f"holds {count} trees where one is wanted"):
        parse_tree(text)


def test_time_is_linear_in_the_length_of_a_file() -> None:
    def seconds(trees: int) -> float:
        text = "( (S (NP (DT the) (NN dog))\n (VP (VBZ barks))) )\n" * trees
        start = time.process_time()
        assert len(_read(text)) == trees
        return time.process_time() - start

    seconds(100)
    assert seconds(8000) < 40 * max(seconds(1000), 0.01)


def test_the_treebank_sample(nltk_treebank: list[Sentence]) -> None:
    assert (len(nltk_treebank), sum(map(len, nltk_treebank))) == (3_914, 94_084)
    tags = {tag for sentence in nltk_treebank for tag in sentence.tags or ()}
    assert (len(tags), "-NONE-" in tags) == (45, False)
    assert nltk_treebank[0].source.endswith("combined/wsj_0001.mrg:2")


def test_the_treebank_sample_has_the_words_of_its_dependencies(
    nltk_treebank: list[Sentence], nltk_dependency_treebank: list[Sentence]
) -> None:
    trees, heads = nltk_treebank, nltk_dependency_treebank
    assert [(s.words, s.tags) for s in trees] == [(s.words, s.tags) for s in heads]


def test_the_treebank_is_read_in_little_time(nltk_treebank: list[Sentence]) -> None:
    start = time.process_time()
    assert len(read_corpus("nltk:treebank")) == len(nltk_treebank)
    assert time.process_time() - start < 5


def test_a_tree_is_given_before_the_next_is_read() -> None:
    read: list[int] = []

    def lines() -> Iterator[tuple[int, str]]:
        for number, line in enumerate(("(S (NN a)", ")", "", "(S (NN b))", "(())", "(S (NN"), 1):
            read.append(number)
            yield number, line

    found = sentences_of(lines(), "a.mrg", "penn")
    assert str(next(found)) == "a" and read == [1, 2]
    assert next(found).source == "a.mrg:4" and read == [1, 2, 3, 4]
    with pytest.raises(
        CorpusError, match=r"a\.mrg:6: the file ends inside a tree that began at line 6"
    ):
        next(found)


def test_lines_are_those_of_the_file_behind_a_fault() -> None:
    text = "(S (NN a))\n\n(S (NN) x)\n(S (NN b))\n(S (NN c)\n(S (NN d))\n"
    faults = Faults("skip")
    found = sentences_of(enumerate(text.splitlines(), 1), "a.mrg", "penn", faults=faults)
    assert [s.source for s in found] == ["a.mrg:1", "a.mrg:4", "a.mrg:6"]
    assert [message.partition(":")[2][0] for message in faults.messages] == ["3", "5"]


def test_the_number_of_a_tree_is_no_word_of_it() -> None:
    """As treebanks of historical English have it."""
    tree = parse_tree("( (S (NP (PRO It)) (VP (VBD rained))) (ID CMX,1.1))")
    assert str(tree) == "(S (NP (PRO It)) (VP (VBD rained)))"
    assert parse_tree("(S (ID card))").leaves() == ("card",)
