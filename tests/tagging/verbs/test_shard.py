"""`fstce tagger train --shards`: automata that stay, for other trainings."""

import numpy as np
import pytest

from fstce import Tagger

AUTOMATA = ("--order", "2", "--neighborhood", "trans1", "--jobs", "1")
OPTIONS = (*AUTOMATA, "--max-iterations", "3")


@pytest.mark.parametrize("more", [(), ("--no-unknown-word-model",), ("--tokenized",)])
def test_shards_once_then_trainings_over_them(fstce, corpus, tmp_path, more):
    first = ("--max-iterations", "1", "--shards", tmp_path / "s")
    assert fstce("tagger", "train", corpus, *AUTOMATA, *more, *first).code == 0
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "s").rglob("*")}
    with_shards = ("--shards", tmp_path / "s", "--output", tmp_path / "a")
    assert fstce("tagger", "train", corpus, *OPTIONS, *more, *with_shards).code == 0
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "s").rglob("*")} == times
    without = ("--memory", "1K", "--scratch", tmp_path, "--output", tmp_path / "b")
    assert fstce("tagger", "train", corpus, *OPTIONS, *more, *without).code == 0
    thetas = [Tagger.load(tmp_path / name).theta_ for name in "ab"]
    assert np.array_equal(*thetas)


def test_another_corpus_and_a_budget_that_is_none_are_one_line(fstce, corpus, tmp_path):
    train = ("tagger", "train", corpus, *OPTIONS, "--shards", tmp_path / "s")
    assert fstce(*train).code == 0
    code, _, err = fstce(*train, "--words", "200")
    assert code == 2 and "these are the shards of another corpus" in err and "version" not in err
    code, _, err = fstce("tagger", "train", corpus, *OPTIONS, "--memory", "much")
    assert code == 2 and "give a size, as 500M or 2G" in err
