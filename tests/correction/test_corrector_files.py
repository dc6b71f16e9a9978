"""A corrector saved and loaded is the same, bit for bit; a damaged one is refused in one clear line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.correction.corrector import Corrector
from fstce.correction.mistakes.corruption import corrupted, drop_marks, random_edits
from fstce.errors import ModelFileError, NotFittedError
from fstce.speller.channel import Channel
from fstce.storage.folder import MANIFEST, write_manifest

SENTENCES = sample()
TEXT = [list(sentence.words) for sentence in SENTENCES[:80]]
UNSEEN = [list(sentence.words) for sentence in SENTENCES[150:165]]
OBSERVED = [found.observed for found in corrupted(UNSEEN, random_edits(), 3, 0.3)]
SMALL: dict[str, Any] = {"held_out": 0.1}


def correctors() -> dict[str, Callable[[], Corrector]]:
    """Correctors of every make."""
    dictionary = TagDictionary.from_corpus(SENTENCES)
    return {
        "words": lambda: Corrector(**SMALL, criterion="contrastive").fit(TEXT),
        "raw": lambda: Corrector(**SMALL, criterion="none").fit(
            [*TEXT, ["unheard"]], lexicon={word: 1 for row in TEXT for word in row}
        ),
        "em": lambda: Corrector(**SMALL, criterion="em", ngrams=0).fit(TEXT),
        "none": lambda: Corrector(**SMALL, criterion="none").fit(
            TEXT, lexicon={"zebra": 3, "oven": 7}
        ),
        "tags": lambda: Corrector(**SMALL, criterion="contrastive").fit(
            TEXT, dictionary=dictionary
        ),
        "marks": lambda: Corrector(
            **SMALL,
            criterion="contrastive",
            spell=0,
            punctuation=1,
            marks=[",", "."],
            channel=Channel(insertion=2.0),
        ).fit(TEXT),
        "channel": lambda: Corrector(
            **SMALL,
            criterion="contrastive",
            channel=Channel(0.5, 1.5),
            exponents={"model": 0.3},
            mistakes=("random", "confusables"),
        ).fit(TEXT),
    }


def states(corrector: Corrector) -> list[Any]:
    """All that correcting depends on."""
    found = corrector.correct(OBSERVED, alternatives=9)
    return [
        [(c.words, c.changes, c.alternatives, c.decoder) for c in found],
        corrector.exponents_,
        corrector.tuning_,
        list(corrector.vocabulary_.items()),
        corrector.lexicon_,
        None if corrector.tagger_ is None else corrector.tagger_.theta_.tobytes(),
    ]


@pytest.mark.parametrize("make", correctors())
def test_what_is_loaded_corrects_to_the_bit_as_what_was_saved(make: str, tmp_path: Path) -> None:
    corrector = correctors()[make]()
    corrector.save(tmp_path / "model")
    loaded = Corrector.load(tmp_path / "model")
    assert states(loaded) == states(corrector)
    assert repr(loaded.get_params()["channel"]) == repr(corrector.channel)
    for name, value in corrector.get_params().items():
        wanted = tuple(value) if isinstance(value, list) else value
        assert getattr(loaded, name) == wanted
    loaded.save(tmp_path / "again")
    for file in (tmp_path / "model").iterdir():
        if file.suffix != ".npz":  # an archive holds the time of writing
            assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("corrector") / "model"
    Corrector(**SMALL, criterion="contrastive").fit(TEXT, lexicon={"zebra": 3}).save(place)
    return place


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    place = tmp_path / "model"
    place.mkdir()
    for file in folder.iterdir():
        (place / file.name).write_bytes(file.read_bytes())
    return place


def resealed(place: Path, **entries: Any) -> None:
    """Write the manifest anew, so that only the content is wrong and no digest."""
    content = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    (place / MANIFEST).unlink()
    ours = (
        *("parameters", "exponents", "tuning", "ngrams", "tagger"),
        *("unreliable", "learned_channel"),
    )
    write_manifest(place, "corrector", {**{name: content[name] for name in ours}, **entries})


def load_error(place: Path) -> str:
    with pytest.raises(ModelFileError) as caught:
        Corrector.load(place)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_folder_holds_these_files(folder: Path) -> None:
    assert {file.name for file in folder.iterdir()} == {
        *("model.json", "vocabulary.tsv", "lexicon.npz", "ngrams.npz"),
        *("weights.npz", "words.syms", "tags.syms"),
    }


def test_only_what_is_trained_can_be_saved(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        Corrector().save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_kinds_of_models_are_not_confused(folder: Path, copied: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="kind 'corrector', not a tagger"):
        Tagger.load(folder)
    dictionary = TagDictionary.from_corpus(SENTENCES)
    tagger = Tagger(order=1, max_iterations=1).fit(SENTENCES[:9], dictionary=dictionary)
    tagger.save(tmp_path / "tagger")
    assert "kind 'tagger', not a corrector" in load_error(tmp_path / "tagger")
    with pytest.raises(ModelFileError, match="does not replace"):
        tagger.save(copied)
    with pytest.raises(ModelFileError, match="does not replace"):
        Corrector.load(folder).save(tmp_path / "tagger")


@pytest.mark.parametrize(
    "name", ["vocabulary.tsv", "lexicon.npz", "ngrams.npz", "weights.npz", "words.syms"]
)
def test_a_damaged_or_missing_file_is_named(copied: Path, name: str) -> None:
    whole = (copied / name).read_bytes()
    (copied / name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert name in load_error(copied)
    (copied / name).unlink()
    assert name in load_error(copied)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("vocabulary.tsv", "the\t3\nthe\t4\n"),
        ("vocabulary.tsv", "the\n"),
        ("vocabulary.tsv", "the\t-1\n"),
        ("vocabulary.tsv", "the\t3\n"),
        ("lexicon.npz", "<s>\t3\n"),
        ("ngrams.npz", "no archive"),
        ("weights.npz", "no archive"),
        ("words.syms", "no table"),
    ],
)
def test_a_file_that_is_no_such_thing_is_refused(copied: Path, name: str, content: str) -> None:
    (copied / name).write_text(content, encoding="utf-8")
    resealed(copied)
    assert load_error(copied)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("codes1", np.array([3, 2, 1])),
        ("codes1", np.array([1.0, 2.0])),
        ("share2", np.array([0.5])),
        ("left3", np.array([])),
        ("share1", np.nan),
        ("left1", 2.0),
    ],
)
def test_an_n_gram_model_that_cannot_be_is_refused(copied: Path, name: str, wrong: Any) -> None:
    with np.load(copied / "ngrams.npz") as archive:
        arrays = dict(archive)
    arrays[name] = np.full_like(arrays[name], wrong) if isinstance(wrong, float) else wrong
    np.savez(copied / "ngrams.npz", **arrays)
    resealed(copied)
    assert "n-gram model" in load_error(copied)


def test_pickled_arrays_are_not_unpickled(copied: Path) -> None:
    np.savez(copied / "ngrams.npz", codes1=np.array([{}], dtype=object))
    resealed(copied)
    assert "ngrams.npz" in load_error(copied)


@pytest.mark.parametrize(
    "entries",
    [
        {"exponents": {"model": 1.0}},
        {"exponents": None},
        {"tuning": {"sentences": 1}},
        {"tagger": {}},
        {"ngrams": "three"},
        {"parameters": {"spell": 1}},
        {"parameters": None},
    ],
)
def test_entries_that_do_not_fit_are_refused(copied: Path, entries: dict[str, Any]) -> None:
    resealed(copied, **entries)
    assert "save it again" in load_error(copied) or "save the model again" in load_error(copied)


def test_a_save_replaces_an_earlier_one_whole(copied: Path) -> None:
    Corrector(**SMALL, criterion="none").fit(TEXT).save(copied)
    assert not (copied / "weights.npz").exists()
    assert Corrector.load(copied).tagger_ is None


def test_correcting_is_the_same_after_drop_marks(tmp_path: Path) -> None:
    corrector = Corrector(**SMALL, spell=0, punctuation=1).fit(TEXT)
    corrector.save(tmp_path / "model")
    observed = [found.observed for found in corrupted(UNSEEN, drop_marks([","]), rate=1.0)]
    assert Corrector.load(tmp_path / "model").correct(observed) == corrector.correct(observed)


@pytest.mark.parametrize("weights", [[], {"a>b": "c"}, {"a>b": [1]}, 7])
def test_a_learned_channel_that_is_none_is_refused(copied: Path, weights: Any) -> None:
    """It was read, and met where the first word was corrected."""
    resealed(copied, learned_channel={"letters": "ab", "weights": weights})
    load_error(copied)
