"""Lesson 2: composition.

A transducer is a relation between strings: an arc reads a label and writes one, or ε. Composition
a ∘ b feeds what a writes to b. A neighborhood is the output side of sentence ∘ transducer.
"""

from grading import grade

from fstce import neighborhood

# %%
# How fstce makes a neighborhood: each stage is a pynini machine.
words = ["so", "it", "goes"]
stages = neighborhood("trans1").stages(words)
for name, fst in stages.items():
    print(f"  {name}: {fst.num_states()} states, {sum(map(fst.num_arcs, fst.states()))} arcs")

# %%
# What comes out of the last, drawn by a notebook.
neighborhood("trans1")(words)

# %%
# Two machines as sets of arcs (source, reads, writes, target); each starts in 0.
LETTERS = {(0, "a", "b", 1), (1, "b", "b", 1), (1, "a", "c", 0)}
SWAPS = {(0, "b", "x", 0), (0, "c", "y", 1), (1, "b", "z", 1)}


# %%
# Yours:
def composed(left, right):
    """The arcs of left ∘ right for machines without ε; a state is a pair of states."""
    return ...


def lost(stages):
    """How many strings has `projected` that `minimized` has not? Hint: paths() of a pynini machine."""
    return ...


def strings_of_trans1(m):
    """TRANS1: m distinct words, at most one pair of neighbors transposed."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_02", globals())
