"""Answers to lesson 11."""

from lesson_11 import RULES, WORDS


def _chart(words, plus, rules):
    n = len(words)
    chart = {
        (label, i, i + 1): p
        for i in range(n)
        for (label, word), p in WORDS.items()
        if word == words[i]
    }
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            for k in range(i + 1, i + width):
                for (parent, left, right), p in rules.items():
                    # I(A, i, j) = Σ p(A → B C) I(B, i, k) I(C, k, j)
                    ways = p * chart.get((left, i, k), 0.0) * chart.get((right, k, i + width), 0.0)
                    item = (parent, i, i + width)
                    chart[item] = plus(chart.get(item, 0.0), ways)
    return chart


def inside(words):
    return _chart(words, lambda a, b: a + b, RULES)


def best(words):
    return _chart(words, max, RULES)["S", 0, len(words)]


def expected(words, rule, step=1e-6):
    above, below = (
        _chart(words, lambda a, b: a + b, {**RULES, rule: RULES[rule] + by})["S", 0, len(words)]
        for by in (step, -step)
    )
    return RULES[rule] * (above - below) / (2 * step) / inside(words)["S", 0, len(words)]
