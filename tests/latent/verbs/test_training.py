"""Trainings of grammars that are stopped: what is kept, and that going on ends in the same files."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest
from latent_cases import QUICK, SETTINGS, files, small_treebank
from patience import patience

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import read_corpus


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small treebank of phrases as a file."""
    return small_treebank(tmp_path_factory.mktemp("phrases"))


def stopped(process: Any, how: signal.Signals, until: bytes, *options: Any) -> Any:
    begun = process("latent", "train", *map(str, options))
    while until not in begun.stderr.readline():
        assert begun.poll() is None
    begun.send_signal(how)
    return begun, begun.communicate(timeout=patience(60))[1]


def test_before_the_first_cycle_nothing_is_saved(process: Any, trees: Path, tmp_path: Path) -> None:
    options = ("--split-iterations", 2, "--merge-iterations", 100_000, "-o", tmp_path / "m")
    begun, err = stopped(process, signal.SIGINT, b"cycle 1 of 4, split", trees, *options)
    assert begun.returncode == 130
    assert b"interrupted before the first cycle was complete; nothing is saved" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_cycles_that_are_complete_are_kept(
    process: Any, fstce: Any, trees: Path, tmp_path: Path, how: signal.Signals
) -> None:
    options = (*QUICK, "--split-iterations", 10, "--seed", 2, "-o", tmp_path / "m")
    begun, err = stopped(process, how, b"cycle 2 of 6, merge", trees, "--cycles", 6, *options)
    assert begun.returncode == (130 if how is signal.SIGINT else -how)
    done = LatentGrammar.load(tmp_path / "m").trained_cycles
    assert 1 <= done < 6
    if how is signal.SIGINT:
        assert f"interrupted after {done} cycle".encode() in err and b" --resume" in err
    code, _, err = fstce("latent", "train", trees, "--cycles", done + 1, *options, "--resume")
    assert code == 0, err
    assert f"cycle {done + 1} of {done + 1}, split 10 of 10" in err and "cycle 1 of" not in err
    settings = {**SETTINGS, "split_iterations": 10, "seed": 2, "cycles": done + 1}
    own = LatentGrammar(**settings).fit(read_corpus(trees))
    own.tokenization_ = LatentGrammar.load(
        tmp_path / "m"
    ).tokenization_  # how the verb read the text
    own.save(tmp_path / "own")
    assert files(tmp_path / "m") == files(tmp_path / "own")


def test_without_an_output(process: Any, trees: Path) -> None:
    _, err = stopped(process, signal.SIGINT, b"cycle 2 of 6, split", trees, "--cycles", 6, *QUICK)
    assert b"nothing is saved, as no --output was given" in err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_grammars_of_a_product_are_kept(
    process: Any, fstce: Any, trees: Path, tmp_path: Path, how: signal.Signals
) -> None:
    options = (trees, "--grammars", 2, "--cycles", 3, *QUICK, "--jobs", 1, "-o")
    begun = process("latent", "train", *map(str, options), str(tmp_path / "p"))
    parts = tmp_path / ".p.fstce-parts"
    while not (parts / "1").is_dir():
        assert begun.poll() is None
        time.sleep(0.01)
    begun.send_signal(how)
    _, err = begun.communicate(timeout=patience(60))
    assert begun.returncode == (130 if how is signal.SIGINT else -how)
    assert (
        how is signal.SIGKILL or f"kept in {parts}; go on with: fstce latent train".encode() in err
    )
    assert LatentGrammar.load(parts / "1").trained_cycles >= 1 and not (tmp_path / "p").exists()
    assert fstce("latent", "train", *options, tmp_path / "p", "--resume", "--quiet").code == 0
    assert fstce("latent", "train", *options, tmp_path / "whole", "--quiet").code == 0
    assert files(tmp_path / "p") == files(tmp_path / "whole")
    assert not parts.exists()


def test_two_products_on_one_output(process: Any, fstce: Any, trees: Path, tmp_path: Path) -> None:
    options = (trees, "--grammars", 2, "--cycles", 3, *QUICK, "--jobs", 1, "-o", tmp_path / "p")
    begun = process("latent", "train", *map(str, options))
    while not (tmp_path / ".p.fstce-parts" / "1").is_dir():
        assert begun.poll() is None
        time.sleep(0.01)
    for command in (("latent", "train", *options), ("latent", "train", *options, "--resume")):
        code, _, err = fstce(*command)
        assert (
            code == 2
            and f"{tmp_path}/p: another training is writing there; wait for its end" in err
        )
    _, err = begun.communicate(timeout=patience(60))
    assert begun.returncode == 0, err
    assert len(GrammarProduct.load(tmp_path / "p").members()) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def test_a_product_that_is_whole_is_not_gone_on_with(
    fstce: Any, trees: Path, tmp_path: Path
) -> None:
    options = ("--grammars", 2, "--jobs", 1, "--cycles", 1, *QUICK, "--quiet", "-o", tmp_path / "p")
    assert fstce("latent", "train", trees, *options).code == 0
    before = files(tmp_path / "p")
    code, _, err = fstce("latent", "train", trees, *options, "--resume")
    assert code == 2 and "p that was interrupted; leave --resume out" in err
    assert [path.name for path in tmp_path.iterdir()] == ["p"] and files(tmp_path / "p") == before


def test_parts_of_another_training_stay(fstce: Any, trees: Path, tmp_path: Path) -> None:
    parts = tmp_path / ".p.fstce-parts"
    parts.mkdir()
    LatentGrammar(cycles=1, **SETTINGS).fit(read_corpus(trees)).save(parts / "1")
    before = files(parts / "1")
    options = ("--grammars", 2, "--jobs", 1, "--cycles", 1, *QUICK, "--quiet", "-o", tmp_path / "p")
    for corpus, changes, message in (
        (trees, ("--cycles", 0), "trained for 1 already"),
        (trees, ("--no-unknown-word-model",), "begun with unknown_word_model=True, not False"),
        ("sample", (), "begun with other trees"),
    ):
        code, _, err = fstce("latent", "train", corpus, *options, *changes, "--resume")
        assert code == 2 and message in err
    assert files(parts / "1") == before and not (tmp_path / "p").exists()


def test_what_cannot_be_resumed(fstce: Any, trees: Path, tmp_path: Path) -> None:
    options = ("--cycles", 1, *QUICK, "--quiet", "-o", tmp_path / "m")
    assert "name its folder" in fstce("latent", "train", trees, "--resume").err
    assert "no such folder" in fstce("latent", "train", trees, *options, "--resume").err
    assert fstce("latent", "train", trees, *options).code == 0
    for changes, message in (
        (("--seed", 3), "begun with seed=0, not 3"),
        (("--cycles", 0), "trained for 1 already"),
        (("--rule-smoothing", 0.3), "begun with rule_smoothing=0.01, not 0.3"),
    ):
        code, _, err = fstce("latent", "train", trees, *options, *changes, "--resume")
        assert code == 2 and message in err and err.count("\n") == 1
    code, _, err = fstce("latent", "train", "sample", *options, "--resume")
    assert code == 2 and "begun with other trees" in err
