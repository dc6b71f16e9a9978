"""What a trained model, a grammar and an explanation say of themselves, in text and as a card."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fstce
from fstce.corpora import sample
from fstce.errors import ModelFileError
from fstce.estimation.estimator import Estimator
from fstce.storage.state import save_state

TEXT = [s.split() for s in ("the cat saw the saw", "the saw saw the cat", "the cat saw a dog")]
TAGS = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V")}
QUICK = {"cycles": 1, "split_iterations": 2, "merge_iterations": 1, "smooth_iterations": 1}
TAG_ROWS = [["D", "N", "V", "D", "N"], ["N", "V"]]
TREES = sample()[:8]


def tagger() -> fstce.Tagger:
    return fstce.Tagger("trans1", order=2).fit(TEXT, dictionary=TAGS)


FITTED: dict[str, tuple[Callable[[], Estimator], tuple[str, ...]]] = {
    "Tagger": (tagger, ("features, 3 tags", "3 sentences, 15 words", "contrastive -", "converged")),
    "TaggerProduct": (lambda: fstce.TaggerProduct([tagger(), tagger()]), ("3 tags, 2 taggers",)),
    "DependencyParser": (
        lambda: fstce.DependencyParser("trans1").fit(TAG_ROWS),
        ("45 features, 3 tags", "2 sentences, 7 words", "contrastive -", "iterations"),
    ),
    "DirectedAlignment": (
        lambda: fstce.DirectedAlignment(context_fraction=0.2).fit(TEXT),
        ("classes", "patterns", "3 sentences, 15 words", "(no pattern)"),
    ),
    "LatentGrammar": (
        lambda: fstce.LatentGrammar(**QUICK).fit(TREES),
        ("binary rules", "8 sentences", "log-likelihood -", "of EM in 1 cycles"),
    ),
    "GrammarProduct": (
        lambda: fstce.GrammarProduct([fstce.LatentGrammar(**QUICK)], jobs=1).fit(TREES),
        ("1 grammars", "8 sentences"),
    ),
    "Corrector": (
        lambda: fstce.Corrector(criterion="contrastive", held_out=0).fit(TEXT * 3),
        ("5 words", "9 sentences, 45 words", "iterations"),
    ),
}


@pytest.fixture(scope="module", params=FITTED)
def shown(request: pytest.FixtureRequest) -> tuple[Estimator, tuple[str, ...]]:
    make, said = FITTED[request.param]
    return make(), said


def test_a_trained_model_says_so(shown: tuple[Estimator, tuple[str, ...]]) -> None:
    model, said = shown
    text, card = repr(model), model._repr_html_()
    assert text.startswith(f"<{type(model).__name__}(") and "\n" not in text
    assert not [part for part in said if part not in text or part not in card]
    assert card.startswith(f"<div><b>{type(model).__name__}</b><table>")
    assert len(card) < 6_000


def test_what_is_learnt_is_summarised(shown: tuple[Estimator, tuple[str, ...]]) -> None:
    """No learned attribute that is an object of ours prints its arrays."""
    model, _ = shown
    ours = {n: v for n, v in vars(model).items() if n.endswith("_") and _is_of_fstce(v)}
    assert not [
        name for name, value in ours.items() if len(repr(value)) > 500 or "array(" in repr(value)
    ]


def test_parts_of_a_latent_grammar_are_a_line() -> None:
    hierarchy = fstce.LatentGrammar(**QUICK).fit(TREES).hierarchy_
    assert repr(hierarchy).startswith("<SplitHierarchy: 2 grammars of ")
    assert (
        repr(hierarchy.finest).startswith("<SplitGrammar: ") and len(repr(hierarchy.finest)) < 120
    )


def _is_of_fstce(value: Any) -> bool:
    return type(value).__module__.startswith(("fstce", "transducers", "grammars"))


def test_a_saved_model_still_says_what_it_was_trained_on(tmp_path: Path) -> None:
    trained = tagger()
    trained.save(tmp_path / "model")
    assert repr(fstce.Tagger.load(tmp_path / "model")) == repr(trained)


def test_an_untrained_model_says_that_too() -> None:
    assert repr(fstce.Tagger(order=2)) == "Tagger(order=2)"
    assert "not trained yet; call fit or load" in fstce.Tagger()._repr_html_()


def test_a_card_holds_no_markup_of_the_users() -> None:
    card = fstce.DependencyParser(attachment_rules="<script>alert(1)</script>")._repr_html_()
    assert "<script>" not in card and "&lt;script&gt;" in card


def test_a_printed_explanation_tells_it() -> None:
    lines = str(fstce.explain(tagger(), ["the", "saw", "saw", "a", "cat"])).splitlines()
    assert lines[:2] == ["sentence: the saw saw a cat", "neighborhood: trans1"]
    assert lines[2].startswith("neighbors: 3;") and re.fullmatch(
        r"p\(x \| N\(x\)\): 0\.\d+", lines[3]
    )
    assert any(line.endswith("saw the saw a cat") for line in lines)
    assert re.fullmatch(r"  5 cat  N  \d\.\d\d", lines[-1])


@pytest.mark.parametrize("wrong", [[1], ["3", 15], [3.5, 15], [float("inf"), 15], "ab"])
def test_a_size_that_is_none_is_refused(tmp_path: Path, wrong: Any) -> None:
    """Of a manifest whose checksum is right, as another program may write it."""
    state = tagger().to_state()
    save_state(replace(state, entries={**state.entries, "trained_on": wrong}), tmp_path / "model")
    with pytest.raises(ModelFileError):
        fstce.Tagger.load(tmp_path / "model")
