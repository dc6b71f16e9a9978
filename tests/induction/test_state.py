"""Grammars in files (resuming an induction: `test_induction`)."""

import json
from dataclasses import replace

import numpy as np
import pytest

from fstce.errors import ModelFileError
from fstce.induction.grammar import parse, read, write
from fstce.induction.learner import Induction
from fstce.induction.parameters import Options
from fstce.storage.arrays import Archive

SENTENCES = [
    line.split() for line in ("the dog of the man sleeps", "the cat of the girl", "the Ünkel of it")
]


@pytest.fixture
def induction():
    made = Induction(SENTENCES, Options.of_system("da-stop", context_fraction=0.2, refresh=True))
    made.run(10)
    return made


def test_a_grammar_comes_back_whole(induction, tmp_path):
    write(induction.grammar, induction.text, tmp_path / "g.npz")
    again, text = read(Archive(tmp_path / "g.npz"))
    assert str(again) == str(induction.grammar)
    assert (again.options, again.units.words) == (induction.options, induction.units.words)
    assert text.tolist() == induction.text.tolist()
    assert parse(again, SENTENCES) == parse(induction.grammar, SENTENCES)
    assert [step.preference for step in again.steps] == [
        step.preference for step in induction.steps
    ]


def test_an_empty_grammar_comes_back(tmp_path):
    induction = Induction(SENTENCES)
    write(induction.grammar, induction.text, tmp_path / "g.npz")
    assert read(Archive(tmp_path / "g.npz"))[0].steps == ()


def test_equal_grammars_are_equal_arrays_and_json(induction, tmp_path):
    for name in ("a", "b"):
        write(induction.grammar, induction.text, tmp_path / name)
    first, second = (np.load(tmp_path / name) for name in ("a", "b"))
    assert first.files == second.files
    assert all(np.array_equal(first[name], second[name]) for name in first.files)


def test_what_it_holds_can_be_read_without_fstce(induction, tmp_path):
    write(induction.grammar, induction.text, tmp_path / "state.npz")
    content = json.loads(np.load(tmp_path / "state.npz")["described"].tobytes())
    assert content["options"]["attachment"] == "directional"
    assert "ünkel" in content["words"]
    units = [step.unit for step in induction.steps]
    assert [step["unit"] for step in content["steps"]] == units


def damaged(path, how):
    content = path.read_bytes()
    path.write_bytes(
        {"cut": content[: len(content) // 2], "empty": b"", "text": b"no grammar"}[how]
    )


@pytest.mark.parametrize("how", ["cut", "empty", "text"])
def test_damaged_files(induction, tmp_path, how):
    write(induction.grammar, induction.text, tmp_path / "g.npz")
    damaged(tmp_path / "g.npz", how)
    with pytest.raises(ModelFileError, match=r"g\.npz: damaged"):
        read(Archive(tmp_path / "g.npz"))


@pytest.mark.parametrize("number", [-7, 10**6])
@pytest.mark.parametrize("name", ["contexts", "text", "steps"])
def test_units_that_are_not_there(induction, tmp_path, name, number):
    """In a model that was sealed again they ended parsing with an internal error."""
    path = tmp_path / "g.npz"
    grammar, text = induction.grammar, induction.text
    if name == "contexts":
        grammar = replace(grammar, contexts=np.append(grammar.contexts, np.int32(number)))
    elif name == "text":
        text = np.append(text, np.int32(number))
    else:
        first = replace(grammar.steps[0], admitted=np.array([number], np.int32))
        grammar = replace(grammar, steps=(first, *grammar.steps[1:]))
    write(grammar, text, path)
    with pytest.raises(ValueError, match="names units that are neither words nor classes"):
        read(Archive(path))
