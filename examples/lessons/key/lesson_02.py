"""Answers to lesson 2."""


def composed(left, right):
    return {
        ((p, q), reads, writes, (r, s))
        for p, reads, middle, r in left
        for q, again, writes, s in right
        if middle == again
    }


def lost(stages):
    table = stages["sentence"].output_symbols()
    strings = [
        set(stages[name].paths(output_token_type=table).ostrings())
        for name in ("projected", "minimized")
    ]
    return len({" ".join(string.split()) for string in strings[0]} - strings[1])


def strings_of_trans1(m):
    return m
