"""LatentGrammar: what fit takes, what predict gives, and that both are those of the rooms below."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from latent_cases import train

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import Sentence, Tree, parse_tree, sample
from fstce.errors import CorpusError, ModelFileError, NotFittedError, ParameterError
from fstce.evaluation import evalb_scores
from fstce.latent.parsing.coarse_to_fine import CoarseToFineParser
from fstce.latent.training.estimates import EMStep

QUICK = {"split_iterations": 6, "merge_iterations": 2, "smooth_iterations": 2}
TEXT = [["the", "lamp", "is", "small"], ["she", "walks", "."]]


@pytest.fixture(scope="module")
def treebank() -> list[Sentence]:
    return sample()[:80]


@pytest.fixture(scope="module")
def grammar(treebank: list[Sentence]) -> LatentGrammar:
    return LatentGrammar(cycles=2, seed=3, **QUICK).fit(treebank)


def test_what_a_parsing_remembers_is_not_pickled(
    grammar: LatentGrammar, treebank: list[Sentence]
) -> None:
    """The rules as blocks, copies of one array, doubled the size of a pickle."""
    grammar.predict([sentence.words for sentence in treebank[:3]])
    ours = grammar.hierarchy_.finest
    theirs = pickle.loads(pickle.dumps(ours))
    assert "blocks" in vars(ours) and "blocks" not in vars(theirs)
    assert np.array_equal(ours.rules, theirs.rules)


def test_it_is_what_the_rooms_below_train_and_find(
    grammar: LatentGrammar, treebank: list[Sentence]
) -> None:
    hierarchy = train(treebank, cycles=2, seed=3, **QUICK)
    for ours, theirs in zip(grammar.hierarchy_.grammars, hierarchy.grammars, strict=True):
        assert np.array_equal(ours.sizes, theirs.sizes)
        assert np.array_equal(ours.rules, theirs.rules)
    grammar = LatentGrammar(**grammar.get_params() | {"unknown_word_model": False}).fit(treebank)
    parser = CoarseToFineParser([hierarchy])
    assert grammar.predict(TEXT) == parser.parse_all(TEXT)


def test_trees_alone_or_beside_words_train_the_same(
    grammar: LatentGrammar, treebank: list[Sentence]
) -> None:
    trees = [sentence.tree for sentence in treebank]
    fresh = grammar.get_params()
    alone = LatentGrammar(**fresh).fit(trees)
    beside = LatentGrammar(**fresh).fit([sentence.words for sentence in treebank], trees)
    for other in (alone, beside):
        assert other.predict(TEXT) == grammar.predict(TEXT)
        assert [step.log_likelihood for step in other.history_] == [
            s.log_likelihood for s in grammar.history_
        ]


def test_another_seed_is_another_grammar(grammar: LatentGrammar, treebank: list[Sentence]) -> None:
    other = LatentGrammar(**{**grammar.get_params(), "seed": 4}).fit(treebank)
    assert other.history_[-1].log_likelihood != grammar.history_[-1].log_likelihood


def test_the_course_is_that_of_the_monitor(treebank: list[Sentence]) -> None:
    heard: list[object] = []
    grammar = LatentGrammar(cycles=1, **QUICK).fit(treebank, monitor=heard.append)
    assert list(grammar.history_) == heard
    assert [step.stage for step in grammar.history_] == ["split"] * 6 + ["merge"] * 2 + [
        "smooth"
    ] * 2


def test_after_fewer_cycles(grammar: LatentGrammar, treebank: list[Sentence]) -> None:
    shorter = LatentGrammar(**{**grammar.get_params(), "cycles": 1}).fit(treebank)
    earlier = grammar.after(1)
    assert earlier.get_params() == shorter.get_params()
    assert earlier.predict(TEXT) == shorter.predict(TEXT)
    assert [s.log_likelihood for s in earlier.history_] == [
        s.log_likelihood for s in shorter.history_
    ]
    assert len(grammar.hierarchy_.grammars) == 3
    with pytest.raises(ParameterError, match="trained for 2"):
        grammar.after(3)


class Stop:
    """A monitor that interrupts at an iteration, as Ctrl-C does."""

    def __init__(self, cycle: int, stage: str) -> None:
        self.at = cycle, stage

    def __call__(self, step: EMStep) -> None:
        if (step.cycle, step.stage) == self.at:
            raise KeyboardInterrupt


def saved(grammar: LatentGrammar, folder: Path) -> dict[str, bytes]:
    grammar.save(folder)
    return {file.name: file.read_bytes() for file in folder.iterdir()}


class TestResume:
    @pytest.mark.parametrize(("cycle", "stage"), [(1, "merge"), (2, "split"), (2, "smooth")])
    def test_interrupted_and_resumed_is_uninterrupted(
        self,
        grammar: LatentGrammar,
        treebank: list[Sentence],
        tmp_path: Path,
        cycle: int,
        stage: str,
    ) -> None:
        parts = LatentGrammar(**grammar.get_params())
        with pytest.raises(KeyboardInterrupt):
            parts.fit(treebank, monitor=Stop(cycle, stage))
        assert (parts.trained_cycles, parts.cycles) == (cycle - 1, 2)
        assert parts.predict(TEXT) == grammar.after(cycle - 1).predict(TEXT)
        assert {step.cycle for step in parts.history_} == set(range(1, cycle))
        parts.resume(treebank)
        assert saved(parts, tmp_path / "parts") == saved(grammar, tmp_path / "whole")

    def test_checkpoints(
        self, grammar: LatentGrammar, treebank: list[Sentence], tmp_path: Path
    ) -> None:
        for cycle in (1, 2):
            with pytest.raises(KeyboardInterrupt):
                LatentGrammar(**grammar.get_params()).fit(
                    treebank, monitor=Stop(cycle, "smooth"), checkpoint=tmp_path / "m"
                )
            assert (tmp_path / "m").exists() == (cycle == 2)
        assert saved(LatentGrammar.load(tmp_path / "m"), tmp_path / "again") == saved(
            grammar.after(1), tmp_path / "first"
        )
        loaded = LatentGrammar.load(tmp_path / "m").set_params(cycles=2)
        heard: list[EMStep] = []
        loaded.resume([s.words for s in treebank], [s.tree for s in treebank], monitor=heard.append)
        assert {step.cycle for step in heard} == {2}
        assert saved(loaded, tmp_path / "m") == saved(grammar, tmp_path / "whole")

    def test_the_last_checkpoint_is_the_grammar(
        self, grammar: LatentGrammar, treebank: list[Sentence], tmp_path: Path
    ) -> None:
        whole = saved(grammar, tmp_path / "whole")
        LatentGrammar.load(tmp_path / "whole").resume(treebank, checkpoint=tmp_path / "none left")
        assert {
            file.name: file.read_bytes() for file in (tmp_path / "none left").iterdir()
        } == whole
        LatentGrammar(cycles=0).fit(treebank, checkpoint=tmp_path / "bar")
        assert LatentGrammar.load(tmp_path / "bar").trained_cycles == 0

    def test_an_interrupted_grammar_is_saved_as_far_as_it_is(
        self, grammar: LatentGrammar, treebank: list[Sentence], tmp_path: Path
    ) -> None:
        parts = LatentGrammar(**grammar.get_params())
        with pytest.raises(KeyboardInterrupt):
            parts.fit(treebank, monitor=Stop(2, "merge"))
        assert saved(parts, tmp_path / "m") == saved(grammar.after(1), tmp_path / "first")
        product = GrammarProduct([parts])
        product.save(tmp_path / "p")
        assert GrammarProduct.load(tmp_path / "p").members()[0].cycles == 1

    def test_more_cycles_of_a_trained_grammar(
        self, grammar: LatentGrammar, treebank: list[Sentence]
    ) -> None:
        longer = grammar.after(1).set_params(cycles=2, max_length=50).resume(treebank)
        assert longer.history_[-1].log_likelihood == grammar.history_[-1].log_likelihood
        assert longer.max_length == 50

    def test_what_is_refused(
        self, grammar: LatentGrammar, treebank: list[Sentence], tmp_path: Path
    ) -> None:
        with pytest.raises(NotFittedError):
            LatentGrammar().resume(treebank)
        for changes, message in (
            ({"seed": 4}, "begun with seed=3, not 4"),
            ({"unknown_word_model": False}, "begun with unknown_word_model=True, not False"),
            ({"lexicon_smoothing": 0.5}, "begun with lexicon_smoothing=0.1"),
            ({"cycles": 1}, "cycles=1: this grammar was trained for 2 already"),
        ):
            with pytest.raises(ParameterError, match=message):
                grammar.after(2).set_params(**changes).resume(treebank)
        with pytest.raises(ParameterError, match="begun with other trees"):
            grammar.after(1).set_params(cycles=2).resume(treebank[1:])
        with pytest.raises(ModelFileError, match="no folder"):
            LatentGrammar(cycles=1).fit(treebank, checkpoint=tmp_path / "no" / "m")


def test_score_is_labelled_f1(grammar: LatentGrammar, treebank: list[Sentence]) -> None:
    some = treebank[:30]
    trees = [sentence.tree for sentence in some if sentence.tree is not None]
    total = evalb_scores(trees, grammar.predict(some), disagreement="gold").total()
    assert grammar.score(some, trees) == total.f1 / 100
    assert 0.6 < total.f1 / 100 <= 1.0


def test_the_report_counts_all_sentences(grammar: LatentGrammar) -> None:
    grammar.set_params(max_length=2)
    try:
        with pytest.warns(UserWarning, match=r"2 sentence.s. .2, 3.: longer"):
            grammar.predict([["she"], *TEXT])
        assert grammar.report_.sentences == 3 and grammar.report_.long == [2, 3]
    finally:
        grammar.set_params(max_length=200)


def test_what_cannot_be_learnt_from(grammar: LatentGrammar) -> None:
    tree = parse_tree("(S (NN dog))")
    for given, trees, message in (
        ([Sentence(["dog"], source="a.txt:7")], None, "a.txt:7: has no tree"),
        ([["dog"]], None, "item 1 is neither a tree"),
        ([["dog"]], [], "1 sentences but 0 trees"),
        ([["cat"]], [tree], "sentence 1: the words are not those"),
        ([["dog"]], ["(S (NN dog))"], "sentence 1 is .*: give a fstce.corpora.Tree"),
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
    grammar = LatentGrammar(cycles=1, **QUICK).fit(
        [tree, parse_tree("(S (NP (NN cats)) (VP (VB purr)))")]
    )
    found = grammar.predict([["dogs", "bark"]])[0]
    assert found.leaves() == ("dogs", "bark")
    assert len(list(found.nodes())) <= 9


def test_strange_words_are_parsed(grammar: LatentGrammar) -> None:
    words = ["the", "𝔘𝔫𝔦​\u0301", "is", "🦜🦜", "نور", "."]
    assert grammar.predict([words])[0].leaves() == tuple(words)


def test_parameters(grammar: LatentGrammar) -> None:
    assert repr(LatentGrammar(seed=2)) == "LatentGrammar(seed=2)"
    assert LatentGrammar().set_params(cycles=3).cycles == 3
    for wrong in ({"cycles": -1}, {"seed": -1}, {"rule_smoothing": 2}):
        with pytest.raises(ParameterError):
            LatentGrammar(**wrong).fit([parse_tree("(S (NN dog))")])
    with pytest.raises(NotFittedError):
        LatentGrammar().predict(TEXT)
