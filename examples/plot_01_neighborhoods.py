"""Figure 1 of Smith & Eisner (2005a): one sentence and the lattices of its neighborhoods.

A sentence was said; its neighborhood holds what could have been said instead. Each is a small
transducer, and the lattice of a sentence is much smaller than the list of its neighbors.

Run: python examples/plot_01_neighborhoods.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from fstce import neighborhood
from fstce.machines import write_drawing

SENTENCE = ["natural", "language", "is", "a", "delicate", "thing"]
FOLDER = Path(sys.argv[1] if sys.argv[1:] else "figures")
FOLDER.mkdir(parents=True, exist_ok=True)


def draw(name: str) -> None:
    """Count, list and draw the neighbors of the sentence."""
    lattice = neighborhood(name)(SENTENCE)
    write_drawing(lattice.to_fst(), FOLDER / f"{name}.svg")
    print(f"{name}: {lattice.count()} sentences, {len(lattice)} states")
    for words in lattice.strings(3):
        print("   ", " ".join(words))


# %%
# **DEL1WORD**: the sentence, or the sentence without one of its words. For m distinct words
# these are m + 1 strings.

draw("del1word")

# %%
# **TRANS1**: the sentence, or the sentence with two adjacent words transposed: m strings.

# sphinx_gallery_thumbnail_number = 2
draw("trans1")

# %%
# **DEL1SUBSEQ**: the sentence without some words in a row. There are m(m + 1)/2 of these strings,
# and the lattice still has as few states as that of DEL1WORD.

draw("del1subseq")
