"""Lesson 1: acceptors and lattices.

An acceptor is a set of strings: states, a start, final states, and arcs with labels. One whose
paths are finitely many is acyclic, and called a lattice. Many sentences share its arcs.
"""

from grading import exercise, grade

from fstce import neighborhood

words = ["the", "dog", "saw", "the", "cat"]

# DEL1WORD: the sentence, and the sentence without one of its words.
lattice = neighborhood("del1word")(words)
print(len(lattice), "states,", len(lattice.arrays.source), "arcs,", lattice.count(), "strings")
for string in lattice.strings():
    print(" ", " ".join(string))


@exercise(lambda f: [f(m) for m in (2, 5, 9)] == [3, 6, 10])
def states_of_one_string(m):
    """How many states has the acceptor of one string of m words?"""
    return ...


def _subsequences(m):
    return neighborhood("del1subseq")([f"w{i}" for i in range(m)]).count()


@exercise(lambda f: [f(m) for m in (2, 3, 7)] == [_subsequences(m) for m in (2, 3, 7)])
def strings_of_del1subseq(m):
    """DEL1SUBSEQ: m distinct words, and what is left when a contiguous part, but not all, is deleted."""
    return ...


@exercise(lambda f: f(lattice.arrays, lattice.symbols.ids(words)) and not f(lattice.arrays, [5, 5]))
def accepts(arrays, labels):
    """Whether a deterministic acceptor has a path of these labels; arcs are source, ilabel, next."""
    return ...


if __name__ == "__main__":
    grade("__main__")
