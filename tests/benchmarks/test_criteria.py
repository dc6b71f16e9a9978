"""What EM and supervised training cost an iteration, the CRF beside crfsuite where there is one."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from fstce import TagDictionary, Tagger
from fstce.corpora import Sentence, first_words
from fstce.grammars import spelling, token_features

BARS = {2: 0.015, 3: 0.05}  # seconds an iteration of EM on 94 thousand words


@pytest.mark.parametrize("order", [2, 3])
def test_em_iteration(
    benchmark, nltk_treebank: list[Sentence], order: int, report: list[str]
) -> None:
    tagger = Tagger(criterion="em", order=order)
    likelihood = tagger.compile(nltk_treebank, dictionary=TagDictionary.from_corpus(nltk_treebank))
    theta = tagger.initial_weights()
    rounds = 10

    def climb() -> None:
        likelihood.climb(theta, tolerance=0.0, max_iterations=rounds)

    benchmark.pedantic(climb, rounds=3, warmup_rounds=1)
    seconds = benchmark.stats.stats.median / (rounds + 1)
    arcs = sum(batch.n_arcs for term in likelihood.terms for batch in term.batches)
    benchmark.extra_info.update(seconds_an_iteration=seconds, arcs=arcs)
    report.append(
        f"EM, order {order}, 94 thousand words, {arcs:,} arcs: {seconds * 1e3:.1f} ms an iteration"
    )
    assert seconds <= BARS[order]


def test_conditional_iteration(
    benchmark, nltk_treebank: list[Sentence], report: list[str], tmp_path: Path
) -> None:
    train = first_words(nltk_treebank, 24_000)
    test = first_words(nltk_treebank[len(train) :], 5_000)
    tags = sorted({tag for sentence in nltk_treebank for tag in sentence.tags})
    # Words seen once may take every tag, in training as in the test, so that spelling is learned.
    listed = TagDictionary.from_corpus(train, min_count=2)
    dictionary = TagDictionary(listed, tags, unseen="all")
    tagger = Tagger(criterion="conditional", order=2, spelling=True, unknown_word_model=False)
    objective = tagger.compile(train, [sentence.tags for sentence in train], dictionary=dictionary)
    benchmark.pedantic(lambda: tagger.train(objective), rounds=3)
    iterations = tagger.training_.steps[-1].iteration
    seconds = benchmark.stats.stats.median / iterations
    right = 100 * tagger.score(test, [sentence.tags for sentence in test])
    benchmark.extra_info.update(seconds_an_iteration=seconds, accuracy=right)
    line = f"CRF, 24 thousand words, bigrams and spelling: {seconds * 1e3:.1f} ms an iteration, {right:.1f} %"
    found = _crfsuite(train, test, tmp_path / "crfsuite.model")
    if found is not None:
        theirs, accuracy = found
        benchmark.extra_info.update(crfsuite_seconds=theirs, crfsuite_accuracy=accuracy)
        line += f"; crfsuite {theirs * 1e3:.1f} ms and {accuracy:.1f} % in the same run"
    report.append(line)
    assert right >= 92.5
    assert found is None or seconds <= 1.1 * found[0]


RICH = ("form", "context")
RICH_BARS = {"iteration": 1.2, "all": 2.0}  # times python-crfsuite's processor time


def test_rich_features(nltk_treebank: list[Sentence], report: list[str], tmp_path: Path) -> None:
    """A CRF with forms and the words beside, beside python-crfsuite with the same features."""
    pycrfsuite = pytest.importorskip("pycrfsuite")
    train = first_words(nltk_treebank, 6_000)
    gold, began = [sentence.tags for sentence in train], time.process_time()
    tagger = Tagger(criterion="conditional", order=2, features=RICH)
    objective = tagger.compile(train, gold)
    built = time.process_time() - began
    tagger.train(objective)
    spent, iterations = time.process_time() - began, tagger.training_.iterations

    began, steps = time.process_time(), 40
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c2": 0.5, "c1": 0.0, "max_iterations": steps})
    for sentence in train:
        around = ["", *sentence.words, ""]
        tokens = (token_features.in_context(*around[i : i + 3]) for i in range(len(sentence)))
        trainer.append(
            [list(token_features.build(token, RICH, {})) for token in tokens], list(sentence.tags)
        )
    described = time.process_time() - began
    trainer.train(str(tmp_path / "crfsuite.model"))
    theirs = time.process_time() - began
    own, other = (spent - built) / iterations, (theirs - described) / steps
    ratios = {"iteration": own / other, "all": spent / theirs}
    report.append(
        f"CRF, 6 thousand words, bigrams, forms and words beside: {built:.1f} s to build, "
        f"{own * 1e3:.0f} ms an iteration, {iterations} of them; "
        f"crfsuite {described:.1f} s, {other * 1e3:.0f} ms, {steps}: "
        f"{ratios['iteration']:.1f} times an iteration, "
        f"{ratios['all']:.1f} times in all"
    )
    assert all(ratios[name] <= bar for name, bar in RICH_BARS.items())


def _crfsuite(
    train: list[Sentence], test: list[Sentence], path: Path
) -> tuple[float, float] | None:
    """Seconds an iteration and accuracy of python-crfsuite with like features, if it is installed."""
    try:
        import pycrfsuite
    except ImportError:
        return None

    def features(sentence: Sentence) -> list[list[str]]:
        return [[f"word={word}", *spelling.build(word)] for word in sentence.words]

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c2": 0.5, "c1": 0.0, "max_iterations": 40})
    for sentence in train:
        trainer.append(features(sentence), list(sentence.tags))
    began = time.perf_counter()
    trainer.train(str(path))
    seconds = (time.perf_counter() - began) / 40
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    pairs = [(s.tags, tagger.tag(features(s))) for s in test]
    right = [a == b for gold, found in pairs for a, b in zip(gold, found, strict=True)]
    return seconds, 100 * float(np.mean(right))
