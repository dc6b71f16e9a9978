"""Answers to lesson 15."""

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
