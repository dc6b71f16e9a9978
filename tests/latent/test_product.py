"""GrammarProduct: trained in processes as alone, parsing as the parser of many, saved as one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import Sentence, sample
from fstce.errors import CorpusError, ModelFileError, NotFittedError, ParameterError
from fstce.latent.model.files import to_arrays
from fstce.latent.parsing.coarse_to_fine import CoarseToFineParser

QUICK: dict[str, Any] = {
    "cycles": 1,
    "split_iterations": 4,
    "merge_iterations": 2,
    "smooth_iterations": 1,
}
TEXT = [["the", "lamp", "is", "small"], ["she", "walks", "."]]


@pytest.fixture(scope="module")
def treebank() -> list[Sentence]:
    return sample()[:80]


@pytest.fixture(scope="module")
def singles(treebank: list[Sentence]) -> list[LatentGrammar]:
    return [LatentGrammar(seed=seed, **QUICK).fit(treebank) for seed in (0, 1)]


@pytest.fixture(scope="module")
def product(treebank: list[Sentence]) -> GrammarProduct:
    return GrammarProduct([LatentGrammar(seed=seed, **QUICK) for seed in (0, 1)], jobs=2).fit(
        treebank
    )


def same(one: LatentGrammar, two: LatentGrammar) -> bool:
    ours, theirs = to_arrays(one.hierarchy_)[0], to_arrays(two.hierarchy_)[0]
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_members_are_those_trained_alone(
    product: GrammarProduct, singles: list[LatentGrammar]
) -> None:
    assert all(same(*pair) for pair in zip(product.grammars_, singles, strict=True))
    assert not hasattr(product.grammars[0], "hierarchy_")


@pytest.mark.parametrize("combination", ["product", "sum"])
def test_it_parses_as_the_parser_of_many(singles: list[LatentGrammar], combination: Any) -> None:
    parser = CoarseToFineParser([one.hierarchy_ for one in singles], combination=combination)
    trained = GrammarProduct(singles, combination)
    assert trained.predict(TEXT) == parser.parse_all(TEXT)


def test_a_product_of_one_is_that_grammar(singles: list[LatentGrammar]) -> None:
    assert GrammarProduct(singles[:1]).predict(TEXT) == singles[0].predict(TEXT)


def test_the_monitor_hears_of_every_grammar(treebank: list[Sentence]) -> None:
    heard: list[Any] = []
    members = [LatentGrammar(seed=seed, **{**QUICK, "cycles": 0}) for seed in (3, 1)]
    GrammarProduct(members, jobs=1).fit(treebank, monitor=lambda *told: heard.append(told))
    assert [(done, total) for done, total, _ in heard] == [(0, 2), (1, 2), (2, 2)]
    assert [record["settings"]["seed"] for _, _, record in heard[1:]] == [3, 1]


def test_a_number_stands_for_so_many_seeds() -> None:
    assert [one.seed for one in GrammarProduct(3)._configured()] == [0, 1, 2]


def test_saved_as_one_folder(product: GrammarProduct, tmp_path: Path) -> None:
    product.set_params(combination="sum")
    try:
        product.save(tmp_path / "p")
        product.save(tmp_path / "p")
    finally:
        product.set_params(combination="product")
    found = GrammarProduct.load(tmp_path / "p")
    assert found.combination == "sum"
    assert found.grammars_ == found.members()
    assert all(same(*pair) for pair in zip(found.members(), product.members(), strict=True))
    assert [one.get_params() for one in found.members()] == [
        one.get_params() for one in product.members()
    ]
    with pytest.raises(ModelFileError, match="not a latent grammar"):
        LatentGrammar.load(tmp_path / "p")
    (tmp_path / "p" / "2-grammars.npz").unlink()
    with pytest.raises(ModelFileError, match=r"2-grammars\.npz: missing"):
        GrammarProduct.load(tmp_path / "p")


def test_bad_trees_are_told_before_training(treebank: list[Sentence]) -> None:
    with pytest.raises(CorpusError, match=r"b\.txt:3: has no tree"):
        GrammarProduct(2).fit([*treebank, Sentence(["a"], source="b.txt:3")])


def test_what_is_refused(
    treebank: list[Sentence], singles: list[LatentGrammar], tmp_path: Path
) -> None:
    for wrong in (0, [], "two", 1.5, True, [singles[0], "grammar"]):
        with pytest.raises(ParameterError, match="grammars"):
            GrammarProduct(wrong).fit(treebank)
    with pytest.raises(ParameterError, match=r"grammar 2 \(seed -1\): seed=-1"):
        GrammarProduct([LatentGrammar(**QUICK), LatentGrammar(seed=-1, **QUICK)], jobs=1).fit(
            treebank
        )
    with pytest.raises(NotFittedError):
        GrammarProduct(2).predict(TEXT)
    with pytest.raises(NotFittedError):
        GrammarProduct(2).save(tmp_path / "p")
    other = LatentGrammar(cycles=0).fit(treebank[:20])
    with pytest.raises(ParameterError, match="other symbols or rules"):
        GrammarProduct([singles[0], other]).predict(TEXT)
    with pytest.raises(ParameterError, match="combination='mean'"):
        GrammarProduct(singles, combination="mean").predict(TEXT)
