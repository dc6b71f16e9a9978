"""Checks of lesson 11, by the list of all trees."""

import math

from grading import case
from lesson_11 import LONG, RULES, SHORT, WORDS


def _trees(label, words):
    """(probability, rules) of each tree of a label over words."""
    trees = [(WORDS[label, words[0]], ())] if len(words) == 1 and (label, words[0]) in WORDS else []
    for (parent, left, right), p in RULES.items():
        for k in range(1, len(words)):
            if parent == label:
                trees += [
                    (p * one * two, ((parent, left, right), *a, *b))
                    for one, a in _trees(left, words[:k])
                    for two, b in _trees(right, words[k:])
                ]
    return trees


def _sum(label, words):
    return math.fsum(p for p, _ in _trees(label, words))


def _inside(words):
    spans = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    labels = {rule[0] for rule in RULES} | {label for label, _ in WORDS}
    sums = {(label, i, j): _sum(label, words[i:j]) for label in labels for i, j in spans}
    return {item: total for item, total in sums.items() if total}


def _expected(words, rule):
    trees = _trees("S", words)
    return math.fsum(p * rules.count(rule) for p, rules in trees) / math.fsum(p for p, _ in trees)


def _nonzero(chart):
    return {item: total for item, total in chart.items() if total}


CHECKS = {
    "inside": [case(words, gives=_inside(words), view=_nonzero) for words in (SHORT, LONG)],
    "best": [case(words, gives=max(p for p, _ in _trees("S", words))) for words in (SHORT, LONG)],
    "expected": [
        case(LONG, rule, gives=_expected(LONG, rule))
        for rule in (("VP", "VP", "PP"), ("NP", "NP", "PP"))
    ],
}
