"""OpenFst from a sentence to its tags and its objective, beside numpy's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pynini
import pytest

from fstce import TagDictionary, Tagger, neighborhood
from fstce.cli.main import main
from fstce.corpora import sample
from fstce.errors import ParameterError
from fstce.explanation.explain import over
from fstce.tagging.openfst_engine import OpenFstEngine

TEXT = [sentence for sentence in sample() if len(sentence) <= 12][:30]
HELD_OUT = [*sample()[200:206], ["the", "wuggish", "blorfing-2", "."]]
DICTIONARY = TagDictionary.from_corpus(sample()[:200], min_count=2)
FEW = TagDictionary.from_corpus(sample()[:200])


def trained(dictionary: TagDictionary = DICTIONARY, **parameters: Any) -> Tagger:
    return Tagger(**parameters, max_iterations=8).fit(TEXT, dictionary=dictionary)


@pytest.mark.parametrize(
    "parameters",
    [
        {"neighborhood": "trans1", "order": 3},
        {"neighborhood": "trans1", "order": 1, "unknown_word_model": False},
        {"neighborhood": "delortrans1", "order": 2, "spelling": True},
        {"neighborhood": "training-set", "order": 2},
        {"neighborhood": "spell1", "order": 2},
        {"neighborhood": "sub1band", "order": 2},
        {"neighborhood": "sub1band | trans1", "order": 2},
        {"criterion": "em", "order": 2},
    ],
    ids=str,
)
def test_both_engines_agree(parameters: dict[str, Any]) -> None:
    """To the tag, and in the objective to 1e-9 of it."""
    tagger = trained(**parameters)
    for text in (TEXT, HELD_OUT):
        assert tagger.predict(text, engine="openfst") == tagger.predict(text)
        wanted = tagger.objective_value(text)
        assert wanted == tagger.measure(text)
        assert tagger.objective_value(text, engine="openfst") == pytest.approx(wanted, rel=1e-9)


def test_any_word_is_summed_over_by_openfst_too() -> None:
    tagger = trained(FEW, neighborhood="length", order=2, unknown_word_model=False)
    wanted = tagger.objective_value(TEXT[:5])
    found = tagger.objective_value(TEXT[:5], engine="openfst")
    assert found == pytest.approx(wanted, rel=1e-9)


def test_the_product_automaton_is_a_machine() -> None:
    """Its paths are the taggings of all neighbors, its sum is Z."""
    tagger = trained(FEW, neighborhood="trans1", order=2)
    words = tuple(TEXT[0].words)
    asked = over(tagger, words)
    engine = OpenFstEngine(tagger.weighted_, [words])
    (lattice,) = neighborhood("trans1").expand([words], engine.symbols)
    fst = engine.product(pynini.arcmap(lattice.to_fst(), map_type="to_log64"))
    distance = float(pynini.shortestdistance(fst, reverse=True)[fst.start()])
    assert -distance == pytest.approx(asked.whole().log_z, abs=1e-5)

    best = pynini.shortestpath(pynini.arcmap(fst, map_type="to_standard")).topsort()
    label_to_word = dict(fst.input_symbols())
    read = [label_to_word[arc.ilabel] for state in best.states() for arc in best.arcs(state)]
    assert tuple(word for word in read if word != "<epsilon>") == asked.best(1)[0]
    assert {*tagger.tags_} <= {tag for _, tag in fst.output_symbols()}


def test_what_openfst_does_not_sum_is_said() -> None:
    with pytest.raises(ParameterError, match="engine"):
        trained(neighborhood="trans1", order=1).predict(TEXT, engine="fst")  # type: ignore[call-overload]
    with pytest.raises(ParameterError, match="with one neighborhood; name it, as trans1"):
        trained(order=1).objective_value(TEXT, engine="openfst")
    posterior = trained(neighborhood="trans1", order=1, decoder="posterior")
    with pytest.raises(ParameterError, match="decoder='posterior': choose viterbi"):
        posterior.predict(TEXT, engine="openfst")
    oov = trained(neighborhood="length", order=1, oov=True)
    with pytest.raises(ParameterError, match="train with oov=False"):
        oov.objective_value(TEXT, engine="openfst")


def test_the_verb_writes_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(neighborhood="trans1", order=2).save(tmp_path / "model")
    text = tmp_path / "text.txt"
    text.write_text("".join(f"{' '.join(sentence)}\n" for sentence in HELD_OUT))
    command = ["tagger", "tag", str(tmp_path / "model"), str(text)]

    assert main(command) == 0
    plain = capsys.readouterr().out
    assert main([*command, "--engine", "openfst"]) == 0
    assert capsys.readouterr().out == plain
    assert plain.count("\n") == len(HELD_OUT)

    assert main([*command, "--engine", "openfst", "--proba"]) == 2
    assert "without --proba" in capsys.readouterr().err
