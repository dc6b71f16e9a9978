"""Lesson 1: acceptors and lattices.

An acceptor is a set of strings: states, a start, final states, and arcs with labels. One whose paths
are finitely many is acyclic, and called a lattice. Many sentences share its arcs.
"""

from grading import grade

from fstce import neighborhood

# %%
# DEL1WORD: the sentence, and the sentence without one of its words.
words = ["the", "dog", "saw", "the", "cat"]
lattice = neighborhood("del1word")(words)
print(len(lattice), "states,", len(lattice.arrays.source), "arcs,", lattice.count(), "strings")
for string in lattice.strings():
    print(" ", " ".join(string))

# %%
# A notebook draws it.
lattice


# %%
# Three functions are yours. Write each in place of its ``...``, and run the last cell.
def states_of_one_string(m):
    """How many states has the acceptor of one string of m words?"""
    return ...


def strings_of_del1subseq(m):
    """DEL1SUBSEQ: m distinct words, and what is left when a contiguous part, but not all, is deleted."""
    return ...


def accepts(arrays, labels):
    """Whether a deterministic acceptor has a path of these labels.

    `arrays.source`, `.ilabel` and `.next` say of each arc where it begins, what it reads and where it
    ends; `arrays.start` is a state, and `arrays.final[state]` finite where a string may end.
    """
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_01", globals())
