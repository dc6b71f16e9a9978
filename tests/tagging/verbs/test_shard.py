"""`fstce tagger train --shards`: automata in files of a folder."""

import numpy as np
import pytest

from fstce import Tagger

AUTOMATA = ("--order", "2", "--neighborhood", "trans1", "--jobs", "1")
OPTIONS = (*AUTOMATA, "--max-iterations", "3")


@pytest.mark.parametrize("more", [(), ("--no-unknown-word-model",), ("--tokenized",)])
def test_trainings_over_shards_and_mapped_files(fstce, corpus, tmp_path, more):
    with_shards = ("--shards", tmp_path / "s", "--output", tmp_path / "a")
    assert fstce("tagger", "train", corpus, *OPTIONS, *more, *with_shards).code == 0
    assert list((tmp_path / "s" / "part-1").glob("*.npy"))
    without = ("--memory", "1K", "--output", tmp_path / "b")
    assert fstce("tagger", "train", corpus, *OPTIONS, *more, *without).code == 0
    thetas = [Tagger.load(tmp_path / name).theta_ for name in "ab"]
    assert np.array_equal(*thetas)


def test_a_budget_that_is_none_is_one_line(fstce, corpus):
    code, _, err = fstce("tagger", "train", corpus, *OPTIONS, "--memory", "much")
    assert code == 2 and "give a size, as 500M or 2G" in err
