"""Treebank sentences without punctuation, short, with heads from wherever they come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import ancestors

from fstce.corpora import Sentence, dependency_corpus, parse_tree, read_corpus
from fstce.corpora.dependencies import PUNCTUATION_TAGS
from fstce.corpora.heads import is_projective
from fstce.errors import CorpusError, ParameterError

QUOTED = Sentence(
    ["``", "Dogs", ",", "cats", "eat", "#", "5", "''", "."],
    ["``", "NNS", ",", "NNS", "VBP", "#", "CD", "''", "."],
    [5, 3, 5, 5, 0, 5, 6, 5, 5],
    source="a.conllu:1",
)
TREE = parse_tree("(S (NP (DT The) (NN dog)) (, ,) (VP (VBZ barks)) (. .))")


def test_punctuation_goes_and_what_was_below_it_is_lifted() -> None:
    (sentence,) = dependency_corpus([QUOTED])
    assert sentence.words == ("Dogs", "cats", "eat", "#", "5")
    assert sentence.tags == ("NNS", "NNS", "VBP", "#", "CD")
    assert sentence.heads == (3, 3, 0, 3, 4)
    assert (sentence.kept, sentence.original, sentence.source) == (
        (1, 3, 4, 5, 6),
        QUOTED,
        "a.conllu:1",
    )


def test_a_set_of_ones_own() -> None:
    (sentence,) = dependency_corpus([QUOTED], punctuation={"NNS", "CD"})
    assert sentence.tags == ("``", ",", "VBP", "#", "''", ".")
    (everything,) = dependency_corpus([QUOTED], punctuation=())
    assert (everything.words, everything.heads) == (QUOTED.words, QUOTED.heads)


def test_heads_of_a_tree() -> None:
    words, tags = zip(*TREE.pos(), strict=True)
    (sentence,) = dependency_corpus([Sentence(words, tags, tree=TREE)])
    assert (sentence.words, sentence.heads, sentence.tree) == (
        ("The", "dog", "barks"),
        (2, 3, 0),
        None,
    )


def test_universal_punctuation_by_tag_or_by_relation() -> None:
    upos = Sentence(["a", "!"], ["X", "PUNCT"], [0, 1], ["root", "dep"])
    relation = Sentence(["a", "!"], ["X", "strange"], [0, 1], ["root", "punct"])
    subtype = Sentence(["a", "!"], ["X", "strange"], [0, 1], ["root", "punct:end"])
    assert [s.words for s in dependency_corpus([upos, relation, subtype])] == [("a",)] * 3
    own = dependency_corpus([upos, relation], punctuation={"PUNCT"})
    assert [len(sentence) for sentence in own] == [1, 2]


def test_what_is_left_out_is_counted() -> None:
    stop = Sentence(["."], ["."], [0])
    one = Sentence(["Yes", "."], ["UH", "."], [0, 1])
    corpus = dependency_corpus([stop, QUOTED, one, stop, QUOTED], max_length=4)
    assert [sentence.words for sentence in corpus] == [("Yes",)]
    assert (corpus.n_read, corpus.n_empty, corpus.n_long) == (5, 2, 2)
    # Nine words, counted without punctuation
    assert len(dependency_corpus([QUOTED], max_length=5)) == 1


def test_it_is_a_sequence() -> None:
    corpus = dependency_corpus([QUOTED, QUOTED])
    assert (len(corpus), corpus[-1], corpus[:1]) == (2, corpus[0], (corpus[0],))
    assert corpus[0] in corpus
    assert len(dependency_corpus([])) == 0


def test_sentences_without_heads() -> None:
    bare = Sentence(["a"], ["X"], source="a:1")
    assert dependency_corpus([bare])[0].heads is None
    assert dependency_corpus([QUOTED], heads="ignored")[0].heads is None
    with pytest.raises(CorpusError, match="a:1: neither heads nor a tree"):
        dependency_corpus([bare], heads="required")


def test_sentences_without_tags() -> None:
    with pytest.raises(CorpusError, match="a:1: the sentence has no tags; tag it first"):
        dependency_corpus([Sentence(["a"], source="a:1")])


def test_heads_that_are_no_tree() -> None:
    cycle = Sentence(["a", "b"], ["X", "X"], [2, 1], source="a:1")
    roots = Sentence(["a", "b"], ["X", "X"], [0, 0])
    with pytest.raises(CorpusError, match="a:1: the heads of words 1, 2 run in a cycle"):
        dependency_corpus([QUOTED, cycle])
    with pytest.raises(CorpusError, match="sentence 2: words 1, 2 are all roots"):
        dependency_corpus([QUOTED, roots])
    corpus = dependency_corpus([cycle, QUOTED, roots], faulty="drop")
    assert [sentence.original for sentence in corpus] == [QUOTED]
    assert [fault.split(":")[0] for fault in corpus.faults] == ["a", "sentence 3"]
    assert len(dependency_corpus([cycle, QUOTED, roots], heads="ignored")) == 3


def test_punctuation_may_be_a_further_root() -> None:
    (sentence,) = dependency_corpus([Sentence(["a", ".", "b"], ["X", ".", "X"], [0, 0, 2])])
    assert sentence.heads == (0, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": 0}, "max_length=0: give a whole number from 1"),
        ({"punctuation": "PUNCT"}, "punctuation='PUNCT': give a sequence, each a string"),
        ({"heads": "none"}, "heads='none': choose one of"),
        ({"faulty": "keep"}, "faulty='keep': choose one of"),
    ],
)
def test_options_that_make_no_sense(options, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        dependency_corpus([QUOTED], **options)


@given(st.lists(st.sampled_from(["NN", "VB", ",", ".", "$", "#", "``"]), min_size=1, max_size=10))
def test_laws(tags: list[str]) -> None:
    """A chain: whoever is kept attaches to the nearest kept word on its right, or is the root."""
    words = [f"w{n}" for n in range(len(tags))]
    heads = [*range(2, len(tags) + 1), 0]
    left = [word for word, tag in zip(words, tags, strict=True) if tag not in PUNCTUATION_TAGS]
    corpus = dependency_corpus([Sentence(words, tags, heads)])
    assert corpus.n_empty == (not left)
    for sentence in corpus:
        assert list(sentence) == left == [words[place] for place in sentence.kept]
        assert sentence.restore(sentence.heads or ()).count(0) == 1
        if (
            tags[-1] in PUNCTUATION_TAGS
        ):  # the root was removed: the first word left is the root, the others below it
            assert all(ancestors(sentence.heads, n)[-1] == 0 for n in range(1, len(left) + 1))
            continue
        assert sentence.heads == (*range(2, len(left) + 1), 0)


def test_the_dependency_treebank(nltk_dependency_treebank: list[Sentence]) -> None:
    corpus = dependency_corpus(nltk_dependency_treebank, max_length=10, heads="required")
    assert (len(corpus), len({tag for sentence in corpus for tag in sentence.tags or ()})) == (
        537,
        34,
    )
    assert (sum(map(len, corpus)), corpus.n_read, corpus.n_empty, corpus.faults) == (
        3_704,
        3_914,
        0,
        (),
    )
    assert all(is_projective(sentence.heads or ()) for sentence in corpus)


def test_the_treebank_of_trees(
    nltk_treebank: list[Sentence], nltk_dependency_treebank: list[Sentence]
) -> None:
    ours = dependency_corpus(nltk_treebank, max_length=10, heads="required")
    theirs = dependency_corpus(nltk_dependency_treebank, max_length=10)
    assert [s.words for s in ours] == [s.words for s in theirs]


@pytest.mark.parametrize(
    ("language", "words", "bent"), [("English", 55_235, 82), ("Turkish", 40_842, 54)]
)
def test_universal_dependencies(shared_data, language: str, words: int, bent: int) -> None:
    folder = shared_data / "ud" / f"UD_{language}-Atis"
    if not folder.is_dir():
        pytest.skip(f"no treebank UD_{language}-Atis")
    corpus = dependency_corpus(read_corpus(folder, tag_column="upos"), heads="required")
    assert (len(corpus), corpus.n_empty, sum(map(len, corpus))) == (4_860, 0, words)
    assert sum(not is_projective(sentence.heads or ()) for sentence in corpus) == bent
    assert not any("PUNCT" in (sentence.tags or ()) for sentence in corpus)
