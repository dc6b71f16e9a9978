"""Lesson 2: composition.

A transducer is a relation between strings: an arc reads a label and writes one, or ε. Composition
a ∘ b feeds what a writes to b. A neighbourhood is the output side of sentence ∘ transducer.
"""

from grading import exercise, grade

from fstce import neighborhood

words = ["so", "it", "goes"]
stages = neighborhood("trans1").stages(words)
for name, fst in stages.items():
    print(f"  {name}: {fst.num_states()} states, {sum(map(fst.num_arcs, fst.states()))} arcs")

# A machine as a set of arcs (source, reads, writes, target); start 0.
LETTERS = {(0, "a", "b", 1), (1, "b", "b", 1), (1, "a", "c", 0)}
SWAPS = {(0, "b", "x", 0), (0, "c", "y", 1), (1, "b", "z", 1)}


COMPOSED = {
    ((0, 0), "a", "x", (1, 0)),
    ((0, 1), "a", "z", (1, 1)),
    ((1, 0), "b", "x", (1, 0)),
    ((1, 1), "b", "z", (1, 1)),
    ((1, 0), "a", "y", (0, 1)),
}


@exercise(lambda f: set(f(LETTERS, SWAPS)) == COMPOSED)
def composed(left, right):
    """The arcs of left ∘ right for machines without ε; a state is a pair of states."""
    return ...


@exercise(lambda f: f(stages) == 0)
def lost(stages):
    """How many strings has `projected` that `minimized` has not? Hint: paths() of a pynini machine."""
    return ...


@exercise(lambda f: f(4) == neighborhood("trans1")("abcd").count())
def strings_of_trans1(m):
    """TRANS1: m distinct words, at most one pair of neighbours transposed."""
    return ...


if __name__ == "__main__":
    grade("__main__")
