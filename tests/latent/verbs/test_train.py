"""`fstce latent train`: what the library trains, and bad treebanks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from latent_cases import QUICK, SETTINGS, files, small_treebank

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import read_corpus


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small treebank of phrases as a file."""
    return small_treebank(tmp_path_factory.mktemp("phrases"))


def test_one_grammar(fstce: Any, trees: Path, tmp_path: Path) -> None:
    options = ("--cycles", 1, "--seed", 7, *QUICK, "--output", tmp_path / "m")
    code, out, err = fstce("latent", "train", trees, *options)
    assert code == 0, err
    own = LatentGrammar(cycles=1, seed=7, **SETTINGS).fit(read_corpus(trees))
    own.tokenization_ = LatentGrammar.load(
        tmp_path / "m"
    ).tokenization_  # how the verb read the text
    own.save(tmp_path / "own")
    assert files(tmp_path / "m") == files(tmp_path / "own")
    size = own.hierarchy_.finest.n_subcategories
    assert f", {size} subcategories\n" in out and str(tmp_path / "m") in out
    assert "cycle 1 of 1, split 3" in err and "cycle 1 of 1, merge 1" in err


def test_threads_learn_the_same_grammar(fstce: Any, trees: Path, tmp_path: Path) -> None:
    for jobs in (1, 3):
        options = ("--cycles", 1, *QUICK, "--jobs", jobs, "--output", tmp_path / str(jobs))
        assert fstce("latent", "train", trees, *options).code == 0
    assert files(tmp_path / "1") == files(tmp_path / "3")


def test_several_become_a_product(fstce: Any, trees: Path, tmp_path: Path) -> None:
    options = ("--cycles", 1, "--grammars", 2, "--jobs", 1, *QUICK, "-o", tmp_path / "p")
    code, _, err = fstce("latent", "train", trees, *options)
    assert code == 0 and "[2/2] seed 1: " in err
    members = GrammarProduct.load(tmp_path / "p").members()
    assert [one.seed for one in members] == [0, 1]
    alone = LatentGrammar(cycles=1, seed=1, **SETTINGS).fit(read_corpus(trees))
    assert members[1].history_[-1].log_likelihood == alone.history_[-1].log_likelihood


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("(S (NN dog))\n(S (NN dog)\n", ": the file ends inside a tree that began at line 2"),
        ("(S (NN dog)))\n", "bad.mrg:1: a ')' that closes nothing"),
        ("(S (NN dog))\n(S (NN ) (VB go))\n", "bad.mrg:2: the bracket '(NN)' holds no word"),
        ("(S (NN dog) barks)\n", "bad.mrg:1: the word 'barks' has no tag"),
        ("(S (-NONE- *))\n", "bad.mrg: holds no sentence"),
        ("(S (@NP (NN dog) (NN dog)) (VB go))\n", "bad.mrg:1: the label '@NP'"),
        ("", "bad.mrg: holds no sentence"),
    ],
)
def test_bad_trees_name_file_and_line(
    fstce: Any, tmp_path: Path, content: str, message: str
) -> None:
    (tmp_path / "bad.mrg").write_text(content, encoding="utf-8")
    for several in ((), ("--grammars", 2)):
        code, _, err = fstce(
            "latent", "train", tmp_path / "bad.mrg", *several, "--cycles", 1, "--quiet"
        )
        assert code == 2 and message in err and err.count("\n") == 1, err


def test_an_empty_tree_is_left_out_with_a_warning(fstce: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.mrg").write_text("(S (NN dog))\n()\n", encoding="utf-8")
    code, _, err = fstce("latent", "train", tmp_path / "bad.mrg", "--cycles", 0, "--quiet")
    assert code == 0 and "bad.mrg:2: 1 tree(s) of empty elements alone left out" in err


def test_no_trees_and_no_place(fstce: Any, trees: Path, corpus: Path, tmp_path: Path) -> None:
    code, _, err = fstce("latent", "train", corpus)
    assert code == 2 and "corpus.pos:1: has no phrase-structure tree" in err
    code, _, err = fstce("latent", "train", trees, "-o", tmp_path / "no" / "m")
    assert code == 2 and "no folder" in err
