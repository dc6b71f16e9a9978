"""Write a neighborhood in ten lines, look at it, and train with it.

ROT1 moves the first word of the sentence to its end: is word order at the edges enough to learn from?

Run: python examples/plot_03_your_own_neighborhood.py [FILE.svg]
"""

from __future__ import annotations

import sys
from pathlib import Path

import pynini

from fstce import Neighborhood, TagDictionary, Tagger
from fstce.corpora import sample
from fstce.evaluation import random_accuracy, tagging_accuracy
from fstce.machines import Symbols, write_drawing

# %%
# **The machine.** A builder is given the symbols of a sentence and makes a transducer of pynini: here a
# copy of the sentence, or its first word held back and put at the end.


def build(symbols: Symbols) -> pynini.Fst:
    any_word = symbols.any()
    copy = pynini.closure(any_word)
    words = [symbols.union([label]) for label in symbols.labels]
    return copy | pynini.union(*(pynini.cross(a, "") + copy + pynini.cross("", a) for a in words))


# %%
# **What it says of a sentence.** ``equivariant`` promises that all words are treated alike, so lattices
# are shared between sentences.

rot1 = Neighborhood(build, "rot1", equivariant=True)
lattice = rot1(["natural", "language", "is", "delicate"])
for words in lattice.strings():
    print("   ", " ".join(words))
write_drawing(lattice.to_fst(), Path(sys.argv[1] if sys.argv[1:] else "rot1.svg"))

# %%
# **Training with it.** A neighborhood of one's own goes where a name would.

text = sample()
gold = [sentence.tags for sentence in text]
dictionary = TagDictionary.from_corpus(text)
print(f"random  {random_accuracy(text, gold, dictionary).ambiguous:.1f} % of ambiguous words")
for kind in (rot1, "trans1"):
    tagger = Tagger(neighborhood=kind).fit(text, dictionary=dictionary)
    right = tagging_accuracy(text, gold, tagger.predict(text), dictionary).ambiguous
    print(f"{getattr(kind, 'name', kind):7s} {right:.1f} %")

# %%
# One place of each sentence teaches something, and all places teach more.
