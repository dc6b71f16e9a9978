"""The incremental induction is the one that recounts everything; stop, save and resume change nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_distribution import NaiveInduction, options, sorted_spans, texts

from fstce.errors import CorpusError, ModelFileError, ParameterError
from fstce.induction.grammar import bracket, read, write
from fstce.induction.learner import Induction
from fstce.induction.parameters import Options
from fstce.induction.text import Text
from fstce.storage.arrays import Archive

TEXT = ["the dog of the man sleeps", "the cat of the girl sleeps", "we saw the old dog of the man"]
SENTENCES = [line.split() for line in TEXT]


def readable(induction, step):
    name = induction.units.name
    expressions = {
        tuple(name(unit) for unit in row if unit >= 0): count
        for row, count in zip(step.expressions.tolist(), step.counts.tolist(), strict=True)
    }
    return (
        name(step.left),
        name(step.right),
        name(step.unit),
        step.attachment,
        step.probability,
        expressions,
    )


def same(left, right):
    """Whether two inductions have the same steps."""
    pairs = zip(left.steps, right.steps, strict=True)
    fields = type(left.steps[0]).__dataclass_fields__ if left.steps else ()
    return all(
        np.array_equal(getattr(a, name), getattr(b, name)) for a, b in pairs for name in fields
    )


@given(texts, options)
def test_every_iteration_is_that_of_the_naive_twin(text, options):
    induction, naive = Induction(text, options), NaiveInduction(text, options)
    for _ in range(12):
        step, expected = induction.step(), naive.step()
        if step is None or expected is None:
            assert step is expected is None
            break
        assert readable(induction, step) == expected
    assert sorted_spans(bracket(induction.grammar, text)) == [
        sorted(found) for found in naive.brackets
    ]


@given(texts, options, st.integers(0, 8))
def test_a_resumed_induction_goes_on_as_if_it_had_not_stopped(
    tmp_path_factory, text, options, stop
):
    path = tmp_path_factory.mktemp("resume") / "state.npz"
    through, stopped = Induction(text, options), Induction(text, options)
    through.run(14)
    stopped.run(stop)
    write(stopped.grammar, stopped.text, path)
    resumed = Induction.of(*read(Archive(path)))
    resumed.run(14 - stop)
    assert same(resumed, through)
    assert resumed.grammar.contexts.tolist() == through.grammar.contexts.tolist()


@given(texts, options)
def test_brackets_nest(text, options):
    induction = Induction(text, options)
    induction.run(10)
    for sentence in sorted_spans(bracket(induction.grammar, text)):
        assert not any(a < c < b < d for a, b, _ in sentence for c, d, _ in sentence)


def test_two_runs_give_the_same_grammar():
    options = Options(context_fraction=0.3, min_count=1, refresh=False)
    first, second = (Induction(SENTENCES, options) for _ in range(2))
    assert (first.run(50), len(first.steps)) == (second.run(50), len(second.steps))
    assert same(first, second)
    assert len(first.steps) > 3


def test_worked_example():
    """The first rewriting makes noun phrases, nested later."""
    induction = Induction(SENTENCES, Options.of_system("da-stop", context_fraction=0.2))
    assert induction.run(10) == "no pattern"
    assert str(induction.grammar).splitlines() == [
        "C1 → the girl sleeps 1 | the man 1 | the man sleeps 1    in [the _] </s>",
        "C2 → the cat 1 | the dog 1 | the old dog 1    in [the _] of",
        "C3 → C2 2 | we saw C2 1    in <s> [_] of",
        "C4 → C1 3    in of [_] </s>",
    ]
    # 3 of the 7 slots: ⟨the [ ] of⟩ 3, ⟨the [ ] </s>⟩ 3, and ⟨<s> [we saw] the⟩; "the" begins 2 sentences.
    assert induction.steps[0].probability == 3 / 7
    assert induction.steps[0].preference == pytest.approx(np.log(0.5 / 2.5))


def test_the_class_of_a_pattern_does_not_align_again():
    induction = Induction(SENTENCES, Options.of_system("da", context_fraction=0.2))
    assert induction.run(10) == "no pattern"
    assert len({(step.left, step.right) for step in induction.steps}) == len(induction.steps) == 2


def test_a_joined_class_takes_the_place_of_a_new_one():
    text = ["the dog of", "the cat of", "the hen of", "a dog in", "a cat in", "a in", "a in"]
    options = Options.of_system("da-cluster", context_fraction=0.5, boundaries=False)
    induction = Induction([line.split() for line in text], options)
    induction.run(10)
    assert induction.grammar.classes == ("C1",)
    assert [step.places for step in induction.steps] == [3, 2]


def test_refreshed_contexts_come_and_go():
    text = [line.split() for line in ("b z", *3 * ("a x b z b", "a y b"))]
    changes = {"context_fraction": 0.4, "refresh": True, "boundaries": False}
    induction = Induction(text, Options.of_system("da-stop", **changes))
    assert induction.run(10) == "no pattern"
    first, second = induction.steps
    assert str(induction.grammar).splitlines()[0] == "C1 → a x 3 | a y 3    in [a _] b"
    assert (first.admitted.tolist(), first.dismissed.tolist()) == ([], [])
    assert [induction.units.name(unit) for unit in (*second.admitted, *second.dismissed)] == [
        "C1",
        "a",
    ]


class TestRuns:
    def test_the_monitor_hears_of_every_iteration_and_may_stop(self):
        heard = []

        def monitor(iteration, step):
            heard.append((iteration, step.places))
            if iteration == 2:
                raise StopIteration

        induction = Induction(SENTENCES, Options(context_fraction=0.2, attachment="directional"))
        assert induction.run(10, monitor) == "monitor"
        assert heard == [(1, 3), (2, 3)]

    def test_an_interruption_loses_only_the_iteration_under_way(self, monkeypatch):
        options = Options(context_fraction=0.2, attachment="directional")
        induction, through = Induction(SENTENCES, options), Induction(SENTENCES, options)
        through.run(10)
        induction.run(1)

        def interrupted(*_):
            patch.undo()  # what is rebuilt afterwards may rewrite
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Text, "rewrite", interrupted)
            with pytest.raises(KeyboardInterrupt):
                induction.run(10)
        assert len(induction.steps) == 1
        induction.run(10)
        assert same(induction, through)

    def test_the_number_of_iterations(self):
        induction = Induction(SENTENCES, Options(context_fraction=0.2))
        assert (induction.run(0), induction.steps) == ("iterations", [])
        with pytest.raises(ParameterError, match="iterations=-1: give a whole number from 0"):
            induction.run(-1)


class TestBadInput:
    @pytest.mark.parametrize("text", [[], [[]], [[], []]])
    def test_without_words(self, text):
        with pytest.raises(CorpusError, match="empty"):
            Induction(text)

    def test_a_string_is_no_list_of_words(self):
        with pytest.raises(CorpusError, match="sentence 2 is the string 'no list'"):
            Induction([["a", "list"], "no list"])

    def test_one_sentence(self):
        induction = Induction(
            [["to", "be", "or", "not", "to", "be"]], Options(context_fraction=0.3)
        )
        assert induction.run(5) == "no pattern"
        assert bracket(induction.grammar, [["to", "be"]]) == [[]]

    def test_only_context_words(self):
        text = [["the", "of", "the", "of"]] * 3
        assert (
            Induction(text, Options(context_fraction=1.0, context_expressions=False)).run(5)
            == "no pattern"
        )
        assert Induction(text, Options(context_fraction=1.0)).run(1) == "iterations"

    def test_a_line_of_a_million_words(self):
        line = ["the", "x", "of", "y", "z"] * 200_000
        induction = Induction([line], Options.of_system("da-stop", context_fraction=0.4))
        induction.run(3)
        assert induction.steps[0].places == 200_000

    def test_nothing_to_resume_from(self, tmp_path):
        with pytest.raises(ModelFileError, match="No such file"):
            read(Archive(tmp_path / "missing.npz"))
