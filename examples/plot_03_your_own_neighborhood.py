"""Author a neighbourhood in ten lines, look at it, and train with it.

ROT1 moves the first word of the sentence to its end: is word order at the edges enough
to learn from?

Run: python examples/plot_03_your_own_neighborhood.py
"""

from __future__ import annotations

import pynini

from fstce import Neighborhood, TagDictionary, Tagger
from fstce.corpora import sample
from fstce.evaluation import random_accuracy, tagging_accuracy
from fstce.machines import Symbols


def build(symbols: Symbols) -> pynini.Fst:
    """Copy the sentence, or hold its first word back and put it at the end."""
    any_word = symbols.any()
    copy = pynini.closure(any_word)
    words = [symbols.union([label]) for label in symbols.labels]
    return copy | pynini.union(*(pynini.cross(a, "") + copy + pynini.cross("", a) for a in words))


def main() -> None:
    rot1 = Neighborhood(build, "rot1", equivariant=True)
    for words in rot1(["natural", "language", "is", "delicate"]).strings():
        print("   ", " ".join(words))
    text = sample()
    gold = [sentence.tags for sentence in text]
    dictionary = TagDictionary.from_corpus(text)
    print(f"random  {random_accuracy(text, gold, dictionary).ambiguous:.1f} % of ambiguous words")
    for kind in (rot1, "trans1"):
        tagger = Tagger(neighborhood=kind).fit(text, dictionary=dictionary)
        right = tagging_accuracy(text, gold, tagger.predict(text), dictionary).ambiguous
        print(f"{getattr(kind, 'name', kind):7s} {right:.1f} %")


if __name__ == "__main__":
    main()
