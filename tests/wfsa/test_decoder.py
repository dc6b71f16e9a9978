"""Decoding against enumeration, for listed and unknown words, in batches and alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles import BruteTagger
from tagging_cases import CORPUS, DICTIONARY, ORDERS, contrast_of, random_theta, weights_of

from fstce.wfsa import decoder as module
from fstce.wfsa.decoder import Decoder

TAGS = DICTIONARY.tagset
SENTENCES = [*CORPUS, ("dogs", "wug", "runs", "zug-7"), ("zug",)]
EACH = pytest.mark.parametrize("order", ORDERS)


def decoder_of(order: int) -> tuple[Decoder, list[BruteTagger]]:
    features = contrast_of("trans1", order, spelling=True).features
    theta = random_theta(features, order)
    weights = weights_of(features, theta)
    brute = [BruteTagger([words], DICTIONARY, weights, order) for words in SENTENCES]
    return Decoder(features, theta, DICTIONARY), brute


def named(row: list[int]) -> tuple[str, ...]:
    return tuple(TAGS[t] for t in row)


@EACH
def test_viterbi(order: int) -> None:
    decoder, brute = decoder_of(order)
    assert [named(row) for row in decoder.viterbi(SENTENCES)] == [b.k_best(1)[0][0] for b in brute]


@EACH
def test_posteriors_and_their_best_tags(order: int) -> None:
    decoder, brute = decoder_of(order)
    tables, best = decoder.posteriors(SENTENCES), decoder.posterior(SENTENCES)
    for words, table, row, twin in zip(SENTENCES, tables, best, brute, strict=True):
        expected = [[twin.posterior(i, tag) for tag in TAGS] for i in range(len(words))]
        assert_allclose(table, expected, atol=1e-12)
        assert row == np.argmax(expected, axis=1).tolist()


@EACH
def test_k_best(order: int) -> None:
    decoder, brute = decoder_of(order)
    for words, found, twin in zip(SENTENCES, decoder.k_best(SENTENCES, 5), brute, strict=True):
        rows, scores = [named(row) for row, _ in found], [score for _, score in found]
        assert len(set(rows)) == len(rows)
        assert_allclose(scores, [score for _, score in twin.k_best(5)])
        assert_allclose(scores, [twin.weight[words, row] for row in rows])


def test_samples_and_entropy() -> None:
    decoder, brute = decoder_of(2)
    n = 4000
    drawn = decoder.sample(SENTENCES, n, np.random.default_rng(1))
    for rows, twin in zip(drawn, brute, strict=True):
        for (_, y), p in twin.probability.items():
            share = sum(named(row) == y for row in rows) / n
            assert abs(share - p) < 5 * np.sqrt(p * (1 - p) / n) + 1e-12
    assert_allclose(decoder.entropy(SENTENCES), [twin.entropy() for twin in brute], atol=1e-12)


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    decoder, _ = decoder_of(3)
    whole = decoder.viterbi(SENTENCES), decoder.k_best(SENTENCES, 3), decoder.entropy(SENTENCES)
    monkeypatch.setattr(module, "BATCH", 2)
    assert decoder.viterbi(SENTENCES) == whole[0]
    for ours, theirs in zip(decoder.k_best(SENTENCES, 3), whole[1], strict=True):
        assert [row for row, _ in ours] == [row for row, _ in theirs]
    assert_allclose(decoder.entropy(SENTENCES), whole[2], atol=1e-12)


@EACH
def test_more_than_a_batch_is_tagged_as_its_sentences(order: int) -> None:
    decoder, _ = decoder_of(order)
    assert decoder.viterbi(SENTENCES * 200) == decoder.viterbi(SENTENCES) * 200
