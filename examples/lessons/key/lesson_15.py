"""Answers to lesson 15."""

from itertools import pairwise

import pynini


def drop_first(symbols):
    word = symbols.any()
    gone = pynini.cross(word, pynini.accep(""))
    return (pynini.union(word, gone) + pynini.closure(word)).optimize()


def stutter(symbols):
    word = symbols.any()
    twice = [
        pynini.cross(one, one + one) for one in (symbols.union([label]) for label in symbols.labels)
    ]
    return (
        pynini.closure(word) + pynini.closure(pynini.union(*twice), 0, 1) + pynini.closure(word)
    ).optimize()


def swap(symbols, sentence):
    copy = pynini.closure(symbols.any())
    words = [symbols.union([label]) for label in sentence]
    pairs = [pynini.cross(a, b) + pynini.cross(b, a) for a, b in pairwise(words)]
    return (copy + pynini.closure(pynini.union(copy, *pairs), 0, 1) + copy).optimize()
