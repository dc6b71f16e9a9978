"""What parsing with latent-variable grammars costs: run with ``python -m pytest tests/benchmarks``.

The grammar is learned from WSJ files 0001–0159; the sentences are those of at most forty
words of files 0180–0199, words only, by max-rule-product, on one core.
"""

from __future__ import annotations

import re
import resource
import time
from collections.abc import Sequence

import pytest
from latent_cases import train

from fstce.corpora import Sentence, read_corpus
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.parsing.coarse_to_fine import CoarseToFineParser

PER_SECOND = 10.0
MEGABYTES = 1024.0


@pytest.fixture(scope="module")
def treebank() -> list[Sentence]:
    return list(read_corpus("nltk:treebank"))


@pytest.fixture(scope="module")
def sentences(treebank: list[Sentence]) -> list[tuple[str, ...]]:
    short = [sentence.words for sentence in of_files(treebank, 180, 199) if len(sentence) <= 40]
    assert len(short) == 230
    return short


@pytest.fixture(scope="module")
def hierarchy(treebank: list[Sentence]) -> SplitHierarchy:
    """Four cycles, with fewer iterations than usual: as many subcategories, sooner learned."""
    text = of_files(treebank, 1, 159)
    return train(
        text, cycles=4, seed=1, split_iterations=20, merge_iterations=8, smooth_iterations=4
    )


def of_files(treebank: Sequence[Sentence], first: int, last: int) -> list[Sentence]:
    numbers = [int(re.findall(r"wsj_(\d+)", sentence.source)[0]) for sentence in treebank]
    return [
        sentence
        for sentence, number in zip(treebank, numbers, strict=True)
        if first <= number <= last
    ]


def seconds(parser: CoarseToFineParser, sentences: Sequence[tuple[str, ...]]) -> float:
    began = time.process_time()
    trees = parser.parse_all(sentences)
    took = time.process_time() - began
    assert [tree.leaves() for tree in trees] == list(sentences)
    return took


def test_each_cycle(
    sentences: list[tuple[str, ...]], hierarchy: SplitHierarchy, report: list[str]
) -> None:
    rates = []
    for cycle in range(5):
        part = SplitHierarchy(hierarchy.grammars[: cycle + 1])
        rates.append(len(sentences) / seconds(CoarseToFineParser([part]), sentences))
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report.append(
        f"latent parsing, 230 sentences: {', '.join(f'{rate:.0f}' for rate in rates)} sentences a second "
        f"after 0 to 4 cycles, {megabytes:.0f} MB with training"
    )
    assert rates[-1] > PER_SECOND
    assert megabytes < 2 * MEGABYTES


def test_product_of_eight(
    sentences: list[tuple[str, ...]], hierarchy: SplitHierarchy, report: list[str]
) -> None:
    some = sentences[::4]
    one, eight = (seconds(CoarseToFineParser([hierarchy] * n), some) for n in (1, 8))
    report.append(f"latent parsing, product of eight: {eight / one:.1f} times a single grammar")
    assert eight < 8 * one


def test_other_objectives(
    sentences: list[tuple[str, ...]], hierarchy: SplitHierarchy, report: list[str]
) -> None:
    some = sentences[::4]
    sums = len(some) / seconds(CoarseToFineParser([hierarchy], objective="max-rule-sum"), some)
    trees = len(some) / seconds(CoarseToFineParser([hierarchy] * 2, combination="tree"), some)
    report.append(
        f"latent parsing: max-rule-sum {sums:.1f}, tree product of two {trees:.1f} sentences a second"
    )
