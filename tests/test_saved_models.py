"""Models of format version 1, saved by fstce 0.1.0: they load, and answer as they did then.

``golden/models/make.py`` shows how they were made.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from fstce import (
    Corrector,
    DependencyParser,
    DirectedAlignment,
    GrammarProduct,
    LatentGrammar,
    ParsedCorrector,
    Tagger,
)
from fstce.corpora import sample

GOLDEN = Path(__file__).parent / "golden" / "models"
EXPECTED = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
KINDS: dict[str, Any] = {
    "tagger": Tagger,
    "parser": DependencyParser,
    "latent": LatentGrammar,
    "product": GrammarProduct,
    "induction": DirectedAlignment,
    "corrector": Corrector,
    "parsed": ParsedCorrector,
}

TEXT = [sentence for sentence in sample() if len(sentence) <= 8]
UNSEEN = [*(list(sentence.words) for sentence in TEXT[60:66]), ["Zebras", "unbelievably", "ran", "."]]
UNSEEN_TAGS = [*(list(sentence.tags) for sentence in TEXT[60:66]), ["NEW", "NN", "VB"]]
TYPED = [["the", "lmap", "is", "smalll", "."], ["she", "opend", "teh", "door"], ["a", "zebra", "ran"]]


def answers(model: Any) -> dict[str, Any]:
    """What a model says of the unseen sentences, as JSON has it."""
    said: dict[str, Any] = {}
    if isinstance(model, Tagger):
        said["predict"] = model.predict(UNSEEN)
        said["k_best"] = model.k_best(UNSEEN, 2)
        said["proba"] = [table.max(axis=1).tolist() for table in model.predict_proba(UNSEEN)]
        said["objective"] = model.training_.objective
    elif isinstance(model, DependencyParser):
        said["predict"] = model.predict(UNSEEN_TAGS)
        said["k_best"] = model.k_best(UNSEEN_TAGS, 2)
        said["objective"] = model.training_.objective
        said["left_out"] = model.left_out_
    elif isinstance(model, LatentGrammar | GrammarProduct):
        said["predict"] = [str(tree) for tree in model.predict(UNSEEN)]
        said["log_likelihood"] = model.log_likelihood(UNSEEN).tolist()
    elif isinstance(model, DirectedAlignment):
        said["predict"] = [str(tree) for tree in model.predict(UNSEEN)]
        said["grammar"] = str(model.grammar_)
        said["resumed"] = str(model.set_params(iterations=15).resume().grammar_)
    else:
        found = model.correct(TYPED, alternatives=3)
        said["correct"] = [[c.words, c.changes, c.alternatives, c.decoder] for c in found]
        said["exponents"] = model.exponents_
        if isinstance(model, ParsedCorrector):
            said["parse"] = model.parse(TYPED)
    return json.loads(json.dumps(said, default=asdict))


def check_same(found: Any, expected: Any) -> None:
    """Equal, numbers within rounding."""
    if isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            check_same(one, other)
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys()
        check_same(list(found.values()), [expected[name] for name in found])
    else:
        assert found == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EXPECTED)
def test_a_model_of_the_first_version_answers_as_it_did(name: str, tmp_path: Path) -> None:
    kind = KINDS[name.partition("-")[0]]
    check_same(answers(kind.load(GOLDEN / name)), EXPECTED[name])
    # Saved again, over a copy of itself too, it is the same model.
    again = copytree(GOLDEN / name, tmp_path / name)
    kind.load(GOLDEN / name).save(again)
    check_same(answers(kind.load(again)), EXPECTED[name])
