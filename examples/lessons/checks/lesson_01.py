"""Checks of lesson 1."""

from grading import case
from lesson_01 import lattice

from fstce import neighborhood


def _subsequences(m):
    return neighborhood("del1subseq")([f"w{i}" for i in range(m)]).count()


def _accepts(string, gives):
    labels = lattice.symbols.ids(string.split())
    return case(lattice.arrays, labels, gives=gives, says=f"accepts, of the labels of {string!r}")


CHECKS = {
    "states_of_one_string": [case(m, gives=m + 1) for m in (2, 5, 9)],
    "strings_of_del1subseq": [case(m, gives=_subsequences(m)) for m in (2, 3, 7)],
    "accepts": [
        _accepts("the dog saw the cat", True),
        _accepts("the saw the cat", True),
        _accepts("the dog saw", False),
        _accepts("cat the", False),
    ],
}
