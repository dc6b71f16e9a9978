"""LatentGrammar: what fit takes, what predict gives, and that both are those of the rooms below."""

from __future__ import annotations

import numpy as np
import pytest

from fstce import LatentGrammar
from fstce.corpora import Sentence, Tree, parse_tree, sample
from fstce.errors import CorpusError, NotFittedError, ParameterError
from fstce.evaluation import evalb_scores
from fstce.latent.parser import Parser
from fstce.latent.training import train

QUICK = {"split_iterations": 6, "merge_iterations": 2, "smooth_iterations": 2}
TEXT = [["the", "lamp", "is", "small"], ["she", "walks", "."]]


@pytest.fixture(scope="module")
def treebank() -> list[Sentence]:
    return sample()[:150]


@pytest.fixture(scope="module")
def grammar(treebank: list[Sentence]) -> LatentGrammar:
    return LatentGrammar(cycles=2, seed=3, **QUICK).fit(treebank)


def test_it_is_what_the_rooms_below_train_and_find(grammar: LatentGrammar, treebank: list[Sentence]) -> None:
    hierarchy = train(treebank, cycles=2, seed=3, **QUICK)
    for ours, theirs in zip(grammar.hierarchy_.grammars, hierarchy.grammars, strict=True):
        assert np.array_equal(ours.sizes, theirs.sizes)
        for one, two in zip(ours.binary_probabilities, theirs.binary_probabilities, strict=True):
            assert np.array_equal(one, two)
    parser = Parser([hierarchy])
    assert grammar.predict(TEXT) == parser.parse_all(TEXT)
    assert grammar.k_best(TEXT, 3) == [parser.kbest(words, 3) for words in TEXT]
    assert grammar.log_likelihood(TEXT).tolist() == [parser.log_likelihood(words)[0] for words in TEXT]


def test_trees_alone_or_beside_words_train_the_same(grammar: LatentGrammar, treebank: list[Sentence]) -> None:
    trees = [sentence.tree for sentence in treebank]
    fresh = grammar.get_params()
    alone = LatentGrammar(**fresh).fit(trees)
    beside = LatentGrammar(**fresh).fit([sentence.words for sentence in treebank], trees)
    for other in (alone, beside):
        assert other.predict(TEXT) == grammar.predict(TEXT)
        assert [step.log_likelihood for step in other.course_] == [s.log_likelihood for s in grammar.course_]


def test_another_seed_is_another_grammar(grammar: LatentGrammar, treebank: list[Sentence]) -> None:
    other = LatentGrammar(**{**grammar.get_params(), "seed": 4}).fit(treebank)
    assert other.course_[-1].log_likelihood != grammar.course_[-1].log_likelihood


def test_the_course_is_that_of_the_monitor(treebank: list[Sentence]) -> None:
    heard: list[object] = []
    grammar = LatentGrammar(cycles=1, **QUICK).fit(treebank, monitor=heard.append)
    assert list(grammar.course_) == heard
    assert [step.stage for step in grammar.course_] == ["split"] * 6 + ["merge"] * 2 + ["smooth"] * 2


def test_after_fewer_cycles(grammar: LatentGrammar, treebank: list[Sentence]) -> None:
    shorter = LatentGrammar(**{**grammar.get_params(), "cycles": 1}).fit(treebank)
    earlier = grammar.after(1)
    assert earlier.get_params() == shorter.get_params()
    assert earlier.predict(TEXT) == shorter.predict(TEXT)
    assert [s.log_likelihood for s in earlier.course_] == [s.log_likelihood for s in shorter.course_]
    assert len(grammar.hierarchy_.grammars) == 3
    with pytest.raises(ParameterError, match="trained for 2"):
        grammar.after(3)


def test_score_is_labelled_f1(grammar: LatentGrammar, treebank: list[Sentence]) -> None:
    some = treebank[:30]
    trees = [sentence.tree for sentence in some if sentence.tree is not None]
    total = evalb_scores(trees, grammar.predict(some), disagreement="gold").total()
    assert grammar.score(some, trees) == total.f1 / 100
    assert 0.6 < total.f1 / 100 <= 1.0


def test_the_report_counts_all_sentences_of_k_best(grammar: LatentGrammar) -> None:
    grammar.set_params(max_length=2)
    try:
        with pytest.warns(UserWarning, match=r"2 sentence.s. .2, 3.: longer"):
            grammar.k_best([["she"], *TEXT], 2)
        assert grammar.report_.sentences == 3 and grammar.report_.cut == [2, 3]
    finally:
        grammar.set_params(max_length=200)


def test_what_cannot_be_learnt_from(grammar: LatentGrammar) -> None:
    tree = parse_tree("(S (NN dog))")
    for given, trees, message in (
        ([Sentence(["dog"], source="a.txt:7")], None, "a.txt:7: has no tree"),
        ([["dog"]], None, "item 1 is neither a tree"),
        ([["dog"]], [], "1 sentences but 0 trees"),
        ([["cat"]], [tree], "sentence 1: the words are not those"),
        ([["dog"]], ["(S (NN dog))"], "sentence 1: .* is no tree"),
        ([tree, Tree("S", ())], None, "tree 2 has no words"),
        ([Tree("S", (Tree("NP", ()), Tree("NN", ("dog",))))], None, "tree 1: .NP. holds no word"),
        ([], None, "no trees"),
    ):
        with pytest.raises(CorpusError, match=message):
            LatentGrammar(cycles=0).fit(given, trees)
    for sentences in (["dog barks"], [[]], "dog"):
        with pytest.raises(CorpusError):
            grammar.predict(sentences)


def test_cyclic_unaries_are_cut_short() -> None:
    tree = parse_tree("(S (NP (S (NP (NN dogs)))) (VP (S (VP (VB bark)))))")
    grammar = LatentGrammar(cycles=1, **QUICK).fit([tree, parse_tree("(S (NP (NN cats)) (VP (VB purr)))")])
    found = grammar.predict([["dogs", "bark"]])[0]
    assert found.leaves() == ("dogs", "bark")
    assert len(list(found.nodes())) <= 9


def test_strange_words_are_parsed(grammar: LatentGrammar) -> None:
    words = ["the", "𝔘𝔫𝔦​\u0301", "is", "🦜🦜", "نور", "."]
    assert grammar.predict([words])[0].leaves() == tuple(words)


def test_parameters(grammar: LatentGrammar) -> None:
    assert repr(LatentGrammar(seed=2)) == "LatentGrammar(seed=2)"
    assert LatentGrammar().set_params(cycles=3).cycles == 3
    for wrong in ({"cycles": -1}, {"seed": -1}, {"merged": 2}, {"binarization": "up"}):
        with pytest.raises(ParameterError):
            LatentGrammar(**wrong).fit([parse_tree("(S (NN dog))")])
    with pytest.raises(ParameterError, match="objective"):
        LatentGrammar(objective="best", cycles=0).fit([parse_tree("(S (NN dog))")]).predict([["dog"]])
    with pytest.raises(NotFittedError):
        LatentGrammar().predict(TEXT)


def test_as_nltk(grammar: LatentGrammar) -> None:
    tree = pytest.importorskip("nltk.tree").Tree
    found = list(grammar.as_nltk().parse(TEXT[0]))
    assert found == [tree.fromstring(str(grammar.predict(TEXT)[0]))]
    assert list(grammar.as_nltk().parse([])) == []
