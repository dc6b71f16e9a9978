"""The inducer: raw text in, trees out; what its parameters do; interruption and resuming."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_distribution import texts

from fstce.corpora import Sentence, sample
from fstce.errors import CorpusError, NotFittedError, ParameterError
from fstce.evaluation import unlabelled_scores
from fstce.induction.grammar import parse
from fstce.induction.inducer import DirectedAlignment
from fstce.induction.learner import Induction
from fstce.induction.parameters import SYSTEMS, Options

TEXT = [
    line.split()
    for line in (
        "the dog of the man sleeps",
        "the cat of the girl sleeps",
        "we saw the old dog of the man",
    )
]
SAMPLE = sample()[:150]


def small(**parameters):
    return DirectedAlignment(**{"context_fraction": 0.2, **parameters})


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_the_induction_of_the_system(system):
    inducer = small(system=system, punctuation="none").fit(TEXT)
    own = Induction(TEXT, Options.of_system(system, context_fraction=0.2))
    own.run(500)
    assert str(inducer.grammar_) == str(own.grammar)
    assert inducer.predict(TEXT) == parse(own.grammar, TEXT)
    assert inducer.stopped_ == "no pattern"


@given(texts)
def test_without_punctuation_trees_are_those_of_the_grammar(text):
    rows = [row for row in text if row]
    inducer = small(min_count=1).fit(rows)
    options = Options.of_system("da-stop", context_fraction=0.2, min_count=1)
    own = Induction(rows, options)
    own.run(500)
    assert inducer.predict(rows) == parse(own.grammar, rows)


@given(texts, st.data())
def test_punctuation_changes_nothing_else(text, data):
    """Marks anywhere: the same grammar, and the same brackets over the other words."""
    rows = [row for row in text if row]
    marked = [
        [
            word
            for plain in row
            for word in [*data.draw(st.lists(st.sampled_from(",;"), max_size=2)), plain]
        ]
        + ["."]
        for row in rows
    ]
    bare, dotted = small(min_count=1).fit(rows), small(min_count=1).fit(marked)
    assert str(bare.grammar_) == str(dotted.grammar_)
    for tree, with_marks, words in zip(
        bare.predict(rows), dotted.predict(marked), marked, strict=True
    ):
        assert list(with_marks.leaves()) == words
        before = [sum(word not in ",;." for word in words[:n]) for n in range(len(words) + 1)]
        assert [(label, before[a], before[b]) for label, a, b in with_marks.spans()] == list(
            tree.spans()
        )


def test_case_is_folded_and_unknown_words_are_in_the_tree():
    found = small().fit(TEXT).predict([["The", "QUICK", "bird", "of", "it"]])[0]
    assert found.leaves() == ("The", "QUICK", "bird", "of", "it")
    assert any(span[1:] == (0, 3) for span in found.spans())


def test_sentences_with_tags_have_them_in_the_tree():
    inducer = small().fit(TEXT)
    words, tags = ["the", "dog", "of", "it", ",", "here"], ["DT", "NN", "IN", "PRP", ",", "RB"]
    found = inducer.predict([Sentence(words, tags=tags), words])
    assert found[0].pos() == tuple(zip(words, tags, strict=True))
    assert {tag for _, tag in found[1].pos()} == {"W"}
    assert found[0].spans() == found[1].spans()


def test_the_score_is_unlabelled_f1():
    inducer = DirectedAlignment(iterations=50).fit(SAMPLE)
    gold = [sentence.tree for sentence in SAMPLE]
    wanted = unlabelled_scores(gold, inducer.predict(SAMPLE)).total().f1 / 100
    assert inducer.score(SAMPLE) == inducer.score(SAMPLE, gold) == wanted
    assert 0.1 < wanted < 0.5
    with pytest.raises(CorpusError, match="sentence 1 has no tree to compare with"):
        inducer.score(TEXT)


def test_the_order_of_the_systems():
    """On the sample: attachment is what finds prepositional phrases."""
    found, gold = {}, [sentence.tree for sentence in sample()]
    for system in SYSTEMS:
        inducer = DirectedAlignment(system, iterations=100, refresh=False).fit(sample())
        found[system] = unlabelled_scores(gold, inducer.predict(sample()))
    f1 = {system: scores.total().f1 for system, scores in found.items()}
    recall = {system: scores.by_category()["PP"].recall for system, scores in found.items()}
    assert f1["da-stop"] > 2 * max(f1["fwb"], f1["da"], f1["da-cluster"])
    assert recall["da-stop"] >= 10 * recall["da"]


def test_attachment_makes_constituents_of_ten_words():
    """Within the default's 500 iterations, as in the paper's §6.2."""
    inducer = DirectedAlignment().fit(sample())
    lengths = {
        end - start
        for tree in inducer.predict(sample())
        for _, start, end in tree.spans()
        if end - start < len(tree.leaves())
    }
    assert max(lengths) >= 10


def test_trees_are_not_looked_at():
    own = DirectedAlignment(iterations=20).fit(SAMPLE)
    other = DirectedAlignment(iterations=20).fit(
        [Sentence(s.words, s.tags) for s in SAMPLE], [None] * len(SAMPLE)
    )
    assert str(own.grammar_) == str(other.grammar_)


class TestRuns:
    def test_two_runs_give_the_same_grammar(self):
        first, second = (DirectedAlignment(iterations=40).fit(SAMPLE) for _ in "ab")
        assert str(first.grammar_) == str(second.grammar_)

    def test_iterations_in_parts(self):
        whole = DirectedAlignment(iterations=25, refresh=False).fit(SAMPLE)
        parts = DirectedAlignment(iterations=15, refresh=False).fit(SAMPLE)
        assert (len(parts.grammar_.steps), parts.stopped_) == (15, "iterations")
        parts.set_params(iterations=25).resume()
        assert str(parts.grammar_) == str(whole.grammar_)
        with pytest.raises(
            ParameterError, match="iterations=24: this grammar was trained for 25 already"
        ):
            parts.set_params(iterations=24).resume()
        assert (len(parts.grammar_.steps), parts.stopped_) == (25, "iterations")

    def test_an_interruption_keeps_what_was_learnt(self):
        def interrupt(iteration, step):
            if iteration == 7:
                raise KeyboardInterrupt

        inducer = DirectedAlignment(iterations=25)
        with pytest.raises(KeyboardInterrupt):
            inducer.fit(SAMPLE, monitor=interrupt)
        assert (len(inducer.grammar_.steps), inducer.stopped_) == (7, "interrupted")
        assert len(inducer.predict(SAMPLE)) == len(SAMPLE)
        whole = DirectedAlignment(iterations=25).fit(SAMPLE)
        assert str(inducer.resume().grammar_) == str(whole.grammar_)

    def test_a_monitor_may_stop_it(self):
        seen = []

        def monitor(iteration, step):
            seen.append(iteration)
            if iteration == 3:
                raise StopIteration

        inducer = DirectedAlignment().fit(SAMPLE, monitor=monitor)
        assert (seen, inducer.stopped_) == ([1, 2, 3], "monitor")

    def test_an_option_of_learning_cannot_change_in_between(self):
        inducer = DirectedAlignment(iterations=3).fit(SAMPLE)
        with pytest.raises(ParameterError, match="begun with max_length=5, not 4"):
            inducer.set_params(max_length=4).resume()
        with pytest.raises(ParameterError, match="begun with attachment='directional', not 'none'"):
            inducer.set_params(max_length=5, system="da").resume()
        inducer.set_params(system="da-stop", iterations=5).resume()
        assert len(inducer.grammar_.steps) == 5

    def test_no_iterations(self):
        inducer = DirectedAlignment(iterations=0).fit(TEXT)
        assert [str(tree) for tree in inducer.predict([["a", "b"]])] == ["(TOP (W a) (W b))"]


class TestParameters:
    @pytest.mark.parametrize("system", SYSTEMS)
    def test_the_defaults_are_those_of_the_system(self, system):
        assert DirectedAlignment(system).options() == Options.of_system(system)

    def test_scikit_learn_clones_it(self):
        base = pytest.importorskip("sklearn.base")
        inducer = small(punctuation=("x",)).fit(TEXT)
        copy = base.clone(inducer)
        assert copy.get_params() == inducer.get_params()
        assert not hasattr(copy, "grammar_")
        assert repr(copy) == "DirectedAlignment(punctuation=('x',), context_fraction=0.2)"

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"system": "ccm"}, "system='ccm': choose one of da-stop, da"),
            ({"iterations": -1}, "iterations=-1"),
            ({"iterations": 2.5}, "iterations=2.5"),
            ({"context_fraction": 0}, "context_fraction=0"),
            ({"max_length": 51}, "max_length=51"),
            ({"punctuation": "dots"}, "punctuation='dots'"),
        ],
    )
    def test_wrong_parameters(self, parameters, message):
        with pytest.raises(ParameterError, match=message):
            DirectedAlignment(**parameters).fit(TEXT)


class TestBadInput:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ([], "there is no sentence"),
            ("a b c", "a string was given"),
            (["a b c"], "sentence 1 is 'a b c', not a list of words"),
            ([["a"], []], "sentence 2 is empty"),
            ([["a", "<s>"]], "sentence 1: '<s>' is no word"),
            ([[".", ","], ["!"]], "nothing but punctuation in 2 sentences"),
        ],
    )
    def test_text(self, text, message):
        with pytest.raises(CorpusError, match=message):
            DirectedAlignment().fit(text)

    def test_nothing_learnt(self):
        for ask in (lambda d: d.predict(TEXT), lambda d: d.resume()):
            with pytest.raises(NotFittedError, match="not trained yet"):
                ask(DirectedAlignment())

    def test_one_sentence_and_context_words_alone(self):
        assert DirectedAlignment().fit([["a", "b"]]).grammar_.steps == ()
        alone = DirectedAlignment(context_fraction=1.0).fit([["a", "b", "a", "b", "a", "b"]])
        assert alone.stopped_ == "no pattern"
        assert alone.predict([["a", "b"]])[0].leaves() == ("a", "b")

    def test_sentences_of_punctuation_among_others(self):
        inducer = small().fit([*TEXT, [".", "."]])
        assert str(inducer.grammar_) == str(small().fit(TEXT).grammar_)
        assert str(inducer.predict([[".", "."]])[0]) == "(TOP (W .) (W .))"
