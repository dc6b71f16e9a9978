"""Answers to lesson 13."""

import math

from lesson_13 import NEIGHBORS, SENTENCE, WEIGHTS, count, taggings


def score(tags):
    return sum(weight * count(tags, bigram) for bigram, weight in WEIGHTS.items())


def _all(strings):
    return [tags for string in strings for tags in taggings(string)]


def objective(sentence, neighbors):
    sums = [
        sum(math.exp(score(tags)) for tags in _all(strings)) for strings in ([sentence], neighbors)
    ]
    return math.log(sums[0] / sums[1])


def _expected(bigram, strings):
    z = sum(math.exp(score(tags)) for tags in _all(strings))
    return sum(math.exp(score(tags)) * count(tags, bigram) for tags in _all(strings)) / z


def gradient(bigram):
    return _expected(bigram, [SENTENCE]) - _expected(bigram, NEIGHBORS)
