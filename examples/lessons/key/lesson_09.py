"""Answers to lesson 9."""

from lesson_09 import LEXICON, PRICE


def edits(one, other):
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1]


def corrected(observed):
    return min(LEXICON, key=lambda word: LEXICON[word] + PRICE * edits(observed, word))
