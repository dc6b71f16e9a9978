"""Answers to lesson 12."""

from itertools import product


def projective(heads):
    n = len(heads)
    if heads.count(0) != 1:
        return False
    for i in range(n):  # every word reaches the root
        here, steps = i + 1, 0
        while here and steps <= n:
            here, steps = heads[here - 1], steps + 1
        if here:
            return False
    arcs = [sorted((child, head)) for child, head in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def trees(n):
    return [list(heads) for heads in product(range(n + 1), repeat=n) if projective(list(heads))]


def directed(gold, parsed):
    pairs = [
        (a, b)
        for one, other in zip(gold, parsed, strict=True)
        for a, b in zip(one, other, strict=True)
    ]
    return sum(a == b for a, b in pairs) / len(pairs)


def to_the_right(tags):
    return list(range(len(tags)))
