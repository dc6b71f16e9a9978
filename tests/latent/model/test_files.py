"""Hierarchies as arrays and JSON: there and back, and what does not fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstce import LatentGrammar
from fstce.corpora import sample
from fstce.errors import ModelFileError
from fstce.latent.model.files import Arrays, from_arrays, to_arrays
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.storage.arrays import Archive
from fstce.storage.state import State, load_state, save_state

Parts = tuple[Arrays, dict[str, Any]]


@pytest.fixture(scope="module")
def hierarchy() -> SplitHierarchy:
    quick = {"split_iterations": 6, "merge_iterations": 3, "smooth_iterations": 2}
    return LatentGrammar(cycles=2, **quick).fit(sample()).hierarchy_


@pytest.fixture
def parts(hierarchy: SplitHierarchy) -> Parts:
    """As they are after a file of each kind."""
    arrays, described = to_arrays(hierarchy)
    return dict(arrays), json.loads(json.dumps(described))


@pytest.fixture
def built(tmp_path: Path) -> Callable[[Arrays, dict[str, Any]], SplitHierarchy]:
    """What a file of the arrays and the rest make."""

    def build(arrays: Arrays, described: dict[str, Any]) -> SplitHierarchy:
        np.savez(tmp_path / "g.npz", **arrays)
        return from_arrays(Archive(tmp_path / "g.npz"), described)

    return build


def test_there_and_back(hierarchy: SplitHierarchy, parts: Parts, built: Any) -> None:
    found = built(*parts)
    words = ["The", "dogs", "of", "Frobnia", "bark", "."]
    for before, after in zip(hierarchy.grammars, found.grammars, strict=True):
        assert before.symbols == after.symbols and before.chains == after.chains
        for name in ("tags", "sizes", "binary", "unary", "rules"):
            np.testing.assert_array_equal(getattr(before, name), getattr(after, name), strict=True)
        np.testing.assert_array_equal(before.lexicon.scores(words), after.lexicon.scores(words))


def test_equal_hierarchies_are_equal_arrays(parts: Parts, built: Any) -> None:
    again, described = to_arrays(built(*parts))
    assert json.loads(json.dumps(described)) == parts[1]
    assert {name: array.tobytes() for name, array in again.items()} == {
        name: array.tobytes() for name, array in parts[0].items()
    }


def without(name: str) -> Callable[[Parts], None]:
    return lambda parts: (parts[0] if name in parts[0] else parts[1]).pop(name)


def changed(name: str, change: Callable[[Any], Any]) -> Callable[[Parts], None]:
    def damage(parts: Parts) -> None:
        half = parts[0] if name in parts[0] else parts[1]
        half[name] = change(half[name])

    return damage


@pytest.mark.parametrize(
    "damage",
    [
        without("tags"),
        without("rules_1"),
        without("symbols"),
        without("smoothing"),
        without("rare"),
        changed("rules_2", lambda a: a[:-1]),
        changed("rules_2", lambda a: a.astype(np.float32)),
        changed("rules_2", lambda a: a * np.nan),
        changed("rules_2", lambda a: -a),
        changed("units_1", lambda a: a[:, 1:]),
        changed("sizes_1", lambda a: a[1:]),
        changed("sizes_1", lambda a: a * 0),
        changed("tag_counts", lambda a: a + 10_000),
        changed("binary", lambda a: a + 10_000),
        changed("tags", lambda a: a + 10_000),
        changed("symbols", lambda names: names[1:]),
        changed("smoothing", lambda values: []),
        changed("smoothing", lambda values: ["much"]),
        changed("smoothing", lambda values: 3),
        changed("between", lambda rows: [*rows, ["X"]]),
        changed("frequent", lambda words: words[1:]),
        without("form_weights"),
        changed("form_weights", lambda a: a[1:]),
        changed("form_weights", lambda a: a * np.float32(np.nan)),
        changed("forms", lambda names: names[1:]),
        *(
            changed(name, lambda names: [*names[:-1], names[0]])
            for name in ("symbols", "frequent", "rare", "signatures", "forms")
        ),
    ],
)
def test_parts_that_do_not_fit(parts: Parts, damage: Callable[[Parts], None], built: Any) -> None:
    damage(parts)
    with pytest.raises((LookupError, TypeError, ValueError, ModelFileError)):
        built(*parts)


def test_parts_that_do_not_fit_name_the_folder(parts: Parts, tmp_path: Path) -> None:
    changed("frequent", lambda words: words[1:])(parts)
    arrays, described = parts
    state = State("latent grammar", {}, {"all.npz": arrays})
    save_state(state, tmp_path / "model")
    with pytest.raises(
        ModelFileError, match=f"^{tmp_path}/model: the parts of the model do not fit each other"
    ):
        load_state(
            tmp_path / "model",
            state.kind,
            lambda state: from_arrays(state.archive("all.npz"), described),
        )
