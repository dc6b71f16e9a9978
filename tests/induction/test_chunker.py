"""The transducer against the definition of the first layer, and in OpenFst's hands."""

import pytest
from hypothesis import given
from oracles_distribution import fires, options, texts

from fstce.errors import MachineError, ParameterError
from fstce.induction import Chunker, Induction, Options
from fstce.induction.chunker import first_layer
from fstce.machines import read_fst, to_svg, write_fst

TEXT = ["the dog of the man sleeps", "the cat of the girl sleeps", "we saw the old dog of the man"]


def grammar(lines=TEXT, **changes):
    options = {"context_fraction": 0.2, "attachment": "directional", **changes}
    induction = Induction([line.split() for line in lines], Options(**options))
    induction.run(10)
    return induction.grammar


def bracketed(words, brackets):
    """The words with the brackets of a flat analysis between."""
    opened = {start: label for start, _, label in brackets}
    closed = {end: label for _, end, label in brackets}
    written = []
    for i in range(len(words) + 1):
        written += [f"{closed[i]}]"] if i in closed else []
        written += [f"[{opened[i]}"] if i in opened else []
        written += words[i : i + 1]
    return written


@given(texts, options, texts)
def test_it_does_what_the_grammar_does_without_nesting(text, options, new):
    induction = Induction(text, options)
    induction.run(12)
    learnt = induction.grammar
    name = learnt.units.name
    steps = [(name(s.left), name(s.right), name(s.unit), s.attachment) for s in first_layer(learnt)]
    if not steps:
        with pytest.raises(ParameterError, match="no pattern between words"):
            Chunker(learnt)
        return
    contexts = {name(unit) for unit in learnt.contexts}
    machine = Chunker(learnt)
    for words in new:
        expected = fires(steps, contexts, options.boundaries, options.max_length, words)
        assert machine(words) == bracketed(words, expected)


@given(texts, options, texts)
def test_every_sentence_has_one_path(text, options, new):
    induction = Induction(text, options)
    induction.run(12)
    if not first_layer(induction.grammar):
        return
    machine = Chunker(induction.grammar)
    for words in new:
        assert len(list(machine.paths(words))) == 1


@pytest.mark.parametrize(
    ("line", "side", "expected"),
    [
        ("a x a y a b", -1, "[C1 a q C1] [C1 a r C1] a"),
        ("b a x a y a", 1, "a [C1 q a C1] r a"),
    ],
)
def test_a_context_unit_shared_by_two_places_of_one_pattern(line, side, expected):
    learnt = grammar([line] * 2, context_fraction=0.1, boundaries=False)
    assert {step.attachment for step in learnt.steps} == {side}
    assert " ".join(Chunker(learnt)(["a", "q", "a", "r", "a"])) == expected


def test_the_alphabet():
    machine = Chunker(grammar())
    assert " ".join(machine.symbols) == "the of [C1 C1] [C2 C2] [C3 C3] [C4 C4]"
    assert " ".join(machine(["The", "dog", "of", "it"])) == "[C2 The dog C2] of [C4 it C4]"


def test_the_first_rules_alone():
    small = Chunker(grammar(), rules=1)
    assert small.fst.num_states() < Chunker(grammar()).fst.num_states()
    assert small(["the", "dog", "of", "the", "man"]) == [
        "the",
        "dog",
        "of",
        "[C1",
        "the",
        "man",
        "C1]",
    ]
    with pytest.raises(ParameterError, match="rules=0"):
        Chunker(grammar(), rules=0)


def test_a_grammar_without_patterns():
    with pytest.raises(ParameterError, match="no pattern between words"):
        Chunker(grammar(alignment=False))


def test_a_word_spelt_like_a_bracket():
    lines = ["[C1 dog of", "[C1 cat of", "[C1 of"]
    learnt = grammar(lines, context_fraction=0.5, boundaries=False, fold_case=False)
    with pytest.raises(MachineError, match=r"the word '\[C1' is spelt like a bracket"):
        Chunker(learnt)


def test_openfst_reads_it_and_it_can_be_drawn(tmp_path):
    machine = Chunker(grammar(), rules=2)
    write_fst(machine.fst, tmp_path / "chunker.fst")
    again = read_fst(tmp_path / "chunker.fst")
    assert again.num_states() == machine.fst.num_states()
    assert again.output_symbols().find("[C1") == machine.fst.output_symbols().find("[C1")
    assert "[C1" in to_svg(machine.fst, engine="layered")
