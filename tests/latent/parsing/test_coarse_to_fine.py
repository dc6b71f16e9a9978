"""The parser returns a tree over every sentence's words, and says when it had to help itself."""

from __future__ import annotations

import warnings

import numpy as np
import oracles_charts as brute
import pytest
from latent_cases import train

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import sample
from fstce.errors import CorpusError, ParameterError
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.parsing.coarse_to_fine import CoarseToFineParser, ParseWarning, flat_tree


@pytest.fixture(scope="module")
def hierarchies() -> list[SplitHierarchy]:
    settings_ = {"split_iterations": 5, "merge_iterations": 2, "smooth_iterations": 1}
    return [train(sample()[:120], cycles=2, seed=seed, **settings_) for seed in (1, 2)]


@pytest.fixture(scope="module")
def sentences() -> list[list[str]]:
    return [list(sentence.words) for sentence in sample()[:8]]


def test_phrases_of_the_training_text_are_found_again(hierarchies) -> None:
    text = sample()[:40]
    parser = CoarseToFineParser(hierarchies[:1])
    trees = parser.parse_all([sentence.words for sentence in text])
    found = [set(tree.spans()) for tree in trees]
    gold = [set(sentence.tree.spans()) for sentence in text]
    right = sum(len(one & other) for one, other in zip(found, gold, strict=True))
    assert 2 * right > 0.8 * (sum(map(len, found)) + sum(map(len, gold)))
    assert parser.report.sentences == len(text)
    assert not (parser.report.retried or parser.report.flat or parser.report.long)


@pytest.mark.parametrize("combination", ["product", "sum"])
def test_a_batch_parses_as_its_sentences_do(hierarchies, sentences, combination: str) -> None:
    parser = CoarseToFineParser(hierarchies[:1], combination=combination)
    trees = parser.parse_all(sentences)
    assert trees == [parser.parse_all([words])[0] for words in sentences]
    assert [list(tree.leaves()) for tree in trees] == sentences
    assert not any(
        label.startswith("@") or label == "ROOT"
        for t in trees
        for label in (n.label for n in t.nodes())
    )


@pytest.mark.parametrize("combination", ["product", "sum"])
def test_two_grammars_agree_on_the_order_of_their_trees(
    hierarchies, sentences, combination: str
) -> None:
    one = CoarseToFineParser(hierarchies, combination=combination).parse_all(sentences)
    other = CoarseToFineParser(hierarchies[::-1], combination=combination).parse_all(sentences)
    assert one == other


def test_product_and_sum_of_one_grammar_are_the_grammar(hierarchies, sentences) -> None:
    alone = CoarseToFineParser(hierarchies[:1]).parse_all(sentences)
    assert CoarseToFineParser(hierarchies[:1], combination="sum").parse_all(sentences) == alone
    assert CoarseToFineParser(hierarchies[:1] * 3).parse_all(sentences) == alone
    assert CoarseToFineParser(hierarchies[:1] * 3, combination="sum").parse_all(sentences) == alone


def test_no_pruning_is_the_limit_of_little_pruning(hierarchies, sentences) -> None:
    short = [words for words in sentences if len(words) <= 8]
    none = CoarseToFineParser(hierarchies, coarse_threshold=0.0, edge_threshold=0.0)
    tiny = CoarseToFineParser(hierarchies, coarse_threshold=1e-12, edge_threshold=1e-14)
    assert none.parse_all(short) == tiny.parse_all(short)


def test_unknown_words_and_odd_characters_get_trees(hierarchies) -> None:
    words = ["Zyzzogeton", "\u202e\u0301", "🙂", "12,5", "--"]
    assert CoarseToFineParser(hierarchies).parse_all([words])[0].leaves() == tuple(words)


def test_a_sentence_beyond_the_limit_is_flat_and_reported(hierarchies, sentences) -> None:
    parser = CoarseToFineParser(hierarchies[:1], max_length=10)
    long = [word for words in sentences[:5] for word in words]
    with pytest.warns(ParseWarning, match="longer than max_length"):
        tree = parser.parse_all([sentences[0][:3], long])[1]
    assert tree == flat_tree(parser.coarse, long) and list(tree.leaves()) == long
    assert parser.report.long == [2]


def test_a_hundred_words_are_parsed_whole(hierarchies, sentences) -> None:
    words = ([word for words in sentences for word in words] * 5)[:100]
    parser = CoarseToFineParser(hierarchies[:1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert list(parser.parse_all([words])[0].leaves()) == words
    assert not parser.report.long


def test_a_sentence_that_pruning_breaks_is_retried() -> None:
    hierarchy = brute.tiny_hierarchy(np.random.default_rng(0))
    parser = CoarseToFineParser([hierarchy], coarse_threshold=0.5)
    words = list("abcab")
    assert parser.parse_all([words])[0].leaves() == tuple(words)
    assert parser.report.retried == [1]


def test_without_a_parse_by_the_finest_grammar_there_is_a_flat_one() -> None:
    hierarchy = brute.tiny_hierarchy(np.random.default_rng(0))
    hierarchy.finest.lexicon.table[0] = 0.0
    parser = CoarseToFineParser([hierarchy])
    with pytest.warns(ParseWarning, match="flat tree"):
        _, found = parser.parse_all([["b", "c"], ["a", "b"]])
    assert parser.report.flat == [2] and not parser.report.retried
    assert len(found.children) == 2 and found.leaves() == ("a", "b")


def test_an_impossible_sentence_does_not_change_its_neighbours(hierarchies) -> None:
    hierarchy = brute.tiny_hierarchy(np.random.default_rng(0))
    alone = CoarseToFineParser([hierarchy]).parse_all([["b", "c", "c"]])[0]
    hierarchy.grammars[0].lexicon.table[0] = 0.0
    with pytest.warns(ParseWarning):
        assert (
            CoarseToFineParser([hierarchy]).parse_all([["a", "b"], ["b", "c", "c"], ["a"]])[1]
            == alone
        )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"combination": "mean"}, "product"),
        ({"max_length": 0}, "max_length=0"),
    ],
)
def test_options_out_of_range_are_refused(options: dict, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        GrammarProduct([tiny()], **options).predict([["a"]])


def tiny() -> LatentGrammar:
    grammar = LatentGrammar()
    grammar.hierarchy_ = brute.tiny_hierarchy(np.random.default_rng(0))
    return grammar


def test_what_cannot_be_parsed_is_named() -> None:
    for sentences, said in (([["a"], []], "sentence 2"), (["the lamp"], "sentence 1")):
        with pytest.raises(CorpusError, match=said):
            tiny().predict(sentences)
    assert tiny().predict([]) == []


def test_grammars_of_other_rules_are_refused(hierarchies) -> None:
    with pytest.raises(ParameterError, match="grammar 3 has other symbols or rules"):
        CoarseToFineParser([*hierarchies, brute.tiny_hierarchy(np.random.default_rng(0))])
